/**
 * Gauss nodes on [a, b] for an integrand that is analytic but for square roots at s_L <= a and s_R
 * >= b, on or beyond the ends:
 *
 *   both:  v = (s_L + s_R)/2 + (s_R − s_L)/4 (3 x − x³),   dv/dx = 0 at x = ±1, v = s_L, s_R                            (1)
 *   one:   v = s ± x²                                                                                                  (2)
 *   none:  v linear in x
 *
 * so that the root is a polynomial of x times an analytic function, at an end or near it.
 * Polynomials stay polynomials, and without a root the full degree is kept. The inverse of (1) is x
 * = 2 sin(asin(y)/3), y = (3 x − x³)/2.
 */
import { gaussLegendre } from '../math/quadrature.ts';
import { sin } from '../math/elementary/circular.ts';
import { asin } from '../math/elementary/inverse-circular.ts';

/** Distance in panel lengths beyond which a root has no effect: its Bernstein ellipse has ρ > 100. */
const FAR = 50;

/** Nodes and weights on an interval. */
export class EndRule {
  /** In: a, b, s_L (−∞: none), s_R (∞: none). */
  readonly ends: Float64Array = new Float64Array(4);
  /** Out. */
  readonly nodes: Float64Array;
  readonly weights: Float64Array;
  readonly count: number;
  private readonly places: Float64Array;
  private readonly parts: Float64Array;

  /** Number of nodes. Allocates. */
  constructor(count: number) {
    const { nodes, weights } = gaussLegendre(count);
    this.count = count;
    this.places = nodes.map((node) => 0.5 * (1 + node));
    this.parts = weights.map((weight) => 0.5 * weight);
    this.nodes = new Float64Array(count);
    this.weights = new Float64Array(count);
  }

  /** Computes nodes and weights for `ends`. @alloc none */
  fill(): void {
    const { ends, nodes, weights, places, parts } = this;
    const a = ends[0];
    const b = ends[1];
    const width = b - a;
    const left = a - ends[2] < FAR * width;
    const right = ends[3] - b < FAR * width;
    if (left && right) {
      const half = 0.5 * (ends[3] - ends[2]);
      // measured from the nearer root each, so that a root at the end is met exactly
      const low = (half - (a - ends[2])) / half;
      const high = (half - (ends[3] - b)) / half;
      const from = -2 * sin(asin(low < 1 ? low : 1) / 3);
      const to = 2 * sin(asin(high < 1 ? high : 1) / 3);
      const mid = 0.5 * (ends[3] + ends[2]);
      for (let k = 0; k < this.count; k++) {
        const x = from + (to - from) * places[k];
        nodes[k] = mid + 0.5 * half * x * (3 - x * x);
        weights[k] = 1.5 * half * (1 - x) * (1 + x) * (to - from) * parts[k];
      }
      return;
    }
    if (left || right) {
      const sign = left ? 1 : -1;
      const root = left ? ends[2] : ends[3];
      const close = left ? a - root : root - b;
      const near = close > 0 ? Math.sqrt(close) : 0;
      const far = Math.sqrt(left ? b - root : root - a);
      for (let k = 0; k < this.count; k++) {
        const x = near + (far - near) * places[k];
        nodes[k] = root + sign * x * x;
        weights[k] = 2 * x * (far - near) * parts[k];
      }
      return;
    }
    for (let k = 0; k < this.count; k++) {
      nodes[k] = a + width * places[k];
      weights[k] = width * parts[k];
    }
  }
}
