/**
 * Earlier nonces of the peer: no session begins with them again. One of a handshake that came to nothing is accepted again, for the
 * peer may have missed that this end gave up. Once a session has come about, the peer has come through with another nonce.
 */
import { StateArena } from '../../src/math/state-arena.ts';

const KEPT = 16;

export class PastNonces {
  readonly #nonces: Float64Array;
  /** 1: of a handshake that came to nothing. */
  readonly #open: Float64Array;
  /** [where the next one goes] */
  readonly #at: Float64Array;

  constructor(arena: StateArena = new StateArena()) {
    this.#nonces = arena.add('nonces', 2 * KEPT);
    this.#open = arena.add('open', KEPT);
    this.#at = arena.add('at', 1);
  }

  /** Keep a nonce; `hadSession`: a session came about with it. */
  add(nonce: Uint32Array, hadSession: boolean): void {
    if (nonce[0] === 0 && nonce[1] === 0) return;
    let at = this.#find(nonce[0], nonce[1]);
    if (at < 0) {
      at = this.#at[0];
      this.#nonces.set(nonce, 2 * at);
      this.#at[0] = (at + 1) % KEPT;
    }
    this.#open[at] = hadSession ? 0 : 1;
  }

  /** A session has come about: none of them is accepted again. */
  close(): void {
    this.#open.fill(0);
  }

  /** Whether a nonce, never zero, must not be accepted again. */
  refuses(a: number, b: number): boolean {
    const at = this.#find(a, b);
    return at >= 0 && this.#open[at] === 0;
  }

  #find(a: number, b: number): number {
    for (let i = 0; i < KEPT; i++) {
      if (this.#nonces[2 * i] === a && this.#nonces[2 * i + 1] === b) return i;
    }
    return -1;
  }
}
