/** Which quantity was beyond which limit, and along which axis: one small number in an event, and words for people. */
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

/** Quantities with limits. The index is in recordings: append, never reorder. */
export const LIMIT_QUANTITIES = [
  'force',
  'moment',
  'speed',
  'turning',
  'speed of the poses',
  'turning of the poses',
  'place',
  'keep-out zone',
  'distance from the set-point',
  'angle from the set-point',
] as const;
export const LimitQuantity: NameIndices<typeof LIMIT_QUANTITIES> = indicesOf(LIMIT_QUANTITIES);
const UNITS: readonly string[] = ['N', 'N m', 'm/s', 'rad/s', 'm/s', 'rad/s', 'm', 'm', 'm', 'rad'];
const AXES: readonly string[] = [' along x', ' along y', ' along z', ''];
/** Of a quantity without a direction. */
export const NO_AXIS = 3;

/** A quantity and an axis (0 x, 1 y, 2 z, of the base frame) as one number above 0. */
export const limitPlace = (quantity: number, axis: number): number => 1 + 4 * quantity + axis;

const unitOf = (place: number): string => UNITS[(place - 1) >> 2] ?? '';
const digits = (value: number): string => String(Number(value.toPrecision(4)));

/** The value, as in "force 612 N along z"; '' for place 0. */
export function valueWords(place: number, value: number): string {
  const quantity = place > 0 ? LIMIT_QUANTITIES[(place - 1) >> 2] : undefined;
  if (quantity === undefined) return '';
  return `${quantity} ${digits(value)} ${unitOf(place)}${AXES[(place - 1) & 3]}`;
}

/** The limit, as in "allowed 400 N"; '' for place 0. */
export const limitWords = (place: number, limit: number): string =>
  place > 0 ? `allowed ${digits(limit)} ${unitOf(place)}` : '';
