/**
 * Surroundings of a replayed tick: a clock with the recorded times, a link that delivers the
 * received frames and accepts or refuses sent ones as recorded, and the recorded nonces.
 */
import type { Clock } from '../os/clock.ts';
import type { Link } from '../contract/link.ts';
import { FrameType } from '../protocol/frames.ts';
import type { NonceSource } from '../protocol/nonce.ts';

/** A recorded frame. */
export interface RecordedFrame {
  readonly time_us: number;
  readonly bytes: Uint8Array;
}

/** Clock that stands still within a replayed tick. The only recorded time it gives is that of sending the set-point. */
export class ReplayClock implements Clock {
  release_us = 0.5;
  readonly time_us: Float64Array = new Float64Array(1);
  readonly shift_us: Float64Array = new Float64Array(1);

  /** Leaves the time unchanged. */
  sample(): void {
    /** the replay sets the time once per tick */
  }

  now_us(): number {
    return this.time_us[0];
  }

  waitForRelease(): void {
    throw new Error('A replayed tick waits for nothing');
  }
}

/** Nonces that the session drew in a tick, in order. */
export class ReplayNonces implements NonceSource {
  /** Number of nonces drawn in this tick. */
  drawn = 0;
  #recorded: readonly Float64Array[] = [];

  /** Starts a tick. */
  begin(recorded: readonly Float64Array[]): void {
    this.#recorded = recorded;
    this.drawn = 0;
  }

  draw(out: Uint32Array): void {
    const nonce = this.#recorded.at(this.drawn++);
    out[0] = nonce?.[0] ?? 1;
    out[1] = nonce?.[1] ?? 0;
  }
}

const FRAME_NAMES = new Map<number, string>(
  Object.entries(FrameType).map(([name, type]) => [type, name]),
);

const frameName = (bytes: Uint8Array): string => FRAME_NAMES.get(bytes[1]) ?? 'unknown';
const hex = (byte: number): string => `0x${byte.toString(16).padStart(2, '0')}`;

/** Difference between a sent frame and the recorded one. */
export interface FrameDifference {
  readonly what: string;
  readonly recorded: string;
  readonly replayed: string;
}

/** Link, clock and nonces of a replayed tick. */
export class ReplayLink implements Link {
  readonly transport = 'replay';
  receivedAt_us = 0.5;
  connected = false;
  readonly bytesReceived = 0;
  readonly bytesSent = 0;
  readonly resyncs = 0;
  readonly oversized = 0;
  /** Number of equal frames in all ticks. */
  equal = 0;
  /** First difference of this tick. */
  difference: FrameDifference | null = null;
  #in: readonly RecordedFrame[] = [];
  #out: readonly RecordedFrame[] = [];
  #refused = 0;
  #received = 0;
  #sent = 0;

  /** Starts a tick. `refused` has bit n set when the link refused frame n. */
  begin(
    received: readonly RecordedFrame[],
    sent: readonly RecordedFrame[],
    connected: boolean,
    refused: number,
  ): void {
    this.#in = received;
    this.#out = sent;
    this.connected = connected;
    this.#refused = refused;
    this.#received = 0;
    this.#sent = 0;
    this.difference = null;
  }

  /** Ends a tick and checks that all recorded frames were received and sent again. */
  end(): void {
    if (this.difference !== null) return;
    const [got, had] = [this.#sent, this.#out.length];
    if (got < had) this.#note('frames sent', String(had), String(got));
    else if (this.#received < this.#in.length) {
      this.#note('frames received', String(this.#in.length), String(this.#received));
    }
  }

  receive(frame: Uint8Array): number {
    const next = this.#in.at(this.#received);
    if (next === undefined) return 0;
    this.#received++;
    frame.set(next.bytes);
    this.receivedAt_us = next.time_us;
    return next.bytes.length;
  }

  send(frame: Uint8Array, length: number): boolean {
    const n = this.#sent++;
    this.#compare(n, frame, length);
    return Math.floor(this.#refused / 2 ** n) % 2 === 0;
  }

  #compare(n: number, frame: Uint8Array, length: number): void {
    const recorded = this.#out.at(n)?.bytes;
    if (recorded === undefined) {
      this.#note(`frame ${n}`, 'none', frameName(frame));
      return;
    }
    const what = `frame ${n} (${frameName(recorded)})`;
    if (recorded.length !== length) {
      this.#note(`${what}, bytes`, String(recorded.length), String(length));
      return;
    }
    let i = 0;
    while (i < length && recorded[i] === frame[i]) i++;
    if (i === length) this.equal++;
    else this.#note(`${what}, byte ${i}`, hex(recorded[i]), hex(frame[i]));
  }

  #note(what: string, recorded: string, replayed: string): void {
    this.difference ??= { what, recorded, replayed };
  }
}
