/**
 * A motion from samples of its place and its speed: a spline of degree 4 in time over even knots, by least squares, in which each column counts by its noise.
 * A precise speed gives the shape of the whole part, and the places all say together where it lies: 170 samples of 2 µm beside 20 µm/s at 1 kHz leave 0.2 µm, which
 * is the same all over a contact. Without a speed worth the name the places of each knot say it alone.
 *
 * Errors: the coefficients have the covariance P = (Bᵀ W B)⁻¹, and whatever is linear in place and speed follows from it.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';

const DEGREE = 4;
/** Coefficients that have a part in one instant. */
export const TERMS = DEGREE + 1;
const NO_TOLERANCE = new Float64Array(1);

/** Standard deviations of a sample: place, m, and speed, m/s; both above 0. */
export interface MotionNoise {
  readonly place: number;
  readonly rate: number;
}

/** Even samples. */
export interface MotionSamples {
  readonly place: Float64Array;
  readonly rate: Float64Array;
}

/** The spline of samples from ≤ i < to. */
export class MotionSpline {
  /** Place, m, and speed, m/s, of the last `at`; the first coefficient that has a part in it, and what one of each gives. */
  place = 0;
  rate = 0;
  first = 0;
  readonly ofPlace = new Float64Array(TERMS);
  readonly ofRate = new Float64Array(TERMS);
  /** Σ of squares that are left, each over its noise, and residuals less coefficients. */
  readonly left: number;
  readonly freedoms: number;
  readonly #spacing: number;
  readonly #knot: number;
  readonly #spans: number;
  readonly #size: number;
  readonly #origin: number;
  readonly #coefficients: Float64Array;
  readonly #factor: Float64Array;
  readonly #lower = new Float64Array(TERMS);

  /** @param spacing - of knots, in samples */
  constructor(
    samples: MotionSamples,
    from: number,
    to: number,
    period: number,
    spacing: number,
    noise: MotionNoise,
  ) {
    const rows = to - from;
    this.#spacing = spacing;
    this.#knot = spacing * period;
    this.#spans = Math.ceil((rows - 1) / spacing);
    const n = this.#spans + DEGREE;
    this.#size = n;
    this.#origin = samples.place[from]; // differences keep their digits
    const a = new Float64Array(n * n);
    const x = new Float64Array(n);
    const { ofPlace, ofRate } = this;
    const [wp, wr] = [1 / (noise.place * noise.place), 1 / (noise.rate * noise.rate)];
    for (let i = 0; i < rows; i++) {
      this.#basis(i);
      const [z, v] = [wp * (samples.place[from + i] - this.#origin), wr * samples.rate[from + i]];
      for (let r = 0; r < TERMS; r++) {
        x[this.first + r] += z * ofPlace[r] + v * ofRate[r];
        for (let c = 0; c <= r; c++)
          a[n * (this.first + r) + this.first + c] +=
            wp * ofPlace[r] * ofPlace[c] + wr * ofRate[r] * ofRate[c];
      }
    }
    factorCholesky(a, a, n, NO_TOLERANCE);
    solveLower(a, n, x, 0);
    solveLowerTransposed(a, n, x, 0);
    this.#factor = a;
    this.#coefficients = x;
    let left = 0;
    for (let i = 0; i < rows; i++) {
      this.at(i);
      const [z, v] = [samples.place[from + i] - this.place, samples.rate[from + i] - this.rate];
      left += wp * z * z + wr * v * v;
    }
    this.left = left;
    this.freedoms = 2 * rows - n;
  }

  /** Sets the motion at sample `x` of the part, which need not be a whole number. */
  at(x: number): void {
    this.#basis(x);
    const { ofPlace, ofRate, first } = this;
    const c = this.#coefficients;
    let [place, rate] = [0, 0];
    for (let r = 0; r < TERMS; r++) {
      place += ofPlace[r] * c[first + r];
      rate += ofRate[r] * c[first + r];
    }
    this.place = this.#origin + place;
    this.rate = rate;
  }

  /** P, row by row, and the number of coefficients. */
  covariance(): { readonly size: number; readonly matrix: Float64Array } {
    const size = this.#size;
    const matrix = new Float64Array(size * size);
    for (let i = 0; i < size; i++) {
      matrix[i * size + i] = 1; // P is symmetric: its columns are its rows
      solveLower(this.#factor, size, matrix.subarray(i * size, (i + 1) * size), 0);
      solveLowerTransposed(this.#factor, size, matrix.subarray(i * size, (i + 1) * size), 0);
    }
    return { size, matrix };
  }

  /** Even B-splines by de Boor's recursion, b_d[r] = ((u + d − r) b_(d−1)[r−1] + (1 − u + r) b_(d−1)[r])/d. */
  #basis(x: number): void {
    const at = x / this.#spacing;
    const span = Math.min(this.#spans - 1, Math.max(0, Math.floor(at)));
    const u = at - span;
    const { ofPlace: b, ofRate } = this;
    const lower = this.#lower;
    this.first = span;
    b.fill(0);
    b[0] = 1;
    for (let d = 1; d <= DEGREE; d++) {
      lower.set(b);
      for (let r = d; r >= 0; r--) {
        const before = r > 0 ? (u + d - r) * lower[r - 1] : 0;
        b[r] = (before + (1 - u + r) * lower[r]) / d;
      }
    }
    for (let r = 0; r < TERMS; r++)
      ofRate[r] = ((r > 0 ? lower[r - 1] : 0) - lower[r]) / this.#knot;
  }
}
