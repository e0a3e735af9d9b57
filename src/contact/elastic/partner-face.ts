/**
 * The face that an elastic face meets, elastic as well. A force f on a point of body i is -f on body j, shared by the weights w of the triangle below the
 * point, and the surface of j gives way there by W C_j W^T f: in the equations of the points of i that stands beside their own compliance,
 *
 *   A = C_i + P^T W C_j W^T P + ...,    P from the axes of body i to those of body j
 *
 * W is that of the present pose. Everything of body j is static. @alloc none
 */
import type { PatchModel } from '../../model/patch-spec.ts';
import { FaceHeights } from './face-heights.ts';

/** The other face. */
export class PartnerFace {
  readonly heights: FaceHeights;
  /** [energy in it under the forces of the last `addPlaces`, J] */
  readonly energy: Float64Array = new Float64Array(1);
  /** P, row by row. */
  readonly #turn: Float64Array;
  readonly #compliance: Float64Array;
  readonly #size: number;
  /** Corners and weights below each point of body i. */
  readonly #corners: Int32Array;
  readonly #weights: Float64Array;
  /** Forces on the points of body j and how far these give way, axes of body j; which have a force. */
  readonly #loads: Float64Array;
  readonly #bends: Float64Array;
  readonly #loaded: Int32Array;
  readonly #core: Float64Array = new Float64Array(9);
  readonly #half: Float64Array = new Float64Array(9);

  /** @param turn - P as it is at any time; count of the points of body i */
  constructor(model: PatchModel, heights: FaceHeights, turn: Float64Array, count: number) {
    const n = model.points.length;
    this.heights = heights;
    this.#turn = turn;
    this.#size = n;
    this.#compliance = Float64Array.from(model.compliance);
    this.#corners = new Int32Array(3 * count);
    this.#weights = new Float64Array(3 * count);
    this.#loads = new Float64Array(n);
    this.#bends = new Float64Array(n);
    this.#loaded = new Int32Array(n / 3);
  }

  /** Point p is where the heights were measured last. */
  take(p: number): void {
    const { corners, weights } = this.heights;
    for (let a = 0; a < 3; a++) {
      this.#corners[3 * p + a] = corners[a];
      this.#weights[3 * p + a] = weights[a];
    }
  }

  /** Adds what body j brings to A between `count` points of a list, by rows of 3 count. */
  addBlock(block: Float64Array, list: Int32Array, count: number): void {
    const half = this.#half;
    const core = this.#core;
    const p = this.#turn;
    const stride = 3 * count;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j <= i; j++) {
        this.#fillCore(3 * list[i], 3 * list[j]);
        for (let a = 0; a < 3; a++) {
          for (let c = 0; c < 3; c++) {
            half[3 * a + c] =
              core[3 * a] * p[c] + core[3 * a + 1] * p[3 + c] + core[3 * a + 2] * p[6 + c];
          }
        }
        for (let a = 0; a < 3; a++) {
          for (let c = 0; c < 3; c++) {
            const value = p[a] * half[c] + p[3 + a] * half[3 + c] + p[6 + a] * half[6 + c];
            block[stride * (3 * i + a) + 3 * j + c] += value;
            if (i !== j) block[stride * (3 * j + c) + 3 * i + a] += value;
          }
        }
      }
    }
  }

  /** core := Σ w_k w_l C_kl over the corners below two points. */
  #fillCore(first: number, second: number): void {
    const core = this.#core;
    const w = this.#weights;
    const matrix = this.#compliance;
    const n = this.#size;
    core.fill(0);
    for (let k = first; k < first + 3; k++) {
      for (let l = second; l < second + 3; l++) {
        const weight = w[k] * w[l];
        if (weight === 0) continue;
        let at = 3 * (n * this.#corners[k] + this.#corners[l]);
        for (let e = 0; e < 9; e += 3) {
          core[e] += weight * matrix[at];
          core[e + 1] += weight * matrix[at + 1];
          core[e + 2] += weight * matrix[at + 2];
          at += n;
        }
      }
    }
  }

  /** Adds how far body j gives way to the places of all points of body i, under the forces of some. */
  addPlaces(force: Float64Array, list: Int32Array, count: number, places: Float64Array): void {
    const p = this.#turn;
    const loads = this.#loads;
    const w = this.#weights;
    loads.fill(0);
    this.#loaded.fill(0);
    for (let m = 0; m < count; m++) {
      const o = 3 * list[m];
      for (let k = o; k < o + 3; k++) {
        const corner = this.#corners[k];
        this.#loaded[corner] = 1;
        for (let a = 0; a < 3; a++) {
          const r = 3 * a;
          loads[3 * corner + a] +=
            w[k] * (p[r] * force[o] + p[r + 1] * force[o + 1] + p[r + 2] * force[o + 2]);
        }
      }
    }
    this.#bend();
    const bends = this.#bends;
    for (let o = 0; o < places.length; o += 3) {
      let x = 0.0;
      let y = 0.0;
      let z = 0.0;
      for (let k = o; k < o + 3; k++) {
        const b = 3 * this.#corners[k];
        x += w[k] * bends[b];
        y += w[k] * bends[b + 1];
        z += w[k] * bends[b + 2];
      }
      for (let a = 0; a < 3; a++) places[o + a] += p[a] * x + p[3 + a] * y + p[6 + a] * z;
    }
  }

  /** bends := C_j loads, and their energy. */
  #bend(): void {
    const { energy } = this;
    const loads = this.#loads;
    const bends = this.#bends;
    const matrix = this.#compliance;
    const n = this.#size;
    energy[0] = 0;
    for (let row = 0; row < n; row++) {
      let sum = 0.0;
      for (let q = 0; q < n; q += 3) {
        if (this.#loaded[q / 3] === 0) continue;
        const at = n * row + q;
        sum +=
          matrix[at] * loads[q] + matrix[at + 1] * loads[q + 1] + matrix[at + 2] * loads[q + 2];
      }
      bends[row] = sum;
      energy[0] += 0.5 * sum * loads[row];
    }
  }
}
