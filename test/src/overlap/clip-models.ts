/** Kernels and poses for the measurement of the heap: overlaps, touch and gaps of each kind. */
import { ClipKernel } from '../../../src/overlap/clip.ts';
import { COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import { Random } from '../../../src/math/random.ts';
import { ball, box, halfSpace, placed } from './clip-samples.ts';

const random = new Random(1);
const block = box(0.3, 0.4, 0.5);
const hull = ball(30, 0.3, random);
const kernels = [
  new ClipKernel(block, block),
  new ClipKernel(hull, block),
  new ClipKernel(block, hull),
  new ClipKernel(hull, hull),
  new ClipKernel(block, halfSpace()),
  new ClipKernel(halfSpace(), hull),
];
const still = placed([0.1, 0.2, 0.3], [0, 0, 0]);
const poses = [0.05, 0.2, 0.3, 0.4, 0.45, 0.6, 0.65, 0.7, 2].map((away, k) =>
  placed([0.3 * k, 0.2, -0.1 * k], [0.01, 0.02, away]),
);
const column = new Float64Array(COLUMN_SIZE);

/** Every kernel at every pose; the sum of volumes and gaps into out[0]. */
export function computeAll(out: Float64Array): void {
  for (let k = 0; k < kernels.length; k++) {
    for (let p = 0; p < poses.length; p++) {
      kernels[k].compute(poses[p], still, column);
      out[0] += column[0] + column[14];
    }
  }
}
