/**
 * What one contact adds to the equations of its island: wrenches about the origins of its bodies, and 6 × 6 blocks of the slope.
 * docs/theory/contact-step.md.
 */
import type { ContactModel } from '../contact/contact-model.ts';
import { STEP } from '../contact/pair.ts';
import { LEVER, SIX } from './newton-slots.ts';

/** A 6 × 6 block of zeros. @alloc none */
export function clearBlock(m: Float64Array, at: number, stride: number): void {
  for (let a = 0; a < SIX; a++) for (let b = 0; b < SIX; b++) m[at + a * stride + b] = 0;
}

/** out[at..] += sign h Xᵀ (F, τ); the largest square of a lever into its sum. */
export function addWrench(
  out: Float64Array,
  at: number,
  contact: ContactModel,
  arm: number,
  sign: number,
  sums: Float64Array,
): void {
  const k = contact.kinematics;
  const h = sign * contact.mobility[STEP];
  const fx = h * contact.force[0];
  const fy = h * contact.force[1];
  const fz = h * contact.force[2];
  const rx = k[arm];
  const ry = k[arm + 1];
  const rz = k[arm + 2];
  out[at] += fx;
  out[at + 1] += fy;
  out[at + 2] += fz;
  out[at + 3] += ry * fz - rz * fy;
  out[at + 4] += rz * fx - rx * fz;
  out[at + 5] += rx * fy - ry * fx;
  const square = rx * rx + ry * ry + rz * rz;
  if (square > sums[LEVER]) sums[LEVER] = square;
  if (!contact.turns) return;
  for (let a = 0; a < 3; a++) out[at + 3 + a] += h * contact.torque[a];
}

/** carried := K X: row by row (k_v, k_w) becomes (k_v, r × k_v + k_w). */
export function carry(
  slope: Float64Array,
  k: Float64Array,
  arm: number,
  carried: Float64Array,
): void {
  const rx = k[arm];
  const ry = k[arm + 1];
  const rz = k[arm + 2];
  for (let row = 0; row < 36; row += SIX) {
    const x = slope[row];
    const y = slope[row + 1];
    const z = slope[row + 2];
    carried[row] = x;
    carried[row + 1] = y;
    carried[row + 2] = z;
    carried[row + 3] = slope[row + 3] + ry * z - rz * y;
    carried[row + 4] = slope[row + 4] + rz * x - rx * z;
    carried[row + 5] = slope[row + 5] + rx * y - ry * x;
  }
}

/** m[at..] += sign h Xᵀ carried: column by column (f, t) becomes (f, r × f + t). */
export function addBlock(
  m: Float64Array,
  at: number,
  stride: number,
  contact: ContactModel,
  arm: number,
  carried: Float64Array,
  sign: number,
): void {
  const k = contact.kinematics;
  const h = sign * contact.mobility[STEP];
  const rx = k[arm];
  const ry = k[arm + 1];
  const rz = k[arm + 2];
  for (let b = 0; b < SIX; b++) {
    const x = h * carried[b];
    const y = h * carried[SIX + b];
    const z = h * carried[12 + b];
    m[at + b] += x;
    m[at + stride + b] += y;
    m[at + 2 * stride + b] += z;
    m[at + 3 * stride + b] += h * carried[18 + b] + ry * z - rz * y;
    m[at + 4 * stride + b] += h * carried[24 + b] + rz * x - rx * z;
    m[at + 5 * stride + b] += h * carried[30 + b] + rx * y - ry * x;
  }
}
