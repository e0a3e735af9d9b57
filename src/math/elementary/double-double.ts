/** Rounding error of a product (Dekker 1971), the basis of arithmetic with sums of two doubles. */

/** 2²⁷ + 1: splits a double into halves whose products are exact (Veltkamp). */
const SPLIT = 134217729;

/** a·b − p, exactly, for the rounded product p = a·b; |a|, |b| < 2⁹⁹⁶, p not subnormal. @alloc none */
export function productError(a: number, b: number, p: number): number {
  const sa = SPLIT * a;
  const a1 = sa - (sa - a);
  const a2 = a - a1;
  const sb = SPLIT * b;
  const b1 = sb - (sb - b);
  const b2 = b - b1;
  return a1 * b1 - p + a1 * b2 + a2 * b1 + a2 * b2;
}
