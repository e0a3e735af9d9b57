/**
 * Elliptic Hertz contact: complete elliptic integrals, published contact ellipses, and the equation of elasticity itself, solved
 * by quadrature without elliptic integrals.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ellipseAxisRatio, equivalentRadius } from '../../../src/contact/pairs/elliptic-contact.ts';
import { completeElliptic } from '../../../src/math/elliptic.ts';

const { PI, abs, cos, exp, log, sin, sqrt } = Math;

function near(value: number, expected: number, tolerance: number, what = ''): void {
  assert.ok(
    abs(value - expected) <= tolerance,
    `${what} ${value}, expected ${expected} ± ${tolerance}`,
  );
}

test('complete elliptic integrals against tables, the relation of Legendre and the limit of m = 1', () => {
  // Abramowitz & Stegun, table 17.1, m = 0.5; and closed forms at m = 0
  const half = completeElliptic(Math.SQRT1_2);
  near(half.K, 1.85407467730137, 1e-14);
  near(half.E, 1.35064388104768, 1e-14);
  const none = completeElliptic(1);
  assert.deepEqual([none.K, none.E, none.sum, none.m], [PI / 2, PI / 2, 0, 0]);
  for (const k of [0.9999, 0.8, 0.3, 1e-2, 1e-6]) {
    const a = completeElliptic(k);
    const b = completeElliptic(sqrt((1 - k) * (1 + k)));
    // E K' + E' K − K K' = π/2; the products reach 20, so that 1e-14 is their rounding
    near(a.E * b.K + b.E * a.K - a.K * b.K, PI / 2, 2e-14, `Legendre at k' = ${k}`);
    near(a.K - a.E, a.K * a.sum, 1e-14 * a.K);
  }
  const thin = completeElliptic(1e-100);
  near(thin.K, log(4e100), 1e-12, 'K → ln(4/k′)');
  near(thin.E, 1, thin.K * 2.3e-16, 'E → 1, to the rounding of K');
});

test('ellipses and approach of the published table for general curvatures', () => {
  // Young & Budynas, Roark's formulas for stress and strain, 7th ed., table 14.1 case 4 (after Whittemore & Petrenko 1921):
  // cos θ = (κ2 − κ1)/(κ2 + κ1); a = α (P K_D C_E)^(1/3), b = β (…)^(1/3), δ = λ (P² C_E²/K_D)^(1/3), K_D = 1.5/(κ1 + κ2).
  const table = [
    [0, 1, 1, 0.75],
    [0.1, 1.07, 0.936, 0.748],
    [0.2, 1.15, 0.878, 0.743],
    [0.3, 1.242, 0.822, 0.734],
    [0.4, 1.351, 0.769, 0.721],
    [0.5, 1.486, 0.717, 0.703],
    [0.6, 1.661, 0.664, 0.678],
    [0.7, 1.905, 0.608, 0.644],
    [0.8, 2.292, 0.544, 0.594],
    [0.9, 3.093, 0.461, 0.51],
    [0.96, 4.508, 0.378, 0.41],
    [0.99, 7.774, 0.287, 0.288],
  ] as const;
  for (const [c, alpha, beta, lambda] of table) {
    // three printed decimals: half a unit each
    const ratio = ellipseAxisRatio((1 + c) / (1 - c));
    near(ratio, beta / alpha, (0.0006 + (0.0006 * beta) / alpha) / alpha, `b/a at cos θ = ${c}`);
    // δ from (4/3) √R_eq δ^1.5 = P C_E with κ1 + κ2 = 2
    const radius = equivalentRadius(1 - c, 1 + c);
    const approach = (0.75 / sqrt(radius)) ** (2 / 3) * 0.75 ** (1 / 3);
    near(approach, lambda, 0.0006, `λ at cos θ = ${c}`);
  }
});

/**
 * Surface displacement at (x, y) under p = √(1 − x²/a² − y²/b²) on a half-space with E* = 1: the sum over the directions of the
 * integrals of p along the chords through the point, u = (1/π) ∫∫ p dt dφ. The trapezoid rule converges fast for a period.
 */
function displacement(a: number, b: number, x: number, y: number): number {
  const steps = 4000;
  let sum = 0;
  for (let k = 0; k < steps; k++) {
    const phi = (PI * (k + 0.5)) / steps;
    const c0 = 1 - (x / a) ** 2 - (y / b) ** 2;
    const c1 = -2 * ((x * cos(phi)) / a ** 2 + (y * sin(phi)) / b ** 2);
    const c2 = (cos(phi) / a) ** 2 + (sin(phi) / b) ** 2;
    // ∫ √(c0 + c1 t − c2 t²) dt between its roots
    sum += ((PI / 8) * (c1 * c1 + 4 * c0 * c2)) / c2 ** 1.5;
  }
  return sum / steps;
}

test('the ellipse closes the gap of the surfaces and the equivalent radius gives its force', () => {
  for (const ratio of [1, 1.01, 1.5, 2, 5, 20, 100]) {
    const k1 = 0.7;
    const k2 = 0.7 * ratio;
    const a = 1;
    const b = ellipseAxisRatio(ratio);
    const top = displacement(a, b, 0, 0);
    // pressure that makes the flattened surfaces meet at one point, then they must meet in the whole ellipse
    const p0 = (0.5 * k1 * 0.25) / (top - displacement(a, b, 0.5, 0));
    for (const [s, t] of [
      [0.3, 0.2],
      [0, 0.9],
      [-0.6, 0.5],
      [0.9, 0.1],
    ]) {
      const [x, y] = [s * a, t * b];
      const dent = p0 * (top - displacement(a, b, x, y));
      // quadrature is exact to rounding here, b/a to 1e-15
      near(dent / (0.5 * (k1 * x * x + k2 * y * y)), 1, 1e-10, `ratio ${ratio} at ${s}, ${t}:`);
    }
    const depth = p0 * top;
    const force = (2 / 3) * PI * p0 * a * b;
    const sphere = (4 / 3) * sqrt(equivalentRadius(k1, k2)) * depth ** 1.5;
    near(sphere / force, 1, 1e-10, `ratio ${ratio}: force`);
  }
});

test('limits of the equivalent radius: circle, symmetry, scale, needle', () => {
  near(equivalentRadius(4, 4), 0.25, 1e-15);
  near(equivalentRadius(4, 4 * (1 + 1e-9)), 0.25, 1e-9);
  assert.equal(equivalentRadius(3, 8), equivalentRadius(8, 3));
  near(equivalentRadius(3, 8) / (10 * equivalentRadius(30, 80)), 1, 1e-14);
  // it falls as either curvature grows
  for (let q = 0; q < 20; q++) {
    const ratio = exp(q);
    assert.ok(equivalentRadius(1, ratio * 1.01) < equivalentRadius(1, ratio), `ratio ${ratio}`);
  }
  // slender ellipse, κ2/κ1 → 1/(k'² (K − 1)): asymptotic to the square of k'
  for (const axis of [1e-4, 1e-8, 1e-40]) {
    near(ellipseAxisRatio(1 / (axis * axis * (log(4 / axis) - 1))) / axis, 1, 1e-6);
  }
});
