/** Measured columns of a CSV file with units in its names, or of a recording, in SI. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readQuantity } from '../../../config/units.ts';
import { SafetyState, ValueQuality } from '../../../hil/contract/codes.ts';
import { Column } from '../../../hil/contract/columns.ts';
import { CommandColumn, CommandKind } from '../../../hil/contract/commands.ts';
import { RecordKind } from '../../../hil/memory/records.ts';
import { openRecording } from '../../../hil/recording/read-recording.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { LoopMode } from '../../../src/control/tool-port.ts';
import { csvRows } from '../csv-table.ts';
import { directionOfMotion } from './direction-of-motion.ts';

/** A column that a procedure needs. */
export interface WantedColumn {
  readonly name: string;
  /** SI unit; `1` for a number, which stands without a unit. */
  readonly unit: string;
  /** Whether it may have the same value in all rows. */
  readonly mayBeConstant?: boolean;
  /** Whether a CSV file may be without it. */
  readonly optional?: boolean;
}

/** Columns by their names, optional ones where the file has them, and what they are of. */
export interface MeasuredData {
  readonly columns: Readonly<Record<string, Float64Array>>;
  readonly rows: number;
  /** Whether rows before a tare were left out. */
  readonly tared: boolean;
  /** SHA-256 of the file, hex. */
  readonly hash: string;
}

/** What a recording gives for a name, from its rows; the normal of the plate is an axis of the base frame. */
const OF_ROW: Readonly<Record<string, (row: Float64Array, axis: number) => number>> = {
  // when it was measured: periods that the loop dropped count, and model time does not have them
  time: (row) => row[Column.time_s] - row[Column.state_age_s],
  ...alongPlate('place', Column.measured_p_x_m),
  ...alongPlate('slip', Column.measured_v_x_mps),
  ...alongPlate('drag', Column.measured_force_x_N),
  place: (row, axis) => row[Column.measured_p_x_m + axis],
  rate: (row, axis) => row[Column.measured_v_x_mps + axis],
  force: (row, axis) => row[Column.measured_force_x_N + axis],
  side_u: (row, axis) => row[Column.measured_force_x_N + ((axis + 1) % 3)],
  side_v: (row, axis) => row[Column.measured_force_x_N + ((axis + 2) % 3)],
  speed: (row, axis) => tangent(row, axis).speed,
  friction: (row, axis) => tangent(row, axis).friction,
  spin: (row, axis) => row[Column.measured_w_x_radps + axis],
  torque: (row, axis) => row[Column.measured_moment_x_Nm + axis],
  ...triple('v', Column.measured_v_x_mps),
  ...triple('w', Column.measured_w_x_radps),
  ...triple('q', Column.measured_q_x, ['x', 'y', 'z', 'w']),
  ...triple('force', Column.measured_force_x_N),
  ...triple('moment', Column.measured_moment_x_Nm),
};
/** A robot has done with a tare after so long: 100 cycles of 10 ms at most, µs. */
const TARE_us = 1.2e6;
/** What is along the motion, from two axes of the plate. */
const ALONG_MOTION: Readonly<Record<string, { of: string; sign: number }>> = {
  travel: { of: 'place', sign: 1 },
  slip: { of: 'slip', sign: 1 },
  drag: { of: 'drag', sign: -1 },
};
const MAGIC = 0x89;
/** States in which a tare is refused. */
const UNTARED = new Set<number>([
  SafetyState.ARMING,
  SafetyState.ACTIVE_FREE,
  SafetyState.ACTIVE_CONTACT,
  SafetyState.HOLD,
  SafetyState.STOPPING,
]);
/** Both components along the plate, in the order of the axes after the normal. */
function alongPlate(
  name: string,
  first: number,
): Record<string, (row: Float64Array, axis: number) => number> {
  return {
    [`${name}_u`]: (row, axis) => row[first + ((axis + 1) % 3)],
    [`${name}_v`]: (row, axis) => row[first + ((axis + 2) % 3)],
  };
}
/** Components of a vector in the base frame, x first. */
function triple(
  name: string,
  first: number,
  ends = ['x', 'y', 'z'],
): Record<string, (row: Float64Array) => number> {
  return Object.fromEntries(ends.map((end, k) => [`${name}_${end}`, (row) => row[first + k]]));
}
/** A rate in a name: `mps` is m/s, `radps` rad/s. */
const PER_SECOND = /^(.+)ps$/;

const refused = (text: string): BerthError =>
  new BerthError('BERTH_MISMATCH', `FILE: ${text}`, { field: 'file' });

/** Speed along the plate, and force against it. */
function tangent(row: Float64Array, axis: number): { speed: number; friction: number } {
  let square = 0;
  let power = 0;
  for (let a = 0; a < 3; a++) {
    if (a === axis) continue;
    const v = row[Column.measured_v_x_mps + a];
    square += v * v;
    power -= v * row[Column.measured_force_x_N + a];
  }
  const speed = Math.sqrt(square);
  return { speed, friction: speed > 0 ? power / speed : 0 };
}

/** What counts of a recording. */
export interface RecordingChoice {
  /** Whether only the rows after its last tare count. */
  readonly sinceTare?: boolean | undefined;
  /** Its columns, where they are others than of a table. */
  readonly ofRecording?: readonly WantedColumn[] | undefined;
}

/** Reads the columns. @throws BerthError for one that is missing, has no unit or another one, does not change, or has what is no number */
export async function readMeasured(
  path: string,
  ofTable: readonly WantedColumn[],
  axis: number,
  { sinceTare = false, ofRecording = ofTable }: RecordingChoice = {},
): Promise<MeasuredData> {
  const bytes = readFileSync(path);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const isRecording = bytes[0] === MAGIC;
  const wanted = isRecording ? ofRecording : ofTable;
  const { lists, tared } = isRecording
    ? await recorded(path, wanted, axis, sinceTare)
    : { lists: tabled(path, wanted), tared: false };
  const columns: Record<string, Float64Array> = {};
  let rows = 0;
  for (const [i, { name, mayBeConstant }] of wanted.entries()) {
    const list = lists[i];
    if (list === null) continue;
    rows = list.length;
    columns[name] = Float64Array.from(list);
    checkColumn(name, columns[name], mayBeConstant === true);
  }
  return { columns, rows, tared, hash };
}

async function recorded(
  path: string,
  wanted: readonly WantedColumn[],
  axis: number,
  sinceTare: boolean,
): Promise<{ lists: number[][]; tared: boolean }> {
  const alongMotion = wanted.some(({ name }) => Object.hasOwn(ALONG_MOTION, name));
  const names = new Set(wanted.map(({ name }) => name));
  for (const name of [...names]) {
    const along = ALONG_MOTION[name] as { of: string } | undefined;
    if (along !== undefined) [`${along.of}_u`, `${along.of}_v`].forEach((one) => names.add(one));
  }
  if (alongMotion) ['place_u', 'place_v', 'force'].forEach((one) => names.add(one));
  const read = [...names].filter((name) => !Object.hasOwn(ALONG_MOTION, name));
  const lacking = wanted.find(
    ({ name }) =>
      !Object.hasOwn(OF_ROW, name) &&
      // a travel without its speed is that of a swing, and a tool that is led has none
      (!Object.hasOwn(ALONG_MOTION, name) || (name === 'travel' && !names.has('slip'))),
  );
  if (lacking !== undefined) {
    throw refused(
      `a recording has no "${lacking.name}"; allowed with this procedure: a CSV file with ${wanted.map(({ name }) => name).join(', ')}`,
    );
  }
  const lists = new Map(read.map((name): [string, number[]] => [name, []]));
  const times = lists.get('time');
  let tared_us = -Infinity;
  let state = Number.NaN;
  const recording = await openRecording(path);
  const kinds = new Set<number>([RecordKind.ROW, ...(sinceTare ? [RecordKind.COMMAND] : [])]);
  const part = { from: 0n, to: 2n ** 63n, kinds };
  for await (const { kind, bytes, time_us } of recording.records(part)) {
    const row = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 3);
    if (kind === RecordKind.ROW) state = row[Column.safety_state];
    const isTare = kind === RecordKind.COMMAND && row[CommandColumn.kind] === CommandKind.TARE;
    if (isTare && !UNTARED.has(state)) {
      tared_us = time_us;
      for (const list of lists.values()) list.length = 0;
    }
    if (kind !== RecordKind.ROW || time_us < tared_us + TARE_us) continue;
    if (row[Column.mode] !== LoopMode.HARDWARE) continue;
    if (row[Column.state_quality] !== ValueQuality.GOOD) continue;
    // the clocks of loop and robot are brought together again: a sample that does not follow the one before is left out
    if (times !== undefined && OF_ROW['time'](row, axis) <= (times.at(-1) ?? -Infinity)) continue;
    for (const [name, list] of lists) list.push(OF_ROW[name](row, axis));
  }
  const [first] = lists.values();
  if (first.length === 0) {
    throw refused(
      'the recording has no rows of mode hardware with a measured state; allowed: one of mode hardware, as elsewhere the sensor of the robot touches nothing',
    );
  }
  const column = (name: string): number[] => lists.get(name) ?? [];
  const [u, v] = alongMotion
    ? directionOfMotion(column('place_u'), column('place_v'), column('force'))
    : [1, 0];
  const along = wanted.map(({ name }) => {
    if (!Object.hasOwn(ALONG_MOTION, name)) return column(name);
    const { of, sign } = ALONG_MOTION[name];
    const across = column(`${of}_v`);
    return column(`${of}_u`).map((one, i) => sign * (u * one + v * across[i]));
  });
  return { lists: along, tared: tared_us > -Infinity };
}

function tabled(path: string, wanted: readonly WantedColumn[]): (number[] | null)[] {
  const { columns, rows } = csvRows(path);
  return wanted.map((one) => {
    if (one.optional === true && !hasColumn(columns, one)) return null;
    const { at, factor } = findColumn(columns, one);
    return rows.map((row, i) => {
      const value = row[at];
      if (typeof value === 'number' && Number.isFinite(value)) return value * factor;
      throw refused(`line ${i + 2} of column "${columns[at]}" is no finite number`);
    });
  });
}

const patternOf = (name: string): RegExp =>
  new RegExp(`^${name}(?:_([^\\W_]+)| *\\[([^\\]]+)\\])?$`);

const hasColumn = (columns: readonly string[], { name }: WantedColumn): boolean =>
  columns.some((column) => patternOf(name).test(column.trim()));

/** Place of a column named as `force_N` or `force [N]`, and the factor of its unit. */
function findColumn(
  columns: readonly string[],
  { name, unit }: WantedColumn,
): { at: number; factor: number } {
  const number = unit === '1';
  const allowed = number
    ? `"${name}"`
    : `"${name}_${unit.replace(/[/]s$/, 'ps')}" or "${name} [${unit}]", or another unit of that kind`;
  const pattern = patternOf(name);
  const at = columns.findIndex((column) => pattern.test(column.trim()));
  if (at < 0) {
    throw refused(`there is no column "${name}" among ${columns.join(', ')}; allowed: ${allowed}`);
  }
  const [, plain, bracketed] = pattern.exec(columns[at].trim()) ?? [];
  const text = bracketed ?? plain;
  if (number && text === undefined) return { at, factor: 1 };
  if (text === undefined) throw refused(`column "${name}" has no unit; allowed: ${allowed}`);
  const given = text.replace(PER_SECOND, '$1/s');
  const quantity = readQuantity(`1 ${given}`, unit);
  if (!quantity.ok)
    throw refused(`column "${columns[at]}" has unit "${text}"; allowed: ${allowed}`);
  return { at, factor: quantity.value };
}

function checkColumn(name: string, values: Float64Array, mayBeConstant: boolean): void {
  if (values.length === 0) throw refused('there are no rows');
  if (!mayBeConstant && values.every((value) => value === values[0])) {
    throw refused(
      `column "${name}" is ${values[0]} in all ${values.length} rows; allowed: one that changes`,
    );
  }
}
