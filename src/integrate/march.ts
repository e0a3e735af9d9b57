/**
 * Carries a problem over a span of time with one method: trial steps, step control, events, and the end of the span hit exactly.
 *
 * An event inside a trial step makes the step shorter, so that the method keeps its order. Where the rates go on smoothly behind the
 * event, the step is made to end just behind it. Where they do not (a force that ends), the step is made to end just before it,
 * again and again. That ends when the event is so near that the error of a step across it does not matter. The state at the event
 * is the dense output just behind it. docs/theory/integrators.md.
 */
import { EVENT_WIDTH, EventLocator, type EventSource } from './event-location.ts';
import { type OneStepMethod, type RateProblem, START, STEP, TIMING } from './one-step.ts';
import { NEXT_STEP, type StepControl } from './step-control.ts';

/** How far behind a smooth event the shortened step goes, as a part of it, and how far before another one. */
const OVERSHOOT = 1e-6;
const UNDERSHOOT = 1e-4;
/** A smooth event this near to the end of a step needs no shorter step. */
const NEAR_END = 1 - 2e-6;
/** An event this near to the start of a step, as a part of the first step across it, needs no shorter step. */
const NEAR_START = 1e-9;
/** How far behind its root an event may be taken, as a part of the step, when settling moves the state back by rounding. */
const MOST_BEHIND = 2 ** -36;
/** Most shorter steps tried from one start, and most steps towards one event. */
const MOST_SHORTER = 6;
const MOST_APPROACHES = 5;
/** A step shorter than this part of the present time is lost in rounding. */
const SHORTEST = 4 * Number.EPSILON;

/** What a march needs; `control` null means one step for the whole of what is left. */
export interface MarchParts {
  readonly problem: RateProblem;
  readonly method: OneStepMethod;
  readonly control: StepControl | null;
  readonly events: EventSource | null;
  /** Most steps of one march. */
  readonly mostSteps: number;
  /** Longest step; ∞ for any. */
  readonly longestStep: number;
  /** Called when a step or the part of it up to an event stands: timing is [length, start]; the method can interpolate. */
  readonly onStep: ((timing: Float64Array, fraction: Float64Array) => void) | null;
}

/** The loop over steps. */
export class March {
  /** Of the last march. */
  steps = 0;
  rejected = 0;
  happened = 0;
  /** A march without step control left events unlocated because its steps were used up. */
  bounded = false;
  private readonly parts: MarchParts;
  private readonly locator: EventLocator | null;
  private readonly timing: Float64Array = new Float64Array(TIMING);
  /** [covered, longest step to try, first step across the event that is being approached (0: none), shortest step, end] */
  private readonly cells: Float64Array = new Float64Array(5);
  private readonly limit: Float64Array = new Float64Array(1);
  private readonly whole: Float64Array = Float64Array.of(1);
  private shortened = 0;
  private approaches = 0;

  constructor(parts: MarchParts) {
    this.parts = parts;
    this.locator = parts.events === null ? null : new EventLocator(parts.method, parts.events);
  }

  /** Carries the values from time[0] by span[0] (> 0); false when a step became too short or too many. @alloc none */
  run(time: Float64Array, span: Float64Array): boolean {
    const { problem, method, control, events, mostSteps } = this.parts;
    const { timing, cells, locator } = this;
    const total = span[0];
    const begin = time[0];
    const end = begin + total;
    this.steps = 0;
    this.rejected = 0;
    this.happened = 0;
    this.bounded = false;
    this.shortened = 0;
    this.approaches = 0;
    cells[0] = 0;
    cells[2] = 0;
    cells[4] = end;
    cells[1] = this.parts.longestStep;
    problem.time[0] = begin;
    if (events !== null) {
      events.measure();
      events.happen(-1);
    }
    if (control !== null && control.memory[NEXT_STEP] === 0) control.guess(span);
    timing[START] = begin;
    this.begin();
    for (;;) {
      const left = total - cells[0];
      const now = Math.abs(timing[START]);
      const least = SHORTEST * (now > Math.abs(begin) ? now : Math.abs(begin));
      cells[3] = least;
      if (!(left > least)) break;
      let h = control === null ? left : control.memory[NEXT_STEP];
      if (h > cells[1]) h = cells[1];
      if (this.shortened === 0 && 1.01 * h >= left) h = left;
      const isLastStep = control === null && this.steps >= mostSteps - 1;
      if (h > left || isLastStep) h = left;
      if (!(h > least) && !(h >= left)) return false; // NaN too
      timing[STEP] = h;
      method.attempt(timing);
      if (control !== null && !(method.error[0] <= 1)) {
        this.rejected++;
        if (this.rejected > mostSteps) return false;
        control.reject(timing, method.error);
        continue;
      }
      const found = locator !== null && locator.locate(timing);
      if (found && !isLastStep) {
        if (this.shorten()) continue;
        this.passEvent();
      } else {
        this.bounded = found;
        this.passStep(h === left);
      }
      this.steps++;
      if (control !== null && this.steps >= mostSteps && total - cells[0] > least) return false;
    }
    problem.time[0] = end;
    return true;
  }

  private begin(): void {
    this.parts.method.start(this.timing);
    if (this.locator !== null) this.locator.start();
  }

  /** Asks for a shorter step when one is needed to keep the order of the method at the event located. */
  private shorten(): boolean {
    const { events } = this.parts;
    const { cells, timing, locator } = this;
    if (locator === null || events === null) return false;
    if (this.shortened >= MOST_SHORTER || this.approaches >= MOST_APPROACHES) return false;
    const h = timing[STEP];
    const theta = locator.theta[0];
    if (cells[2] === 0) cells[2] = h;
    if (theta * h <= NEAR_START * cells[2]) return false;
    const smooth = events.isSmooth(locator.event);
    if (smooth && theta >= NEAR_END) return false;
    const next = theta * h * (smooth ? 1 + OVERSHOOT : 1 - UNDERSHOOT);
    if (!(next > 16 * cells[3]) || !(next < h)) return false; // too near to be told apart
    cells[1] = next;
    this.shortened++;
    return true;
  }

  /** The whole step stands. */
  private passStep(isLast: boolean): void {
    const { method, control, onStep } = this.parts;
    const { timing, cells } = this;
    const h = timing[STEP];
    if (control !== null) {
      const wanted = control.memory[NEXT_STEP];
      control.accept(timing, method.error);
      // a step cut short by the end of the span or by an event is no guide to the next one
      if (h < wanted && control.memory[NEXT_STEP] < wanted) control.memory[NEXT_STEP] = wanted;
    }
    if (onStep !== null) {
      method.prepareDense();
      onStep(timing, this.whole);
    }
    cells[0] += h;
    cells[1] = this.parts.longestStep;
    if (this.shortened > 0) this.approaches++;
    else {
      this.approaches = 0;
      cells[2] = 0;
    }
    this.shortened = 0;
    timing[START] = isLast ? cells[4] : timing[START] + h;
    method.accept(timing);
    if (this.locator !== null) this.locator.start();
  }

  /** The part of the step up to the event stands; then the event happens. */
  private passEvent(): void {
    const { problem, method, control, events, onStep } = this.parts;
    const { timing, cells, limit, locator } = this;
    if (locator === null || events === null) return;
    this.happened++;
    this.goBehind(locator, events);
    if (onStep !== null) onStep(timing, locator.theta);
    method.interpolate(locator.theta);
    problem.settle();
    events.measure();
    events.happen(locator.event);
    const passed = locator.theta[0] * timing[STEP];
    cells[0] += passed;
    cells[1] = this.parts.longestStep;
    cells[2] = 0;
    this.shortened = 0;
    this.approaches = 0;
    timing[START] += passed;
    if (control !== null) {
      control.forget();
      events.limitStep(limit);
      if (control.memory[NEXT_STEP] > limit[0]) control.memory[NEXT_STEP] = limit[0];
    }
    this.begin();
  }

  /** Moves the event on until its margin is below 0 in the settled state too: unit quaternions move a gap by its rounding. */
  private goBehind(locator: EventLocator, events: EventSource): void {
    const { problem, method } = this.parts;
    for (let on = EVENT_WIDTH; on <= MOST_BEHIND; on *= 2) {
      method.interpolate(locator.theta);
      problem.settle();
      events.measure();
      if (events.margins[locator.event] < 0 || locator.theta[0] + on > 1) return;
      locator.theta[0] += on;
    }
  }
}
