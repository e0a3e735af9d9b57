/** Kernels and placements for the measurement of the heap: rays and voxels of primitives of each kind. */
import { COLUMN_SIZE, type OverlapKernel } from '../../../src/overlap/kernel.ts';
import { RayKernel } from '../../../src/overlap/rays.ts';
import { VoxelKernel } from '../../../src/overlap/voxels.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { placement, PRIMITIVES, turn } from './ray-cases.ts';

const at = placement([0, 0, 0]);
const beside = placement([0.07, 0.05, 0.06], turn([1, 2, 3], 0.8));
const pairs: [CellShape, CellShape][] = [
  [PRIMITIVES[0], PRIMITIVES[2]],
  [PRIMITIVES[4], { kind: 'half-space' }],
  [PRIMITIVES[0], { kind: 'bore', radius: 0.12 }],
];
const kernels: OverlapKernel[] = pairs.map(([i, j]) => new RayKernel(i, j, { nodes: 3 }));
const voxels = new VoxelKernel(PRIMITIVES[6], PRIMITIVES[8], { size: 0.1, samples: 1 });
const apart = placement([0.6, 0.5, 0.6]);
const column = new Float64Array(COLUMN_SIZE);

/** Every kernel once, in contact and apart. */
export function computeAll(): void {
  for (const kernel of kernels) {
    kernel.compute(beside, at, column);
    kernel.compute(apart, at, column);
  }
  voxels.compute(beside, at, column);
}
