/** Placements and columns of kernels, in the world. */
import type { Random } from '../../../src/math/random.ts';
import { COLUMN, PLACEMENT } from '../../../src/overlap/kernel.ts';

/** Placement by a rotation vector, rad, and an origin, m (Rodrigues). */
export function placed(turn: readonly number[], at: readonly number[]): Float64Array {
  const angle = Math.sqrt(turn.reduce((sum, value) => sum + value * value, 0));
  const [x, y, z] = turn.map((value) => (angle > 0 ? value / angle : 0));
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const d = 1 - c;
  const placement = new Float64Array(PLACEMENT);
  placement.set([c + d * x * x, d * x * y - s * z, d * x * z + s * y]);
  placement.set([d * x * y + s * z, c + d * y * y, d * y * z - s * x], 3);
  placement.set([d * x * z - s * y, d * y * z + s * x, c + d * z * z, ...at], 6);
  return placement;
}

/** a then b: the placement of what b places in a frame that a places. */
export function composed(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(PLACEMENT);
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      for (let m = 0; m < 3; m++) out[3 * i + k] += a[3 * i + m] * b[3 * m + k];
      out[9 + i] += a[3 * i + k] * b[9 + k];
    }
    out[9 + i] += a[9 + i];
  }
  return out;
}

/** Every component uniform in ±by. */
export const spread = (random: Random, by: number): [number, number, number] => [
  by * (2 * random.uniform() - 1),
  by * (2 * random.uniform() - 1),
  by * (2 * random.uniform() - 1),
];

/** A column of the kernel contract as plain numbers. */
export interface Overlap {
  readonly volume: number;
  readonly area: number;
  readonly centroid: readonly number[];
  /** xx, yy, zz, xy, xz, yz. */
  readonly second: readonly number[];
  readonly vectorArea: readonly number[];
  readonly gap: number;
}

/** A column by name. */
export function named(column: Float64Array): Overlap {
  const slots = [...column];
  return {
    volume: slots[COLUMN.volume],
    area: slots[COLUMN.area],
    centroid: slots.slice(COLUMN.centroid, COLUMN.second),
    second: slots.slice(COLUMN.second, COLUMN.vectorArea),
    vectorArea: slots.slice(COLUMN.vectorArea, COLUMN.gap),
    gap: slots[COLUMN.gap],
  };
}
