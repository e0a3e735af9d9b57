/**
 * Order of the nodes that makes the skyline short: reverse Cuthill–McKee, each part of the mesh from an end that is far away.
 * `Cuthill & McKee 1969; George & Liu 1979`. Ties go to the node of fewer neighbours, then of the lower number.
 */
import { ELEMENT_RULES } from './element-rules.ts';
import { type FemMesh, nodeCount } from './fem-mesh.ts';

/** Neighbours of every node, in rising order. */
export function nodeNeighbours(mesh: FemMesh): number[][] {
  const sets = Array.from({ length: nodeCount(mesh) }, () => new Set<number>());
  for (const { kind, nodes } of mesh.blocks) {
    const { nodes: size } = ELEMENT_RULES[kind];
    for (let e = 0; e < nodes.length; e += size) {
      for (let a = e; a < e + size; a++) {
        for (let b = e; b < e + size; b++) if (nodes[a] !== nodes[b]) sets[nodes[a]].add(nodes[b]);
      }
    }
  }
  return sets.map((set) => [...set].sort((a, b) => a - b));
}

/** Nodes in their new order. */
export function nodeOrder(mesh: FemMesh): Int32Array {
  const neighbours = nodeNeighbours(mesh);
  const placed = new Uint8Array(neighbours.length);
  const order: number[] = [];
  for (let node = 0; node < neighbours.length; node++) {
    if (placed[node] === 1) continue;
    const levels = levelsFrom(farEnd(node, neighbours), neighbours);
    for (const one of levels.flat()) placed[one] = 1;
    order.push(...levels.flat());
  }
  return Int32Array.from(order.reverse());
}

/** A node of the same part from which the part has many levels. */
function farEnd(start: number, neighbours: readonly number[][]): number {
  let end = start;
  let depth = 0;
  for (;;) {
    const levels = levelsFrom(end, neighbours);
    if (levels.length <= depth) return end;
    depth = levels.length;
    [end] = [...levels[levels.length - 1]].sort(byDegree(neighbours));
  }
}

/** Nodes by their distance from `start`; within a level in the order of Cuthill and McKee. */
function levelsFrom(start: number, neighbours: readonly number[][]): number[][] {
  const seen = new Set([start]);
  const levels = [[start]];
  for (;;) {
    const next: number[] = [];
    for (const node of levels[levels.length - 1]) {
      for (const other of [...neighbours[node]].sort(byDegree(neighbours))) {
        if (seen.has(other)) continue;
        seen.add(other);
        next.push(other);
      }
    }
    if (next.length === 0) return levels;
    levels.push(next);
  }
}

const byDegree =
  (neighbours: readonly number[][]) =>
  (a: number, b: number): number =>
    neighbours[a].length - neighbours[b].length || a - b;
