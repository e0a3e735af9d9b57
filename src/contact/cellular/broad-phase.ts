/**
 * Search for the cells of two bodies that may touch. Cells that miss the box of the other body drop out first, then boxes against
 * boxes, and boxes against the surface of a half-space. The cost is that of N + M boxes plus n × m for the n and m cells near the
 * other body.
 */
import { BOX } from '../../overlap/cell-bounds.ts';
import { ORIGIN } from '../../overlap/kernel.ts';
import type { CellPlacements } from './cell-placements.ts';

/** Candidates of one pair of bodies. */
export class BroadPhase {
  /** Cell of i, cell of j, for each candidate, in the order of i, then j. */
  readonly candidates: Int32Array;
  count = 0;
  /** [least distance of the boxes of cells that are no candidates, m], of the last `measureSeparation`. */
  readonly separation: Float64Array = new Float64Array(1);
  private readonly nearI: Int32Array;
  private readonly nearJ: Int32Array;

  constructor(cellsI: number, cellsJ: number) {
    this.nearI = new Int32Array(cellsI);
    this.nearJ = new Int32Array(cellsJ);
    this.candidates = new Int32Array(2 * cellsI * cellsJ);
  }

  /** Finds the candidates at the present placements. @alloc none */
  search(i: CellPlacements, j: CellPlacements): void {
    i.placeAll();
    j.placeAll();
    const { nearI, nearJ, candidates } = this;
    this.count = 0;
    let countI = 0;
    let countJ = 0;
    for (let a = 0; a < nearI.length; a++)
      if (boxesMeet(i.boxes, BOX * a, j.whole, 0)) nearI[countI++] = a;
    if (countI === 0) return;
    for (let b = 0; b < nearJ.length; b++)
      if (boxesMeet(j.boxes, BOX * b, i.whole, 0)) nearJ[countJ++] = b;
    let n = 0;
    for (let p = 0; p < countI; p++) {
      const a = nearI[p];
      for (let q = 0; q < countJ; q++) {
        const b = nearJ[q];
        if (!cellsMeet(i, a, j, b)) continue;
        candidates[n++] = a;
        candidates[n++] = b;
      }
    }
    this.count = n / 2;
  }

  /** A lower bound of the distance of all pairs that `search` would not return. @alloc none */
  measureSeparation(i: CellPlacements, j: CellPlacements): void {
    let least = Infinity;
    for (let a = 0; a < this.nearI.length; a++) {
      for (let b = 0; b < this.nearJ.length; b++) {
        const distance = cellDistance(i, a, j, b);
        if (distance > 0 && distance < least) least = distance;
      }
    }
    this.separation[0] = least < Infinity ? least : FAR;
  }
}

/** Distance of pairs when there are none apart, m: it limits nothing. */
const FAR = 1e3;

/** Largest gap of two boxes along an axis: a lower bound of their distance; negative where they overlap in all. */
export function boxDistance(a: Float64Array, i: number, b: Float64Array, j: number): number {
  let most = -Infinity;
  for (let d = 0; d < 3; d++) {
    most = Math.max(most, a[i + d] - b[j + 3 + d], b[j + d] - a[i + 3 + d]);
  }
  return most;
}

/** Whether cell a of one body and cell b of another may touch, by their boxes and by what is a half-space. @alloc none */
export function cellsMeet(i: CellPlacements, a: number, j: CellPlacements, b: number): boolean {
  if (!boxesMeet(i.boxes, i.box(a), j.boxes, j.box(b))) return false;
  if (j.isPlane[b] === 1 && height(i.boxes, BOX * a, j.at(b)) > 0) return false;
  return !(i.isPlane[a] === 1 && height(j.boxes, BOX * b, i.at(a)) > 0);
}

/** A lower bound of the distance of two cells that are placed; not positive where they may touch. */
export function cellDistance(i: CellPlacements, a: number, j: CellPlacements, b: number): number {
  if (j.isPlane[b] === 1) return height(i.boxes, BOX * a, j.at(b));
  if (i.isPlane[a] === 1) return height(j.boxes, BOX * b, i.at(a));
  return boxDistance(i.boxes, BOX * a, j.boxes, BOX * b);
}

/** Whether two boxes have a point in common. */
function boxesMeet(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  return (
    a[i] <= b[j + 3] &&
    b[j] <= a[i + 3] &&
    a[i + 1] <= b[j + 4] &&
    b[j + 1] <= a[i + 4] &&
    a[i + 2] <= b[j + 5] &&
    b[j + 2] <= a[i + 5]
  );
}

/** Height of a box over a half-space z <= 0 at this placement; not a number for a box without an end. */
function height(box: Float64Array, o: number, plane: Float64Array): number {
  const x = plane[2];
  const y = plane[5];
  const z = plane[8];
  return (
    x * (box[x < 0 ? o + 3 : o] - plane[ORIGIN]) +
    y * (box[y < 0 ? o + 4 : o + 1] - plane[ORIGIN + 1]) +
    z * (box[z < 0 ? o + 5 : o + 2] - plane[ORIGIN + 2])
  );
}
