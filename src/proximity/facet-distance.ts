/**
 * The exact distance of a facet of body A from a facet of body B with its closest points, in the frame of B. It is the least over corners of
 * one over the face of the other and over all pairs of edges; facets that cut each other have distance 0. docs/theory/faceted.md.
 */
import type { Facets } from '../shapes/facets.ts';
import {
  DIRECTION,
  DISTANCE,
  FACET_RESULT,
  FacetTie,
  PARALLEL,
  POINT_A,
  POINT_B,
} from './facet-tie.ts';
import { PosedFacet } from './posed-facet.ts';

// slots of the scalars
const BEST = 0; //   least squared distance, m²
const LOW = 1; //    least and greatest height of corners of A over the plane of B, m
const HIGH = 2;
const ON_A = 3; //   place of the closest points along two edges, 0 to 1
const ON_B = 4; //   or height of a corner of B over the plane of A, m
const SCALARS = 5;

// what is nearest
const CORNER_OF_A = 0;
const CORNER_OF_B = 1;
const EDGES = 2;

/** The distance of two facets. */
export class FacetDistance {
  /** Slots of the result, and the features of both sides. */
  readonly result: Float64Array = new Float64Array(FACET_RESULT);
  readonly features: Int32Array = new Int32Array(2);
  /** Facet of A, and with it the pose of A in the frame of B: `move` has to follow a change. */
  readonly posed: PosedFacet;
  private readonly a: Facets;
  private readonly b: Facets;
  private readonly tie: FacetTie;
  private readonly heights: Float64Array;
  private readonly scalars: Float64Array = new Float64Array(SCALARS);
  private kind = CORNER_OF_A;
  /** Corner of A, and corner of B among all corners, that it begins at. */
  private atA = 0;
  private atB = 0;

  constructor(a: Facets, b: Facets) {
    this.a = a;
    this.b = b;
    this.posed = new PosedFacet(a);
    this.tie = new FacetTie(this.posed, b, this.result, this.features);
    this.heights = new Float64Array(a.mostCorners);
  }

  /** Distance of facet i of A and facet j of B; it may stop at a lower bound that is not below limit[0]. @alloc none */
  compute(i: number, j: number, limit: Float64Array): void {
    const { result, scalars } = this;
    this.posed.load(i);
    this.measureHeights(j);
    if (scalars[LOW] >= limit[0] || scalars[HIGH] <= -limit[0]) {
      result[DISTANCE] = scalars[LOW] > 0 ? scalars[LOW] : -scalars[HIGH];
      return;
    }
    const first = this.b.first[j];
    const last = this.b.first[j + 1];
    if (scalars[LOW] <= 0 && scalars[HIGH] >= 0 && this.cut(i, j)) return;
    scalars[BEST] = Infinity;
    this.tryCornersOfA(j);
    this.tryCornersOfB(first, last);
    this.tryEdges(first, last);
    result[DISTANCE] = Math.sqrt(scalars[BEST]);
    if (!(result[DISTANCE] < limit[0])) return;
    this.writeWitness(j);
    if (result[DISTANCE] === 0) this.reportCut(i, j);
    else this.tie.settle(i, j);
  }

  private measureHeights(j: number): void {
    const { b, heights, scalars } = this;
    const { corners, count } = this.posed;
    const x = b.normals[3 * j];
    const y = b.normals[3 * j + 1];
    const z = b.normals[3 * j + 2];
    const o = b.offsets[j];
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < count; k++) {
      const h = x * corners[3 * k] + y * corners[3 * k + 1] + z * corners[3 * k + 2] - o;
      heights[k] = h;
      if (h < low) low = h;
      if (h > high) high = h;
    }
    scalars[LOW] = low;
    scalars[HIGH] = high;
  }

  /** Whether an edge of one facet goes through the other; the result then has distance 0. */
  private cut(i: number, j: number): boolean {
    const { b, heights, result: out } = this;
    const { corners: p, normal: n, count } = this.posed;
    for (let k = 0; k < count; k++) {
      const m = k + 1 === count ? 0 : k + 1;
      const h = heights[k];
      const g = heights[m];
      if (!((h <= 0 && g >= 0) || (h >= 0 && g <= 0)) || h === g) continue;
      const t = h / (h - g);
      for (let c = 0; c < 3; c++)
        out[POINT_A + c] = p[3 * k + c] + t * (p[3 * m + c] - p[3 * k + c]);
      if (this.isInB(j)) {
        this.reportCut(i, j);
        return true;
      }
    }
    const v = b.vertices;
    const first = b.first[j];
    const last = b.first[j + 1];
    const o = this.posed.offset[0];
    for (let c = first; c < last; c++) {
      const k = 3 * b.corners[c];
      const m = 3 * b.corners[c + 1 === last ? first : c + 1];
      const h = n[0] * v[k] + n[1] * v[k + 1] + n[2] * v[k + 2] - o;
      const g = n[0] * v[m] + n[1] * v[m + 1] + n[2] * v[m + 2] - o;
      if (!((h <= 0 && g >= 0) || (h >= 0 && g <= 0)) || h === g) continue;
      const t = h / (h - g);
      for (let d = 0; d < 3; d++) out[POINT_A + d] = v[k + d] + t * (v[m + d] - v[k + d]);
      if (this.isInA()) {
        this.reportCut(i, j);
        return true;
      }
    }
    return false;
  }

  /** Facets cut each other at POINT_A. */
  private reportCut(i: number, j: number): void {
    const { a, b, result, features } = this;
    result[DISTANCE] = 0;
    for (let c = 0; c < 3; c++) {
      result[POINT_B + c] = result[POINT_A + c];
      result[DIRECTION + c] = b.normals[3 * j + c];
    }
    features[0] = a.vertexCount + a.edgeCount + i;
    features[1] = b.vertexCount + b.edgeCount + j;
  }

  /** Whether POINT_A is over facet j of B. */
  private isInB(j: number): boolean {
    const { b, result: q } = this;
    const x = q[POINT_A];
    const y = q[POINT_A + 1];
    const z = q[POINT_A + 2];
    for (let c = b.first[j]; c < b.first[j + 1]; c++) {
      const k = 3 * b.corners[c];
      const s = 3 * c;
      const inside =
        b.sides[s] * (x - b.vertices[k]) +
        b.sides[s + 1] * (y - b.vertices[k + 1]) +
        b.sides[s + 2] * (z - b.vertices[k + 2]);
      if (!(inside >= 0)) return false;
    }
    return true;
  }

  /** Whether POINT_A is over the facet of A. */
  private isInA(): boolean {
    const { result: q } = this;
    const { corners: p, sides, count } = this.posed;
    for (let k = 0; k < 3 * count; k += 3) {
      const inside =
        sides[k] * (q[POINT_A] - p[k]) +
        sides[k + 1] * (q[POINT_A + 1] - p[k + 1]) +
        sides[k + 2] * (q[POINT_A + 2] - p[k + 2]);
      if (!(inside >= 0)) return false;
    }
    return true;
  }

  private tryCornersOfA(j: number): void {
    const { b, heights, scalars } = this;
    const { corners: p, count } = this.posed;
    const first = b.first[j];
    const last = b.first[j + 1];
    const v = b.vertices;
    const s = b.sides;
    for (let k = 0; k < count; k++) {
      const h = heights[k];
      if (!(h * h < scalars[BEST])) continue;
      const x = p[3 * k];
      const y = p[3 * k + 1];
      const z = p[3 * k + 2];
      let c = first;
      for (; c < last; c++) {
        const o = 3 * b.corners[c];
        const q = 3 * c;
        if (!(s[q] * (x - v[o]) + s[q + 1] * (y - v[o + 1]) + s[q + 2] * (z - v[o + 2]) >= 0))
          break;
      }
      if (c < last) continue;
      scalars[BEST] = h * h;
      this.kind = CORNER_OF_A;
      this.atA = k;
    }
  }

  private tryCornersOfB(first: number, last: number): void {
    const { b, scalars } = this;
    const { corners: p, sides: s, normal: n } = this.posed;
    const v = b.vertices;
    const o = this.posed.offset[0];
    const end = 3 * this.posed.count;
    for (let c = first; c < last; c++) {
      const q = 3 * b.corners[c];
      const x = v[q];
      const y = v[q + 1];
      const z = v[q + 2];
      const h = n[0] * x + n[1] * y + n[2] * z - o;
      if (!(h * h < scalars[BEST])) continue;
      let k = 0;
      for (; k < end; k += 3) {
        if (!(s[k] * (x - p[k]) + s[k + 1] * (y - p[k + 1]) + s[k + 2] * (z - p[k + 2]) >= 0))
          break;
      }
      if (k < end) continue;
      scalars[BEST] = h * h;
      scalars[ON_B] = h;
      this.kind = CORNER_OF_B;
      this.atB = c;
    }
  }

  /** Closest points of every pair of edges, clamped to their ends. */
  private tryEdges(first: number, last: number): void {
    const { b, scalars } = this;
    const { corners: p, count } = this.posed;
    const v = b.vertices;
    for (let k = 0; k < count; k++) {
      const i = 3 * k;
      const m = k + 1 === count ? 0 : i + 3;
      const px = p[i];
      const py = p[i + 1];
      const pz = p[i + 2];
      const dx = p[m] - px;
      const dy = p[m + 1] - py;
      const dz = p[m + 2] - pz;
      const aa = dx * dx + dy * dy + dz * dz;
      for (let c = first; c < last; c++) {
        const o = 3 * b.corners[c];
        const w = 3 * b.corners[c + 1 === last ? first : c + 1];
        const ex = v[w] - v[o];
        const ey = v[w + 1] - v[o + 1];
        const ez = v[w + 2] - v[o + 2];
        const rx = px - v[o];
        const ry = py - v[o + 1];
        const rz = pz - v[o + 2];
        const ee = ex * ex + ey * ey + ez * ez;
        const ab = dx * ex + dy * ey + dz * ez;
        const ar = dx * rx + dy * ry + dz * rz;
        const er = ex * rx + ey * ry + ez * rz;
        const denominator = aa * ee - ab * ab;
        let s = denominator > 0 ? (ab * er - ar * ee) / denominator : 0;
        if (s < 0) s = 0;
        else if (s > 1) s = 1;
        let t = (ab * s + er) / ee;
        if (t < 0) {
          t = 0;
          s = -ar / aa;
          if (s < 0) s = 0;
          else if (s > 1) s = 1;
        } else if (t > 1) {
          t = 1;
          s = (ab - ar) / aa;
          if (s < 0) s = 0;
          else if (s > 1) s = 1;
        }
        const x = rx + s * dx - t * ex;
        const y = ry + s * dy - t * ey;
        const z = rz + s * dz - t * ez;
        const square = x * x + y * y + z * z;
        if (!(square < scalars[BEST])) continue;
        scalars[BEST] = square;
        scalars[ON_A] = s;
        scalars[ON_B] = t;
        this.kind = EDGES;
        this.atA = k;
        this.atB = c;
      }
    }
  }

  /** Closest points and direction of what was nearest. */
  private writeWitness(j: number): void {
    if (this.kind === EDGES) this.writeEdges(j);
    else if (this.kind === CORNER_OF_A) this.writeCornerOfA(j);
    else this.writeCornerOfB();
  }

  private writeCornerOfA(j: number): void {
    const { b, heights, result: out } = this;
    const { corners: p } = this.posed;
    const h = heights[this.atA];
    const sign = h < 0 ? -1 : 1;
    for (let d = 0; d < 3; d++) {
      const n = b.normals[3 * j + d];
      out[POINT_A + d] = p[3 * this.atA + d];
      out[POINT_B + d] = p[3 * this.atA + d] - h * n;
      out[DIRECTION + d] = sign * n;
    }
  }

  private writeCornerOfB(): void {
    const { b, scalars, result: out } = this;
    const { normal: n } = this.posed;
    const o = 3 * b.corners[this.atB];
    const h = scalars[ON_B];
    const sign = h < 0 ? 1 : -1;
    for (let d = 0; d < 3; d++) {
      out[POINT_B + d] = b.vertices[o + d];
      out[POINT_A + d] = b.vertices[o + d] - h * n[d];
      out[DIRECTION + d] = sign * n[d];
    }
  }

  /** At the places of the scalars along both edges. */
  private writeEdges(j: number): void {
    const { b, result: out, scalars } = this;
    const { corners: p, count } = this.posed;
    const v = b.vertices;
    const i = 3 * this.atA;
    const m = this.atA + 1 === count ? 0 : i + 3;
    const o = 3 * b.corners[this.atB];
    const w = 3 * b.corners[this.atB + 1 === b.first[j + 1] ? b.first[j] : this.atB + 1];
    const square = scalars[BEST];
    const s = scalars[ON_A];
    const t = scalars[ON_B];
    for (let d = 0; d < 3; d++) {
      out[POINT_A + d] = p[i + d] + s * (p[m + d] - p[i + d]);
      out[POINT_B + d] = v[o + d] + t * (v[w + d] - v[o + d]);
    }
    const x = out[POINT_A] - out[POINT_B];
    const y = out[POINT_A + 1] - out[POINT_B + 1];
    const z = out[POINT_A + 2] - out[POINT_B + 2];
    // between the insides of two edges the normal is their cross product: it keeps its digits when they are near
    const inside = s > 0 && s < 1 && t > 0 && t < 1;
    const dx = p[m] - p[i];
    const dy = p[m + 1] - p[i + 1];
    const dz = p[m + 2] - p[i + 2];
    const ex = v[w] - v[o];
    const ey = v[w + 1] - v[o + 1];
    const ez = v[w + 2] - v[o + 2];
    const cx = dy * ez - dz * ey;
    const cy = dz * ex - dx * ez;
    const cz = dx * ey - dy * ex;
    const cc = cx * cx + cy * cy + cz * cz;
    const across =
      inside && cc > PARALLEL * (dx * dx + dy * dy + dz * dz) * (ex * ex + ey * ey + ez * ez);
    let length = 1 / Math.sqrt(across ? cc : square);
    if (across && cx * x + cy * y + cz * z < 0) length = -length;
    out[DIRECTION] = length * (across ? cx : x);
    out[DIRECTION + 1] = length * (across ? cy : y);
    out[DIRECTION + 2] = length * (across ? cz : z);
  }
}
