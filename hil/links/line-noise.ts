/**
 * Bit errors of a serial line on any link. Each frame is COBS-encoded, bits are flipped with a
 * fixed probability, and a decoder finds the remaining frames. A damaged delimiter joins two
 * frames; a byte that becomes zero splits one.
 */
import { Random } from '../../src/math/random.ts';
import { CobsDecoder, MAX_ENCODED, cobsEncode } from '../protocol/cobs.ts';
import { log } from '../../src/math/elementary/logarithm.ts';

/** Bit errors of a serial line. */
export class LineNoise {
  readonly decoder: CobsDecoder = new CobsDecoder();
  readonly #random: Random;
  readonly #line = new Uint8Array(MAX_ENCODED + 1);
  /** Bits until the next error; −1 before the first frame. */
  readonly next = Float64Array.of(-1);
  #at = 0;
  #end = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * Puts a frame on the line and discards the rest of the one before. `ratio[at]`: error
   * probability of a bit, below 1.
   */
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

  /** Copies the next frame that the decoder finds to `decoder.frame`. @returns its length, 0 when there is none */
  take(): number {
    const { decoder } = this;
    while (this.#at < this.#end) {
      this.#at = decoder.decode(this.#line, this.#at, this.#end);
      if (decoder.ready > 0) return decoder.ready;
    }
    return 0;
  }

  /** Draws the number of bits before the next error, geometrically distributed. */
  #draw(ratio: number): void {
    this.next[0] = Math.floor(log(1 - this.#random.uniform()) / log(1 - ratio));
  }
}
