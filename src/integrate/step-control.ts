/**
 * Step-size control of adaptive methods: proportional–integral (Gustafsson), with the constants of
 * `Hairer, Nørsett & Wanner, Solving ODEs I, II.4; Solving ODEs II, IV.2`.
 *
 *   h' = h min(g, max(1/5, 0.9 err^-α err_old^β)),  α = 1/(q+1) − 3β/4,  β = 0.2/(q+1),  g = 10, or 1 after a rejection
 *
 * Step and old error live in two cells that the owner keeps with its state, so that a restored run goes on bit by bit.
 */
import { measureError, type RateProblem, type Tolerance } from './one-step.ts';
import { pow } from '../math/elementary/power.ts';

/** Slots of the memory of step control. */
export const NEXT_STEP = 0; // 0: not known yet
export const OLD_ERROR = 1;
export const CONTROL_MEMORY = 2;

const SAFETY = 0.9;
const LEAST_FACTOR = 0.2;
const MOST_FACTOR = 10;
/** Old error that a method starts with. */
const FIRST_ERROR = 1e-4;

/** Chooses step lengths from error norms. */
export class StepControl {
  readonly memory: Float64Array;
  private readonly problem: RateProblem;
  private readonly tolerance: Tolerance;
  private readonly exponent: number;
  private readonly rejectedExponent: number;
  private readonly beta: number;
  private readonly start: Float64Array;
  private readonly slope: Float64Array;
  private readonly norm: Float64Array = new Float64Array(3);
  private afterRejection = false;

  constructor(problem: RateProblem, order: number, tolerance: Tolerance, memory: Float64Array) {
    this.problem = problem;
    this.tolerance = tolerance;
    this.memory = memory;
    this.rejectedExponent = 1 / (order + 1);
    this.beta = 0.2 * this.rejectedExponent;
    this.exponent = this.rejectedExponent - 0.75 * this.beta;
    this.start = new Float64Array(problem.rates.length);
    this.slope = new Float64Array(problem.rates.length);
  }

  /** Forgets the old error: what follows is another problem. @alloc none */
  forget(): void {
    this.memory[OLD_ERROR] = FIRST_ERROR;
    this.afterRejection = false;
  }

  /** Next step after an accepted one of length timing[0] with the scaled error error[0]. @alloc none */
  accept(timing: Float64Array, error: Float64Array): void {
    const err = error[0] > 1e-10 ? error[0] : 1e-10;
    const old = this.memory[OLD_ERROR] > 0 ? this.memory[OLD_ERROR] : FIRST_ERROR;
    const wish = SAFETY * pow(err, -this.exponent) * pow(old, this.beta);
    const most = this.afterRejection ? 1 : MOST_FACTOR;
    const factor = wish > most ? most : wish > LEAST_FACTOR ? wish : LEAST_FACTOR;
    this.memory[NEXT_STEP] = timing[0] * factor;
    this.memory[OLD_ERROR] = err > FIRST_ERROR ? err : FIRST_ERROR;
    this.afterRejection = false;
  }

  /** Shorter step after a rejected one. @alloc none */
  reject(timing: Float64Array, error: Float64Array): void {
    const wish = SAFETY * pow(error[0], -this.rejectedExponent);
    this.memory[NEXT_STEP] = timing[0] * (wish > LEAST_FACTOR ? wish : LEAST_FACTOR);
    this.afterRejection = true;
  }

  /**
   * First step from the sizes of y, y' and y'', at most span[0]. `Hairer, Nørsett & Wanner, Solving ODEs I, II.4 (4.14)`. The
   * values are as before then; the rates are those of a step of explicit Euler.
   * @alloc none
   */
  guess(span: Float64Array): void {
    const { problem, start, slope, norm } = this;
    const { values, rates, time } = problem;
    const n = rates.length;
    problem.computeRates();
    for (let i = 0; i < n; i++) {
      start[i] = values[i];
      slope[i] = rates[i];
    }
    this.measure(start, 0);
    this.measure(slope, 1);
    let h = norm[0] < 1e-5 || norm[1] < 1e-5 ? 1e-6 : (0.01 * norm[0]) / norm[1];
    if (!(h < span[0])) h = span[0];
    const now = time[0];
    time[0] = now + h;
    for (let i = 0; i < n; i++) values[i] = start[i] + h * slope[i];
    problem.computeRates();
    time[0] = now;
    for (let i = 0; i < n; i++) {
      values[i] = start[i];
      slope[i] = (rates[i] - slope[i]) / h;
    }
    this.measure(slope, 2);
    const size = norm[2] > norm[1] ? norm[2] : norm[1];
    let next = size > 1e-15 ? pow(0.01 / size, this.rejectedExponent) : span[0];
    if (!(next < 100 * h)) next = 100 * h;
    this.memory[NEXT_STEP] = next < span[0] ? next : span[0];
    this.forget();
  }

  private measure(what: Float64Array, slot: number): void {
    const { norm, problem } = this;
    const kept = norm[0];
    measureError(norm, what, this.start, this.start, problem.controlled, this.tolerance);
    if (slot === 0) return;
    norm[slot] = norm[0];
    norm[0] = kept;
  }
}
