/**
 * Segment of a circle: the part of a disc of radius r beyond a chord at the signed distance b from the centre, half chord
 * q = √(r² − b²), half angle θ = atan2(q, b) in (0, π). With y from the centre across the chord, u = y − b from the chord and
 * x along it, η = θ − sin θ cos θ:
 *
 *   A    = r² η                                                                                                      (1)
 *   ∫ y  = 2 q³/3,                          M_1 = ∫ u = 2 q³/3 − b A                                                  (2)
 *   ∫ y² = r⁴ η/4 + b q³/2,                M_2 = ∫ u² = ∫ y² − 4 b q³/3 + b² A                                       (3)
 *   X    = ∫ x² = r⁴ η/4 − b q³/6                                                                                    (4)
 *
 * from strips dA = 2 r² sin²φ dφ at y = r cos φ, φ to θ. These differences lose θ^−2 to θ^−6 of their digits for a thin segment.
 * There the integrals run over the chord instead, with the height of the segment over x
 *
 *   f(x) = √(r² − x²) − b = (q² − x²)/(√(r² − x²) + b):   A = ∫ f,  M_1 = ∫ f²/2,  M_2 = ∫ f³/3,  X = ∫ x² f          (5)
 *
 * which is analytic up to |x| = r. Sixteen nodes for q < r/2 leave (2 + √3)^−32 = 5e-19.
 */
import { gaussLegendre } from '../math/quadrature.ts';
import { DIRECTION, directions } from '../math/elementary/inverse-circular.ts';

/** Cells of a segment: in r, q, b. */
export const RADIUS = 0;
export const HALF_CHORD = 1;
export const DISTANCE = 2;
/** Out: A, m². */
export const AREA = 3;
/** M_1 about the chord, m³. */
export const FIRST = 4;
/** M_2 about the chord, m⁴. */
export const SECOND = 5;
/** X about the line of symmetry, m⁴. */
export const ACROSS = 6;
/** Number of cells. */
export const SEGMENT_SIZE = 7;

/** The integrands are even: the upper half of the nodes will do. */
const HALF = 8;
const RULE = gaussLegendre(2 * HALF);
const NODES = RULE.nodes.slice(HALF);
const WEIGHTS = RULE.weights.slice(HALF);

/** Computes the cells of a segment; q = 0 with b > 0 is an empty one, with b < 0 the whole disc. */
export function fillSegment(c: Float64Array): void {
  const r = c[RADIUS];
  const q = c[HALF_CHORD];
  const b = c[DISTANCE];
  if (b > 0 && 2 * q < r) {
    let area = 0;
    let first = 0;
    let second = 0;
    let across = 0;
    for (let k = 0; k < HALF; k++) {
      const x = q * NODES[k];
      const f = ((q - x) * (q + x)) / (Math.sqrt((r - x) * (r + x)) + b);
      const weighted = WEIGHTS[k] * f;
      area += weighted;
      first += weighted * f;
      second += weighted * f * f;
      across += weighted * x * x;
    }
    c[AREA] = 2 * q * area;
    c[FIRST] = q * first;
    c[SECOND] = (2 / 3) * q * second;
    c[ACROSS] = 2 * q * across;
    return;
  }
  const cube = q * q * q;
  // θ by slots: a call of atan2 that the compiler does not inline boxes its numbers
  DIRECTION[0] = q;
  DIRECTION[1] = b;
  const area = r * r * directions()[0] - b * q;
  c[AREA] = area;
  c[FIRST] = (2 / 3) * cube - b * area;
  c[SECOND] = 0.25 * r * r * area - (5 / 6) * b * cube + b * b * area;
  c[ACROSS] = 0.25 * r * r * area - (b * cube) / 6;
}
