/**
 * What each gathered point of a patch has by itself: tangents, A between its own force and place, and w under the present forces. @alloc none
 */
import type { Columns } from '../../math/columns.ts';
import { tangentBasis } from '../../math/vec3.ts';
import type { PatchProblem } from './patch-problem.ts';

/** Gathered points, in the order of the list. */
export class PatchPoints {
  readonly problem: PatchProblem;
  /** Two tangents of each point, and A of the point by itself, 3 × 3. */
  readonly tangents: Float64Array;
  readonly own: Float64Array;
  /** w of `fillPlace`. */
  readonly place: Float64Array;
  private readonly work: Float64Array;
  private readonly basis: Float64Array;

  constructor(problem: PatchProblem, columns: Columns) {
    this.problem = problem;
    this.tangents = columns.doubles(6 * problem.most);
    this.own = columns.doubles(9 * problem.most);
    this.place = columns.doubles(3);
    this.work = columns.doubles(12);
    this.basis = columns.doubles(6);
  }

  /** Tangents and own parts, after `gather`. */
  prepare(): void {
    const { problem, tangents, own, basis } = this;
    const { list, block, normals } = problem;
    const m = problem.count[0];
    for (let k = 0; k < m; k++) {
      tangentBasis(basis, normals, 3 * list[k]);
      for (let a = 0; a < 6; a++) tangents[6 * k + a] = basis[a];
      for (let a = 0; a < 3; a++) {
        for (let c = 0; c < 3; c++) own[9 * k + 3 * a + c] = block[3 * m * (3 * k + a) + 3 * k + c];
      }
      if (problem.moves[0] !== 0) for (let c = 0; c < 3; c++) this.addRigid(k, c);
    }
  }

  /** Adds column c of J W Jᵀ of a point. */
  private addRigid(k: number, c: number): void {
    const { problem, own, work } = this;
    const { points } = problem.constants;
    const { mobility } = problem;
    const o = 3 * problem.list[k];
    const d = (c + 1) % 3;
    const e = (c + 2) % 3;
    // Jᵀ e_c = (e_c, r × e_c)
    for (let a = 0; a < 6; a++) work[a] = a === c ? 1 : 0;
    work[3 + d] = points[o + e];
    work[3 + e] = -points[o + d];
    for (let i = 0; i < 6; i++) {
      let sum = 0;
      for (let j = 0; j < 6; j++) sum += mobility[6 * i + j] * work[j];
      work[6 + i] = sum;
    }
    for (let a = 0; a < 3; a++) {
      const b = (a + 1) % 3;
      const f = (a + 2) % 3;
      own[9 * k + 3 * a + c] +=
        work[6 + a] + work[9 + b] * points[o + f] - work[9 + f] * points[o + b];
    }
  }

  /** w of a gathered point under the present forces. */
  fillPlace(k: number): void {
    const { problem, place } = this;
    const { block, force, list, offsets, motion, constants } = problem;
    const { points } = constants;
    const m = problem.count[0];
    const o = 3 * list[k];
    let x = offsets[o];
    let y = offsets[o + 1];
    let z = offsets[o + 2];
    const r0 = 9 * m * k;
    const r1 = r0 + 3 * m;
    const r2 = r1 + 3 * m;
    for (let j = 0, c = 0; j < m; j++, c += 3) {
      const f = 3 * list[j];
      const fx = force[f];
      const fy = force[f + 1];
      const fz = force[f + 2];
      x += block[r0 + c] * fx + block[r0 + c + 1] * fy + block[r0 + c + 2] * fz;
      y += block[r1 + c] * fx + block[r1 + c + 1] * fy + block[r1 + c + 2] * fz;
      z += block[r2 + c] * fx + block[r2 + c + 1] * fy + block[r2 + c + 2] * fz;
    }
    if (problem.moves[0] !== 0) {
      x += motion[0] + motion[4] * points[o + 2] - motion[5] * points[o + 1];
      y += motion[1] + motion[5] * points[o] - motion[3] * points[o + 2];
      z += motion[2] + motion[3] * points[o + 1] - motion[4] * points[o];
    }
    place[0] = x;
    place[1] = y;
    place[2] = z;
  }
}
