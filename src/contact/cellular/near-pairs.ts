/**
 * Pairs of cells that are near enough to touch soon, so that the broad phase need not be searched at every step. The list is made at
 * some pose of both bodies, the reference, and holds all pairs whose boxes are nearer than a skin. Of each pair it holds a lower bound
 * b of the distance at the reference.
 *
 * Since then a point of body i, at most ρ from its origin, has moved by no more than |x − x₀| + |R − R₀| ρ, with the Frobenius norm in
 * place of the spectral one. So two cells have come nearer by no more than
 *
 *   m = Σ over i and j of |x − x₀| + |R − R₀| ρ                                                                        (1)
 *
 * A pair of b > m is apart. While m is below the skin, no pair that is not listed touches. A time h ahead at the present velocities, m
 * is larger by no more than h (|v| + |ω| ρ) of both bodies. ρ of a cell without an end is the distance of its origin from the
 * farthest point of the other body: no other point of it is touched.
 *
 * Where b <= m, boxes and a separating plane are asked before the kernel. A distance d found at a motion m makes the bound d − m. Of
 * convex cells the gap of the kernel is such a distance; in a hole it is the result of a search that may miss the nearest place.
 *
 * The list is no part of the state. It leaves out what would be found apart, and its order is that of the cells: whatever it holds,
 * the same pairs are found in the same order.
 */
import { BOX } from '../../overlap/cell-bounds.ts';
import { COLUMN, type OverlapKernel } from '../../overlap/kernel.ts';
import { CLEARANCE, PLANE } from '../../overlap/separating-plane.ts';
import type { ContactBody } from '../contact-body.ts';
import { boxDistance, cellDistance, cellsMeet } from './broad-phase.ts';
import type { CellPlacements } from './cell-placements.ts';

/** Skin relative to the reach of the smaller body: wide enough for tens of steps, narrow enough to leave far cells out. */
const SKIN = 1 / 32;
/** Motion that is always counted, relative to the size of both bodies: more than roundings of boxes and distances. */
const SLACK = 1e-9;
/** Part of a gap that counts as distance: the rest is the error of a gap. */
const SURE = 0.99;
/** Pairs of the list that may keep a plane, 160 kB. */
const MOST_PLANES = 4096;

/** Slots of the reference of one body: rotation and origin. */
const POSE = 12;

/** The near pairs of two bodies. */
export class NearPairs {
  /** Cell of i, cell of j, for each pair, in the order of i, then j. */
  readonly cells: Int32Array;
  count = 0;
  /** b of each pair, m. */
  readonly #bounds: Float64Array;
  readonly #planes: Float64Array;
  readonly #skin: number;
  readonly #nearI: Int32Array;
  readonly #nearJ: Int32Array;
  /** Both bodies at the reference; not a number before there is one. */
  readonly #reference: Float64Array = new Float64Array(2 * POSE).fill(Number.NaN);
  /** [m of the last `measure`] */
  readonly #motion: Float64Array = new Float64Array(1);

  constructor(i: CellPlacements, j: CellPlacements) {
    const all = i.cells.length * j.cells.length;
    this.cells = new Int32Array(2 * all);
    this.#bounds = new Float64Array(all);
    this.#planes = new Float64Array(PLANE * Math.min(all, MOST_PLANES));
    this.#nearI = new Int32Array(i.cells.length);
    this.#nearJ = new Int32Array(j.cells.length);
    const small = Math.min(i.reach > 0 ? i.reach : Infinity, j.reach > 0 ? j.reach : Infinity);
    this.#skin = small < Infinity ? SKIN * small : 0;
  }

  /**
   * Measures how far the bodies may have moved since the reference, and makes a new list where that is beyond the skin.
   * @returns false when even a new list does not reach so far ahead @alloc none
   */
  follow(
    bodyI: ContactBody,
    bodyJ: ContactBody,
    i: CellPlacements,
    j: CellPlacements,
    ahead: Float64Array,
  ): boolean {
    this.#measure(bodyI, bodyJ, i, j, ahead);
    if (this.#motion[0] < this.#skin) return true;
    this.#list(bodyI, bodyJ, i, j);
    this.#measure(bodyI, bodyJ, i, j, ahead);
    return this.#motion[0] < this.#skin || ahead[0] === 0;
  }

  /** The first pair from `c` on that may touch; `count` when there is none. @alloc none */
  next(c: number): number {
    const bounds = this.#bounds;
    const motion = this.#motion[0];
    let at = c;
    while (at < this.count && motion < bounds[at]) at++;
    return at;
  }

  /** Whether the boxes of a pair meet and no kept plane separates it. @alloc none */
  mayTouch(c: number, kernel: OverlapKernel, i: CellPlacements, j: CellPlacements): boolean {
    const a = this.cells[2 * c];
    const b = this.cells[2 * c + 1];
    if (!cellsMeet(i, a, j, b)) return false;
    if (c >= MOST_PLANES || kernel.measureClearance === undefined) return true;
    const planes = this.#planes;
    const o = PLANE * c;
    kernel.measureClearance(i.at(a), j.at(b), planes, o);
    if (!(planes[o + CLEARANCE] > 0)) return true;
    const bound = planes[o + CLEARANCE] - this.#motion[0];
    if (bound > this.#bounds[c]) this.#bounds[c] = bound;
    return false;
  }

  /** Takes over from the column of a pair that `compute` has just found apart how far, and by which plane. @alloc none */
  keepApart(
    c: number,
    kernel: OverlapKernel,
    i: CellPlacements,
    j: CellPlacements,
    column: Float64Array,
  ): void {
    const a = this.cells[2 * c];
    const b = this.cells[2 * c + 1];
    if (i.isConvex[a] === 0 || j.isConvex[b] === 0) return;
    const bound = SURE * column[COLUMN.gap] - this.#motion[0];
    if (bound > this.#bounds[c]) this.#bounds[c] = bound;
    if (c >= MOST_PLANES || kernel.keepPlane === undefined) return;
    kernel.keepPlane(this.#planes, PLANE * c);
  }

  #measure(
    bodyI: ContactBody,
    bodyJ: ContactBody,
    i: CellPlacements,
    j: CellPlacements,
    ahead: Float64Array,
  ): void {
    const reference = this.#reference;
    const h = ahead[0];
    const x = bodyI.state;
    const y = bodyJ.state;
    const speed =
      Math.sqrt(x[7] * x[7] + x[8] * x[8] + x[9] * x[9]) +
      Math.sqrt(y[7] * y[7] + y[8] * y[8] + y[9] * y[9]);
    let between = 0;
    let shiftI = 0;
    let shiftJ = 0;
    let turnI = 0;
    let turnJ = 0;
    for (let k = 0; k < 3; k++) {
      const d = x[k] - y[k];
      const p = x[k] - reference[9 + k];
      const q = y[k] - reference[POSE + 9 + k];
      between += d * d;
      shiftI += p * p;
      shiftJ += q * q;
    }
    for (let k = 0; k < 9; k++) {
      const p = bodyI.rotation[k] - reference[k];
      const q = bodyJ.rotation[k] - reference[POSE + k];
      turnI += p * p;
      turnJ += q * q;
    }
    const away = Math.sqrt(between) + h * speed;
    const reachI = i.endless ? Math.max(i.reach, away + j.reach) : i.reach;
    const reachJ = j.endless ? Math.max(j.reach, away + i.reach) : j.reach;
    const spinI = Math.sqrt(x[10] * x[10] + x[11] * x[11] + x[12] * x[12]);
    const spinJ = Math.sqrt(y[10] * y[10] + y[11] * y[11] + y[12] * y[12]);
    this.#motion[0] =
      h * speed +
      Math.sqrt(shiftI) +
      Math.sqrt(shiftJ) +
      (Math.sqrt(turnI) + h * spinI) * reachI +
      (Math.sqrt(turnJ) + h * spinJ) * reachJ +
      SLACK * (reachI + reachJ + away);
  }

  /** Makes the list at the present poses. */
  #list(bodyI: ContactBody, bodyJ: ContactBody, i: CellPlacements, j: CellPlacements): void {
    const reference = this.#reference;
    for (let k = 0; k < 9; k++) {
      reference[k] = bodyI.rotation[k];
      reference[POSE + k] = bodyJ.rotation[k];
    }
    for (let k = 0; k < 3; k++) {
      reference[9 + k] = bodyI.state[k];
      reference[POSE + 9 + k] = bodyJ.state[k];
    }
    i.placeAll();
    j.placeAll();
    const nearI = this.#nearI;
    const nearJ = this.#nearJ;
    const { cells } = this;
    const bounds = this.#bounds;
    const { boxes } = j;
    const skin = this.#skin;
    let countI = 0;
    let countJ = 0;
    for (let a = 0; a < nearI.length; a++)
      if (boxDistance(i.boxes, BOX * a, j.whole, 0) < skin) nearI[countI++] = a;
    for (let b = 0; b < nearJ.length; b++)
      if (boxDistance(j.boxes, BOX * b, i.whole, 0) < skin) nearJ[countJ++] = b;
    let n = 0;
    for (let p = 0; p < countI; p++) {
      const a = nearI[p];
      const o = BOX * a;
      const lowX = i.boxes[o] - skin;
      const lowY = i.boxes[o + 1] - skin;
      const lowZ = i.boxes[o + 2] - skin;
      const highX = i.boxes[o + 3] + skin;
      const highY = i.boxes[o + 4] + skin;
      const highZ = i.boxes[o + 5] + skin;
      for (let q = 0; q < countJ; q++) {
        const b = nearJ[q];
        const u = BOX * b;
        if (boxes[u] > highX || boxes[u + 3] < lowX) continue;
        if (boxes[u + 1] > highY || boxes[u + 4] < lowY) continue;
        if (boxes[u + 2] > highZ || boxes[u + 5] < lowZ) continue;
        const distance = cellDistance(i, a, j, b);
        if (distance >= skin) continue;
        cells[2 * n] = a;
        cells[2 * n + 1] = b;
        bounds[n] = distance > 0 ? distance : 0;
        if (n < MOST_PLANES) this.#planes.fill(Number.NaN, PLANE * n, PLANE * (n + 1));
        n++;
      }
    }
    this.count = n;
  }
}
