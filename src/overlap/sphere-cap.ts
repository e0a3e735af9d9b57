/**
 * Ball on a plane (cap) and ball on a ball (lens): closed forms.
 *
 * Cap of depth h of a ball of radius R. At the height u over the deepest point the section is a disc of radius² ρ² = u (2 R − u):
 *
 *   A_c  = π h (2 R − h)                                                                                              (1)
 *   V    = ∫ π ρ² du = π h² (3 R − h)/3,  dV/dh = A_c                                                                 (2)
 *   S_xx = S_yy = ∫ π ρ⁴/4 du = π h³ (20 R² − 15 R h + 3 h²)/60                                                       (3)
 *   ū    = ∫ u π ρ² du / V = h (8 R − 3 h)/(4 (3 R − h)), so h − ū = h (4 R − h)/(4 (3 R − h)) from the plane         (4)
 *   S_zz = ∫ u² π ρ² du − V ū² = π h⁴ (40 R² − 24 R h + 3 h²)/(240 (3 R − h))                                         (5)
 *
 * (5) is the difference worked out: π h⁴ [24 (5 R − 2 h)(3 R − h) − 5 (8 R − 3 h)²]/(240 (3 R − h)), so nothing cancels when the cap is
 * thin. J_nn = 2 S_xx. Units: h³ R² and h⁴ R²/R are m⁵.
 *
 * Lens of two balls at the distance d = R_1 + R_2 − δ: the plane through the circle where the surfaces meet cuts it into two caps,
 *
 *   h_1 = R_1 − (d² + R_1² − R_2²)/(2 d) = δ (2 R_2 − δ)/(2 d),   h_2 = δ (2 R_1 − δ)/(2 d),   h_1 + h_2 = δ          (6)
 *
 * with volumes added, and the second moment along n by parallel axes: I_1 + I_2 + V_1 V_2/V (c_1 + c_2)², c_k by (4). (7)
 */
import { positive } from '../base/parameter-checks.ts';
import { clearOverlap, OVERLAP } from './metrics.ts';

/** Cells of one cap: in R and h; out V, h − ū (from plane to centroid), S_xx, S_zz. */
const RADIUS = 0;
const DEPTH = 1;
const VOLUME = 2;
const BEYOND = 3;
const ACROSS = 4;
const ALONG = 5;
const CAP = 6;

function fillCap(c: Float64Array, k: number): void {
  const r = c[k + RADIUS];
  const h = c[k + DEPTH];
  const square = h * h;
  const rest = 3 * r - h;
  c[k + VOLUME] = (Math.PI * square * rest) / 3;
  c[k + BEYOND] = (h * (4 * r - h)) / (4 * rest);
  c[k + ACROSS] = (Math.PI * square * h * (20 * r * r - 15 * r * h + 3 * square)) / 60;
  c[k + ALONG] =
    (Math.PI * square * square * (40 * r * r - 24 * r * h + 3 * square)) / (240 * rest);
}

function writeRound(
  out: Float64Array,
  o: number,
  c: Float64Array,
  /** Index of volume, area, centroid z, S_xx, S_zz. */
  k: number,
): void {
  clearOverlap(out, o);
  out[o + OVERLAP.volume] = c[k];
  out[o + OVERLAP.area] = c[k + 1];
  out[o + OVERLAP.centroid + 2] = c[k + 2];
  out[o + OVERLAP.second] = c[k + 3];
  out[o + OVERLAP.second + 1] = c[k + 3];
  out[o + OVERLAP.second + 2] = c[k + 4];
}

/** Ball i and plane j. Origin: centre of the ball; z: normal of the plane. Whole body: depth 2 R. */
export class SphereCap {
  /** One cap, then volume, area, centroid, S_xx, S_zz. */
  readonly #cells = new Float64Array(CAP + 5);

  /** Radius, m. */
  constructor(radius: number) {
    positive('radius', radius);
    this.#cells[RADIUS] = radius;
  }

  /** Column at `out[o]` for the depth `pose[i]`, m. */
  write(out: Float64Array, o: number, pose: Float64Array, i: number): void {
    const c = this.#cells;
    if (pose[i] <= 0) {
      clearOverlap(out, o);
      return;
    }
    const r = c[RADIUS];
    const h = pose[i] > 2 * r ? 2 * r : pose[i];
    c[DEPTH] = h;
    fillCap(c, 0);
    c[CAP] = c[VOLUME];
    c[CAP + 1] = Math.PI * h * (2 * r - h);
    c[CAP + 2] = h - r - c[BEYOND];
    c[CAP + 3] = c[ACROSS];
    c[CAP + 4] = c[ALONG];
    writeRound(out, o, c, CAP);
  }
}

/**
 * Ball i (radius R_1) and ball j (R_2). Origin: centre of ball i; z: from the centre of ball j to that of ball i. Depth
 * δ = R_1 + R_2 − d. From δ = 2 min(R_1, R_2) on the smaller ball lies in the other, and the area is 0.
 */
export class SphereLens {
  /** Caps of ball i and of ball j, then volume, area, centroid, S_xx, S_zz. */
  readonly #cells = new Float64Array(2 * CAP + 5);

  /** Radii of ball i and of ball j, m. */
  constructor(radius: number, otherRadius: number) {
    positive('radius', radius);
    positive('otherRadius', otherRadius);
    this.#cells[RADIUS] = radius;
    this.#cells[CAP + RADIUS] = otherRadius;
  }

  /** Column at `out[o]` for the depth `pose[i]`, m. */
  write(out: Float64Array, o: number, pose: Float64Array, i: number): void {
    const c = this.#cells;
    const depth = pose[i];
    if (depth <= 0) {
      clearOverlap(out, o);
      return;
    }
    const r = c[RADIUS];
    const other = c[CAP + RADIUS];
    const distance = r + other - depth;
    const sum = 2 * CAP;
    if (depth >= 2 * r || depth >= 2 * other) {
      const small = r <= other ? 0 : CAP;
      c[small + DEPTH] = 2 * c[small + RADIUS];
      fillCap(c, small);
      c[sum] = c[small + VOLUME];
      c[sum + 1] = 0;
      c[sum + 2] = small === 0 ? 0 : -distance;
      c[sum + 3] = c[small + ACROSS];
      c[sum + 4] = c[small + ALONG];
    } else {
      const h = (depth * (2 * other - depth)) / (2 * distance);
      c[DEPTH] = h;
      c[CAP + DEPTH] = (depth * (2 * r - depth)) / (2 * distance);
      fillCap(c, 0);
      fillCap(c, CAP);
      const volume = c[VOLUME] + c[CAP + VOLUME];
      const apart = c[BEYOND] + c[CAP + BEYOND];
      c[sum] = volume;
      c[sum + 1] = Math.PI * h * (2 * r - h);
      c[sum + 2] = h - r + (c[CAP + VOLUME] * c[CAP + BEYOND] - c[VOLUME] * c[BEYOND]) / volume;
      c[sum + 3] = c[ACROSS] + c[CAP + ACROSS];
      c[sum + 4] =
        c[ALONG] + c[CAP + ALONG] + ((c[VOLUME] * c[CAP + VOLUME]) / volume) * apart * apart;
    }
    writeRound(out, o, c, sum);
  }
}
