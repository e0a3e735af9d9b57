/**
 * Keys of one session, from the robot key and the nonces of both ends: HMAC-SHA-256 as the key derivation function in counter mode of NIST SP
 * 800-108r1, 4.1, one block: K = HMAC(robot key, 00000001 ‖ label ‖ 00 ‖ server nonce ‖ robot nonce ‖ 00000100), the label "HLP/1 server" or
 * "HLP/1 robot" of the end that sends. A tag is the first 16 bytes of HMAC-SHA-256 under the sender's key over header and payload.
 * Its sequence number gives a frame its one place in the session and the direction.
 */
import { DIGEST_BYTES, HmacSha256 } from './hmac-sha256.ts';
import { TAG_BYTES } from './layout.ts';

const encoder = new TextEncoder();
/** By role: 0 server, 1 robot. */
const INPUTS = ['HLP/1 server', 'HLP/1 robot'].map((label) => {
  const text = encoder.encode(label);
  const input = new Uint8Array(4 + text.length + 1 + 16 + 4);
  input[3] = 1; // the block's number
  input.set(text, 4);
  input[input.length - 2] = 1; // 256 bits
  return { input, noncesAt: 4 + text.length + 1 };
});

/** The robot key, ready to derive with. */
export function makeMaster(key: string): HmacSha256 {
  const master = new HmacSha256();
  const bytes = encoder.encode(key);
  master.setKey(bytes, bytes.length);
  return master;
}

/** The keys that belong to one pair of nonces. */
export class SessionKeys {
  readonly #master: HmacSha256;
  readonly #byRole = [new HmacSha256(), new HmacSha256()] as const;
  readonly #nonces = new Uint32Array(4);
  #derived = false;

  constructor(master: HmacSha256) {
    this.#master = master;
  }

  /** Derive for nonces, words in the order of the wire, unless that was done last. @alloc none */
  derive(server: Uint32Array, robot: Uint32Array): void {
    const n = this.#nonces;
    const same = n[0] === server[0] && n[1] === server[1] && n[2] === robot[0] && n[3] === robot[1];
    if (this.#derived && same) return;
    this.#derived = true;
    n[0] = server[0];
    n[1] = server[1];
    n[2] = robot[0];
    n[3] = robot[1];
    for (let role = 0; role < 2; role++) {
      const { input, noncesAt } = INPUTS[role];
      for (let word = 0; word < 4; word++) {
        for (let i = 0; i < 4; i++) input[noncesAt + 4 * word + i] = n[word] >>> (8 * i);
      }
      this.#master.compute(input, input.length);
      this.#byRole[role].setKey(this.#master.digest, DIGEST_BYTES);
    }
  }

  /** Write the tag of the first `length` bytes behind them. @alloc none */
  write(role: number, bytes: Uint8Array, length: number): void {
    const hmac = this.#byRole[role];
    hmac.compute(bytes, length);
    for (let i = 0; i < TAG_BYTES; i++) bytes[length + i] = hmac.digest[i];
  }

  /** Whether the bytes behind `length` are the tag of those before, in a time that does not depend on them. @alloc none */
  isRight(role: number, bytes: Uint8Array, length: number): boolean {
    const hmac = this.#byRole[role];
    hmac.compute(bytes, length);
    let differs = 0;
    for (let i = 0; i < TAG_BYTES; i++) differs |= bytes[length + i] ^ hmac.digest[i];
    return differs === 0;
  }
}
