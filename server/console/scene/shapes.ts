/** Geometry of a cell: triangles from kind and dimensions. */
import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Float32BufferAttribute,
  PlaneGeometry,
  Shape,
  SphereGeometry,
} from 'three';
import type { CellShape, Placed } from './description.ts';

const ROUND = 48;

/** A part to draw: geometry, its nested frames, and whether it is removed from the others or infinite. */
export interface Part {
  readonly geometry: BufferGeometry;
  readonly places: readonly Pick<Placed, 'position_m' | 'orientation'>[];
  readonly open: boolean;
}

/** Rotates a cylinder of the library, which stands along y, to the z axis of the model. */
const alongZ = (geometry: BufferGeometry): BufferGeometry => geometry.rotateX(Math.PI / 2);

/** Builds a geometry. Infinite shapes are drawn up to `reach`, m; long ones are divided into slices. */
function build(
  shape: Exclude<CellShape, { kind: 'boolean' }>,
  reach: number,
  slices: number,
): BufferGeometry {
  switch (shape.kind) {
    case 'sphere':
      return new SphereGeometry(shape.radius_m, ROUND, ROUND / 2);
    case 'ellipsoid':
      return new SphereGeometry(0.5, ROUND, ROUND / 2).scale(...shape.size_m);
    case 'box':
      return box(shape.size_m, slices);
    case 'cylinder': {
      const { radius_m, length_m } = shape;
      return alongZ(new CylinderGeometry(radius_m, radius_m, length_m, ROUND, slices));
    }
    case 'frustum': {
      const { radius_m, top_radius_m, length_m } = shape;
      const upright = alongZ(new CylinderGeometry(top_radius_m, radius_m, length_m, ROUND, slices));
      return upright.translate(0, 0, length_m / 2);
    }
    case 'capsule':
      return alongZ(new CapsuleGeometry(shape.radius_m, shape.length_m, 12, ROUND, slices));
    case 'beam':
      return beam(shape);
    case 'mesh':
      return mesh(shape);
    case 'half-space':
      return new PlaneGeometry(20 * reach, 20 * reach);
    case 'bore': {
      const { radius_m } = shape;
      return alongZ(new CylinderGeometry(radius_m, radius_m, 2 * reach, 2 * ROUND, 1, true));
    }
  }
}

function box(size: readonly [number, number, number], slices: number): BufferGeometry {
  const longest = Math.max(...size);
  const [x, y, z] = size.map((length) => (length === longest ? slices : 1));
  return new BoxGeometry(...size, x, y, z);
}

function mesh({ vertices_m, faces }: Extract<CellShape, { kind: 'mesh' }>): BufferGeometry {
  const corners = faces.flat().flatMap((index) => [...vertices_m[index]]);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals(); // corners are not shared, so that every face stays flat
  return geometry;
}

function beam(shape: Extract<CellShape, { kind: 'beam' }>): BufferGeometry {
  const [x, r] = [shape.length_m / 2, shape.width_m / 2];
  const outline = new Shape();
  outline.absarc(x, 0, r, -Math.PI / 2, Math.PI / 2);
  outline.absarc(-x, 0, r, Math.PI / 2, (3 * Math.PI) / 2);
  const geometry = new ExtrudeGeometry(outline, { depth: shape.thickness_m, bevelEnabled: false });
  return geometry.translate(0, 0, -shape.thickness_m / 2);
}

/** Radius of a ball about the origin of the shape that contains it, m; 0 for an infinite shape. */
export function reachOf(shape: CellShape): number {
  switch (shape.kind) {
    case 'sphere':
      return shape.radius_m;
    case 'box':
    case 'ellipsoid':
      return Math.hypot(...shape.size_m) / 2;
    case 'cylinder':
      return Math.hypot(shape.radius_m, shape.length_m / 2);
    case 'frustum':
      return Math.hypot(shape.radius_m, shape.length_m);
    case 'capsule':
      return shape.radius_m + shape.length_m / 2;
    case 'beam':
      return Math.hypot((shape.length_m + shape.width_m) / 2, shape.width_m, shape.thickness_m);
    case 'mesh':
      return Math.max(...shape.vertices_m.map((vertex) => Math.hypot(...vertex)));
    case 'boolean':
      return Math.max(0, ...shape.common.map((part) => reachOf(part.shape)));
    case 'bore':
      return 1.5 * shape.radius_m;
    case 'half-space':
      return 0;
  }
}

/** Parts of a cell to draw, in slices when it bends; unknown kinds are left out. */
export function partsOf(
  { shape, position_m, orientation }: Placed,
  reach: number,
  slices = 1,
): Part[] {
  const outer = { position_m, orientation };
  if (shape.kind !== 'boolean') {
    const open = shape.kind === 'half-space' || shape.kind === 'bore';
    const geometry = build(shape, reach, slices) as BufferGeometry | undefined;
    return geometry === undefined ? [] : [{ geometry, places: [outer], open }];
  }
  const inner = (cell: Placed, open: boolean): Part[] =>
    partsOf(cell, reachOf(shape) || reach, slices).map((part) => ({
      geometry: part.geometry,
      places: [outer, ...part.places],
      open: open || part.open,
    }));
  return [
    ...shape.common.flatMap((cell) => inner(cell, false)),
    ...shape.without.flatMap((cell) => inner(cell, true)),
  ];
}
