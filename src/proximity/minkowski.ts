/**
 * Minkowski difference C = A − B of two cores: the set of all a − b. The distance of C from the
 * origin is the distance of the cores. A support point of C needs only support points of A and B.
 *
 * Everything is in world axes. Points of A and B are relative to the origin of their shape, so that
 * a large distance from the world origin costs no digits. Swapping A and B negates every number
 * exactly, so results are symmetric to the last bit.
 */
import type { ConvexCore } from '../shapes/convex-core.ts';

/** Relative distance of points of a patch below which they are one contact and not a flat side. */
const SPOT = 1e-3;

/** Points of C with their points on A and B. */
export class Vertices {
  /** Points of C, three numbers each. */
  readonly w: Float64Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** Patches of A and of B; −1 for a point that is not a support point. */
  readonly patchA: Int32Array;
  readonly patchB: Int32Array;

  constructor(capacity: number) {
    this.w = new Float64Array(3 * capacity);
    this.a = new Float64Array(3 * capacity);
    this.b = new Float64Array(3 * capacity);
    this.patchA = new Int32Array(capacity);
    this.patchB = new Int32Array(capacity);
  }

  /** Copies the point `from` of other vertices. @alloc none */
  copy(to: number, other: Vertices, from: number): void {
    for (let k = 0; k < 3; k++) {
      this.w[3 * to + k] = other.w[3 * from + k];
      this.a[3 * to + k] = other.a[3 * from + k];
      this.b[3 * to + k] = other.b[3 * from + k];
    }
    this.patchA[to] = other.patchA[from];
    this.patchB[to] = other.patchB[from];
  }
}

/** Closest or deepest points of two cores. */
export class Witness {
  /** Unit normal from B to A. */
  readonly normal: Float64Array = new Float64Array(3);
  /** [signed distance of the cores], m. */
  readonly distance: Float64Array = new Float64Array(1);
  /** Points of the cores, from the origins of A and B. */
  readonly a: Float64Array = new Float64Array(3);
  readonly b: Float64Array = new Float64Array(3);
}

/** Two placed cores. */
export class MinkowskiDifference {
  readonly coreA: ConvexCore;
  readonly coreB: ConvexCore;
  /** Rotations of the shapes into the world, row by row. */
  readonly rotationA: Float64Array = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  readonly rotationB: Float64Array = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  /** Origin of A less origin of B, world, m. */
  readonly offset: Float64Array = new Float64Array(3);
  /** [length to which rounding errors and tolerances are relative], m. `measure` computes it. */
  readonly scale: Float64Array = new Float64Array(1);
  private readonly direction: Float64Array = new Float64Array(3);
  private readonly point: Float64Array = new Float64Array(3);

  constructor(coreA: ConvexCore, coreB: ConvexCore) {
    this.coreA = coreA;
    this.coreB = coreB;
  }

  /**
   * Computes the scale: reach of both cores plus the distance of their origins; NaN when a pose
   * contains NaN. @alloc none
   */
  measure(): void {
    const t = this.offset;
    let zero = 0;
    for (let k = 0; k < 9; k++) {
      zero += this.rotationA[k] - this.rotationA[k] + (this.rotationB[k] - this.rotationB[k]);
    }
    this.scale[0] =
      this.coreA.reach +
      this.coreB.reach +
      Math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]) +
      zero;
  }

  /** Vertex `at` := point of C with the smallest component along the unit vector `n`. @alloc none */
  support(n: Float64Array, vertices: Vertices, at: number): void {
    const d = this.direction;
    into(d, this.rotationA, n, -1);
    vertices.patchA[at] = this.coreA.support(d, this.point);
    outOf(vertices.a, 3 * at, this.rotationA, this.point);
    into(d, this.rotationB, n, 1);
    vertices.patchB[at] = this.coreB.support(d, this.point);
    outOf(vertices.b, 3 * at, this.rotationB, this.point);
    this.subtract(vertices, at);
  }

  /** The same on the patches that the vertex already has. @alloc none */
  patchSupport(n: Float64Array, vertices: Vertices, at: number): void {
    const d = this.direction;
    into(d, this.rotationA, n, -1);
    this.coreA.patchSupport(vertices.patchA[at], d, this.point);
    outOf(vertices.a, 3 * at, this.rotationA, this.point);
    into(d, this.rotationB, n, 1);
    this.coreB.patchSupport(vertices.patchB[at], d, this.point);
    outOf(vertices.b, 3 * at, this.rotationB, this.point);
    this.subtract(vertices, at);
  }

  /** Vertex `at` := a point inside C. @alloc none */
  interior(vertices: Vertices, at: number): void {
    outOf(vertices.a, 3 * at, this.rotationA, this.coreA.center);
    outOf(vertices.b, 3 * at, this.rotationB, this.coreB.center);
    vertices.patchA[at] = -1;
    vertices.patchB[at] = -1;
    this.subtract(vertices, at);
  }

  /**
   * Makes the points of a witness as accurate as its normal. Points interpolated between vertices
   * of other normals are off on a curved patch. Where a shape touches with one patch, its support
   * point along the normal is better, and the other point follows from the distance. p, q, r are
   * the vertices with weight; they may repeat. @alloc none
   */
  sharpen(witness: Witness, vertices: Vertices, p: number, q: number, r: number): void {
    const n = witness.normal;
    const { patchA, patchB } = vertices;
    const d = this.direction;
    if (this.isSpot(vertices.b, patchB, p, q, r)) {
      into(d, this.rotationB, n, 1);
      this.coreB.patchSupport(patchB[p], d, this.point);
      outOf(witness.b, 0, this.rotationB, this.point);
      for (let k = 0; k < 3; k++) {
        witness.a[k] = witness.b[k] - this.offset[k] + witness.distance[0] * n[k];
      }
    } else if (this.isSpot(vertices.a, patchA, p, q, r)) {
      into(d, this.rotationA, n, -1);
      this.coreA.patchSupport(patchA[p], d, this.point);
      outOf(witness.a, 0, this.rotationA, this.point);
      for (let k = 0; k < 3; k++) {
        witness.b[k] = witness.a[k] + this.offset[k] - witness.distance[0] * n[k];
      }
    }
  }

  /** Whether three points lie close together on one patch; on a flat side they are far apart. */
  private isSpot(
    points: Float64Array,
    patch: Int32Array,
    p: number,
    q: number,
    r: number,
  ): boolean {
    if (patch[p] < 0 || patch[p] !== patch[q] || patch[p] !== patch[r]) return false;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const x = points[3 * q + k] - points[3 * p + k];
      const y = points[3 * r + k] - points[3 * p + k];
      square += x * x + y * y;
    }
    const spot = SPOT * this.scale[0];
    return square < spot * spot;
  }

  private subtract(vertices: Vertices, at: number): void {
    for (let k = 3 * at; k < 3 * at + 3; k++) {
      vertices.w[k] = vertices.a[k] - vertices.b[k] + this.offset[k - 3 * at];
    }
  }
}

/** out := sign Rᵀ n. @alloc none */
export function into(out: Float64Array, r: Float64Array, n: Float64Array, sign: 1 | -1): void {
  const x = sign * n[0];
  const y = sign * n[1];
  const z = sign * n[2];
  out[0] = r[0] * x + r[3] * y + r[6] * z;
  out[1] = r[1] * x + r[4] * y + r[7] * z;
  out[2] = r[2] * x + r[5] * y + r[8] * z;
}

/** out[o..o+2] := R p. @alloc none */
export function outOf(out: Float64Array, o: number, r: Float64Array, p: Float64Array): void {
  out[o] = r[0] * p[0] + r[1] * p[1] + r[2] * p[2];
  out[o + 1] = r[3] * p[0] + r[4] * p[1] + r[5] * p[2];
  out[o + 2] = r[6] * p[0] + r[7] * p[1] + r[8] * p[2];
}
