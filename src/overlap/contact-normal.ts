/**
 * Contact normal from the metrics of the overlap. `Gonthier 2007, (4.199), A.3.3`,
 * docs/theory/volumetric-contact.md.
 *
 * The guess g is the direction of the vector area: minus the gradient of the volume, the plane's
 * normal where body j is a plane. It vanishes where one cell contains the other, and a fallback
 * fades in.
 *
 * `principal-axis`: n along Σ_k w_k (e_k·g) e_k over the principal axes e_k of the overlap, with
 *
 *   w_k = max(0, D_k − d0)²        D_k = Σ_j K(η_k − η_j) (e_j·g)²        η_k = ln(σ_k/tr S + κ)        K(x) = max(0, 1 − (x/ε)²)²
 *
 * where σ_k are the eigenvalues of the second moments S. D_k is the part of the guess along axis k
 * and along the axes that are not distinct from it. D as a function of η depends on S and g alone,
 * not on the choice of eigenvectors, so n is a C1 function of both:
 *
 * - distinct axes (σ differ by a factor of about two) and a guess within 30° of one: exactly that
 *   axis, as the other weights are 0;
 * - a degenerate eigenspace nearest to the guess: the projection of the guess on it; of a round
 *   overlap: the guess;
 * - in between a smooth blend; at least one D_k exceeds 1/3 > d0, so the sum never vanishes.
 *
 * The logarithm makes axes of slender overlaps as distinct as those of compact ones, down to σ/tr S
 * of about κ. For shapes thinner than that in two directions, the normal is the guess.
 */
import { SymmetricEigen } from '../math/symmetric-eigen.ts';
import { CLEAR_NORMAL } from './clip-limits.ts';
import { COLUMN } from './kernel.ts';
import { log } from '../math/elementary/logarithm.ts';
import { cbrt } from '../math/elementary/power.ts';

/**
 * Method for the contact normal. `Gonthier 2007, 4.3.7, A.3.3`, docs/theory/volumetric-contact.md.
 *
 * - `principal-axis`: the principal axis of the overlap next to the vector area, blended with it
 *   where axes are not distinct.
 * - `vector-area`: the direction in which the overlap shrinks fastest; the plane's normal where
 *   body j is a plane.
 * - `inverse-iteration`: shifted inverse iteration of `Gonthier 2007, A.3.3`, from a blend of guess
 *   and previous normal.
 */
export type NormalMethod = 'principal-axis' | 'vector-area' | 'inverse-iteration';

/** d0: above the 1/4 that an axis 60° off the guess gets. */
const THRESHOLD = 0.28;
/** ε: difference of ln σ above which axes are distinct; below, they merge gradually. */
const WIDTH = 0.75;
/** κ: smallest share of the trace that counts. */
const FLOOR = 1e-2;
/** Vector area relative to V^(2/3) below which the fallback fades in. */
const VANISHING = 1e-6;

/**
 * Inverse iteration: stop angle θ_c = 1°, weight r_n of the previous normal, most iterations n_i.
 * `Gonthier 2007, A.3.3`.
 */
const STOP = 1 - 0.5 * (Math.PI / 180) * (Math.PI / 180);
const BLEND = 0.95;
const ITERATIONS = 15;

/** Finds the normal of one contact. */
export class ContactNormal {
  /** The normal of the last call, unit, world, from j to i. */
  readonly normal: Float64Array = new Float64Array(3);
  /** The geometric guess of the last call, unit, world. */
  readonly guess: Float64Array = new Float64Array(3);
  private readonly method: NormalMethod;
  private readonly eigen: SymmetricEigen = new SymmetricEigen();
  /** [1/tr S] */
  private readonly scale: Float64Array = new Float64Array(1);
  /** η_k, then (e_k·g). */
  private readonly axes: Float64Array = new Float64Array(6);
  /** Shifted matrix of the search (xx, yy, zz, xy, xz, yz), then the vector of the iteration. */
  private readonly search: Float64Array = new Float64Array(9);

  constructor(method: NormalMethod) {
    this.method = method;
  }

  /**
   * Fills `normal` and `guess` from a column of an overlap with V > 0 (kernel.ts).
   * @param previous - the normal of the step before, or zeros at first touch
   * @param toI - a direction from cell j to cell i, any length, for an overlap whose vector area vanishes at first touch
   * @alloc none
   */
  find(column: Float64Array, previous: Float64Array, toI: Float64Array): void {
    this.findGuess(column, previous, toI);
    const n = this.normal;
    for (let a = 0; a < 3; a++) n[a] = this.guess[a];
    if (this.method === 'principal-axis') this.filter(column);
    else if (this.method === 'inverse-iteration') this.iterate(column, previous);
  }

  /** False where the vector area is surely large enough to be the guess alone: `find` then reads no `toI`. @alloc none */
  fades(column: Float64Array): boolean {
    const o = COLUMN.vectorArea;
    const x = column[o];
    const y = column[o + 1];
    const z = column[o + 2];
    const area2 = x * x + y * y + z * z;
    const volume2 = column[COLUMN.volume] * column[COLUMN.volume];
    return !(area2 * area2 * area2 > CLEAR_NORMAL * volume2 * volume2);
  }

  /** guess := direction of the vector area, blended with the fallback where it vanishes. */
  private findGuess(column: Float64Array, previous: Float64Array, toI: Float64Array): void {
    const g = this.guess;
    const o = COLUMN.vectorArea;
    for (let a = 0; a < 3; a++) g[a] = column[o + a];
    const area2 = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    const edge = this.fades(column) ? cbrt(column[COLUMN.volume]) : 0;
    const least = VANISHING * edge * edge;
    if (area2 < least * least) {
      const known = previous[0] !== 0 || previous[1] !== 0 || previous[2] !== 0;
      const f = known ? previous : toI;
      const length = Math.sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
      const fade = 1 - Math.sqrt(area2) / least;
      const k = length > 0 ? (least * fade * fade) / length : 0;
      for (let a = 0; a < 3; a++) g[a] += k * f[a];
    }
    const length = Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (length > 0) {
      for (let a = 0; a < 3; a++) g[a] /= length;
      return;
    }
    g[0] = 0;
    g[1] = 0;
    g[2] = 1;
  }

  /** normal := the principal axis next to the guess, blended where axes are not distinct. */
  private filter(column: Float64Array): void {
    const s = COLUMN.second;
    const trace = column[s] + column[s + 1] + column[s + 2];
    if (!(trace > 0)) return;
    const e = this.eigen;
    const x = this.axes;
    const g = this.guess;
    const n = this.normal;
    const v = e.vectors;
    this.scale[0] = 1 / trace;
    e.decompose(column, s, this.scale);
    for (let k = 0; k < 3; k++) {
      const share = e.values[k];
      x[k] = log((share > 0 ? share : 0) + FLOOR);
      x[3 + k] = v[3 * k] * g[0] + v[3 * k + 1] * g[1] + v[3 * k + 2] * g[2];
    }
    for (let a = 0; a < 3; a++) n[a] = 0;
    for (let k = 0; k < 3; k++) {
      let part = 0;
      for (let j = 0; j < 3; j++) {
        const apart = (x[k] - x[j]) / WIDTH;
        const near = 1 - apart * apart;
        if (near > 0) part += near * near * x[3 + j] * x[3 + j];
      }
      const weight = part > THRESHOLD ? (part - THRESHOLD) * (part - THRESHOLD) * x[3 + k] : 0;
      for (let a = 0; a < 3; a++) n[a] += weight * v[3 * k + a];
    }
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (let a = 0; a < 3; a++) n[a] = length > 0 ? n[a] / length : g[a];
  }

  /** normal := Rayleigh-shifted inverse iteration with the adjugate, from the blend of guess and previous normal. (A.28)–(A.31) */
  private iterate(column: Float64Array, previous: Float64Array): void {
    const n = this.normal;
    const g = this.guess;
    const b = this.search;
    const s = COLUMN.second;
    const trace = column[s] + column[s + 1] + column[s + 2];
    if (!(trace > 0)) return;
    const known = previous[0] !== 0 || previous[1] !== 0 || previous[2] !== 0;
    if (known) {
      for (let a = 0; a < 3; a++) n[a] = (1 - BLEND) * g[a] + BLEND * previous[a];
      const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
      for (let a = 0; a < 3; a++) n[a] = length > 0 ? n[a] / length : g[a];
    }
    const k = 1 / trace;
    for (let round = 0; round < ITERATIONS; round++) {
      // second moments in place of J_v = tr S − S: the shift removes the trace, and the adjugate of
      // −B is that of B
      const xy = k * column[s + 3];
      const xz = k * column[s + 4];
      const yz = k * column[s + 5];
      const px = k * column[s] * n[0] + xy * n[1] + xz * n[2];
      const py = xy * n[0] + k * column[s + 1] * n[1] + yz * n[2];
      const pz = xz * n[0] + yz * n[1] + k * column[s + 2] * n[2];
      const shift = px * n[0] + py * n[1] + pz * n[2];
      const xx = k * column[s] - shift;
      const yy = k * column[s + 1] - shift;
      const zz = k * column[s + 2] - shift;
      b[3] = xz * yz - xy * zz;
      b[4] = xy * yz - xz * yy;
      b[5] = xy * xz - xx * yz;
      b[6] = (yy * zz - yz * yz) * n[0] + b[3] * n[1] + b[4] * n[2];
      b[7] = b[3] * n[0] + (xx * zz - xz * xz) * n[1] + b[5] * n[2];
      b[8] = b[4] * n[0] + b[5] * n[1] + (xx * yy - xy * xy) * n[2];
      const length = Math.sqrt(b[6] * b[6] + b[7] * b[7] + b[8] * b[8]);
      if (!(length > 1e-14)) return; // a degenerate eigenspace already contains the vector
      const along = b[6] * n[0] + b[7] * n[1] + b[8] * n[2];
      const scale = (along < 0 ? -1 : 1) / length;
      for (let a = 0; a < 3; a++) n[a] = b[6 + a] * scale;
      if (along * scale > STOP) break;
    }
    if (n[0] * g[0] + n[1] * g[1] + n[2] * g[2] >= 0) return;
    for (let a = 0; a < 3; a++) n[a] = -n[a];
  }
}
