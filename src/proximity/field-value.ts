/**
 * Value and gradient of a distance field: quadratic B-splines along each axis. docs/theory/sampled.md.
 *
 *   φ(x) = cell Σ c_ijk b(u − i) b(v − j) b(w − k),   (u, v, w) = (x − origin)/cell
 *   b(t) = 3/4 − t² for |t| < 1/2, (3/2 − |t|)²/2 up to 3/2, 0 beyond
 *
 * with c in cells. The gradient is that of the same sum: φ is continuous with its first derivatives, so a force along it has a potential and
 * does not jump. All lengths are in cells here.
 */
import type { DistanceField } from '../shapes/distance-field.ts';
import { BLOCK, BLOCK_MIDDLE, BLOCK_ROOM, BLOCK_VALUES } from '../shapes/field-blocks.ts';
import { COEFFICIENT, MEAN, NEAREST_NODE } from './field-limits.ts';

/** Where a place lies. */
export const FieldPlace = { outside: 0, inside: 1, near: 2 } as const;

/** Slots of a value: φ and its gradient (3). */
export const VALUE = 0;
export const GRADIENT = 1;
const RESULT = 4;

const ROW = BLOCK_ROOM;
const SHEET = BLOCK_ROOM * BLOCK_ROOM;

/** Reads one field. */
export class FieldValue {
  /** Slots of above, of the last `read`. */
  readonly result: Float64Array = new Float64Array(RESULT);
  private readonly field: DistanceField;

  constructor(field: DistanceField) {
    this.field = field;
  }

  /** Reads at place[at..], in cells from node 0; `near` where there is a value, else the side on which the place is. @alloc none */
  read(place: Float64Array, at: number): number {
    const { blocks, counts, middles, values } = this.field;
    const i = Math.floor(place[at] + 0.5);
    const j = Math.floor(place[at + 1] + 0.5);
    const k = Math.floor(place[at + 2] + 0.5);
    const bi = i >> 3;
    const bj = j >> 3;
    const bk = k >> 3;
    if (bi < 0 || bj < 0 || bk < 0 || bi >= counts[0] || bj >= counts[1] || bk >= counts[2])
      return FieldPlace.outside;
    const block = (bk * counts[1] + bj) * counts[0] + bi;
    const kept = blocks[block];
    if (kept < 0) return middles[block] < 0 ? FieldPlace.inside : FieldPlace.outside;
    // of node (i − 1, j − 1, k − 1)
    const o =
      kept * BLOCK_VALUES + (k - BLOCK * bk) * SHEET + (j - BLOCK * bj) * ROW + (i - BLOCK * bi);
    const tx = place[at] - i;
    const ty = place[at + 1] - j;
    const tz = place[at + 2] - k;
    const ax = 0.5 - tx;
    const bx = 0.5 + tx;
    const x0 = 0.5 * ax * ax;
    const x1 = 0.75 - tx * tx;
    const x2 = 0.5 * bx * bx;
    const dx1 = -2 * tx;
    const ay = 0.5 - ty;
    const by = 0.5 + ty;
    const y0 = 0.5 * ay * ay;
    const y1 = 0.75 - ty * ty;
    const y2 = 0.5 * by * by;
    const dy1 = -2 * ty;
    const az = 0.5 - tz;
    const bz = 0.5 + tz;
    const z0 = 0.5 * az * az;
    const z1 = 0.75 - tz * tz;
    const z2 = 0.5 * bz * bz;
    const dz1 = -2 * tz;
    let value = 0;
    let gx = 0;
    let gy = 0;
    let gz = 0;
    for (let s = 0; s < 3; s++) {
      const q = o + s * SHEET;
      const r0 = values[q];
      const r1 = values[q + 1];
      const r2 = values[q + 2];
      const s0 = values[q + ROW];
      const s1 = values[q + ROW + 1];
      const s2 = values[q + ROW + 2];
      const t0 = values[q + 2 * ROW];
      const t1 = values[q + 2 * ROW + 1];
      const t2 = values[q + 2 * ROW + 2];
      const r = x0 * r0 + x1 * r1 + x2 * r2;
      const t = x0 * s0 + x1 * s1 + x2 * s2;
      const u = x0 * t0 + x1 * t1 + x2 * t2;
      const dr = dx1 * r1 - ax * r0 + bx * r2;
      const dt = dx1 * s1 - ax * s0 + bx * s2;
      const du = dx1 * t1 - ax * t0 + bx * t2;
      const weight = s === 0 ? z0 : s === 1 ? z1 : z2;
      const slope = s === 0 ? -az : s === 1 ? dz1 : bz;
      const sheet = y0 * r + y1 * t + y2 * u;
      value += weight * sheet;
      gx += weight * (y0 * dr + y1 * dt + y2 * du);
      gy += weight * (dy1 * t - ay * r + by * u);
      gz += slope * sheet;
    }
    const { result } = this;
    result[0] = value;
    result[1] = gx;
    result[2] = gy;
    result[3] = gz;
    return FieldPlace.near;
  }
}

/**
 * out[0] := a lower bound of φ in a ball about place[at..] with the radius radii[k], in cells: from the nearest coefficient or the middle of the
 * block, as distances change by no more than the way. @alloc none
 */
export function ballBound(
  field: DistanceField,
  place: Float64Array,
  at: number,
  radii: Float64Array,
  k: number,
  out: Float64Array,
): void {
  const { blocks, counts, middles, values } = field;
  let beside = 0;
  let block = 0;
  let square = 0;
  let stride = 1;
  let node = 0;
  let step = 1;
  for (let a = 0; a < 3; a++) {
    const x = place[at + a];
    const last = BLOCK * counts[a] - 1;
    const inside = x < 0 ? 0 : x > last ? last : x;
    beside += (x - inside) * (x - inside);
    const nearest = Math.floor(inside + 0.5);
    const b = nearest >> 3;
    const off = inside - BLOCK * b - BLOCK_MIDDLE;
    square += off * off;
    block += stride * b;
    stride *= counts[a];
    node += step * (nearest - BLOCK * b + 1);
    step *= BLOCK_ROOM;
  }
  if (beside > 0) {
    // outside of the grid the distance is at least that from the grid, which holds the surface
    out[0] = Math.sqrt(beside) - radii[k];
    return;
  }
  const kept = blocks[block];
  const near =
    kept < 0
      ? middles[block] - Math.sqrt(square)
      : values[kept * BLOCK_VALUES + node] - COEFFICIENT - NEAREST_NODE;
  out[0] = near - radii[k] - COEFFICIENT - MEAN;
}
