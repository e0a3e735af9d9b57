/** Field builders for the schemas: a number with its SI unit, lists of three, unions of words. */
import { type TNumber, type TTuple, Type } from 'typebox';

/** Options of a number field. */
interface NumberOptions {
  readonly description?: string;
  readonly default?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** Allows only the named fields. */
export const strict = { additionalProperties: false } as const;

/** Unit of a joint value. Which of them it is depends on the joint, so a text with a unit stays one until the robot is known. */
export const JOINT_UNITS = 'rad or m';

/** A number in `unit`, which the field's name repeats. */
export function quantity(unit: string, options: NumberOptions = {}): TNumber {
  return Type.Number({ unit, ...options });
}

/** Three numbers in one unit; '' for plain numbers. */
export function triple(
  unit: string,
  options: { readonly description?: string; readonly default?: readonly number[] } = {},
): TTuple<[TNumber, TNumber, TNumber]> {
  const one = unit === '' ? Type.Number() : Type.Number({ unit });
  return Type.Tuple([one, one, one], options);
}
