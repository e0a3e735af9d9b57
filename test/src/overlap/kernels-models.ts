/** A kernel of each kind with poses for it, for the measurement of the heap. */
import { BOX, makeCellBounds } from '../../../src/overlap/cell-bounds.ts';
import { COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import { makeKernel } from '../../../src/overlap/make-kernel.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';

const PLANE = { kind: 'half-space' } as const;
const BALL = { kind: 'sphere', radius: 0.1 } as const;
const CUBE = { kind: 'box', size: [1, 1, 1] } as const;
const turn = (tilt: number, x: number, y: number, z: number): Float64Array => {
  const c = Math.cos(tilt);
  const s = Math.sin(tilt);
  return Float64Array.of(c, 0, s, 0, 1, 0, -s, 0, c, x, y, z);
};
const GROUND = turn(0, 0, 0, 0);

const PAIRS: readonly (readonly [CellShape, CellShape, Float64Array])[] = [
  [BALL, PLANE, turn(0.3, 0, 0, 0.098)],
  [BALL, PLANE, turn(0.3, 0, 0, 0.2)],
  [BALL, BALL, turn(0.3, 0.01, 0.02, 0.195)],
  [BALL, { kind: 'bore', radius: 1 }, turn(0.1, 0.902, 0.01, 0.3)],
  [BALL, CUBE, turn(0.1, 0, 0, 0)],
  [BALL, CUBE, turn(0.1, 0.02, 0.01, 0.595)],
  [BALL, CUBE, turn(0.1, 0.02, 0.52, 0.595)],
  [BALL, CUBE, turn(0.1, 0.52, 0.53, 0.59)],
  [BALL, CUBE, turn(0.1, 0.57, 0.57, 0.57)],
  [{ kind: 'cylinder', radius: 0.05, length: 0.2 }, PLANE, turn(0.7, 0, 0, 0.1)],
  [{ kind: 'cylinder', radius: 0.05, length: 0.2 }, PLANE, turn(0, 0, 0, 0.098)],
  [{ kind: 'frustum', radius: 0.06, topRadius: 0, length: 0.1 }, PLANE, turn(1.03, 0, 0, 0.05)],
  [{ kind: 'capsule', radius: 0.05, length: 0.2 }, PLANE, turn(1.56, 0, 0, 0.048)],
  [{ kind: 'capsule', radius: 0.05, length: 0.2 }, PLANE, turn(0.4, 0, 0, 0.09)],
  [{ kind: 'ellipsoid', size: [0.1, 0.2, 0.3] }, PLANE, turn(0.4, 0, 0, 0.13)],
];
const kernels = PAIRS.map(([i, j]) => makeKernel(i, j, 'closed-form'));
const swapped = PAIRS.map(([i, j]) => makeKernel(j, i, 'closed-form'));
const bounds = PAIRS.map(([i]) => makeCellBounds(i));
const column = new Float64Array(COLUMN_SIZE);
const box = new Float64Array(BOX);

/** Every kernel in both orders and every box; a sum of all into `out[0]`. */
export function computeAll(out: Float64Array): void {
  out[0] = 0;
  for (let k = 0; k < kernels.length; k++) {
    const placement = PAIRS[k][2];
    kernels[k].compute(placement, GROUND, column);
    out[0] += column[0] + column[1];
    swapped[k].compute(GROUND, placement, column);
    out[0] += column[0] + column[1];
    bounds[k].write(placement, box, 0);
    out[0] += box[0];
  }
}
