/** Words of the console: states, causes and figures. */
import { type AlarmCode, FAULT_WORDS } from '../../contract/fault-words.ts';

/** Display level of a state; each level has its own colour and symbol. */
export type Level = 'idle' | 'ready' | 'active' | 'hold' | 'fault';

const LEVELS: Readonly<Partial<Record<string, Level>>> = {
  MONITOR_READY: 'ready',
  ACTIVE_FREE: 'active',
  ACTIVE_CONTACT: 'active',
  ARMING: 'hold',
  HOLD: 'hold',
  STOPPING: 'hold',
  FAULT: 'fault',
  ESTOP: 'fault',
};

export const SYMBOLS: Readonly<Record<Level, string>> = {
  idle: '○',
  ready: '●',
  active: '▶',
  hold: '▲',
  fault: '■',
};

/** `MONITOR_READY` as "monitor ready". */
export const words = (name: string): string =>
  name === 'ESTOP' ? 'emergency stop' : name.toLowerCase().replaceAll('_', ' ');

export const levelOf = (state: string): Level => LEVELS[state] ?? 'idle';

/** A fault or alarm code as a sentence. For an unknown code it is the message, or the words of the code. */
export function cause(code: string, message = ''): string {
  if (code in FAULT_WORDS) {
    const known = FAULT_WORDS[code as AlarmCode];
    return message.startsWith(known) ? message : known; // with value and limit
  }
  const text = message === '' ? `${words(code)}.` : message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A number with fixed decimals, a real minus, and no minus before a zero. */
export function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

/** A duration in a suitable unit; a dash for an unknown one. */
export function duration(s: number | null | undefined): string {
  if (s === null || s === undefined || !(Math.abs(s) < 1e6)) return '—';
  if (Math.abs(s) < 1e-3) return `${fixed(s * 1e6, 0)} µs`;
  return Math.abs(s) < 1 ? `${fixed(s * 1e3, 1)} ms` : `${fixed(s, 1)} s`;
}

type Known = number | null | undefined;

/** Units of a quantity from the smallest on, each with its size. */
type Units = readonly (readonly [size: number, unit: string])[];

const ENERGIES: Units = [
  [1e-6, 'µJ'],
  [1e-3, 'mJ'],
  [1, 'J'],
];
const LENGTHS: Units = [
  [1e-6, 'µm'],
  [1e-3, 'mm'],
  [1, 'm'],
];
const ANGLES: Units = [
  [1e-3, 'm°'],
  [1, '°'],
];

/** Three digits in the largest unit of which the value has one; a dash for an unknown value. */
function scaled(value: Known, units: Units, zero: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '—';
  if (value === 0) return `0 ${zero}`;
  // what is rounded up to the next unit is told in it
  const size = Math.abs(Number(value.toPrecision(3)));
  const [step, unit] = units.findLast(([least]) => size >= least) ?? units[0];
  const figure = size / step;
  const digits = figure < 10 ? 2 : figure < 100 ? 1 : 0;
  return `${fixed(value / step, digits)} ${unit}`;
}

/** An energy: µJ, mJ or J. */
export const joules = (J: Known): string => scaled(J, ENERGIES, 'J');
/** A length: µm, mm or m. */
export const metres = (m: Known): string => scaled(m, LENGTHS, 'mm');
/** A small angle in degrees: m° or °. */
export const degrees = (deg: Known): string => scaled(deg, ANGLES, '°');

/** Length of the vector of three numbers at `at`. */
export const norm = (v: readonly number[], at = 0): number =>
  Math.hypot(v[at], v[at + 1], v[at + 2]);
