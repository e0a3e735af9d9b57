/** Client of the telemetry socket: named topics at a rate of at most 100 Hz, newest only. */
import { Listeners, type Unsubscribe } from './listeners.ts';
import type { Ack, Telemetry, Topic } from './messages.ts';
import { type CloseReason, type ConnectOptions, Wire } from './wire.ts';

/** Events of a telemetry client and their content. */
export interface TelemetryEvents {
  telemetry: Telemetry;
  close: CloseReason;
}

export class TelemetryClient {
  readonly #wire: Wire;
  readonly #listeners = new Listeners<TelemetryEvents>();

  private constructor(wire: Wire) {
    this.#wire = wire;
    wire.onMessage = (message) => {
      if (message.type === 'telemetry') {
        this.#listeners.emit('telemetry', message as unknown as Telemetry);
      }
    };
    wire.onClose = (reason) => this.#listeners.emit('close', reason);
  }

  /**
   * Gets a ticket and opens the socket. @throws ConnectError with the message of the server and the
   * HTTP status of a refusal
   */
  static async connect(options: ConnectOptions): Promise<TelemetryClient> {
    return new TelemetryClient(await Wire.open('telemetry', options));
  }

  get closed(): boolean {
    return this.#wire.closed !== null;
  }

  get closeReason(): CloseReason | null {
    return this.#wire.closed;
  }

  on<Name extends keyof TelemetryEvents>(
    event: Name,
    listener: (value: TelemetryEvents[Name]) => void,
  ): Unsubscribe {
    return this.#listeners.on(event, listener);
  }

  /** Subscribes to these topics in place of those before. @param hz messages a second, at most 100 */
  async subscribe(topics: readonly Topic[], hz: number): Promise<Ack> {
    return (await this.#wire.ask({ type: 'subscribe', topics, hz })) as unknown as Ack;
  }

  close(): void {
    this.#wire.close();
  }
}
