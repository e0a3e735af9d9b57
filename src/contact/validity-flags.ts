/** Names of the limits of a contact's model; bit k of a word of validity is that of entry k. docs/theory/validity.md explains each. */
import { type CodeIndices, codesOf } from '../base/name-indices.ts';

export const VALIDITY_FLAGS = ['depth', 'patch', 'pressure', 'turn', 'fallback'] as const;
/** Index of each of them. */
export const ValidityFlag: CodeIndices<typeof VALIDITY_FLAGS> = codesOf(VALIDITY_FLAGS);
