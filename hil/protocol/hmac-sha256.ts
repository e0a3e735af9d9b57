/**
 * HMAC-SHA-256 without allocation, for the tags of frames: SHA-256 of FIPS 180-4 (sections 4.1.2, 4.2.2, 5.1.1, 5.3.3, 6.2) in the HMAC of
 * RFC 2104. Own code, because node:crypto makes an object and a buffer for every tag, and no library computes one into arrays that are
 * there. Checked against node:crypto over every length and against the vectors of RFC 4231 (test/hil/protocol/hmac-sha256.test.ts).
 *
 * A key is hashed once: the states after the inner and the outer padded key are kept, so that a tag costs the blocks of its message and
 * one more. Time depends on the length of the message alone.
 */

const BLOCK = 64;
/** Bytes of a digest. */
export const DIGEST_BYTES = 32;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const K = new Int32Array(64);
/** The same of the square roots of the first eight. */
const START = new Int32Array(8);

/** floor(2³² · frac(n^(1/root))), exact: the largest r with r^root ≤ n · 2^(32 · root), modulo 2³². */
function rootBits(n: number, root: 2 | 3): number {
  const target = BigInt(n) << BigInt(32 * root);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(root) <= target) low = middle;
    else high = middle;
  }
  return Number(BigInt.asIntN(32, low));
}

for (let n = 2, found = 0; found < 64; n++) {
  let divisor = 2;
  while (divisor * divisor <= n && n % divisor !== 0) divisor++;
  if (divisor * divisor <= n) continue;
  K[found] = rootBits(n, 3);
  if (found < 8) START[found] = rootBits(n, 2);
  found++;
}

const W = new Int32Array(64);
const last = new Uint8Array(2 * BLOCK);

/** One block of `bytes` at `at` into a state (FIPS 180-4, 6.2.2). @alloc none */
function compress(state: Int32Array, bytes: Uint8Array, at: number): void {
  for (let t = 0; t < 16; t++) {
    const i = at + 4 * t;
    W[t] = (bytes[i] << 24) | (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3];
  }
  for (let t = 16; t < 64; t++) {
    const x = W[t - 15];
    const y = W[t - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    W[t] = (W[t - 16] + s0 + W[t - 7] + s1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let t = 0; t < 64; t++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[t] + W[t]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** The rest of a message, padding and length (FIPS 180-4, 5.1.1); `hashed` bytes went before it, in whole blocks. @alloc none */
function finish(
  state: Int32Array,
  bytes: Uint8Array,
  from: number,
  to: number,
  hashed: number,
): void {
  const left = to - from;
  last.fill(0);
  for (let i = 0; i < left; i++) last[i] = bytes[from + i];
  last[left] = 0x80;
  const end = left < BLOCK - 8 ? BLOCK : 2 * BLOCK;
  const total = hashed + left; // bytes, far below 2²⁸
  last[end - 4] = total >>> 21;
  last[end - 3] = total >>> 13;
  last[end - 2] = total >>> 5;
  last[end - 1] = total << 3;
  compress(state, last, 0);
  if (end > BLOCK) compress(state, last, BLOCK);
}

function write(state: Int32Array, out: Uint8Array): void {
  for (let i = 0; i < 8; i++) {
    const word = state[i];
    out[4 * i] = word >>> 24;
    out[4 * i + 1] = word >>> 16;
    out[4 * i + 2] = word >>> 8;
    out[4 * i + 3] = word;
  }
}

/** SHA-256 of the first `length` bytes into a state and from there into `out`. */
function hash(state: Int32Array, bytes: Uint8Array, length: number, hashed: number): void {
  let at = 0;
  for (; at + BLOCK <= length; at += BLOCK) compress(state, bytes, at);
  finish(state, bytes, at, length, hashed + at);
}

/** HMAC-SHA-256 under one key. */
export class HmacSha256 {
  /** The code of the newest message. */
  readonly digest: Uint8Array = new Uint8Array(DIGEST_BYTES);
  readonly #inner = new Int32Array(8);
  readonly #outer = new Int32Array(8);
  readonly #state = new Int32Array(8);
  readonly #pad = new Uint8Array(BLOCK);
  readonly #hashed = new Uint8Array(DIGEST_BYTES);

  /** Take the first `length` bytes as the key; longer ones than a block are hashed, as RFC 2104 has it. @alloc none */
  setKey(key: Uint8Array, length: number): void {
    const pad = this.#pad;
    pad.fill(0);
    if (length > BLOCK) {
      this.#state.set(START);
      hash(this.#state, key, length, 0);
      write(this.#state, pad);
    } else for (let i = 0; i < length; i++) pad[i] = key[i];
    for (let i = 0; i < BLOCK; i++) pad[i] ^= 0x36;
    this.#inner.set(START);
    compress(this.#inner, pad, 0);
    for (let i = 0; i < BLOCK; i++) pad[i] ^= 0x36 ^ 0x5c;
    this.#outer.set(START);
    compress(this.#outer, pad, 0);
    pad.fill(0);
  }

  /** The code of the first `length` bytes, into `digest`. @alloc none */
  compute(bytes: Uint8Array, length: number): void {
    const state = this.#state;
    for (let i = 0; i < 8; i++) state[i] = this.#inner[i];
    hash(state, bytes, length, BLOCK);
    write(state, this.#hashed);
    for (let i = 0; i < 8; i++) state[i] = this.#outer[i];
    hash(state, this.#hashed, DIGEST_BYTES, BLOCK);
    write(state, this.digest);
  }
}
