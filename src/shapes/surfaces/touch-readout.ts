/**
 * What is read of the place where two surfaces touch: relative curvature K = B_1 + B_2 with its eigenvalues and the axis of the least, along which the
 * place runs fastest, and the condition of the four equations of the place, with tangents of unit length and rows of normals times L. `Tasora, 10`
 *
 *   M = (1, −1; L B_1, L B_2),   det M = L² det K,   reciprocal condition = least over largest singular value, 0 where M is singular
 */
import { indicesOf, type NameIndices } from '../../base/name-indices.ts';
import { CURVATURE_LENGTH } from './surface-curvature.ts';

/**
 * Columns of `System.readTouch`: places that are held or that the last search found, 0 while nothing touches; eigenvalues of K, 1/m; unit tangent of the
 * least, world; reciprocal condition. All but the first are 0 where a side has no curvature, as on a border.
 */
export const TOUCH_READOUT = [
  'places',
  'least',
  'most',
  'axisX',
  'axisY',
  'axisZ',
  'reciprocalCondition',
] as const;
/** Index of each of them. */
export const TouchReadout: NameIndices<typeof TOUCH_READOUT> = indicesOf(TOUCH_READOUT);

/** Turns of a pair of columns are left out below this cosine, and sweeps over all pairs, each of which squares the largest. */
const SQUARE = 1e-15;
const SWEEPS = 30;

/** One reader; it has room to compute in. */
export class TouchCurvature {
  /** M by columns. */
  private readonly m: Float64Array = new Float64Array(16);

  /** Columns from `least` on, of two curvatures (11, 12, 22) in two unit tangents; the axis is in those of the tangents. @alloc none */
  write(
    out: Float64Array,
    at: number,
    b1: Float64Array,
    b2: Float64Array,
    tangents: Float64Array,
  ): void {
    const xx = b1[0] + b2[0];
    const xy = b1[1] + b2[1];
    const yy = b1[2] + b2[2];
    const mean = 0.5 * (xx + yy);
    const half = 0.5 * (xx - yy);
    const root = Math.sqrt(half * half + xy * xy);
    const most = mean + root;
    const least = mean > 0 ? (xx * yy - xy * xy) / most : mean - root;
    // the longer row of K − k_1 is the axis of k_2; any direction where both are the same
    let x = half - root;
    let y = xy;
    if (half > 0) {
      x = xy;
      y = -half - root;
    }
    const size = Math.sqrt(x * x + y * y);
    x = size > 0 ? x / size : 1;
    y = size > 0 ? y / size : 0;
    out[at + TouchReadout.least] = least;
    out[at + TouchReadout.most] = most;
    for (let a = 0; a < 3; a++)
      out[at + TouchReadout.axisX + a] = x * tangents[a] + y * tangents[3 + a];
    out[at + TouchReadout.reciprocalCondition] = this.reciprocalCondition(b1, b2);
  }

  /** By turns that make the columns of M square to each other, which keeps the digits of the least. */
  private reciprocalCondition(b1: Float64Array, b2: Float64Array): number {
    const { m } = this;
    const l = CURVATURE_LENGTH;
    m.fill(0);
    m[0] = m[5] = 1;
    m[8] = m[13] = -1;
    m[2] = l * b1[0];
    m[3] = m[6] = l * b1[1];
    m[7] = l * b1[2];
    m[10] = l * b2[0];
    m[11] = m[14] = l * b2[1];
    m[15] = l * b2[2];
    for (let sweep = 0; sweep < SWEEPS; sweep++) if (!this.turnAll()) break;
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (let p = 0; p < 4; p++) {
      const size = Math.sqrt(this.product(p, p));
      if (size < least) least = size;
      if (size > most) most = size;
    }
    return least / most;
  }

  /** One sweep. @returns whether a pair was turned */
  private turnAll(): boolean {
    const { m } = this;
    let turned = false;
    for (let p = 0; p < 3; p++) {
      for (let q = p + 1; q < 4; q++) {
        const pp = this.product(p, p);
        const qq = this.product(q, q);
        const pq = this.product(p, q);
        if (!(Math.abs(pq) > SQUARE * Math.sqrt(pp * qq))) continue;
        turned = true;
        const zeta = (qq - pp) / (2 * pq);
        const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
        const c = 1 / Math.sqrt(1 + t * t);
        const s = c * t;
        for (let a = 0; a < 4; a++) {
          const left = m[4 * p + a];
          const right = m[4 * q + a];
          m[4 * p + a] = c * left - s * right;
          m[4 * q + a] = s * left + c * right;
        }
      }
    }
    return turned;
  }

  private product(p: number, q: number): number {
    const { m } = this;
    let sum = 0;
    for (let a = 0; a < 4; a++) sum += m[4 * p + a] * m[4 * q + a];
    return sum;
  }
}
