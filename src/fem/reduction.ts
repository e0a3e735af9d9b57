/**
 * Fewer coordinates for an elastic body.
 *
 * Compliance over chosen components: C = [K⁻¹] of unit loads, symmetric positive definite; its inverse is the stiffness of Guyan.
 * Guyan, `Kim 1999, (4.60)–(4.63)`: q_s = −K_ss⁻¹ K_sm q_m. Its shapes are K⁻¹ E C⁻¹ with E the unit loads at the masters, since a shape
 * without loads on the slaves is a combination of those of unit loads; K_R = C⁻¹. Slaves must carry no load: contact nodes are masters.
 * Modes: those of `lowestModes`.
 *
 * Everything here is for set-up and allocates.
 */
import { BerthError } from '../base/errors.ts';
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';
import type { FemMatrices, HeldComponent } from './assembly.ts';
import { staticFactors } from './statics.ts';

/** Part of a diagonal element of C below which the rest of a pivot is rounding. */
const LEAST_PIVOT = 1e-13;

/** Displacements under unit loads at components. */
export interface UnitLoads {
  /** Displacement under a unit load at each component, over the degrees of freedom, m/N. */
  readonly shapes: readonly Float64Array[];
  /** Compliance between the components, row by row, m/N. */
  readonly compliance: Float64Array;
}

/** Unit loads at components. @throws BerthError for one that is held, or a body that is not */
export function unitLoads(matrices: FemMatrices, components: readonly HeldComponent[]): UnitLoads {
  const factors = staticFactors(matrices);
  const at = components.map(({ node, axis }, k) => {
    const freedom = matrices.freedom[matrices.dimension * node + axis];
    if (freedom >= 0) return freedom;
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected components[${k}] to be free to move, got axis ${axis} of node ${node}, which is held`,
      { field: `components[${k}]` },
    );
  });
  const shapes = at.map((freedom) => {
    const shape = new Float64Array(matrices.size);
    shape[freedom] = 1;
    factors.solve(shape);
    return shape;
  });
  const n = at.length;
  const compliance = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) compliance[n * i + j] = (shapes[j][at[i]] + shapes[i][at[j]]) / 2;
  }
  return { shapes, compliance };
}

/** Shapes of Guyan over the degrees of freedom: each moves one master by 1 and holds the others. */
export function guyanShapes(
  matrices: FemMatrices,
  masters: readonly HeldComponent[],
): Float64Array[] {
  const { shapes, compliance } = unitLoads(matrices, masters);
  const n = masters.length;
  const factor = new Float64Array(n * n);
  if (factorCholesky(factor, compliance, n, Float64Array.of(LEAST_PIVOT)) === 0) {
    throw new BerthError('BERTH_DUPLICATE_NAME', 'Expected masters to be given once each', {
      field: 'masters',
    });
  }
  return masters.map((_, j) => {
    const column = new Float64Array(n);
    column[j] = 1;
    solveLower(factor, n, column, 0);
    solveLowerTransposed(factor, n, column, 0);
    const shape = new Float64Array(matrices.size);
    for (let k = 0; k < n; k++) {
      for (let e = 0; e < shape.length; e++) shape[e] += column[k] * shapes[k][e];
    }
    return shape;
  });
}
