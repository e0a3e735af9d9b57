/**
 * Loops of the laws of a drag: memoryless friction, and the rolling resistance of Modia3D. The equations stand in the reference modules
 * src/contact/friction/rate-friction.ts and src/contact/rolling/modia3d.ts; the arithmetic is theirs, operation by operation.
 */
import {
  BEND,
  CORRECTIONS,
  COULOMB,
  DEVELOPED,
  DRAG,
  DRAG_AT,
  GAIN,
  LIMIT,
  MOBILITY_AT,
  PARAMETERS_AT,
  SPEED,
  START,
  STICTION,
  STRIBECK,
  TARGET,
} from '../contact/drag-slots';
import { SLOPE, SLOPE_FORCE } from '../contact/friction/friction-slots';
import { LOAD, NORMAL, SLIP, SPIN, STEP } from '../contact/pair-slots';
import { Doubles } from './columns';
import { dragSlope, evaluateDrag, solveDrag } from './drag';
import { exp } from './elementary';
import { Law } from './records';

const P = PARAMETERS_AT;

function computeLimit(w: Doubles, c: Doubles): void {
  w[P + LIMIT] = c[COULOMB];
  if (c[STICTION] == 0) return;
  w[P + LIMIT] = w[P + LIMIT] + c[STICTION] * exp(-w[P + SPEED] * w[P + SPEED] * c[STRIBECK]);
}

/** The slip that the step begins with. */
export function prepareRate(law: Law, k: Doubles): void {
  const x = k[SLIP];
  const y = k[SLIP + 1];
  const z = k[SLIP + 2];
  law.work[START] = Math.sqrt(x * x + y * y + z * z);
}

/** Friction at the slip of the kinematics. */
export function respondRate(law: Law, k: Doubles, load: f64): void {
  const w = law.work;
  const x = k[SLIP];
  const y = k[SLIP + 1];
  const z = k[SLIP + 2];
  w[TARGET] = x;
  w[TARGET + 1] = y;
  w[TARGET + 2] = z;
  w[P + SPEED] = Math.sqrt(x * x + y * y + z * z);
  computeLimit(w, law.constants);
  evaluateDrag(w, law.constants);
  for (let a = 0; a < 3; a++) law.force[a] = -load * w[DRAG_AT + a];
}

/** Friction of the contact by itself: the kinematics hold the slip predicted without it. */
export function solveRate(law: Law, k: Doubles, basis: Doubles, mobility: Doubles): void {
  const w = law.work;
  const c = law.constants;
  const x = k[SLIP];
  const y = k[SLIP + 1];
  const z = k[SLIP + 2];
  w[TARGET] = x * basis[0] + y * basis[1] + z * basis[2];
  w[TARGET + 1] = x * basis[3] + y * basis[4] + z * basis[5];
  w[TARGET + 2] = 0.0;
  w[MOBILITY_AT] = mobility[0];
  w[MOBILITY_AT + 1] = mobility[1];
  w[MOBILITY_AT + 3] = mobility[1];
  w[MOBILITY_AT + 4] = mobility[2];
  const load = mobility[LOAD];
  w[P + GAIN] = mobility[STEP] * load;
  w[P + SPEED] = w[START];
  for (let pass = 0; pass < CORRECTIONS; pass++) {
    computeLimit(w, c);
    solveDrag(w, c);
    if (c[STICTION] == 0) break;
  }
  const fa = -load * w[DRAG_AT];
  const fb = -load * w[DRAG_AT + 1];
  for (let a = 0; a < 3; a++) law.force[a] = fa * basis[a] + fb * basis[3 + a];
}

/** Derivatives of friction over the load at the slip of the last `respondRate`. */
export function rateSlope(law: Law, k: Doubles, slope: Doubles, secant: bool): void {
  const w = law.work;
  const c = law.constants;
  const speed = w[P + SPEED];
  dragSlope(w, c);
  let bend = w[P + BEND];
  if (c[STICTION] != 0 && speed > 0) {
    bend -= (2.0 * c[STRIBECK] * (w[P + LIMIT] - c[COULOMB]) * w[P + DEVELOPED]) / speed;
  }
  if (secant) bend = 0.0;
  for (let a = 0; a < SLOPE; a++) slope[a] = 0.0;
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 3; b++) {
      const across = (a == b ? 1.0 : 0.0) - k[NORMAL + a] * k[NORMAL + b];
      slope[SLOPE_FORCE + 3 * a + b] = w[P + DRAG] * across + bend * k[SLIP + a] * k[SLIP + b];
    }
  }
}

/** Rolling moment at the relative angular velocity of the kinematics. */
export function respondRoll(law: Law, k: Doubles, load: f64): void {
  const w = law.work;
  for (let a = 0; a < 3; a++) w[TARGET + a] = k[SPIN + a];
  evaluateDrag(w, law.constants);
  for (let a = 0; a < 3; a++) law.torque[a] = -load * w[DRAG_AT + a];
}

/** Rolling moment of the contact by itself. */
export function solveRoll(law: Law, k: Doubles, inertia: Doubles, mobility: Doubles): void {
  const w = law.work;
  for (let a = 0; a < 3; a++) w[TARGET + a] = k[SPIN + a];
  for (let a = 0; a < 9; a++) w[MOBILITY_AT + a] = inertia[a];
  const load = mobility[LOAD];
  w[P + GAIN] = mobility[STEP] * load;
  solveDrag(w, law.constants);
  for (let a = 0; a < 3; a++) law.torque[a] = -load * w[DRAG_AT + a];
}

/** −∂τ/∂w at the last `respondRoll`. */
export function rollSlope(law: Law, load: f64, slope: Doubles, secant: bool): void {
  const w = law.work;
  dragSlope(w, law.constants);
  const bend = secant ? 0.0 : w[P + BEND];
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 3; b++) {
      slope[3 * a + b] =
        load * ((a == b ? w[P + DRAG] : 0.0) + bend * w[TARGET + a] * w[TARGET + b]);
    }
  }
}
