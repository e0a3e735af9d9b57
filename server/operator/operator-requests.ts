/** Requests of the operator socket: who may ask for what, what it says to the loop, and the answers in words. */
import { CommandKind, COMPENSATIONS, HAND_MODES } from '../../hil/contract/commands.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import type { AlarmList } from '../alarms/alarms.ts';
import type { AuditSink } from '../audit/audit-sink.ts';
import { roleAtLeast } from '../../hil/contract/roles.ts';
import type { AuthorityKeeper } from './authority.ts';
import type { Accommodation, Requests } from '../client/messages.ts';
import type { ClientMessage } from '../contract/client-messages.ts';
import type { OperatorSession } from './operator-session.ts';
import { type ArmMotion, armMotion, hasLatchedFault, makeRow } from '../status/status.ts';

/** What is answered by `ack`. */
export type OperatorRequest = Exclude<
  ClientMessage,
  { type: 'hello' | 'input' | 'sync' | 'challenge.answer' }
>;

const NOTHING_MOVES: ArmMotion = { deadman: false, engaged: false, moving: false };

/** Arguments of CommandKind.FMA; what is left out keeps its value. */
export function fmaArguments(wish: Partial<Accommodation>): number[] {
  const bits = wish.axes?.reduce((sum, on, axis) => sum + (on ? 1 << axis : 0), 0);
  return [
    bits ?? NaN,
    ...(wish.set_point ?? Array<number>(6).fill(NaN)),
    wish.force_deadband_N ?? NaN,
    wish.moment_deadband_Nm ?? NaN,
    wish.force_gain_Ns_per_m ?? NaN,
    wish.moment_gain_Nms_per_rad ?? NaN,
  ];
}

/** Arguments of CommandKind.ENERGY; what is left out keeps its value. */
export function energyArguments(wish: Requests['energy.set']): number[] {
  const flag = (value: boolean | undefined): number => (value === undefined ? NaN : Number(value));
  const { compensation } = wish;
  return [
    compensation === undefined ? NaN : COMPENSATIONS.indexOf(compensation),
    flag(wish.guard),
    flag(wish.removal),
    flag(wish.position_lead),
  ];
}

/** Arguments of CommandKind.HAND_MODE. */
export function handModeArguments({ mode, joint, axis }: Requests['hand_mode.set']): number[] {
  return [HAND_MODES.indexOf(mode), joint ?? -1, axis ?? -1];
}

/** CLEAR, which takes a reason while a fault is latched. @returns 'ok' or why not (SENTENCES) */
export function requestClear(
  runtime: Runtime,
  reason: string | undefined,
): Promise<string> | string {
  const row = makeRow();
  const latched = runtime.readNewest(row) && hasLatchedFault(row);
  return latched && reason === undefined ? 'reason_needed' : runtime.request(CommandKind.CLEAR);
}

export class OperatorRequests {
  readonly #runtime: Runtime;
  readonly #keeper: AuthorityKeeper;
  readonly #alarms: AlarmList;
  readonly #audit: AuditSink;
  readonly #row = makeRow();
  readonly #inputTimeout_s: number;

  constructor(
    runtime: Runtime,
    keeper: AuthorityKeeper,
    alarms: AlarmList,
    audit: AuditSink,
    inputTimeout_s: number,
  ) {
    this.#inputTimeout_s = inputTimeout_s;
    this.#runtime = runtime;
    this.#keeper = keeper;
    this.#alarms = alarms;
    this.#audit = audit;
  }

  /** Do what is asked, and write down that it was. @returns 'ok' or a reason (SENTENCES). */
  async act(client: OperatorSession, message: OperatorRequest, now_s: number): Promise<string> {
    const result = await this.#act(client, message, now_s);
    const frame = ['v', 'type', 'id', 'seq', 't'];
    const detail = Object.entries(message).filter(([name]) => !frame.includes(name));
    const entry = { actor: client.actor, action: message.type, result };
    this.#audit.write({ ...entry, detail: Object.fromEntries(detail) });
    return result;
  }

  #act(client: OperatorSession, message: OperatorRequest, now_s: number): Promise<string> | string {
    const keeper = this.#keeper;
    const mine = keeper.holder === client.session;
    /** What leads to motion: a client whose delay is not known, or too long, cannot be in time with letting go. */
    const timely = (ask: () => Promise<string> | string): Promise<string> | string => {
      const verdict = client.gate.challenges.judge(now_s, this.#inputTimeout_s);
      return verdict === 'ok' ? ask() : verdict;
    };
    const holderAsks = (kind: number, ...args: number[]): Promise<string> | string =>
      mine ? this.#runtime.request(kind, ...args) : 'no_authority';
    switch (message.type) {
      case 'stop':
        return this.#runtime.request(CommandKind.STOP, message.cat);
      case 'hold':
        return this.#runtime.request(CommandKind.HOLD);
      case 'clear':
        return requestClear(this.#runtime, message.reason);
      case 'arm':
        return mine ? timely(() => holderAsks(CommandKind.ARM)) : 'no_authority';
      case 'resume':
        return mine ? timely(() => holderAsks(CommandKind.RESUME)) : 'no_authority';
      case 'fma.set':
        return holderAsks(CommandKind.FMA, ...fmaArguments(message));
      case 'permit.acknowledge':
        return holderAsks(CommandKind.PERMIT, message.withdraw === true ? 0 : 1);
      case 'energy.set':
        return holderAsks(CommandKind.ENERGY, ...energyArguments(message));
      case 'hand_mode.set':
        return holderAsks(CommandKind.HAND_MODE, ...handModeArguments(message));
      case 'tare':
        return roleAtLeast(client.role, 'supervisor')
          ? this.#runtime.request(CommandKind.TARE)
          : holderAsks(CommandKind.TARE);
      case 'authority.request':
        return timely(() => this.#requestAuthority(client, message.take_over === true, now_s));
      case 'authority.grant':
        return keeper.grant(client.session, now_s, this.#motion());
      case 'authority.deny':
        return keeper.deny(client.session) ? 'ok' : 'nothing_asked';
      case 'authority.release':
        return keeper.release(client.session, now_s) ? 'ok' : 'no_authority';
      case 'alarm.ack':
        if (message.alarm !== undefined && !this.#alarms.has(message.alarm)) return 'no_alarm';
        this.#alarms.acknowledge(message.alarm);
        return 'ok';
    }
  }

  #requestAuthority(client: OperatorSession, takeOver: boolean, now_s: number): string {
    if (takeOver && this.#keeper.holder !== 0) {
      return this.#keeper.takeOver(client.session, client.role, now_s, this.#motion());
    }
    const answer = this.#keeper.request(client.session, now_s);
    return answer === 'granted' || answer === 'holder' ? 'ok' : answer;
  }

  #motion(): ArmMotion {
    return this.#runtime.readNewest(this.#row) ? armMotion(this.#row) : NOTHING_MOVES;
  }
}

/** Reasons in words; COMMAND_RESULTS and the server's own. */
export const SENTENCES: Readonly<Record<string, string>> = {
  not_ready: 'The loop is not ready for this: see state and arm_blockers in the status.',
  no_authority: 'Only the holder of authority may do this.',
  deadman_not_pressed: 'Press and hold the deadman first.',
  not_neutral: 'Centre the hand controllers first.',
  pose_mismatch: 'The set-point does not agree with the measured pose yet.',
  fault_latched: 'A fault is latched: clear it first.',
  reason_needed: 'A fault is latched: give the "reason" for clearing it, 1 to 200 characters.',
  robot_not_normal: 'The robot does not report a normal safety state.',
  wrong_state: 'This cannot be done in the present state.',
  not_allowed: 'This is not allowed here.',
  permit_needed:
    'The predicted contact exceeds its limits: acknowledge the contact permit first, or change the compensation.',
  not_combinable:
    'This compensation does not go with what else is set: see docs/theory/loop-energy.md.',
  flown: 'The arm is flown: release the deadman first, the mode is changed while the arm is held.',
  in_contact: 'The tool touches: back off first, a single joint turns without accommodation.',
  no_joint: 'No such joint can be turned by itself: see driven of the joints of GET /api/robot.',
  single_joint: 'A single joint turns without accommodation: go to rate mode first.',
  delay_unknown:
    'The server has not measured the delay of this client, which answers no challenge: it may watch and stop (docs/api.md).',
  delay_too_long:
    'The round trip to this client, as the server measures it, exceeds operator.input_timeout_s.',
  loading: 'A scenario is being loaded: ask again when it runs.',
  asked: 'The holder has been asked; it has 10 s to answer.',
  busy: 'Somebody else is already waiting for authority.',
  deadman_pressed: 'Release the deadman before handing over.',
  moving: 'The set-point still moves; wait until it rests.',
  nothing_asked: 'Nobody has asked for authority, or you do not hold it.',
  no_alarm: 'No alarm of that number is in the list.',
  too_late: 'The loop stood still when this was asked: ask again.',
  timeout: 'The loop did not answer in time.',
};
