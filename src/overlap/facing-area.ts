/**
 * Largest area in which two bodies can lie on each other as they are turned, known before they touch.
 *
 * A flat patch lies on a face of one body and shows itself along the normal n of that face. It is no larger
 * than what either body shows along n, and a body shows no more than the box around its cells, of face
 * areas A_k and axes e_k:
 *
 *   A(n) <= min over both bodies of sum_k A_k |e_k·n|,   n over the axes of both boxes.
 *
 * Exact for boxes face to face. Contacts with several faces at once add up their patches and can have more.
 */
import { rotationOf } from '../math/quaternion.ts';
import { type Bounds, isBounded, placedBounds } from '../shapes/cell-bounds.ts';
import type { CellModel } from '../shapes/cell-model.ts';

const AXES = 3;

/** Areas of the faces of the box around the cells, across x, y and z, m²; null for an infinite body. */
function faceAreas(cells: readonly CellModel[]): Float64Array | null {
  const bounds: Bounds[] = cells.map(placedBounds);
  if (!bounds.every(isBounded)) return null;
  const [x, y, z] = [0, 1, 2].map((k) => {
    const high = Math.max(...bounds.map((one) => one.high[k]));
    return high - Math.min(...bounds.map((one) => one.low[k]));
  });
  return Float64Array.of(y * z, z * x, x * y);
}

/** Facing area of two bodies. */
export class FacingArea {
  /** [area of the last call], m²; NaN when both bodies are infinite or have no cells. */
  readonly area: Float64Array = new Float64Array(1);
  readonly #faces: readonly [Float64Array | null, Float64Array | null];
  readonly #turns = [new Float64Array(9), new Float64Array(9)] as const;
  readonly #normal = new Float64Array(AXES);
  readonly #known: boolean;

  constructor(i: readonly CellModel[], j: readonly CellModel[]) {
    this.#faces = [faceAreas(i), faceAreas(j)];
    const bounded = this.#faces.some((areas) => areas !== null);
    this.#known = bounded && i.length > 0 && j.length > 0;
  }

  /** Bodies turned by the unit quaternions at `i` and `j`. @alloc none */
  compute(states: Float64Array, i: number, j: number): void {
    const { area } = this;
    area[0] = Number.NaN;
    if (!this.#known) return;
    const [first, second] = this.#turns;
    rotationOf(first, states, i);
    rotationOf(second, states, j);
    area[0] = 0;
    this.#alongAxesOf(first);
    this.#alongAxesOf(second);
  }

  #alongAxesOf(turn: Float64Array): void {
    const { area } = this;
    const n = this.#normal;
    for (let axis = 0; axis < AXES; axis++) {
      for (let a = 0; a < AXES; a++) n[a] = turn[AXES * a + axis];
      const one = this.#shown(0);
      const other = this.#shown(1);
      const both = one < other ? one : other;
      if (both > area[0]) area[0] = both;
    }
  }

  /** What the box of a body shows along the normal. */
  #shown(body: 0 | 1): number {
    const areas = this.#faces[body];
    if (areas === null) return Number.POSITIVE_INFINITY;
    const turn = this.#turns[body];
    const n = this.#normal;
    let sum = 0;
    for (let k = 0; k < AXES; k++) {
      const along = turn[k] * n[0] + turn[AXES + k] * n[1] + turn[2 * AXES + k] * n[2];
      sum += areas[k] * Math.abs(along);
    }
    return sum;
  }
}
