/** The insertion over the operator socket: an insertion script between the 10 Hz status and the sticks. */
import type { OperatorClient, Status, Welcome } from '../client/node.ts';
import { Flight, isActive } from './flight.ts';
import { InsertionScript, type InsertionView } from './insertion-script.ts';

/** Longer than every phase of the script together. */
const LONGEST_S = 300;

function viewOf(status: Status): InsertionView {
  return {
    time_s: status.sim_time_s ?? 0,
    position_m: status.measured?.position_m ?? [0, 0, 0],
    orientation: status.measured?.orientation ?? [0, 0, 0, 1],
    force_N: status.tool_force_N ?? [0, 0, 0],
    pairs: status.contact?.pairs ?? 0,
  };
}

/** Insertion of a payload over the operator socket. */
export class InsertionFlight extends Flight {
  readonly #welcome: Welcome;
  /** One jam in each insertion: after an interruption there is no second one. */
  #careless = true;

  constructor(client: OperatorClient, signal: AbortSignal) {
    super(client, signal);
    this.#welcome = client.welcome;
    console.log(`fly: ${this.#welcome.scenario}, ${this.#welcome.mode} mode, insertion`);
  }

  protected async task(hold_s: number): Promise<string | null> {
    const { insertion, tool, operator } = this.#welcome;
    if (insertion === null || tool === null) return 'The scenario inserts nothing.';
    const script = new InsertionScript(insertion, tool, operator, hold_s, this.#careless);
    this.client.hand.gear = 'coarse';
    console.log('fly: armed, going in');
    const last = await this.client.waitFor(
      (status) => {
        if (!isActive(status)) return true;
        script.step(viewOf(status));
        this.#careless = script.careless || script.phase === 'retreat' || script.phase === 'out';
        for (const words of script.words.splice(0)) console.log(`fly: ${words}`);
        script.axes.forEach((value, axis) => (this.client.hand.axes[axis] = value));
        if (script.phase === 'seated') this.reached = true;
        return script.phase === 'out' || script.phase === 'failed';
      },
      LONGEST_S + hold_s,
      this.signal,
    );
    if (this.signal.aborted) return null;
    if (last === null) {
      return this.client.closed
        ? 'The connection to the service is lost.'
        : 'The insertion took too long.';
    }
    if (!isActive(last)) return this.describe(last);
    return script.phase === 'failed' ? 'The insertion made no progress.' : null;
  }
}
