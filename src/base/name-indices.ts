/**
 * Indices of lists of names: the order of a list is written once, where it is declared, and every place in an array is named from
 * then on. An index is a field of a frozen object that is made when its module is loaded, which the compiler reads as a constant.
 */

/** Index of each name. */
export type NameIndices<Names extends readonly string[]> = {
  readonly [Name in Names[number]]: number;
};

/** Index of each name, under the name in capitals. */
export type CodeIndices<Names extends readonly string[]> = {
  readonly [Name in Names[number] as Uppercase<Name>]: number;
};

/** Indices of columns and slots by name: `indicesOf(['x', 'y']).y` is 1. @throws Error for a name that stands twice */
export function indicesOf<const Names extends readonly string[]>(names: Names): NameIndices<Names> {
  if (new Set(names).size !== names.length)
    throw new Error(`A name stands twice: ${names.join(', ')}`);
  return Object.freeze(
    Object.fromEntries(names.map((name, index) => [name, index])),
  ) as NameIndices<Names>;
}

/** Indices of modes, states and reasons: `codesOf(['rate', 'joint']).JOINT` is 1. @throws Error for a name that stands twice */
export function codesOf<const Names extends readonly string[]>(names: Names): CodeIndices<Names> {
  return indicesOf(names.map((name) => name.toUpperCase())) as CodeIndices<Names>;
}
