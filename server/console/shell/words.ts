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

/** An energy in a suitable unit: µJ, mJ or J, three digits. */
export function joules(J: number | null | undefined): string {
  if (J === null || J === undefined || !Number.isFinite(J)) return '—';
  if (J === 0) return '0 J';
  const [factor, unit] =
    Math.abs(J) < 1e-3 ? [1e6, 'µJ'] : Math.abs(J) < 1 ? [1e3, 'mJ'] : [1, 'J'];
  const value = J * factor;
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return `${fixed(value, digits)} ${unit}`;
}

/** Length of the vector of three numbers at `at`. */
export const norm = (v: readonly number[], at = 0): number =>
  Math.hypot(v[at], v[at + 1], v[at + 2]);
