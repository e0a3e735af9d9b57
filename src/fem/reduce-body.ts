/**
 * An elastic body reduced to the points of its contact face: static compliance C = Wᵀ K⁻¹ W, W the loads of unit forces at the points,
 * and modes φ at the points. `Kim 1999, (2.48), (2.52), (4.60)`. K is factored once. For set-up; allocates.
 */
import { BerthError } from '../base/errors.ts';
import { range } from '../base/parameter-checks.ts';
import { factorCholesky } from '../math/cholesky.ts';
import type { PatchModel } from '../model/patch-spec.ts';
import type { ContactPoint } from './contact-points.ts';
import { type ElasticStructure, MOTIONS, motionAt } from './elastic-structure.ts';
import { lowestModes } from './modes.ts';
import { staticFactors } from './statics.ts';

/** Part of a diagonal element of C below which the rest of a pivot is rounding. */
const LEAST_PIVOT = 1e-12;

/** A reduced body. */
export interface ReducedBody extends PatchModel {
  /** Rᵀ M R, 6 × 6, row by row: mass, first and second moments about the origin; empty when the mass is not known. */
  readonly rigidMass: readonly number[];
}

/** Reduces a body. @throws BerthError when it is not held, when points are held, or when modes are asked for without mass */
export function reduceBody(
  structure: ElasticStructure,
  points: readonly ContactPoint[],
  modes: number,
  damping: number,
): ReducedBody {
  range('modes', modes, Number.isInteger(modes) && modes >= 0, 'to be a whole number from 0');
  range('damping', damping, damping >= 0 && damping < 1, 'to lie from 0 to 1');
  const { stiffness, coordinates, moved, freedom } = structure;
  const factors = staticFactors(structure);
  const loads = points.flatMap((point) =>
    [0, 1, 2].map((axis) => unitLoad(structure, point, axis)),
  );
  const shapes = loads.map((load) => {
    const shape = load.slice();
    factors.solve(shape);
    return shape;
  });
  const n = loads.length;
  const compliance = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const value = (dot(loads[i], shapes[j]) + dot(loads[j], shapes[i])) / 2;
      compliance[n * i + j] = value;
      compliance[n * j + i] = value;
    }
  }
  if (factorCholesky(new Float64Array(n * n), compliance, n, Float64Array.of(LEAST_PIVOT)) === 0) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected a compliance that is positive definite, got points that move together; give fewer than ${points.length} points`,
      { field: 'points' },
    );
  }
  const found = modes === 0 ? null : lowestModes(stiffness, massOf(structure), modes);
  return {
    points: points.flatMap(({ place }) => place),
    normals: points.flatMap(({ normal }) => normal),
    areas: points.map(({ area }) => area),
    compliance: [...compliance],
    modes: (found?.shapes ?? []).map((shape, k) => ({
      frequency: found?.frequencies[k] ?? 0,
      damping,
      shape: loads.map((load) => dot(load, shape)),
      participation: moved.map((of) =>
        of.reduce((sum, value, c) => (freedom[c] < 0 ? sum : sum + value * shape[freedom[c]]), 0),
      ),
    })),
    rigidMass: moved.flatMap((of) =>
      Array.from({ length: MOTIONS }, (_, motion) =>
        of.reduce(
          (sum, value, c) => sum + value * motionAt(motion, coordinates, c - (c % 3), c % 3),
          0,
        ),
      ),
    ),
  };
}

function massOf({ mass }: ElasticStructure): NonNullable<ElasticStructure['mass']> {
  if (mass !== null) return mass;
  throw new BerthError(
    'BERTH_MISMATCH',
    'Expected modes to be 0, since the matrices have no mass',
    {
      field: 'modes',
    },
  );
}

/** A unit force at a point, over the degrees of freedom. */
function unitLoad(
  { freedom, stiffness }: ElasticStructure,
  { nodes, shares }: ContactPoint,
  axis: number,
): Float64Array {
  const load = new Float64Array(stiffness.size);
  for (const [k, node] of nodes.entries()) {
    const at = freedom[3 * node + axis];
    if (at < 0) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `Expected the contact face to be free to move, got node ${node}, which is clamped`,
        { field: 'contact' },
      );
    }
    load[at] += shares[k];
  }
  return load;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
