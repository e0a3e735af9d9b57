/**
 * CRC-32C (Castagnoli, reflected polynomial 0x82F63B78, initial and final value 0xFFFFFFFF), by table. Check value of
 * "123456789": 0xE3069283 (RFC 3720 B.4). The seed is four bytes processed ahead of the data, so a peer in any language
 * computes `crc32c(seed_little_endian ‖ frame)`.
 *
 * Four bytes are taken at a time ("slicing", Kounavis & Berry 2008): a byte that is followed by k more bytes of its group has a table of its
 * own, in which k bytes of zero have been processed after it. Each group then waits for one look-up instead of four.
 */

/** Tables of 256 entries: number k is of a byte with k bytes after it. */
const SLICES = 4;
const TABLE = new Int32Array(256 * SLICES);
for (let i = 0; i < 256; i++) {
  let value = i;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  TABLE[i] = value;
}
for (let i = 256; i < TABLE.length; i++) {
  const before = TABLE[i - 256];
  TABLE[i] = TABLE[before & 255] ^ (before >>> 8);
}
/** Register after the four bytes of a seed: the start value for `crcOf`. */
export function crcStart(seed: number): number {
  let register = -1;
  for (let shift = 0; shift < 32; shift += 8) {
    register = TABLE[(register ^ (seed >>> shift)) & 255] ^ (register >>> 8);
  }
  return register | 0;
}

/** Start value without a seed: plain CRC-32C. */
export const CRC_PLAIN = -1;

/**
 * CRC of the first `length` bytes, as a signed 32-bit integer (a small integer: no allocation).
 * @alloc none
 */
export function crcOf(bytes: Uint8Array, length: number, start: number): number {
  let register = start | 0;
  const whole = length & -SLICES;
  let i = 0;
  for (; i < whole; i += SLICES) {
    register ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    register =
      TABLE[768 + (register & 255)] ^
      TABLE[512 + ((register >>> 8) & 255)] ^
      TABLE[256 + ((register >>> 16) & 255)] ^
      TABLE[register >>> 24];
  }
  for (; i < length; i++) {
    register = TABLE[(register ^ bytes[i]) & 255] ^ (register >>> 8);
  }
  return ~register;
}
