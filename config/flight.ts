/** Scripted flights by name or file: list, load, check. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BerthError } from '../src/base/errors.ts';
import type { Quadruple, Triple } from '../src/model/model.ts';
import {
  ACCOMMODATING,
  type FlightFile,
  type FlightRule,
  FlightSchema,
  type FlightStep,
  RANGE_NAMES,
} from './flight-schema.ts';
import { MOST_TEXT_BYTES, readInput } from './input-file.ts';
import { locatedField } from './located-field.ts';
import { compileOrientation } from './orientation.ts';
import { packageRoot, shownPath } from './paths.ts';
import { nearest, readBySchema } from './read.ts';
import { unit } from './unit-vector.ts';
import { YamlSource } from './yaml-source.ts';

/** Words of `go` beside the names of steps. */
export const GO_WORDS = ['next', 'end', 'fail'] as const;

/** One step: where the tool goes, how fast, and what ends it. SI units; vectors in the frame of the step. */
export interface PlannedStep {
  readonly name: string;
  readonly frame: FlightStep['frame'];
  /** Waypoint, m, and the speed towards it, m/s; null for none. */
  readonly position: Triple | null;
  readonly speed: number;
  /** Velocity in place of a waypoint, m/s. */
  readonly velocity: Triple;
  /** Orientation to turn to, and the rate, rad/s; null for none. */
  readonly orientation: Quadruple | null;
  readonly angularSpeed: number;
  /** Angular velocity in place of an orientation, rad/s. */
  readonly angularVelocity: Triple;
  readonly tolerance_m: number;
  readonly tolerance_rad: number;
  /** Unit vector of push, plateau and stall in the frame; null for none. */
  readonly along: Triple | null;
  /** Largest force, N, and moment, N m. */
  readonly forceLimit: number;
  readonly momentLimit: number;
  readonly once: boolean;
  readonly goal: boolean;
  /** Whether the step ends where its waypoint and orientation are reached. */
  readonly endsThere: boolean;
  readonly until: readonly FlightRule[];
  readonly timeout_s: number;
}

/** A flight that is checked: names exist, every step has an end. */
export interface FlightPlan {
  readonly name: string;
  readonly title: string;
  /** Name of the only scenario that it is for; null for any. */
  readonly scenario: string | null;
  /** Which of the six axes accommodate, forces first; null leaves them as they are. */
  readonly accommodates: readonly boolean[] | null;
  readonly begin: FlightFile['begin'];
  readonly steps: readonly PlannedStep[];
}

function flightFolder(): string {
  return join(packageRoot(), 'config', 'flights');
}

/** Names of the flights in the package. */
export function flightNames(): string[] {
  return readdirSync(flightFolder())
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

/** Whether a text names a file, as against a flight of the package. */
export const isFlightFile = (nameOrPath: string): boolean => /[/\\]|[.]ya?ml$/i.test(nameOrPath);

/**
 * Loads a flight by name or path and checks it.
 * @throws BerthError with `file:line:column`
 */
export function loadFlight(nameOrPath: string): FlightPlan {
  const file = flightFile(nameOrPath);
  const text = readInput(file, 'script', MOST_TEXT_BYTES).toString();
  const source = new YamlSource(shownPath(file), text);
  const given = readBySchema(source, FlightSchema) as FlightFile;
  try {
    return compileFlight(given);
  } catch (error) {
    if (error instanceof BerthError) throw locatedField(source, error);
    throw error;
  }
}

function flightFile(nameOrPath: string): string {
  if (isFlightFile(nameOrPath)) {
    if (existsSync(nameOrPath) && statSync(nameOrPath).isFile()) return nameOrPath;
    throw new BerthError('BERTH_MISSING_FILE', `there is no flight file "${nameOrPath}"`, {
      field: 'script',
    });
  }
  const names = flightNames();
  if (names.includes(nameOrPath)) return join(flightFolder(), `${nameOrPath}.yaml`);
  throw new BerthError(
    'BERTH_MISSING_FILE',
    `flight "${nameOrPath}" does not exist; allowed: ${names.join(', ')}, or a YAML file`,
    { field: 'script' },
  );
}

function compileFlight(file: FlightFile): FlightPlan {
  const steps = file.steps.map((step, i) => compileStep(file, step, `steps[${i}]`));
  checkNames(file);
  file.begin.forEach((rule, i) => {
    checkRule(rule, `begin[${i}]`, file);
    checkConditions(steps[0], rule, `begin[${i}]`);
    if (rule.go === 'next') {
      throw refused(`begin[${i}].go is "next"; allowed: the name of a step`, `begin[${i}].go`);
    }
  });
  file.steps.forEach((step, i) => {
    step.until.forEach((rule, k) => checkRule(rule, `steps[${i}].until[${k}]`, file));
    step.until.forEach((rule, k) => checkConditions(steps[i], rule, `steps[${i}].until[${k}]`));
  });
  const { name, title, scenario = null, accommodates, begin } = file;
  return {
    name,
    title,
    scenario,
    accommodates:
      accommodates === undefined
        ? null
        : ACCOMMODATING.map((axis) => (accommodates as readonly string[]).includes(axis)),
    begin,
    steps,
  };
}

const refused = (message: string, field: string): BerthError =>
  new BerthError('BERTH_MISMATCH', message, { field });

function checkNames({ steps }: FlightFile): void {
  const seen = new Set<string>();
  let goal: string | null = null;
  for (const [i, { name, goal: isGoal }] of steps.entries()) {
    const field = `steps[${i}].name`;
    if ((GO_WORDS as readonly string[]).includes(name)) {
      throw refused(`${field} is "${name}"; allowed: any name but ${GO_WORDS.join(', ')}`, field);
    }
    if (seen.has(name)) {
      const text = `the step "${name}" appears twice; allowed: each name once`;
      throw new BerthError('BERTH_DUPLICATE_NAME', text, { field });
    }
    seen.add(name);
    if (isGoal && goal !== null) {
      const text = `steps[${i}].goal is true, and so is that of "${goal}"; allowed: one goal`;
      throw refused(text, `steps[${i}].goal`);
    }
    if (isGoal) goal = name;
  }
}

/** Fields of which a step has one at most. */
const EITHER = [
  ['position_m', 'velocity_mps'],
  ['orientation', 'angular_velocity_radps'],
] as const;

function compileStep(file: FlightFile, step: FlightStep, field: string): PlannedStep {
  for (const [a, b] of EITHER) {
    if (step[a] === undefined || step[b] === undefined) continue;
    const text = `${field} "${step.name}" has ${a} and ${b}; allowed: one of them`;
    throw refused(text, `${field}.${b}`);
  }
  const speed = step.speed_mps ?? file.speed_mps;
  const angularSpeed = step.angular_speed_radps ?? file.angular_speed_radps;
  const needed = (name: string): BerthError => {
    const text = `${field}.${name} is missing; allowed: a number in the step, or in the file for all steps`;
    return new BerthError('BERTH_MISSING_FIELD', text, { field });
  };
  if (step.position_m !== undefined && speed === undefined) throw needed('speed_mps');
  if (step.orientation !== undefined && angularSpeed === undefined) {
    throw needed('angular_speed_radps');
  }
  const goesThere = step.position_m !== undefined || step.orientation !== undefined;
  const moves = step.velocity_mps !== undefined || step.angular_velocity_radps !== undefined;
  const endsThere = goesThere && !moves;
  if (!endsThere && step.until.length === 0) {
    const text = `${field} "${step.name}" has no end; allowed: rules in until, or a waypoint without velocity`;
    throw new BerthError('BERTH_MISSING_FIELD', text, { field });
  }
  return {
    name: step.name,
    frame: step.frame,
    position: step.position_m ?? null,
    speed: speed ?? 0,
    velocity: step.velocity_mps ?? [0, 0, 0],
    orientation:
      step.orientation === undefined
        ? null
        : compileOrientation(step.orientation, `${field}.orientation`),
    angularSpeed: angularSpeed ?? 0,
    angularVelocity: step.angular_velocity_radps ?? [0, 0, 0],
    tolerance_m: step.tolerance_m,
    tolerance_rad: step.tolerance_rad,
    along: directionOf(step, field),
    forceLimit: step.force_limit_N ?? file.force_limit_N ?? Infinity,
    momentLimit: step.moment_limit_Nm ?? file.moment_limit_Nm ?? Infinity,
    once: step.once,
    goal: step.goal,
    endsThere,
    until: step.until,
    timeout_s: step.timeout_s,
  };
}

/** Direction of push and stall: as given, else the way in, else that of the velocity. */
function directionOf(step: FlightStep, field: string): Triple | null {
  if (step.along !== undefined) return unit(step.along, `${field}.along`);
  if (step.frame === 'way') return [1, 0, 0];
  const { velocity_mps: velocity } = step;
  if (velocity === undefined || velocity.every((part) => part === 0)) return null;
  return unit(velocity, `${field}.velocity_mps`);
}

type AnyRule = FlightFile['begin'][number];

function checkRule(rule: AnyRule, field: string, { steps }: FlightFile): void {
  for (const name of RANGE_NAMES) {
    const range = rule[name];
    if (range === undefined) continue;
    const { above = -Infinity, below = Infinity } = range;
    if (above < below && (above > -Infinity || below < Infinity)) continue;
    const text =
      range.above === undefined
        ? `${field}.${name} compares with nothing; allowed: above, below or both`
        : `${field}.${name} is above ${above} and below ${below}; allowed: above less than below`;
    throw new BerthError('BERTH_PARAMETER_RANGE', text, { field: `${field}.${name}` });
  }
  const { go, flown } = rule;
  const names = steps.map((step) => step.name);
  if (!names.includes(go) && !(GO_WORDS as readonly string[]).includes(go)) {
    throw unknownStep(go, [...names, ...GO_WORDS], `${field}.go`);
  }
  const passed = steps.filter((step) => step.once).map((step) => step.name);
  if (flown !== undefined && !passed.includes(flown)) {
    throw unknownStep(flown, passed, `${field}.flown`);
  }
}

function unknownStep(name: string, known: readonly string[], field: string): BerthError {
  const near = nearest(name, known);
  const hint =
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : `allowed: ${known.length > 0 ? known.join(', ') : 'a step with once: true'}`;
  return new BerthError('BERTH_UNKNOWN_NAME', `${field} is "${name}"; ${hint}`, { field });
}

/** A rule ends nothing without a condition, and what it compares along a direction needs one. */
function checkConditions(step: PlannedStep, rule: AnyRule, field: string): void {
  const names = Object.keys(rule).filter((name) => !['go', 'report', 'held_s'].includes(name));
  if (names.length === 0) {
    const text = `${field} has no condition; allowed: one or more, after_s among them`;
    throw new BerthError('BERTH_MISSING_FIELD', text, { field });
  }
  const name = names.find((one) => ['push_N', 'plateau_ratio', 'stalled'].includes(one));
  if (name === undefined || step.along !== null) return;
  throw refused(
    `${field}.${name} has no direction; allowed: along in step "${step.name}", velocity_mps, or frame way`,
    `${field}.${name}`,
  );
}
