/** Shapes made of facets: their plain descriptions and their surfaces. It allocates and is for construction. */
import { cos, sin } from '../math/elementary/circular.ts';
import {
  expect,
  finite,
  list,
  oneOf,
  plain,
  positive,
  range,
  unit,
} from '../base/parameter-checks.ts';
import { rotationOf } from '../math/quaternion.ts';
import { type FacetedSurface, type Facets, makeFacets } from './facets.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

/** A box about the origin. */
export interface FacetedBox {
  readonly kind: 'box';
  /** Edge lengths along x, y, z, m, > 0. */
  readonly size: readonly [number, number, number];
}
/** A cone frustum on the plane z = 0, top at z = length. */
export interface FacetedFrustum {
  readonly kind: 'frustum';
  /** Radius of the base and of the top, m, > 0. */
  readonly radius: number;
  readonly topRadius: number;
  /** Height, m, > 0. */
  readonly length: number;
  /** Facets around, from 3. */
  readonly around: number;
}
/** A torus about z. */
export interface FacetedTorus {
  readonly kind: 'torus';
  /** Radius of the centre circle, m, above that of the tube. */
  readonly radius: number;
  /** Radius of the tube, m, > 0. */
  readonly tubeRadius: number;
  /** Facets around z and across the tube, from 3. */
  readonly around: number;
  readonly across: number;
}
/** A closed surface, polygon by polygon. */
export interface FacetedPolygons extends FacetedSurface {
  readonly kind: 'polygons';
}
/** Every shape that is made of facets. */
export type FacetedShape = FacetedBox | FacetedFrustum | FacetedTorus | FacetedPolygons;

/** A shape of facets on a body. */
export interface PlacedFacets {
  readonly shape: FacetedShape;
  /** Origin of the shape in the frame of the body, m. */
  readonly position: readonly [number, number, number];
  /** Unit quaternion (x, y, z, w) rotating shape vectors into the body. */
  readonly orientation: readonly [number, number, number, number];
}

/** Most facets of a plain shape in one direction. */
const MOST_DIVISIONS = 1024;

/** Those that were built, by what they were built of. */
const built = new WeakMap<PlacedFacets, Facets>();

/**
 * Checks and builds the facets of a placed shape in the frame of the body, once for each description.
 * @throws BerthError naming `field` and what is allowed
 */
export function placedFacets(placed: PlacedFacets, field: string): Facets {
  plain(field, placed);
  const before = built.get(placed);
  if (before !== undefined) return before;
  finite(`${field}.position`, placed.position, 3);
  finite(`${field}.orientation`, placed.orientation, 4);
  unit(`${field}.orientation`, placed.orientation);
  const rotation = new Float64Array(9);
  rotationOf(rotation, Float64Array.from(placed.orientation), 0);
  const surface = surfaceOf(placed.shape, `${field}.shape`);
  const facets = makeFacets(placedSurface(surface, rotation, placed.position), `${field}.shape`);
  expect(`${field}.shape`, facets.closed, facets.closed, 'to be a closed surface');
  built.set(placed, facets);
  return facets;
}

/** Checks a placed shape and cuts it into triangles, in the frame of the body. @throws BerthError naming `field` and what is allowed */
export function placedTriangles(placed: PlacedFacets, field: string): TriangleMesh {
  const { vertices, first, corners, facetCount } = placedFacets(placed, field);
  const triangles: number[] = [];
  for (let f = 0; f < facetCount; f++)
    for (let c = first[f] + 1; c + 1 < first[f + 1]; c++)
      triangles.push(corners[first[f]], corners[c], corners[c + 1]);
  return { vertices, triangles: Uint32Array.from(triangles) };
}

/** The surface of a shape in its own frame. */
function surfaceOf(shape: FacetedShape, field: string): FacetedSurface {
  plain(field, shape);
  oneOf(`${field}.kind`, shape.kind, ['box', 'frustum', 'torus', 'polygons']);
  switch (shape.kind) {
    case 'box':
      finite(`${field}.size`, shape.size, 3);
      shape.size.forEach((length, k) => {
        positive(`${field}.size[${k}]`, length);
      });
      return boxSurface(shape.size);
    case 'frustum':
      positive(`${field}.radius`, shape.radius);
      positive(`${field}.topRadius`, shape.topRadius);
      positive(`${field}.length`, shape.length);
      divisions(`${field}.around`, shape.around);
      return frustumSurface(shape.radius, shape.topRadius, shape.length, shape.around);
    case 'torus': {
      const { radius, tubeRadius } = shape;
      positive(`${field}.tubeRadius`, tubeRadius);
      range(`${field}.radius`, radius, radius > tubeRadius, `> tubeRadius (${tubeRadius})`);
      divisions(`${field}.around`, shape.around);
      divisions(`${field}.across`, shape.across);
      return torusSurface(radius, tubeRadius, shape.around, shape.across);
    }
    case 'polygons':
      list(`${field}.vertices`, shape.vertices);
      list(`${field}.polygons`, shape.polygons);
      finite(`${field}.vertices`, shape.vertices, 3 * Math.floor(shape.vertices.length / 3));
      shape.polygons.forEach((polygon, k) => {
        list(`${field}.polygons[${k}]`, polygon);
        for (const corner of polygon) {
          range(
            `${field}.polygons[${k}]`,
            corner,
            Number.isInteger(corner),
            'to have whole numbers',
          );
        }
      });
      return shape;
  }
}

function divisions(field: string, count: number): void {
  const whole = Number.isInteger(count) && count >= 3 && count <= MOST_DIVISIONS;
  range(field, count, whole, `to be a whole number from 3 to ${MOST_DIVISIONS}`);
}

/** Angle of division k of n around a circle. */
const part = (k: number, n: number): number => (2 * Math.PI * k) / n;

/** A box about the origin, six rectangles. */
export function boxSurface(size: readonly [number, number, number]): FacetedSurface {
  const [x, y, z] = size.map((length) => length / 2);
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [
    k & 1 ? x : -x,
    k & 2 ? y : -y,
    k & 4 ? z : -z,
  ]);
  const polygons = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return { vertices, polygons };
}

/** A cone frustum on the plane z = 0: `around` trapezoids, base and top; vertices on the round surface, one at azimuth 0. */
export function frustumSurface(
  radius: number,
  topRadius: number,
  length: number,
  around: number,
): FacetedSurface {
  const ring = Array.from({ length: around }, (_, k) => k);
  const vertices = [
    [radius, 0],
    [topRadius, length],
  ].flatMap(([r, z]) =>
    ring.flatMap((k) => [r * cos(part(k, around)), r * sin(part(k, around)), z]),
  );
  const sides = ring.map((k) => {
    const next = (k + 1) % around;
    return [k, next, around + next, around + k];
  });
  const top = ring.map((k) => around + k);
  return { vertices, polygons: [...sides, [...ring].reverse(), top] };
}

/**
 * A torus about z: `around` × `across` trapezoids; vertices on the round surface, one at azimuth 0 and one of each meridian on the outer
 * equator.
 */
export function torusSurface(
  radius: number,
  tubeRadius: number,
  around: number,
  across: number,
): FacetedSurface {
  const vertices: number[] = [];
  const meridian = Array.from({ length: across }, (_, m) => ({
    r: radius + tubeRadius * cos(part(m, across)),
    z: tubeRadius * sin(part(m, across)),
  }));
  for (let k = 0; k < around; k++) {
    const c = cos(part(k, around));
    const s = sin(part(k, around));
    for (const { r, z } of meridian) vertices.push(r * c, r * s, z);
  }
  const at = (k: number, m: number): number => (k % around) * across + (m % across);
  const polygons: number[][] = [];
  for (let k = 0; k < around; k++) {
    for (let m = 0; m < across; m++) {
      polygons.push([at(k, m), at(k + 1, m), at(k + 1, m + 1), at(k, m + 1)]);
    }
  }
  return { vertices, polygons };
}

/** A surface at another place: R x + p, R row by row. */
export function placedSurface(
  { vertices, polygons }: FacetedSurface,
  rotation: ArrayLike<number>,
  position: ArrayLike<number>,
): FacetedSurface {
  const r = rotation;
  const moved: number[] = [];
  for (let k = 0; k < vertices.length; k += 3) {
    const [x, y, z] = [vertices[k], vertices[k + 1], vertices[k + 2]];
    for (let a = 0; a < 3; a++)
      moved.push(r[3 * a] * x + r[3 * a + 1] * y + r[3 * a + 2] * z + position[a]);
  }
  return { vertices: moved, polygons };
}
