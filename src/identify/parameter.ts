/** A parameter that is identified: a physical value between bounds, and the coordinate in which it is searched. */
import { range } from '../base/parameter-checks.ts';
import { exp } from '../math/elementary/exponential.ts';
import { log } from '../math/elementary/logarithm.ts';

/** What is searched for. */
export interface Parameter {
  /** As the user wrote it. */
  readonly name: string;
  /** SI; `1` for a number. */
  readonly unit: string;
  readonly start: number;
  readonly low: number;
  readonly high: number;
  /** Whether its logarithm is searched, for values above zero that may be wrong by a factor. */
  readonly logarithmic: boolean;
  /** Step of the differences in its coordinate, for a model whose answer is not smooth; 1e-5, or that share of the range, when left out. */
  readonly difference?: number;
}

/** Checks the bounds of parameters. @throws BerthError that names the parameter */
export function checkParameters(parameters: readonly Parameter[]): void {
  range('parameters', parameters.length, parameters.length > 0, 'to have one at least');
  for (const { name, start, low, high, logarithmic } of parameters) {
    range(`${name}.low`, low, low < high, `to be below the upper bound ${high}`);
    if (logarithmic) range(`${name}.low`, low, low > 0, 'to be > 0: its logarithm is searched');
    range(`${name}.start`, start, start >= low && start <= high, `to be from ${low} to ${high}`);
  }
}

/** Coordinate of a value. */
export function coordinate({ logarithmic }: Parameter, value: number): number {
  return logarithmic ? log(value) : value;
}

/** Value at a coordinate, within the bounds whatever the rounding. */
export function valueAt({ logarithmic, low, high }: Parameter, x: number): number {
  const value = logarithmic ? exp(x) : x;
  return value < low ? low : value > high ? high : value;
}
