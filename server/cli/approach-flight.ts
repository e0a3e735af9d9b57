/**
 * The approach: down in vernier gear until the accommodation settles on its plateau, stay, retreat.
 *
 * At rest on a surface the accommodation law gives |F| = gain × commanded speed + dead-band (Gonthier 2007, 5.1.4).
 */
import type { OperatorClient } from '../client/node.ts';
import { Flight, force_N, isActive } from './flight.ts';

/** The force counts as settled within this share of the plateau, for this long. */
const PLATEAU_SHARE = 0.1;
const SETTLE_S = 0.5;
const APPROACH_TIMEOUT_S = 30;
const RETREAT_S = 2;

/** Approach to a surface, contact and retreat. */
export class ApproachFlight extends Flight {
  readonly #expected_N: number | null;

  constructor(client: OperatorClient, signal: AbortSignal) {
    super(client, signal);
    const { tool, operator } = client.welcome;
    const speed_mps = operator.coarse_speed_mps * operator.vernier_ratio;
    this.#expected_N =
      tool === null ? null : tool.force_gain_Ns_per_m * speed_mps + tool.force_deadband_N;
    console.log(
      `fly: ${client.welcome.scenario}, ${client.welcome.mode} mode, approach at ` +
        `${(speed_mps * 1000).toFixed(2)} mm/s` +
        (this.#expected_N === null ? '' : `, plateau expected at ${this.#expected_N.toFixed(1)} N`),
    );
  }

  protected async task(hold_s: number): Promise<string | null> {
    console.log('fly: armed, going down');
    const cut = (await this.#approach()) ?? (await this.hold(hold_s));
    if (cut !== null || this.signal.aborted) return cut;
    console.log('fly: retreating');
    this.client.hand.axes[2] = 1;
    await this.pause(RETREAT_S);
    return null;
  }

  /** Down until the force has settled. */
  async #approach(): Promise<string | null> {
    this.client.hand.axes[2] = -1;
    let settledSince_ms: number | null = null;
    let touched = false;
    const settled = await this.client.waitFor(
      (status) => {
        if (!isActive(status)) return true;
        const force = force_N(status);
        if (!touched && status.state === 'ACTIVE_CONTACT') {
          touched = true;
          console.log(`fly: contact, ${force.toFixed(1)} N`);
        }
        const target = this.#expected_N ?? force;
        const near = force > 1 && Math.abs(force - target) <= PLATEAU_SHARE * target;
        if (!near) settledSince_ms = null;
        else settledSince_ms ??= performance.now();
        return settledSince_ms !== null && performance.now() - settledSince_ms >= SETTLE_S * 1000;
      },
      APPROACH_TIMEOUT_S,
      this.signal,
    );
    if (settled === null) {
      return this.client.closed
        ? 'The connection to the service is lost.'
        : 'The plateau was not reached in time.';
    }
    if (!isActive(settled)) return this.describe(settled);
    const depth_um = (settled.contact?.penetration_m ?? 0) * 1e6;
    console.log(`fly: plateau, ${force_N(settled).toFixed(2)} N, ${depth_um.toFixed(2)} µm deep`);
    this.reached = true;
    return null;
  }
}
