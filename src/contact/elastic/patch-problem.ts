/**
 * The complementarity problem of a patch in one step: forces f at points, axes of the body; w = A f + b is where the points are relative to
 * their anchors on the target, n its outward normal.
 *
 * 0 ≤ f_n ⊥ w_n ≥ 0, Coulomb on the tangential part. A = compliance + J W Jᵀ, J = [1, −r×] of each point, W = (h²/4) M⁻¹ of the relative
 * motion, zero where the poses are given. Points that may touch are gathered, at most `most`: the deepest.
 *
 * Solved by `PatchNormalSolver` without friction and by `PatchFrictionSolver` with it. @alloc none
 */
import type { Columns } from '../../math/columns.ts';
import type { PartnerFace } from './partner-face.ts';
import type { PatchConstants } from './patch-constants.ts';

/** States of a point. */
export const OPEN = 0;
export const STICK = 1;
export const SLIDE = 2;

/** Coefficients of friction, μ_d ≤ μ_s. */
export interface PatchFriction {
  readonly static: number;
  readonly sliding: number;
}

/** Slots of `PatchProblem.readout`. */
export const ACTIVE = 0;
/** Sweeps or changes of the set. */
export const ROUNDS = 1;
/** 1 when the last solution did not settle. */
export const UNSETTLED = 2;
/** 1 when more points than `most` would touch. */
export const LIMITED = 3;
const READOUT = 4;

/** Part of the largest depth below which a gap is rounding of the solution. */
const ROUNDING = 1e-9;

/** Numbers of the problem. */
export class PatchProblem {
  readonly constants: PatchConstants;
  readonly most: number;
  /** b and n of each point, axes of the body. */
  readonly offsets: Float64Array;
  readonly normals: Float64Array;
  /** W, 6 × 6, row by row: translation then rotation, about the origin of the body. */
  readonly mobility: Float64Array;
  /** [1 where W is not zero] */
  readonly moves: Float64Array;
  /** f and the state of each point; in the arena. */
  readonly force: Float64Array;
  readonly states: Float64Array;
  readonly readout: Float64Array;
  /** Points that may touch: list[0..count[0]]. */
  readonly list: Int32Array;
  readonly count: Int32Array;
  /** A between the gathered points, 3 most × 3 most numbers by rows of 3 count. */
  readonly block: Float64Array;
  /** [how often `block` has been filled] */
  readonly stamp: Float64Array;
  /** Whether A and the normals are those of the last `gather`: `block` then stays while the same points are gathered. */
  held = false;
  /** Jᵀ f of all points: force and moment about the origin. */
  readonly wrench: Float64Array;
  /** W times it. */
  readonly motion: Float64Array;
  /** Null where what the points meet does not give way. */
  private readonly partner: PartnerFace | null;
  private readonly depths: Float64Array;
  /** The points of `block`, and how many. */
  private readonly filled: Int32Array;
  private readonly filledCount: Int32Array;
  /** Jᵀ of a point, 6 × 3, and W Jᵀ behind it. */
  private readonly moved: Float64Array;

  constructor(
    constants: PatchConstants,
    most: number,
    force: Float64Array,
    states: Float64Array,
    columns: Columns,
    partner: PartnerFace | null,
  ) {
    const { count } = constants;
    this.constants = constants;
    this.partner = partner;
    this.most = Math.min(most, count);
    this.force = force;
    this.states = states;
    this.offsets = columns.doubles(3 * count);
    this.normals = columns.doubles(3 * count);
    this.mobility = columns.doubles(36);
    this.moves = columns.doubles(1);
    this.readout = columns.doubles(READOUT);
    this.list = columns.integers(this.most);
    this.count = columns.integers(1);
    this.block = columns.doubles(9 * this.most * this.most);
    this.wrench = columns.doubles(6);
    this.motion = columns.doubles(6);
    this.depths = columns.doubles(this.most);
    this.stamp = columns.doubles(1);
    this.filled = columns.integers(this.most);
    this.filledCount = columns.integers(1);
    this.moved = columns.doubles(36);
  }

  /** Gathers the points that touched or overlap, with the forces of the last step as a start; all others get none. */
  gather(): void {
    const { force, normals, offsets, count, readout } = this;
    count[0] = 0;
    readout[LIMITED] = 0;
    for (let p = 0; p < this.constants.count; p++) {
      const o = 3 * p;
      const load =
        force[o] * normals[o] + force[o + 1] * normals[o + 1] + force[o + 2] * normals[o + 2];
      const gap =
        offsets[o] * normals[o] + offsets[o + 1] * normals[o + 1] + offsets[o + 2] * normals[o + 2];
      if (load > 0 || gap < 0) this.admit(p);
      else force.fill(0, o, o + 3);
    }
    if (!this.held || !this.isFilled()) this.fillBlock();
  }

  /** Whether the block is that of the gathered points. */
  private isFilled(): boolean {
    const { list, filled, count, filledCount } = this;
    if (count[0] !== filledCount[0]) return false;
    for (let k = 0; k < count[0]; k++) if (list[k] !== filled[k]) return false;
    return true;
  }

  /** Takes a point; where the list is full, in place of the one with the least depth. */
  private admit(p: number): void {
    const { list, count, depths, normals, offsets, force } = this;
    const o = 3 * p;
    const depth = -(
      offsets[o] * normals[o] +
      offsets[o + 1] * normals[o + 1] +
      offsets[o + 2] * normals[o + 2]
    );
    let at = count[0];
    if (at < this.most) count[0]++;
    else {
      this.readout[LIMITED] = 1;
      at = 0;
      for (let k = 1; k < this.most; k++) if (depths[k] < depths[at]) at = k;
      const out = depth > depths[at] ? list[at] : p;
      force.fill(0, 3 * out, 3 * out + 3);
      if (out === p) return;
    }
    list[at] = p;
    depths[at] = depth;
  }

  private fillBlock(): void {
    const { list, block, constants, filled, filledCount, stamp } = this;
    const { compliance, count } = constants;
    const n = 3 * count;
    const m = this.count[0];
    let at = 0;
    for (let i = 0; i < m; i++) {
      filled[i] = list[i];
      for (let a = 0; a < 3; a++) {
        const row = n * (3 * list[i] + a);
        for (let j = 0; j < m; j++) {
          const from = row + 3 * list[j];
          block[at] = compliance[from];
          block[at + 1] = compliance[from + 1];
          block[at + 2] = compliance[from + 2];
          at += 3;
        }
      }
    }
    filledCount[0] = m;
    stamp[0]++;
    if (this.moves[0] !== 0) this.addMotion();
    if (this.partner !== null) this.partner.addBlock(block, list, m);
  }

  /** Adds J W Jᵀ to the block. */
  private addMotion(): void {
    const { list, block, constants, mobility, moved } = this;
    const { points } = constants;
    const m = this.count[0];
    for (let j = 0; j < m; j++) {
      const q = 3 * list[j];
      // column c of Jᵀ is (e, r × e)
      for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        for (let a = 0; a < 6; a++) {
          moved[6 * c + a] =
            mobility[6 * a + c] +
            mobility[6 * a + 3 + d] * points[q + e] -
            mobility[6 * a + 3 + e] * points[q + d];
        }
      }
      for (let i = 0; i < m; i++) {
        const p = 3 * list[i];
        for (let a = 0; a < 3; a++) {
          const b = (a + 1) % 3;
          const f = (a + 2) % 3;
          const at = 3 * m * (3 * i + a) + 3 * j;
          for (let c = 0; c < 3; c++) {
            const o = 6 * c;
            block[at + c] +=
              moved[o + a] + moved[o + 3 + b] * points[p + f] - moved[o + 3 + f] * points[p + b];
          }
        }
      }
    }
  }

  /** wrench := Jᵀ f and motion := W Jᵀ f of the gathered points. */
  sumWrench(): void {
    const { wrench, force, list, constants } = this;
    const { points } = constants;
    wrench.fill(0);
    for (let k = 0; k < this.count[0]; k++) {
      const o = 3 * list[k];
      for (let a = 0; a < 3; a++) {
        const b = (a + 1) % 3;
        const c = (a + 2) % 3;
        wrench[a] += force[o + a];
        wrench[3 + a] += points[o + b] * force[o + c] - points[o + c] * force[o + b];
      }
    }
    this.sumMotion();
  }

  /** motion := W wrench. */
  sumMotion(): void {
    const { motion, mobility, wrench } = this;
    for (let i = 0; i < 6; i++) {
      let sum = 0;
      for (let j = 0; j < 6; j++) sum += mobility[6 * i + j] * wrench[j];
      motion[i] = sum;
    }
  }

  /** bend := the deflection of body i under the forces, out := A f + b, over all points. Needs `sumWrench`. */
  fillPlaces(bend: Float64Array, out: Float64Array): void {
    const { force, list, offsets, motion, constants } = this;
    const { compliance, count, points } = constants;
    const n = 3 * count;
    const m = this.count[0];
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = 0; k < m; k++) {
        const o = 3 * list[k];
        const row = n * i + o;
        sum +=
          compliance[row] * force[o] +
          compliance[row + 1] * force[o + 1] +
          compliance[row + 2] * force[o + 2];
      }
      bend[i] = sum;
      out[i] = offsets[i] + sum;
    }
    if (this.partner !== null) this.partner.addPlaces(force, list, m, out);
    if (this.moves[0] === 0) return;
    for (let p = 0; p < n; p += 3) {
      for (let a = 0; a < 3; a++) {
        const b = (a + 1) % 3;
        const c = (a + 2) % 3;
        out[p + a] += motion[a] + motion[3 + b] * points[p + c] - motion[3 + c] * points[p + b];
      }
    }
  }

  /** Adds points outside of the list that the solution lets overlap; `places` is w. Returns whether there are any. */
  admitOverlaps(places: Float64Array): boolean {
    const { list, normals, constants } = this;
    if (this.count[0] === constants.count) return false;
    let deepest = 0;
    for (let k = 0; k < this.count[0]; k++) deepest = Math.max(deepest, this.depths[k]);
    let found = false;
    for (let p = 0; p < constants.count; p++) {
      const o = 3 * p;
      const gap =
        places[o] * normals[o] + places[o + 1] * normals[o + 1] + places[o + 2] * normals[o + 2];
      if (gap >= -ROUNDING * deepest) continue;
      let listed = false;
      for (let k = 0; k < this.count[0]; k++) if (list[k] === p) listed = true;
      if (listed) continue;
      if (this.count[0] === this.most) {
        this.readout[LIMITED] = 1;
        continue;
      }
      list[this.count[0]] = p;
      this.depths[this.count[0]++] = -gap;
      found = true;
    }
    if (found) this.fillBlock();
    return found;
  }
}
