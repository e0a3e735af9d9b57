/**
 * Choice of the method for the overlap of two cell shapes, best first. A closed form costs least
 * and is exact to its quadrature. Clipping is exact for flat faces. Rays serve every pair with a
 * finite cell, with an estimate of their error. Voxels are the slow reference.
 */
import { BerthError } from '../base/errors.ts';
import { isBounded, shapeBounds } from '../shapes/cell-bounds.ts';
import type { CellShape } from '../shapes/cell-model.ts';
import { ClipKernel } from './clip.ts';
import type { OverlapKernel, OverlapMethod } from './kernel.ts';
import { makeClosedFormKernel } from './kernels/closed-form.ts';
import { makePolytope } from './polytope.ts';
import { RayKernel, type RayOptions } from './rays.ts';
import { VoxelKernel, type VoxelOptions } from './voxels.ts';

/** Choices of the methods that have some. */
export interface KernelOptions extends RayOptions, Pick<VoxelOptions, 'size'> {}

/** The kernel of a pair by one method, yet to be made; null when the pair does not have the method. */
type Maker = (i: CellShape, j: CellShape) => ((options: KernelOptions) => OverlapKernel) | null;

function closedForm(i: CellShape, j: CellShape): (() => OverlapKernel) | null {
  const kernel = makeClosedFormKernel(i, j);
  return kernel === null ? null : () => kernel;
}

function clipping(i: CellShape, j: CellShape): (() => OverlapKernel) | null {
  const first = makePolytope(i);
  const second = makePolytope(j);
  if (first === null || second === null || !(first.bounded || second.bounded)) return null;
  return () => new ClipKernel(first, second);
}

function hasEnd(i: CellShape, j: CellShape): boolean {
  return isBounded(shapeBounds(i)) || isBounded(shapeBounds(j));
}

/** Methods, best first. */
const MAKERS: readonly (readonly [OverlapMethod, Maker])[] = [
  ['closed-form', closedForm],
  ['clipping', clipping],
  ['rays', (i, j) => (hasEnd(i, j) ? (options) => new RayKernel(i, j, options) : null)],
  ['voxels', (i, j) => (hasEnd(i, j) ? (options) => new VoxelKernel(i, j, options) : null)],
];

/** Methods of a pair of shapes, best first; none for two infinite shapes. Allocates. */
export function overlapMethods(shapeI: CellShape, shapeJ: CellShape): OverlapMethod[] {
  return MAKERS.filter(([, make]) => make(shapeI, shapeJ) !== null).map(([method]) => method);
}

/**
 * Kernel of a pair of shapes: by the method named, or by the best one. `field` is the name of the choice in a message,
 * `options` for rays and voxels. Allocates.
 * @throws BerthError when the pair does not have the method
 */
export function makeKernel(
  shapeI: CellShape,
  shapeJ: CellShape,
  method: OverlapMethod | 'auto',
  field = 'method',
  options: KernelOptions = {},
): OverlapKernel {
  for (const [name, make] of MAKERS) {
    if (method !== 'auto' && method !== name) continue;
    const kernel = make(shapeI, shapeJ);
    if (kernel !== null) return kernel(options);
  }
  const allowed = overlapMethods(shapeI, shapeJ);
  const pair = `a ${shapeI.kind} and a ${shapeJ.kind}`;
  throw new BerthError(
    'BERTH_UNSUPPORTED',
    allowed.length === 0
      ? `Expected ${field} to be for a pair of which one cell is of finite size, got "${method}" for ${pair}`
      : `Expected ${field} to be one of ${['auto', ...allowed].join(', ')} for ${pair}, got "${method}"`,
    { field },
  );
}
