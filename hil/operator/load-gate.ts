/**
 * Decides between a load and a motion, which must not both be granted. A load closes the gate: from then on nothing that begins a motion is
 * passed to the loop. Then it waits until the loop has reported a tick that began afterwards, so that everything which was passed
 * before is judged and shows. Only then it checks whether the arm may move, or has begun to meanwhile: a motion may have ended
 * again before a delayed thread checks. The first request is granted; the other is refused.
 */
import { marksOf } from '../contract/commands.ts';

/** Ticks reported after which one must have begun after the gate was closed: the one under way at that moment, and the next. */
const TICKS = 2;
/** A loop that reports nothing for so long takes no ARM that waits for it either (operator-port.ts: 0.9 s), ms. */
const PATIENCE_MS = 1000;
const POLL_MS = 1;
/** Kinds of command that may begin a motion. */
const BEGINS = marksOf(({ begins }) => begins);

/** What the gate reads of the loop. */
export interface GateView {
  /** Ticks reported so far. */
  readonly ticks: () => number;
  /** Why the arm keeps the scenario, by the newest tick; '' when it does not. */
  readonly whyBusy: () => string;
  /** Motions begun so far. */
  readonly begun: () => number;
  readonly now_ms: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export class LoadGate {
  readonly #view: GateView;
  #closed = false;

  constructor(view: GateView) {
    this.#view = view;
  }

  /** A load has begun. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Whether a command may go to the loop. A deadman that is pressed again begins a motion, too. */
  passes(kind: number): boolean {
    return !(this.#closed && BEGINS[kind] === 1);
  }

  /** Close the gate for a load. @returns '' when nothing can move any more, or why the load is refused; the gate is open again then */
  async close(): Promise<string> {
    const begun = this.#view.begun();
    // no work for an operator in flight
    const before = this.#view.whyBusy();
    if (before !== '') return before;
    this.#closed = true;
    const from = this.#view.ticks();
    const end_ms = this.#view.now_ms() + PATIENCE_MS;
    while (this.#view.ticks() - from < TICKS && this.#view.now_ms() < end_ms) {
      await this.#view.wait(POLL_MS);
    }
    const moved = this.#view.begun() === begun ? '' : 'while a motion begins';
    const busy = this.#view.whyBusy() || moved;
    if (busy !== '') this.#closed = false;
    return busy;
  }

  /** The load is over. */
  open(): void {
    this.#closed = false;
  }
}
