/**
 * Consistent Overhead Byte Stuffing (Cheshire & Baker 1999): a frame becomes bytes without zero, ended by one zero. At most
 * one byte in 254 is added, and a receiver finds the next frame at the next zero whatever was lost before.
 */
import { MAX_FRAME } from './layout.ts';

/** Longest encoded frame with its delimiter. */
export const MAX_ENCODED: number = MAX_FRAME + Math.ceil(MAX_FRAME / 254) + 1;

/**
 * Encode the first `length` bytes into `out`, with the delimiter.
 * @returns bytes written; 0 when the frame is empty or longer than `MAX_FRAME`
 * @alloc none
 */
export function cobsEncode(frame: Uint8Array, length: number, out: Uint8Array): number {
  if (length <= 0 || length > MAX_FRAME) return 0;
  let codeAt = 0;
  let code = 1;
  let at = 1;
  for (let i = 0; i < length; i++) {
    const byte = frame[i];
    if (byte === 0) {
      out[codeAt] = code;
      codeAt = at++;
      code = 1;
      continue;
    }
    out[at++] = byte;
    code++;
    // A full block of 254 implies no zero; at the very end of the frame no further block is opened.
    if (code === 255 && i + 1 < length) {
      out[codeAt] = code;
      codeAt = at++;
      code = 1;
    }
  }
  out[codeAt] = code;
  out[at++] = 0;
  return at;
}

/**
 * Decoder of a byte stream. Memory is one frame, whatever arrives. An unfinished frame is waited for, never counted; a frame
 * broken by its delimiter counts as malformed, a frame past `MAX_FRAME` as oversized, once each.
 */
export class CobsDecoder {
  /** The newest complete frame, from offset 0. */
  readonly frame: Uint8Array = new Uint8Array(MAX_FRAME);
  /** Length of the frame completed by the last `decode`, 0 when none was. */
  ready = 0;
  oversized = 0;
  malformed = 0;
  /** Delimiters at which decoding started again after an error. */
  resyncs = 0;
  private length = 0;
  /** Data bytes left in the block. */
  private left = 0;
  /** The zero that ends the present block, written only if another block follows. */
  private zeroDue = false;
  private started = false;
  private skipping = false;

  /**
   * Consume bytes [from, to) up to the end of the first complete frame.
   * @returns index of the next byte to give; `ready`: a frame is in `frame`
   * @alloc none
   */
  decode(bytes: Uint8Array, from: number, to: number): number {
    this.ready = 0;
    for (let i = from; i < to; i++) {
      const byte = bytes[i];
      if (byte === 0) {
        if (this.finish()) return i + 1;
      } else if (!this.skipping) {
        if (this.left > 0) {
          this.left--;
          this.put(byte);
        } else {
          if (this.started && this.zeroDue) this.put(0);
          this.started = true;
          this.left = byte - 1;
          this.zeroDue = byte < 255;
        }
      }
    }
    return to;
  }

  /** Forget the frame in progress (the line was reopened). */
  reset(): void {
    this.length = 0;
    this.left = 0;
    this.zeroDue = false;
    this.started = false;
    this.skipping = false;
  }

  private finish(): boolean {
    const whole = this.started && !this.skipping && this.left === 0;
    if (this.skipping) this.resyncs++;
    else if (this.started && this.left > 0) {
      this.malformed++;
      this.resyncs++;
    }
    const length = this.length;
    this.reset();
    if (!whole || length === 0) return false;
    this.ready = length;
    return true;
  }

  private put(byte: number): void {
    if (this.length === MAX_FRAME) {
      this.oversized++;
      this.skipping = true;
      return;
    }
    this.frame[this.length++] = byte;
  }
}
