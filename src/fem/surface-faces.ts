/** The surface of a solid mesh: the faces of its elements that belong to one element only. For set-up. */
import type { PatchModel } from '../model/patch-spec.ts';
import { ELEMENT_RULES, type ElementKind } from './element-rules.ts';
import type { FemMesh } from './fem-mesh.ts';

/** Faces of the elements, counter-clockwise from outside; of TET10 corners, then middles. */
const FACES: Readonly<Partial<Record<ElementKind, readonly (readonly number[])[]>>> = {
  tet4: [
    [0, 2, 1],
    [0, 1, 3],
    [1, 2, 3],
    [0, 3, 2],
  ],
  tet10: [
    [0, 2, 1, 6, 5, 4],
    [0, 1, 3, 4, 8, 7],
    [1, 2, 3, 5, 9, 8],
    [0, 3, 2, 7, 9, 6],
  ],
  hex8: [
    [0, 3, 2, 1],
    [4, 5, 6, 7],
    [0, 1, 5, 4],
    [1, 2, 6, 5],
    [2, 3, 7, 6],
    [3, 0, 4, 7],
  ],
};
/** Faces that belong to one element only. */
export function surfaceFaces(mesh: FemMesh): number[][] {
  const found = new Map<string, number[] | null>();
  for (const { kind, nodes } of mesh.blocks) {
    const { nodes: count } = ELEMENT_RULES[kind];
    for (let e = 0; e < nodes.length; e += count) {
      for (const local of FACES[kind] ?? []) {
        const face = local.map((a) => nodes[e + a]);
        const key = [...face].sort((a, b) => a - b).join(' ');
        found.set(key, found.has(key) ? null : face);
      }
    }
  }
  return [...found.values()].filter((face) => face !== null);
}

/** The surface as polygons between the corners of the elements, with the vertices that it needs. */
export function bodySurface(mesh: FemMesh): NonNullable<PatchModel['surface']> {
  const polygons = surfaceFaces(mesh).map((face) => (face.length === 6 ? face.slice(0, 3) : face));
  const used = [...new Set(polygons.flat())].sort((a, b) => a - b);
  const place = new Map(used.map((node, k) => [node, k]));
  return {
    vertices: used.flatMap((node) => [...mesh.coordinates.subarray(3 * node, 3 * node + 3)]),
    polygons: polygons.map((face) => face.map((node) => place.get(node) ?? 0)),
  };
}
