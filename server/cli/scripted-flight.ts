/** A flight out of a file over the operator socket: a script between the 10 Hz status and the sticks. */
import { FMA_RAMP_s } from '../../src/control/fma.ts';
import type { FlightPlan } from '../../config/flight.ts';
import type { OperatorClient, Status } from '../client/node.ts';
import { Flight, isActive } from './flight.ts';
import { checkPlan, FlightScript, type FlightView } from './flight-script.ts';

/** Longest wait for one status in ACTIVE, s: they come ten times a second. */
const SILENCE_S = 30;
/** Until a change of the accommodation is whole, and a status has said so. */
const SETTING_S = FMA_RAMP_s + 0.2;

function viewOf(status: Status): FlightView {
  const wrench = status.mode === 'hardware' ? status.wrench?.measured : status.wrench?.model;
  return {
    time_s: status.sim_time_s ?? 0,
    position_m: status.measured?.position_m ?? [0, 0, 0],
    orientation: status.measured?.orientation ?? [0, 0, 0, 1],
    force_N: status.tool_force_N ?? [0, 0, 0],
    moment_Nm: wrench?.slice(3) ?? [0, 0, 0],
    contact: status.state === 'ACTIVE_CONTACT',
    pairs: status.contact?.pairs ?? 0,
  };
}

/** A scripted flight over the operator socket. */
export class ScriptedFlight extends Flight {
  readonly #plan: FlightPlan;
  readonly #hold_s: number | null;
  /** Steps that are flown once in each flight: after an interruption they are passed over. */
  readonly #flown = new Set<string>();
  /** What accommodated before the first flight that changes it. */
  #axesBefore: FlightPlan['accommodates'] = null;

  /**
   * @param hold_s - time of the step with `goal`, in place of its own; null leaves that
   * @throws BerthError for a plan that this service cannot fly
   */
  constructor(
    client: OperatorClient,
    signal: AbortSignal,
    plan: FlightPlan,
    hold_s: number | null,
  ) {
    super(client, signal);
    this.#plan = plan;
    this.#hold_s = hold_s;
    const { scenario, mode } = client.welcome;
    checkPlan(plan, scenario, client.welcome);
    console.log(`fly: ${scenario}, ${mode} mode, ${plan.name}`);
  }

  protected async task(): Promise<string | null> {
    const { accommodates } = this.#plan;
    if (accommodates === null) return this.#fly();
    // of a flight that is repeated the first one: the status may still have what was set for it
    const before = (this.#axesBefore ??= this.client.status?.accommodation?.axes ?? null);
    if (before === null) return 'the loop has not said which axes accommodate';
    const set = await this.client.request('fma.set', { axes: accommodates });
    if (!set.ok) return set.message;
    await this.pause(SETTING_S);
    try {
      return await this.#fly();
    } finally {
      if (!this.client.closed) {
        const back = await this.client.request('fma.set', { axes: before });
        if (!back.ok) console.error(`fly: the accommodation was not set back: ${back.message}`);
      }
    }
  }

  async #fly(): Promise<string | null> {
    const { client } = this;
    const script = new FlightScript(this.#plan, client.welcome, this.#hold_s, this.#flown);
    client.hand.gear = 'coarse';
    console.log('fly: armed');
    let seen_ms = performance.now();
    while (true) {
      const last = await client.waitFor(
        (status) => {
          if (!isActive(status)) return true;
          seen_ms = performance.now();
          script.read(viewOf(status));
          for (const words of script.words.splice(0)) console.log(`fly: ${words}`);
          script.axes.forEach((value, axis) => (client.hand.axes[axis] = value));
          if (script.reached) this.reached = true;
          // what ends the motion goes out at once
          if (script.failure !== null) client.sendInput();
          return script.ended || script.failure !== null;
        },
        SILENCE_S,
        this.signal,
      );
      if (this.signal.aborted) return null;
      if (last !== null) return isActive(last) ? script.failure : this.describe(last);
      if (client.closed) return 'The connection to the service is lost.';
      if (performance.now() - seen_ms > SILENCE_S * 1000)
        return 'No status comes from the service.';
    }
  }
}
