/** A person who has read nothing and does what the page says next, by visible text and roles alone. */
import type { Locator, Page } from 'playwright-core';

/** Codes of the keys whose caps the page shows. */
const CODES: Readonly<Record<string, string>> = { Shift: 'ShiftLeft', Space: 'Space' };
const codeOf = (cap: string): string => CODES[cap] ?? `Key${cap}`;
/** What is given to one press before the page is read again, ms. */
const PRESS_MS = 2000;
const READ_MS = 250;
/** The page says that everything is let go first: for so long, ms. */
const REST_MS = 300;

/** Hands and eyes. */
export class Newcomer {
  readonly #page: Page;
  readonly #down = new Set<string>();
  /** What was read and pressed, without repetitions in a row. */
  readonly did: string[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  get #checklist(): Locator {
    return this.#page.getByRole('list', { name: 'From here to motion' });
  }

  /** Releases every key. */
  async releaseKeys(): Promise<void> {
    for (const code of this.#down) await this.#page.keyboard.up(code);
    this.#down.clear();
  }

  /** One action by the step that is marked as next. @returns true when no step is left: the arm moves */
  async act(): Promise<boolean> {
    const page = this.#page;
    const dialog = page.getByRole('dialog');
    if (await dialog.isVisible()) {
      const choice = dialog.getByRole('button', { name: /^(Acknowledge|Cause removed)$/ });
      await this.#press(choice.first());
      return false;
    }
    const step = this.#checklist.getByRole('listitem').filter({ hasText: '▶' }).first();
    if (!(await step.isVisible())) {
      const last = this.#checklist.getByRole('listitem').last();
      return (await last.isVisible()) && /●/.test(await last.innerText());
    }
    const text = (await step.innerText({ timeout: PRESS_MS }).catch(() => '')).replace(/\s+/g, ' ');
    this.#note(text);
    if (/Let go/i.test(text)) {
      await this.releaseKeys();
      await page.waitForTimeout(REST_MS);
      return false;
    }
    const inside = step.getByRole('button', { disabled: false });
    const named = /Press “(.+?)”/.exec(text)?.[1];
    if ((await inside.count()) > 0) await this.#press(inside.first());
    else if (named !== undefined)
      await this.#press(page.getByRole('button', { name: named }).first());
    const [cap] = await step.locator('kbd').allInnerTexts();
    if (cap !== undefined) await this.#hold(codeOf(cap.trim()));
    await page.waitForTimeout(READ_MS);
    return false;
  }

  async #hold(code: string): Promise<void> {
    if (this.#down.has(code)) return;
    await this.#page.keyboard.down(code);
    this.#down.add(code);
    this.#note(`hold ${code}`);
  }

  async #press(button: Locator): Promise<void> {
    const name = await button.innerText({ timeout: PRESS_MS }).catch(() => '');
    // the page may have changed meanwhile
    await button.click({ timeout: PRESS_MS }).catch(() => undefined);
    this.#note(`press ${name}`);
  }

  #note(text: string): void {
    if (this.did.at(-1) !== text) this.did.push(text);
  }
}
