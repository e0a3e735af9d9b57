/**
 * Finds where in a step a margin falls below zero, on the dense output. docs/theory/integrators.md.
 *
 * Every event has a margin that is >= 0 until it happens. A step is checked at its end and, where a margin could have reached zero
 * and come back (least value possible with twice the rates at both ends), at quarters. Between two samples with the margin falling,
 * then rising, the minimum is found first. What it misses: two dips within one quarter of a step.
 */
import { type CellFunction, LEFT, RIGHT, RootFinder } from '../math/roots.ts';
import type { OneStepMethod } from './one-step.ts';

/** What can happen during integration. */
export interface EventSource {
  /** One per event; below 0: it has happened. */
  readonly margins: Float64Array;
  /** Their time derivatives; NaN where they are not known. */
  readonly marginRates: Float64Array;
  /** Both at the present values. @alloc none */
  measure(): void;
  /** Lets event `first`, and every other whose margin is below 0, happen at the present values; -1: only the others. @alloc none */
  happen(first: number): void;
  /** Whether the rates go on smoothly where the margin of this event is below 0 and it has not happened yet. */
  isSmooth(event: number): boolean;
  /** Longest step to try after what happened last, into limit[0]; ∞ for any. @alloc none */
  limitStep(limit: Float64Array): void;
}

const SAMPLES = 4;
/** Width of the bracket in which the event is located, as a part of the step. */
export const EVENT_WIDTH = 2 ** -50;
/** Rates between samples are taken to be at most this times those at the samples. */
const RATE_GROWTH = 2;

/** Locates the first event of a step. */
export class EventLocator implements CellFunction {
  /** [fraction of the step just behind the event] */
  readonly theta: Float64Array = new Float64Array(1);
  /** Index of the event located. */
  event = 0;
  private readonly method: OneStepMethod;
  private readonly source: EventSource;
  private readonly startMargins: Float64Array;
  private readonly startRates: Float64Array;
  private readonly leftMargins: Float64Array;
  private readonly leftRates: Float64Array;
  private readonly bracket: Float64Array = new Float64Array(2);
  private readonly turning: Float64Array = new Float64Array(2);
  private readonly root: RootFinder = new RootFinder();
  /** Event whose rate is being searched for its change of sign; -1: the least margin of all. */
  private seeking = -1;

  constructor(method: OneStepMethod, source: EventSource) {
    const count = source.margins.length;
    this.method = method;
    this.source = source;
    this.startMargins = new Float64Array(count);
    this.startRates = new Float64Array(count);
    this.leftMargins = new Float64Array(count);
    this.leftRates = new Float64Array(count);
  }

  /** Keeps the margins at the present values as those at the start of the step. @alloc none */
  start(): void {
    this.source.measure();
    this.startMargins.set(this.source.margins);
    this.startRates.set(this.source.marginRates);
  }

  /** True when an event lies in the step of length timing[0] just attempted; the values are then anywhere. @alloc none */
  locate(timing: Float64Array): boolean {
    const { source, bracket } = this;
    source.measure(); // the values are those at the end
    if (!this.mayHappen(timing)) return false;
    this.method.prepareDense();
    this.leftMargins.set(this.startMargins);
    this.leftRates.set(this.startRates);
    for (let s = 1; s <= SAMPLES; s++) {
      const left = (s - 1) / SAMPLES;
      const right = s / SAMPLES;
      this.theta[0] = right;
      this.method.interpolate(this.theta);
      source.measure();
      bracket[LEFT] = left;
      bracket[RIGHT] = right;
      if (this.hasHappened() || this.dips(timing)) {
        this.narrow();
        return true;
      }
      this.leftMargins.set(source.margins);
      this.leftRates.set(source.marginRates);
    }
    return false;
  }

  /** Least margin, or the negative rate of the one whose minimum is sought, at the fraction x[0]. @alloc none */
  evaluate(x: Float64Array, value: Float64Array): void {
    this.method.interpolate(x);
    this.source.measure();
    value[0] =
      this.seeking < 0 ? this.source.margins[this.least()] : -this.source.marginRates[this.seeking];
  }

  private narrow(): void {
    this.seeking = -1;
    const { bracket } = this;
    // a margin that starts below 0 has happened at once: the bracket has no change of sign
    const changes = this.root.narrow(this, bracket, EVENT_WIDTH);
    this.theta[0] = changes ? bracket[RIGHT] : bracket[LEFT];
    this.method.interpolate(this.theta);
    this.source.measure();
    this.event = this.least();
  }

  private least(): number {
    const { margins } = this.source;
    let at = 0;
    for (let e = 1; e < margins.length; e++) if (margins[e] < margins[at]) at = e;
    return at;
  }

  private hasHappened(): boolean {
    const { margins } = this.source;
    for (let e = 0; e < margins.length; e++) if (margins[e] < 0) return true;
    return false;
  }

  private mayHappen(timing: Float64Array): boolean {
    const h = timing[0];
    const { margins, marginRates } = this.source;
    for (let e = 0; e < margins.length; e++) {
      if (margins[e] < 0) return true;
      const a = Math.abs(this.startRates[e]);
      const b = Math.abs(marginRates[e]);
      const reach = RATE_GROWTH * h * (a > b ? a : b);
      if (!(this.startMargins[e] + margins[e] > reach)) return true;
    }
    return false;
  }

  /** Whether a margin falls and rises between the samples and is below 0 in between; the bracket then ends at its minimum. */
  private dips(timing: Float64Array): boolean {
    const h = timing[0] / SAMPLES;
    const { source, turning, bracket } = this;
    for (let e = 0; e < source.margins.length; e++) {
      const falls = this.leftRates[e];
      const rises = source.marginRates[e];
      if (!(falls < 0 && rises > 0)) continue;
      // the tangents at both ends meet below a margin without inflection
      const a = this.leftMargins[e];
      const b = source.margins[e];
      const meet = (b - a - rises * h) / (falls - rises);
      if (a + falls * meet > 0) continue;
      turning[LEFT] = bracket[LEFT];
      turning[RIGHT] = bracket[RIGHT];
      this.seeking = e;
      const found = this.root.narrow(this, turning, 1e-9);
      this.seeking = -1;
      if (found) {
        this.theta[0] = turning[RIGHT];
        this.method.interpolate(this.theta);
        source.measure();
        if (source.margins[e] < 0) {
          bracket[RIGHT] = turning[RIGHT];
          return true;
        }
      }
      // back to the right sample for the next event
      this.theta[0] = bracket[RIGHT];
      this.method.interpolate(this.theta);
      source.measure();
    }
    return false;
  }
}
