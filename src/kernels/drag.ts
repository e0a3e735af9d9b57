/**
 * A rate-dependent drag: the explicit evaluation, the implicit one of a contact by itself, and the derivative. The equations stand in the
 * reference module src/contact/drag-solver.ts; the arithmetic is its own, operation by operation.
 */
import {
  BEND,
  CONVERGED,
  CUBIC,
  DEVELOPED,
  DRAG,
  DRAG_AT,
  FACTOR_AT,
  GAIN,
  INVERSE_AT,
  LIMIT,
  MOBILITY_AT,
  PARAMETERS_AT,
  PASSES,
  SPEED,
  TARGET,
  TOLERANCE_AT,
  VISCOUS,
} from '../contact/drag-slots';
import { Doubles } from './columns';

const P = PARAMETERS_AT;
const FACTOR = FACTOR_AT;
const SLOPE = FACTOR_AT + 1;
const PRESENT = FACTOR_AT + 2;

/** G and its slope at the speed. */
function computeFactor(w: Doubles, constants: Doubles): void {
  const s = w[P + SPEED];
  const e = w[TOLERANCE_AT];
  if (s >= e) {
    w[FACTOR] = 1.0 / s;
    w[SLOPE] = -1.0 / (s * s);
    return;
  }
  const r = s / e;
  if (constants[CUBIC] != 0) {
    w[FACTOR] = (1.5 - 0.5 * r * r) / e;
    w[SLOPE] = -r / (e * e);
  } else {
    const g = 1.0 / (e * (r * r * (1.0 - r / 3.0) + 1.0 / 3.0));
    w[FACTOR] = g;
    w[SLOPE] = r * (r - 2.0) * g * g;
  }
}

/** The drag at the velocity in the target. */
export function evaluateDrag(w: Doubles, constants: Doubles): void {
  const x = w[TARGET];
  const y = w[TARGET + 1];
  const z = w[TARGET + 2];
  w[P + SPEED] = Math.sqrt(x * x + y * y + z * z);
  computeFactor(w, constants);
  w[P + DEVELOPED] = w[FACTOR] * w[P + SPEED];
  const d = w[P + LIMIT] * w[FACTOR] + w[P + VISCOUS];
  w[DRAG_AT] = d * x;
  w[DRAG_AT + 1] = d * y;
  w[DRAG_AT + 2] = d * z;
}

/** D and the bend of the drag at the speed. */
export function dragSlope(w: Doubles, constants: Doubles): void {
  computeFactor(w, constants);
  w[P + DRAG] = w[P + LIMIT] * w[FACTOR] + w[P + VISCOUS];
  w[P + BEND] = w[P + SPEED] > 0 ? (w[P + LIMIT] * w[SLOPE]) / w[P + SPEED] : 0.0;
}

/** The drag at the velocity after the step. */
export function solveDrag(w: Doubles, constants: Doubles): void {
  const v0 = w[TARGET];
  const v1 = w[TARGET + 1];
  const v2 = w[TARGET + 2];
  const total = v0 * v0 + v1 * v1 + v2 * v2;
  if (total == 0) {
    w[DRAG_AT] = 0.0;
    w[DRAG_AT + 1] = 0.0;
    w[DRAG_AT + 2] = 0.0;
    w[P + SPEED] = 0.0;
    w[P + DEVELOPED] = 0.0;
    return;
  }
  const M = MOBILITY_AT;
  const N = INVERSE_AT;
  const k = w[P + GAIN];
  const mu = w[P + LIMIT];
  const mean =
    (v0 * (w[M] * v0 + w[M + 1] * v1 + w[M + 2] * v2) +
      v1 * (w[M + 3] * v0 + w[M + 4] * v1 + w[M + 5] * v2) +
      v2 * (w[M + 6] * v0 + w[M + 7] * v1 + w[M + 8] * v2)) /
    total;
  let s = (Math.sqrt(total) - k * mean * mu) / (1.0 + k * mean * w[P + VISCOUS]);
  if (s < w[TOLERANCE_AT]) s = 0.0;
  let low = 0.0;
  let high = Infinity;
  let d = 0.0;
  let length = 0.0;
  let u0 = 0.0;
  let u1 = 0.0;
  let u2 = 0.0;
  for (let pass = 0; pass < PASSES; pass++) {
    w[P + SPEED] = s;
    computeFactor(w, constants);
    d = mu * w[FACTOR] + w[P + VISCOUS];
    w[PRESENT] = d;
    invert(w);
    u0 = w[N] * v0 + w[N + 1] * v1 + w[N + 2] * v2;
    u1 = w[N + 1] * v0 + w[N + 4] * v1 + w[N + 5] * v2;
    u2 = w[N + 2] * v0 + w[N + 5] * v1 + w[N + 8] * v2;
    length = Math.sqrt(u0 * u0 + u1 * u1 + u2 * u2);
    const gap = s - length;
    if (gap * gap <= CONVERGED * CONVERGED * length * length) break;
    if (gap < 0) low = length;
    else high = length;
    const x = w[M] * u0 + w[M + 1] * u1 + w[M + 2] * u2;
    const y = w[M + 3] * u0 + w[M + 4] * u1 + w[M + 5] * u2;
    const z = w[M + 6] * u0 + w[M + 7] * u1 + w[M + 8] * u2;
    const fall =
      u0 * (w[N] * x + w[N + 1] * y + w[N + 2] * z) +
      u1 * (w[N + 1] * x + w[N + 4] * y + w[N + 5] * z) +
      u2 * (w[N + 2] * x + w[N + 5] * y + w[N + 8] * z);
    const next = s - gap / (1.0 + (s * k * fall * mu * w[SLOPE]) / (length * length));
    s = next >= low && next <= high ? next : length;
  }
  w[P + SPEED] = length;
  computeFactor(w, constants);
  w[P + DEVELOPED] = w[FACTOR] * length;
  const consistent = mu * w[FACTOR] + w[P + VISCOUS];
  if (consistent < d) d = consistent;
  w[DRAG_AT] = d * u0;
  w[DRAG_AT + 1] = d * u1;
  w[DRAG_AT + 2] = d * u2;
}

/** (1 + k d M)⁻¹. */
function invert(w: Doubles): void {
  const M = MOBILITY_AT;
  const N = INVERSE_AT;
  const g = w[P + GAIN] * w[PRESENT];
  const a = 1.0 + g * w[M];
  const b = g * w[M + 1];
  const c = g * w[M + 2];
  const e = 1.0 + g * w[M + 4];
  const f = g * w[M + 5];
  const i = 1.0 + g * w[M + 8];
  const ei = e * i - f * f;
  const cf = c * f - b * i;
  const bf = b * f - c * e;
  const scale = 1.0 / (a * ei + b * cf + c * bf);
  w[N] = ei * scale;
  w[N + 1] = cf * scale;
  w[N + 2] = bf * scale;
  w[N + 4] = (a * i - c * c) * scale;
  w[N + 5] = (b * c - a * f) * scale;
  w[N + 8] = (a * e - b * b) * scale;
}
