/** Fields of the messages: a type with its sentence. */
import {
  type TArray,
  type TBoolean,
  type TInteger,
  type TNull,
  type TNumber,
  type TSchema,
  type TString,
  type TUnion,
  Type,
} from 'typebox';

export const text = (description: string): TString => Type.String({ description });
export const number = (description: string): TNumber => Type.Number({ description });
export const count = (description: string): TInteger => Type.Integer({ minimum: 0, description });
export const flag = (description: string): TBoolean => Type.Boolean({ description });
export const orNull = <T extends TSchema>(schema: T): TUnion<[T, TNull]> =>
  Type.Union([schema, Type.Null()]);
export const list = (length: number, description: string): TArray<TNumber> =>
  Type.Array(Type.Number(), { minItems: length, maxItems: length, description });
export const names = (description: string): TArray<TString> =>
  Type.Array(Type.String(), { description });
/** One of several words; the type is left wide where a version may add some. */
export const word = (words: readonly string[], description: string): TString =>
  Type.String({ description: `${description}: ${words.join(', ')}.` });
