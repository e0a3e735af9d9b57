/**
 * The exact distance of a facet of body A from a facet of body B with its closest points, in the frame of B. It is the least over corners of
 * one over the face of the other and over all pairs of edges; facets that cut each other have distance 0. docs/theory/faceted.md.
 */
import { type Columns, OWN_COLUMNS } from '../math/columns.ts';
import type { Facets } from '../shapes/facets.ts';
import { FacetTie } from './facet-tie.ts';
import { FacetWitness } from './facet-witness.ts';
import { PosedFacet } from './posed-facet.ts';
import {
  CORNERS,
  CORNER_BITS,
  CORNER_EDGE,
  CORNER_FACE,
  CORNER_MASK,
  DIRECTION,
  DISTANCE,
  EDGES,
  EDGE_CORNER,
  FACET_RESULT,
  FACE_CORNER,
  KIND_BITS,
  NO_GUESS,
  POINT_A,
  POINT_B,
} from './witness-slots.ts';

/** Part of the extents by which a lower bound has to be beyond the limit to stand for the distance. */
const BEYOND = 1e-12;

// slots of the scalars
const BEST = 0; //   least squared distance, m²
const LOW = 1; //    least and greatest height of corners of A over the plane of B, m
const HIGH = 2;
const ON_A = 3; //   place of the closest points along two edges, 0 to 1
const ON_B = 4;
const SCALARS = 5;

/** The distance of two facets. */
export class FacetDistance {
  /** Slots of the result, and the features of both sides. */
  readonly result: Float64Array = new Float64Array(FACET_RESULT);
  readonly features: Int32Array = new Int32Array(2);
  /** Facet of A, and with it the pose of A in the frame of B: `move` has to follow a change. */
  readonly posed: PosedFacet;
  /** What had the closest points, to begin with at the next pose; NO_GUESS where none stands for them. */
  guess = NO_GUESS;
  private readonly a: Facets;
  private readonly b: Facets;
  private readonly beyond: Float64Array;
  private readonly witness: FacetWitness;
  private readonly tie: FacetTie;
  private readonly heights: Float64Array;
  private readonly scalars: Float64Array = new Float64Array(SCALARS);
  private kind: number = CORNER_FACE;
  /** Corners of A and of B that it begins at. */
  private atA = 0;
  private atB = 0;

  constructor(a: Facets, b: Facets, columns: Columns = OWN_COLUMNS) {
    this.a = a;
    this.b = b;
    this.posed = new PosedFacet(a, columns);
    this.beyond = Float64Array.of(BEYOND * (a.extent + b.extent));
    this.witness = new FacetWitness(this.posed, b, this.result, this.features);
    this.tie = new FacetTie(this.posed, b, this.result, this.features);
    this.heights = new Float64Array(a.mostCorners);
  }

  /** As `compute`, beginning with the guess of another pose; the same to the last bit. @alloc none */
  repeat(i: number, j: number, limit: Float64Array, guess: number): void {
    const { witness } = this;
    const kind = guess & ((1 << KIND_BITS) - 1);
    const atA = (guess >> KIND_BITS) & CORNER_MASK;
    const atB = (guess >> (KIND_BITS + CORNER_BITS)) & CORNER_MASK;
    if (witness.isClear(i, j, kind, atA, atB)) this.guess = guess;
    else this.compute(i, j, limit);
  }

  /** Distance of facet i of A and facet j of B; it may stop at a lower bound that is not below limit[0]. @alloc none */
  compute(i: number, j: number, limit: Float64Array): void {
    const { result, scalars, beyond } = this;
    this.guess = NO_GUESS;
    this.posed.load(i);
    this.measureHeights(j);
    const far = limit[0] + beyond[0];
    if (scalars[LOW] >= far || scalars[HIGH] <= -far) {
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
    this.nameKind(last - first);
    this.witness.write(i, j, this.kind, this.atA, this.atB);
    this.keepGuess();
    if (!(result[DISTANCE] < limit[0])) return;
    if (scalars[BEST] === 0 || result[DISTANCE] === 0) this.reportCut(i, j);
    else if (!this.tie.settle(i, j, this.kind)) this.guess = NO_GUESS;
  }

  /** Ends of edges that have the closest points are corners. */
  private nameKind(cornersOfB: number): void {
    if (this.kind !== EDGES) return;
    const { scalars, posed } = this;
    const endA = scalars[ON_A] === 0 || scalars[ON_A] === 1;
    const endB = scalars[ON_B] === 0 || scalars[ON_B] === 1;
    if (scalars[ON_A] === 1) this.atA = this.atA + 1 === posed.count ? 0 : this.atA + 1;
    if (scalars[ON_B] === 1) this.atB = this.atB + 1 === cornersOfB ? 0 : this.atB + 1;
    if (endA && endB) this.kind = CORNERS;
    else if (endA) this.kind = CORNER_EDGE;
    else if (endB) this.kind = EDGE_CORNER;
  }

  private keepGuess(): void {
    const { atA, atB } = this;
    if (atA > CORNER_MASK || atB > CORNER_MASK) return;
    this.guess = (((atB << CORNER_BITS) | atA) << KIND_BITS) | this.kind;
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
      this.kind = CORNER_FACE;
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
      this.kind = FACE_CORNER;
      this.atB = c - first;
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
        this.atB = c - first;
      }
    }
  }
}
