/**
 * A scripted flight as a machine of steps: pure, fed with what is measured ten times a second, answers with stick positions. What it
 * flies is a plan out of a file (config/flight.ts, docs/scripted-flights.md).
 */
import type { FlightPlan, PlannedStep } from '../../config/flight.ts';
import { type FlightRule, RANGE_NAMES, type RangeName } from '../../config/flight-schema.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { Welcome } from '../client/node.ts';
import {
  angleBetween,
  BASE,
  dot,
  type Frame,
  inverse,
  multiply,
  norm,
  orientationAlong,
  pointIn,
  pointOf,
  rotate,
  rotationTo,
} from './flight-frames.ts';

/** What the script reads. */
export interface FlightView {
  /** Model time, s. */
  readonly time_s: number;
  /** Tool point, base frame, m. */
  readonly position_m: readonly number[];
  readonly orientation: readonly number[];
  /** Force and moment on the tool at the tool point, N and N m, base frame. */
  readonly force_N: readonly number[];
  readonly moment_Nm: readonly number[];
  /** Whether anything touches the tool, and pairs of cells that touch. */
  readonly contact: boolean;
  readonly pairs: number;
}

/** What of a service the script has to know. */
export type FlightFacts = Pick<Welcome, 'insertion' | 'tool'> & {
  readonly operator: Pick<
    Welcome['operator'],
    'deadband' | 'coarse_speed_mps' | 'coarse_angular_speed_radps'
  >;
};

type Conditions = FlightPlan['begin'][number] & Partial<FlightRule>;

const DEGREE = Math.PI / 180;
/** Time constant with which a waypoint or an orientation is approached, s: several readings long. */
const APPROACH_S = 0.5;
/** Rounding of model time, s. */
const TIME_ERROR_S = 1e-6;
/** Longest time over which a stall is judged, s. */
const TRACK_S = 60;
/** Quantities that need a seat. */
const OF_THE_SEAT: readonly string[] = [
  'depth_m',
  'depth_ratio',
  'remaining_m',
  'off_axis_m',
  'tilt_rad',
] satisfies RangeName[];

/** Name of the file of a scenario that was loaded by its path, without folder and ending. */
const fileName = (scenario: string): string =>
  scenario.replace(/^.*[/\\]/, '').replace(/[.]ya?ml$/i, '');

/** Refuses a plan that the service cannot fly. @throws BerthError with the step and what is missing */
export function checkPlan(plan: FlightPlan, scenario: string, facts: FlightFacts): void {
  const refuse = (why: string): never => {
    throw new BerthError('BERTH_MISMATCH', `script "${plan.name}": ${why}`, { field: 'script' });
  };
  if (plan.scenario !== null && ![scenario, fileName(scenario)].includes(plan.scenario)) {
    refuse(`it is for scenario ${plan.scenario}; the service runs ${scenario}`);
  }
  const rules = [
    ...plan.begin.map((rule) => ({ rule, place: 'begin' })),
    ...plan.steps.flatMap(({ name, until }) =>
      until.map((rule) => ({ rule, place: `step "${name}"` })),
    ),
  ];
  if (facts.insertion === null) {
    const way = plan.steps.find((step) => step.frame === 'way');
    if (way !== undefined) {
      refuse(`step "${way.name}" is in frame way; scenario ${scenario} has no insertion`);
    }
    for (const { rule, place } of rules) {
      const name = OF_THE_SEAT.find((one) => one in rule);
      if (name !== undefined) {
        refuse(`${place} compares ${name}; scenario ${scenario} has no insertion`);
      }
    }
  }
  if (facts.tool === null && plan.accommodates !== null) {
    refuse(`it sets the accommodation; scenario ${scenario} has no tool`);
  }
  const plateau = rules.find(({ rule }) => 'plateau_ratio' in rule);
  if (facts.tool === null && plateau !== undefined) {
    refuse(`${plateau.place} compares plateau_ratio; scenario ${scenario} has no tool`);
  }
}

/** Steps of a flight, from measurements to stick positions. */
export class FlightScript {
  /** Sticks: translation x, y, z, rotation x, y, z; coarse gear, base frame. */
  readonly axes: number[] = [0, 0, 0, 0, 0, 0];
  /** Lines for the operator since the last reading. */
  readonly words: string[] = [];
  /** Whether the step with `goal` has begun, or the end of a flight without one. */
  reached = false;
  /** Whether the last step has ended. */
  ended = false;
  /** Why the flight failed; null while it has not. */
  failure: string | null = null;
  readonly #plan: FlightPlan;
  readonly #facts: FlightFacts;
  readonly #hold_s: number | null;
  /** Names of steps with `once` that have ended. */
  readonly #flown: Set<string>;
  readonly #way: Frame | null;
  #index = -1;
  #since_s = NaN;
  #here: Frame = BASE;
  /** Since when each rule of the step holds, s; NaN while it does not. */
  #holdsSince_s: number[] = [];
  /** Time and tool point of the readings of this step. */
  #track: { readonly time_s: number; readonly position_m: readonly number[] }[] = [];

  /**
   * @param hold_s - time of the step with `goal`, in place of its own; null leaves that
   * @param flown - steps with `once` that the flight has flown before; it is kept up to date
   */
  constructor(
    plan: FlightPlan,
    facts: FlightFacts,
    hold_s: number | null = null,
    flown = new Set<string>(),
  ) {
    this.#plan = plan;
    this.#facts = facts;
    this.#hold_s = hold_s;
    this.#flown = flown;
    this.#way = facts.insertion === null ? null : wayOf(facts.insertion);
  }

  /** Name of the present step; empty before the first reading. */
  get step(): string {
    return this.#plan.steps[this.#index]?.name ?? '';
  }

  /** Depth, m: 0 at the mouth, full at the floor; NaN without an insertion. */
  depth_m({ position_m }: FlightView): number {
    return this.#way === null ? NaN : pointIn(this.#way, position_m)[0];
  }

  /** Angle to the seated orientation, rad; NaN without an insertion. */
  tilt_rad({ orientation }: FlightView): number {
    const { insertion } = this.#facts;
    return insertion === null ? NaN : angleBetween(orientation, insertion.seated_orientation);
  }

  /** One reading: sets `axes` and, when there is something to report, `words`. */
  read(view: FlightView): void {
    if (this.#index < 0) this.#begin(view);
    this.#track.push({ time_s: view.time_s, position_m: view.position_m });
    this.#track = this.#track.filter(({ time_s }) => view.time_s - time_s <= TRACK_S);
    if (!this.ended && this.failure === null) this.#decide(this.#plan.steps[this.#index], view);
    this.#steer(view);
  }

  #begin(view: FlightView): void {
    const { begin, steps } = this.#plan;
    const rule = begin.find((one) => this.#holds(one, steps[0], view));
    if (rule === undefined) {
      this.#enter(0, view);
      return;
    }
    this.#go(rule.go, view, rule.report ?? `begins with ${rule.go}`);
  }

  #decide(step: PlannedStep, view: FlightView): void {
    const force = norm(view.force_N);
    const moment = norm(view.moment_Nm);
    if (force > step.forceLimit || moment > step.momentLimit) {
      const [what, limit] =
        force > step.forceLimit
          ? [`force of ${force.toFixed(1)} N`, `force_limit_N ${step.forceLimit} N`]
          : [`moment of ${moment.toFixed(2)} N m`, `moment_limit_Nm ${step.momentLimit} N m`];
      this.failure = `A ${what} is above ${limit} in step "${step.name}".`;
      return;
    }
    const spent_s = view.time_s - this.#since_s;
    for (const [k, rule] of step.until.entries()) {
      if (!this.#holds(rule, step, view)) {
        this.#holdsSince_s[k] = NaN;
        continue;
      }
      if (Number.isNaN(this.#holdsSince_s[k])) this.#holdsSince_s[k] = view.time_s;
      const held_s = view.time_s - this.#holdsSince_s[k];
      if (held_s < (rule.held_s ?? 0) - TIME_ERROR_S) continue;
      this.#leave(step, rule.go, view, rule.report ?? step.name);
      return;
    }
    if (step.endsThere && this.#isThere(step, view)) this.#leave(step, 'next', view, step.name);
    else if (spent_s > step.timeout_s && !step.goal) {
      this.failure = `No progress in step "${step.name}" ${this.#factsOf(view)}.`;
    }
  }

  #leave(step: PlannedStep, go: string, view: FlightView, report: string): void {
    if (step.once) this.#flown.add(step.name);
    if (step.goal) this.#flown.clear(); // the next flight flies all of them again
    this.#go(go, view, report);
  }

  #go(go: string, view: FlightView, report: string): void {
    const { steps } = this.#plan;
    let next = go === 'next' ? this.#index + 1 : steps.findIndex((step) => step.name === go);
    while (next >= 0 && next < steps.length && this.#isPassed(steps[next])) next++;
    const words = `${report} ${this.#factsOf(view)}`;
    if (go === 'fail') {
      this.failure = `The script gave up in step "${this.step}": ${words}.`;
    } else if (go === 'end' || next >= steps.length) {
      this.words.push(words);
      this.ended = true;
      if (!steps.some((step) => step.goal)) this.reached = true;
    } else {
      this.words.push(`${words}; ${steps[next].name}`);
      this.#enter(next, view);
    }
  }

  #isPassed({ once, name }: PlannedStep): boolean {
    return once && this.#flown.has(name);
  }

  #enter(index: number, view: FlightView): void {
    const step = this.#plan.steps[index];
    this.#index = index;
    this.#since_s = view.time_s;
    this.#here = { origin: view.position_m, orientation: view.orientation };
    this.#holdsSince_s = step.until.map(() => NaN);
    this.#track = [];
    if (step.goal) this.reached = true;
  }

  /** Whether all conditions of a rule hold, its `held_s` apart. */
  #holds(rule: Conditions, step: PlannedStep, view: FlightView): boolean {
    const spent_s = view.time_s - this.#since_s;
    const after_s = step.goal && rule.after_s !== undefined ? this.#hold_s : null;
    return (
      (rule.flown === undefined || this.#flown.has(rule.flown)) &&
      (rule.contact === undefined || rule.contact === view.contact) &&
      (rule.reached === undefined || rule.reached === this.#isThere(step, view)) &&
      (rule.after_s === undefined || spent_s >= (after_s ?? rule.after_s) - TIME_ERROR_S) &&
      (rule.stalled === undefined || this.#isStalled(rule.stalled, step, view)) &&
      RANGE_NAMES.every((name) => {
        const range = rule[name];
        if (range === undefined) return true;
        const value = this.#quantity(name, step, view);
        return value > (range.above ?? -Infinity) && value < (range.below ?? Infinity);
      })
    );
  }

  #quantity(name: RangeName, step: PlannedStep, view: FlightView): number {
    const { insertion } = this.#facts;
    const full = insertion?.depth_m ?? NaN;
    switch (name) {
      case 'depth_m':
        return this.depth_m(view);
      case 'depth_ratio':
        return this.depth_m(view) / full;
      case 'remaining_m':
        return full - this.depth_m(view);
      case 'off_axis_m':
        return this.#way === null ? NaN : norm(pointIn(this.#way, view.position_m).slice(1));
      case 'tilt_rad':
        return this.tilt_rad(view);
      case 'x_m':
      case 'y_m':
      case 'z_m':
        return pointIn(this.#frameOf(step), view.position_m)['xyz'.indexOf(name[0])];
      case 'force_N':
        return norm(view.force_N);
      case 'moment_Nm':
        return norm(view.moment_Nm);
      case 'push_N':
        return -dot(view.force_N, this.#alongOf(step));
      case 'plateau_ratio':
        return -dot(view.force_N, this.#alongOf(step)) / this.#plateau_N(step);
      case 'pairs':
        return view.pairs;
    }
  }

  /** Push at rest: gain times commanded speed and dead-band (Gonthier 2007, 5.1.4), N. */
  #plateau_N(step: PlannedStep): number {
    const { tool } = this.#facts;
    if (tool === null) return NaN;
    const speed = dot(step.velocity, step.along ?? [0, 0, 0]);
    return tool.force_gain_Ns_per_m * speed + tool.force_deadband_N;
  }

  #isStalled(
    { less_than_m, in_s }: NonNullable<FlightRule['stalled']>,
    step: PlannedStep,
    view: FlightView,
  ): boolean {
    const before = this.#track.findLast(
      ({ time_s }) => view.time_s - time_s >= in_s - TIME_ERROR_S,
    );
    if (before === undefined) return false;
    const way = view.position_m.map((value, a) => value - before.position_m[a]);
    return dot(way, this.#alongOf(step)) < less_than_m;
  }

  #frameOf({ frame }: PlannedStep): Frame {
    if (frame === 'here') return this.#here;
    return frame === 'way' && this.#way !== null ? this.#way : BASE;
  }

  /** Direction of push and stall in the base frame. */
  #alongOf(step: PlannedStep): number[] {
    return rotate(this.#frameOf(step).orientation, step.along ?? [0, 0, 0]);
  }

  /** Orientation of the waypoint in the base frame. */
  #targetOf(step: PlannedStep, orientation: readonly number[]): readonly number[] {
    const { insertion } = this.#facts;
    const frame = this.#frameOf(step).orientation;
    if (step.frame !== 'way' || insertion === null) return multiply(frame, orientation);
    const turn = multiply(multiply(frame, orientation), inverse(frame));
    return multiply(turn, insertion.seated_orientation);
  }

  #isThere(step: PlannedStep, view: FlightView): boolean {
    const { away, turn } = this.#errors(step, view);
    return norm(away) <= step.tolerance_m && norm(turn) <= step.tolerance_rad;
  }

  /** From the tool to its waypoint, m, and to its orientation, rad, base frame; zero where there is none. */
  #errors(step: PlannedStep, view: FlightView): { away: number[]; turn: number[] } {
    const { position, orientation } = step;
    const target = position === null ? view.position_m : pointOf(this.#frameOf(step), position);
    return {
      away: target.map((value, a) => value - view.position_m[a]),
      turn:
        orientation === null
          ? [0, 0, 0]
          : rotationTo(view.orientation, this.#targetOf(step, orientation)),
    };
  }

  #steer(view: FlightView): void {
    const { operator } = this.#facts;
    const step = this.#plan.steps[this.#index];
    let linear = [0, 0, 0];
    let angular = [0, 0, 0];
    if (!this.ended && this.failure === null) {
      const frame = this.#frameOf(step).orientation;
      const { away, turn } = this.#errors(step, view);
      linear = step.position === null ? rotate(frame, step.velocity) : towards(away, step.speed);
      angular =
        step.orientation === null
          ? rotate(frame, step.angularVelocity)
          : towards(turn, step.angularSpeed);
    }
    this.#deflect(0, linear, operator.coarse_speed_mps);
    this.#deflect(3, angular, operator.coarse_angular_speed_radps);
  }

  /** Three sticks for a velocity. One that is faster than full deflection keeps its direction. */
  #deflect(from: number, velocity: readonly number[], full: number): void {
    const most = Math.max(full, ...velocity.map(Math.abs));
    for (let a = 0; a < 3; a++) this.axes[from + a] = this.#stick(velocity[a] / most);
  }

  /** The stick that gives a part of full deflection: its dead-band is jumped over. */
  #stick(part: number): number {
    const size = Math.min(1, Math.abs(part));
    if (size < 1e-6) return 0;
    const { deadband } = this.#facts.operator;
    return Math.sign(part) * (deadband + (1 - deadband) * size);
  }

  /** Where the tool is and what acts on it, for the operator. */
  #factsOf(view: FlightView): string {
    const { insertion } = this.#facts;
    const pairs = `${view.pairs} cell pairs`;
    if (insertion === null) {
      const place = view.position_m.map((value) => fixed(value * 1000, 1)).join(', ');
      return `at [${place}] mm: ${fixed(norm(view.force_N), 1)} N, ${pairs}`;
    }
    const depth = `${fixed(this.depth_m(view) * 1000, 1)} mm of ${fixed(insertion.depth_m * 1000, 0)} mm`;
    const push = `${fixed(-dot(view.force_N, insertion.direction), 1)} N along the way`;
    return `at ${depth}: ${push}, tilt ${fixed(this.tilt_rad(view) / DEGREE, 2)}°, ${pairs}`;
  }
}

/** A number with so many decimals, and no minus before zeros. */
function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** Frame of the way in: origin at the mouth, x into the seat. */
function wayOf(insertion: NonNullable<Welcome['insertion']>): Frame {
  const { seated_position_m: seat, direction, depth_m } = insertion;
  return {
    origin: seat.map((value, a) => value - depth_m * direction[a]),
    orientation: orientationAlong(direction),
  };
}

/** Velocity towards a point that is so far away, at a speed at most. */
function towards(away: readonly number[], speed: number): number[] {
  const distance = norm(away);
  if (distance === 0) return [0, 0, 0];
  const rate = Math.min(speed, distance / APPROACH_S) / distance;
  return away.map((value) => value * rate);
}
