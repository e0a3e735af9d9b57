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

/** Work space of a cross product. */
const CROSS = new Float64Array(3);

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
  const unit = new Float64Array(3);
  for (let f = 0; f < facetCount; f++) {
    const polygon = corners.subarray(first[f], first[f + 1]);
    areas[f] = measureArea(vertices, polygon, extent, `${name} polygon ${f}`, unit);
    normals.set(unit, 3 * f);
    offsets[f] = offsetOf(vertices, polygon, unit);
    checkCorners(vertices, polygon, unit, offsets[f], extent, `${name} polygon ${f}`);
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
      writeSide(vertices, normals, f, corners, c, k + 1 === count ? first[f] : c + 1, sides);
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
    cornerPoints: cornerPointsOf(vertices, corners),
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

/** Area of a polygon, with its unit normal in `normal`: by the sum of the cross products about the first corner. */
function measureArea(
  v: Float64Array,
  polygon: Int32Array,
  extent: number,
  name: string,
  normal: Float64Array,
): number {
  if (polygon.length < 3) throw refused(name, `to have 3 corners or more, got ${polygon.length}`);
  const [sum, n] = [normal, CROSS];
  sum.fill(0);
  const o = 3 * polygon[0];
  for (let k = 1; k + 1 < polygon.length; k++) {
    cross(v, o, 3 * polygon[k], 3 * polygon[k + 1], n);
    for (let a = 0; a < 3; a++) sum[a] += n[a];
  }
  const length = Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  if (!(length > FLAT * FLAT * extent * extent)) throw refused(name, 'to have an area');
  for (let a = 0; a < 3; a++) normal[a] /= length;
  return length / 2;
}

/** Height of a vertex along a normal, m. */
function heightOf(v: Float64Array, index: number, n: Float64Array): number {
  return n[0] * v[3 * index] + n[1] * v[3 * index + 1] + n[2] * v[3 * index + 2];
}

/** Mean of the heights of the corners, m. */
function offsetOf(v: Float64Array, polygon: Int32Array, normal: Float64Array): number {
  let offset = 0;
  for (let k = 0; k < polygon.length; k++)
    offset += heightOf(v, polygon[k], normal) / polygon.length;
  return offset;
}

/** Refuses a polygon that is not plane or not convex. */
function checkCorners(
  v: Float64Array,
  polygon: Int32Array,
  normal: Float64Array,
  offset: number,
  extent: number,
  name: string,
): void {
  const n = CROSS;
  const count = polygon.length;
  for (let k = 0; k < count; k++) {
    const away = Math.abs(heightOf(v, polygon[k], normal) - offset);
    if (away > FLAT * extent) throw refused(name, `to be plane, got a corner ${away} m beside it`);
    const a = 3 * polygon[k];
    const b = 3 * polygon[(k + 1) % count];
    const c = 3 * polygon[(k + 2) % count];
    if (!(distance(v, b, c) > 0))
      throw refused(name, `to have corners at different places, got two of corner ${k}`);
    cross(v, a, b, c, n);
    const bend = n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2];
    if (!(bend > -STRAIGHT * distance(v, a, b) * distance(v, b, c))) {
      throw refused(name, `to be convex and counter-clockwise, which it is not at corner ${k + 1}`);
    }
  }
}

function cornerPointsOf(vertices: Float64Array, corners: Int32Array): Float64Array {
  const points = new Float64Array(3 * corners.length);
  for (let c = 0; c < corners.length; c++)
    for (let a = 0; a < 3; a++) points[3 * c + a] = vertices[3 * corners[c] + a];
  return points;
}

/** out := (b − a) × (c − a) of the points at these places. */
function cross(v: Float64Array, a: number, b: number, c: number, out: Float64Array): void {
  const px = v[b] - v[a];
  const py = v[b + 1] - v[a + 1];
  const pz = v[b + 2] - v[a + 2];
  const qx = v[c] - v[a];
  const qy = v[c + 1] - v[a + 1];
  const qz = v[c + 2] - v[a + 2];
  out[0] = py * qz - pz * qy;
  out[1] = pz * qx - px * qz;
  out[2] = px * qy - py * qx;
}

function distance(v: Float64Array, a: number, b: number): number {
  const x = v[b] - v[a];
  const y = v[b + 1] - v[a + 1];
  const z = v[b + 2] - v[a + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** sides[from] := n × (to − from) of corners `from` and `to` of facet f. */
function writeSide(
  v: Float64Array,
  normals: Float64Array,
  f: number,
  corners: Int32Array,
  from: number,
  to: number,
  sides: Float64Array,
): void {
  const [p, q, n] = [3 * corners[from], 3 * corners[to], 3 * f];
  const x = v[q] - v[p];
  const y = v[q + 1] - v[p + 1];
  const z = v[q + 2] - v[p + 2];
  sides[3 * from] = normals[n + 1] * z - normals[n + 2] * y;
  sides[3 * from + 1] = normals[n + 2] * x - normals[n] * z;
  sides[3 * from + 2] = normals[n] * y - normals[n + 1] * x;
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
  const numbers = new Map<number, number>();
  /** Facets that run along each edge from its lower vertex to its higher one, and back. */
  const forward = new Int32Array(corners.length);
  const backward = new Int32Array(corners.length);
  for (let f = 0; f + 1 < first.length; f++) {
    for (let c = first[f]; c < first[f + 1]; c++) {
      const from = corners[c];
      const to = corners[c + 1 === first[f + 1] ? first[f] : c + 1];
      const key = Math.min(from, to) * vertexCount + Math.max(from, to);
      let edge = numbers.get(key);
      if (edge === undefined) {
        edge = numbers.size;
        numbers.set(key, edge);
      }
      if (from < to) forward[edge]++;
      else backward[edge]++;
      edges[c] = edge;
    }
  }
  const edgeCount = numbers.size;
  let closed = true;
  for (let e = 0; e < edgeCount; e++) closed &&= forward[e] === 1 && backward[e] === 1;
  return { edges, edgeCount, closed };
}
