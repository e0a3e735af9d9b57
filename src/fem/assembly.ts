/**
 * Matrices of a mesh: K and the scalar mass m_ab = ∫ ρ N_a N_b dV by skyline, `Kim 1999, (2.49)`; elements add to what is there, so
 * that an element may name a node twice.
 *
 * Degrees of freedom are the components of the nodes that are not held, node by node in the order of `node-order.ts`.
 */
import { positive, range } from '../base/parameter-checks.ts';
import { ElementMatrices } from './element-matrices.ts';
import { ELEMENT_RULES } from './element-rules.ts';
import {
  checkMaterial,
  type ElasticMaterial,
  elasticityMatrix,
  type StressState,
} from './elasticity.ts';
import { checkFemMesh, type FemMesh, nodeCount } from './fem-mesh.ts';
import { nodeOrder } from './node-order.ts';
import { SkylineMatrix } from './skyline.ts';

/** What a mesh is made of, and what is held. */
export interface FemModel {
  readonly mesh: FemMesh;
  readonly material: ElasticMaterial;
  readonly state: StressState;
  /** Thickness of a mesh in the plane, m; 1 when left out. */
  readonly thickness?: number;
  /** Components that stay zero. */
  readonly held?: readonly HeldComponent[];
}

/** A component of the displacement of a node. */
export interface HeldComponent {
  readonly node: number;
  /** 0, 1 or 2. */
  readonly axis: number;
}

/** Matrices of a model. */
export interface FemMatrices {
  readonly model: FemModel;
  readonly dimension: 2 | 3;
  /** Number of degrees of freedom. */
  readonly size: number;
  /** Degree of freedom of component [dimension · node + axis]; −1 when it is held. */
  readonly freedom: Int32Array;
  /** Stiffness over the degrees of freedom, N/m. */
  readonly stiffness: SkylineMatrix;
  /** Mass over the degrees of freedom, kg. */
  readonly mass: SkylineMatrix;
  /** Scalar mass over all nodes in their order, kg, and the place of each node in it. */
  readonly scalarMass: SkylineMatrix;
  readonly place: Int32Array;
}

/** Assembles a model. @throws BerthError for a mesh, material or hold that is none */
export function assembleFem(model: FemModel): FemMatrices {
  const { mesh, material, state, thickness = 1, held = [] } = model;
  checkFemMesh(mesh);
  checkMaterial(material);
  positive('thickness', thickness);
  const fits = (state === 'solid') === (mesh.dimension === 3);
  range('state', mesh.dimension, fits, `dimensions of the mesh to fit ${state}`);
  const count = nodeCount(mesh);
  const d = mesh.dimension;
  const order = nodeOrder(mesh);
  const place = new Int32Array(count);
  for (const [at, node] of order.entries()) place[node] = at;
  const freedom = freedoms(order, d, held);
  const size = freedom.reduce((most, value) => Math.max(most, value + 1), 0);
  const stiffness = new SkylineMatrix(
    profile(mesh, size, (node, axis) => freedom[d * node + axis], d),
  );
  const scalarMass = new SkylineMatrix(profile(mesh, count, (node) => place[node], 1));
  addElements(
    model,
    elasticityMatrix(material, state),
    thickness,
    stiffness,
    freedom,
    scalarMass,
    place,
  );
  const mass = vectorMass(scalarMass, order, freedom, d, stiffness.first);
  return { model, dimension: d, size, freedom, stiffness, mass, scalarMass, place };
}

/** Numbers of the components that are not held. */
function freedoms(order: Int32Array, d: number, held: readonly HeldComponent[]): Int32Array {
  const freedom = new Int32Array(d * order.length);
  for (const [h, { node, axis }] of held.entries()) {
    const ok = node >= 0 && node < order.length && axis >= 0 && axis < d;
    range(`held[${h}].node`, node, ok && Number.isInteger(node), 'and axis to be of the mesh');
    freedom[d * node + axis] = -1;
  }
  let next = 0;
  for (const node of order) {
    for (let axis = 0; axis < d; axis++)
      if (freedom[d * node + axis] === 0) freedom[d * node + axis] = next++;
  }
  return freedom;
}

/** First row of each column: the least number that shares an element with it. */
function profile(
  mesh: FemMesh,
  size: number,
  numberOf: (node: number, axis: number) => number,
  axes: number,
): Int32Array {
  const first = Int32Array.from({ length: size }, (_, i) => i);
  for (const { kind, nodes } of mesh.blocks) {
    const { nodes: count } = ELEMENT_RULES[kind];
    for (let e = 0; e < nodes.length; e += count) {
      const numbers: number[] = [];
      for (let a = e; a < e + count; a++) {
        for (let axis = 0; axis < axes; axis++) {
          const number = numberOf(nodes[a], axis);
          if (number >= 0) numbers.push(number);
        }
      }
      const least = Math.min(...numbers);
      for (const number of numbers) first[number] = Math.min(first[number], least);
    }
  }
  return first;
}

function addElements(
  { mesh, material, state }: FemModel,
  elasticity: Float64Array,
  thickness: number,
  stiffness: SkylineMatrix,
  freedom: Int32Array,
  scalarMass: SkylineMatrix,
  place: Int32Array,
): void {
  const d = mesh.dimension;
  const element = new ElementMatrices(mesh.coordinates, d);
  for (const { kind, nodes } of mesh.blocks) {
    const { nodes: count } = ELEMENT_RULES[kind];
    for (let e = 0; e < nodes.length; e += count) {
      element.computeStiffness(kind, nodes, e, elasticity, state, thickness);
      element.computeMass(kind, nodes, e, material.density, state, thickness);
      for (let a = 0; a < count; a++) {
        for (let b = 0; b < count; b++) {
          addUpper(
            scalarMass,
            place[nodes[e + a]],
            place[nodes[e + b]],
            element.mass[count * a + b],
          );
          for (let c = 0; c < d * d; c++) {
            const r = (c / d) | 0;
            const entry = element.stiffness[count * d * (d * a + r) + d * b + (c % d)];
            addUpper(
              stiffness,
              freedom[d * nodes[e + a] + r],
              freedom[d * nodes[e + b] + (c % d)],
              entry,
            );
          }
        }
      }
    }
  }
}

/** Adds an entry of the upper triangle; both triangles come by. */
function addUpper(matrix: SkylineMatrix, i: number, j: number, value: number): void {
  if (i >= 0 && i <= j) matrix.add(i, j, value);
}

/** m ⊗ I over the degrees of freedom, in the profile of K. */
function vectorMass(
  scalar: SkylineMatrix,
  order: Int32Array,
  freedom: Int32Array,
  d: number,
  first: Int32Array,
): SkylineMatrix {
  const mass = new SkylineMatrix(first);
  for (let b = 0; b < scalar.size; b++) {
    for (let a = scalar.first[b]; a <= b; a++) {
      const value = scalar.at(a, b);
      if (value === 0) continue;
      for (let axis = 0; axis < d; axis++) {
        addUpper(mass, freedom[d * order[a] + axis], freedom[d * order[b] + axis], value);
      }
    }
  }
  return mass;
}
