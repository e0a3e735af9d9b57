/**
 * Calibration of one model of hand controller: rest position and ends of its axes, their assignment
 * and direction, and the buttons for deadman and gear. It converts raw readings to −1 … 1.
 */
import {
  COMMAND_AXES,
  type DeviceKind,
  FIRST_PAIR,
  LAYOUTS,
  MOST_AXES,
  MOST_BUTTONS,
  PAIRS,
  type Reading,
} from './layout.ts';

/** Raw readings of one axis: at rest and at its ends. */
export interface AxisRange {
  readonly minimum: number;
  readonly centre: number;
  readonly maximum: number;
}

/** Source of one command axis. */
export interface Assignment {
  /** Index of the raw axis; −1 for none. */
  readonly source: number;
  readonly inverted: boolean;
}

export interface DeviceProfile {
  /** Range of each raw axis of the layout. */
  readonly ranges: readonly AxisRange[];
  /** Assignment of each command axis. */
  readonly assignments: readonly Assignment[];
  /** Indices of buttons; −1 for none. */
  readonly deadman: number;
  readonly gear: number;
}

/** Least range of an axis to each of its sides, relative to that of its kind. */
export const LEAST_REACH = 0.4;

/**
 * [raw axis, direction] for each command axis: x right, y away from the operator, z up, and the
 * rotations about them.
 */
type Defaults = readonly (readonly [source: number, direction: 1 | -1])[];
const NOTHING = [-1, 1] as const;

const ASSIGNMENTS: Readonly<Record<DeviceKind, Defaults>> = {
  keyboard: [
    [0, 1],
    [1, 1],
    [2, 1],
    // arrow up tilts away, which is a negative rotation about x
    [3, -1],
    [4, 1],
    // E turns clockwise from above
    [5, -1],
  ],
  gamepad: [
    [0, 1],
    [1, -1],
    [4, 1],
    [3, 1],
    [5, 1],
    [2, -1],
  ],
  joystick: [[0, 1], [1, -1], NOTHING, NOTHING, NOTHING, [2, -1]],
  // its own axes are x right, y towards the operator, z down
  spacemouse: [
    [0, 1],
    [1, -1],
    [2, -1],
    [3, 1],
    [4, -1],
    [5, -1],
  ],
};

const BUTTONS: Readonly<Record<DeviceKind, readonly [deadman: number, gear: number]>> = {
  keyboard: [0, 1],
  gamepad: [4, 5],
  joystick: [0, 1],
  spacemouse: [0, 1],
};

/** Profile of an uncalibrated device. */
export function defaultProfile(kind: DeviceKind): DeviceProfile {
  const { axisNames, nominalReach } = LAYOUTS[kind];
  const [deadman, gear] = BUTTONS[kind];
  return {
    ranges: axisNames.map(() => ({ minimum: -nominalReach, centre: 0, maximum: nominalReach })),
    assignments: ASSIGNMENTS[kind].map(([source, direction]) => ({
      source,
      inverted: direction < 0,
    })),
    deadman,
    gear,
  };
}

/**
 * Converts a raw reading to −1 … 1, each side by its own range. A value that is not a number, or
 * has no range, gives zero.
 */
export function calibrate(raw: number, range: AxisRange): number {
  const away = raw - range.centre;
  const reach = away < 0 ? range.centre - range.minimum : range.maximum - range.centre;
  if (!(reach > 0) || !Number.isFinite(away)) return 0;
  return Math.max(-1, Math.min(1, away / reach));
}

/** Computes six command axes of a reading, −1 … 1. Missing axes are zero. */
export function commandAxes(profile: DeviceProfile, reading: Reading, out: Float64Array): void {
  for (let i = 0; i < COMMAND_AXES.length; i++) {
    const { source, inverted } = profile.assignments[i];
    const range = profile.ranges[source];
    const value =
      range !== undefined && source < reading.axes.length
        ? calibrate(reading.axes[source], range)
        : 0;
    out[i] = inverted && value !== 0 ? -value : value;
  }
}

/** Warnings about a profile for the operator, one sentence each. */
export function profileProblems(profile: DeviceProfile, kind: DeviceKind): string[] {
  const { axisNames, buttonNames } = LAYOUTS[kind];
  const found: string[] = [];
  if (profile.deadman < 0) {
    found.push('No button is the deadman: only the button on the fly page can be held.');
  } else if (profile.deadman === profile.gear) {
    found.push(`"${buttonNames[profile.deadman]}" is both the deadman and the gear: choose two.`);
  }
  const sources = profile.assignments.map(({ source }) => source);
  if (sources.every((source) => source < 0)) found.push('No axis moves anything.');
  for (const source of new Set(sources)) {
    const moved = COMMAND_AXES.filter((_, i) => sources[i] === source);
    if (source >= 0 && moved.length > 1) {
      found.push(`"${axisNames[source]}" moves ${moved.join(' and ')} together.`);
    }
  }
  if (kind === 'gamepad') {
    const pair = PAIRS.findIndex((buttons) => buttons.includes(profile.deadman));
    const axis = FIRST_PAIR + pair;
    const moved = COMMAND_AXES[sources.indexOf(axis)];
    if (pair >= 0 && moved !== undefined) {
      found.push(`Holding the deadman moves ${moved} as well, through "${axisNames[axis]}".`);
    }
  }
  return found;
}

const isIndex = (value: unknown, limit: number): value is number =>
  Number.isInteger(value) && (value as number) >= -1 && (value as number) < limit;

/** Reads a stored profile. @returns null when it is invalid or of another layout */
export function readProfile(value: unknown, kind: DeviceKind): DeviceProfile | null {
  if (typeof value !== 'object' || value === null) return null;
  const { ranges, assignments, deadman, gear } = value as Partial<DeviceProfile>;
  const count = LAYOUTS[kind].axisNames.length;
  const rangesFit =
    Array.isArray(ranges) &&
    ranges.length === count &&
    (ranges as (Partial<AxisRange> | null)[]).every(
      (range) =>
        Number.isFinite(range?.minimum) &&
        Number.isFinite(range?.centre) &&
        Number.isFinite(range?.maximum) &&
        range!.minimum! <= range!.centre! &&
        range!.centre! <= range!.maximum!,
    );
  const assignmentsFit =
    Array.isArray(assignments) &&
    assignments.length === COMMAND_AXES.length &&
    (assignments as (Partial<Assignment> | null)[]).every(
      (one) => isIndex(one?.source, MOST_AXES) && typeof one?.inverted === 'boolean',
    );
  if (!rangesFit || !assignmentsFit) return null;
  if (!isIndex(deadman, MOST_BUTTONS) || !isIndex(gear, MOST_BUTTONS)) return null;
  return { ranges, assignments, deadman, gear };
}
