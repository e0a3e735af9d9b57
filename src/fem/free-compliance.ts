/**
 * Static compliance of a free body by inertia relief: its loads are balanced by the inertia of the motion that they give it as a whole, and what is
 * counted is the displacement against the mean body, RᵀM u = 0.
 *
 * [K, M R; (M R)ᵀ, 0] [u; a] = [F; 0]
 *
 * K is factored with a support that just holds the body: balanced loads put no force on it. For set-up; allocates.
 */
import { range } from '../base/parameter-checks.ts';
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';
import { assembleFem, type FemModel } from './assembly.ts';
import { staticFactors } from './statics.ts';

/** Motions of a body in the plane: along x, along y, a turn about the origin. */
const MOTIONS = 3;

/** A component of a displacement: a sum of components of nodes; a unit force on it acts with the same shares. */
export type Component = readonly {
  readonly node: number;
  readonly axis: number;
  readonly share: number;
}[];

/**
 * Compliance between components of a plane body, m/N, row by row: symmetric.
 * @param model whose `held` components are those of the support, three that just hold it
 * @throws BerthError when they do not, or when the mesh is not plane
 */
export function freeCompliance(model: FemModel, components: readonly Component[]): Float64Array {
  range('mesh.dimension', model.mesh.dimension, model.mesh.dimension === 2, 'to be 2');
  const { freedom, mass, size } = assembleFem({ ...model, held: [] });
  const supported = assembleFem(model);
  const factors = staticFactors(supported);
  const { coordinates } = model.mesh;
  const motions = Array.from({ length: MOTIONS }, (_, motion) => {
    const column = new Float64Array(size);
    for (const [component, at] of freedom.entries()) {
      const [node, axis] = [component >> 1, component & 1];
      if (motion < 2) column[at] = motion === axis ? 1 : 0;
      else column[at] = axis === 0 ? -coordinates[2 * node + 1] : coordinates[2 * node];
    }
    return column;
  });
  const inertias = motions.map((column) => {
    const out = new Float64Array(size);
    mass.multiply(column, out);
    return out;
  });
  const whole = Float64Array.from({ length: MOTIONS * MOTIONS }, (_, e) =>
    dot(motions[Math.floor(e / MOTIONS)], inertias[e % MOTIONS]),
  );
  factorCholesky(whole, whole, MOTIONS, new Float64Array(1));
  /** x −= A (RᵀMR)⁻¹ Bᵀ x */
  const remove = (
    x: Float64Array,
    a: readonly Float64Array[],
    b: readonly Float64Array[],
  ): void => {
    const part = Float64Array.from(b, (column) => dot(column, x));
    solveLower(whole, MOTIONS, part, 0);
    solveLowerTransposed(whole, MOTIONS, part, 0);
    for (const [k, column] of a.entries())
      for (let i = 0; i < size; i++) x[i] -= column[i] * part[k];
  };
  const loads = components.map((component) => {
    const load = new Float64Array(size);
    for (const { node, axis, share } of component) load[freedom[2 * node + axis]] += share;
    return load;
  });
  const shapes = loads.map((load) => {
    const balanced = load.slice();
    remove(balanced, inertias, motions);
    const held = new Float64Array(supported.size);
    for (const [component, at] of supported.freedom.entries()) {
      if (at >= 0) held[at] = balanced[freedom[component]];
    }
    factors.solve(held);
    const shape = Float64Array.from(balanced, () => 0);
    for (const [component, at] of supported.freedom.entries()) {
      if (at >= 0) shape[freedom[component]] = held[at];
    }
    remove(shape, motions, inertias);
    return shape;
  });
  const n = components.length;
  const compliance = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      compliance[n * i + j] = (dot(loads[i], shapes[j]) + dot(loads[j], shapes[i])) / 2;
    }
  }
  return compliance;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
