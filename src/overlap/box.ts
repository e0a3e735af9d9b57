/**
 * Box on a plane: flat on a face, or tilted about an edge. Closed forms.
 *
 * Flat, footprint a × b, depth h: V = a b h, A_c = a b, S = V/12 diag(a², b², h²). (1)
 *
 * Tilted by φ, an edge of length b at the depth h: the part below the plane is a prism over a
 * triangle, right-angled at the edge (0, −h). Its other corners are where the two faces meet the
 * plane, y_1 = h cot φ = k_1 and y_2 = −h tan φ = −k_2:
 *
 *   V = b h (k_1 + k_2)/2 = b h²/sin 2φ,   A_c = b (k_1 + k_2) = 2 b h/sin 2φ = dV/dh                                  (2)
 *   centroid = mean of the corners = ((k_1 − k_2)/3, −h/3)                                                            (3)
 *
 * A triangle has the second moments area/12 Σ (p − c)(p − c)ᵀ over its corners; with k_1 k_2 = h²
 *
 *   S_yy = V (k_1² + k_2² + h²)/18,   S_zz = V h²/18,   S_yz = V (k_1 − k_2) h/36,   S_xx = V b²/12                   (4)
 */
import { positive } from '../base/parameter-checks.ts';
import { clearOverlap, OVERLAP } from './metrics.ts';
import { ANGLE, sinCos } from '../math/elementary/circular.ts';

/** Box i flat on plane j. Origin: middle of the footprint, in the plane; x, y along the sides; z: normal of the plane. */
export class BoxFlat {
  /** a, b, height. */
  readonly #size: Float64Array;

  /** Sides of the footprint a along x and b along y and the height, m. */
  constructor(a: number, b: number, height: number) {
    positive('a', a);
    positive('b', b);
    positive('height', height);
    this.#size = Float64Array.of(a, b, height);
  }

  /**
   * Writes the column at `out[o]` for the depth `pose[i]`, m. A box below the plane counts whole,
   * from its lower face up.
   */
  write(out: Float64Array, o: number, pose: Float64Array, i: number): void {
    clearOverlap(out, o);
    if (pose[i] <= 0) return;
    const a = this.#size[0];
    const b = this.#size[1];
    const h = pose[i] > this.#size[2] ? this.#size[2] : pose[i];
    const volume = a * b * h;
    out[o + OVERLAP.volume] = volume;
    out[o + OVERLAP.area] = a * b;
    out[o + OVERLAP.centroid + 2] = 0.5 * h - pose[i];
    out[o + OVERLAP.second] = (volume * a * a) / 12;
    out[o + OVERLAP.second + 1] = (volume * b * b) / 12;
    out[o + OVERLAP.second + 2] = (volume * h * h) / 12;
  }
}

/**
 * Box i with one edge in plane j. Origin: in the plane, over the middle of the edge; x along the edge, y towards the face that makes
 * the angle φ with the plane; z: normal of the plane.
 */
export class BoxEdge {
  /** Length of the edge, breadth of the face at φ, breadth of the other. */
  readonly #size: Float64Array;

  /** Length of the edge, breadth of the face that makes the angle φ with the plane, breadth of the other face, m. */
  constructor(length: number, breadth: number, otherBreadth: number) {
    positive('length', length);
    positive('breadth', breadth);
    positive('otherBreadth', otherBreadth);
    this.#size = Float64Array.of(length, breadth, otherBreadth);
  }

  /**
   * Writes the column at `out[o]` for the depth `pose[i]` of the edge, m, and the tilt φ = `pose[i
   * + 1]`, rad, in (0, π/2).
   * @returns false, with nothing written, when the wedge is not the whole overlap: another edge is
   *   below the plane, or the tilt out of range
   */
  write(out: Float64Array, o: number, pose: Float64Array, i: number): boolean {
    const h = pose[i];
    if (h <= 0) {
      clearOverlap(out, o);
      return true;
    }
    ANGLE[0] = pose[i + 1];
    const tilt = sinCos();
    const sine = tilt[0];
    const cosine = tilt[1];
    if (!(h <= this.#size[1] * sine && h <= this.#size[2] * cosine)) return false;
    const b = this.#size[0];
    const k1 = (h * cosine) / sine;
    const k2 = (h * sine) / cosine;
    const area = b * (k1 + k2);
    const volume = 0.5 * h * area;
    clearOverlap(out, o);
    out[o + OVERLAP.volume] = volume;
    out[o + OVERLAP.area] = area;
    out[o + OVERLAP.centroid + 1] = (k1 - k2) / 3;
    out[o + OVERLAP.centroid + 2] = -h / 3;
    out[o + OVERLAP.second] = (volume * b * b) / 12;
    out[o + OVERLAP.second + 1] = (volume * (k1 * k1 + k2 * k2 + h * h)) / 18;
    out[o + OVERLAP.second + 2] = (volume * h * h) / 18;
    out[o + OVERLAP.second + 5] = (volume * (k1 - k2) * h) / 36;
    return true;
  }
}
