/**
 * Resolved-rate motion: joint rates of a serial arm for a commanded twist of its end. `Whitney
 * 1969`, IEEE Trans. Man-Machine Systems 10, 47–53. docs/theory/arm-control.md.
 *
 * - Near singularities the inverse of each small singular value σ is damped to σ/(σ² + λ²), λ² = ε²
 *   − σ² below σ = ε. Other directions stay exact: `Maciejewski & Klein 1988`, J. Robotic Systems
 *   5, 527–552. ε is σ_max over the condition number of the stop.
 * - The command slows with the condition number σ_max/σ_min, to a stop on the way in and to a crawl
 *   on the way out. The direction follows from the rate of the condition number along the motion,
 *   by the derivative of the Jacobian.
 * - A joint approaches its limit exponentially and never passes it. A redundant arm moves away from
 *   the limits by motion that leaves its end at rest (`Liégeois 1977`, IEEE Trans. SMC 7, 868–871).
 *   A joint that cannot follow is held at its bound while the others compensate (`Flacco et al.
 *   2012`, ICRA, 285–292). If that does not suffice, the whole twist is scaled, which keeps its
 *   direction.
 */
import { BerthError } from '../base/errors.ts';
import { SingularValues } from '../math/singular-values.ts';
import { ArmStatus } from '../model/arm-spec.ts';
import type { ResolvedRateModel } from '../model/control-spec.ts';

/** Condition numbers and times for arms of any size. */
export const DEFAULT_RESOLVED_RATE: Omit<
  ResolvedRateModel,
  'lower' | 'upper' | 'rateLimit' | 'length'
> = Object.freeze({
  limitMargin: 0.02,
  limitTime: 0.5,
  conditionSlow: 17,
  conditionStop: 30,
  limitAvoidance: 0.5,
});

const ALL_AXES: readonly number[] = [0, 1, 2, 3, 4, 5];
const MOST_JOINTS = 8;

/**
 * On the way out, the slowing starts at a condition number larger by this factor, and it never goes
 * below this part.
 */
const LEAVING_FACTOR = 2;
const LEAVING_LEAST = 0.1;

/**
 * Resolved rates of one arm of up to 8 joints, in order from the base, no fewer than task rows.
 * Fill the inputs, call `compute`, read the results.
 */
export class ResolvedRate {
  /** Joint positions. */
  readonly position: Float64Array;
  /** 6 × n, row by row: velocity of the end, then angular velocity, world. */
  readonly jacobian: Float64Array;
  /** Commanded twist, world: m/s, rad/s. */
  readonly twist: Float64Array = new Float64Array(6);
  /** Out: joint rates. */
  readonly rates: Float64Array;
  /** Out: code of `ArmStatus`. */
  status = 0;
  /** Out: executed part of the commanded twist; condition number; index of the limiting joint, −1 without one. */
  scale = 0.5;
  condition = 0.5;
  limitingJoint = -1;
  private readonly model: ResolvedRateModel;
  private readonly n: number;
  /** Rows of the task, and their number. */
  private readonly axes: Uint8Array;
  private readonly rows: number;
  private readonly lower: Float64Array;
  private readonly upper: Float64Array;
  private readonly rateLimit: Float64Array;
  private readonly svd: SingularValues;
  private readonly scaled: Float64Array;
  private readonly task: Float64Array;
  private readonly row: Float64Array;
  private readonly main: Float64Array;
  private readonly side: Float64Array;
  private readonly gradient: Float64Array;
  private readonly least: Float64Array;
  private readonly most: Float64Array;
  /** Joints held at a bound, and the bound. */
  private readonly held: Uint8Array;
  private readonly bound: Float64Array;
  private readonly otherMain: Float64Array;
  private readonly otherSide: Float64Array;
  /** Running sums for the derivative of the Jacobian. */
  private readonly turn = new Float64Array(3);
  private readonly rest = new Float64Array(3);
  private readonly change = new Float64Array(6);
  private readonly slopes = new Float64Array(2);
  private approaching = false;
  /**
   * Part of the command that the condition number allows, and the part of that within the bounds.
   * They are fields because returned doubles may allocate.
   */
  private slowed = 0.5;
  private fitting = 0.5;

  constructor(model: ResolvedRateModel) {
    const n = model.rateLimit.length;
    checkModel(model, n);
    this.model = model;
    this.n = n;
    this.axes = Uint8Array.from(model.axes ?? ALL_AXES);
    const m = this.axes.length;
    this.rows = m;
    this.lower = Float64Array.from(model.lower);
    this.upper = Float64Array.from(model.upper);
    this.rateLimit = Float64Array.from(model.rateLimit);
    this.position = new Float64Array(n);
    this.jacobian = new Float64Array(6 * n);
    this.rates = new Float64Array(n);
    this.svd = new SingularValues(n, m);
    this.scaled = new Float64Array(m * n);
    this.task = new Float64Array(m);
    this.row = new Float64Array(m);
    this.main = new Float64Array(n);
    this.side = new Float64Array(n);
    this.gradient = new Float64Array(n);
    this.least = new Float64Array(n);
    this.most = new Float64Array(n);
    this.held = new Uint8Array(n);
    this.bound = new Float64Array(n);
    this.otherMain = new Float64Array(n);
    this.otherSide = new Float64Array(n);
  }

  /** Computes the rates of this tick. @alloc none */
  compute(): void {
    const { model, n, axes, rows, task, main, side, svd } = this;
    for (let r = 0; r < rows; r++) {
      const i = axes[r];
      task[r] = this.twist[i] * (i < 3 ? 1 / model.length : 1);
    }
    this.held.fill(0);
    this.decompose();
    this.solve(task, main);
    // two stores: a conditional of a quotient and Infinity would allocate a boxed number
    const least = svd.values[rows - 1];
    if (least > 0) this.condition = svd.values[0] / least;
    else this.condition = Infinity;
    this.findApproach();
    this.slowDown();
    for (let j = 0; j < n; j++) main[j] *= this.slowed;
    this.findBounds();
    this.avoidLimits();
    this.limitingJoint = -1;
    this.fit(main, side);
    if (this.fitting < 1 && n > rows) this.hold();
    for (let j = 0; j < n; j++) this.rates[j] = this.fitting * main[j] + side[j];
    this.scale = this.slowed * this.fitting;
    this.report();
  }

  /** Computes the singular values of the Jacobian with scaled angular rows. Held joints are left out. */
  private decompose(): void {
    const { n, axes, rows, jacobian, scaled, held } = this;
    for (let j = 0; j < n; j++) {
      for (let r = 0; r < rows; r++) {
        const i = axes[r];
        const entry = i < 3 ? jacobian[i * n + j] / this.model.length : jacobian[i * n + j];
        scaled[rows * j + r] = held[j] === 1 ? 0 : entry;
      }
    }
    this.svd.decompose(scaled);
  }

  /** out := damped inverse of the Jacobian times the scaled twist. */
  private solve(twist: Float64Array, out: Float64Array): void {
    const { n, rows, svd, model } = this;
    const { values, left, right } = svd;
    const threshold = values[0] / model.conditionStop;
    for (let j = 0; j < n; j++) out[j] = 0;
    for (let k = 0; k < rows; k++) {
      const sigma = values[k];
      if (!(sigma > 0)) continue;
      let damping = 0;
      if (sigma < threshold) {
        // λ_m = ε: the gain falls in proportion to σ, from its largest value 1/ε
        damping = threshold * threshold - sigma * sigma;
      }
      let along = 0;
      for (let r = 0; r < rows; r++) along += right[rows * r + k] * twist[r];
      const gain = (along * sigma) / (sigma * sigma + damping);
      for (let j = 0; j < n; j++) out[j] += left[rows * j + k] * gain;
    }
  }

  /**
   * Decides whether the condition number rises along `main`: σ' = vᵀ J' u. Column i of J' is ω_i ×
   * (v_i, w_i) + (w_i × Σ_{j>i} u_j v_j, 0). ω_i is the angular velocity of link i; it follows from
   * the axes alone.
   */
  private findApproach(): void {
    const { n, axes, rows, jacobian, main, turn, rest, change, slopes, svd } = this;
    const { values, left, right } = svd;
    for (let a = 0; a < 3; a++) {
      turn[a] = 0;
      rest[a] = 0;
      for (let j = 0; j < n; j++) rest[a] += jacobian[a * n + j] * main[j];
    }
    slopes[0] = 0;
    slopes[1] = 0;
    for (let i = 0; i < n; i++) {
      for (let a = 0; a < 3; a++) {
        turn[a] += jacobian[(3 + a) * n + i] * main[i];
        rest[a] -= jacobian[a * n + i] * main[i];
      }
      for (let a = 0; a < 3; a++) {
        const b = (a + 1) % 3;
        const c = (a + 2) % 3;
        const vb = jacobian[b * n + i];
        const vc = jacobian[c * n + i];
        const wb = jacobian[(3 + b) * n + i];
        const wc = jacobian[(3 + c) * n + i];
        const move = turn[b] * vc - turn[c] * vb + wb * rest[c] - wc * rest[b];
        change[a] = move / this.model.length;
        change[3 + a] = turn[b] * wc - turn[c] * wb;
      }
      for (let end = 0; end < 2; end++) {
        const k = end === 0 ? 0 : rows - 1;
        let sum = 0;
        for (let r = 0; r < rows; r++) sum += right[rows * r + k] * change[axes[r]];
        slopes[end] += sum * left[rows * i + k];
      }
    }
    this.approaching = slopes[0] * values[rows - 1] - values[0] * slopes[1] > 0;
  }

  /** Sets `slowed` from the condition number. */
  private slowDown(): void {
    const { conditionSlow: slow, conditionStop: stop } = this.model;
    const over = (this.condition - slow) / (stop - slow);
    this.slowed = 1;
    if (!(over > 0)) return;
    if (this.approaching) {
      this.slowed = over < 1 ? 1 - over : 0;
    } else {
      const left = 1 - over / LEAVING_FACTOR;
      this.slowed = left > LEAVING_LEAST ? left : LEAVING_LEAST;
    }
  }

  /** Computes the bounds of the joint rates. */
  private findBounds(): void {
    const { n, position, lower, upper, rateLimit, least, most, model } = this;
    for (let j = 0; j < n; j++) {
      const limit = rateLimit[j];
      const up = (upper[j] - model.limitMargin - position[j]) / model.limitTime;
      const down = (position[j] - lower[j] - model.limitMargin) / model.limitTime;
      most[j] = up < limit ? (up > 0 ? up : 0) : limit;
      least[j] = down < limit ? (down > 0 ? -down : 0) : -limit;
    }
  }

  /** side := self-motion of a redundant arm that moves joints off their limits, within the bounds. */
  private avoidLimits(): void {
    const { n, rows, side, gradient, main, position, lower, upper, rateLimit, svd } = this;
    for (let j = 0; j < n; j++) side[j] = 0;
    if (n <= rows) return;
    // descent of Σ c⁴/4, c from −1 at the lower to 1 at the upper limit: small in the middle, large
    // at the ends
    for (let j = 0; j < n; j++) {
      const half = (upper[j] - lower[j]) / 2;
      const c = half < Infinity ? (position[j] - lower[j]) / half - 1 : 0;
      gradient[j] = -c * c * c * rateLimit[j];
      side[j] = gradient[j];
    }
    for (let k = 0; k < rows; k++) {
      let along = 0;
      for (let j = 0; j < n; j++) along += svd.left[rows * j + k] * gradient[j];
      for (let j = 0; j < n; j++) side[j] -= svd.left[rows * j + k] * along;
    }
    // self-motion scales with the rates of the task, so an arm without a command rests
    let fastest = 0;
    for (let j = 0; j < n; j++) fastest = Math.max(fastest, Math.abs(main[j]) / rateLimit[j]);
    if (fastest > 1) fastest = 1;
    const allowed = this.model.limitAvoidance * fastest;
    let factor = 1;
    for (let j = 0; j < n; j++) {
      const size = Math.abs(side[j]);
      const room = side[j] > 0 ? this.most[j] : -this.least[j];
      const most = allowed * rateLimit[j] < room ? allowed * rateLimit[j] : room;
      if (size * factor > most) factor = most / size;
    }
    for (let j = 0; j < n; j++) side[j] *= factor;
  }

  /**
   * fitting := largest s <= 1 for which s a + b is within the bounds of all joints, b being within;
   * `limitingJoint` sets it.
   */
  private fit(a: Float64Array, b: Float64Array): void {
    const { n, least, most } = this;
    let s = 1;
    for (let j = 0; j < n; j++) {
      const end = s * a[j] + b[j];
      let now = s;
      if (end > most[j]) now = (most[j] - b[j]) / a[j];
      else if (end < least[j]) now = (least[j] - b[j]) / a[j];
      if (now < s) {
        s = now > 0 ? now : 0;
        this.limitingJoint = j;
      }
    }
    this.fitting = s;
  }

  /** Holds limiting joints at their bounds while the other joints can compensate and more of the task is reached. */
  private hold(): void {
    const { n, axes, rows, held, bound, main, side, otherMain, otherSide } = this;
    const { least, most, row, model } = this;
    let best = this.fitting;
    for (let count = rows; count < n && best < 1; count++) {
      const joint = this.limitingJoint;
      held[joint] = 1;
      bound[joint] = main[joint] > 0 ? most[joint] : least[joint];
      this.decompose();
      const { values } = this.svd;
      if (!(values[rows - 1] * model.conditionStop > values[0])) break;
      for (let r = 0; r < rows; r++) {
        const i = axes[r];
        let sum = 0;
        for (let j = 0; j < n; j++) if (held[j] === 1) sum -= this.jacobian[i * n + j] * bound[j];
        row[r] = i < 3 ? sum / model.length : sum;
      }
      this.solve(this.task, otherMain);
      this.solve(row, otherSide);
      let inside = true;
      for (let j = 0; j < n; j++) {
        otherMain[j] *= this.slowed;
        if (held[j] === 1) otherSide[j] = bound[j];
        if (otherSide[j] > most[j] || otherSide[j] < least[j]) inside = false;
      }
      if (inside) this.fit(otherMain, otherSide);
      if (!inside || this.fitting <= best) {
        this.limitingJoint = joint;
        break;
      }
      best = this.fitting;
      for (let j = 0; j < n; j++) {
        main[j] = otherMain[j];
        side[j] = otherSide[j];
      }
    }
    this.fitting = best;
  }

  /** Reports the cause of the smaller part. */
  private report(): void {
    const joint = this.limitingJoint;
    const slowed = this.slowed;
    const fit = this.fitting;
    if (slowed === 0) {
      this.status = ArmStatus.AT_SINGULARITY;
    } else if (slowed < 1 && slowed <= fit) {
      this.status = this.approaching ? ArmStatus.NEAR_SINGULARITY : ArmStatus.LEAVING_SINGULARITY;
    } else if (fit === 0) {
      this.status = ArmStatus.AT_JOINT_LIMIT;
    } else if (fit < 1) {
      const bound = this.main[joint] > 0 ? this.most[joint] : -this.least[joint];
      this.status =
        bound < this.rateLimit[joint] ? ArmStatus.NEAR_JOINT_LIMIT : ArmStatus.RATE_LIMITED;
    } else this.status = ArmStatus.NOMINAL;
    if (!(fit < 1)) this.limitingJoint = -1;
  }
}

function checkModel(model: ResolvedRateModel, n: number): void {
  const axes = model.axes ?? ALL_AXES;
  if (axes.length < 1 || axes.some((a, i) => !ALL_AXES.includes(a) || axes.indexOf(a) !== i)) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected \`axes\` of the resolved-rate motion to be different rows of 0 … 5, got [${axes.join(', ')}]`,
      { field: 'axes' },
    );
  }
  if (n < axes.length || n > MOST_JOINTS) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected an arm of ${axes.length} … ${MOST_JOINTS} joints, got ${n}`,
    );
  }
  for (const field of ['lower', 'upper'] as const) {
    if (model[field].length !== n) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `Expected ${n} values of \`${field}\`, got ${model[field].length}`,
        { field },
      );
    }
  }
  for (let j = 0; j < n; j++) {
    require(model.rateLimit[j] > 0, `rateLimit[${j}]`, model.rateLimit[j], '> 0');
    const gap = model.upper[j] - model.lower[j];
    require(gap > 2 * model.limitMargin, `upper[${j}]`, model.upper[
      j
    ], 'above lower by 2 limitMargin');
  }
  require(model.length > 0 && model.length < Infinity, 'length', model.length, '> 0');
  require(model.limitMargin >= 0, 'limitMargin', model.limitMargin, '>= 0');
  require(model.limitTime > 0, 'limitTime', model.limitTime, '> 0');
  require(model.conditionSlow >= 1, 'conditionSlow', model.conditionSlow, '>= 1');
  require(model.conditionStop > model.conditionSlow &&
    model.conditionStop < Infinity, 'conditionStop', model.conditionStop, 'above conditionSlow');
  const part = model.limitAvoidance;
  require(part >= 0 && part <= 1, 'limitAvoidance', part, '0 … 1');
}

function require(holds: boolean, field: string, value: number, allowed: string): void {
  if (holds) return;
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected \`${field}\` of the resolved-rate motion to be ${allowed}, got ${value}`,
    { field },
  );
}
