/** How the relative twist at a contact point answers a wrench there, and how stiff a contact of many pairs is against that. */
import type { ContactBody } from '../contact-body.ts';
import { ARM_I, ARM_J } from '../pair.ts';

const BLOCK = new Float64Array(36);
/** Most steps of the power method: what is left of the error is a few per cent of λ, and sub-steps go by its root. */
const STEPS = 8;
const DIRECTION = new Float64Array(6);
const FORCE = new Float64Array(6);

/** out := S, 6 × 6: relative velocity at the point and relative angular velocity by a unit wrench on i there and its opposite on j. @alloc none */
export function writeRelativeResponse(
  i: ContactBody,
  j: ContactBody,
  kinematics: Float64Array,
  out: Float64Array,
): void {
  out.fill(0);
  if (i.yields) {
    i.writeResponse(BLOCK, 0, 6);
    addResponse(out, kinematics, ARM_I, ARM_I, 1);
  }
  if (!j.yields) return;
  j.writeResponse(BLOCK, 0, 6);
  addResponse(out, kinematics, ARM_J, ARM_J, 1);
  if (!i.yields || i.assembly === null || i.assembly !== j.assembly) return;
  i.assembly.writeResponse(i.place, j.place, BLOCK, 0, 6);
  addResponse(out, kinematics, ARM_I, ARM_J, -1);
  i.assembly.writeResponse(j.place, i.place, BLOCK, 0, 6);
  addResponse(out, kinematics, ARM_J, ARM_I, -1);
}

/** out += sign X W Xᵀ with the levers of the rows and of the columns; v at the point is v − r × ω. BLOCK is used up. */
function addResponse(
  out: Float64Array,
  k: Float64Array,
  row: number,
  column: number,
  sign: number,
): void {
  const w = BLOCK;
  for (let c = 0; c < 6; c++) {
    const x = w[18 + c];
    const y = w[24 + c];
    const z = w[30 + c];
    w[c] -= k[row + 1] * z - k[row + 2] * y;
    w[6 + c] -= k[row + 2] * x - k[row] * z;
    w[12 + c] -= k[row] * y - k[row + 1] * x;
  }
  for (let r = 0; r < 36; r += 6) {
    const x = w[r + 3];
    const y = w[r + 4];
    const z = w[r + 5];
    w[r] -= k[column + 1] * z - k[column + 2] * y;
    w[r + 1] -= k[column + 2] * x - k[column] * z;
    w[r + 2] -= k[column] * y - k[column + 1] * x;
  }
  for (let a = 0; a < 36; a++) out[a] += sign * w[a];
}

/** value[0] := largest eigenvalue of S K, 1/s², by the power method from the row of S with the largest diagonal. @alloc none */
export function writeLargestEigenvalue(
  response: Float64Array,
  stiffness: Float64Array,
  value: Float64Array,
): void {
  const x = DIRECTION;
  const f = FORCE;
  value[0] = 0;
  for (let a = 0; a < 6; a++) x[a] = 0;
  // the stiffness itself is the first guess: S K times the sum of its columns, each over the root of its diagonal
  for (let a = 0; a < 6; a++) {
    const d = stiffness[7 * a];
    if (!(d > 0)) continue;
    const weight = 1 / Math.sqrt(d);
    for (let b = 0; b < 6; b++)
      for (let c = 0; c < 6; c++) x[b] += weight * response[6 * b + c] * stiffness[6 * c + a];
  }
  for (let step = 0; step < STEPS; step++) {
    let energy = 0;
    for (let a = 0; a < 6; a++) {
      f[a] = 0;
      for (let b = 0; b < 6; b++) f[a] += stiffness[6 * a + b] * x[b];
      energy += x[a] * f[a];
    }
    if (!(energy > 0)) return;
    let power = 0;
    const scale = 1 / Math.sqrt(energy);
    for (let a = 0; a < 6; a++) {
      let sum = 0;
      for (let b = 0; b < 6; b++) sum += response[6 * a + b] * f[b];
      power += f[a] * sum;
      x[a] = scale * sum;
    }
    value[0] = power / energy;
  }
}
