/**
 * The link of the session, with a copy of its traffic for the tap: frames received with their arrival times, frames sent and
 * whether they were taken. `connected` is that of the top of the tick, so that a replay can give the same answer all through
 * it.
 */
import { ForwardingLink } from '../links/forwarding-link.ts';
import type { Link } from '../contract/link.ts';
import type { RecordingTap } from '../telemetry/tap.ts';

/** Link that passes its traffic to a recording tap. */
export class RecordingLink extends ForwardingLink {
  receivedAt_us = 0.5;
  readonly #tap: RecordingTap;

  constructor(inner: Link, tap: RecordingTap) {
    super(inner);
    this.#tap = tap;
    tap.line = inner;
  }

  override get connected(): boolean {
    return this.#tap.connected;
  }

  receive(frame: Uint8Array): number {
    const length = this.inner.receive(frame);
    if (length > 0) {
      this.receivedAt_us = this.inner.receivedAt_us;
      this.#tap.time_us[0] = this.receivedAt_us;
      this.#tap.frameIn(frame, length);
    }
    return length;
  }

  send(frame: Uint8Array, length: number): boolean {
    const taken = this.inner.send(frame, length);
    this.#tap.frameOut(frame, length, taken);
    return taken;
  }
}
