/**
 * What every scripted flight does: get the arm, press the deadman, let go, recover. What it flies is its `task`.
 */
import { RobotSafety } from '../../hil/contract/codes.ts';
import type { OperatorClient, Status } from '../client/node.ts';

const READY_TIMEOUT_S = 30;
/** Slow enough for a neutral reading and a clear edge of the deadman at 100 Hz. */
const RELEASE_S = 0.3;
/** Causes that only a person may undo. */
const BY_PERSON = ['OPERATOR_STOP', 'OPERATOR_HOLD', 'ROBOT_EMERGENCY_STOP'];

/** Why a robot that is not the emulated one is left alone. */
export const OTHER_ROBOT =
  'The robot that is connected is not the emulated robot of this service; it is not flown. Disconnect it, and start the flight again.';

/** What the audit log has of it. */
const CLEAR_REASON = 'scripted flight goes on after a fault that no person caused';

/** Length of a vector. */
export const norm = (v: readonly number[]): number =>
  Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
/** Force on the tool in a status, N. */
export const force_N = (status: Status): number => norm(status.tool_force_N ?? []);
/** Whether the arm is being flown. */
export const isActive = (status: Status): boolean => status.state.startsWith('ACTIVE');

/** One scripted pilot. */
export abstract class Flight {
  protected readonly client: OperatorClient;
  protected readonly signal: AbortSignal;
  /** Fly the service's own emulated robot and no other. */
  emulatedOnly = false;
  /** Whether the flight came to what it is for. */
  reached = false;

  constructor(client: OperatorClient, signal: AbortSignal) {
    this.client = client;
    this.signal = signal;
  }

  /** What is flown once the arm follows. @returns a reason when it was cut short */
  protected abstract task(hold_s: number): Promise<string | null>;

  /**
   * Whether another robot has the place of the emulated one. A session that changes always leaves ACTIVE, and a new one takes a
   * second and more to MONITOR_READY. So the status, ten times a second, cannot miss it before an ARM.
   */
  isOtherRobotConnected(): boolean {
    const link = this.client.status?.link;
    return this.emulatedOnly && link?.up === true && !link.robot_emulated;
  }

  /** One flight. @returns a reason when it was cut short. */
  async once(hold_s: number): Promise<string | null> {
    return (await this.#arm()) ?? (await this.task(hold_s));
  }

  /** Sticks centred, deadman released. */
  #release(): void {
    this.client.hand.axes.fill(0);
    this.client.hand.deadman = false;
    this.client.sendInput();
  }

  protected async pause(seconds: number): Promise<void> {
    await this.client.waitFor(() => false, seconds, this.signal);
  }

  /** Get to ACTIVE with the deadman pressed. @returns a reason when it did not work. */
  async #arm(): Promise<string | null> {
    const client = this.client;
    // a flight that follows another one keeps the arm
    if (client.hand.deadman && client.status !== null && isActive(client.status)) return null;
    if (this.isOtherRobotConnected()) return OTHER_ROBOT;
    this.#release();
    const authority = await client.request('authority.request');
    if (!authority.ok) return authority.message;
    await this.pause(RELEASE_S);
    const held = client.status?.state === 'HOLD';
    if (!held) {
      const ready = (s: Status): boolean => s.state === 'MONITOR_READY' || s.state === 'FAULT';
      const status = await client.waitFor(ready, READY_TIMEOUT_S, this.signal);
      if (status === null) {
        return `The loop did not become ready: ${client.status?.arm_blockers.join(' ') ?? ''}`;
      }
      if (this.isOtherRobotConnected()) return OTHER_ROBOT;
      if (status.state === 'FAULT') return `A fault is latched: ${status.faults.join(', ')}.`;
    }
    client.hand.deadman = true;
    client.sendInput();
    await this.pause(0.05);
    let answer = await client.request(held ? 'resume' : 'arm');
    if (answer.code === 'permit_needed' || client.status?.holds.includes('PERMIT_LOST') === true) {
      await this.#acknowledgePermit();
      answer = await client.request(held ? 'resume' : 'arm');
    }
    // a hold for the deadman alone ends when it is pressed again, which may be before it is asked for
    const active = await client.waitFor(isActive, answer.ok ? 3 : 0.3, this.signal);
    if (active === null && !answer.ok) return answer.message;
    return active === null
      ? `Arming did not finish (${client.status?.state ?? 'no status'}).`
      : null;
  }

  /** A scripted flight acknowledges the contact as it is predicted. */
  async #acknowledgePermit(): Promise<void> {
    const { loop_energy: energy, energy_limits: limits } = this.client.status ?? {};
    const figure = (value: number | null | undefined): string => value?.toFixed(2) ?? 'not known';
    const delay_s = energy?.delay.total_s;
    const delay = typeof delay_s === 'number' ? `${(delay_s * 1e3).toFixed(1)} ms` : 'not known';
    console.log(
      `fly: contact permit acknowledged, because a limit is not kept: delay ${delay}, ` +
        `restitution ${figure(energy?.prediction.restitution_active)} of at most ${figure(limits?.restitution)}, ` +
        `margin ${figure(energy?.prediction.stability_margin_active)} of at least ${figure(limits?.stability_margin)}`,
    );
    await this.client.request('permit.acknowledge');
  }

  /** The state that ended a flight, and why. */
  protected describe(status: Status): string {
    const causes = [...new Set([...status.faults, ...status.holds])].join(', ');
    return `The loop went to ${status.state}${causes === '' ? '' : ` (${causes})`}.`;
  }

  /** Keep the sticks as they are. @returns a reason when it was cut short */
  protected async hold(seconds: number): Promise<string | null> {
    const left = await this.client.waitFor((s) => !isActive(s), seconds, this.signal);
    return left === null ? null : this.describe(left);
  }

  /** Let go of everything; HOLD keeps the arm where it is. */
  async end(): Promise<void> {
    if (this.client.closed) return;
    this.#release();
    await this.client.request('hold');
    await this.client.request('authority.release');
  }

  /**
   * After a hold or fault: let go, clear what is latched.
   * @returns false when a person stopped it: that is theirs to clear.
   */
  async recover(): Promise<boolean> {
    this.#release();
    await this.pause(1);
    const { status } = this.client;
    if (status === null) return true;
    if (this.isOtherRobotConnected()) return false;
    const { state, faults, holds, link } = status;
    if ([...faults, ...holds].some((cause) => BY_PERSON.includes(cause))) return false;
    // also for a robot that is still stopped because the CLEAR before was lost on its way
    const stopped = state === 'MONITOR_WAIT' && link?.robot_safety === RobotSafety.PROTECTIVE;
    if (state === 'FAULT' || stopped) await this.client.clear(CLEAR_REASON);
    return state !== 'ESTOP';
  }
}
