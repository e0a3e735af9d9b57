/**
 * Tags of control frames under a pre-shared key: the first 16 bytes of HMAC-SHA-256 over the sender's role, the nonces of
 * both ends and the frame up to the tag. Nonces bind a tag to its session, the frame's sequence number to its place in it.
 * Only handshakes and commands carry tags; the cyclic path never comes here (it allocates).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { TAG_BYTES } from './layout.ts';

/** Nonces of a session. */
export interface Nonces {
  readonly server: Uint32Array;
  readonly robot: Uint32Array;
}

/** Tag of the first `length` bytes; a HELLO is tagged with zero nonces, for it brings its own. */
export function computeTag(
  key: string,
  role: number,
  nonces: Nonces | null,
  bytes: Uint8Array,
  length: number,
): Uint8Array {
  const head = Buffer.alloc(17);
  head[0] = role;
  if (nonces !== null) {
    head.writeUInt32LE(nonces.server[0], 1);
    head.writeUInt32LE(nonces.server[1], 5);
    head.writeUInt32LE(nonces.robot[0], 9);
    head.writeUInt32LE(nonces.robot[1], 13);
  }
  const digest = createHmac('sha256', key).update(head).update(bytes.subarray(0, length)).digest();
  return digest.subarray(0, TAG_BYTES);
}

/** Whether the bytes after `length` are the right tag. */
export function tagIsRight(
  key: string,
  role: number,
  nonces: Nonces | null,
  bytes: Uint8Array,
  length: number,
): boolean {
  const given = bytes.subarray(length, length + TAG_BYTES);
  return timingSafeEqual(given, computeTag(key, role, nonces, bytes, length));
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
