/** Why the recorder removes a file of its own: the name of the setting that requires it, or a disk that takes nothing more. */
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

export const REMOVAL_REASONS = ['keep_bytes', 'keep_free_bytes', 'disk_full', 'freezes'] as const;
export const RemovalIndex: NameIndices<typeof REMOVAL_REASONS> = indicesOf(REMOVAL_REASONS);
export type RemovalReason = (typeof REMOVAL_REASONS)[number];
