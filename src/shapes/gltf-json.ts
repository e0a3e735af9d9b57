/** Values of the JSON part of a glTF file, checked one by one. */
import { refuse, shown } from './mesh-lines.ts';

/** Any value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** An object of JSON. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

function words(value: Json | undefined): string {
  return value === undefined ? 'nothing' : shown(JSON.stringify(value));
}

/** The object at a place of the file. @throws BerthError */
export function asObject(value: Json | undefined, where: string, name: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw refuse(name, where, `expected an object, got ${words(value)}`);
}

/** The list at a place of the file; an absent one is empty. @throws BerthError */
export function asList(value: Json | undefined, where: string, name: string): readonly Json[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value as readonly Json[];
  throw refuse(name, where, `expected a list, got ${words(value)}`);
}

/** An index below `count`; null where there is none. @throws BerthError */
export function optionalIndex(
  value: Json | undefined,
  count: number,
  where: string,
  name: string,
): number | null {
  if (value === undefined) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count) {
    return value;
  }
  throw refuse(name, where, `expected an index below ${count}, got ${words(value)}`);
}

/** A whole number from 0 on; `absent` where there is none. @throws BerthError */
export function asCount(
  value: Json | undefined,
  absent: number | null,
  where: string,
  name: string,
): number {
  if (value === undefined && absent !== null) return absent;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw refuse(name, where, `expected a whole number from 0 on, got ${words(value)}`);
}

/** So many finite numbers; null where there are none. @throws BerthError */
export function optionalNumbers(
  value: Json | undefined,
  count: number,
  where: string,
  name: string,
): number[] | null {
  if (value === undefined) return null;
  const list = asList(value, where, name);
  const numbers = list.filter((one) => typeof one === 'number');
  if (numbers.length === count && list.length === count) return numbers;
  throw refuse(name, where, `expected ${count} numbers, got ${words(value)}`);
}
