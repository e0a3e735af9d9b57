/**
 * Planes around a ball: where two or three meet, and the nearest point of what they enclose. Coordinates are from the centre of
 * the ball; plane g is n_g·p = −s_g with the inner side n_g·p <= −s_g.
 */

/** Sine of the angle, and triple product, below which planes count as parallel. */
const MEET = 1e-9;

/** Points of planes within reach of a ball. */
export class PlaneNearest {
  /** Planes in use. */
  count = 0;
  /** Nearest point of the cell and its distance, m; the centre itself when that is inside. */
  readonly point: Float64Array = new Float64Array(4);
  /** Point of an edge nearest to the centre, or a corner; then the square of its distance. */
  readonly foot: Float64Array = new Float64Array(4);
  /** Unit vector along an edge. */
  readonly along: Float64Array = new Float64Array(3);
  /** n and s, four numbers a plane, the largest s first. */
  readonly #planes: Float64Array;
  readonly #tolerance: Float64Array;

  /** `tolerance`: how far out a point may be and still count as inside, m. */
  constructor(planes: Float64Array, tolerance: number) {
    this.#planes = planes;
    this.#tolerance = Float64Array.of(tolerance);
  }

  /** Writes `point`: of the feet on faces, edges and corners that are not outside another plane, the nearest. @alloc none */
  compute(): void {
    const { point, foot, count } = this;
    const a = this.#planes;
    for (let k = 0; k < 4; k++) point[k] = 0;
    if (count === 0 || a[3] <= 0) return;
    // no point of the cell is nearer than the plane that is farthest, so that no other face can have the nearest
    point[3] = a[3];
    for (let k = 0; k < 3; k++) point[k] = -a[3] * a[k];
    for (let k = 0; k < 3; k++) foot[k] = point[k];
    if (this.isInside()) return;
    let best = Number.POSITIVE_INFINITY;
    for (let g = 0; g < count; g++) {
      for (let h = g + 1; h < count; h++) {
        if (this.meetEdge(g, h) && foot[3] < best && this.isInside()) {
          best = foot[3];
          this.#keep();
        }
        for (let k = h + 1; k < count; k++) {
          if (this.meetCorner(g, h, k) && foot[3] < best && this.isInside()) {
            best = foot[3];
            this.#keep();
          }
        }
      }
    }
  }

  #keep(): void {
    const { point, foot } = this;
    for (let k = 0; k < 3; k++) point[k] = foot[k];
    point[3] = Math.sqrt(foot[3]);
  }

  /** Is `foot` on the inner side of every plane, or on it? @alloc none */
  isInside(): boolean {
    const { foot, count } = this;
    const a = this.#planes;
    const tolerance = this.#tolerance[0];
    for (let p = 0; p < 4 * count; p += 4) {
      if (a[p] * foot[0] + a[p + 1] * foot[1] + a[p + 2] * foot[2] + a[p + 3] > tolerance) {
        return false;
      }
    }
    return true;
  }

  /** Edge of two planes: `foot` and `along`; false when they are parallel. @alloc none */
  meetEdge(g: number, h: number): boolean {
    const { foot, along } = this;
    const a = this.#planes;
    const p = 4 * g;
    const q = 4 * h;
    const x = a[p + 1] * a[q + 2] - a[p + 2] * a[q + 1];
    const y = a[p + 2] * a[q] - a[p] * a[q + 2];
    const z = a[p] * a[q + 1] - a[p + 1] * a[q];
    const square = x * x + y * y + z * z;
    if (square < MEET * MEET) return false;
    const length = Math.sqrt(square);
    const dot = a[p] * a[q] + a[p + 1] * a[q + 1] + a[p + 2] * a[q + 2];
    const one = (dot * a[q + 3] - a[p + 3]) / square;
    const other = (dot * a[p + 3] - a[q + 3]) / square;
    let distance = 0;
    for (let k = 0; k < 3; k++) {
      foot[k] = one * a[p + k] + other * a[q + k];
      distance += foot[k] * foot[k];
    }
    foot[3] = distance;
    along[0] = x / length;
    along[1] = y / length;
    along[2] = z / length;
    return true;
  }

  /** Corner of three planes: `foot`; false when there is none. @alloc none */
  meetCorner(g: number, h: number, i: number): boolean {
    const { foot } = this;
    const a = this.#planes;
    const p = 4 * g;
    const q = 4 * h;
    const r = 4 * i;
    const x = a[q + 1] * a[r + 2] - a[q + 2] * a[r + 1];
    const y = a[q + 2] * a[r] - a[q] * a[r + 2];
    const z = a[q] * a[r + 1] - a[q + 1] * a[r];
    const product = a[p] * x + a[p + 1] * y + a[p + 2] * z;
    if (Math.abs(product) < MEET) return false;
    const s = -a[p + 3] / product;
    const t = -a[q + 3] / product;
    const u = -a[r + 3] / product;
    foot[0] =
      s * x +
      t * (a[r + 1] * a[p + 2] - a[r + 2] * a[p + 1]) +
      u * (a[p + 1] * a[q + 2] - a[p + 2] * a[q + 1]);
    foot[1] =
      s * y + t * (a[r + 2] * a[p] - a[r] * a[p + 2]) + u * (a[p + 2] * a[q] - a[p] * a[q + 2]);
    foot[2] =
      s * z + t * (a[r] * a[p + 1] - a[r + 1] * a[p]) + u * (a[p] * a[q + 1] - a[p + 1] * a[q]);
    foot[3] = foot[0] * foot[0] + foot[1] * foot[1] + foot[2] * foot[2];
    return true;
  }
}
