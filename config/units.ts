/**
 * Units at the edge: a value in a file may be a plain SI number or a number with a unit (`1 ms`, `2 deg`, `10 N/(mm/s)`).
 * The dimension is checked against the field's SI unit; angles count as a dimension, so that `2 m` is no angle.
 */
import { pow } from '../src/math/elementary/power.ts';

/** Exponents of metre, kilogram, second and radian. */
type Dimension = readonly [number, number, number, number];
interface Unit {
  readonly factor: number;
  /** Power of ten or other factor by which SI values are divided; kept apart so that decimal units stay exact. */
  readonly divisor: number;
  readonly dimension: Dimension;
}

const none: Dimension = [0, 0, 0, 0];
const length: Dimension = [1, 0, 0, 0];
const mass: Dimension = [0, 1, 0, 0];
const time: Dimension = [0, 0, 1, 0];
const angle: Dimension = [0, 0, 0, 1];
const force: Dimension = [1, 1, -2, 0];
const energy: Dimension = [2, 1, -2, 0];
const pressure: Dimension = [-1, 1, -2, 0];

const unit = (dimension: Dimension, factor: number, divisor = 1): Unit => ({
  factor,
  divisor,
  dimension,
});

/** Every unit name that a file may use. */
const UNITS = new Map<string, Unit>([
  ['m', unit(length, 1)],
  ['km', unit(length, 1000)],
  ['dm', unit(length, 1, 10)],
  ['cm', unit(length, 1, 100)],
  ['mm', unit(length, 1, 1000)],
  ['um', unit(length, 1, 1e6)],
  ['µm', unit(length, 1, 1e6)],
  ['nm', unit(length, 1, 1e9)],
  ['kg', unit(mass, 1)],
  ['g', unit(mass, 1, 1000)],
  ['t', unit(mass, 1000)],
  ['s', unit(time, 1)],
  ['ms', unit(time, 1, 1000)],
  ['us', unit(time, 1, 1e6)],
  ['µs', unit(time, 1, 1e6)],
  ['ns', unit(time, 1, 1e9)],
  ['min', unit(time, 60)],
  ['h', unit(time, 3600)],
  ['Hz', unit([0, 0, -1, 0], 1)],
  ['kHz', unit([0, 0, -1, 0], 1000)],
  ['rad', unit(angle, 1)],
  ['mrad', unit(angle, 1, 1000)],
  ['deg', unit(angle, Math.PI, 180)],
  ['°', unit(angle, Math.PI, 180)],
  ['N', unit(force, 1)],
  ['mN', unit(force, 1, 1000)],
  ['kN', unit(force, 1000)],
  ['MN', unit(force, 1e6)],
  ['Nm', unit(energy, 1)],
  ['J', unit(energy, 1)],
  ['Pa', unit(pressure, 1)],
  ['kPa', unit(pressure, 1000)],
  ['MPa', unit(pressure, 1e6)],
  ['GPa', unit(pressure, 1e9)],
]);

/** Names of all units. */
export function unitNames(): string[] {
  return [...UNITS.keys()];
}

/** Reads a unit expression: factors joined by `*`, `·` or a space, `/`, `^` with a number, and parentheses. */
class UnitReader {
  private at = 0;
  private readonly tokens: string[];

  constructor(text: string) {
    this.tokens = text.match(/[A-Za-zµ°]+|[-+]?\d+(?:\.\d+)?|\S/g) ?? [];
  }

  /** @returns null when the text is no unit expression. */
  read(): Unit | null {
    const result = this.product();
    return this.at === this.tokens.length ? result : null;
  }

  private product(): Unit | null {
    let result = this.power();
    while (result !== null && this.at < this.tokens.length) {
      const token = this.tokens[this.at];
      if (token === ')') break;
      const divide = token === '/';
      if (divide || token === '*' || token === '·') this.at++;
      const next = this.power();
      if (next === null) return null;
      result = combine(result, next, divide ? -1 : 1);
    }
    return result;
  }

  private power(): Unit | null {
    const base = this.factor();
    if (base === null) return null;
    const next = this.tokens[this.at];
    const caret = next === '^';
    if (caret) this.at++;
    const exponent = Number(this.tokens[this.at]);
    // a bare digit after a name is a power too: kg m2
    if (this.at < this.tokens.length && Number.isFinite(exponent)) {
      this.at++;
      return combine(unit(none, 1), base, exponent);
    }
    return caret ? null : base;
  }

  private factor(): Unit | null {
    const token = this.tokens[this.at++];
    if (token === '(') {
      const inner = this.product();
      return this.tokens[this.at++] === ')' ? inner : null;
    }
    if (token === '1') return unit(none, 1);
    return UNITS.get(token) ?? null;
  }
}

function combine(a: Unit, b: Unit, power: number): Unit {
  const factor = pow(b.factor / 1, Math.abs(power));
  const divisor = pow(b.divisor, Math.abs(power));
  return {
    factor: a.factor * (power < 0 ? divisor : factor),
    divisor: a.divisor * (power < 0 ? factor : divisor),
    dimension: a.dimension.map((x, i) => x + power * b.dimension[i]) as unknown as Dimension,
  };
}

/** A parsed unit, or null when the text names none. */
export function parseUnit(text: string): Unit | null {
  return new UnitReader(text).read();
}

/** Result of reading a quantity: a value in SI units, or the reason for its absence. */
export type QuantityResult =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly reason: string };

/** Longest text of a number with its unit. */
const LONGEST = 100;
const NUMBER_THEN_UNIT = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(\S.*?)?\s*$/;

/** Reads `text` as a quantity of the dimension of `siUnit`; '' stands for a plain number. */
export function readQuantity(text: string, siUnit: string): QuantityResult {
  const match = text.length > LONGEST ? null : NUMBER_THEN_UNIT.exec(text);
  const what = siUnit === '' ? 'a plain number' : `a number in ${siUnit} or a number with a unit`;
  if (match === null) return { ok: false, reason: what };
  const [, digits, unitText] = match;
  if (unitText === undefined) {
    return { ok: false, reason: `${what}, not a quoted number` };
  }
  if (siUnit === '') return { ok: false, reason: 'a plain number without a unit' };
  const given = parseUnit(unitText);
  if (given === null) {
    return { ok: false, reason: `${what}; "${unitText}" is not a known unit` };
  }
  const wanted = parseUnit(siUnit);
  if (wanted === null) throw new Error(`schema names an unknown unit: ${siUnit}`);
  const same = given.dimension.every((x, i) => Math.abs(x - wanted.dimension[i]) < 1e-12);
  if (!same) {
    return {
      ok: false,
      reason: `${what} of that dimension; "${unitText}" does not convert to ${siUnit}`,
    };
  }
  return { ok: true, value: (Number(digits) * given.factor) / given.divisor };
}
