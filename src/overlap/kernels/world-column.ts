/**
 * Transforms a column from the frame of a closed form into the world. With F the rotation of that
 * frame and o its origin,
 *
 *   p_c = F c + o,   S = F S' Fᵀ,   a = F a'                                                                          (1)
 *
 * When the cells are exchanged, only the vector area changes its sign.
 */
import type { CellShape } from '../../shapes/cell-model.ts';
import { COLUMN, COLUMN_SIZE, ORIGIN, type OverlapKernel, type OverlapMethod } from '../kernel.ts';

/** Shapes of one kind. */
export type ShapeOf<K extends CellShape['kind']> = Extract<CellShape, { readonly kind: K }>;

const S = COLUMN.second;
const C = COLUMN.centroid;
const A = COLUMN.vectorArea;

/** No overlap: zeros, and the gap of `local`. @alloc none */
export function writeApart(local: Float64Array, column: Float64Array): void {
  for (let k = 0; k < COLUMN_SIZE; k++) column[k] = 0;
  column[COLUMN.gap] = local[COLUMN.gap];
}

/**
 * Column in world axes of one in the axes of `frame` (laid out as a placement). All slots of `local` are read; equal arrays
 * are not allowed.
 * @alloc none
 */
export function writeWorld(local: Float64Array, frame: Float64Array, column: Float64Array): void {
  column[COLUMN.volume] = local[COLUMN.volume];
  column[COLUMN.area] = local[COLUMN.area];
  column[COLUMN.gap] = local[COLUMN.gap];
  column[COLUMN.error] = local[COLUMN.error];
  const xx = local[S];
  const yy = local[S + 1];
  const zz = local[S + 2];
  const xy = local[S + 3];
  const xz = local[S + 4];
  const yz = local[S + 5];
  const a = frame[0];
  const b = frame[1];
  const c = frame[2];
  const d = frame[3];
  const e = frame[4];
  const f = frame[5];
  const g = frame[6];
  const h = frame[7];
  const i = frame[8];
  // rows of F S'
  const ax = a * xx + b * xy + c * xz;
  const ay = a * xy + b * yy + c * yz;
  const az = a * xz + b * yz + c * zz;
  const bx = d * xx + e * xy + f * xz;
  const by = d * xy + e * yy + f * yz;
  const bz = d * xz + e * yz + f * zz;
  const cx = g * xx + h * xy + i * xz;
  const cy = g * xy + h * yy + i * yz;
  const cz = g * xz + h * yz + i * zz;
  column[S] = ax * a + ay * b + az * c;
  column[S + 1] = bx * d + by * e + bz * f;
  column[S + 2] = cx * g + cy * h + cz * i;
  column[S + 3] = ax * d + ay * e + az * f;
  column[S + 4] = ax * g + ay * h + az * i;
  column[S + 5] = bx * g + by * h + bz * i;
  for (let k = 0; k < 3; k++) {
    const r = 3 * k;
    column[C + k] =
      frame[r] * local[C] +
      frame[r + 1] * local[C + 1] +
      frame[r + 2] * local[C + 2] +
      frame[ORIGIN + k];
    column[A + k] = frame[r] * local[A] + frame[r + 1] * local[A + 1] + frame[r + 2] * local[A + 2];
  }
}

/**
 * The same for an overlap that is round about the z axis: only the third column of `frame` (z axis in the world) and its origin
 * are read; centroid and vector area on the axis.
 * @alloc none
 */
export function writeRoundWorld(
  local: Float64Array,
  frame: Float64Array,
  column: Float64Array,
): void {
  column[COLUMN.volume] = local[COLUMN.volume];
  column[COLUMN.area] = local[COLUMN.area];
  column[COLUMN.gap] = local[COLUMN.gap];
  column[COLUMN.error] = local[COLUMN.error];
  const x = frame[2];
  const y = frame[5];
  const z = frame[8];
  const across = local[S];
  const more = local[S + 2] - across;
  column[S] = across + more * x * x;
  column[S + 1] = across + more * y * y;
  column[S + 2] = across + more * z * z;
  column[S + 3] = more * x * y;
  column[S + 4] = more * x * z;
  column[S + 5] = more * y * z;
  column[C] = local[C + 2] * x + frame[ORIGIN];
  column[C + 1] = local[C + 2] * y + frame[ORIGIN + 1];
  column[C + 2] = local[C + 2] * z + frame[ORIGIN + 2];
  column[A] = local[COLUMN.area] * x;
  column[A + 1] = local[COLUMN.area] * y;
  column[A + 2] = local[COLUMN.area] * z;
}

/** A kernel with the roles of its cells exchanged. */
export class SwappedKernel implements OverlapKernel {
  readonly method: OverlapMethod;
  readonly #kernel: OverlapKernel;

  constructor(kernel: OverlapKernel) {
    this.method = kernel.method;
    this.#kernel = kernel;
  }

  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    this.#kernel.compute(placementJ, placementI, column);
    // 0 − x, so that a zero stays +0
    column[A] = 0 - column[A];
    column[A + 1] = 0 - column[A + 1];
    column[A + 2] = 0 - column[A + 2];
  }
}
