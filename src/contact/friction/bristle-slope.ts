/**
 * The derivative of bristle friction at the slip and spin of the last `respond`. Equations: tangential-bristle.ts;
 * docs/theory/contact-step.md.
 */
import {
  CREEP,
  CUT,
  EDGE,
  SLIDE,
  SLIDING,
  SLIP_BEND,
  SLIP_FACTOR,
  SLIP_GAIN,
  SLIP_SPIN_BEND,
  SPINNING,
  SPIN_BEND,
  SPIN_CUT,
  SPIN_FACTOR,
  SPIN_GAIN,
  SPIN_SCALE,
  SPIN_SLIP_BEND,
  STICK,
  TURNING,
  VISCOUS,
} from './bristle-slots.ts';
import { GYRATION, NORMAL, SLIP } from '../pair.ts';
import { SLOPE_FORCE, SLOPE_FORCE_SPIN, SLOPE_MOMENT, SLOPE_MOMENT_SPIN } from './friction-law.ts';

/** The slope column of friction-law.ts. `b` is the direction of the force where the limit cuts it. @alloc none */
export function writeSlope(
  w: Float64Array,
  b: Float64Array,
  kinematics: Float64Array,
  spins: boolean,
  secant: boolean,
  slope: Float64Array,
): void {
  computeBends(w, spins);
  const damper = w[CREEP] + w[SLIDE] * w[SLIP_GAIN];
  const along = secant ? 0 : w[SLIDE] * w[SLIP_BEND];
  const cut = w[CUT];
  // dφ = κ (1 − b bᵀ) (damper dv + along v v·dv + v (∂damper/∂w_n) dw_n) + σ2 dv; without a cut κ = 1 and b = 0
  const held = cut < 1 && !secant ? 1 : 0;
  const vb =
    held * (kinematics[SLIP] * b[0] + kinematics[SLIP + 1] * b[1] + kinematics[SLIP + 2] * b[2]);
  const bySpin = secant ? 0 : w[SLIDE] * w[SLIP_SPIN_BEND];
  for (let a = 0; a < 3; a++) {
    const n = kinematics[NORMAL + a];
    const left = held * b[a];
    const v = kinematics[SLIP + a] - left * vb;
    for (let c = 0; c < 3; c++) {
      const across = (a === c ? 1 : 0) - n * kinematics[NORMAL + c];
      slope[SLOPE_FORCE + 3 * a + c] =
        cut * (damper * (across - left * b[c]) + along * v * kinematics[SLIP + c]) +
        w[VISCOUS] * across;
    }
    slope[SLOPE_FORCE_SPIN + a] = cut * bySpin * v;
    slope[SLOPE_MOMENT + a] = 0;
  }
  slope[SLOPE_MOMENT_SPIN] = 0;
  if (!spins) return;
  const radius = kinematics[GYRATION];
  const scale = w[SPIN_SCALE] * radius * radius;
  const drag = w[CREEP] + w[SLIDE] * w[SPIN_GAIN];
  if (secant) {
    slope[SLOPE_MOMENT_SPIN] = scale * (w[SPIN_CUT] * drag + w[VISCOUS]);
    return;
  }
  const free = w[SPIN_CUT] < 1 ? 0 : 1;
  slope[SLOPE_MOMENT_SPIN] = scale * (free * (drag + w[SLIDE] * w[SPIN_BEND]) + w[VISCOUS]);
  for (let a = 0; a < 3; a++) {
    slope[SLOPE_MOMENT + a] =
      scale * free * w[SLIDE] * w[SPIN_SLIP_BEND] * w[TURNING] * kinematics[SLIP + a];
  }
}

/**
 * Derivatives of the gains C G at the present slip a = |v_t| and spin b = r |w_n|, with m = √(a² + b²): for the slip
 * C = s + (1 − s) a/max(m, v_eps), for the spin b in place of a.
 */
function computeBends(w: Float64Array, spins: boolean): void {
  const edge = w[EDGE];
  const a = Math.sqrt(w[SLIDING]);
  const q = a / edge;
  const gain = q >= 1 ? 1 / a : (1.5 - 0.5 * q * q) / edge;
  // G'/a
  const fall = q >= 1 ? -gain / (a * a) : -1 / (edge * edge * edge);
  if (!spins) {
    w[SLIP_BEND] = fall;
    w[SLIP_SPIN_BEND] = 0;
    return;
  }
  const s = w[STICK];
  const b = Math.sqrt(w[SPINNING]);
  const p = b / edge;
  const spinGain = p >= 1 ? 1 / b : (1.5 - 0.5 * p * p) / edge;
  const spinFall = p >= 1 ? -spinGain / (b * b) : -1 / (edge * edge * edge);
  const m = Math.sqrt(w[SLIDING] + w[SPINNING]);
  let ofSlip = (1 - s) / edge; //  ∂C/∂a of the slip
  let ofSpin = ofSlip; //          ∂C/∂b of the spin
  let crossed = 0; //              ∂C/∂b of the slip = ∂C/∂a of the spin
  if (m > edge) {
    const cube = m * m * m;
    ofSlip = ((1 - s) * w[SPINNING]) / cube;
    ofSpin = ((1 - s) * w[SLIDING]) / cube;
    crossed = (-(1 - s) * a * b) / cube;
  }
  const radius = b > 0 ? b / Math.abs(w[TURNING]) : 0;
  const turn = w[TURNING] >= 0 ? radius : -radius; // ∂b/∂w_n
  w[SLIP_BEND] = (a > 0 ? (ofSlip * gain) / a : 0) + w[SLIP_FACTOR] * fall;
  w[SLIP_SPIN_BEND] = crossed * gain * turn;
  // w_n ∂(C G)/∂w_n of the spin, and its derivative by a, over a
  w[SPIN_BEND] = (ofSpin * spinGain + w[SPIN_FACTOR] * spinFall * b) * b;
  w[SPIN_SLIP_BEND] = a > 0 ? (crossed * spinGain) / a : 0;
}
