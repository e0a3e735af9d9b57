/**
 * Whose turn it is at the robot port while no robot is in session. A connection proves nothing: the place belongs to the one that
 * completes the handshake, and the loop reads one at a time. So connections wait in a line, and a turn ends while another
 * connection waits. It ends after half a second for one that sends no HELLO, else after one and a half. One that waits with a
 * HELLO comes before a silent one, and a peer whose connections have lost turns comes after one that has lost fewer. Bounded in
 * memory; pure: the caller passes the time.
 */
import { keepNewest } from './keep-newest.ts';
import { PEERS_APART } from './key-guesses.ts';

/** A turn, where another waits: several times what a handshake takes, ms. */
export const TURN_MS = 1500;
/** The same for a silent connection, where another waits with a HELLO; one that waits so long in silence may be closed, ms. */
export const SILENT_MS = 500;
/** Connections that may wait, in all and of one peer. */
export const WAITING_IN_ALL = 8;
export const WAITING_OF_PEER = 6;
/** A lost turn counts so long after the last one, ms. */
const LOST_MS = 60_000;

interface Waiting<T> {
  readonly one: T;
  readonly peer: string;
  readonly since_ms: number;
  greeted: boolean;
}

/** The turn of a connection. */
export interface Turn {
  readonly since_ms: number;
  /** It has sent HELLO. */
  readonly greeted: boolean;
}

export class RobotTurns<T> {
  #line: Waiting<T>[] = [];
  /** Turns that a peer has lost in a row, and when the last one; the one that lost longest ago is first. */
  readonly #lost = new Map<string, { count: number; time_ms: number }>();

  /** How many wait. */
  get waiting(): number {
    return this.#line.length;
  }

  /**
   * Take a place in the line.
   * @returns whether there is one, and the connection that had to leave for it
   */
  enter(one: T, peer: string, now_ms: number): { entered: boolean; gone: T | null } {
    const mine = this.#line.filter((other) => other.peer === peer);
    const isFull = this.#line.length >= WAITING_IN_ALL;
    let goes: Waiting<T> | undefined;
    if (isFull || mine.length >= WAITING_OF_PEER) {
      const among = isFull ? this.#line : mine;
      goes =
        among.find(({ greeted, since_ms }) => !greeted && now_ms - since_ms >= SILENT_MS) ??
        this.#lastOfLargest(mine.length + 1);
      if (goes === undefined) return { entered: false, gone: null };
      this.leave(goes.one);
    }
    this.#line.push({ one, peer, since_ms: now_ms, greeted: false });
    return { entered: true, gone: goes?.one ?? null };
  }

  /** One that waits has sent HELLO. */
  greeted(one: T): void {
    const found = this.#line.find((other) => other.one === one);
    if (found !== undefined) found.greeted = true;
  }

  /** One that waits has gone. */
  leave(one: T): void {
    this.#line = this.#line.filter((other) => other.one !== one);
  }

  /** Whether a turn is to end for a connection that waits. */
  isOver(turn: Turn, now_ms: number): boolean {
    if (this.#line.length === 0) return false;
    const isSilent = !turn.greeted && this.#line.some(({ greeted }) => greeted);
    return now_ms - turn.since_ms >= (isSilent ? SILENT_MS : TURN_MS);
  }

  /** The connection with the next turn, which leaves the line; null when none waits. */
  next(now_ms: number): T | null {
    const first = this.#fewestLost(now_ms) ?? this.#line.at(0);
    if (first === undefined) return null;
    this.leave(first.one);
    return first.one;
  }

  /** A peer's turn was ended for another. */
  lost(peer: string, now_ms: number): void {
    const count = this.#lostBy(peer, now_ms) + 1;
    keepNewest(this.#lost, peer, { count, time_ms: now_ms }, PEERS_APART);
  }

  /** A robot of that peer is in session: what its connections lost is cleared. @returns the connections that waited in vain */
  settled(peer: string): T[] {
    this.#lost.delete(peer);
    const all = this.#line.map(({ one }) => one);
    this.#line = [];
    return all;
  }

  #lostBy(peer: string, now_ms: number): number {
    const lost = this.#lost.get(peer);
    return lost === undefined || now_ms - lost.time_ms > LOST_MS ? 0 : lost.count;
  }

  /** The first with a HELLO, of the peer that has lost fewest turns. */
  #fewestLost(now_ms: number): Waiting<T> | undefined {
    let [best, fewest]: [Waiting<T> | undefined, number] = [undefined, Infinity];
    for (const one of this.#line) {
      if (!one.greeted) continue;
      const lost = this.#lostBy(one.peer, now_ms);
      if (lost < fewest) [best, fewest] = [one, lost];
    }
    return best;
  }

  /** The last of the peer that has most in the line, where that is more than `least`. */
  #lastOfLargest(least: number): Waiting<T> | undefined {
    const counts = new Map<string, number>();
    let [found, most]: [Waiting<T> | undefined, number] = [undefined, least];
    for (const one of this.#line) {
      const count = (counts.get(one.peer) ?? 0) + 1;
      counts.set(one.peer, count);
      if (count >= most) [found, most] = [one, count];
    }
    return most > least ? found : undefined;
  }
}
