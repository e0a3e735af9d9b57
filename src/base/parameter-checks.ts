/** Checks of single parameters: each throws one BerthError that names the field, the value and what is allowed. */
import { BerthError } from './errors.ts';

/** Unit vectors and quaternions may be off by rounding of a typed-in value. */
const UNIT_TOLERANCE = 1e-6;

/**
 *
 */
export function range(field: string, value: number, ok: boolean, allowed: string): void {
  if (ok && Number.isFinite(value)) return;
  throw new BerthError('BERTH_PARAMETER_RANGE', `Expected ${field} ${allowed}, got ${value}`, {
    field,
  });
}

/**
 *
 */
export function positive(field: string, value: number): void {
  range(field, value, value > 0, '> 0');
}

/**
 *
 */
export function notNegative(field: string, value: number): void {
  range(field, value, value >= 0, '>= 0');
}

/**
 *
 */
export function finite(field: string, values: readonly number[], count: number): void {
  if (values.length !== count) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${field} to have ${count} numbers, got ${values.length}`,
      { field },
    );
  }
  for (const value of values) range(field, value, true, 'to be finite');
}

/**
 *
 */
export function unit(field: string, values: readonly number[]): void {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  if (Math.abs(length - 1) <= UNIT_TOLERANCE) return;
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${field} to have length 1 (within ${UNIT_TOLERANCE}), got [${values.join(', ')}] with length ${length}`,
    { field },
  );
}

/**
 *
 */
export function oneOf(field: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  throw new BerthError(
    'BERTH_UNSUPPORTED',
    `Expected ${field} to be one of ${allowed.join(', ')}, got "${value}"`,
    { field },
  );
}
