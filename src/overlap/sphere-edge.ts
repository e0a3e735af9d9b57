/**
 * Ball and square edge: the part of a ball of radius R in the quarter space y < 0, z < 0 of the edge, by one Gauss quadrature over
 * the depth.
 *
 * With the centre at (y, z) from the edge, b = −y is the distance of the side face from the centre. The section at v below
 * the centre, z ≤ v ≤ R, is the disc of radius² R² − v² cut at b; the cut meets it where |v| < v_b = √(R² − b²). There
 *
 *   v = v_b cos χ,   half chord q = v_b sin χ,   dv = −v_b sin χ dχ,   0 ≤ χ ≤ χ_0                                     (1)
 *
 * makes the integrand analytic (the area of a segment ends like the power 3/2 of v_b − v). What is kept of the disc is
 *
 *   b < 0: the segment beyond |b|, with moments about the chord, so nothing cancels when only the corner is in            (2)
 *   b ≥ 0: the disc less the segment, with moments about the centre                                                   (3)
 *
 * and for b ≥ 0 whole discs above and below |v| = v_b (polynomials of degree 4: three nodes are exact). Depths under the first section are
 * differences of cosines, 2 v_b sin((χ_0 + χ)/2) sin((χ_0 − χ)/2). With 24 nodes no metric is off by more than 3e-9 in any pose (the
 * worst have the edge near the middle of the ball); at the depths of a contact, up to 0.03 R, by 3e-10.
 *
 * A_c is the length of the vector area of the two faces inside the ball: the segment of the top face A_z and that of the side face
 * A_y. For a moving centre A_z = −∂V/∂z and A_y = −∂V/∂y.                                                        (4)
 */
import { gaussLegendre } from '../math/quadrature.ts';
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
import { sin } from '../math/elementary/circular.ts';
import { atan2 } from '../math/elementary/inverse-circular.ts';

/** For whole discs. */
const EXACT = gaussLegendre(3);

/** Sums over the sections: y from the chord (2) or the centre (3), w under the first section. */
const VOLUME = 0;
const Y = 1;
const W = 2;
const XX = 3;
const YY = 4;
const WW = 5;
const YW = 6;
const SUMS = 7;

/** Cells of a pose: b, v_b, v of the first section, and a range of whole discs. */
const B = 0;
const CUT = 1;
const LOW = 2;
const FROM = 3;
const TO = 4;

/**
 * Ball i and square edge j. Origin: centre of the ball; x along the edge, y out of the side face, z out of the top face. The
 * frame does not turn with the overlap: the contact normal is a principal axis of J_v.
 */
export class SphereSquareEdge {
  readonly #segment = new Float64Array(SEGMENT_SIZE);
  readonly #sums = new Float64Array(SUMS);
  readonly #pose = new Float64Array(5);
  readonly #radius: Float64Array;
  readonly #nodes: Float64Array;
  readonly #weights: Float64Array;

  /** Radius, m; number of nodes. */
  constructor(radius: number, count = 24) {
    positive('radius', radius);
    this.#radius = Float64Array.of(radius);
    const { nodes, weights } = gaussLegendre(count);
    this.#nodes = nodes.map((node) => 0.5 * (1 + node));
    this.#weights = weights.map((weight) => 0.5 * weight);
  }

  /** Column at `out[o]` for the centre at y = `pose[i]`, z = `pose[i + 1]` from the edge, m. */
  write(out: Float64Array, o: number, pose: Float64Array, i: number): void {
    clearOverlap(out, o);
    const r = this.#radius[0];
    const b = -pose[i];
    const z = pose[i + 1];
    if (z >= r || b <= -r || (b < 0 && z > 0 && b * b + z * z >= r * r)) return;
    const p = this.#pose;
    // written so that a pose that is not a number goes on to the sums
    const cut = Math.abs(b) >= r ? 0 : Math.sqrt((r - b) * (r + b));
    const low = z < -r ? -r : z;
    const sums = this.#sums;
    for (let k = 0; k < SUMS; k++) sums[k] = 0;
    p[B] = b;
    p[CUT] = cut;
    p[LOW] = low;
    if (!(low >= cut)) this.#addCut();
    if (b >= 0) {
      if (low < -cut) {
        p[FROM] = low;
        p[TO] = -cut;
        this.#addDiscs();
      }
      p[FROM] = low > cut ? low : cut;
      p[TO] = r;
      this.#addDiscs();
    }
    const volume = sums[VOLUME];
    const y = sums[Y] / volume;
    const w = sums[W] / volume;
    const c = this.#segment;
    c[AREA] = (r - z) * (r + z);
    c[DISTANCE] = -b;
    fillFace(c);
    const top = c[AREA];
    c[AREA] = (r - b) * (r + b);
    c[DISTANCE] = z;
    fillFace(c);
    const side = c[AREA];
    out[o + OVERLAP.volume] = volume;
    out[o + OVERLAP.area] = Math.sqrt(top * top + side * side);
    out[o + OVERLAP.centroid + 1] = b < 0 ? b + y : y;
    out[o + OVERLAP.centroid + 2] = -(low + w);
    out[o + OVERLAP.second] = sums[XX];
    out[o + OVERLAP.second + 1] = sums[YY] - sums[Y] * y;
    out[o + OVERLAP.second + 2] = sums[WW] - sums[W] * w;
    out[o + OVERLAP.second + 5] = sums[Y] * w - sums[YW];
  }

  #addCut(): void {
    const b = this.#pose[B];
    const cut = this.#pose[CUT];
    const low = this.#pose[LOW];
    const sums = this.#sums;
    const c = this.#segment;
    const start = low < -cut ? -cut : low;
    const last = atan2(Math.sqrt((cut - start) * (cut + start)), start);
    for (let k = 0; k < this.#nodes.length; k++) {
      const angle = last * this.#nodes[k];
      const q = cut * sin(angle);
      const w = start - low + 2 * cut * sin(0.5 * (last + angle)) * sin(0.5 * (last - angle));
      const square = q * q + b * b;
      c[RADIUS] = Math.sqrt(square);
      c[HALF_CHORD] = q;
      c[DISTANCE] = Math.abs(b);
      fillSegment(c);
      let area = c[AREA];
      let y = -c[FIRST];
      let yy = c[SECOND];
      let xx = c[ACROSS];
      if (b >= 0) {
        const disc = Math.PI * square;
        yy = 0.25 * disc * square - yy + 2 * b * y - b * b * area;
        xx = 0.25 * disc * square - xx;
        y -= b * area;
        area = disc - area;
      }
      const weight = this.#weights[k] * last * q;
      sums[VOLUME] += weight * area;
      sums[Y] += weight * y;
      sums[W] += weight * area * w;
      sums[XX] += weight * xx;
      sums[YY] += weight * yy;
      sums[WW] += weight * area * w * w;
      sums[YW] += weight * y * w;
    }
  }

  #addDiscs(): void {
    const low = this.#pose[LOW];
    const from = this.#pose[FROM];
    const sums = this.#sums;
    const r = this.#radius[0];
    const half = 0.5 * (this.#pose[TO] - from);
    for (let k = 0; k < 3; k++) {
      const v = from + half * (1 + EXACT.nodes[k]);
      const square = (r - v) * (r + v);
      const disc = half * EXACT.weights[k] * Math.PI * square;
      sums[VOLUME] += disc;
      sums[W] += disc * (v - low);
      sums[XX] += 0.25 * disc * square;
      sums[YY] += 0.25 * disc * square;
      sums[WW] += disc * (v - low) * (v - low);
    }
  }
}

/** Area of a disc of radius² `AREA` beyond the chord at `DISTANCE`, into `AREA`. */
function fillFace(c: Float64Array): void {
  const square = c[AREA];
  const b = c[DISTANCE];
  if (square <= 0 || b * b >= square) {
    c[AREA] = b < 0 && square > 0 ? Math.PI * square : 0;
    return;
  }
  c[RADIUS] = Math.sqrt(square);
  c[HALF_CHORD] = Math.sqrt(square - b * b);
  fillSegment(c);
}
