/** Gauss–Legendre quadrature: nodes and weights, for construction. */
import { range } from '../base/parameter-checks.ts';
import { cos } from './elementary/circular.ts';

/** Rounds of Newton's method. The start is accurate to about 1e-3, so five reach rounding. */
const ROUNDS = 8;

/** ∫ f over (−1, 1) ≈ Σ weights[k] f(nodes[k]), exact for polynomials up to degree 2 n − 1. */
export interface GaussLegendre {
  /** In rising order, symmetric about 0. */
  readonly nodes: Float64Array;
  /** Positive; their sum is 2. */
  readonly weights: Float64Array;
}

/**
 * Nodes are the zeros of the Legendre polynomial P_n, by Newton's method from cos(π (k − 1/4)/(n + 1/2)); weights are
 * 2/((1 − x²) P_n'(x)²). `Abramowitz & Stegun 1964, 25.4.29, 22.16.6`. Allocates.
 */
export function gaussLegendre(count: number): GaussLegendre {
  const whole = Number.isInteger(count) && count >= 1 && count <= 200;
  range('count', count, whole, 'to be a whole number from 1 to 200');
  const nodes = new Float64Array(count);
  const weights = new Float64Array(count);
  for (let k = 0; k < (count + 1) >> 1; k++) {
    let x = 2 * k + 1 === count ? 0 : cos((Math.PI * (k + 0.75)) / (count + 0.5));
    let slope = 1;
    for (let round = 0; round < ROUNDS; round++) {
      let before = 0;
      let value = 1;
      for (let n = 1; n <= count; n++) {
        const next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
        before = value;
        value = next;
      }
      slope = (count * (before - x * value)) / ((1 - x) * (1 + x));
      x -= value / slope;
    }
    const weight = 2 / ((1 - x) * (1 + x) * slope * slope);
    nodes[k] = -x;
    nodes[count - 1 - k] = x;
    weights[k] = weight;
    weights[count - 1 - k] = weight;
  }
  return { nodes, weights };
}
