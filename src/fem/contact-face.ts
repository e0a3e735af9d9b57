/**
 * A face of a solid mesh: the element faces on its surface whose nodes all belong to a set, with what falls to each node.
 *
 * Area of a node ∫ N_a dA and its vector ∫ N_a n dA, the load of a unit pressure. A triangle of six nodes gives its corners nothing.
 */
import { BerthError } from '../base/errors.ts';
import { gaussLegendre } from '../math/quadrature.ts';
import { type FemMesh, nodeSet } from './fem-mesh.ts';
import { surfaceFaces } from './surface-faces.ts';

/** Part of the largest area of a node below which a node has none. */
const NO_AREA = 1e-9;

/** Nodes of a face that carry a pressure. */
export interface ContactFace {
  readonly nodes: readonly number[];
  /** Where they are, three numbers each, m. */
  readonly places: readonly number[];
  /** What falls to each of them: area, m². */
  readonly weights: readonly number[];
  /** ∫ N n dA, three numbers each, m². */
  readonly vectors: readonly number[];
}

/** The face of a set of nodes. @throws BerthError when the set has no face of an element on the surface */
export function contactFace(mesh: FemMesh, name: string): ContactFace {
  const members = new Set(nodeSet(mesh, name));
  const areas = new Map<number, number>();
  const vectors = new Map<number, number[]>();
  for (const face of surfaceFaces(mesh)) {
    if (!face.every((node) => members.has(node))) continue;
    addFace(mesh.coordinates, face, areas, vectors);
  }
  const most = Math.max(0, ...areas.values());
  const nodes = [...areas.keys()]
    .filter((node) => (areas.get(node) ?? 0) > NO_AREA * most)
    .sort((a, b) => a - b);
  if (nodes.length === 0) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected the contact face "${name}" to have points, got ${members.size} nodes without a face of an element on the surface`,
      { field: 'contact' },
    );
  }
  return {
    nodes,
    places: nodes.flatMap((node) => [...mesh.coordinates.subarray(3 * node, 3 * node + 3)]),
    weights: nodes.map((node) => areas.get(node) ?? 0),
    vectors: nodes.flatMap((node) => vectors.get(node) ?? [0, 0, 0]),
  };
}

/** Shape functions of a face and their slopes at (u, v). */
interface FaceShape {
  readonly values: number[];
  readonly slopes: number[][];
}

function triangleShape(count: number, u: number, v: number): FaceShape {
  const l = [1 - u - v, u, v];
  const dl = [
    [-1, -1],
    [1, 0],
    [0, 1],
  ];
  if (count === 3) return { values: l, slopes: dl };
  const values = l.map((x) => x * (2 * x - 1));
  const slopes = dl.map((d, a) => d.map((s) => (4 * l[a] - 1) * s));
  for (let a = 0; a < 3; a++) {
    const b = (a + 1) % 3;
    values.push(4 * l[a] * l[b]);
    slopes.push([0, 1].map((c) => 4 * (dl[a][c] * l[b] + l[a] * dl[b][c])));
  }
  return { values, slopes };
}

function squareShape(u: number, v: number): FaceShape {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  return {
    values: corners.map(([a, b]) => 0.25 * (1 + a * u) * (1 + b * v)),
    slopes: corners.map(([a, b]) => [0.25 * a * (1 + b * v), 0.25 * b * (1 + a * u)]),
  };
}

/** Adds what falls to the nodes of one face. Three Gauss points each way: exact for straight edges. */
function addFace(
  coordinates: Float64Array,
  face: readonly number[],
  areas: Map<number, number>,
  vectors: Map<number, number[]>,
): void {
  const { nodes: at, weights } = gaussLegendre(3);
  for (const [p, s] of at.entries()) {
    for (const [q, t] of at.entries()) {
      const u = (1 + s) / 2;
      const v = ((1 + t) / 2) * (1 - u);
      const square = face.length === 4;
      const shape = square ? squareShape(s, t) : triangleShape(face.length, u, v);
      const weight = weights[p] * weights[q] * (square ? 1 : 0.25 * (1 - u));
      const along = [0, 1].map((c) =>
        [0, 1, 2].map((axis) =>
          face.reduce((sum, node, a) => sum + shape.slopes[a][c] * coordinates[3 * node + axis], 0),
        ),
      );
      const [a, b] = along;
      const normal = [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
      ];
      const size = Math.sqrt(normal.reduce((sum, x) => sum + x * x, 0));
      for (const [k, node] of face.entries()) {
        const share = weight * shape.values[k];
        areas.set(node, (areas.get(node) ?? 0) + share * size);
        const vector = vectors.get(node) ?? [0, 0, 0];
        vectors.set(
          node,
          vector.map((x, axis) => x + share * normal[axis]),
        );
      }
    }
  }
}
