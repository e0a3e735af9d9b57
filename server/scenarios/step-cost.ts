/**
 * What a step of a scenario costs on this machine, against the period of the loop: the whole model, and each contact by itself, where it is
 * dearest. With a tool that is searched along the commanded way and in the seat, with a measured pose; without one in the first seconds
 * of the free motion. Each place is timed several times, and the shortest counts.
 *
 * Times and their budgets are processor time of the thread, where the system has it. A busy machine that gives this thread a quarter of
 * a core makes a step that is timed by the clock four times as long, and a second of warming up too short to compile anything.
 */
import { contactKernels } from '../../config/contact-kernels.ts';
import { compileInsertion, type Insertion } from '../../config/compile-insertion.ts';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { LoopMode } from '../../hil/contract/codes.ts';
import { openThreadTime } from '../../hil/os/thread-time.ts';
import type { SystemModel } from '../../src/model/model.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  makeSystem,
  type System,
} from '../../src/system/system.ts';

/** Cost of a contact by itself, or of the whole. */
export interface Cost {
  /** Name of the contact. */
  readonly name: string;
  /** How many cell pairs are measured by which method; empty for other contacts. */
  readonly methods: readonly (readonly [method: string, pairs: number])[];
  readonly step_s: number;
}

export interface StepCosts {
  readonly scenario: string;
  readonly period_s: number;
  /** All contacts together, and everything that moves. */
  readonly whole_s: number;
  readonly contacts: readonly Cost[];
}

/** Share of the period that the step may have: the rest of a tick needs some, and wakes up late. */
export const STEP_SHARE = 0.8;

/** Places along a piece of the commanded way, halvings of the last one, and the way beyond the seat, m. */
const PLACES = 30;
const HALVINGS = 10;
const SEAT_DEPTH_M = 0.02;
/** Way of the tool between two timed steps, m. */
const NUDGE_M = 1e-8;
/** Numbers of a pose, before the twist. */
const POSE = 7;
/** Steps of a free motion that count, in pieces of so many. */
const FREE_STEPS = 2000;
const PIECE = 10;
/** Steps that are timed together, and how often; dear ones as often as the time allows. */
const STEPS = 10;
const ROUNDS = 15;
/** Steps in which code is compiled. */
const WARM_STEPS = 1500;
/** Most time for that, and for the measurement of a place, ms. */
const BUDGET_MS = 1000;
/** Places that are timed: those where most touches. */
const TIMED = 6;

/** Reads the processor time of the thread, ms. */
const time_ms = openThreadTime();

/** A moment of which the next steps are timed. */
interface Moment {
  readonly state: Float64Array;
  /** Measured motion of the tool; empty without a tool. */
  readonly motion: Float64Array;
}

/**
 * Cost of the whole step of a scenario at a period, s; `force_N`: the force limit, beyond which the arm is stopped.
 * @throws BerthError for a scenario that cannot be read
 */
export function wholeCost(name: string, period_s: number, force_N: number): number {
  const { model, pace } = prepare(name, period_s, force_N);
  return costOf(model, pace);
}

/** The same, which may be known already, and the cost of each contact by itself. */
export function stepCosts(
  name: string,
  period_s: number,
  force_N: number,
  known_s?: number,
): StepCosts {
  const { model, pace } = prepare(name, period_s, force_N);
  const whole_s = known_s ?? costOf(model, pace);
  const system = makeSystem(model, contactKernels());
  const contacts = model.contacts.map((contact, k) => ({
    name: contact.name,
    methods: [...system.overlapMethods(k)],
    step_s: model.contacts.length === 1 ? whole_s : costOf({ ...model, contacts: [contact] }, pace),
  }));
  return { scenario: name, period_s, whole_s, contacts };
}

interface Pace {
  readonly seat: Insertion | null;
  readonly period_s: number;
  readonly force_N: number;
}

function prepare(
  name: string,
  period_s: number,
  force_N: number,
): { readonly model: SystemModel; readonly pace: Pace } {
  const scenario = loadScenario(name);
  const seat = compileInsertion(scenario);
  return { model: compileScenario(scenario), pace: { seat, period_s, force_N } };
}

function costOf(model: SystemModel, { seat, period_s, force_N }: Pace): number {
  const system = makeSystem(model, contactKernels());
  const moments =
    model.tool === null ? freeMoments(system, period_s) : placesOf(system, seat, force_N);
  warm(system, moments, period_s);
  // by what touches and not by a first time, which other work of the machine spoils
  const touching = moments.map((moment) => ({ moment, touch: touchAt(system, moment).pairs }));
  const most = touching.sort((a, b) => b.touch - a.touch).slice(0, TIMED);
  return Math.max(0, ...most.map(({ moment }) => best(system, moment, period_s, ROUNDS, STEPS)));
}

/** Lets the machine compile what a step runs. */
function warm(system: System, moments: readonly Moment[], period_s: number): void {
  const end_ms = time_ms() + BUDGET_MS;
  for (let n = 0; n < WARM_STEPS && time_ms() < end_ms; n += 2) {
    timed(system, moments[(n >> 1) % moments.length], period_s, 2);
  }
}

/** Shortest of several rounds; dear steps get fewer of them. */
function best(
  system: System,
  moment: Moment,
  period_s: number,
  rounds: number,
  steps: number,
): number {
  const end_ms = time_ms() + BUDGET_MS;
  let least_s = timed(system, moment, period_s, steps);
  for (let round = 1; round < rounds && time_ms() < end_ms; round++) {
    least_s = Math.min(least_s, timed(system, moment, period_s, steps));
  }
  return least_s;
}

/** Mean time of the next steps, s. */
function timed(system: System, moment: Moment, period_s: number, steps: number): number {
  put(system, moment, period_s, 1); // the way there is none of them
  const start_ms = time_ms();
  for (let n = 0; n < steps; n++) {
    nudge(system);
    system.step(period_s);
  }
  return (1e-3 * (time_ms() - start_ms)) / steps;
}

/** Moves the measured tool a little: an overlap is computed once for a pose, and an arm never stands still. */
function nudge({ tool }: System): void {
  if (tool === null) return;
  for (let axis = 0; axis < 3; axis++) tool.measuredMotion[axis] += NUDGE_M;
}

/** Goes to a moment and makes steps there. @returns the number of failed ones */
function put(system: System, { state, motion }: Moment, step_s: number, steps: number): number {
  system.restore(state);
  system.tool?.measuredMotion.set(motion);
  system.placeTool();
  let failed = 0;
  for (let n = 0; n < steps; n++) failed += system.step(step_s) === 0 ? 0 : 1;
  return failed;
}

/** Where the tool touches: along the commanded way and in the seat, as deep as the force limit lets it. */
function placesOf(system: System, seat: Insertion | null, force_N: number): Moment[] {
  const { model } = system;
  const port = system.tool!;
  port.mode = LoopMode.VIRTUAL;
  system.useSchedule = false;
  const state = system.state.slice();
  const start = new Float64Array(port.measuredMotion.length);
  system.readBody(system.bodyIndex(model.tool!.payload), start, 0);
  start.fill(0, POSE); // a place is timed at rest
  const moments: Moment[] = [{ state, motion: start.slice() }];
  const at = (x: number, y: number, z: number, turn: ArrayLike<number>): Moment => {
    const motion = start.slice();
    motion.set([x, y, z]);
    motion.set(turn, 3);
    return { state, motion };
  };
  /** The last place of a way that the force limit allows, and those before it. */
  const take = (way: (share: number) => Moment, count: number): void => {
    let [free, deep] = [0, 1];
    for (let n = 0; n <= count; n++) {
      const moment = way(n / count);
      if (forceAt(system, moment) > force_N) {
        deep = n / count;
        break;
      }
      free = n / count;
      moments.push(moment);
    }
    for (let k = 0; k < HALVINGS && free < deep; k++) {
      const middle = (free + deep) / 2;
      if (forceAt(system, way(middle)) > force_N) deep = middle;
      else free = middle;
    }
    moments.push(way(free));
  };
  const ends = waypoints(model, start);
  ends.slice(1).forEach((end, k) => {
    const from = ends[k] ?? end;
    take((share) => {
      const [x, y, z] = end.map((value, axis) => from[axis] + share * (value - from[axis]));
      return at(x, y, z, start.subarray(3, POSE));
    }, PLACES);
  });
  if (seat !== null) {
    const { position: p, direction: d, orientation } = seat;
    take((share) => {
      const way = SEAT_DEPTH_M * share;
      return at(p[0] + way * d[0], p[1] + way * d[1], p[2] + way * d[2], orientation);
    }, 2);
  }
  return moments;
}

/** Ends of the pieces of the commanded way. */
function waypoints({ command, duration }: SystemModel, start: Float64Array): number[][] {
  const points = [[...start.subarray(0, 3)]];
  command.forEach(({ time, twist }, k) => {
    const span_s = (command[k + 1]?.time ?? duration) - time;
    const from = points[points.length - 1] ?? [];
    points.push(from.map((value, axis) => value + span_s * (twist[axis] ?? 0)));
  });
  return points;
}

/** Sum of the contact forces at a place, N; infinite where the step fails. */
const forceAt = (system: System, moment: Moment): number => touchAt(system, moment).force_N;

/** What touches at a place: sum of the forces, N, and pairs of cells; a contact without cells counts as one. */
function touchAt(system: System, moment: Moment): { force_N: number; pairs: number } {
  const failed = put(system, moment, system.model.step, 2);
  const row = new Float64Array(CONTACT_READOUT.length);
  let force_N = failed > 0 ? Infinity : 0;
  let pairs = 0;
  for (let k = 0; k < system.contactCount; k++) {
    system.readContact(k, row, 0);
    force_N += row[ContactReadout.normalForce];
    pairs += Math.max(row[ContactReadout.pairs], row[ContactReadout.active]);
  }
  return { force_N, pairs };
}

/** The free motion from the start, piece by piece. */
function freeMoments(system: System, period_s: number): Moment[] {
  const motion = new Float64Array(0);
  const moments: Moment[] = [];
  const end_ms = time_ms() + BUDGET_MS;
  for (let n = 0; n < FREE_STEPS && time_ms() < end_ms; n += PIECE) {
    moments.push({ state: system.state.slice(), motion });
    for (let k = 0; k < PIECE; k++) system.step(period_s);
  }
  return moments;
}
