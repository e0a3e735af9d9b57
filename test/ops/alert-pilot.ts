/** A pilot that presses the tool down, or lifts it, until told otherwise, and recovers after every hold and fault. */
import { Flight } from '../../server/cli/flight.ts';
import { OperatorClient } from '../../server/client/node.ts';
import { eventually } from './prometheus.ts';

class Press extends Flight {
  /** −1 down, 1 up. */
  direction = -1;

  protected async task(): Promise<string | null> {
    for (;;) {
      this.client.hand.axes[2] = this.direction;
      const cut = await this.hold(0.1);
      if (cut !== null || this.signal.aborted || this.client.closed) return cut;
    }
  }
}

/** Pilot that presses the tool down or lifts it. */
export class AlertPilot {
  readonly #abort = new AbortController();
  readonly #client: OperatorClient;
  readonly #flight: Press;
  readonly #flying: Promise<void>;
  readonly #cuts: string[] = [];

  private constructor(client: OperatorClient) {
    this.#client = client;
    this.#flight = new Press(client, this.#abort.signal);
    this.#flying = this.#fly();
  }

  /** Begin to press. */
  static async start(host: string): Promise<AlertPilot> {
    const options = { url: `http://${host}`, key: '', name: 'alerts' };
    // a stalled machine may let the first answer be late
    const client = await eventually('the operator socket answers', () =>
      OperatorClient.connect(options).catch(() => undefined),
    );
    client.startInputs();
    return new AlertPilot(client);
  }

  press(): void {
    this.#flight.direction = -1;
  }

  lift(): void {
    this.#flight.direction = 1;
  }

  /** State of the loop. */
  get state(): string {
    return this.#client.status?.state ?? '';
  }

  /** What ended the newest flights, and whether the socket is still there. */
  get story(): string {
    return `${this.#client.closed ? 'socket closed' : this.state}; ${this.#cuts.slice(-8).join(' ')}`;
  }

  async end(): Promise<void> {
    this.#abort.abort();
    await this.#flying;
    this.#client.close();
  }

  async #fly(): Promise<void> {
    while (!this.#abort.signal.aborted && !this.#client.closed) {
      this.#cuts.push((await this.#flight.once(Infinity)) ?? '');
      if (this.#client.closed) return;
      await this.#flight.recover();
    }
  }
}
