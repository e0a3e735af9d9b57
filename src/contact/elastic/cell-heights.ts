/**
 * Heights of a point over a body of several cells. Outside that is the least of the heights over the cells. Inside it is minus the way out of all of them:
 * sides of a cell that another one covers are no surface, so that a box cut in two is the box, and the normal does not jump at the cut.
 *
 * The way out of the point x leaves the cell that x is deepest in through one of its sides h_1(x) + n_1 (y - x) >= 0. The place y with the least
 * |y - x| may lie in another cell, which is then left, too: y is the nearest place on the right side of up to three planes. Of all ways the
 * shortest is taken. With flat sides that is the distance from the surface, inner edges and corners included; where two sides of which
 * one is round meet, they are planes for the depth of x. @alloc none
 */
import { isBounded, placedBounds } from '../../shapes/cell-bounds.ts';
import type { CellModel } from '../../shapes/cell-model.ts';
import { PlacedSolid, Solid, solidOf } from './solid-heights.ts';

/** Gap between cells over the size of the body up to which it is none, and the part of it that planes are off by. */
const SLIT = 1e-7;
const ROUNDING = 0.01;
/** Sides that meet in a corner. */
const CORNER = 3;
/** Square of the sine below which two sides are parallel. */
const PARALLEL = 1e-9;
/** Ball of a cell: middle and radius. */
const BALL = 4;

/** A body of cells. */
export class CellHeights extends Solid {
  readonly #cells: readonly Solid[];
  /** A ball about each cell. */
  readonly #balls: Float64Array;
  /** [width of what is no gap, m] */
  readonly #slit: Float64Array;
  readonly #from: Float64Array = new Float64Array(3);
  readonly #probe: Float64Array = new Float64Array(3);
  /** The cells that are left, the heights of x over the sides through which, and their normals. */
  readonly #left: Int32Array = new Int32Array(CORNER);
  readonly #heights: Float64Array = new Float64Array(CORNER);
  readonly #normals: Float64Array = new Float64Array(3 * CORNER);
  /** y - x with so many sides, its length, and the sum of the normals of the sides on which y is. */
  readonly #ways: Float64Array = new Float64Array(3 * (CORNER + 1));
  readonly #lengths: Float64Array = new Float64Array(CORNER + 1);
  readonly #outward: Float64Array = new Float64Array(3 * (CORNER + 1));
  /** Of the angles between normals 0 and 1, 0 and 2, 1 and 2. */
  readonly #cosines: Float64Array = new Float64Array(CORNER);
  readonly #pushes: Float64Array = new Float64Array(CORNER);

  constructor(cells: readonly CellModel[]) {
    super();
    this.#cells = cells.map((cell) => new PlacedSolid(solidOf(cell.shape), cell));
    let size = 0;
    const balls = cells.map((cell) => {
      const bounds = placedBounds(cell);
      if (!isBounded(bounds)) return [0, 0, 0, Infinity];
      const half = bounds.high.map((high, a) => (high - bounds.low[a]) / 2);
      const radius = Math.sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
      size = Math.max(size, radius);
      return [...half.map((x, a) => bounds.low[a] + x), radius];
    });
    this.#balls = Float64Array.from(balls.flat());
    this.#slit = Float64Array.of(SLIT * (size > 0 ? size : 1));
  }

  measure(places: Float64Array, at: number): void {
    const { gap } = this;
    const x = this.#from;
    const slit = this.#slit[0];
    for (let a = 0; a < 3; a++) x[a] = places[at + a];
    const nearest = this.#findNearest();
    if (gap[0] >= slit) return;
    if (gap[0] >= 0) {
      // on the surface of a cell, or in a slit between two
      for (let a = 0; a < 3; a++) {
        this.#ways[a] = 0;
        this.#outward[a] = 2 * this.normal[a];
      }
      this.#left[0] = nearest;
      if (this.#coverOf(0, 1) < 0) return;
    }
    const least = gap[0];
    gap[0] = -Infinity;
    this.#leave(nearest, 0);
    // in a corner of more sides, the way out of the one cell
    if (gap[0] === -Infinity) gap[0] = least;
  }

  /** The cell with the least height, which `gap` and `normal` then are of. */
  #findNearest(): number {
    const { gap, normal } = this;
    const x = this.#from;
    gap[0] = Infinity;
    let nearest = 0;
    for (let c = 0; c < this.#cells.length; c++) {
      if (!this.#isNear(c, x, gap)) continue;
      const cell = this.#cells[c];
      cell.measure(x, 0);
      if (!(cell.gap[0] < gap[0])) continue;
      nearest = c;
      gap[0] = cell.gap[0];
      for (let a = 0; a < 3; a++) normal[a] = cell.normal[a];
    }
    return nearest;
  }

  /** Whether the ball of a cell reaches within the larger of a height and zero of a place. */
  #isNear(c: number, place: Float64Array, height: Float64Array): boolean {
    const b = this.#balls;
    const o = BALL * c;
    if (b[o + 3] === Infinity) return true;
    const dx = place[0] - b[o];
    const dy = place[1] - b[o + 1];
    const dz = place[2] - b[o + 2];
    const reach = b[o + 3] + (height[0] > 0 ? height[0] : 0);
    return dx * dx + dy * dy + dz * dz <= reach * reach;
  }

  /** Leaves a cell through each of its sides, after `count` others; takes the shortest way that ends outside. */
  #leave(c: number, count: number): void {
    const { gap } = this;
    const cell = this.#cells[c];
    this.#left[count] = c;
    for (let side = 0; side < cell.sides; side++) {
      cell.measureSide(side, this.#from, 0);
      // the first cell holds x, but for a slit
      this.#heights[count] = count === 0 && cell.gap[0] > 0 ? 0 : cell.gap[0];
      if (count === 0 && cell.gap[0] > this.#slit[0]) continue;
      for (let a = 0; a < 3; a++) this.#normals[3 * count + a] = cell.normal[a];
      this.#fillCosines(count);
      if (!this.#project(count)) continue;
      const length = this.#lengths[count + 1];
      if (!(-length > gap[0])) continue;
      const next = this.#coverOf(count + 1, count + 1);
      if (next >= 0) {
        if (count + 1 < CORNER) this.#leave(next, count + 1);
        continue;
      }
      gap[0] = -length;
      this.#takeNormal(count);
    }
  }

  /** That of the last of count + 1 planes where the place is on it alone, else along the way, or between the planes where there is none. */
  #takeNormal(count: number): void {
    const { normal } = this;
    let single = true;
    for (let k = 0; k < count; k++) if (this.#pushes[k] !== 0) single = false;
    const far = this.#lengths[count + 1] > this.#slit[0];
    const from = single ? this.#normals : far ? this.#ways : this.#outward;
    const o = single ? 3 * count : 3 * (count + 1);
    const x = from[o];
    const y = from[o + 1];
    const z = from[o + 2];
    const size = single ? 1 : Math.sqrt(x * x + y * y + z * z);
    normal[0] = x / size;
    normal[1] = y / size;
    normal[2] = z / size;
  }

  /** A cell that is just outside of the place of so many sides, none of the first `count` that are left; -1 for none. */
  #coverOf(sides: number, count: number): number {
    const probe = this.#probe;
    const slit = this.#slit[0];
    for (let a = 0; a < 3; a++) {
      probe[a] = this.#from[a] + this.#ways[3 * sides + a] + slit * this.#outward[3 * sides + a];
    }
    for (let c = 0; c < this.#cells.length; c++) {
      let known = false;
      for (let k = 0; k < count; k++) if (this.#left[k] === c) known = true;
      if (known || !this.#isNear(c, probe, NOTHING)) continue;
      this.#cells[c].measure(probe, 0);
      // less than half of what is above a side beside it: the probe may lie on a cut
      if (this.#cells[c].gap[0] < 0.5 * slit) return c;
    }
    return -1;
  }

  /** The way to the nearest place on the right side of count + 1 planes, on the last of them; false where there is none. */
  #project(count: number): boolean {
    if (this.#tryPlanes(count, -1, -1)) return true;
    for (let k = 0; k < count; k++) if (this.#tryPlanes(count, k, -1)) return true;
    return count === 2 && this.#tryPlanes(2, 0, 1);
  }

  /** The same on some of the planes: pushes along their normals, from Gram's matrix; -1 for no plane. */
  #tryPlanes(count: number, second: number, third: number): boolean {
    const h = this.#heights;
    const n = this.#normals;
    const p = this.#pushes;
    const w = 3 * (count + 1);
    p.fill(0);
    if (second < 0) p[count] = -h[count];
    else if (third < 0) {
      const c = this.#cosines[count + second - 1];
      const s = 1 - c * c;
      if (!(s > PARALLEL)) return false;
      p[count] = (c * h[second] - h[count]) / s;
      p[second] = (c * h[count] - h[second]) / s;
    } else {
      const c01 = this.#cosines[0];
      const c02 = this.#cosines[1];
      const c12 = this.#cosines[2];
      const det = 1 + 2 * c01 * c02 * c12 - c01 * c01 - c02 * c02 - c12 * c12;
      if (!(det > PARALLEL)) return false;
      const a = c02 * c12 - c01;
      const b = c01 * c12 - c02;
      const c = c01 * c02 - c12;
      p[0] = -((1 - c12 * c12) * h[0] + a * h[1] + b * h[2]) / det;
      p[1] = -(a * h[0] + (1 - c02 * c02) * h[1] + c * h[2]) / det;
      p[2] = -(b * h[0] + c * h[1] + (1 - c01 * c01) * h[2]) / det;
    }
    let square = 0.0;
    for (let a = 0; a < 3; a++) {
      this.#ways[w + a] = 0;
      this.#outward[w + a] = 0;
      for (let k = 0; k <= count; k++) {
        if (k !== count && k !== second && k !== third) continue;
        this.#ways[w + a] += p[k] * n[3 * k + a];
        this.#outward[w + a] += n[3 * k + a];
      }
      square += this.#ways[w + a] * this.#ways[w + a];
    }
    this.#lengths[count + 1] = second < 0 ? p[count] : Math.sqrt(square);
    const slit = this.#slit[0];
    const most = -ROUNDING * slit;
    for (let k = 0; k <= count; k++) {
      if (p[k] < most) return false;
      let after = h[k];
      let beyond = 0.0;
      for (let a = 0; a < 3; a++) {
        after += n[3 * k + a] * this.#ways[w + a];
        beyond += n[3 * k + a] * this.#outward[w + a];
      }
      // outside of this plane, and just beyond the others as well
      if (after < most || after + slit * beyond < most) return false;
    }
    return true;
  }

  /** Those of the last of count + 1 normals with the others. */
  #fillCosines(count: number): void {
    const n = this.#normals;
    const l = 3 * count;
    for (let k = 0; k < count; k++) {
      this.#cosines[k + count - 1] =
        n[3 * k] * n[l] + n[3 * k + 1] * n[l + 1] + n[3 * k + 2] * n[l + 2];
    }
  }
}
const NOTHING = new Float64Array(1);
