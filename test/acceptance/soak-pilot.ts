/**
 * The pilot of the soak test, a process of its own: takes the arm and touches about every two seconds, up, down, a while in
 * contact. After a hold or fault it recovers as an operator would and goes on. Told the address; SIGTERM or the end of its input ends it.
 */
import { OperatorClient } from '../../server/client/node.ts';
import { Flight, isActive } from '../../server/cli/flight.ts';

/** Half of the stick, coarse gear: 9.5 mm/s, a plateau of 105 N on the half-sphere, an impact of 200 N: well above the noise of 1 N. */
const DEFLECTION = 0.5;
/** With a status every 100 ms a contact about every two seconds. */
const PRESS_S = 0.7;
const RISE_S = 0.5;
/** Longer than any way down or stall takes. */
const PATIENCE_S = 30;
const AGAIN_MS = 2000;

class Tapping extends Flight {
  protected async task(): Promise<string | null> {
    const { axes } = this.client.hand;
    this.client.hand.gear = 'coarse';
    while (!this.signal.aborted) {
      // up first: where a hold or a stop ended the flight before, the tool may still press
      axes[2] = DEFLECTION;
      const up = (await this.#until('ACTIVE_FREE')) ?? (await this.hold(RISE_S));
      if (up !== null) return up;
      axes[2] = -DEFLECTION;
      const down = (await this.#until('ACTIVE_CONTACT')) ?? (await this.hold(PRESS_S));
      if (down !== null) return down;
    }
    return null;
  }

  /** @returns a reason when the arm is not flown any more */
  async #until(state: string): Promise<string | null> {
    const found = (name: string): boolean => name === state;
    const status = await this.client.waitFor(
      (s) => found(s.state) || !isActive(s),
      PATIENCE_S,
      this.signal,
    );
    if (status !== null && !isActive(status)) return this.describe(status);
    return status === null && !this.signal.aborted ? `No ${state} in ${PATIENCE_S} s.` : null;
  }
}

const url = process.argv[2];
const abort = new AbortController();
process.once('SIGTERM', () => abort.abort());
process.stdin.resume().once('end', () => process.exit(0)); // the soak was killed
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

while (!abort.signal.aborted) {
  const client = await OperatorClient.connect({ url, name: 'soak pilot' }).catch(() => null);
  if (client === null) {
    await wait(AGAIN_MS);
    continue;
  }
  client.startInputs();
  const flight = new Tapping(client, abort.signal);
  while (!abort.signal.aborted && !client.closed) {
    const reason = await flight.once(0);
    if (reason === null) break;
    console.log(reason);
    if (!(await flight.recover())) await wait(AGAIN_MS);
  }
  await flight.end();
  client.close();
}
process.exit(0);
