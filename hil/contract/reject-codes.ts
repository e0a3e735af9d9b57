/** Why a handshake of HLP/1 comes to nothing. */
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

/** One cause a code; the index is the number on the wire. Never reuse or reorder: append. */
export const REJECT_CODES = [
  'none',
  'version',
  'layout',
  'period',
  'limits',
  'baud',
  'tag',
  'busy',
  'timeout',
  'role',
  'nonce',
] as const;
export const RejectCode: NameIndices<typeof REJECT_CODES> = indicesOf(REJECT_CODES);
