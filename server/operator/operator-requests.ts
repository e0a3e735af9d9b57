/** Requests of the operator socket: the role for each, the command to the loop, and the answers in words. */
import {
  ANSWERS,
  COMMAND_LIST,
  type Command,
  CommandKind,
  type CommandName,
  type COMMANDS,
} from '../../hil/contract/commands.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import type { AlarmList } from '../alarms/alarms.ts';
import type { AuditSink } from '../audit/audit-sink.ts';
import { roleAtLeast } from '../../hil/contract/roles.ts';
import type { AuthorityKeeper } from './authority.ts';
import type { ClientMessage } from '../contract/client-messages.ts';
import type { OperatorSession } from './operator-session.ts';
import { type ArmMotion, armMotion, hasLatchedFault, makeRow } from '../status/status.ts';

/** What is answered by `ack`. */
export type OperatorRequest = Exclude<
  ClientMessage,
  { type: 'hello' | 'input' | 'sync' | 'challenge.answer' | 'scenario.load' }
>;

const NOTHING_MOVES: ArmMotion = { deadman: false, engaged: false, moving: false };

type MessageOf<Type extends ClientMessage['type']> = Extract<ClientMessage, { type: Type }>;
/** Commands by their messages. */
type ByMessage = {
  readonly [Name in CommandName as NonNullable<(typeof COMMANDS)[Name]['message']>]: Omit<
    Command,
    'encode'
  > &
    Pick<(typeof COMMANDS)[Name], 'encode'>;
};
type CommandType = keyof ByMessage;
/** The encoder of a command takes what the schema of its message lets through: the compiler compares them. */
const BY_MESSAGE: {
  readonly [Type in CommandType]: Omit<Command, 'encode'> & {
    readonly encode: (fields: MessageOf<Type>) => readonly number[];
  };
} = Object.fromEntries(
  COMMAND_LIST.flatMap((command) => (command.message === null ? [] : [[command.message, command]])),
) as unknown as ByMessage;

const isCommand = (message: OperatorRequest): message is MessageOf<CommandType> =>
  Object.hasOwn(BY_MESSAGE, message.type);

/** Arguments of a message as the loop takes them. */
const argumentsOf = <Type extends CommandType>(
  type: Type,
  message: MessageOf<Type>,
): readonly number[] => BY_MESSAGE[type].encode(message);

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
    if (isCommand(message)) return this.#command(client, message, now_s);
    const keeper = this.#keeper;
    switch (message.type) {
      case 'authority.request':
        return this.#ifTimely(client, now_s, () =>
          this.#requestAuthority(client, message.take_over === true, now_s),
        );
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

  /** Checks by the command table, then the answer of the loop. */
  #command(
    client: OperatorSession,
    message: MessageOf<CommandType>,
    now_s: number,
  ): Promise<string> | string {
    const { kind, role, begins } = BY_MESSAGE[message.type];
    const mine = this.#keeper.holder === client.session;
    if (!mine && (role === null || !roleAtLeast(client.role, role))) return 'no_authority';
    const ask = (): Promise<string> | string =>
      message.type === 'clear'
        ? requestClear(this.#runtime, message.reason)
        : this.#runtime.request(kind, ...argumentsOf(message.type, message));
    return begins ? this.#ifTimely(client, now_s, ask) : ask();
  }

  /**
   * What leads to motion: a client whose delay is not known, or too long, cannot release the deadman in time.
   */
  #ifTimely(
    client: OperatorSession,
    now_s: number,
    ask: () => Promise<string> | string,
  ): Promise<string> | string {
    const verdict = client.gate.challenges.judge(now_s, this.#inputTimeout_s);
    return verdict === 'ok' ? ask() : verdict;
  }

  #requestAuthority(client: OperatorSession, takeOver: boolean, now_s: number): string {
    if (takeOver && this.#keeper.holder !== 0) {
      return this.#keeper.takeOver(client.session, client.role, now_s, this.#motion());
    }
    const answer = this.#keeper.request(client.session, now_s);
    return answer === 'granted' || answer === 'holder' ? 'ok' : answer;
  }

  /** Why this client may not load a scenario now; 'ok' when it may. */
  mayLoad(client: OperatorSession): string {
    if (this.#keeper.holder !== client.session) return 'no_authority';
    return this.#motion().moving ? 'moving' : 'ok';
  }

  #motion(): ArmMotion {
    return this.#runtime.readNewest(this.#row) ? armMotion(this.#row) : NOTHING_MOVES;
  }
}

/** Reasons in words: those of the loop, and the server's own. */
export const SENTENCES: Readonly<Record<string, string>> = {
  ...ANSWERS,
  reason_needed: 'A fault is latched: give the "reason" for clearing it, 1 to 200 characters.',
  delay_unknown:
    'The server has not measured the delay of this client, which answers no challenge: it may watch and stop (docs/api.md).',
  delay_too_long:
    'The round trip to this client, as the server measures it, exceeds operator.input_timeout_s.',
  loading: 'A scenario is being loaded: ask again when it runs.',
  asked: 'The holder has been asked; it has 10 s to answer.',
  busy: 'Somebody else is already waiting for authority.',
  deadman_pressed: 'Release the deadman before handing over.',
  nothing_asked: 'Nobody has asked for authority, or you do not hold it.',
  no_alarm: 'No alarm of that number is in the list.',
  timeout: 'The loop did not answer in time.',
};
