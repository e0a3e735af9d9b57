/**
 * Whose turn it is: the one word on which two loop workers agree, and what they note beside it. Every step of a tick's life is a
 * compare-exchange of that word, so that a worker which was taken over finds out before anything of its tick can be seen.
 *
 *   IDLE ──claim──▶ CLAIMED ──commit──▶ COMMITTED ──published──▶ IDLE (of the next tick)
 *                   │    ▲               └──▶ by whichever worker gets there: publishing is copying, and may be done twice
 *                   └────┘ taken over by the other worker, with a new epoch
 *
 * The word: phase (2 bits), claimant (1), worker and page of the newest committed stage (1 + 1), epoch (27). A claim leaves the
 * stage as it is: it is what the claimant, or whoever takes over from it, begins with. An epoch is not met again for 2²⁷ claims.
 */

/** Phases of the word. */
export const TurnPhase = Object.freeze({ IDLE: 0, CLAIMED: 1, COMMITTED: 2, ENDED: 3 });

/** Int32 words, those that are written often on cache lines of their own. */
const TURN = 0;
const BEAT = 16; //      and 32: wake-ups of each worker
const BEAT_STRIDE = 16;
const JOINED = 48; //    and 49: 1 while the worker's thread is there
const ATTEMPT = 50; //   and 51: takeovers of the same tick before the worker's newest claim
const CLAIMED_AT = 32; // and 33, as doubles: when the worker claimed
const BYTES = 320;

const EPOCH = 32;

/** Phase of a word. */
export function phaseOf(word: number): number {
  return word & 3;
}

/** Worker that claimed or committed. */
export function claimantOf(word: number): number {
  return (word >> 2) & 1;
}

/** Worker whose stage is the newest committed one. */
export function stageOwner(word: number): number {
  return (word >> 3) & 1;
}

/** Page of that stage. */
export function stagePage(word: number): number {
  return (word >> 4) & 1;
}

/** The word of a claim by `worker` that follows `word`. */
function claimOf(word: number, worker: number): number {
  return ((word & ~7) + EPOCH) | 0 | (worker << 2) | TurnPhase.CLAIMED;
}

/** The word of a commit by its claimant, of one of its pages. */
function commitOf(claim: number, page: number): number {
  const worker = claimantOf(claim);
  return (claim & ~31) | (page << 4) | (worker << 3) | (worker << 2) | TurnPhase.COMMITTED;
}

/** One end of the shared word; each worker has its own. Nothing allocates. */
export class Turn {
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
    this.#doubles = new Float64Array(buffer);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(BYTES);
  }

  /** The word as it is now. */
  get word(): number {
    return Atomics.load(this.#words, TURN);
  }

  /**
   * Claim the next tick, or take over one that is claimed, at the time in `at_us[0]`.
   * @returns the word of the claim, 0 when another worker was faster
   */
  claim(word: number, worker: number, at_us: Float64Array): number {
    const words = this.#words;
    const again = phaseOf(word) === TurnPhase.CLAIMED;
    // written before the claim can be seen; they are this worker's own
    words[ATTEMPT + worker] = again ? words[ATTEMPT + claimantOf(word)] + 1 : 0;
    this.#doubles[CLAIMED_AT + worker] = at_us[0];
    const claim = claimOf(word, worker);
    return Atomics.compareExchange(words, TURN, word, claim) === word ? claim : 0;
  }

  /** The tick of a claim is complete, in a page of its claimant. @returns the word of the commit, 0 when it was taken over */
  commit(claim: number, page: number): number {
    const commit = commitOf(claim, page);
    return Atomics.compareExchange(this.#words, TURN, claim, commit) === claim ? commit : 0;
  }

  /** Everything of a commit is published; `last` ends the loop. */
  release(commit: number, last: boolean): void {
    const next = last ? commit | TurnPhase.ENDED : commit & ~3;
    Atomics.compareExchange(this.#words, TURN, commit, next);
  }

  /** Put the time of a worker's newest claim into `into_us[0]`. */
  claimedAt(worker: number, into_us: Float64Array): void {
    into_us[0] = this.#doubles[CLAIMED_AT + worker];
  }

  /** Takeovers before the newest claim of a worker. */
  attempts(worker: number): number {
    return this.#words[ATTEMPT + worker];
  }

  /** Sign of life of a worker. */
  beat(worker: number): void {
    Atomics.add(this.#words, BEAT + worker * BEAT_STRIDE, 1);
  }

  /** Signs of life so far. */
  beats(worker: number): number {
    return Atomics.load(this.#words, BEAT + worker * BEAT_STRIDE);
  }

  /** Whether the thread of a worker is there. */
  joined(worker: number): boolean {
    return Atomics.load(this.#words, JOINED + worker) === 1;
  }

  setJoined(worker: number, joined: boolean): void {
    Atomics.store(this.#words, JOINED + worker, joined ? 1 : 0);
  }
}
