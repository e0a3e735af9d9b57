/**
 * Turn of the two loop workers: one shared word, and notes beside it. Every step of a tick is a
 * compare-exchange of that word. A worker whose tick was taken over notices it before anything of
 * the tick is visible.
 *
 *   IDLE ──claim──▶ CLAIMED ──commit──▶ COMMITTED ──published──▶ IDLE (of the next tick)
 *                   │    ▲               └──▶ by either worker: publishing is copying, and may happen twice
 *                   └────┘ taken over by the other worker, with a new epoch
 *
 * The word: phase (2 bits), claimant (1), worker and page of the newest committed stage (1 + 1),
 * epoch (27). A claim does not change the stage: the claimant, or the worker that takes over,
 * starts from it. An epoch repeats after 2²⁷ claims.
 */

/** Phases of the word. */
export const TurnPhase = Object.freeze({ IDLE: 0, CLAIMED: 1, COMMITTED: 2, ENDED: 3 });

/** Int32 words; those written often have separate cache lines. */
const TURN = 0;
const BEAT = 16; //      and 32: wake-ups of each worker
const BEAT_STRIDE = 16;
const JOINED = 48; //  and 49: 1 while the worker's thread is running
const ATTEMPT = 50; //   and 51: takeovers of the same tick before the worker's newest claim
const CLAIMED_AT = 32; // and 33, as doubles: time of the worker's claim
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

/** Worker whose stage was committed last. */
export function stageOwner(word: number): number {
  return (word >> 3) & 1;
}

/** Page of that stage. */
export function stagePage(word: number): number {
  return (word >> 4) & 1;
}

/** Word of a claim by `worker` that follows `word`. */
function claimOf(word: number, worker: number): number {
  return ((word & ~7) + EPOCH) | 0 | (worker << 2) | TurnPhase.CLAIMED;
}

/** Word of a commit by its claimant, for one of its pages. */
function commitOf(claim: number, page: number): number {
  const worker = claimantOf(claim);
  return (claim & ~31) | (page << 4) | (worker << 3) | (worker << 2) | TurnPhase.COMMITTED;
}

/** One end of the shared word; each worker has one. Nothing allocates. */
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

  /** Present word. */
  get word(): number {
    return Atomics.load(this.#words, TURN);
  }

  /**
   * Claims the next tick, or takes over a claimed one, at the time in `at_us[0]`.
   * @returns the word of the claim, 0 when the other worker was faster
   */
  claim(word: number, worker: number, at_us: Float64Array): number {
    const words = this.#words;
    const again = phaseOf(word) === TurnPhase.CLAIMED;
    // written before the claim is visible; the values belong to this worker
    words[ATTEMPT + worker] = again ? words[ATTEMPT + claimantOf(word)] + 1 : 0;
    this.#doubles[CLAIMED_AT + worker] = at_us[0];
    const claim = claimOf(word, worker);
    return Atomics.compareExchange(words, TURN, word, claim) === word ? claim : 0;
  }

  /**
   * Commits a tick, which is complete in a page of its claimant. @returns the word of the commit, 0
   * when the tick was taken over
   */
  commit(claim: number, page: number): number {
    const commit = commitOf(claim, page);
    return Atomics.compareExchange(this.#words, TURN, claim, commit) === claim ? commit : 0;
  }

  /** Releases a commit after its publication; `last` ends the loop. */
  release(commit: number, last: boolean): void {
    const next = last ? commit | TurnPhase.ENDED : commit & ~3;
    Atomics.compareExchange(this.#words, TURN, commit, next);
  }

  /** into_us[0] := time of a worker's newest claim. */
  claimedAt(worker: number, into_us: Float64Array): void {
    into_us[0] = this.#doubles[CLAIMED_AT + worker];
  }

  /** Number of takeovers before the newest claim of a worker. */
  attempts(worker: number): number {
    return this.#words[ATTEMPT + worker];
  }

  /** Counts a wake-up of a worker. */
  beat(worker: number): void {
    Atomics.add(this.#words, BEAT + worker * BEAT_STRIDE, 1);
  }

  /** Wake-ups of a worker so far. */
  beats(worker: number): number {
    return Atomics.load(this.#words, BEAT + worker * BEAT_STRIDE);
  }

  /** Whether the thread of a worker is running. */
  joined(worker: number): boolean {
    return Atomics.load(this.#words, JOINED + worker) === 1;
  }

  setJoined(worker: number, joined: boolean): void {
    Atomics.store(this.#words, JOINED + worker, joined ? 1 : 0);
  }
}
