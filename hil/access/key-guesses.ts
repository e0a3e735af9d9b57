/**
 * How often wrong keys came, of each peer and in all, and what that costs the next one. A peer that has shown five wrong keys waits
 * for its answers: a quarter of a second, then twice as long each time, at most 5 s. At most four answers wait at a time; what
 * exceeds these gets none. So one peer can test less than one key a second, however many it sends. A key that was right from a peer
 * before is no guess and never waits; neither does a right one from a peer that has not guessed. Bounded in memory; pure: the
 * caller passes the time.
 */

/** Wrong keys of a peer that cost nothing: a key that was mistyped, a client with yesterday's. */
export const FREE_GUESSES = 5;
/** A wrong key is forgiven after this, ms. */
export const FORGIVEN_MS = 15_000;
/** No more are remembered: a peer is back to free after three minutes. */
const MOST_GUESSES = 16;
const FIRST_DELAY_MS = 250;
export const LONGEST_DELAY_MS = 5000;
/** Answers that wait, of one peer and in all. */
export const WAITING_OF_PEER = 4;
export const WAITING_IN_ALL = 256;
/** Wrong keys in all, of a minute: beyond them each is answered late, also the first of its peer. */
export const FREE_IN_ALL = 100;
const FORGIVEN_IN_ALL_MS = 600;
/** Peers that are counted apart, and keys that were right from one; the oldest makes room. */
export const PEERS_APART = 1024;
const KNOWN = 1024;

/** A count that forgives one in so many ms. */
class Leak {
  readonly #forgiven_ms: number;
  readonly #most: number;
  #count = 0;
  #time_ms = 0;
  /** Answers that wait. */
  waiting = 0;

  constructor(forgiven_ms: number, most: number) {
    this.#forgiven_ms = forgiven_ms;
    this.#most = most;
  }

  count(now_ms: number): number {
    const left = this.#count - (now_ms - this.#time_ms) / this.#forgiven_ms;
    this.#time_ms = now_ms;
    this.#count = Math.max(0, left);
    return this.#count;
  }

  add(now_ms: number): void {
    this.#count = Math.min(this.#most, this.count(now_ms) + 1);
  }
}

/** What a request with a key gets: its answer at once, after so many ms, or none that shows whether the key is right. */
export type Wait = number | 'none';

export class KeyGuesses {
  readonly #peers = new Map<string, Leak>();
  readonly #known = new Set<string>();
  readonly #all = new Leak(FORGIVEN_IN_ALL_MS, 10 * FREE_IN_ALL);

  /**
   * A key was shown. An answer that is to wait holds a place until `answered`.
   * @param print a fingerprint of the key, which differs from key to key
   */
  shown(peer: string, print: string, right: boolean, now_ms: number): Wait {
    const known = `${print}@${peer}`;
    if (right && this.#known.has(known)) return 0;
    const leak = this.#of(peer, now_ms);
    if (!right) {
      leak.add(now_ms);
      this.#all.add(now_ms);
    }
    const over = Math.floor(leak.count(now_ms)) - FREE_GUESSES;
    // many peers with few guesses each: a right key among them does not wait for theirs
    const crowd = !right && this.#all.count(now_ms) > FREE_IN_ALL;
    if (over <= 0 && !crowd) {
      if (right) this.#keep(known);
      return 0;
    }
    if (leak.waiting >= WAITING_OF_PEER || this.#all.waiting >= WAITING_IN_ALL) return 'none';
    if (right) this.#keep(known); // it is answered now
    leak.waiting++;
    this.#all.waiting++;
    return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, over - 1));
  }

  /** An answer that waited has been given. */
  answered(peer: string): void {
    this.#all.waiting--;
    const leak = this.#peers.get(peer);
    if (leak !== undefined) leak.waiting--;
  }

  /** Keys that were right are right no more, or others are. */
  forget(): void {
    this.#known.clear();
  }

  #keep(known: string): void {
    if (this.#known.size >= KNOWN) this.#known.delete([...this.#known][0]);
    this.#known.add(known);
  }

  #of(peer: string, now_ms: number): Leak {
    const found = this.#peers.get(peer);
    if (found !== undefined) return found;
    if (this.#peers.size >= PEERS_APART) this.#makeRoom(now_ms);
    const leak = new Leak(FORGIVEN_MS, MOST_GUESSES);
    this.#peers.set(peer, leak);
    return leak;
  }

  /** Removes the oldest of which nothing waits and least is kept. */
  #makeRoom(now_ms: number): void {
    let [name, least] = ['', Infinity];
    for (const [peer, leak] of this.#peers) {
      const count = leak.count(now_ms);
      if (leak.waiting > 0 || count >= least) continue;
      [name, least] = [peer, count];
      if (count === 0) break;
    }
    this.#peers.delete(name);
  }
}
