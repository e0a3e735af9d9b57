/**
 * Loop end of a serial robot link. It polls the descriptor that the main thread opened
 * (`serial-keeper.ts`), without blocking and without an event loop. Frames are COBS blocks between
 * zeros.
 */
import { readSync, writeSync } from 'node:fs';
import type { Clock } from '../os/clock.ts';
import { CobsDecoder, MAX_ENCODED, cobsEncode } from '../protocol/cobs.ts';
import type { Link } from '../contract/link.ts';

const READ_BYTES = 4096;
/** Value in place of the descriptor of a lost line; no reads or writes happen until a new line replaces it. */
export const LINE_GONE = -1;

/** Whether the system call failed only because it would block. */
function waits(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EINTR';
}

/** Link over a serial descriptor. */
export class SerialLink implements Link {
  readonly transport = 'serial';
  receivedAt_us = 0.5;
  bytesReceived = 0;
  bytesSent = 0;
  /** Frames dropped because the line's buffer was full. */
  sendFailures = 0;
  /** The descriptor, or LINE_GONE. */
  readonly #seat: Int32Array;
  readonly #clock: Clock;
  readonly #decoder = new CobsDecoder();
  readonly #buffer = Buffer.alloc(READ_BYTES);
  readonly #encoded = Buffer.alloc(MAX_ENCODED + 1);
  #at = 0;
  #end = 0;
  /** Position in `#encoded` of the first byte not yet sent. */
  #sendAt = 0;
  #sendEnd = 0;

  /** @param seat word with the descriptor; this end writes LINE_GONE, another thread the next descriptor */
  constructor(seat: Int32Array, clock: Clock) {
    this.#seat = seat;
    this.#clock = clock;
  }

  /** Whether there is a line. The session detects the silence of the peer. */
  get connected(): boolean {
    return Atomics.load(this.#seat, 0) !== LINE_GONE;
  }

  get resyncs(): number {
    return this.#decoder.resyncs;
  }

  get oversized(): number {
    return this.#decoder.oversized;
  }

  receive(frame: Uint8Array): number {
    const decoder = this.#decoder;
    for (;;) {
      if (this.#at >= this.#end && !this.#fill()) return 0;
      this.#at = decoder.decode(this.#buffer, this.#at, this.#end);
      const length = decoder.ready;
      if (length > 0) {
        for (let i = 0; i < length; i++) frame[i] = decoder.frame[i];
        return length;
      }
    }
  }

  /** Reads the received bytes. @returns false without any */
  #fill(): boolean {
    this.#at = 0;
    this.#end = 0;
    const fd = Atomics.load(this.#seat, 0);
    if (fd === LINE_GONE) return false;
    let count = 0;
    try {
      count = readSync(fd, this.#buffer, 0, READ_BYTES, null);
    } catch (error) {
      if (!waits(error)) this.#giveUp();
      return false;
    }
    if (count <= 0) return false;
    this.#end = count;
    this.bytesReceived += count;
    this.#clock.sample();
    this.receivedAt_us = this.#clock.time_us[0];
    return true;
  }

  send(frame: Uint8Array, length: number): boolean {
    if (!this.#flush()) {
      this.sendFailures++;
      return false;
    }
    this.#sendEnd = cobsEncode(frame, length, this.#encoded);
    this.#sendAt = 0;
    this.bytesSent += this.#sendEnd;
    this.#flush();
    return true;
  }

  /** Writes the rest of the newest frame. @returns whether the line took all of it */
  #flush(): boolean {
    if (this.#sendAt >= this.#sendEnd) return true;
    const fd = Atomics.load(this.#seat, 0);
    if (fd === LINE_GONE) return false;
    try {
      this.#sendAt += writeSync(fd, this.#encoded, this.#sendAt, this.#sendEnd - this.#sendAt);
    } catch (error) {
      if (!waits(error)) this.#giveUp(); // otherwise the line is full
      return false;
    }
    return this.#sendAt >= this.#sendEnd;
  }

  /** Marks the line as lost: after a hang-up, reads return nothing and writes fail. */
  #giveUp(): void {
    this.#sendAt = this.#sendEnd;
    Atomics.store(this.#seat, 0, LINE_GONE);
  }
}
