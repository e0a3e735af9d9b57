/** Axes of a plot: range, ticks with labels, and the place of a value, linear or logarithmic. */
import { numberText, superscript } from './number-text.ts';

/** One mark on an axis; a minor one has no label. */
interface Tick {
  readonly value: number;
  readonly label: string;
}

/** A range of values on a length of the page. */
export interface Axis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly Tick[];
  /** Common power of ten that the labels leave out, 0 for none. */
  readonly exponent: number;
  /** Place of a value in [0, 1]; not a number when it has none. */
  place(value: number): number;
}

/** Ticks wanted on an axis, about. */
const TICKS = 8;
/** Decades shown at most: what lies lower is rounding. */
const DECADES = 17;

/** An axis that shows all values. */
export function makeAxis(values: readonly number[], scale: 'linear' | 'log'): Axis {
  return scale === 'log' ? logAxis(values) : linearAxis(values);
}

function linearAxis(values: readonly number[]): Axis {
  let [low, high] = extent(values, () => true);
  const flat = high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high));
  if (flat) {
    const room = low === 0 ? 1 : 0.1 * Math.abs(low);
    low -= room;
    high += room;
  }
  const span = high - low;
  if (low > 0 && low < 0.5 * span) low = 0;
  if (high < 0 && -high < 0.5 * span) high = 0;
  if (low !== 0) low -= 0.04 * span;
  if (high !== 0) high += 0.04 * span;
  const raw = (high - low) / TICKS;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw * 0.999) ?? 10 * power;
  const size = Math.max(Math.abs(low), Math.abs(high));
  const decade = Math.floor(Math.log10(size));
  const exponent = decade >= 5 || decade <= -3 ? 3 * Math.floor(decade / 3) : 0;
  const unit = 10 ** exponent;
  const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9)));
  const ticks: Tick[] = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high * (1 + 1e-12) + 1e-9 * step; n++) {
    const label = n === 0 ? '0' : ((n * step) / unit).toFixed(decimals).replace('-', '−');
    ticks.push({ value: n * step, label });
  }
  return { low, high, ticks, exponent, place: (value) => (value - low) / (high - low) };
}

function logAxis(values: readonly number[]): Axis {
  const [least, most] = extent(values, (value) => value > 0);
  const high = Math.log10(most > 0 ? most : 1);
  const low = Math.max(Math.log10(least > 0 ? least : 0.1), high - DECADES);
  const room = Math.max(0.04 * (high - low), 0.08);
  const from = low - room;
  const to = high + room;
  const stride = Math.max(1, Math.ceil((to - from) / 7));
  const ticks: Tick[] = [];
  for (let d = Math.floor(from); d <= Math.ceil(to); d++) {
    for (let k = 1; k <= 9; k++) {
      const at = d + Math.log10(k);
      if (at < from || at > to) continue;
      const major = k === 1 && d % stride === 0;
      const between = to - from < 2.2 && (k === 2 || k === 5);
      if (k > 1 && to - from > 4) continue;
      if (!major && k === 1 && stride > 1) continue;
      const value = k * 10 ** d;
      ticks.push({ value, label: major || between ? decadeLabel(value, k, d) : '' });
    }
  }
  return {
    low: 10 ** from,
    high: 10 ** to,
    ticks,
    exponent: 0,
    place: (value) => (value > 0 ? (Math.log10(value) - from) / (to - from) : NaN),
  };
}

function decadeLabel(value: number, k: number, d: number): string {
  if (d >= -2 && d <= 4) return numberText(value, 3);
  return k === 1 ? `10${superscript(d)}` : `${k}·10${superscript(d)}`;
}

function extent(values: readonly number[], counts: (value: number) => boolean): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value) || !counts(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}
