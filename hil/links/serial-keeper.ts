/**
 * Keeps the serial line of the loop open, on the main thread. The loop marks a line that is gone (a plug that was pulled, an adapter that was reset)
 * and leaves its descriptor alone from then on; here it is closed and the port opened again as soon as it is back.
 */
import { openSerial, type SerialLine } from './serial-open.ts';
import { LINE_GONE } from './serial-link.ts';

const LOOK_MS = 500;

/** One port. */
export class SerialKeeper {
  readonly #path: string;
  readonly #baud: number;
  /** Where the loop finds the descriptor. */
  readonly #seat: Int32Array;
  readonly #onNote: (message: string) => void;
  #line: SerialLine | null = null;
  #timer: NodeJS.Timeout | null = null;
  #reopening: Promise<void> | null = null;
  /** Whether the log says that the line is there: one that fails as soon as it is opened is not told of again and again. */
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
      if (this.#reopening === null) this.#look();
    }, LOOK_MS);
  }

  #look(): void {
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
    await this.#openLine().catch(() => undefined); // not back yet: looked for again
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#reopening;
    await this.#line?.close();
    this.#line = null;
  }
}
