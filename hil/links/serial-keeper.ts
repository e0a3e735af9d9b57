/**
 * Keeps the serial line of the loop open, on the main thread. The loop marks a lost line (a pulled
 * plug, a reset adapter) and no longer uses its descriptor. This class closes it and reopens the
 * port as soon as it is back.
 */
import { openSerial, type SerialLine } from './serial-open.ts';
import { LINE_GONE } from './serial-link.ts';

const CHECK_MS = 500;

/** Keeper of one port. */
export class SerialKeeper {
  readonly #path: string;
  readonly #baud: number;
  /** Word in which the loop finds the descriptor. */
  readonly #seat: Int32Array;
  readonly #onNote: (message: string) => void;
  #line: SerialLine | null = null;
  #timer: NodeJS.Timeout | null = null;
  #reopening: Promise<void> | null = null;
  /** Whether the log reports the line as open. A line that fails right after each opening is reported once. */
  #reportedOpen = true;

  constructor(path: string, baud: number, seat: Int32Array, onNote: (message: string) => void) {
    this.#path = path;
    this.#baud = baud;
    this.#seat = seat;
    this.#onNote = onNote;
  }

  /** @throws BerthError naming the path and the reason */
  async open(): Promise<void> {
    await this.#openLine();
    this.#timer = setInterval(() => {
      if (this.#reopening === null) this.#check();
    }, CHECK_MS);
  }

  #check(): void {
    const gone = Atomics.load(this.#seat, 0) === LINE_GONE;
    if (gone) this.#reopening = this.#reopen().finally(() => (this.#reopening = null));
    if (gone !== this.#reportedOpen) return;
    this.#reportedOpen = !gone;
    const what = gone ? 'is gone; it is opened again when it is back' : 'is open again';
    this.#onNote(`robot.serial_path: ${this.#path} ${what}`);
  }

  async #openLine(): Promise<void> {
    this.#line = await openSerial(this.#path, this.#baud);
    Atomics.store(this.#seat, 0, this.#line.fd);
  }

  async #reopen(): Promise<void> {
    await this.#line?.close();
    this.#line = null;
    await this.#openLine().catch(() => undefined); // not back yet: tried again later
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#reopening;
    await this.#line?.close();
    this.#line = null;
  }
}
