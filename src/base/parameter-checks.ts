/** Checks of single parameters: each throws one BerthError that names the field, the value and what is allowed. */
import { BerthError } from './errors.ts';

/** Unit vectors and quaternions may be off by rounding of a typed-in value. */
const UNIT_TOLERANCE = 1e-6;
/** Longest text that a message repeats. */
const MOST_SHOWN = 80;

/** A value of any type, as messages show it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length <= MOST_SHOWN ? value : `${value.slice(0, MOST_SHOWN)}…`);
  }
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return `a list of ${(value as ArrayLike<unknown>).length ?? 0}`;
  }
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Throws for a value of the wrong type or shape. */
export function expect(field: string, value: unknown, ok: boolean, allowed: string): void {
  if (ok) return;
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${field} ${allowed}, got ${shown(value)}`,
    { field },
  );
}

/** A finite number for which `ok` holds. */
export function range(field: string, value: number, ok: boolean, allowed: string): void {
  expect(field, value, ok && Number.isFinite(value), allowed);
}

/** A finite number above 0. */
export function positive(field: string, value: number): void {
  range(field, value, value > 0, '> 0');
}

/** A finite number that is not negative. */
export function notNegative(field: string, value: number): void {
  range(field, value, value >= 0, '>= 0');
}

/** A list of `count` finite numbers. */
export function finite(field: string, values: readonly number[], count: number): void {
  const what = `to have ${count} numbers`;
  expect(field, values, isList(values), what);
  if (values.length !== count) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${field} ${what}, got ${values.length}`,
      {
        field,
      },
    );
  }
  for (const value of values) range(field, value, true, 'to be finite');
}

/** A list of numbers whose squares add up to 1. */
export function unit(field: string, values: readonly number[]): void {
  expect(field, values, isList(values), 'to have length 1');
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  if (Math.abs(length - 1) <= UNIT_TOLERANCE) return;
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${field} to have length 1 (within ${UNIT_TOLERANCE}), got [${values.join(', ')}] with length ${length}`,
    { field },
  );
}

/** One word of a list. */
export function oneOf(field: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  throw new BerthError(
    'BERTH_UNSUPPORTED',
    `Expected ${field} to be one of ${allowed.join(', ')}, got ${shown(value)}`,
    { field },
  );
}

/** A text. */
export function text(field: string, value: string): void {
  expect(field, value, typeof value === 'string', 'to be text');
}

/** A list, of anything. */
export function list(field: string, value: readonly unknown[]): void {
  expect(field, value, isList(value), 'to be a list');
}

/** True or false. */
export function flag(field: string, value: boolean): void {
  expect(field, value, typeof value === 'boolean', 'to be true or false');
}

/** A plain object, and no list. */
export function plain(field: string, value: object): void {
  expect(
    field,
    value,
    typeof value === 'object' && value !== null && !isList(value),
    'to be an object',
  );
}

const isList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
