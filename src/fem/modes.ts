/**
 * Lowest natural frequencies and modes: K φ = ω² M φ by subspace iteration, `Bathe 1996, 11.6`; `Kim 1999, (2.52)`.
 *
 * A shift σ > 0 makes K + σ M positive definite, so that a free body has its rigid modes among them. Modes have unit modal mass.
 * Everything here is for set-up and allocates.
 */
import { range } from '../base/parameter-checks.ts';
import { jacobiEigen } from '../math/jacobi-eigen.ts';
import { Random } from '../math/random.ts';
import { SkylineFactors, SkylineMatrix } from './skyline.ts';

/** Most rounds, and the relative change of ω² + σ at which they end. */
const ROUNDS = 60;
const CHANGE = 1e-12;

/** Modes of a structure. */
export interface Modes {
  /** Natural frequencies in rising order, rad/s; 0 for rigid modes, to rounding. */
  readonly frequencies: Float64Array;
  /** Mode k is shapes[k], over the degrees of freedom, 1/√kg. */
  readonly shapes: readonly Float64Array[];
}

/** The `count` lowest modes. */
export function lowestModes(stiffness: SkylineMatrix, mass: SkylineMatrix, count: number): Modes {
  const n = stiffness.size;
  const whole = Number.isInteger(count) && count >= 1 && count <= n;
  range('modes', count, whole, `to be a whole number from 1 to ${n}`);
  const width = Math.min(n, Math.max(2 * count, count + 8));
  const shift = shiftOf(stiffness, mass);
  const shifted = new SkylineMatrix(stiffness.first);
  shifted.combine(1, stiffness, shift, mass);
  const factors = new SkylineFactors(shifted);
  factors.factor(shifted, 0);
  const random = new Random(1);
  let basis: Float64Array[] = Array.from({ length: width }, (_, k) =>
    Float64Array.from({ length: n }, () => (k === 0 ? 1 : 2 * random.uniform() - 1)),
  );
  let values: Float64Array = new Float64Array(width);
  for (let round = 0; round < ROUNDS; round++) {
    for (const vector of basis) {
      const load = new Float64Array(n);
      mass.multiply(vector, load);
      factors.solve(load);
      vector.set(load);
    }
    orthonormalize(mass, basis);
    const projected = rayleighRitz(shifted, basis);
    basis = projected.basis;
    const settled = projected.values.every(
      (value, k) => k >= count || Math.abs(value - values[k]) <= CHANGE * value,
    );
    values = projected.values;
    if (settled) break;
  }
  return {
    frequencies: Float64Array.from(values.subarray(0, count), (value) => {
      const square = value - shift;
      return square > 1e-5 * shift ? Math.sqrt(square) : 0;
    }),
    shapes: basis.slice(0, count),
  };
}

/** A part of the stiffest diagonal over its mass: far below the first elastic ω², far above rounding. */
function shiftOf(stiffness: SkylineMatrix, mass: SkylineMatrix): number {
  let most = 0;
  for (let i = 0; i < stiffness.size; i++) {
    most = Math.max(most, stiffness.at(i, i) / mass.at(i, i));
  }
  return 1e-8 * most;
}

/** Makes the vectors orthonormal in the mass, in place; a second pass removes what rounding left. */
function orthonormalize(mass: SkylineMatrix, basis: readonly Float64Array[]): void {
  const images: Float64Array[] = [];
  for (const vector of basis) {
    const image = new Float64Array(vector.length);
    for (let pass = 0; pass < 2; pass++) {
      for (const [k, other] of images.entries()) {
        const part = dot(vector, other);
        for (let e = 0; e < vector.length; e++) vector[e] -= part * basis[k][e];
      }
      mass.multiply(vector, image);
      const scale = 1 / Math.sqrt(dot(vector, image));
      for (let e = 0; e < vector.length; e++) {
        vector[e] *= scale;
        image[e] *= scale;
      }
    }
    images.push(image);
  }
}

/** Vectors of the span of an orthonormal basis that make K diagonal, lowest first. */
function rayleighRitz(
  k: SkylineMatrix,
  basis: readonly Float64Array[],
): { values: Float64Array; basis: Float64Array[] } {
  const n = k.size;
  const w = basis.length;
  const gram = new Float64Array(w * w);
  const image = new Float64Array(n);
  for (let j = 0; j < w; j++) {
    k.multiply(basis[j], image);
    for (let i = 0; i <= j; i++) {
      gram[w * i + j] = dot(basis[i], image);
      gram[w * j + i] = gram[w * i + j];
    }
  }
  const { values, vectors } = jacobiEigen(gram, w);
  const mixed = Array.from({ length: w }, (_, c) => {
    const out = new Float64Array(n);
    for (let i = 0; i < w; i++) {
      const part = vectors[w * i + c];
      for (let e = 0; e < n; e++) out[e] += part * basis[i][e];
    }
    return out;
  });
  return { values, basis: mixed };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
