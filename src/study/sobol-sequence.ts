/**
 * The sequence of Sobol' (1967) in base 2, with the direction numbers of Joe and Kuo (2008), SIAM J. Sci. Comput. 30(5), file new-joe-kuo-6,
 * and its nested uniform scrambling by Owen (1995). Points are 32-bit fractions; point n is addressed by its number, not by steps.
 */
import { range } from '../base/parameter-checks.ts';

const BITS = 32;

/** Of the dimensions from the second on: degree s, coefficients a of the primitive polynomial, first m_1 … m_s. */
const POLYNOMIALS: readonly (readonly [s: number, a: number, m: readonly number[]])[] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
  [6, 19, [1, 1, 1, 15, 7, 5]],
  [6, 22, [1, 3, 1, 15, 13, 25]],
  [6, 25, [1, 1, 5, 5, 19, 61]],
  [7, 1, [1, 3, 7, 11, 23, 15, 103]],
  [7, 4, [1, 3, 7, 13, 13, 15, 69]],
];

/** Most dimensions of a sequence. */
export const SOBOL_DIMENSIONS = POLYNOMIALS.length + 1;

/** v_1 … v_32 of a dimension, 0 … SOBOL_DIMENSIONS − 1 (Joe and Kuo 2008, (2)). */
function directions(dimension: number): Uint32Array {
  const v = new Uint32Array(BITS);
  if (dimension === 0) {
    for (let k = 0; k < BITS; k++) v[k] = 1 << (BITS - 1 - k);
    return v;
  }
  const [s, a, m] = POLYNOMIALS[dimension - 1];
  for (let k = 0; k < BITS; k++) {
    if (k < s) {
      v[k] = m[k] << (BITS - 1 - k);
      continue;
    }
    let next = v[k - s] ^ (v[k - s] >>> s);
    for (let j = 1; j < s; j++) if (((a >>> (s - 1 - j)) & 1) === 1) next ^= v[k - j];
    v[k] = next;
  }
  return v;
}

/** A well-mixed 32-bit hash of two words (the finalizer of MurmurHash3 after each). */
function hash(seed: number, word: number): number {
  let x = (seed ^ Math.imul(word, 0x9e3779b1)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** One dimension of the sequence. */
export class SobolDimension {
  readonly #directions: Uint32Array;
  readonly #seed: number;

  /** @throws BerthError for a dimension that the table does not have */
  constructor(dimension: number, seed: number) {
    const ok = Number.isInteger(dimension) && dimension >= 0 && dimension < SOBOL_DIMENSIONS;
    range('dimension', dimension, ok, `to be 0 to ${SOBOL_DIMENSIONS - 1}`);
    this.#directions = directions(dimension);
    this.#seed = hash(seed >>> 0, dimension + 1);
  }

  /** Fraction of point n, 32 bits, not scrambled. Points are in the order of n, not of its Gray code. */
  plain(n: number): number {
    let x = 0;
    for (let k = 0; n >>> k !== 0; k++) if (((n >>> k) & 1) === 1) x ^= this.#directions[k];
    return x >>> 0;
  }

  /**
   * Point n in (0, 1), scrambled: each bit is flipped or not by a hash of the seed and of all bits above it (Owen 1995), and the place within the
   * last cell is a hash as well, so that no point lies on an end.
   */
  point(n: number): number {
    const x = this.plain(n);
    let y = 0;
    for (let k = 0; k < BITS; k++) {
      const above = k === 0 ? 0 : x >>> (BITS - k);
      const flip = hash(hash(this.#seed, k), above) & 1;
      y = (y << 1) | (((x >>> (BITS - 1 - k)) & 1) ^ flip);
    }
    return ((y >>> 0) + (hash(this.#seed, n) + 0.5) / 2 ** BITS) / 2 ** BITS;
  }
}
