/**
 * Loops of the normal laws: elastic force, damping, energy and where an impact would stop. The equations stand in the reference modules
 * src/contact/normal; the arithmetic is theirs, operation by operation.
 */
import {
  HYSTERETIC_LOOP,
  DASHPOT_LOOP,
  MODIA3D_LOOP,
  VOLUMETRIC_LOOP,
} from '../contact/loop-kinds';
import {
  COEFFICIENT,
  ENERGY,
  EXPONENT,
  HYSTERETIC_LEVEL,
  HYSTERETIC_RELAXATION,
  OF_PHASE,
  RELAXED,
  SMALLEST,
  STIFFNESS,
  VOLUME_LEVEL,
  VOLUME_RELAXATION,
} from '../contact/normal/law-slots';
import {
  DAMPING,
  DEPTH,
  ELASTIC,
  IMPACT_SPEED,
  LEAST,
  NORMAL_RATE,
  OVERLAP_AREA,
  OVERLAP_VOLUME,
  STORED,
  TURN_AREA,
  TURN_DEPTH,
  TURN_EXPONENT,
  TURN_INVERSE_MASS,
  TURN_RATE,
  TURN_STIFFNESS,
  TURN_VOLUME,
} from '../contact/normal/normal-slots';
import { Doubles } from './columns';
import { exp, pow } from './elementary';
import { Law } from './records';

/** f_el, B, the least force and the stored energy at the depth or the volume of the column. */
export function evaluateNormal(law: Law, result: Doubles): void {
  if (law.kind == VOLUMETRIC_LOOP) evaluateVolumetric(law, result);
  else evaluatePower(law, result);
}

/** k δⁿ, and the damping of the law. */
function evaluatePower(law: Law, result: Doubles): void {
  const c = law.constants;
  let delta = result[DEPTH];
  if (law.mark != 0) {
    const relaxed = delta - law.states[0];
    delta = relaxed > 0 ? relaxed : 0.0;
    law.rates[0] = -law.states[0] / c[HYSTERETIC_RELAXATION];
  }
  const n = c[EXPONENT];
  const shape = raised(delta, n);
  const force = c[STIFFNESS] * shape;
  result[ELASTIC] = force;
  result[STORED] = (force * delta) / (n + 1.0);
  result[LEAST] = c[SMALLEST];
  if (law.kind == HYSTERETIC_LOOP) {
    result[DAMPING] = (force * c[HYSTERETIC_LEVEL]) / law.internals[IMPACT_SPEED];
  } else if (law.kind == DASHPOT_LOOP) {
    result[DAMPING] = result[DEPTH] > 0 ? c[COEFFICIENT] : 0.0;
  } else if (law.kind == MODIA3D_LOOP) result[DAMPING] = force * law.internals[OF_PHASE];
  else result[DAMPING] = force * c[COEFFICIENT];
}

function evaluateVolumetric(law: Law, result: Doubles): void {
  const c = law.constants;
  const x = law.states;
  let volume = result[OVERLAP_VOLUME];
  if (law.mark != 0) {
    volume -= x[RELAXED];
    if (!(volume > 0)) volume = 0.0;
    law.rates[RELAXED] = -x[RELAXED] / c[VOLUME_RELAXATION];
  }
  const force = c[STIFFNESS] * volume;
  law.rates[ENERGY] = -force * result[NORMAL_RATE];
  law.work[0] = force;
  result[ELASTIC] = force;
  result[DAMPING] = (force * c[VOLUME_LEVEL]) / law.internals[IMPACT_SPEED];
  result[STORED] = x[ENERGY];
  result[LEAST] = 0.0;
}

/** States over the span h at the mean of the normal rates before and after. */
export function advanceNormal(law: Law, h: f64, meanRate: f64): void {
  const x = law.states;
  if (law.kind == VOLUMETRIC_LOOP) {
    x[ENERGY] = x[ENERGY] - h * law.work[0] * meanRate;
    if (law.mark != 0) x[RELAXED] = x[RELAXED] * exp(-h / law.constants[VOLUME_RELAXATION]);
  } else if (law.mark != 0) x[0] = x[0] * exp(-h / law.constants[HYSTERETIC_RELAXATION]);
}

/** Depth, exponent and stiffness where the impact of the column would stop. */
export function measureTurn(law: Law, turn: Doubles): void {
  const c = law.constants;
  const k = c[STIFFNESS];
  const rate = turn[TURN_RATE];
  if (law.kind == VOLUMETRIC_LOOP) {
    const volume = turn[TURN_VOLUME];
    const depth = turn[TURN_DEPTH];
    turn[TURN_STIFFNESS] = 0.0;
    turn[TURN_EXPONENT] = 1.0;
    if (!(volume > 0 && depth > 0)) return;
    const q = localExponent((turn[TURN_AREA] * depth) / volume);
    const stored = (k * volume * depth) / (q + 1.0);
    const kinetic = (0.5 * rate * rate) / turn[TURN_INVERSE_MASS];
    const stretch = pow(1.0 + kinetic / stored, 1.0 / (q + 1.0));
    turn[TURN_DEPTH] = depth * stretch;
    turn[TURN_EXPONENT] = q;
    turn[TURN_STIFFNESS] = ((k * q * volume) / depth) * pow(stretch, q - 1.0);
    return;
  }
  const n = c[EXPONENT];
  const delta = turn[TURN_DEPTH];
  const shape = raised(delta, n);
  const energy = (0.5 * (n + 1.0) * rate * rate) / (k * turn[TURN_INVERSE_MASS]);
  const depth = pow(shape * delta + energy, 1.0 / (n + 1.0));
  turn[TURN_DEPTH] = depth;
  turn[TURN_EXPONENT] = n;
  turn[TURN_STIFFNESS] = n * k * slopeOf(depth, n);
}

/** δⁿ, δ >= 0. */
function raised(delta: f64, n: f64): f64 {
  if (n == 1.5) return delta * Math.sqrt(delta);
  if (n == 1) return delta;
  if (n == 2) return delta * delta;
  return delta > 0 ? pow(delta, n) : 0.0;
}

/** δⁿ⁻¹, δ >= 0. */
function slopeOf(depth: f64, n: f64): f64 {
  if (n == 1.5) return Math.sqrt(depth);
  if (n == 1) return 1.0;
  if (n == 2) return depth;
  return depth > 0 ? pow(depth, n - 1.0) : 0.0;
}

function localExponent(q: f64): f64 {
  return q > 1 ? (q < 3 ? q : 3.0) : 1.0;
}
