/**
 * The closest points of two facets from the corners and edges that have them, and whether those are the closest ones beyond doubt: then no
 * search is needed. docs/theory/faceted.md, "Guess".
 *
 * For convex sets a pair of points (a, b) is the closest one when no point of A is below a along n = (a − b)/d and none of B above b. Where
 * every corner that does not have the witness keeps clear of those planes by more than rounding could move it, a search finds the same
 * corners and edges, and the bits of the result are those of the formulas here.
 */
import type { Facets } from '../shapes/facets.ts';
import type { PosedFacet } from './posed-facet.ts';
import {
  APART,
  CLEAR,
  CORNERS,
  CORNER_EDGE,
  CORNER_FACE,
  DIRECTION,
  DISTANCE,
  EDGES,
  EDGE_CORNER,
  FACE_CORNER,
  INNER,
  LEVEL,
  PARALLEL,
  POINT_A,
  POINT_B,
} from './witness-slots.ts';

// slots of the scalars
const ON_A = 0; //   place of the closest points along the edges, 0 to 1
const ON_B = 1;
const OVER_A = 2; // 1 over the squared lengths of the edges, 1/m²
const OVER_B = 3;
const SINE = 4; //   its square, of the angle of two edges; 1 where only one has the witness
const KEPT = 5; //   square of the length to keep off from ends and sides, m²
const CLEAR_BY = 6; //  height of other corners, m
const SCALARS = 7;

/** Closest points by corners and edges. */
export class FacetWitness {
  private readonly posed: PosedFacet;
  private readonly b: Facets;
  /** Slots of the result, and the features of both sides: out. */
  private readonly result: Float64Array;
  private readonly features: Int32Array;
  private readonly scalars: Float64Array = new Float64Array(SCALARS);
  /** Where the corners of the facets begin and end in the arrays of their corners. */
  private fromA = 0;
  private endA = 0;
  private fromB = 0;
  private endB = 0;

  constructor(posed: PosedFacet, b: Facets, result: Float64Array, features: Int32Array) {
    this.posed = posed;
    this.b = b;
    this.result = result;
    this.features = features;
  }

  /** Distance, closest points and direction for a kind and the corners where it begins. @alloc none */
  write(i: number, j: number, kind: number, atA: number, atB: number): void {
    const { posed, b, scalars } = this;
    const a = posed.facets;
    this.fromA = posed.place(i);
    this.endA = 3 * a.first[i + 1];
    this.fromB = 3 * b.first[j];
    this.endB = 3 * b.first[j + 1];
    const k = this.fromA + 3 * atA;
    const o = this.fromB + 3 * atB;
    scalars[OVER_A] = a.inverseSquares[a.first[i] + atA];
    scalars[OVER_B] = b.inverseSquares[b.first[j] + atB];
    if (kind === CORNER_FACE) this.writeCornerFace(j, k);
    else if (kind === FACE_CORNER) this.writeFaceCorner(i, o);
    else if (kind === EDGES) this.writeEdges(k, o);
    else this.writeCorner(kind, k, o);
  }

  /** The corner of A that follows that at k, and the same of B. */
  private afterA(k: number): number {
    return k + 3 === this.endA ? this.fromA : k + 3;
  }

  private afterB(o: number): number {
    return o + 3 === this.endB ? this.fromB : o + 3;
  }

  private writeCornerFace(j: number, o: number): void {
    const { b, result: out } = this;
    const { placed: p } = this.posed;
    const n = 3 * j;
    const x = b.normals[n];
    const y = b.normals[n + 1];
    const z = b.normals[n + 2];
    const h = x * p[o] + y * p[o + 1] + z * p[o + 2] - b.offsets[j];
    const sign = h < 0 ? -1 : 1;
    out[DISTANCE] = h < 0 ? -h : h;
    out[POINT_A] = p[o];
    out[POINT_A + 1] = p[o + 1];
    out[POINT_A + 2] = p[o + 2];
    out[DIRECTION] = sign * x;
    out[DIRECTION + 1] = sign * y;
    out[DIRECTION + 2] = sign * z;
    this.followA();
  }

  private writeFaceCorner(i: number, o: number): void {
    const { b, posed, result: out } = this;
    posed.load(i);
    const { normal: n, offset } = posed;
    const v = b.cornerPoints;
    const h = n[0] * v[o] + n[1] * v[o + 1] + n[2] * v[o + 2] - offset[0];
    const sign = h < 0 ? 1 : -1;
    out[DISTANCE] = h < 0 ? -h : h;
    out[DIRECTION] = sign * n[0];
    out[DIRECTION + 1] = sign * n[1];
    out[DIRECTION + 2] = sign * n[2];
    this.takeCornerOfB(o);
  }

  private takeCornerOfB(o: number): void {
    const { result: out } = this;
    const v = this.b.cornerPoints;
    const d = out[DISTANCE];
    out[POINT_B] = v[o];
    out[POINT_B + 1] = v[o + 1];
    out[POINT_B + 2] = v[o + 2];
    out[POINT_A] = v[o] + d * out[DIRECTION];
    out[POINT_A + 1] = v[o + 1] + d * out[DIRECTION + 1];
    out[POINT_A + 2] = v[o + 2] + d * out[DIRECTION + 2];
  }

  /** POINT_B under POINT_A. */
  private followA(): void {
    const { result: out } = this;
    const d = out[DISTANCE];
    out[POINT_B] = out[POINT_A] - d * out[DIRECTION];
    out[POINT_B + 1] = out[POINT_A + 1] - d * out[DIRECTION + 1];
    out[POINT_B + 2] = out[POINT_A + 2] - d * out[DIRECTION + 2];
  }

  private writeEdges(k: number, o: number): void {
    const { scalars, result: out } = this;
    const { placed: p } = this.posed;
    const v = this.b.cornerPoints;
    const m = this.afterA(k);
    const w = this.afterB(o);
    const dx = p[m] - p[k];
    const dy = p[m + 1] - p[k + 1];
    const dz = p[m + 2] - p[k + 2];
    const ex = v[w] - v[o];
    const ey = v[w + 1] - v[o + 1];
    const ez = v[w + 2] - v[o + 2];
    const rx = p[k] - v[o];
    const ry = p[k + 1] - v[o + 1];
    const rz = p[k + 2] - v[o + 2];
    const overA = scalars[OVER_A];
    const overB = scalars[OVER_B];
    const ab = dx * ex + dy * ey + dz * ez;
    const ar = dx * rx + dy * ry + dz * rz;
    const er = ex * rx + ey * ry + ez * rz;
    // with ratios to the squares of the edges the matrix is (1, −ab/aa; −ab/ee, 1)
    const alongA = ab * overA;
    const alongB = ab * overB;
    const sine = 1 - alongA * alongB;
    let s = sine > 0 ? (alongA * (er * overB) - ar * overA) / sine : 0;
    if (s < 0) s = 0;
    else if (s > 1) s = 1;
    let t = alongB * s + er * overB;
    if (t < 0) t = 0;
    else if (t > 1) t = 1;
    scalars[ON_A] = s;
    scalars[ON_B] = t;
    scalars[SINE] = sine;
    out[POINT_A] = p[k] + s * dx;
    out[POINT_A + 1] = p[k + 1] + s * dy;
    out[POINT_A + 2] = p[k + 2] + s * dz;
    out[POINT_B] = v[o] + t * ex;
    out[POINT_B + 1] = v[o + 1] + t * ey;
    out[POINT_B + 2] = v[o + 2] + t * ez;
    const x = rx + s * dx - t * ex;
    const y = ry + s * dy - t * ey;
    const z = rz + s * dz - t * ez;
    const square = x * x + y * y + z * z;
    out[DISTANCE] = Math.sqrt(square);
    // the cross product of both edges keeps its digits when they are near
    const cx = dy * ez - dz * ey;
    const cy = dz * ex - dx * ez;
    const cz = dx * ey - dy * ex;
    const cc = cx * cx + cy * cy + cz * cz;
    const across = cc * overA * overB > PARALLEL;
    const divisor = across ? Math.sqrt(cc) : out[DISTANCE];
    let length = divisor > 0 ? 1 / divisor : 0;
    if (across && cx * x + cy * y + cz * z < 0) length = -length;
    out[DIRECTION] = length * (across ? cx : x);
    out[DIRECTION + 1] = length * (across ? cy : y);
    out[DIRECTION + 2] = length * (across ? cz : z);
  }

  /** A corner of A and one of B, or a corner and the edge of the other one that begins at its corner. */
  private writeCorner(kind: number, k: number, o: number): void {
    const { scalars, result: out } = this;
    const { placed: p } = this.posed;
    const v = this.b.cornerPoints;
    let x = p[k] - v[o];
    let y = p[k + 1] - v[o + 1];
    let z = p[k + 2] - v[o + 2];
    if (kind !== CORNERS) {
      const isEdgeOfB = kind === CORNER_EDGE;
      const from = isEdgeOfB ? o : k;
      const to = isEdgeOfB ? this.afterB(o) : this.afterA(k);
      const q = isEdgeOfB ? v : p;
      const ex = q[to] - q[from];
      const ey = q[to + 1] - q[from + 1];
      const ez = q[to + 2] - q[from + 2];
      const along = ex * x + ey * y + ez * z;
      let t = isEdgeOfB ? along * scalars[OVER_B] : -along * scalars[OVER_A];
      scalars[isEdgeOfB ? ON_B : ON_A] = t;
      scalars[SINE] = 1;
      if (t < 0) t = 0;
      else if (t > 1) t = 1;
      if (isEdgeOfB) t = -t;
      x += t * ex;
      y += t * ey;
      z += t * ez;
    }
    const distance = Math.sqrt(x * x + y * y + z * z);
    const length = distance > 0 ? 1 / distance : 0;
    out[DISTANCE] = distance;
    out[DIRECTION] = length * x;
    out[DIRECTION + 1] = length * y;
    out[DIRECTION + 2] = length * z;
    if (kind === EDGE_CORNER) {
      this.takeCornerOfB(o);
      return;
    }
    out[POINT_A] = p[k];
    out[POINT_A + 1] = p[k + 1];
    out[POINT_A + 2] = p[k + 2];
    this.followA();
  }

  /** As `write`; whether the witness is the closest one beyond doubt, and then its features. @alloc none */
  isClear(i: number, j: number, kind: number, atA: number, atB: number): boolean {
    const { b, features } = this;
    const a = this.posed.facets;
    this.write(i, j, kind, atA, atB);
    if (!this.keepsApart(i, j)) return false;
    const cornerA = a.first[i] + atA;
    const cornerB = b.first[j] + atB;
    switch (kind) {
      case CORNER_FACE:
        features[0] = a.corners[cornerA];
        features[1] = b.vertexCount + b.edgeCount + j;
        return this.isOverB(j) && this.clearsA(1);
      case FACE_CORNER:
        features[0] = a.vertexCount + a.edgeCount + i;
        features[1] = b.corners[cornerB];
        return this.isOverA(i) && this.clearsB(1);
      case EDGES:
        features[0] = a.vertexCount + a.edges[cornerA];
        features[1] = b.vertexCount + b.edges[cornerB];
        if (!this.isWithin(ON_A, OVER_A) || !this.isWithin(ON_B, OVER_B)) return false;
        return this.scalars[SINE] > CLEAR * PARALLEL && this.clearsA(2) && this.clearsB(2);
      case CORNER_EDGE:
        features[0] = a.corners[cornerA];
        features[1] = b.vertexCount + b.edges[cornerB];
        return this.isWithin(ON_B, OVER_B) && this.clearsA(1) && this.clearsB(2);
      case EDGE_CORNER:
        features[0] = a.vertexCount + a.edges[cornerA];
        features[1] = b.corners[cornerB];
        return this.isWithin(ON_A, OVER_A) && this.clearsA(2) && this.clearsB(1);
      default:
        features[0] = a.corners[cornerA];
        features[1] = b.corners[cornerB];
        return this.clearsA(1) && this.clearsB(1);
    }
  }

  /** Whether rounding is far below the distance; the clearances that follow from the sizes. */
  private keepsApart(i: number, j: number): boolean {
    const { b, posed, scalars } = this;
    const a = posed.facets;
    const d = this.result[DISTANCE];
    const size = a.sizes[i] + b.sizes[j];
    scalars[CLEAR_BY] = CLEAR * LEVEL * size;
    scalars[KEPT] = INNER * (d * d + size * size);
    return d > APART * (a.extent + b.extent + posed.reach[0]);
  }

  /** Whether the place along an edge keeps off its ends. */
  private isWithin(place: number, over: number): boolean {
    const { scalars } = this;
    const t = scalars[place];
    const off = t < 0.5 ? t : 1 - t;
    return off > 0 && scalars[SINE] * off * off > scalars[KEPT] * scalars[over];
  }

  /** Whether POINT_A lies over the facet of B and keeps off its sides. */
  private isOverB(j: number): boolean {
    const { result: q, b, fromB, endB } = this;
    const { sides, cornerPoints: v, inverseSquares: over } = b;
    const x = q[POINT_A];
    const y = q[POINT_A + 1];
    const z = q[POINT_A + 2];
    const kept = this.scalars[KEPT];
    let c = b.first[j];
    let within = 0;
    for (let o = fromB; o < endB; o += 3, c++) {
      const inside =
        sides[o] * (x - v[o]) + sides[o + 1] * (y - v[o + 1]) + sides[o + 2] * (z - v[o + 2]);
      if (inside > 0 && inside * inside * over[c] > kept) within += 3;
    }
    return within === endB - fromB;
  }

  /** Whether POINT_B lies over the facet of A that is loaded, and keeps off its sides. */
  private isOverA(i: number): boolean {
    const { result: q } = this;
    const { corners: v, sides, count, facets } = this.posed;
    const over = facets.inverseSquares;
    const x = q[POINT_B];
    const y = q[POINT_B + 1];
    const z = q[POINT_B + 2];
    const kept = this.scalars[KEPT];
    let c = facets.first[i];
    let within = 0;
    for (let o = 0; o < 3 * count; o += 3, c++) {
      const inside =
        sides[o] * (x - v[o]) + sides[o + 1] * (y - v[o + 1]) + sides[o + 2] * (z - v[o + 2]);
      if (inside > 0 && inside * inside * over[c] > kept) within++;
    }
    return within === count;
  }

  /** Whether all corners of A but as many as have the witness are above POINT_A along the direction. */
  private clearsA(count: number): boolean {
    const { result: q, fromA, endA } = this;
    const { placed: p } = this.posed;
    const x = q[DIRECTION];
    const y = q[DIRECTION + 1];
    const z = q[DIRECTION + 2];
    const least = x * q[POINT_A] + y * q[POINT_A + 1] + z * q[POINT_A + 2] + this.scalars[CLEAR_BY];
    let above = 3 * count;
    for (let o = fromA; o < endA; o += 3)
      above += x * p[o] + y * p[o + 1] + z * p[o + 2] > least ? 3 : 0;
    return above === endA - fromA;
  }

  /** Whether all corners of B but as many as have the witness are below POINT_B. */
  private clearsB(count: number): boolean {
    const { result: q, fromB, endB } = this;
    const v = this.b.cornerPoints;
    const x = q[DIRECTION];
    const y = q[DIRECTION + 1];
    const z = q[DIRECTION + 2];
    const most = x * q[POINT_B] + y * q[POINT_B + 1] + z * q[POINT_B + 2] - this.scalars[CLEAR_BY];
    let below = 3 * count;
    for (let o = fromB; o < endB; o += 3)
      below += x * v[o] + y * v[o + 1] + z * v[o + 2] < most ? 3 : 0;
    return below === endB - fromB;
  }
}
