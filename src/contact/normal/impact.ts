/**
 * Closed forms of one impact of a body with f = k δⁿ (1 + d δ̇) and no other force: restitution, depth, peak force, times. They hold
 * for every law of this folder but Kelvin–Voigt, which has its own restitution here.
 *
 * m v dv = −k δⁿ (1 + d v) dδ separates. With y = d v, z = d v_i and h(y) = y − ln(1 + y):
 *
 *   (n + 1)⁻¹ δⁿ⁺¹ = m/(k d²) (h(z) − h(y))           so that touch and release lie at the same level, h(z) = h(−e z)
 *
 * `Gonthier 2007, (3.18)–(3.25); Modia3D sheet of formulas; Hunt & Crossley 1975`. These functions serve reports and set-up, not the step.
 */
import { notNegative, plain, positive, range } from '../../base/parameter-checks.ts';
import { dampingForRestitution, level } from './damping-factor.ts';
import { exp, expm1 } from '../../math/elementary/exponential.ts';
import { acos } from '../../math/elementary/inverse-circular.ts';
import { log1p } from '../../math/elementary/logarithm.ts';
import { pow } from '../../math/elementary/power.ts';
import { acosh } from '../../math/elementary/hyperbolic.ts';

/** One impact of a free body. */
export interface Impact {
  /** Mass, or reduced mass m₁ m₂/(m₁ + m₂) of two bodies, kg. */
  readonly mass: number;
  /** Stiffness k, N/mⁿ. */
  readonly stiffness: number;
  /** Exponent n. */
  readonly exponent: number;
  /** Speed at touch, m/s. */
  readonly speed: number;
  /** Damping coefficient d, s/m: A of the hysteretic law, d of Modia3D, 1.5 α; 0 for elastic impact. */
  readonly damping: number;
}

/** Intervals of the quadrature of times; Simpson's rule on a smooth integrand, error below 1e-8. */
const INTERVALS = 2000;

/** Root of an increasing function on [low, high] to the last bit. */
function bisect(low: number, high: number, f: (x: number) => number): number {
  for (let i = 0; i < 200; i++) {
    const middle = 0.5 * (low + high);
    if (middle === low || middle === high) break;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

/** u in [0, 1) with h(−u) = L: the rebound side. Solved in w = −ln(1 − u), where h(−u) = w − u. */
function reboundSide(L: number): number {
  const w = bisect(0, L + 1 + Math.sqrt(2 * L), (x) => {
    const u = -expm1(-x);
    return (u < 0.05 ? level(-u) : x - u) - L;
  });
  return -expm1(-w);
}

/** y >= 0 with h(y) = L: the approach side. */
function approachSide(L: number): number {
  return bisect(0, 2 * L + 2 * Math.sqrt(L), (y) => level(y) - L);
}

/**
 * Restitution that an impact with z = d v_i returns: the root of z (1 + e) = ln((1 + z)/(1 − e z)), in Lambert's function
 * (1 + W₀(−(1 + z) exp(−(1 + z))))/z. It depends on nothing else. `1 − 2z/3 + 4z²/9 − 44z³/135 + …`
 */
export function deliveredRestitution(z: number): number {
  range('z', z, z >= 0, '>= 0');
  if (z === 0) return 1;
  return reboundSide(level(z)) / z;
}

/** Restitution of the restitution-slope law at α v: deliveredRestitution(1.5 α v). */
export function slopeRestitution(slopeTimesSpeed: number): number {
  return deliveredRestitution(1.5 * slopeTimesSpeed);
}

/** Slope α, s/m, for which an impact at `speed`, m/s, returns e; 1 − α v = e would return more. */
export function slopeForRestitution(e: number, speed: number): number {
  positive('speed', speed);
  return dampingForRestitution(e) / (1.5 * speed);
}

/**
 * Restitution of the clamped Kelvin–Voigt law from ζ = c/(2 √(k m)): the force reaches 0 after ω t = 2 acos(ζ)/√(1 − ζ²), at
 * rebound speed v_i exp(−ζ ω t).
 */
export function kelvinVoigtRestitution(zeta: number): number {
  range('zeta', zeta, zeta >= 0, '>= 0');
  if (zeta === 1) return exp(-2);
  const phase =
    zeta < 1 ? acos(zeta) / Math.sqrt(1 - zeta * zeta) : acosh(zeta) / Math.sqrt(zeta * zeta - 1);
  return exp(-2 * zeta * phase);
}

/** Checks an impact that a program describes. */
function checkImpact(impact: Impact): void {
  plain('impact', impact);
  for (const name of ['mass', 'stiffness', 'exponent', 'speed'] as const) {
    positive(`impact.${name}`, impact[name]);
  }
  notNegative('impact.damping', impact.damping);
}

/** Depth at which an undamped impact stops, m: ((n + 1) m v²/(2 k))^(1/(n + 1)). */
export function elasticDepth(impact: Impact): number {
  checkImpact(impact);
  const { mass, stiffness, exponent, speed } = impact;
  const n = exponent + 1;
  return pow((n * mass * speed * speed) / (2 * stiffness), 1 / n);
}

/** Greatest depth, m: elastic depth times (2 h(z)/z²)^(1/(n + 1)). */
export function impactDepth(impact: Impact): number {
  checkImpact(impact);
  const z = impact.damping * impact.speed;
  const elastic = elasticDepth(impact);
  if (z === 0) return elastic;
  return elastic * pow((2 * level(z)) / (z * z), 1 / (impact.exponent + 1));
}

/** Greatest force, N. It lies before the greatest depth, where h(y) + n/(n + 1) y = h(z). */
export function impactPeakForce(impact: Impact): number {
  checkImpact(impact);
  const z = impact.damping * impact.speed;
  const n = impact.exponent;
  const depth = impactDepth(impact);
  if (z === 0) return impact.stiffness * pow(depth, n);
  const L = level(z);
  const y = bisect(0, z, (x) => level(x) + (n / (n + 1)) * x - L);
  const part = pow(1 - level(y) / L, n / (n + 1));
  return impact.stiffness * pow(depth, n) * part * (1 + y);
}

/** ∫ dδ/|v| from touch to the greatest depth δ_m. With δ = δ_m (1 − t²) the integrand is smooth at t = 0. */
function phaseTime(impact: Impact, side: (L: number) => number): number {
  checkImpact(impact);
  const z = impact.damping * impact.speed;
  const n = impact.exponent + 1;
  const L = level(z);
  const slowness = (t: number): number => {
    const rest = -expm1(n * log1p(-t * t)); // 1 − (δ/δ_m)ⁿ⁺¹
    if (z === 0) return t === 0 ? 2 / Math.sqrt(n) : (2 * t) / Math.sqrt(rest);
    if (t === 0) return (2 * z) / Math.sqrt(2 * L * n); // both sides are √(2 L) near level 0
    return (2 * t * z) / side(L * rest);
  };
  let sum = slowness(0) + slowness(1);
  for (let i = 1; i < INTERVALS; i++) sum += (i % 2 === 1 ? 4 : 2) * slowness(i / INTERVALS);
  return (impactDepth(impact) / impact.speed) * (sum / (3 * INTERVALS));
}

/** Time from touch to the greatest depth, s. */
export function compressionTime(impact: Impact): number {
  return phaseTime(impact, approachSide);
}

/** Time from touch to release, s; 2.94328 δ_max/v for n = 3/2 without damping. */
export function impactDuration(impact: Impact): number {
  return phaseTime(impact, approachSide) + phaseTime(impact, reboundSide);
}

/** Depth at rest under a weight, m: (m g/k)^(1/n). */
export function restDepth(weight: number, stiffness: number, exponent: number): number {
  notNegative('weight', weight);
  positive('stiffness', stiffness);
  positive('exponent', exponent);
  return pow(weight / stiffness, 1 / exponent);
}
