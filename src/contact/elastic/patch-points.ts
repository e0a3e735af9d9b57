/**
 * What the gathered points of a patch have in axes of their own, tangents t1, t2 and normal n: A, the offsets b, the forces f and w = A f + b.
 * @alloc none
 */
import type { Columns } from '../../math/columns.ts';
import { tangentBasis } from '../../math/vec3.ts';
import type { PatchProblem } from './patch-problem.ts';

/** Gathered points, in the order of the list. */
export class PatchPoints {
  readonly problem: PatchProblem;
  /** t1, t2 and n of each point, axes of the body. */
  readonly axes: Float64Array;
  /** A, 3 m × 3 m by rows of the m gathered points; b, f and w, three numbers a point. */
  readonly matrix: Float64Array;
  readonly offsets: Float64Array;
  readonly forces: Float64Array;
  readonly places: Float64Array;
  private readonly basis: Float64Array;
  /** [`stamp` of the problem at the last turn of A] */
  private readonly turned: Float64Array;
  private readonly half: Float64Array;

  constructor(problem: PatchProblem, columns: Columns) {
    const { most } = problem;
    this.problem = problem;
    this.axes = columns.doubles(9 * most);
    this.matrix = columns.doubles(9 * most * most);
    this.offsets = columns.doubles(3 * most);
    this.forces = columns.doubles(3 * most);
    this.places = columns.doubles(3 * most);
    this.basis = columns.doubles(6);
    this.turned = columns.doubles(1);
    this.half = columns.doubles(9);
  }

  /** Axes, A, b and f, after `gather`. */
  prepare(): void {
    const { problem, turned, offsets, forces } = this;
    if (turned[0] !== problem.stamp[0]) {
      this.fillAxes();
      this.turn();
      turned[0] = problem.stamp[0];
    }
    this.take(problem.offsets, offsets);
    this.take(problem.force, forces);
  }

  private fillAxes(): void {
    const { problem, axes, basis } = this;
    const { list, normals } = problem;
    for (let k = 0; k < problem.count[0]; k++) {
      const o = 3 * list[k];
      tangentBasis(basis, normals, o);
      for (let a = 0; a < 6; a++) axes[9 * k + a] = basis[a];
      for (let a = 0; a < 3; a++) axes[9 * k + 6 + a] = normals[o + a];
    }
  }

  /** A in the axes of the points. */
  private turn(): void {
    const { problem, axes, matrix, half } = this;
    const { block } = problem;
    const m = problem.count[0];
    const stride = 3 * m;
    for (let i = 0; i < m; i++) {
      for (let j = 0; j <= i; j++) {
        const at = 3 * stride * i + 3 * j;
        for (let a = 0; a < 3; a++) {
          const row = at + stride * a;
          for (let c = 0; c < 3; c++) {
            const o = 9 * j + 3 * c;
            half[3 * a + c] =
              block[row] * axes[o] + block[row + 1] * axes[o + 1] + block[row + 2] * axes[o + 2];
          }
        }
        for (let b = 0; b < 3; b++) {
          const o = 9 * i + 3 * b;
          for (let c = 0; c < 3; c++) {
            const value = axes[o] * half[c] + axes[o + 1] * half[3 + c] + axes[o + 2] * half[6 + c];
            matrix[at + stride * b + c] = value;
            matrix[3 * stride * j + 3 * i + stride * c + b] = value;
          }
        }
      }
    }
  }

  /** out := vectors of the gathered points in their axes. */
  private take(vectors: Float64Array, out: Float64Array): void {
    const { problem, axes } = this;
    for (let k = 0; k < problem.count[0]; k++) {
      const v = 3 * problem.list[k];
      const x = vectors[v];
      const y = vectors[v + 1];
      const z = vectors[v + 2];
      for (let a = 0; a < 3; a++) {
        const o = 9 * k + 3 * a;
        out[3 * k + a] = axes[o] * x + axes[o + 1] * y + axes[o + 2] * z;
      }
    }
  }

  /** Forces to those of the problem. */
  give(): void {
    const { problem, axes, forces } = this;
    const { force } = problem;
    for (let k = 0; k < problem.count[0]; k++) {
      const o = 3 * problem.list[k];
      const p = forces[3 * k];
      const q = forces[3 * k + 1];
      const n = forces[3 * k + 2];
      for (let a = 0; a < 3; a++) {
        const e = 9 * k + a;
        force[o + a] = axes[e] * p + axes[e + 3] * q + axes[e + 6] * n;
      }
    }
  }

  /** out := A of some vectors. */
  multiply(vectors: Float64Array, out: Float64Array): void {
    const { matrix } = this;
    const n = 3 * this.problem.count[0];
    for (let i = 0, at = 0; i < n; i++) {
      let even = 0;
      let odd = 0;
      let j = 0;
      for (; j + 1 < n; j += 2, at += 2) {
        even += matrix[at] * vectors[j];
        odd += matrix[at + 1] * vectors[j + 1];
      }
      if (j < n) even += matrix[at++] * vectors[j];
      out[i] = even + odd;
    }
  }

  /** places := A f + b. */
  fillPlaces(): void {
    const { problem, offsets, forces, places } = this;
    this.multiply(forces, places);
    for (let i = 0; i < 3 * problem.count[0]; i++) places[i] += offsets[i];
  }

  /** places := 0. */
  holdPlaces(): void {
    const { problem, places } = this;
    for (let i = 0; i < 3 * problem.count[0]; i++) places[i] = 0;
  }

  /** w of one point under the present forces. */
  fillPlace(k: number): void {
    const { problem, matrix, offsets, forces, places } = this;
    const n = 3 * problem.count[0];
    for (let i = 3 * k; i < 3 * k + 3; i++) {
      let sum = offsets[i];
      for (let j = 0, at = n * i; j < n; j++, at++) sum += matrix[at] * forces[j];
      places[i] = sum;
    }
  }
}
