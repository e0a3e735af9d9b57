/**
 * Cylinder on a plane, lying or standing: closed forms.
 *
 * Lying, radius R, length L, depth h: a prism of the length L over the segment beyond the chord at b = R − h, half chord
 * q = √(h (2 R − h)). With the moments of segment.ts about the chord:
 *
 *   V = A L,  A_c = 2 q L = dV/dh,  centroid (b + M_1/A) below the axis                                               (1)
 *   S = L diag(A L²/12, X, M_2 − M_1²/A)                                                                              (2)
 *
 * Standing: V = π R² h, A_c = π R², S = V diag(R²/4, R²/4, h²/12), J_nn = V R²/2.                                     (3)
 */
import { positive } from '../base/parameter-checks.ts';
import { clearOverlap, OVERLAP } from './metrics.ts';
import {
  ACROSS,
  AREA,
  DISTANCE,
  fillSegment,
  FIRST,
  HALF_CHORD,
  RADIUS,
  SECOND,
  SEGMENT_SIZE,
} from './segment.ts';

/** Cylinder i lying on plane j. Origin: middle of the axis; x along the axis; z: normal of the plane. Whole body: depth 2 R. */
export class CylinderLying {
  readonly #segment = new Float64Array(SEGMENT_SIZE);
  readonly #length: Float64Array;

  /** Radius and length, m. */
  constructor(radius: number, length: number) {
    positive('radius', radius);
    positive('length', length);
    this.#segment[RADIUS] = radius;
    this.#length = Float64Array.of(length);
  }

  /** Column at `out[o]` for the depth `pose[i]`, m. */
  write(out: Float64Array, o: number, pose: Float64Array, i: number): void {
    clearOverlap(out, o);
    if (pose[i] <= 0) return;
    const c = this.#segment;
    const length = this.#length[0];
    const r = c[RADIUS];
    const h = pose[i] > 2 * r ? 2 * r : pose[i];
    const q = Math.sqrt(h * (2 * r - h));
    c[HALF_CHORD] = q;
    c[DISTANCE] = r - h;
    fillSegment(c);
    const volume = c[AREA] * length;
    const below = c[FIRST] / c[AREA];
    out[o + OVERLAP.volume] = volume;
    out[o + OVERLAP.area] = 2 * q * length;
    out[o + OVERLAP.centroid + 2] = h - r - below;
    out[o + OVERLAP.second] = (volume * length * length) / 12;
    out[o + OVERLAP.second + 1] = c[ACROSS] * length;
    out[o + OVERLAP.second + 2] = (c[SECOND] - c[FIRST] * below) * length;
  }
}

/** Cylinder i standing on plane j. Origin: middle of the footprint, in the plane; z: normal of the plane. */
export class CylinderStanding {
  /** Radius, length. */
  readonly #size: Float64Array;

  /** Radius and length, m. */
  constructor(radius: number, length: number) {
    positive('radius', radius);
    positive('length', length);
    this.#size = Float64Array.of(radius, length);
  }

  /** Column at `out[o]` for the depth `pose[i]`, m. A cylinder below the plane stays whole, from its lower face up. */
  write(out: Float64Array, o: number, pose: Float64Array, i: number): void {
    clearOverlap(out, o);
    if (pose[i] <= 0) return;
    const square = this.#size[0] * this.#size[0];
    const h = pose[i] > this.#size[1] ? this.#size[1] : pose[i];
    const volume = Math.PI * square * h;
    out[o + OVERLAP.volume] = volume;
    out[o + OVERLAP.area] = Math.PI * square;
    out[o + OVERLAP.centroid + 2] = 0.5 * h - pose[i];
    out[o + OVERLAP.second] = 0.25 * volume * square;
    out[o + OVERLAP.second + 1] = 0.25 * volume * square;
    out[o + OVERLAP.second + 2] = (volume * h * h) / 12;
  }
}
