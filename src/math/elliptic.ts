/** Complete elliptic integrals by the arithmetic–geometric mean. `Abramowitz & Stegun 1964, 17.6`. */

/** K(m), E(m) and the sum that gives K − E without cancellation. */
export interface CompleteElliptic {
  /** Parameter m = k². */
  readonly m: number;
  /** First kind, K(m) = ∫ (1 − m sin²θ)^−1/2 dθ over a quarter turn. */
  readonly K: number;
  /** Second kind, E(m) = ∫ (1 − m sin²θ)^1/2 dθ. */
  readonly E: number;
  /** (K − E)/K. */
  readonly sum: number;
}

/**
 * Complete elliptic integrals for the complementary modulus k' in (0, 1], which keeps its digits
 * when m is near 1; m = 1 − k'². It allocates and is for set-up.
 */
export function completeElliptic(complement: number): CompleteElliptic {
  const m = (1 - complement) * (1 + complement);
  let a = 1;
  let b = complement;
  let sum = 0.5 * m;
  let weight = 0.5;
  // c falls quadratically: a round after c < 1e-8 only adds rounding to the growing weights
  for (let c = 1; c > 1e-8 * a; ) {
    c = 0.5 * (a - b);
    const mean = 0.5 * (a + b);
    b = Math.sqrt(a * b);
    a = mean;
    weight *= 2;
    sum += weight * c * c;
  }
  const K = Math.PI / (2 * a);
  return { m, K, E: K * (1 - sum), sum };
}
