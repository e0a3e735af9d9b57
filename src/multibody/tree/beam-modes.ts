/**
 * Clamped–free eigenfunctions of a uniform Euler–Bernoulli beam, φ(x) = cosh κx − cos κx − σ (sinh κx − sin κx), scaled so that
 * ∫φ² dx is the length, and their integrals. `Kim 1999, (3.4)`; `Blevins 1979, table 8-1`. Allocates: for construction.
 */
import { gaussLegendre } from '../../math/quadrature.ts';
import { cos, sin } from '../../math/elementary/circular.ts';
import { exp } from '../../math/elementary/exponential.ts';
import { cosh, sinh, tanh } from '../../math/elementary/hyperbolic.ts';

/** Of the first modes of a beam of unit length. */
export interface BeamModes {
  /** φ and φ' at the tip. */
  readonly tip: Float64Array;
  readonly slope: Float64Array;
  /** ∫φ, ∫xφ, ∫φ''². */
  readonly mean: Float64Array;
  readonly lever: Float64Array;
  readonly curvature: Float64Array;
  /** ∫φ'φ'ᵀ, ∫(1 − x) φ'φ'ᵀ, ∫(1 − x²)/2 φ'φ'ᵀ: what bending takes from the length, from the first and from the second moment. */
  readonly shortening: Float64Array;
  readonly momentLoss: Float64Array;
  readonly inertiaLoss: Float64Array;
}

/** Points of the quadrature: sixth-mode slopes squared make three waves, which 40 points carry to rounding. */
const POINTS = 40;

/** The first `count` modes. */
export function beamModes(count: number): BeamModes {
  const modes = Array.from({ length: count }, (_, k) => clampedFree(k));
  const square = (weight: (x: number) => number): Float64Array => {
    const { nodes, weights } = gaussLegendre(POINTS);
    const out = new Float64Array(count * count);
    nodes.forEach((node, p) => {
      const x = 0.5 + 0.5 * node;
      const slopes = modes.map((mode) => slopeAt(mode, x));
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < count; j++) {
          out[count * i + j] += 0.5 * weights[p] * weight(x) * slopes[i] * slopes[j];
        }
      }
    });
    return out;
  };
  return {
    tip: Float64Array.from(modes, (_, k) => (k % 2 === 0 ? 2 : -2)),
    slope: Float64Array.from(modes, (mode) => slopeAt(mode, 1)),
    mean: Float64Array.from(modes, ({ kappa, delta }) => (2 * (1 - delta)) / kappa),
    lever: Float64Array.from(modes, ({ kappa }) => 2 / (kappa * kappa)),
    curvature: Float64Array.from(modes, ({ kappa }) => kappa * kappa * (kappa * kappa)),
    shortening: square(() => 1),
    momentLoss: square((x) => 1 - x),
    inertiaLoss: square((x) => 0.5 * (1 - x * x)),
  };
}

interface Mode {
  readonly kappa: number;
  /** 1 − σ, which decays like exp(−κ) and would lose its digits. */
  readonly delta: number;
}

/** Root of cos κ cosh κ = −1 near (k + 1/2) π, by Newton's method. */
function clampedFree(k: number): Mode {
  let kappa = (k + 0.5) * Math.PI;
  for (let round = 0; round < 12; round++) {
    const sech = 1 / cosh(kappa);
    kappa += (cos(kappa) + sech) / (sin(kappa) + sech * tanh(kappa));
  }
  const sine = sin(kappa);
  return { kappa, delta: (sine - cos(kappa) - exp(-kappa)) / (sinh(kappa) + sine) };
}

/** φ'(x) */
function slopeAt({ kappa, delta }: Mode, x: number): number {
  const s = kappa * x;
  return kappa * (delta * cosh(s) - exp(-s) + sin(s) + (1 - delta) * cos(s));
}
