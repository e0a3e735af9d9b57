/**
 * Which peers may connect to the robot port. The key of a robot is never shown there, but it is tried: a HELLO whose tag is wrong
 * is answered with REJECT. A peer has as many wrong ones as at the HTTP face (key-guesses.ts). The next one ends its connection,
 * and the door stays shut to it for a quarter of a second, then twice as long each time, at most 5 s. A robot in session is not
 * affected. Bounded in memory; pure: the caller passes the time.
 */
import { keepNewest } from './keep-newest.ts';
import { KeyGuesses, LONGEST_DELAY_MS, PEERS_APART } from './key-guesses.ts';

export class RobotDoor {
  readonly #guesses = new KeyGuesses();
  /** Until when it is shut to a peer, ms; the one that was shut out longest ago is first. */
  readonly #until_ms = new Map<string, number>();

  /** A peer has tried a wrong key. @returns whether its connection is to end */
  wrong(peer: string, now_ms: number): boolean {
    const wait = this.#guesses.shown(peer, '', false, now_ms);
    if (wait === 0) return false;
    // no answer waits here: the door stays shut instead
    if (wait !== 'none') this.#guesses.answered(peer);
    const until_ms = now_ms + (wait === 'none' ? LONGEST_DELAY_MS : wait);
    keepNewest(this.#until_ms, peer, until_ms, PEERS_APART);
    return true;
  }

  /** Whether a peer may connect now. */
  isOpen(peer: string, now_ms: number): boolean {
    const until_ms = this.#until_ms.get(peer);
    if (until_ms === undefined) return true;
    if (now_ms < until_ms) return false;
    this.#until_ms.delete(peer);
    return true;
  }
}
