/** How far a series of wrenches is from another one: ticks that are not equal bit for bit, largest and rms difference, peaks. */

/** A difference of force and of moment. */
export interface WrenchAmounts {
  readonly force_N: number;
  readonly moment_Nm: number;
}

/** Sums up pairs of wrenches. Numbers of a wrench: force(3), N, and moment(3), N m. */
export class WrenchDifference {
  /** Pairs taken, those that are not equal bit for bit, and those in which one of the two is not zero. */
  pairs = 0;
  differing = 0;
  touching = 0;
  /** Number of the tick of the first pair that is not equal, and of the largest difference of force; −1 for none. */
  first = -1;
  largestAt = -1;
  readonly #largest = { force_N: 0, moment_Nm: 0 };
  readonly #squares = { force_N: 0, moment_Nm: 0 };
  readonly #peaks = [0, 0];

  /** @param other the wrench that `own` is held against */
  take(tick: number, own: ArrayLike<number>, other: ArrayLike<number>): void {
    this.pairs++;
    let equal = true;
    let touches = false;
    for (let a = 0; a < 6; a++) {
      if (!Object.is(own[a], other[a])) equal = false;
      if (own[a] !== 0 || other[a] !== 0) touches = true;
    }
    if (touches) this.touching++;
    if (!equal) {
      this.differing++;
      if (this.first < 0) this.first = tick;
    }
    const force = amount(own, other, 0);
    const moment = amount(own, other, 3);
    if (force > this.#largest.force_N) {
      this.#largest.force_N = force;
      this.largestAt = tick;
    }
    if (moment > this.#largest.moment_Nm) this.#largest.moment_Nm = moment;
    this.#squares.force_N += force * force;
    this.#squares.moment_Nm += moment * moment;
    const peaks = this.#peaks;
    peaks[0] = Math.max(peaks[0], amount(own, ZERO, 0));
    peaks[1] = Math.max(peaks[1], amount(other, ZERO, 0));
  }

  /** Largest difference. */
  get largest(): WrenchAmounts {
    return this.#largest;
  }

  /** Root of the mean square over the pairs that touch; 0 where none does. */
  get rms(): WrenchAmounts {
    const n = Math.max(1, this.touching);
    return {
      force_N: Math.sqrt(this.#squares.force_N / n),
      moment_Nm: Math.sqrt(this.#squares.moment_Nm / n),
    };
  }

  /** Largest force of the own series and of the other one, N. */
  get peaks(): readonly number[] {
    return this.#peaks;
  }
}

const ZERO = new Float64Array(6);

function amount(a: ArrayLike<number>, b: ArrayLike<number>, at: number): number {
  const [x, y, z] = [a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2]];
  return Math.sqrt(x * x + y * y + z * z);
}
