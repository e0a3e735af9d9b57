/**
 * Which closest points stand for two facets, and which features they lie on. docs/theory/faceted.md.
 *
 *  * The closest points of A are those in the face of A that is extreme against the normal n from B to A, over the face of B that
 * is extreme along n. Where that set is more than a point its centroid is taken: of the clipped area of two parallel facets, the middle
 * of an edge over a face, the middle of the overlap of parallel edges. So the witness is a function of the pose alone. The faces of the two
 * sides (vertex, edge, facet) are the feature pair: facets that share the feature share the witness.
 */
import type { Facets } from '../shapes/facets.ts';
import type { PosedFacet } from './posed-facet.ts';
import {
  CORNER_EDGE,
  CORNER_FACE,
  DIRECTION,
  DISTANCE,
  EDGES,
  EDGE_CORNER,
  FACE_CORNER,
  LEVEL,
  PARALLEL,
  POINT_A,
  POINT_B,
  ROUNDING,
} from './witness-slots.ts';

// slots of the scalars
const FROM = 0; // interval of a clipped segment
const UP_TO = 1;
const SCALARS = 2;

/** The tie rule. */
export class FacetTie {
  private readonly posed: PosedFacet;
  private readonly b: Facets;
  /** Slots of the result, and the features of both sides: in and out. */
  private readonly result: Float64Array;
  private readonly features: Int32Array;
  private readonly heights: Float64Array;
  private readonly scalars: Float64Array = new Float64Array(SCALARS);
  /** A polygon under clipping, and its next form. */
  private readonly polygon: Float64Array;
  private readonly clipped: Float64Array;
  /** First corner and number of corners of the extreme faces. */
  private startA = 0;
  private runA = 0;
  private startB = 0;
  private runB = 0;

  constructor(posed: PosedFacet, b: Facets, result: Float64Array, features: Int32Array) {
    this.posed = posed;
    this.b = b;
    this.result = result;
    this.features = features;
    const [mostA, mostB] = [posed.facets.mostCorners, b.mostCorners];
    this.heights = new Float64Array(Math.max(mostA, mostB));
    this.polygon = new Float64Array(6 * (mostA + mostB));
    this.clipped = new Float64Array(6 * (mostA + mostB));
  }

  /** The tie rule at the witness of the result, and the features; whether they are those of its kind. @alloc none */
  settle(i: number, j: number, kind: number): boolean {
    const { b, features } = this;
    const a = this.posed.facets;
    this.findRuns(i, j);
    const cornersB = b.first[j + 1] - b.first[j];
    const faceA = this.runA === this.posed.count;
    const faceB = this.runB === cornersB;
    if (this.runA === 1) this.takeCornerOfA();
    else if (this.runB === 1) this.takeCornerOfB(j);
    else if (faceA && faceB) this.takeFaces(j);
    else if (faceB) this.takeEdgeOverB(j);
    else if (faceA) this.takeEdgeOverA(j);
    else this.takeParallelEdges(j);
    if (faceA) features[0] = a.vertexCount + a.edgeCount + i;
    else features[0] = this.runA === 1 ? a.corners[a.first[i] + this.startA] : this.edgeOfA(i);
    if (faceB) features[1] = b.vertexCount + b.edgeCount + j;
    else features[1] = this.runB === 1 ? b.corners[b.first[j] + this.startB] : this.edgeOfB(j);
    if (kind === CORNER_FACE) return this.runA === 1 && faceB;
    if (kind === FACE_CORNER) return this.runB === 1 && faceA;
    const edgeA = kind === EDGES || kind === EDGE_CORNER;
    const edgeB = kind === EDGES || kind === CORNER_EDGE;
    return this.runA === (edgeA ? 2 : 1) && this.runB === (edgeB ? 2 : 1) && !faceA && !faceB;
  }

  /** Corners of A lowest along the normal, and of B highest: in both a run around the polygon. */
  private findRuns(i: number, j: number): void {
    const { b, heights, result: r } = this;
    const { facets: a, corners: p, count, reach } = this.posed;
    const x = r[DIRECTION];
    const y = r[DIRECTION + 1];
    const z = r[DIRECTION + 2];
    const noise = (ROUNDING * (reach[0] + a.extent + b.extent)) / r[DISTANCE];
    const tolerance = (LEVEL + noise) * (a.sizes[i] + b.sizes[j]);
    let best = Infinity;
    for (let k = 0; k < count; k++) {
      heights[k] = x * p[3 * k] + y * p[3 * k + 1] + z * p[3 * k + 2];
      if (heights[k] < best) best = heights[k];
    }
    best += tolerance;
    this.runA = 0;
    this.startA = 0;
    for (let k = 0; k < count; k++) {
      if (!(heights[k] <= best)) continue;
      this.runA++;
      if (!(heights[k === 0 ? count - 1 : k - 1] <= best)) this.startA = k;
    }
    const v = b.vertices;
    const first = b.first[j];
    const countB = b.first[j + 1] - first;
    best = -Infinity;
    for (let k = 0; k < countB; k++) {
      const o = 3 * b.corners[first + k];
      heights[k] = x * v[o] + y * v[o + 1] + z * v[o + 2];
      if (heights[k] > best) best = heights[k];
    }
    best -= tolerance;
    this.runB = 0;
    this.startB = 0;
    for (let k = 0; k < countB; k++) {
      if (!(heights[k] >= best)) continue;
      this.runB++;
      if (!(heights[k === 0 ? countB - 1 : k - 1] >= best)) this.startB = k;
    }
  }

  private takeCornerOfA(): void {
    const { result: r } = this;
    for (let d = 0; d < 3; d++) r[POINT_A + d] = this.posed.corners[3 * this.startA + d];
    this.followA();
  }

  private takeCornerOfB(j: number): void {
    const { b, result: r } = this;
    const o = 3 * b.corners[b.first[j] + this.startB];
    for (let d = 0; d < 3; d++) {
      r[POINT_B + d] = b.vertices[o + d];
      r[POINT_A + d] = b.vertices[o + d] + r[DISTANCE] * r[DIRECTION + d];
    }
  }

  /** POINT_B under POINT_A. */
  private followA(): void {
    const { result: r } = this;
    for (let d = 0; d < 3; d++) r[POINT_B + d] = r[POINT_A + d] - r[DISTANCE] * r[DIRECTION + d];
  }

  /** Ends of the run of an edge: corners of A into polygon[0..5], of B into clipped[0..5]. */
  private writeEdgeOfA(): void {
    const { polygon } = this;
    const { corners: p, count } = this.posed;
    const end = (this.startA + this.runA - 1) % count;
    for (let d = 0; d < 3; d++) {
      polygon[d] = p[3 * this.startA + d];
      polygon[3 + d] = p[3 * end + d];
    }
  }

  private writeEdgeOfB(j: number): void {
    const { b, clipped } = this;
    const first = b.first[j];
    const end = (this.startB + this.runB - 1) % (b.first[j + 1] - first);
    const k = 3 * b.corners[first + this.startB];
    const m = 3 * b.corners[first + end];
    for (let d = 0; d < 3; d++) {
      clipped[d] = b.vertices[k + d];
      clipped[3 + d] = b.vertices[m + d];
    }
  }

  private takeEdgeOverB(j: number): void {
    const { b, polygon, scalars, result: r } = this;
    this.writeEdgeOfA();
    scalars[FROM] = 0;
    scalars[UP_TO] = 1;
    for (let c = b.first[j]; c < b.first[j + 1]; c++) {
      this.clipSegment(polygon, b.vertices, 3 * b.corners[c], b.sides, 3 * c);
    }
    const t = 0.5 * (scalars[FROM] + scalars[UP_TO]);
    for (let d = 0; d < 3; d++) r[POINT_A + d] = polygon[d] + t * (polygon[3 + d] - polygon[d]);
    this.followA();
  }

  private takeEdgeOverA(j: number): void {
    const { clipped, scalars, result: r } = this;
    const { corners: p, sides, count } = this.posed;
    this.writeEdgeOfB(j);
    scalars[FROM] = 0;
    scalars[UP_TO] = 1;
    for (let k = 0; k < 3 * count; k += 3) this.clipSegment(clipped, p, k, sides, k);
    const t = 0.5 * (scalars[FROM] + scalars[UP_TO]);
    for (let d = 0; d < 3; d++) {
      const x = clipped[d] + t * (clipped[3 + d] - clipped[d]);
      r[POINT_B + d] = x;
      r[POINT_A + d] = x + r[DISTANCE] * r[DIRECTION + d];
    }
  }

  /** Part of a segment on the inner side of a side; where rounding leaves nothing, its ends meet. */
  private clipSegment(
    segment: Float64Array,
    points: Float64Array,
    o: number,
    sides: Float64Array,
    s: number,
  ): void {
    const { scalars } = this;
    let at = 0;
    let end = 0;
    for (let d = 0; d < 3; d++) {
      at += sides[s + d] * (segment[d] - points[o + d]);
      end += sides[s + d] * (segment[3 + d] - points[o + d]);
    }
    if (at >= 0 && end >= 0) return;
    if (at < 0 && end < 0) return; // the segment runs beside the polygon by rounding
    const t = at / (at - end);
    if (at < 0) {
      if (t > scalars[FROM]) scalars[FROM] = t;
    } else if (t < scalars[UP_TO]) scalars[UP_TO] = t;
  }

  private takeParallelEdges(j: number): void {
    const { polygon: p, clipped: q, result: r } = this;
    this.writeEdgeOfA();
    this.writeEdgeOfB(j);
    let aa = 0;
    let bb = 0;
    let ab = 0;
    let from = 0;
    for (let d = 0; d < 3; d++) {
      const x = p[3 + d] - p[d];
      const y = q[3 + d] - q[d];
      aa += x * x;
      bb += y * y;
      ab += x * y;
      from += x * (q[d] - p[d]);
    }
    if (aa * bb - ab * ab > PARALLEL * aa * bb) return; // edges that cross have one pair of closest points
    const to = (from + ab) / aa;
    from /= aa;
    const low = from < to ? from : to;
    const high = from < to ? to : from;
    const t = 0.5 * ((low > 0 ? low : 0) + (high < 1 ? high : 1));
    for (let d = 0; d < 3; d++) r[POINT_A + d] = p[d] + t * (p[3 + d] - p[d]);
    this.followA();
  }

  /** Centroid of the facet of A over the facet of B. */
  private takeFaces(j: number): void {
    const { b } = this;
    const { corners } = this.posed;
    let from = this.polygon;
    let to = this.clipped;
    let { count } = this.posed;
    for (let k = 0; k < 3 * count; k++) from[k] = corners[k];
    for (let c = b.first[j]; c < b.first[j + 1] && count > 0; c++) {
      count = clipPolygon(from, count, to, b.vertices, 3 * b.corners[c], b.sides, 3 * c);
      const other = from;
      from = to;
      to = other;
    }
    if (count < 3) return; // by rounding: the witness of the search stands
    this.takeCentroid(from, count);
  }

  private takeCentroid(p: Float64Array, count: number): void {
    const { result: r } = this;
    const nx = r[DIRECTION];
    const ny = r[DIRECTION + 1];
    const nz = r[DIRECTION + 2];
    let x = 0;
    let y = 0;
    let z = 0;
    let sum = 0;
    for (let k = 3; k + 3 < 3 * count; k += 3) {
      const ax = p[k] - p[0];
      const ay = p[k + 1] - p[1];
      const az = p[k + 2] - p[2];
      const bx = p[k + 3] - p[0];
      const by = p[k + 4] - p[1];
      const bz = p[k + 5] - p[2];
      const area = nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx);
      sum += area;
      x += area * (ax + bx);
      y += area * (ay + by);
      z += area * (az + bz);
    }
    if (sum === 0) return;
    const third = 1 / (3 * sum);
    r[POINT_A] = p[0] + third * x;
    r[POINT_A + 1] = p[1] + third * y;
    r[POINT_A + 2] = p[2] + third * z;
    this.followA();
  }

  /** Edge of the run that has POINT_A: the last one whose first corner is not beyond it. */
  private edgeOfA(i: number): number {
    const { result: r } = this;
    const { facets: a, corners: p, count } = this.posed;
    let edge = this.startA;
    for (let k = 1; k + 1 < this.runA; k++) {
      const at = (this.startA + k) % count;
      const to = (at + 1) % count;
      let along = 0;
      for (let d = 0; d < 3; d++)
        along += (r[POINT_A + d] - p[3 * at + d]) * (p[3 * to + d] - p[3 * at + d]);
      if (along > 0) edge = at;
    }
    return a.vertexCount + a.edges[a.first[i] + edge];
  }

  private edgeOfB(j: number): number {
    const { b, result: r } = this;
    const v = b.vertices;
    const first = b.first[j];
    const count = b.first[j + 1] - first;
    let edge = this.startB;
    for (let k = 1; k + 1 < this.runB; k++) {
      const at = (this.startB + k) % count;
      const o = 3 * b.corners[first + at];
      const w = 3 * b.corners[first + ((at + 1) % count)];
      let along = 0;
      for (let d = 0; d < 3; d++) along += (r[POINT_B + d] - v[o + d]) * (v[w + d] - v[o + d]);
      if (along > 0) edge = at;
    }
    return b.vertexCount + b.edges[first + edge];
  }
}

/** The part of a polygon on the inner side of one side; its number of corners. */
function clipPolygon(
  from: Float64Array,
  count: number,
  to: Float64Array,
  points: Float64Array,
  o: number,
  sides: Float64Array,
  s: number,
): number {
  let kept = 0;
  for (let k = 0; k < count; k++) {
    const m = k + 1 === count ? 0 : k + 1;
    let h = 0;
    let g = 0;
    for (let d = 0; d < 3; d++) {
      h += sides[s + d] * (from[3 * k + d] - points[o + d]);
      g += sides[s + d] * (from[3 * m + d] - points[o + d]);
    }
    if (h >= 0) {
      for (let d = 0; d < 3; d++) to[3 * kept + d] = from[3 * k + d];
      kept++;
    }
    if (h >= 0 === g >= 0) continue;
    const t = h / (h - g);
    for (let d = 0; d < 3; d++)
      to[3 * kept + d] = from[3 * k + d] + t * (from[3 * m + d] - from[3 * k + d]);
    kept++;
  }
  return kept;
}
