/**
 * The text of `/metrics`. Requests that arrive while a rendering is due share it, so a crowd gets
 * one text. A pause separates two renderings, so that scrapes at full speed take a twentieth of the
 * thread that serves operators. A text is never older than its request.
 */

/** Pause between the end of one rendering, which takes 1.2 ms, and the start of the next, ms. */
export const RENDER_PAUSE_MS = 25;

/** Parts of the page. */
export interface PageParts {
  readonly render: () => Promise<string>;
  readonly now_ms: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export class MetricsPage {
  readonly #parts: PageParts;
  /** Rendering that has not started. */
  #due: Promise<Buffer> | null = null;
  #ended_ms = -Infinity;

  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  /** A text rendered after this call. */
  text(): Promise<Buffer> {
    this.#due ??= this.#renderInTurn();
    return this.#due;
  }

  async #renderInTurn(): Promise<Buffer> {
    await this.#parts.wait(Math.max(0, this.#ended_ms + RENDER_PAUSE_MS - this.#parts.now_ms()));
    // later requests need a newer text
    this.#due = null;
    try {
      return Buffer.from(await this.#parts.render());
    } finally {
      this.#ended_ms = this.#parts.now_ms();
    }
  }
}
