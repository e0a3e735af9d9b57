/**
 * The friction of one elastic point that slides: |f| = m, against its slip w = A (f − t) = −λ f with λ ≥ 0, where A is the compliance of the point along its two
 * tangents and t the force that would hold it, |t| > m. So (A + λ) f = A t, and λ is the root of 1/|f| = 1/m. 1/|f| is concave in λ, so that
 * Newton's method from λ = 0 comes to it from below (Moré and Sorensen 1983, for the edge of a region of trust). @alloc none
 */

const STEPS = 60;
/** Relative excess of |f| that ends the method; what is left of it is scaled away. */
const SETTLED = 1e-12;

/**
 * Replaces t by f.
 * @param point [A_pp, A_pq, A_qq, t_p, t_q], m/N and N; A symmetric, positive definite
 * @param most m, N; 0 … |t|
 */
export function opposeSlip(point: Float64Array, most: number): void {
  const pp = point[0];
  const pq = point[1];
  const qq = point[2];
  const tp = point[3];
  const tq = point[4];
  const bp = pp * tp + pq * tq;
  const bq = pq * tp + qq * tq;
  let p = tp;
  let q = tq;
  let lambda = 0;
  for (let step = 0; step < STEPS && most > 0; step++) {
    const size = Math.sqrt(p * p + q * q);
    const excess = size / most - 1;
    if (!(excess > SETTLED)) break;
    const a = pp + lambda;
    const c = qq + lambda;
    const det = a * c - pq * pq;
    // f · (A + λ)⁻¹ f
    const slope = (c * p * p - 2 * pq * p * q + a * q * q) / det;
    lambda += (excess * size * size) / slope;
    const next = (pp + lambda) * (qq + lambda) - pq * pq;
    p = ((qq + lambda) * bp - pq * bq) / next;
    q = ((pp + lambda) * bq - pq * bp) / next;
  }
  const size = Math.sqrt(p * p + q * q);
  const scale = size > 0 ? most / size : 0;
  point[3] = p * scale;
  point[4] = q * scale;
}
