/** Which pairs of shapes have a closed form, or one quadrature of sections in closed form, and the kernel of each. */
import type { CellShape } from '../../shapes/cell-model.ts';
import type { OverlapKernel } from '../kernel.ts';
import { makePolytope } from '../polytope.ts';
import { boredPlateOf } from './bored-plate.ts';
import { planesOf } from './plane-set.ts';
import { fitsBore, RoundBoreKernel } from './round-bore.ts';
import {
  EllipsoidHalfSpaceKernel,
  RoundHalfSpaceKernel,
  type RoundShape,
} from './round-half-space.ts';
import { RoundPlateKernel } from './round-plate.ts';
import { RoundPolytopeKernel } from './round-polytope.ts';
import { SphereBoreKernel, SphereHalfSpaceKernel, SphereSphereKernel } from './sphere.ts';
import { MOST_PLANES, SpherePlanesKernel } from './sphere-planes.ts';
import { SwappedKernel } from './world-column.ts';

/** Kernel of a round body and a bounded polytope, or null. Allocates. */
function roundPolytope(i: CellShape, j: CellShape): OverlapKernel | null {
  switch (i.kind) {
    case 'cylinder':
    case 'frustum':
    case 'capsule':
    case 'sphere': {
      const polytope = makePolytope(j);
      return polytope?.bounded ? new RoundPolytopeKernel(i, polytope) : null;
    }
    default:
      return null;
  }
}

function isRound(shape: CellShape): shape is RoundShape {
  return shape.kind === 'cylinder' || shape.kind === 'frustum' || shape.kind === 'capsule';
}

/** Kernel of the pair in this order, or null. Allocates. */
function inOrder(i: CellShape, j: CellShape): OverlapKernel | null {
  if (i.kind === 'sphere' && j.kind === 'half-space') return new SphereHalfSpaceKernel(i);
  if (i.kind === 'sphere' && j.kind === 'sphere') return new SphereSphereKernel(i, j);
  if (i.kind === 'sphere' && j.kind === 'bore' && j.radius > i.radius) {
    return new SphereBoreKernel(i, j);
  }
  if (j.kind === 'bore' && isRound(i) && fitsBore(i, j)) return new RoundBoreKernel(i, j);
  if (j.kind === 'boolean' && isRound(i)) {
    const plate = boredPlateOf(j);
    return plate === null ? null : new RoundPlateKernel(i, j, plate);
  }
  if (j.kind === 'half-space') {
    if (isRound(i)) return new RoundHalfSpaceKernel(i);
    if (i.kind === 'ellipsoid') return new EllipsoidHalfSpaceKernel(i);
  }
  const planes = i.kind === 'sphere' ? planesOf(j) : null;
  if (i.kind === 'sphere' && planes !== null && planes.length <= MOST_PLANES) {
    return new SpherePlanesKernel(i.radius, planes);
  }
  return roundPolytope(i, j);
}

/** The kernel of a pair of shapes in either order; null when the pair has no closed form. Allocates. */
export function makeClosedFormKernel(i: CellShape, j: CellShape): OverlapKernel | null {
  const kernel = inOrder(i, j);
  if (kernel !== null) return kernel;
  const swapped = inOrder(j, i);
  return swapped === null ? null : new SwappedKernel(swapped);
}
