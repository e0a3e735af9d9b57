/**
 * Seeded random numbers with an integer state that can be saved: xoshiro128** (Blackman and Vigna)
 * seeded by SplitMix32. A seed gives the same sequence on every machine.
 */
import { range } from '../base/parameter-checks.ts';
import { cos } from './elementary/circular.ts';
import { log } from './elementary/logarithm.ts';

/** A reproducible random source. */
export class Random {
  /** State of four 32-bit words. A copy saves the position in the sequence. */
  readonly state: Uint32Array = new Uint32Array(4);

  /** @throws BerthError for a seed that is no finite number */
  constructor(seed: number) {
    range('seed', seed, true, 'to be finite');
    this.seed(seed);
  }

  /** Restarts the sequence. */
  seed(seed: number): void {
    let x = seed >>> 0;
    for (let i = 0; i < 4; i++) {
      x = (x + 0x9e3779b9) >>> 0;
      let y = x;
      y = Math.imul(y ^ (y >>> 16), 0x21f0aaad);
      y = Math.imul(y ^ (y >>> 15), 0x735a2d97);
      this.state[i] = (y ^ (y >>> 15)) >>> 0;
    }
  }

  /** Uniform integer in [0, 2³²). */
  nextUint32(): number {
    const s = this.state;
    const a = Math.imul(s[1], 5);
    const result = Math.imul((a << 7) | (a >>> 25), 9) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** Uniform in [0, 1) with 53 bits. */
  uniform(): number {
    const high = this.nextUint32() >>> 5;
    const low = this.nextUint32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  /** Normal with mean 0 and standard deviation 1 (Box–Muller; each call draws two uniform numbers). */
  gaussian(): number {
    const u = 1 - this.uniform();
    return Math.sqrt(-2 * log(u)) * cos(2 * Math.PI * this.uniform());
  }
}
