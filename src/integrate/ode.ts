/**
 * Any ordinary differential equation y' = f(t, y) by the methods that systems use: for closed forms, references and reports.
 *
 *   const solver = new OdeSolver(1, (t, y, rates) => { rates[0] = -y[0]; }, { method: 'dormand-prince' });
 *   solver.reset(0, [1]);
 *   solver.advance(2);   // solver.values[0] is exp(-2)
 */
import { BerthError } from '../base/errors.ts';
import { room } from '../base/argument-checks.ts';
import { expect, oneOf, plain, positive, range } from '../base/parameter-checks.ts';
import type { EventSource } from './event-location.ts';
import { March } from './march.ts';
import type { OneStepMethod, RateProblem } from './one-step.ts';
import { Rosenbrock } from './rosenbrock.ts';
import { ExplicitRungeKutta } from './runge-kutta.ts';
import { CONTROL_MEMORY, NEXT_STEP, StepControl } from './step-control.ts';
import { BOGACKI_SHAMPINE, DORMAND_PRINCE_5, DORMAND_PRINCE_54, RK4 } from './tableaus.ts';

const METHODS = ['ode3', 'rk4', 'ode5', 'dormand-prince', 'rosenbrock'] as const;
/** Methods for plain equations; the first three with fixed steps. */
export type OdeMethod = (typeof METHODS)[number];

/** Fills `rates` with f(t, y); all arrays belong to the solver. */
export type OdeFunction = (t: number, y: Float64Array, rates: Float64Array) => void;

/** Events of an equation: each happens where its margin falls below 0. */
export interface OdeEvents {
  readonly count: number;
  /** Fills the margins. */
  measure(t: number, y: Float64Array, margins: Float64Array): void;
  /** Event `index` happens at `t`; may change y. */
  happen(index: number, t: number, y: Float64Array): void;
}

/** Choices of a solver. */
export interface OdeOptions {
  readonly method: OdeMethod;
  /** Of adaptive methods; 1e-8 when left out. */
  readonly relativeTolerance?: number;
  /** Of adaptive methods, in the unit of y; 1e-10 when left out. */
  readonly absoluteTolerance?: number;
  /** Length of fixed steps, which only events and the end of `advance` shorten. Needed by the methods with fixed steps. */
  readonly step?: number;
  /** First step of adaptive methods; chosen when left out. */
  readonly firstStep?: number;
  /** Most steps of one `advance`; a million when left out. */
  readonly mostSteps?: number;
  readonly events?: OdeEvents;
  /** Called when a step stands, from `from` to `to`; `interpolate` is valid there. */
  readonly onStep?: (from: number, to: number) => void;
}

/** An equation, its present values and one method. */
export class OdeSolver {
  /** The present values; may be changed between calls. */
  readonly values: Float64Array;
  /** Steps, steps refused, events and evaluations of f since `reset`. */
  steps = 0;
  rejected = 0;
  happened = 0;
  private readonly problem: PlainProblem;
  private readonly method: OneStepMethod;
  private readonly control: StepControl | null;
  private readonly march: March;
  private readonly firstStep: number;
  private readonly fixedStep: number;
  private readonly now: Float64Array = new Float64Array(1);
  private readonly span: Float64Array = new Float64Array(1);
  private readonly theta: Float64Array = new Float64Array(1);
  private readonly stepCells: Float64Array = new Float64Array(2);

  /** @throws BerthError for an unknown method, a missing step or a tolerance that is not positive */
  constructor(length: number, f: OdeFunction, options: OdeOptions) {
    plain('options', options);
    const { method, relativeTolerance = 1e-8, absoluteTolerance = 1e-10 } = options;
    oneOf('method', method, METHODS);
    positive('relativeTolerance', relativeTolerance);
    positive('absoluteTolerance', absoluteTolerance);
    expect('f', f, typeof f === 'function', 'to be a function (t, y, rates)');
    range('length', length, Number.isInteger(length) && length >= 1, 'to be a whole number >= 1');
    const tolerance = { relative: relativeTolerance, absolute: absoluteTolerance };
    this.problem = new PlainProblem(length, f, Math.min(1e-5, absoluteTolerance));
    this.values = this.problem.values;
    this.method = makeMethod(method, this.problem, tolerance);
    const adaptive = this.method.estimateOrder > 0;
    if (!adaptive && options.step === undefined) {
      throw new BerthError(
        'BERTH_MISSING_FIELD',
        `Expected step for the fixed steps of ${method}`,
        {
          field: 'step',
        },
      );
    }
    this.fixedStep = adaptive ? 0 : (options.step ?? 0);
    if (!adaptive) positive('step', this.fixedStep);
    this.firstStep = options.firstStep ?? 0;
    const memory = new Float64Array(CONTROL_MEMORY);
    this.control = adaptive
      ? new StepControl(this.problem, this.method.estimateOrder, tolerance, memory)
      : null;
    const { onStep } = options;
    this.march = new March({
      problem: this.problem,
      method: this.method,
      control: this.control,
      events: options.events === undefined ? null : new PlainEvents(this.problem, options.events),
      mostSteps: options.mostSteps ?? 1_000_000,
      longestStep: Infinity,
      onStep:
        onStep === undefined
          ? null
          : (timing, fraction) => {
              this.stepCells[0] = timing[0];
              this.stepCells[1] = timing[1];
              onStep(timing[1], timing[1] + fraction[0] * timing[0]);
            },
    });
    this.reset(0, new Float64Array(length));
  }

  /** Present time. */
  get time(): number {
    return this.now[0];
  }

  /** Evaluations of f since `reset`. */
  get evaluations(): number {
    return this.problem.evaluations;
  }

  /** Starts anew from (t, y). */
  reset(t: number, y: ArrayLike<number>): void {
    range('t', t, true, 'to be finite');
    room('y', y, 0, this.values.length);
    this.now[0] = t;
    this.values.set(y);
    this.steps = 0;
    this.rejected = 0;
    this.happened = 0;
    this.problem.evaluations = 0;
    if (this.control === null) return;
    this.control.forget();
    this.control.memory[NEXT_STEP] = this.firstStep;
  }

  /** Integrates to the time `until`; false when it could not get there: `time` and `values` are then where it stopped. */
  advance(until: number): boolean {
    range('until', until, true, 'to be finite');
    const begin = this.now[0];
    if (!(until > begin)) return until === begin;
    if (this.fixedStep === 0) return this.carry(until);
    const count = Math.max(1, Math.ceil((until - begin) / this.fixedStep - 1e-9));
    for (let n = 1; n <= count; n++) {
      if (!this.carry(n === count ? until : begin + n * this.fixedStep)) return false;
    }
    return true;
  }

  /** y at a time within the step of the running `onStep`, into `out`; the values are left alone. */
  interpolate(t: number, out: Float64Array): void {
    const kept = this.values.slice();
    this.theta[0] = (t - this.stepCells[1]) / this.stepCells[0];
    this.method.interpolate(this.theta);
    out.set(this.values);
    this.values.set(kept);
  }

  private carry(until: number): boolean {
    this.span[0] = until - this.now[0];
    const ok = this.march.run(this.now, this.span);
    this.now[0] = ok ? until : this.problem.time[0];
    this.steps += this.march.steps;
    this.rejected += this.march.rejected;
    this.happened += this.march.happened;
    return ok;
  }
}

/** The method of a name on a problem. */
export function makeMethod(
  name: OdeMethod,
  problem: RateProblem,
  tolerance: { readonly relative: number; readonly absolute: number },
): OneStepMethod {
  switch (name) {
    case 'ode3':
      return new ExplicitRungeKutta(problem, BOGACKI_SHAMPINE, tolerance);
    case 'rk4':
      return new ExplicitRungeKutta(problem, RK4, tolerance);
    case 'ode5':
      return new ExplicitRungeKutta(problem, DORMAND_PRINCE_5, tolerance);
    case 'dormand-prince':
      return new ExplicitRungeKutta(problem, DORMAND_PRINCE_54, tolerance);
    case 'rosenbrock':
      return new Rosenbrock(problem, tolerance);
  }
}

class PlainProblem implements RateProblem {
  readonly values: Float64Array;
  readonly rates: Float64Array;
  readonly time: Float64Array = new Float64Array(1);
  readonly autonomous: boolean = false;
  readonly leastSize: number;
  readonly evolving: Int32Array;
  readonly controlled: Int32Array;
  evaluations = 0;
  private readonly f: OdeFunction;

  constructor(length: number, f: OdeFunction, leastSize: number) {
    this.values = new Float64Array(length);
    this.rates = new Float64Array(length);
    this.evolving = Int32Array.from(this.values, (_, i) => i);
    this.controlled = this.evolving;
    this.leastSize = leastSize;
    this.f = f;
  }

  computeRates(): void {
    this.evaluations++;
    this.f(this.time[0], this.values, this.rates);
  }

  settle(): void {
    return;
  }
}

class PlainEvents implements EventSource {
  readonly margins: Float64Array;
  readonly marginRates: Float64Array;
  private readonly problem: PlainProblem;
  private readonly events: OdeEvents;

  constructor(problem: PlainProblem, events: OdeEvents) {
    this.problem = problem;
    this.events = events;
    this.margins = new Float64Array(events.count);
    this.marginRates = new Float64Array(events.count).fill(Number.NaN);
  }

  measure(): void {
    this.events.measure(this.problem.time[0], this.problem.values, this.margins);
  }

  happen(first: number): void {
    for (let e = 0; e < this.margins.length; e++) {
      if (e === first || this.margins[e] < 0) {
        this.events.happen(e, this.problem.time[0], this.problem.values);
      }
    }
  }

  isSmooth(): boolean {
    return true; // f does not depend on the events
  }

  limitStep(limit: Float64Array): void {
    limit[0] = Infinity;
  }
}
