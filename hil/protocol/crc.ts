/**
 * CRC-32C (Castagnoli, reflected polynomial 0x82F63B78, initial and final value 0xFFFFFFFF), by table. Check value of
 * "123456789": 0xE3069283 (RFC 3720 B.4). The seed is four bytes processed ahead of the data, so a peer in any language
 * computes `crc32c(seed_little_endian ‖ frame)`.
 */

const TABLE = new Int32Array(256);
for (let i = 0; i < 256; i++) {
  let value = i;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  TABLE[i] = value;
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
  for (let i = 0; i < length; i++) {
    register = TABLE[(register ^ bytes[i]) & 255] ^ (register >>> 8);
  }
  return ~register;
}
