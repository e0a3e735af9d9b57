/** Regular meshes: boxes in the plane and in space, cut into one kind of element and mapped to any shape. */
import { range } from '../base/parameter-checks.ts';
import type { ElementKind } from './element-rules.ts';
import type { FemMesh } from './fem-mesh.ts';

/** Where a node of the grid goes; arguments run from 0 to 1. */
export type GridMap = (u: number, v: number, w: number) => readonly number[];

/** Elements of a cell of the grid, by its corners. */
const SQUARE_CELLS: Readonly<Record<'quad4' | 'axisymmetric-quad4' | 'cst', readonly number[][]>> =
  {
    quad4: [[0, 1, 3, 2]],
    'axisymmetric-quad4': [[0, 1, 3, 2]],
    cst: [
      [0, 1, 3],
      [0, 3, 2],
    ],
  };
/** Six tetrahedra around the diagonal from corner 0 to corner 7; corner = x + 2 y + 4 z. */
const TETRAHEDRA = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
];
const HEXAHEDRON = [[0, 1, 3, 2, 4, 5, 7, 6]];

/** Number of a node of a grid in the plane with `nu` cells along u. */
export function gridNode(nu: number, i: number, j: number): number {
  return i + (nu + 1) * j;
}

/** nu × nv cells. Node (i, j) has the number i + (nu + 1) j. */
export function planeGrid(
  kind: 'quad4' | 'axisymmetric-quad4' | 'cst',
  nu: number,
  nv: number,
  map: GridMap,
): FemMesh {
  cells('nu', nu);
  cells('nv', nv);
  const coordinates: number[] = [];
  for (let j = 0; j <= nv; j++)
    for (let i = 0; i <= nu; i++) coordinates.push(...map(i / nu, j / nv, 0));
  const nodes: number[] = [];
  for (let j = 0; j < nv; j++) {
    for (let i = 0; i < nu; i++) {
      const corners = [0, 1, 2, 3].map((c) => gridNode(nu, i + (c & 1), j + (c >> 1)));
      for (const element of SQUARE_CELLS[kind]) nodes.push(...element.map((c) => corners[c]));
    }
  }
  return mesh(2, coordinates, kind, nodes);
}

/** nu × nv × nw cells; tetrahedra are six in a cell. */
export function solidGrid(
  kind: 'hex8' | 'tet4' | 'tet10',
  nu: number,
  nv: number,
  nw: number,
  map: GridMap,
): FemMesh {
  cells('nu', nu);
  cells('nv', nv);
  cells('nw', nw);
  const fine = kind === 'tet10' ? 2 : 1;
  const across = [fine * nu + 1, fine * nv + 1, fine * nw + 1];
  const coordinates: number[] = [];
  for (let k = 0; k < across[2]; k++) {
    for (let j = 0; j < across[1]; j++) {
      for (let i = 0; i < across[0]; i++) {
        coordinates.push(...map(i / (fine * nu), j / (fine * nv), k / (fine * nw)));
      }
    }
  }
  const number = (i: number, j: number, k: number): number => i + across[0] * (j + across[1] * k);
  const nodes: number[] = [];
  for (let k = 0; k < nw; k++) {
    for (let j = 0; j < nv; j++) {
      for (let i = 0; i < nu; i++) {
        const corner = (c: number): number[] => [i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)];
        const at = (a: number, b: number): number => {
          const [p, q] = [corner(a), corner(b)];
          const [x, y, z] = p.map((value, axis) => (fine * (value + q[axis])) / 2);
          return number(x, y, z);
        };
        for (const element of kind === 'hex8' ? HEXAHEDRON : TETRAHEDRA) {
          nodes.push(...element.map((c) => at(c, c)));
          if (kind !== 'tet10') continue;
          const [a, b, c, d] = element;
          nodes.push(at(a, b), at(b, c), at(c, a), at(a, d), at(b, d), at(c, d));
        }
      }
    }
  }
  return mesh(3, coordinates, kind, nodes);
}

function cells(field: string, count: number): void {
  range(field, count, Number.isInteger(count) && count >= 1, 'to be a whole number of cells');
}

function mesh(
  dimension: 2 | 3,
  coordinates: readonly number[],
  kind: ElementKind,
  nodes: readonly number[],
): FemMesh {
  return {
    dimension,
    coordinates: Float64Array.from(coordinates),
    blocks: [{ kind, nodes: Int32Array.from(nodes) }],
    nodeSets: {},
  };
}
