/**
 * Loop of the rolling resistance of a damped foundation. The equations stand in the reference module
 * src/contact/rolling/volumetric.ts; the arithmetic is its own, operation by operation.
 */
import { INERTIA, NORMAL, RESISTANCE, SPIN, STEP, VOLUME } from '../contact/pair-slots';
import { Doubles } from './columns';
import { Law } from './records';

// the scratch column: C, then 1 + h M C, row by row, then the angular velocity that the drag acts on
const SYSTEM = 9;
const TURN = 18;

/** The moment at the relative angular velocity of the kinematics. */
export function evaluateRolling(law: Law, k: Doubles, mobility: Doubles): void {
  const c = law.work;
  computeDrag(c, k, mobility);
  for (let a = 0; a < 3; a++) c[TURN + a] = k[SPIN + a];
  apply(law);
}

/** The moment of the contact by itself: the kinematics hold the angular velocity predicted without it. */
export function solveRolling(law: Law, k: Doubles, inertia: Doubles, mobility: Doubles): void {
  const c = law.work;
  computeDrag(c, k, mobility);
  const h = mobility[STEP];
  for (let a = 0; a < 3; a++) {
    const p = h * inertia[3 * a];
    const q = h * inertia[3 * a + 1];
    const r = h * inertia[3 * a + 2];
    for (let b = 0; b < 3; b++) {
      c[SYSTEM + 3 * a + b] = (a == b ? 1.0 : 0.0) + p * c[b] + q * c[3 + b] + r * c[6 + b];
    }
  }
  const m0 = c[SYSTEM];
  const m1 = c[SYSTEM + 1];
  const m2 = c[SYSTEM + 2];
  const m3 = c[SYSTEM + 3];
  const m4 = c[SYSTEM + 4];
  const m5 = c[SYSTEM + 5];
  const m6 = c[SYSTEM + 6];
  const m7 = c[SYSTEM + 7];
  const m8 = c[SYSTEM + 8];
  const x = k[SPIN];
  const y = k[SPIN + 1];
  const z = k[SPIN + 2];
  const c0 = m4 * m8 - m5 * m7;
  const c1 = m5 * m6 - m3 * m8;
  const c2 = m3 * m7 - m4 * m6;
  const f = 1.0 / (m0 * c0 + m1 * c1 + m2 * c2);
  c[TURN] = f * (x * c0 + y * (m2 * m7 - m1 * m8) + z * (m1 * m5 - m2 * m4));
  c[TURN + 1] = f * (x * c1 + y * (m0 * m8 - m2 * m6) + z * (m2 * m3 - m0 * m5));
  c[TURN + 2] = f * (x * c2 + y * (m1 * m6 - m0 * m7) + z * (m0 * m4 - m1 * m3));
  apply(law);
}

/** −∂τ/∂w. */
export function rollingSlope(law: Law, slope: Doubles): void {
  for (let a = 0; a < 9; a++) slope[a] = law.work[a];
}

function apply(law: Law): void {
  const c = law.work;
  for (let a = 0; a < 3; a++) {
    law.torque[a] = -(c[3 * a] * c[TURN] + c[3 * a + 1] * c[TURN + 1] + c[3 * a + 2] * c[TURN + 2]);
  }
}

/** (B/V) T J_v T; 0 without an overlap. */
function computeDrag(c: Doubles, kinematics: Doubles, mobility: Doubles): void {
  const volume = kinematics[VOLUME];
  const k = volume > 0 ? mobility[RESISTANCE] / volume : 0.0;
  const xx = k * kinematics[INERTIA];
  const yy = k * kinematics[INERTIA + 1];
  const zz = k * kinematics[INERTIA + 2];
  const xy = k * kinematics[INERTIA + 3];
  const xz = k * kinematics[INERTIA + 4];
  const yz = k * kinematics[INERTIA + 5];
  const nx = kinematics[NORMAL];
  const ny = kinematics[NORMAL + 1];
  const nz = kinematics[NORMAL + 2];
  let ux = xx * nx + xy * ny + xz * nz;
  let uy = xy * nx + yy * ny + yz * nz;
  let uz = xz * nx + yz * ny + zz * nz;
  const half = 0.5 * (ux * nx + uy * ny + uz * nz);
  ux -= half * nx;
  uy -= half * ny;
  uz -= half * nz;
  c[0] = xx - 2.0 * ux * nx;
  c[4] = yy - 2.0 * uy * ny;
  c[8] = zz - 2.0 * uz * nz;
  const xyOff = xy - nx * uy - ux * ny;
  const xzOff = xz - nx * uz - ux * nz;
  const yzOff = yz - ny * uz - uy * nz;
  c[1] = xyOff;
  c[3] = xyOff;
  c[2] = xzOff;
  c[6] = xzOff;
  c[5] = yzOff;
  c[7] = yzOff;
}
