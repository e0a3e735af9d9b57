/**
 * Choice of the method by which the overlap of two cell shapes is computed. Best first: a closed form costs least and is exact;
 * clipping is exact for flat faces; rays serve every pair of which one cell is bounded.
 */
import { BerthError } from '../errors.ts';
import type { CellShape } from '../shapes/cell-model.ts';
import { ClipKernel } from './clip.ts';
import type { OverlapKernel, OverlapMethod } from './kernel.ts';
import { makeClosedFormKernel } from './kernels/closed-form.ts';
import { makePolytope } from './polytope.ts';

/** Makes the kernel of a pair by one method, or null when the pair does not have it. */
type Maker = (i: CellShape, j: CellShape) => OverlapKernel | null;

function makeClipKernel(i: CellShape, j: CellShape): OverlapKernel | null {
  const first = makePolytope(i);
  const second = makePolytope(j);
  if (first === null || second === null || !(first.bounded || second.bounded)) return null;
  return new ClipKernel(first, second);
}

/** Methods, best first. */
const MAKERS: readonly (readonly [OverlapMethod, Maker])[] = [
  ['closed-form', makeClosedFormKernel],
  ['clipping', makeClipKernel],
];

/** Methods that a pair of shapes has, best first; none for two unbounded shapes. Allocates. */
export function overlapMethods(shapeI: CellShape, shapeJ: CellShape): OverlapMethod[] {
  return MAKERS.filter(([, make]) => make(shapeI, shapeJ) !== null).map(([method]) => method);
}

/**
 * Kernel of a pair of shapes: by the method named, or by the best one. Allocates.
 * @throws BerthError when the pair does not have the method
 */
export function makeKernel(
  shapeI: CellShape,
  shapeJ: CellShape,
  method: OverlapMethod | 'auto',
  field = 'method',
): OverlapKernel {
  for (const [name, make] of MAKERS) {
    if (method !== 'auto' && method !== name) continue;
    const kernel = make(shapeI, shapeJ);
    if (kernel !== null) return kernel;
  }
  const allowed = overlapMethods(shapeI, shapeJ);
  const pair = `a ${shapeI.kind} and a ${shapeJ.kind}`;
  throw new BerthError(
    'BERTH_UNSUPPORTED',
    allowed.length === 0
      ? `Expected ${field} to be for a pair of which one cell is bounded, got "${method}" for ${pair}`
      : `Expected ${field} to be one of ${['auto', ...allowed].join(', ')} for ${pair}, got "${method}"`,
    { field },
  );
}
