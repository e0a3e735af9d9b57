/**
 * The surface of a body as plane convex polygons, the facets, with everything that a distance of two bodies needs at hand. It allocates and
 * is for construction. docs/theory/faceted.md.
 *
 * Features have one number for the whole body: vertices from 0, then edges, then facets. The pseudo-normal of a feature separates inside from
 * outside at its closest points: that of a facet is its normal, that of an edge the sum of the normals of its facets, that of a vertex
 * their sum weighted by the angles at the vertex. `Baerentzen & Aanaes 2005`.
 */
import { BerthError } from '../base/errors.ts';
import { acos } from '../math/elementary/inverse-circular.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

/** A surface as polygons, counter-clockwise seen from outside; lengths in metres. */
export interface FacetedSurface {
  /** x, y, z of each vertex. */
  readonly vertices: readonly number[];
  /** Vertex indices of each polygon. */
  readonly polygons: readonly (readonly number[])[];
}

/** The facets of a body in flat arrays. */
export interface Facets {
  readonly vertices: Float64Array;
  readonly vertexCount: number;
  readonly edgeCount: number;
  readonly facetCount: number;
  /** Corners of facet f are those from first[f] to first[f + 1] − 1. */
  readonly first: Int32Array;
  /** Vertex of each corner, and the edge from it to the next corner. */
  readonly corners: Int32Array;
  readonly edges: Int32Array;
  /** Place of each corner, m: those of a facet one after the other. */
  readonly cornerPoints: Float64Array;
  /** Outward unit normal, offset along it, m, and area, m², of each facet. */
  readonly normals: Float64Array;
  readonly offsets: Float64Array;
  readonly areas: Float64Array;
  /** At each corner, n × edge: into the facet, across the edge that begins there, m. */
  readonly sides: Float64Array;
  /** At each corner, 1 over the squared length of the edge that begins there, 1/m². */
  readonly inverseSquares: Float64Array;
  /** Largest distance of a corner of a facet from its first one, m. */
  readonly sizes: Float64Array;
  /** Pseudo-normal of each feature, not of unit length. */
  readonly pseudoNormals: Float64Array;
  /** Longest edge of the box around the vertices, m. */
  readonly extent: number;
  /** Most corners of a facet. */
  readonly mostCorners: number;
  /** Whether every edge has two facets that run along it in opposite senses. */
  readonly closed: boolean;
}

/** Distance of a corner from the plane of its facet, over the extent, up to which it lies there: 32-bit floats of a file leave 1e-7. */
const FLAT = 1e-6;
/** Sine of the angle by which a corner may bend inward and count as straight. */
const STRAIGHT = 1e-6;

const refused = (name: string, problem: string): BerthError =>
  new BerthError('BERTH_PARAMETER_RANGE', `Expected ${name} ${problem}`, { field: name });

/** The polygons of a surface cut into triangles, each from its first corner. */
export function surfaceTriangles({ vertices, polygons }: FacetedSurface): TriangleMesh {
  const triangles = polygons.flatMap(([first, ...others]) =>
    others.slice(1).flatMap((corner, k) => [first, others[k], corner]),
  );
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** Builds the facets of a surface. @throws BerthError for a polygon that is not plane, not convex or has no area */
export function makeFacets(surface: FacetedSurface, name: string): Facets {
  const vertices = Float64Array.from(surface.vertices);
  const vertexCount = vertices.length / 3;
  const facetCount = surface.polygons.length;
  if (facetCount === 0) throw refused(name, 'to have polygons, got none');
  const extent = extentOf(vertices);
  if (!(extent > 0 && extent < Infinity)) throw refused(name, `to have an extent, got ${extent} m`);
  const first = new Int32Array(facetCount + 1);
  surface.polygons.forEach((polygon, f) => {
    first[f + 1] = first[f] + polygon.length;
  });
  const corners = Int32Array.from(surface.polygons.flat());
  for (const corner of corners) {
    if (corner >= 0 && corner < vertexCount) continue;
    throw refused(name, `to have polygons of its ${vertexCount} vertices, got index ${corner}`);
  }
  const normals = new Float64Array(3 * facetCount);
  const offsets = new Float64Array(facetCount);
  const areas = new Float64Array(facetCount);
  for (let f = 0; f < facetCount; f++) {
    const polygon = corners.subarray(first[f], first[f + 1]);
    measure(vertices, polygon, extent, `${name} polygon ${f}`, (normal, offset, area) => {
      normals.set(normal, 3 * f);
      offsets[f] = offset;
      areas[f] = area;
    });
  }
  const sides = new Float64Array(3 * corners.length);
  const sizes = new Float64Array(facetCount);
  const { edges, edgeCount, closed } = numberEdges(first, corners, vertexCount);
  const pseudoNormals = new Float64Array(3 * (vertexCount + edgeCount + facetCount));
  const add = (feature: number, f: number, weight: number): void => {
    for (let a = 0; a < 3; a++) pseudoNormals[3 * feature + a] += weight * normals[3 * f + a];
  };
  let mostCorners = 0;
  for (let f = 0; f < facetCount; f++) {
    const count = first[f + 1] - first[f];
    mostCorners = Math.max(mostCorners, count);
    add(vertexCount + edgeCount + f, f, 1);
    for (let k = 0; k < count; k++) {
      const c = first[f] + k;
      add(vertexCount + edges[c], f, 1);
      sizes[f] = Math.max(sizes[f], distance(vertices, 3 * corners[first[f]], 3 * corners[c]));
      for (let a = 0; a < 3; a++)
        sides[3 * c + a] = sideOf(
          vertices,
          normals,
          f,
          corners,
          c,
          k + 1 === count ? first[f] : c + 1,
          a,
        );
      const before = corners[first[f] + ((k + count - 1) % count)];
      const after = corners[first[f] + ((k + 1) % count)];
      add(corners[c], f, angleAt(vertices, before, corners[c], after));
    }
  }
  return {
    vertices,
    vertexCount,
    edgeCount,
    facetCount,
    first,
    corners,
    edges,
    cornerPoints: Float64Array.from(
      { length: 3 * corners.length },
      (_, at) => vertices[3 * corners[Math.floor(at / 3)] + (at % 3)],
    ),
    normals,
    offsets,
    areas,
    sides,
    inverseSquares: Float64Array.from({ length: corners.length }, (_, c) => {
      const o = 3 * c;
      return 1 / (sides[o] * sides[o] + sides[o + 1] * sides[o + 1] + sides[o + 2] * sides[o + 2]);
    }),
    sizes,
    pseudoNormals,
    extent,
    mostCorners,
    closed,
  };
}

function extentOf(vertices: Float64Array): number {
  let extent = 0;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let k = axis; k < vertices.length; k += 3) {
      if (vertices[k] < low) low = vertices[k];
      if (vertices[k] > high) high = vertices[k];
    }
    extent = Math.max(extent, high - low);
  }
  return extent;
}

/** Normal and area by the sum of the cross products about the first corner; the offset is the mean of those of the corners. */
function measure(
  v: Float64Array,
  polygon: Int32Array,
  extent: number,
  name: string,
  out: (normal: readonly number[], offset: number, area: number) => void,
): void {
  if (polygon.length < 3) throw refused(name, `to have 3 corners or more, got ${polygon.length}`);
  const sum = [0, 0, 0];
  const o = 3 * polygon[0];
  for (let k = 1; k + 1 < polygon.length; k++) {
    const n = crossOf(v, o, 3 * polygon[k], 3 * polygon[k + 1]);
    for (let a = 0; a < 3; a++) sum[a] += n[a];
  }
  const length = Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  if (!(length > FLAT * FLAT * extent * extent)) throw refused(name, 'to have an area');
  const normal = sum.map((value) => value / length);
  const along = (index: number): number =>
    normal[0] * v[3 * index] + normal[1] * v[3 * index + 1] + normal[2] * v[3 * index + 2];
  let offset = 0;
  for (const index of polygon) offset += along(index) / polygon.length;
  for (let k = 0; k < polygon.length; k++) {
    const away = Math.abs(along(polygon[k]) - offset);
    if (away > FLAT * extent) throw refused(name, `to be plane, got a corner ${away} m beside it`);
    const a = 3 * polygon[k];
    const b = 3 * polygon[(k + 1) % polygon.length];
    const c = 3 * polygon[(k + 2) % polygon.length];
    if (!(distance(v, b, c) > 0))
      throw refused(name, `to have corners at different places, got two of corner ${k}`);
    const n = crossOf(v, a, b, c);
    const bend = n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2];
    if (!(bend > -STRAIGHT * distance(v, a, b) * distance(v, b, c))) {
      throw refused(name, `to be convex and counter-clockwise, which it is not at corner ${k + 1}`);
    }
  }
  out(normal, offset, length / 2);
}

function crossOf(v: Float64Array, a: number, b: number, c: number): [number, number, number] {
  const [px, py, pz] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
  const [qx, qy, qz] = [v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]];
  return [py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx];
}

function distance(v: Float64Array, a: number, b: number): number {
  const [x, y, z] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Component `axis` of n × (to − from) of corners `from` and `to` of facet f. */
function sideOf(
  v: Float64Array,
  normals: Float64Array,
  f: number,
  corners: Int32Array,
  from: number,
  to: number,
  axis: number,
): number {
  const p = (axis + 1) % 3;
  const q = (axis + 2) % 3;
  const along = (a: number): number => v[3 * corners[to] + a] - v[3 * corners[from] + a];
  return normals[3 * f + p] * along(q) - normals[3 * f + q] * along(p);
}

function angleAt(v: Float64Array, before: number, at: number, after: number): number {
  let dot = 0;
  for (let a = 0; a < 3; a++)
    dot += (v[3 * before + a] - v[3 * at + a]) * (v[3 * after + a] - v[3 * at + a]);
  const length = distance(v, 3 * at, 3 * before) * distance(v, 3 * at, 3 * after);
  return acos(Math.max(-1, Math.min(1, dot / length)));
}

function numberEdges(
  first: Int32Array,
  corners: Int32Array,
  vertexCount: number,
): { edges: Int32Array; edgeCount: number; closed: boolean } {
  const edges = new Int32Array(corners.length);
  const numbers = new Map<number, { readonly edge: number; forward: number; backward: number }>();
  for (let f = 0; f + 1 < first.length; f++) {
    for (let c = first[f]; c < first[f + 1]; c++) {
      const from = corners[c];
      const to = corners[c + 1 === first[f + 1] ? first[f] : c + 1];
      const key = Math.min(from, to) * vertexCount + Math.max(from, to);
      const use = numbers.get(key) ?? { edge: numbers.size, forward: 0, backward: 0 };
      numbers.set(key, use);
      if (from < to) use.forward++;
      else use.backward++;
      edges[c] = use.edge;
    }
  }
  const closed = [...numbers.values()].every((use) => use.forward === 1 && use.backward === 1);
  return { edges, edgeCount: numbers.size, closed };
}
