/** A place over time as a parabola, by least squares: free motion under constant forces. */
import { invert3 } from '../math/mat3.ts';

/** The parabola of some samples: place c₀ + c₁ u + c₂ u² with u = (t − middle)/half. */
export interface Parabola {
  /** Middle of the samples and half their duration, s. */
  readonly middle: number;
  readonly half: number;
  /** c, m */
  readonly shape: readonly [number, number, number];
  /** Covariance of c over the variance of a sample, 3×3. */
  readonly covariance: Float64Array;
  /** Variance of a sample about the parabola, m². */
  readonly variance: number;
}

/** Fits the samples from ≤ i < to, more than three of them at different times. */
export function fitParabola(
  time: Float64Array,
  place: Float64Array,
  from: number,
  to: number,
): Parabola {
  const middle = 0.5 * (time[from] + time[to - 1]);
  const half = 0.5 * (time[to - 1] - time[from]);
  const powers = new Float64Array(5);
  const products = new Float64Array(3);
  // the places are taken from the first one: differences of neighbours keep their digits
  const origin = place[from];
  for (let i = from; i < to; i++) {
    const u = (time[i] - middle) / half;
    let power = 1;
    for (let k = 0; k < 5; k++) {
      powers[k] += power;
      if (k < 3) products[k] += power * (place[i] - origin);
      power *= u;
    }
  }
  const [s0, s1, s2, s3, s4] = powers;
  const covariance = new Float64Array(9);
  invert3(covariance, Float64Array.of(s0, s1, s2, s1, s2, s3, s2, s3, s4));
  const c = [0, 3, 6].map(
    (row) =>
      covariance[row] * products[0] +
      covariance[row + 1] * products[1] +
      covariance[row + 2] * products[2],
  );
  let squares = 0;
  for (let i = from; i < to; i++) {
    const u = (time[i] - middle) / half;
    const left = place[i] - origin - (c[0] + u * (c[1] + u * c[2]));
    squares += left * left;
  }
  return {
    middle,
    half,
    shape: [origin + c[0], c[1], c[2]],
    covariance,
    variance: squares / (to - from - 3),
  };
}

/** Place at a time, m. */
export function placeAt({ middle, half, shape: [c0, c1, c2] }: Parabola, time: number): number {
  const u = (time - middle) / half;
  return c0 + u * (c1 + u * c2);
}

/** Acceleration, m/s². */
export function acceleration({ half, shape }: Parabola): number {
  return (2 * shape[2]) / (half * half);
}

/**
 * Speed with which the parabola passes a height, m/s, from v² = v₀² + 2 a (z − z₀), and its variance, of the fit alone; NaN when it does not
 * come there.
 */
export function speedAtHeight(
  { half, shape: [c0, c1, c2], covariance, variance }: Parabola,
  height: number,
): { speed: number; variance: number } {
  const scaled = Math.sqrt(c1 * c1 - 4 * c2 * (c0 - height));
  // ∂/∂c of √(c₁² − 4 c₂ (c₀ − h))
  const gradient = [(-2 * c2) / scaled, c1 / scaled, (-2 * (c0 - height)) / scaled];
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) sum += gradient[i] * covariance[3 * i + j] * gradient[j];
  }
  return { speed: scaled / half, variance: (variance * sum) / (half * half) };
}
