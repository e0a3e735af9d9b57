/**
 * Loop of the bristle friction laws, with and without spin. The equations stand in the reference modules
 * src/contact/friction/tangential-bristle.ts and bristle-slope.ts; the arithmetic is theirs, operation by operation.
 */
import {
  BRISTLE_TIME,
  COULOMB,
  CREEP,
  CUT,
  DAMPING,
  DWELL_PART,
  DWELL_TIME,
  EDGE,
  EXPLICIT,
  FADE_PART,
  FOLLOW,
  INVERSE_STRIBECK,
  MOMENT_SCALE,
  SLIDE,
  SLIDING,
  SLIP_BEND,
  SLIP_FACTOR,
  SLIP_GAIN,
  SLIP_LIMIT,
  SLIP_SPIN_BEND,
  SPAN,
  SPINNING,
  SPIN_BEND,
  SPIN_CUT,
  SPIN_FACTOR,
  SPIN_GAIN,
  SPIN_LIMIT,
  SPIN_SCALE,
  SPIN_SLIP_BEND,
  SPRING,
  STICK,
  STICTION,
  STIFFNESS,
  TORSION,
  TURNING,
  VISCOUS,
  VISCOUS_DAMPING,
} from '../contact/friction/bristle-slots';
import {
  SLOPE_FORCE,
  SLOPE_FORCE_SPIN,
  SLOPE_MOMENT,
  SLOPE_MOMENT_SPIN,
} from '../contact/friction/friction-slots';
import { BRISTLE } from '../contact/normal/normal-slots';
import { GYRATION, LOAD, NORMAL, SLIP, SPIN, STEP } from '../contact/pair-slots';
import { Doubles } from './columns';
import { exp, expm1 } from './elementary';
import { Law } from './records';

/** Fixes what is taken from the start of a step of length h. */
export function prepareBristle(law: Law, k: Doubles, h: f64): void {
  const x = law.states;
  const w = law.work;
  const c = law.constants;
  const nx = k[NORMAL];
  const ny = k[NORMAL + 1];
  const nz = k[NORMAL + 2];
  const out = x[0] * nx + x[1] * ny + x[2] * nz;
  x[0] = x[0] - out * nx;
  x[1] = x[1] - out * ny;
  x[2] = x[2] - out * nz;
  measure(law, k);
  const s = w[STICK];
  const fade = (1.0 - s) / c[BRISTLE_TIME];
  const fades = 1.0 / (1.0 + fade * h);
  const follow = c[STIFFNESS] * h + c[DAMPING];
  w[FOLLOW] = follow;
  w[SPRING] = c[STIFFNESS] - follow * fade * fades;
  w[CREEP] = follow * s * fades;
  w[SLIDE] = (follow * (1.0 - s) * fades * c[COULOMB]) / c[DAMPING];
}

/** Force, moment and rates when the step ends with the slip and spin of the kinematics. */
export function respondBristle(law: Law, k: Doubles, load: f64): void {
  const w = law.work;
  const z = law.states;
  const b = law.bent;
  const c = law.constants;
  const spins = law.mark != 0;
  const vx = k[SLIP];
  const vy = k[SLIP + 1];
  const vz = k[SLIP + 2];
  w[SLIDING] = vx * vx + vy * vy + vz * vz;
  w[TURNING] = 0.0;
  if (spins) {
    w[TURNING] = k[NORMAL] * k[SPIN] + k[NORMAL + 1] * k[SPIN + 1] + k[NORMAL + 2] * k[SPIN + 2];
    const edge = k[GYRATION] * w[TURNING];
    w[SPINNING] = edge * edge;
  }
  computeGains(w, spins);
  const spring = w[SPRING];
  const damper = w[CREEP] + w[SLIDE] * w[SLIP_GAIN];
  let fx = spring * z[0] + damper * vx;
  let fy = spring * z[1] + damper * vy;
  let fz = spring * z[2] + damper * vz;
  const m = Math.sqrt(fx * fx + fy * fy + fz * fz);
  const limit = w[SLIP_LIMIT];
  w[CUT] = 1.0;
  if (m > limit) {
    const cut = limit / m;
    w[CUT] = cut;
    b[0] = fx / m;
    b[1] = fy / m;
    b[2] = fz / m;
    fx *= cut;
    fy *= cut;
    fz *= cut;
  }
  const s0 = c[STIFFNESS];
  const s2 = c[VISCOUS_DAMPING];
  const r = law.rates;
  r[0] = (fx - s0 * z[0]) / w[FOLLOW];
  r[1] = (fy - s0 * z[1]) / w[FOLLOW];
  r[2] = (fz - s0 * z[2]) / w[FOLLOW];
  const f = law.force;
  f[0] = -load * (fx + s2 * vx);
  f[1] = -load * (fy + s2 * vy);
  f[2] = -load * (fz + s2 * vz);
  w[EXPLICIT] = 0.0;
  if (spins) respondSpin(law, k, load);
}

function respondSpin(law: Law, k: Doubles, load: f64): void {
  const w = law.work;
  const c = law.constants;
  const radius = k[GYRATION];
  const theta = law.states[TORSION];
  let moment = 0.0;
  law.rates[TORSION] = 0.0;
  w[SPIN_CUT] = 1.0;
  if (radius > 0) {
    const damper = w[CREEP] + w[SLIDE] * w[SPIN_GAIN];
    let g = w[SPRING] * theta + damper * w[TURNING];
    const limit = w[SPIN_LIMIT] / radius;
    if (g > limit || g < -limit) {
      w[SPIN_CUT] = limit / Math.abs(g);
      g = g > 0 ? limit : -limit;
    }
    law.rates[TORSION] = (g - c[STIFFNESS] * theta) / w[FOLLOW];
    moment = -c[MOMENT_SCALE] * radius * radius * load * (g + c[VISCOUS_DAMPING] * w[TURNING]);
  }
  for (let a = 0; a < 3; a++) law.torque[a] = moment * k[NORMAL + a];
}

/** Force and rates of the contact by itself: `kinematics` holds the slip predicted without friction. */
export function solveBristle(law: Law, k: Doubles, basis: Doubles, mobility: Doubles): void {
  const load = mobility[LOAD];
  const x = law.states;
  const r = law.rates;
  const w = law.work;
  const c = law.constants;
  const s2 = c[VISCOUS_DAMPING];
  const a0 = basis[0];
  const a1 = basis[1];
  const a2 = basis[2];
  const b0 = basis[3];
  const b1 = basis[4];
  const b2 = basis[5];
  const va = k[SLIP] * a0 + k[SLIP + 1] * a1 + k[SLIP + 2] * a2;
  const vb = k[SLIP] * b0 + k[SLIP + 1] * b1 + k[SLIP + 2] * b2;
  const za = x[0] * a0 + x[1] * a1 + x[2] * a2;
  const zb = x[0] * b0 + x[1] * b1 + x[2] * b2;
  const gain = mobility[STEP] * load;
  const waa = gain * mobility[0];
  const wab = gain * mobility[1];
  const wbb = gain * mobility[2];
  const spring = w[SPRING];
  let damper = 0.0;
  let d = 0.0;
  let ra = va - spring * (waa * za + wab * zb);
  let rb = vb - spring * (wab * za + wbb * zb);
  let m11 = 0.0;
  let m12 = 0.0;
  let m22 = 0.0;
  let inverse = 0.0;
  let na = 0.0;
  let nb = 0.0;
  for (let pass = 0; pass < 2; pass++) {
    if (pass == 1) {
      w[SLIDING] = na * na + nb * nb;
      computeGains(w, law.mark != 0);
    }
    damper = w[CREEP] + w[SLIDE] * w[SLIP_GAIN];
    d = damper + s2;
    m11 = 1.0 + waa * d;
    m12 = wab * d;
    m22 = 1.0 + wbb * d;
    inverse = 1.0 / (m11 * m22 - m12 * m12);
    na = (m22 * ra - m12 * rb) * inverse;
    nb = (m11 * rb - m12 * ra) * inverse;
  }
  let fa = spring * za + damper * na;
  let fb = spring * zb + damper * nb;
  const m = Math.sqrt(fa * fa + fb * fb);
  const limit = w[SLIP_LIMIT];
  if (m > limit) {
    fa *= limit / m;
    fb *= limit / m;
    d = s2;
    ra = va - (waa * fa + wab * fb);
    rb = vb - (wab * fa + wbb * fb);
    m11 = 1.0 + waa * d;
    m12 = wab * d;
    m22 = 1.0 + wbb * d;
    inverse = 1.0 / (m11 * m22 - m12 * m12);
    na = (m22 * ra - m12 * rb) * inverse;
    nb = (m11 * rb - m12 * ra) * inverse;
  }
  const s0 = c[STIFFNESS];
  const da = (fa - s0 * za) / w[FOLLOW];
  const db = (fb - s0 * zb) / w[FOLLOW];
  fa = -load * (fa + s2 * na);
  fb = -load * (fb + s2 * nb);
  const f = law.force;
  r[0] = da * a0 + db * b0;
  r[1] = da * a1 + db * b1;
  r[2] = da * a2 + db * b2;
  f[0] = fa * a0 + fb * b0;
  f[1] = fa * a1 + fb * b1;
  f[2] = fa * a2 + fb * b2;
  const sliding = na * na + nb * nb;
  // where nothing yields the gains are there already
  const moved = sliding != w[SLIDING];
  w[SLIDING] = sliding;
  w[EXPLICIT] = 0.0;
  if (law.mark != 0 && moved) computeGains(w, true);
}

/** Moment about the normal of the contact by itself. */
export function solveSpin(law: Law, k: Doubles, inertia: Doubles, mobility: Doubles): void {
  const w = law.work;
  const r = law.rates;
  const c = law.constants;
  const s2 = c[VISCOUS_DAMPING];
  const nx = k[NORMAL];
  const ny = k[NORMAL + 1];
  const nz = k[NORMAL + 2];
  const radius = k[GYRATION];
  const before = nx * k[SPIN] + ny * k[SPIN + 1] + nz * k[SPIN + 2];
  const theta = law.states[TORSION];
  let moment = 0.0;
  r[TORSION] = 0.0;
  if (radius > 0) {
    const m = inertia;
    const yielding =
      nx * (m[0] * nx + m[1] * ny + m[2] * nz) +
      ny * (m[3] * nx + m[4] * ny + m[5] * nz) +
      nz * (m[6] * nx + m[7] * ny + m[8] * nz);
    const load = c[MOMENT_SCALE] * radius * radius * mobility[LOAD];
    const gain = mobility[STEP] * load * yielding;
    const pushed = before - gain * w[SPRING] * theta;
    let damper = 0.0;
    let after = 0.0;
    for (let pass = 0; pass < 2; pass++) {
      if (pass == 1) setSpinning(w, radius * radius * after * after);
      damper = w[CREEP] + w[SLIDE] * w[SPIN_GAIN];
      after = pushed / (1.0 + gain * (damper + s2));
    }
    let g = w[SPRING] * theta + damper * after;
    const limit = w[SPIN_LIMIT] / radius;
    if (g > limit || g < -limit) {
      g = g > 0 ? limit : -limit;
      after = (before - gain * g) / (1.0 + gain * s2);
    }
    r[TORSION] = (g - c[STIFFNESS] * theta) / w[FOLLOW];
    moment = -load * (g + s2 * after);
    setSpinning(w, radius * radius * after * after);
  }
  law.torque[0] = moment * nx;
  law.torque[1] = moment * ny;
  law.torque[2] = moment * nz;
}

/** Derivatives of friction over the load at the slip and spin of the last `respondBristle`. */
export function bristleSlope(law: Law, k: Doubles, slope: Doubles, secant: bool): void {
  const w = law.work;
  const b = law.bent;
  const spins = law.mark != 0;
  computeBends(w, spins);
  const damper = w[CREEP] + w[SLIDE] * w[SLIP_GAIN];
  const along = secant ? 0.0 : w[SLIDE] * w[SLIP_BEND];
  const cut = w[CUT];
  const held = cut < 1 && !secant ? 1.0 : 0.0;
  const vb = held * (k[SLIP] * b[0] + k[SLIP + 1] * b[1] + k[SLIP + 2] * b[2]);
  const bySpin = secant ? 0.0 : w[SLIDE] * w[SLIP_SPIN_BEND];
  for (let a = 0; a < 3; a++) {
    const n = k[NORMAL + a];
    const left = held * b[a];
    const v = k[SLIP + a] - left * vb;
    for (let e = 0; e < 3; e++) {
      const across = (a == e ? 1.0 : 0.0) - n * k[NORMAL + e];
      slope[SLOPE_FORCE + 3 * a + e] =
        cut * (damper * (across - left * b[e]) + along * v * k[SLIP + e]) + w[VISCOUS] * across;
    }
    slope[SLOPE_FORCE_SPIN + a] = cut * bySpin * v;
    slope[SLOPE_MOMENT + a] = 0.0;
  }
  slope[SLOPE_MOMENT_SPIN] = 0.0;
  if (!spins) return;
  const radius = k[GYRATION];
  const scale = w[SPIN_SCALE] * radius * radius;
  const drag = w[CREEP] + w[SLIDE] * w[SPIN_GAIN];
  if (secant) {
    slope[SLOPE_MOMENT_SPIN] = scale * (w[SPIN_CUT] * drag + w[VISCOUS]);
    return;
  }
  const free = w[SPIN_CUT] < 1 ? 0.0 : 1.0;
  slope[SLOPE_MOMENT_SPIN] = scale * (free * (drag + w[SLIDE] * w[SPIN_BEND]) + w[VISCOUS]);
  for (let a = 0; a < 3; a++) {
    slope[SLOPE_MOMENT + a] =
      scale * free * w[SLIDE] * w[SPIN_SLIP_BEND] * w[TURNING] * k[SLIP + a];
  }
}

/** States over a step of length h. */
export function advanceBristle(law: Law, h: f64): void {
  const x = law.states;
  const r = law.rates;
  const w = law.work;
  const c = law.constants;
  const deformations = law.mark != 0 ? TORSION + 1 : TORSION;
  for (let a = 0; a < deformations; a++) x[a] = x[a] + h * r[a];
  const s = exp(-(w[SLIDING] + w[SPINNING]) * c[INVERSE_STRIBECK]);
  w[STICK] = s;
  const dwell = law.dwell;
  if (dwell < 0) return;
  const gap = s - x[dwell];
  if (c[SPAN] != h) {
    c[SPAN] = h;
    c[DWELL_PART] = expm1(-h / c[DWELL_TIME]);
    c[FADE_PART] = expm1(-h / c[BRISTLE_TIME]);
  }
  x[dwell] = x[dwell] - gap * (gap >= 0 ? c[DWELL_PART] : c[FADE_PART]);
}

/** Energy in the bristles into its slot of the normal column. */
export function storeBristle(law: Law, force: f64, normal: Doubles, k: Doubles): void {
  const x = law.states;
  let bent = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
  if (law.mark != 0) {
    const r = k[GYRATION];
    bent += law.constants[MOMENT_SCALE] * r * r * x[TORSION] * x[TORSION];
  }
  normal[BRISTLE] = 0.5 * force * law.constants[STIFFNESS] * bent;
}

/** The gains at a spin, which follow those of `solveBristle` at the same slip. */
function setSpinning(w: Doubles, spinning: f64): void {
  if (spinning == w[SPINNING]) return;
  w[SPINNING] = spinning;
  computeGains(w, true);
}

/** Slip, spin, stick state, gains and limits from the kinematics. */
function measure(law: Law, k: Doubles): void {
  const w = law.work;
  const c = law.constants;
  const spins = law.mark != 0;
  w[SLIDING] = k[SLIP] * k[SLIP] + k[SLIP + 1] * k[SLIP + 1] + k[SLIP + 2] * k[SLIP + 2];
  if (spins) {
    const turn =
      k[GYRATION] *
      (k[NORMAL] * k[SPIN] + k[NORMAL + 1] * k[SPIN + 1] + k[NORMAL + 2] * k[SPIN + 2]);
    w[SPINNING] = turn * turn;
  }
  const s = exp(-(w[SLIDING] + w[SPINNING]) * c[INVERSE_STRIBECK]);
  w[STICK] = s;
  const dwell = law.dwell >= 0 ? law.states[law.dwell] : s;
  const top = c[COULOMB] + (c[STICTION] - c[COULOMB]) * dwell;
  computeGains(w, spins);
  w[SLIP_LIMIT] = top * w[SLIP_FACTOR];
  w[SPIN_LIMIT] = top * w[SPIN_FACTOR];
}

/** Factors and gains C G of the slip and spin in the scratch column, with its stick state. */
function computeGains(w: Doubles, spins: bool): void {
  const edge = w[EDGE];
  const slip = Math.sqrt(w[SLIDING]);
  const r = slip / edge;
  const gain = r >= 1 ? 1.0 / slip : (1.5 - 0.5 * r * r) / edge;
  w[SLIP_GAIN] = gain;
  if (!spins) return;
  const s = w[STICK];
  const spin = Math.sqrt(w[SPINNING]);
  const mean = Math.sqrt(w[SLIDING] + w[SPINNING]);
  const share = (1.0 - s) / Math.max(mean, edge);
  const q = spin / edge;
  const slipFactor = s + share * slip;
  const spinFactor = s + share * spin;
  w[SLIP_FACTOR] = slipFactor;
  w[SPIN_FACTOR] = spinFactor;
  w[SLIP_GAIN] = slipFactor * gain;
  w[SPIN_GAIN] = spinFactor * (q >= 1 ? 1.0 / spin : (1.5 - 0.5 * q * q) / edge);
}

/** Derivatives of the gains. */
function computeBends(w: Doubles, spins: bool): void {
  const edge = w[EDGE];
  const a = Math.sqrt(w[SLIDING]);
  const q = a / edge;
  const gain = q >= 1 ? 1.0 / a : (1.5 - 0.5 * q * q) / edge;
  const fall = q >= 1 ? -gain / (a * a) : -1.0 / (edge * edge * edge);
  if (!spins) {
    w[SLIP_BEND] = fall;
    w[SLIP_SPIN_BEND] = 0.0;
    return;
  }
  const s = w[STICK];
  const b = Math.sqrt(w[SPINNING]);
  const p = b / edge;
  const spinGain = p >= 1 ? 1.0 / b : (1.5 - 0.5 * p * p) / edge;
  const spinFall = p >= 1 ? -spinGain / (b * b) : -1.0 / (edge * edge * edge);
  const m = Math.sqrt(w[SLIDING] + w[SPINNING]);
  let ofSlip = (1.0 - s) / edge;
  let ofSpin = ofSlip;
  let crossed = 0.0;
  if (m > edge) {
    const cube = m * m * m;
    ofSlip = ((1.0 - s) * w[SPINNING]) / cube;
    ofSpin = ((1.0 - s) * w[SLIDING]) / cube;
    crossed = (-(1.0 - s) * a * b) / cube;
  }
  const radius = b > 0 ? b / Math.abs(w[TURNING]) : 0.0;
  const turn = w[TURNING] >= 0 ? radius : -radius;
  w[SLIP_BEND] = (a > 0 ? (ofSlip * gain) / a : 0.0) + w[SLIP_FACTOR] * fall;
  w[SLIP_SPIN_BEND] = crossed * gain * turn;
  w[SPIN_BEND] = (ofSpin * spinGain + w[SPIN_FACTOR] * spinFall * b) * b;
  w[SPIN_SLIP_BEND] = a > 0 ? (crossed * spinGain) / a : 0.0;
}
