/** Meshes of finite elements: plain data, and what has to hold of them. Lengths in m. */
import { BerthError } from '../base/errors.ts';
import { oneOf, range } from '../base/parameter-checks.ts';
import { ELEMENT_RULES, type ElementKind } from './element-rules.ts';

/** Elements of one kind. */
export interface ElementBlock {
  readonly kind: ElementKind;
  /** Nodes of the elements, one after the other, counted from 0; their order is that of `ELEMENT_RULES`. */
  readonly nodes: Int32Array;
}

/** A mesh in the plane (x, y), in a half section (r, z) or in space. */
export interface FemMesh {
  readonly dimension: 2 | 3;
  /** Coordinates of the nodes, one node after the other, m. */
  readonly coordinates: Float64Array;
  readonly blocks: readonly ElementBlock[];
  /** Nodes by the name of their set. */
  readonly nodeSets: Readonly<Record<string, readonly number[]>>;
}

/** Number of nodes. */
export function nodeCount(mesh: FemMesh): number {
  return mesh.coordinates.length / mesh.dimension;
}

/** Nodes of a set. @throws BerthError for a name that is not there */
export function nodeSet(mesh: FemMesh, name: string): readonly number[] {
  const found = Object.hasOwn(mesh.nodeSets, name) ? mesh.nodeSets[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(mesh.nodeSets).join(', ');
  throw new BerthError(
    'BERTH_UNKNOWN_NAME',
    `Expected a set of nodes of the mesh (${names || 'it has none'}), got "${name}"`,
    { field: 'nodeSets' },
  );
}

/** @throws BerthError for a mesh that is no mesh: indices, coordinates, elements without volume, nodes without element */
export function checkFemMesh(mesh: FemMesh): void {
  const { dimension, coordinates, blocks } = mesh;
  range('dimension', dimension, dimension === 2 || dimension === 3, 'to be 2 or 3');
  const count = nodeCount(mesh);
  range('coordinates', count, Number.isInteger(count) && count > 0, 'to have whole nodes');
  for (const x of coordinates) range('coordinates', x, true, 'to be finite');
  const used = new Uint8Array(count);
  for (const [b, { kind, nodes }] of blocks.entries()) {
    const field = `blocks[${b}]`;
    oneOf(`${field}.kind`, kind, Object.keys(ELEMENT_RULES));
    const rule = ELEMENT_RULES[kind];
    const whole = rule.dimension === dimension && nodes.length % rule.nodes === 0;
    range(`${field}.nodes`, nodes.length, whole, `to have ${rule.nodes} nodes of each ${kind}`);
    for (const node of nodes) {
      range(`${field}.nodes`, node, node >= 0 && node < count, `to be nodes, 0 to ${count - 1}`);
      used[node] = 1;
    }
    for (let e = 0; e < nodes.length / rule.nodes; e++) checkElement(mesh, b, e);
  }
  const single = used.indexOf(0);
  if (single >= 0) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected every node to belong to an element, got node ${single} without one`,
      { field: 'blocks' },
    );
  }
  for (const [name, nodes] of Object.entries(mesh.nodeSets)) {
    for (const node of nodes) {
      const ok = Number.isInteger(node) && node >= 0 && node < count;
      range(`nodeSets.${name}`, node, ok, `to be nodes, 0 to ${count - 1}`);
    }
  }
}

/** The Jacobian determinant has to be positive at every point of the rules. */
function checkElement(mesh: FemMesh, block: number, element: number): void {
  const { kind, nodes } = mesh.blocks[block];
  const rule = ELEMENT_RULES[kind];
  for (const points of [rule.stiffness, rule.mass]) {
    for (let p = 0; p < points.weights.length; p++) {
      const volume = jacobian(mesh, nodes, element * rule.nodes, rule.nodes, points.slopes, p);
      range(
        `blocks[${block}] element ${element}`,
        volume,
        volume > 0,
        `(${kind}) to have a volume > 0 at each of its points; check the order of its nodes`,
      );
    }
  }
}

/** Determinant of ∂x/∂ξ of an element at point p of a rule. */
function jacobian(
  mesh: FemMesh,
  nodes: Int32Array,
  at: number,
  count: number,
  slopes: Float64Array,
  p: number,
): number {
  const d = mesh.dimension;
  const j = new Float64Array(d * d);
  for (let a = 0; a < count; a++) {
    for (let r = 0; r < d; r++) {
      const x = mesh.coordinates[d * nodes[at + a] + r];
      for (let c = 0; c < d; c++) j[d * r + c] += x * slopes[(p * count + a) * d + c];
    }
  }
  if (d === 2) return j[0] * j[3] - j[1] * j[2];
  return (
    j[0] * (j[4] * j[8] - j[5] * j[7]) -
    j[1] * (j[3] * j[8] - j[5] * j[6]) +
    j[2] * (j[3] * j[7] - j[4] * j[6])
  );
}
