/** Nonces: numbers that an end draws anew for every session, so that nothing of an earlier one is valid in it. */
import { randomBytes } from 'node:crypto';

/** Nonces of a session. */
export interface Nonces {
  readonly server: Uint32Array;
  readonly robot: Uint32Array;
}

/** The tags of a session. */
export interface TaggedSession {
  readonly nonces: Nonces;
  /** Number of the key that the peer has proved, from 1; 0: no tags. */
  readonly provenBy: number;
}

/** Draws the nonces of an end. */
export interface NonceSource {
  /** Put a new nonce, never zero, into `out`. */
  draw(out: Uint32Array): void;
}

/** A new nonce, never zero. */
export function newNonce(out: Uint32Array): void {
  const bytes = randomBytes(8);
  out[0] = bytes.readUInt32LE(0) | 1;
  out[1] = bytes.readUInt32LE(4);
}
