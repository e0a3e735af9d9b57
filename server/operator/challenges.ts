/**
 * How late one client is, by the server's clock alone. A challenge is a random number that the client cannot have before it has
 * received it; every input quotes the newest one received. What quotes it was made after it was sent, so the age of the input is
 * at most the age of the challenge. That is the way there, the wait at the client and the way back, whatever the client's clock
 * shows. Nothing that a client claims makes this bound smaller, and an answer that is sent again only gets older.
 */
import { randomBytes } from 'node:crypto';

/** Challenges kept: 1.28 s of those of a holder, well above the longest `operator.input_timeout_s` (0.5 s). */
const KEPT = 128;
/** Answers that count for the round trip: those of the last so many, and none older than so long, s. */
const ANSWERS = 8;
const ANSWER_LIFE_S = 5;

/** Answers to a client about its delay: the answers of OperatorRequests. */
export type DelayVerdict = 'ok' | 'delay_unknown' | 'delay_too_long';

export class Challenges {
  readonly #nonces = new Uint32Array(KEPT);
  readonly #sent_s = new Float64Array(KEPT).fill(-Infinity);
  readonly #answered_s = new Float64Array(ANSWERS).fill(-Infinity);
  readonly #roundTrips_s = new Float64Array(ANSWERS).fill(Infinity);
  #issued = 0;
  #answers = 0;
  /** When the client is next asked to answer at once, s. */
  answerDue_s = -Infinity;

  /** A new challenge that leaves now. */
  issue(now_s: number): number {
    const at = this.#issued++ % KEPT;
    this.#nonces[at] = randomBytes(4).readUInt32LE();
    this.#sent_s[at] = now_s;
    return this.#nonces[at];
  }

  /** @returns largest age, s, of what quotes this challenge and arrives now; Infinity for one that is not known (any more) */
  age_s(nonce: number, now_s: number): number {
    let sent_s = -Infinity;
    for (let i = 0; i < KEPT; i++) {
      if (this.#nonces[i] === nonce && this.#sent_s[i] > sent_s) sent_s = this.#sent_s[i];
    }
    return now_s - sent_s;
  }

  /** The client has answered a challenge at once. */
  answer(nonce: number, now_s: number): void {
    const age_s = this.age_s(nonce, now_s);
    if (age_s === Infinity) return;
    const at = this.#answers++ % ANSWERS;
    this.#answered_s[at] = now_s;
    this.#roundTrips_s[at] = age_s;
  }

  /** Shortest round trip of the newest answers, s; null when none came lately. */
  roundTrip_s(now_s: number): number | null {
    let shortest = Infinity;
    for (let i = 0; i < ANSWERS; i++) {
      if (now_s - this.#answered_s[i] <= ANSWER_LIFE_S) {
        shortest = Math.min(shortest, this.#roundTrips_s[i]);
      }
    }
    return shortest === Infinity ? null : shortest;
  }

  /** Whether inputs of this client can be in time at all. */
  judge(now_s: number, limit_s: number): DelayVerdict {
    const roundTrip_s = this.roundTrip_s(now_s);
    if (roundTrip_s === null) return 'delay_unknown';
    return roundTrip_s > limit_s ? 'delay_too_long' : 'ok';
  }
}
