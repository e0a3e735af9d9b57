/**
 * Explicit Runge–Kutta on one array by its Butcher tableau: fixed or adaptive, with dense output.
 *
 * Dense output: the continuous extension of the tableau, or the cubic Hermite polynomial through values and rates at both ends.
 * `Hairer, Nørsett & Wanner, Solving ODEs I, II.6`, docs/theory/integrators.md.
 */
import {
  measureError,
  type OneStepMethod,
  type RateProblem,
  START,
  STEP,
  type Tolerance,
} from './one-step.ts';
import type { RungeKuttaTableau, TableauRow } from './tableaus.ts';

/** One method on one problem, with its work space. */
export class ExplicitRungeKutta implements OneStepMethod {
  readonly estimateOrder: number;
  readonly error: Float64Array = new Float64Array(1);
  private readonly problem: RateProblem;
  private readonly tolerance: Tolerance;
  private readonly length: number;
  private readonly stageCount: number;
  /** Numerators row by row: stages 2 …, then the weights; one row is `stageCount` long. */
  private readonly coefficients: Float64Array;
  private readonly denominators: Float64Array;
  private readonly nodes: Float64Array;
  private readonly errorRow: Float64Array | null;
  private readonly errorDenominator: number;
  private readonly denseRow: Float64Array | null;
  /** k_1 … k_s and the rates at the end, one after the other. */
  private readonly k: Float64Array;
  private readonly sum: Float64Array;
  private readonly before: Float64Array;
  private readonly after: Float64Array;
  /** Coefficients of the dense output behind y0 and y1 − y0. */
  private readonly dense: Float64Array;
  private readonly times: Float64Array = new Float64Array(2);
  private endKnown = false;
  private denseReady = false;

  constructor(problem: RateProblem, tableau: RungeKuttaTableau, tolerance: Tolerance) {
    const s = tableau.weights.numerators.length;
    const n = problem.rates.length;
    this.problem = problem;
    this.tolerance = tolerance;
    this.length = n;
    this.stageCount = s;
    this.estimateOrder = tableau.estimateOrder;
    const rows = [...tableau.stages, tableau.weights];
    this.coefficients = new Float64Array(rows.length * s);
    rows.forEach((row, r) => this.coefficients.set(row.numerators, r * s));
    this.denominators = Float64Array.from(rows, (row) => row.denominator);
    this.nodes = Float64Array.from([0, ...rows.map(nodeOf)]);
    this.errorRow = tableau.error === null ? null : Float64Array.from(tableau.error.numerators);
    this.errorDenominator = tableau.error?.denominator ?? 1;
    this.denseRow = tableau.dense === null ? null : Float64Array.from(tableau.dense);
    this.k = new Float64Array((s + 1) * n);
    this.sum = new Float64Array(n);
    this.before = new Float64Array(n);
    this.after = new Float64Array(n);
    this.dense = new Float64Array(3 * n);
  }

  start(timing: Float64Array): void {
    const { values } = this.problem;
    for (let i = 0; i < this.length; i++) this.before[i] = values[i];
    this.times[START] = timing[START];
    this.problem.time[0] = timing[START];
    this.problem.computeRates();
    this.keepRates(0);
  }

  attempt(timing: Float64Array): void {
    const { problem, before, length } = this;
    const h = timing[STEP];
    this.times[STEP] = h;
    this.endKnown = false;
    this.denseReady = false;
    const s = this.stageCount;
    for (let stage = 1; stage < s; stage++) {
      this.combine(stage - 1);
      problem.time[0] = this.times[START] + this.nodes[stage] * h;
      problem.computeRates();
      this.keepRates(stage);
    }
    this.combine(s - 1);
    problem.time[0] = this.times[START] + h;
    problem.settle();
    for (let i = 0; i < length; i++) this.after[i] = problem.values[i];
    if (this.errorRow === null) return;
    this.evaluateEnd();
    this.accumulate(this.errorRow, 0, s + 1);
    const scale = h / this.errorDenominator;
    for (let i = 0; i < length; i++) this.sum[i] *= scale;
    measureError(this.error, this.sum, before, this.after, problem.controlled, this.tolerance);
  }

  prepareDense(): void {
    if (this.denseReady) return;
    this.denseReady = true;
    if (!this.endKnown) {
      for (let i = 0; i < this.length; i++) this.problem.values[i] = this.after[i];
      this.problem.time[0] = this.times[START] + this.times[STEP];
      this.evaluateEnd();
    }
    const n = this.length;
    const end = this.stageCount * n;
    const h = this.times[STEP];
    if (this.denseRow !== null) this.accumulate(this.denseRow, 0, this.stageCount + 1);
    for (let i = 0; i < n; i++) {
      const change = this.after[i] - this.before[i];
      const bend = h * this.k[i] - change;
      this.dense[i] = bend;
      this.dense[n + i] = change - h * this.k[end + i] - bend;
      this.dense[2 * n + i] = this.denseRow === null ? 0 : h * this.sum[i];
    }
  }

  interpolate(theta: Float64Array): void {
    const { values, time } = this.problem;
    const n = this.length;
    const x = theta[0];
    const y = 1 - x;
    for (let i = 0; i < n; i++) {
      const a = this.before[i];
      values[i] =
        a +
        x *
          (this.after[i] -
            a +
            y * (this.dense[i] + x * (this.dense[n + i] + y * this.dense[2 * n + i])));
    }
    time[0] = this.times[START] + x * this.times[STEP];
  }

  accept(timing: Float64Array): void {
    const { values, time } = this.problem;
    const end = this.stageCount * this.length;
    for (let i = 0; i < this.length; i++) {
      values[i] = this.after[i];
      this.before[i] = this.after[i];
    }
    this.times[START] = timing[START];
    time[0] = timing[START];
    if (!this.endKnown) this.evaluateEnd();
    for (let i = 0; i < this.length; i++) this.k[i] = this.k[end + i];
  }

  /** values := before + (h / denominator) Σ numerators k, for one row. */
  private combine(row: number): void {
    const { before, sum } = this;
    const { values } = this.problem;
    const last = row + 1 < this.stageCount ? row + 1 : this.stageCount;
    this.accumulate(this.coefficients, row * this.stageCount, last);
    const scale = this.times[STEP] / this.denominators[row];
    for (let i = 0; i < this.length; i++) values[i] = before[i] + scale * sum[i];
  }

  /** sum := Σ numerators k over `count` stages. */
  private accumulate(row: Float64Array, at: number, count: number): void {
    const { k, sum, length } = this;
    sum.fill(0);
    for (let j = 0; j < count; j++) {
      const a = row[at + j];
      if (a === 0) continue;
      const from = j * length;
      for (let i = 0; i < length; i++) sum[i] += a * k[from + i];
    }
  }

  private keepRates(stage: number): void {
    const { rates } = this.problem;
    const at = stage * this.length;
    for (let i = 0; i < this.length; i++) this.k[at + i] = rates[i];
  }

  private evaluateEnd(): void {
    this.problem.computeRates();
    this.keepRates(this.stageCount);
    this.endKnown = true;
  }
}

function nodeOf(row: TableauRow): number {
  return row.numerators.reduce((sum, a) => sum + a, 0) / row.denominator;
}
