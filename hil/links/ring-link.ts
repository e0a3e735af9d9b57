/**
 * Loop end of a WebSocket robot link: two shared-memory rings carry frames to and from the link
 * worker. The worker is woken at most once a tick, because a wake-up costs microseconds.
 */
import { Doorbell } from '../memory/os-doorbell.ts';
import { FrameRing } from '../memory/ring.ts';
import { ControlWord } from '../memory/shared.ts';
import type { Link } from '../contract/link.ts';

/** Link over shared-memory rings. */
export class RingLink implements Link {
  readonly transport = 'websocket';
  receivedAt_us = 0.5;
  bytesReceived = 0;
  bytesSent = 0;
  readonly resyncs = 0;
  readonly oversized = 0;
  readonly #in: FrameRing;
  readonly #out: FrameRing;
  readonly #control: Int32Array;
  readonly #doorbell: Doorbell;
  #unannounced = false;

  constructor(
    fromRobot: SharedArrayBuffer,
    toRobot: SharedArrayBuffer,
    control: SharedArrayBuffer,
  ) {
    this.#in = new FrameRing(fromRobot);
    this.#out = new FrameRing(toRobot);
    this.#control = new Int32Array(control);
    this.#doorbell = new Doorbell(this.#control, this.#out.header);
  }

  get connected(): boolean {
    return Atomics.load(this.#control, ControlWord.ROBOT_CONNECTED) > 0;
  }

  receive(frame: Uint8Array): number {
    const length = this.#in.pop(frame);
    if (length > 0) {
      this.receivedAt_us = this.#in.time_us;
      this.bytesReceived += length;
    }
    return length;
  }

  send(frame: Uint8Array, length: number): boolean {
    if (Atomics.load(this.#control, ControlWord.ROBOT_CONNECTED) === 0) return false;
    if (!this.#out.push(frame, length, 0)) return false;
    this.bytesSent += length;
    this.#unannounced = true;
    return true;
  }

  /** Wakes the link worker when frames wait. Call it once a tick. */
  announce(): void {
    if (!this.#unannounced) return;
    this.#unannounced = false;
    this.#doorbell.ring();
  }
}
