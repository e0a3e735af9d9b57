/**
 * A linearly implicit Runge–Kutta step for stiff problems: RODAS, order 4(3), L-stable. `Hairer & Wanner, Solving ODEs II, IV.7`.
 *
 * The Jacobian is that of forward differences with the increment √(ε max(|y|, least size)) towards where the value is going: a contact
 * that has just closed is differentiated on its inner side. Only the values that may change take part.
 */
import { factorize, solveFactored } from '../math/lu.ts';
import {
  measureError,
  type OneStepMethod,
  type RateProblem,
  START,
  STEP,
  type Tolerance,
} from './one-step.ts';
import {
  RODAS_A,
  RODAS_C,
  RODAS_DENSE,
  RODAS_ESTIMATE_ORDER,
  RODAS_GAMMA,
  RODAS_NODES,
  RODAS_STAGES,
  RODAS_TIME,
} from './rodas.ts';

/** Change of a rate within an increment, over the rate, from which on it may be a jump. */
const DOUBTFUL = 1e-4;
/** Growth of a difference quotient with half the increment that no kink has: a kink leaves 1, a jump 2. */
const GROWTH = 1.5;

/** RODAS on one problem, with its work space. */
export class Rosenbrock implements OneStepMethod {
  readonly estimateOrder: number = RODAS_ESTIMATE_ORDER;
  readonly error: Float64Array = new Float64Array(1);
  private readonly problem: RateProblem;
  private readonly tolerance: Tolerance;
  /** Number of values that may change. */
  private readonly size: number;
  private readonly a: Float64Array = squareRows(RODAS_A);
  private readonly c: Float64Array = squareRows(RODAS_C);
  private readonly nodes: Float64Array = Float64Array.from(RODAS_NODES);
  private readonly timeRow: Float64Array = Float64Array.from(RODAS_TIME);
  private readonly denseRows: Float64Array = squareRows(RODAS_DENSE);
  private readonly before: Float64Array;
  private readonly after: Float64Array;
  private readonly errors: Float64Array;
  private readonly firstRates: Float64Array;
  private readonly timeRates: Float64Array;
  private readonly jacobian: Float64Array;
  private readonly column: Float64Array;
  private readonly factors: Float64Array;
  private readonly pivots: Int32Array;
  /** u_1 … u_6 */
  private readonly u: Float64Array;
  private readonly dense: Float64Array;
  private readonly times: Float64Array = new Float64Array(2);

  constructor(problem: RateProblem, tolerance: Tolerance) {
    const n = problem.rates.length;
    const m = problem.evolving.length;
    this.problem = problem;
    this.tolerance = tolerance;
    this.size = m;
    this.before = new Float64Array(n);
    this.after = new Float64Array(n);
    this.errors = new Float64Array(n);
    this.firstRates = new Float64Array(m);
    this.timeRates = new Float64Array(m);
    this.jacobian = new Float64Array(m * m);
    this.column = new Float64Array(m);
    this.factors = new Float64Array(m * m);
    this.pivots = new Int32Array(m);
    this.u = new Float64Array(RODAS_STAGES * m);
    this.dense = new Float64Array(2 * m);
  }

  start(timing: Float64Array): void {
    const { values, time } = this.problem;
    for (let i = 0; i < this.before.length; i++) this.before[i] = values[i];
    this.times[START] = timing[START];
    time[0] = timing[START];
    this.linearize();
  }

  attempt(timing: Float64Array): void {
    const { problem, size, before, after, u } = this;
    const { values, rates, time, evolving } = problem;
    const h = timing[STEP];
    this.times[STEP] = h;
    const diagonal = 1 / (RODAS_GAMMA * h);
    for (let i = 0; i < size * size; i++) this.factors[i] = -this.jacobian[i];
    for (let i = 0; i < size; i++) this.factors[i * size + i] += diagonal;
    if (!factorize(this.factors, size, this.pivots)) {
      this.error[0] = Infinity;
      return;
    }
    for (let stage = 0; stage < RODAS_STAGES; stage++) {
      const row = stage * RODAS_STAGES;
      if (stage > 0) {
        this.place(row, stage);
        time[0] = this.times[START] + this.nodes[stage] * h;
        problem.computeRates();
      }
      const gain = this.timeRow[stage] * h;
      for (let i = 0; i < size; i++) {
        let sum = 0.0;
        for (let j = 0; j < stage; j++) sum += this.c[row + j] * u[j * size + i];
        u[stage * size + i] =
          (stage === 0 ? this.firstRates[i] : rates[evolving[i]]) +
          sum / h +
          gain * this.timeRates[i];
      }
      solveFactored(this.factors, size, this.pivots, u, stage * size);
    }
    const last = (RODAS_STAGES - 1) * size;
    this.place((RODAS_STAGES - 1) * RODAS_STAGES, RODAS_STAGES - 1);
    for (let i = 0; i < size; i++) {
      values[evolving[i]] += u[last + i];
      this.errors[evolving[i]] = u[last + i];
    }
    time[0] = this.times[START] + h;
    problem.settle();
    for (let i = 0; i < after.length; i++) after[i] = values[i];
    measureError(this.error, this.errors, before, after, problem.controlled, this.tolerance);
  }

  prepareDense(): void {
    const { size, u } = this;
    for (let row = 0; row < 2; row++) {
      for (let i = 0; i < size; i++) {
        let sum = 0.0;
        for (let j = 0; j < RODAS_STAGES - 1; j++) {
          sum += this.denseRows[row * RODAS_STAGES + j] * u[j * size + i];
        }
        this.dense[row * size + i] = sum;
      }
    }
  }

  interpolate(theta: Float64Array): void {
    const { values, time, evolving } = this.problem;
    const x = theta[0];
    const y = 1 - x;
    for (let i = 0; i < this.before.length; i++) values[i] = this.before[i];
    for (let i = 0; i < this.size; i++) {
      const at = evolving[i];
      const bend = this.dense[i] + x * this.dense[this.size + i];
      values[at] = this.before[at] * y + x * (this.after[at] + y * bend);
    }
    time[0] = this.times[START] + x * this.times[STEP];
  }

  accept(timing: Float64Array): void {
    const { values } = this.problem;
    for (let i = 0; i < this.after.length; i++) values[i] = this.after[i];
    this.start(timing);
  }

  /** values := before + Σ a u over `count` stages. */
  private place(row: number, count: number): void {
    const { values, evolving } = this.problem;
    for (let i = 0; i < this.before.length; i++) values[i] = this.before[i];
    for (let i = 0; i < this.size; i++) {
      let sum = 0.0;
      for (let j = 0; j < count; j++) sum += this.a[row + j] * this.u[j * this.size + i];
      values[evolving[i]] += sum;
    }
  }

  /** Column c of the Jacobian by a difference; whether the rates jump within the increment, so that it is none. */
  private differentiate(c: number, increment: number): boolean {
    const { size, jacobian, column } = this;
    this.difference(c, increment);
    let doubtful = false;
    for (let r = 0; r < size; r++) {
      jacobian[r * size + c] = column[r];
      const change = Math.abs(column[r] * increment);
      if (change > DOUBTFUL * Math.abs(this.firstRates[r])) doubtful = true;
    }
    if (!doubtful) return false;
    this.difference(c, 0.5 * increment);
    return this.jumps(c);
  }

  /** column := (f(y + increment of value c) − f(y))/increment */
  private difference(c: number, increment: number): void {
    const { problem, size, firstRates, column } = this;
    const { values, rates, evolving } = problem;
    const at = evolving[c];
    for (let i = 0; i < this.before.length; i++) values[i] = this.before[i];
    values[at] = this.before[at] + increment;
    const taken = values[at] - this.before[at];
    problem.computeRates();
    for (let r = 0; r < size; r++) column[r] = (rates[evolving[r]] - firstRates[r]) / taken;
  }

  /** Whether an entry of column c grows with half the increment as that of a jump does. */
  private jumps(c: number): boolean {
    const { size, jacobian, column } = this;
    for (let r = 0; r < size; r++) {
      if (isJump(column[r], jacobian[r * size + c])) return true;
    }
    return false;
  }

  /** Entries of column c that are no derivatives become 0: the method then treats that dependence explicitly. */
  private forgetJumps(c: number): void {
    const { size, jacobian, column } = this;
    for (let r = 0; r < size; r++) {
      if (isJump(column[r], jacobian[r * size + c])) jacobian[r * size + c] = 0;
    }
  }

  /** Rates, Jacobian and time derivative at the start; the values are as before then. */
  private linearize(): void {
    const { problem, size, firstRates } = this;
    const { values, rates, time, evolving } = problem;
    problem.computeRates();
    for (let i = 0; i < size; i++) firstRates[i] = rates[evolving[i]];
    for (let c = 0; c < size; c++) {
      const kept = this.before[evolving[c]];
      const extent = Math.abs(kept) > problem.leastSize ? Math.abs(kept) : problem.leastSize;
      const increment = Math.sqrt(Number.EPSILON * extent);
      const ahead = firstRates[c] < 0 ? -increment : increment;
      if (this.differentiate(c, ahead) && this.differentiate(c, -ahead)) this.forgetJumps(c);
    }
    for (let i = 0; i < this.before.length; i++) values[i] = this.before[i];
    if (problem.autonomous) return;
    const now = time[0];
    time[0] = now + Math.sqrt(Number.EPSILON * (Math.abs(now) > 1e-5 ? Math.abs(now) : 1e-5));
    const taken = time[0] - now;
    problem.computeRates();
    for (let r = 0; r < size; r++) this.timeRates[r] = (rates[evolving[r]] - firstRates[r]) / taken;
    time[0] = now;
  }
}

/** Whether a difference quotient by half the increment is that of a jump, which is twice the other one. */
function isJump(half: number, whole: number): boolean {
  return Math.abs(half) > GROWTH * Math.abs(whole);
}

/** Rows padded to the number of stages. */
function squareRows(rows: readonly (readonly number[])[]): Float64Array {
  const out = new Float64Array(rows.length * RODAS_STAGES);
  rows.forEach((row, r) => out.set(row, r * RODAS_STAGES));
  return out;
}
