/**
 * How often a refusal is reported: the first of its kind at once, its repetitions as one count after an interval. A peer may be
 * refused any number of times and must not fill a log with it, so there is also a bound for all kinds together. Bounded in memory; pure: the
 * caller passes the time.
 */
import { keepNewest } from './keep-newest.ts';

/** Kinds that are known apart. */
const KINDS = 32;
/** Told at once, and how many a second go on after that. */
const BURST = 10;
const PER_S = 1;

export class RefusalPace {
  readonly #interval_ms: number;
  /** Of each kind: when it was told last, and how often it came since. */
  readonly #reported = new Map<string, { at_ms: number; more: number }>();
  #room = BURST;
  #filled_ms = 0;

  constructor(interval_ms: number) {
    this.#interval_ms = interval_ms;
  }

  /** One more of a kind. @returns how many are to be told now, this one among them; 0 for none */
  count(kind: string, now_ms: number): number {
    const known = this.#reported.get(kind);
    const more = (known?.more ?? 0) + 1;
    const isEarly = known !== undefined && now_ms - known.at_ms < this.#interval_ms;
    if (isEarly || !this.#take(now_ms)) {
      const at_ms = known?.at_ms ?? -Infinity;
      keepNewest(this.#reported, kind, { at_ms, more }, KINDS);
      return 0;
    }
    keepNewest(this.#reported, kind, { at_ms: now_ms, more: 0 }, KINDS);
    return more;
  }

  #take(now_ms: number): boolean {
    this.#room = Math.min(BURST, this.#room + (PER_S * (now_ms - this.#filled_ms)) / 1000);
    this.#filled_ms = now_ms;
    if (this.#room < 1) return false;
    this.#room -= 1;
    return true;
  }
}
