/** Finite elements against fields in closed form: error of the solution between prescribed boundaries, patches, zero modes. */
import { assembleFem, type FemMatrices } from '../../src/fem/assembly.ts';
import { ELEMENT_RULES, type ElementKind } from '../../src/fem/element-rules.ts';
import type { ElasticMaterial, StressState } from '../../src/fem/elasticity.ts';
import type { FemMesh } from '../../src/fem/fem-mesh.ts';
import { planeGrid, solidGrid } from '../../src/fem/grid-meshes.ts';
import { lowestModes } from '../../src/fem/modes.ts';
import { staticFactors } from '../../src/fem/statics.ts';

/** Material of the checks; the modulus scales out of every figure. */
export const CHECK_MATERIAL: ElasticMaterial = { young: 1, poisson: 0.3, density: 1 };
export const PLANE_KINDS = ['quad4', 'cst', 'axisymmetric-quad4'] as const;
export const SOLID_KINDS = ['hex8', 'tet4', 'tet10'] as const;

/** Displacement at a point. */
type Field = (x: readonly number[]) => readonly number[];

/** u = ∇φ of a harmonic φ of degree four: div u = 0 and Δu = 0, so it is in equilibrium without loads for every material. */
const HARMONIC: Readonly<Record<'plane' | 'axisymmetric' | 'solid', Field>> = {
  plane: ([x, y]) => [4 * (x ** 3 - 3 * x * y * y), 4 * (y ** 3 - 3 * x * x * y)],
  axisymmetric: ([r, z]) => [1.5 * r ** 3 - 6 * z * z * r, 4 * z ** 3 - 6 * z * r * r],
  solid: ([x, y, z]) => [
    4 * (x ** 3 - 3 * x * y * y) + z * (3 * x * x - 3 * y * y),
    4 * (y ** 3 - 3 * x * x * y) - 6 * x * y * z,
    x ** 3 - 3 * x * y * y,
  ],
};

function harmonic(kind: ElementKind): Field {
  if (kind === 'axisymmetric-quad4') return HARMONIC.axisymmetric;
  return ELEMENT_RULES[kind].dimension === 2 ? HARMONIC.plane : HARMONIC.solid;
}

function stressState(kind: ElementKind): StressState {
  if (kind === 'axisymmetric-quad4') return 'axisymmetric';
  return ELEMENT_RULES[kind].dimension === 2 ? 'plane-strain' : 'solid';
}

/** A unit square or cube whose inner edges are skew; n elements a side. The half section has its axis on an edge. */
export function skewMesh(kind: ElementKind, n: number): FemMesh {
  const bow = (t: number): number => 4 * t * (1 - t);
  if (kind === 'hex8' || kind === 'tet4' || kind === 'tet10') {
    return solidGrid(kind, n, n, n, (u, v, w) => [
      u + 0.05 * bow(u) * (v + w),
      v + 0.06 * bow(v) * (u - w),
      w + 0.05 * bow(w) * (v - u),
    ]);
  }
  return planeGrid(kind, n, n, (u, v) => [u + 0.1 * bow(u) * v, v + 0.08 * bow(v) * u]);
}

/** Nodes of a grid that lie on its boundary: faces of the unit square or cube. */
function boundaryNodes({ coordinates, dimension: d }: FemMesh): number[] {
  const nodes: number[] = [];
  for (let node = 0; node < coordinates.length / d; node++) {
    const x = coordinates.subarray(d * node, d * node + d);
    if (x.some((value) => Math.abs(value) < 1e-9 || Math.abs(value - 1) < 1e-9)) nodes.push(node);
  }
  return nodes;
}

/** Values of a field at the nodes, over the degrees of freedom of `matrices` (held ones are left out). */
function nodalValues(matrices: FemMatrices, field: Field): Float64Array {
  const { model, dimension: d, freedom, size } = matrices;
  const out = new Float64Array(size);
  for (let node = 0; node < model.mesh.coordinates.length / d; node++) {
    const value = field([...model.mesh.coordinates.subarray(d * node, d * node + d)]);
    for (let axis = 0; axis < d; axis++) {
      if (freedom[d * node + axis] >= 0) out[freedom[d * node + axis]] = value[axis];
    }
  }
  return out;
}

/** L2 norm of the error over that of the field, with the field given on the whole boundary. */
export function fieldError(kind: ElementKind, n: number): number {
  const mesh = skewMesh(kind, n);
  const state = stressState(kind);
  const field = harmonic(kind);
  const d = mesh.dimension;
  const held = boundaryNodes(mesh).flatMap((node) =>
    Array.from({ length: d }, (_, axis) => ({ node, axis })),
  );
  const model = { mesh, material: CHECK_MATERIAL, state };
  const whole = assembleFem(model);
  const inner = assembleFem({ ...model, held });
  const given = nodalValues(whole, field);
  for (const [component, at] of inner.freedom.entries())
    if (at >= 0) given[whole.freedom[component]] = 0;
  const load = new Float64Array(whole.size);
  whole.stiffness.multiply(given, load);
  const u = new Float64Array(inner.size);
  for (const [component, at] of inner.freedom.entries())
    if (at >= 0) u[at] = -load[whole.freedom[component]];
  staticFactors(inner).solve(u);
  for (const [component, at] of inner.freedom.entries())
    if (at >= 0) given[whole.freedom[component]] = u[at];
  return l2Error(mesh, kind, whole.freedom, given, field);
}

/** Integrates the squares at the points of the mass; the weight of a point is the same for both sums. */
function l2Error(
  mesh: FemMesh,
  kind: ElementKind,
  freedom: Int32Array,
  u: Float64Array,
  field: Field,
): number {
  const { mass, nodes: count } = ELEMENT_RULES[kind];
  const d = mesh.dimension;
  const { nodes } = mesh.blocks[0];
  let error = 0;
  let size = 0;
  for (let e = 0; e < nodes.length; e += count) {
    for (let p = 0; p < mass.weights.length; p++) {
      const x = new Array<number>(d).fill(0);
      const value = new Array<number>(d).fill(0);
      for (let a = 0; a < count; a++) {
        const shape = mass.values[count * p + a];
        for (let axis = 0; axis < d; axis++) {
          x[axis] += shape * mesh.coordinates[d * nodes[e + a] + axis];
          value[axis] += shape * u[freedom[d * nodes[e + a] + axis]];
        }
      }
      for (const [axis, exact] of field(x).entries()) {
        error += mass.weights[p] * (value[axis] - exact) ** 2;
        size += mass.weights[p] * exact ** 2;
      }
    }
  }
  return Math.sqrt(error / size);
}

/** What a free mesh has to do exactly. */
export interface ExactChecks {
  /** Largest nodal force inside under a linear field, over that on the boundary. */
  readonly patch: number;
  /** Number of modes without frequency. */
  readonly zeroModes: number;
  /** Largest nodal force under a rigid motion, over the largest row of K. */
  readonly rigid: number;
}

/** Patch test, rigid motions and zero modes of a skew mesh of 3 elements a side, 2 of quadratic ones. */
export function exactChecks(kind: ElementKind): ExactChecks {
  const mesh = skewMesh(kind, kind === 'tet10' ? 2 : 3);
  const state = stressState(kind);
  const d = mesh.dimension;
  const matrices = assembleFem({ mesh, material: CHECK_MATERIAL, state });
  const forces = (field: Field): Float64Array => {
    const out = new Float64Array(matrices.size);
    matrices.stiffness.multiply(nodalValues(matrices, field), out);
    return out;
  };
  const axisymmetric = state === 'axisymmetric';
  // the half section takes the same strain along r and around the axis
  const linear: Field = axisymmetric
    ? ([r, z]) => [0.3 * r, 0.2 * z + 0.1]
    : (x) =>
        x.map((_, c) => x.reduce((sum, value, o) => sum + (0.3 + 0.2 * c - 0.1 * o) * value, 0.1));
  const patch = forces(linear);
  const border = new Set(boundaryNodes(mesh));
  let inside = 0;
  let most = 0;
  for (let node = 0; node < mesh.coordinates.length / d; node++) {
    for (let axis = 0; axis < d; axis++) {
      const force = Math.abs(patch[matrices.freedom[d * node + axis]]);
      most = Math.max(most, force);
      if (!border.has(node)) inside = Math.max(inside, force);
    }
  }
  let stiffest = 0;
  for (let i = 0; i < matrices.size; i++)
    stiffest = Math.max(stiffest, matrices.stiffness.at(i, i));
  const motions: Field[] = axisymmetric
    ? [() => [0, 1]]
    : d === 2
      ? [() => [1, 0], () => [0, 1], ([x, y]) => [-y, x]]
      : [
          ...[0, 1, 2].map(
            (axis): Field =>
              () =>
                [0, 1, 2].map((c) => (c === axis ? 1 : 0)),
          ),
          ([x, y]) => [-y, x, 0],
          ([, y, z]) => [0, -z, y],
          ([x, , z]) => [z, 0, -x],
        ];
  const rigid = Math.max(...motions.map((motion) => Math.max(...forces(motion).map(Math.abs))));
  const { frequencies } = lowestModes(matrices.stiffness, matrices.mass, motions.length + 2);
  return {
    patch: inside / most,
    zeroModes: frequencies.filter((frequency) => frequency === 0).length,
    rigid: rigid / stiffest,
  };
}
