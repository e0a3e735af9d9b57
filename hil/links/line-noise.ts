/**
 * Bit errors as a serial line makes them, on whatever link: a frame goes through its COBS encoding, bits of that are flipped with
 * a fixed chance, and a decoder finds the frames that are left. A delimiter that is hit joins two frames, a byte that becomes
 * zero cuts one.
 */
import { Random } from '../../src/math/random.ts';
import { CobsDecoder, MAX_ENCODED, cobsEncode } from '../protocol/cobs.ts';
import { log } from '../../src/math/elementary/logarithm.ts';

/** Bit errors of a serial line. */
export class LineNoise {
  readonly decoder: CobsDecoder = new CobsDecoder();
  readonly #random: Random;
  readonly #line = new Uint8Array(MAX_ENCODED + 1);
  /** Bits until the next error, −1 when nothing was on the line yet. */
  readonly next = Float64Array.of(-1);
  #at = 0;
  #end = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Put a frame on the line; what `take` has not fetched of the one before is gone. `ratio[at]`: chance of a bit, below 1. */
  put(frame: Uint8Array, length: number, ratio: Float64Array, at: number): void {
    const line = this.#line;
    this.#at = 0;
    this.#end = cobsEncode(frame, length, line);
    const bits = this.#end * 8;
    const next = this.next;
    if (next[0] < 0) this.#draw(ratio[at]);
    while (next[0] < bits) {
      const bit = next[0];
      line[bit >> 3] ^= 1 << (bit & 7);
      next[0] = 0;
      this.#draw(ratio[at]);
      next[0] += bit + 1;
    }
    next[0] -= bits;
  }

  /** Next frame that the decoder finds, in `decoder.frame`. @returns its length, 0 when there is none */
  take(): number {
    const { decoder } = this;
    while (this.#at < this.#end) {
      this.#at = decoder.decode(this.#line, this.#at, this.#end);
      if (decoder.ready > 0) return decoder.ready;
    }
    return 0;
  }

  /** Bits without an error before the next: geometric. */
  #draw(ratio: number): void {
    this.next[0] = Math.floor(log(1 - this.#random.uniform()) / log(1 - ratio));
  }
}
