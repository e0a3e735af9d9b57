/**
 * First flight of a person who has read nothing: the default scenario, a page that was just opened, and
 * nothing done but what the checklist says next. Wall clock: what a stall interrupts, the checklist leads back to.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { noteFaults, openBrowser, skipWithoutChromium } from './chromium.ts';
import { pulse, Station } from './flight-rig.ts';
import { becomesReadable } from './page-reading.ts';
import { eventually, FILE_MS, FLIGHT_S, PATIENCE_S } from './page-rig.ts';

/** From the page that shows its checklist to the first motion, s; the time in which the robot's link is waited for is the machine's. */
const FIRST_FLIGHT_S = 60;
/** Flights that stalls of the machine may spoil. */
const TRIES = 3;
const CODES: Readonly<Record<string, string>> = { Shift: 'ShiftLeft' };
const codeOf = (key: string): string => CODES[key] ?? `Key${key}`;

/** Hands and eyes of the person: reads the step that is marked as next, and does what it says. */
class Newcomer {
  readonly #page: Page;
  readonly #down = new Set<string>();
  readonly did: string[] = [];
  /** Time since the beginning in which there was something to do, ms. */
  busy_ms = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  get #steps(): Locator {
    return this.#page.getByRole('list', { name: 'From here to motion' });
  }

  get #step(): Locator {
    return this.#steps.locator('li[aria-current="step"]');
  }

  async releaseAll(): Promise<void> {
    for (const code of this.#down) await this.#page.keyboard.up(code);
    this.#down.clear();
  }

  async #hold(code: string): Promise<void> {
    if (this.#down.has(code)) return;
    await this.#page.keyboard.down(code);
    this.#down.add(code);
  }

  async #press(button: Locator, name: string): Promise<void> {
    await button
      .first()
      .click({ timeout: 2000 })
      .catch(() => undefined);
    this.#note(`press ${name}`);
  }

  #note(text: string): void {
    if (this.did.at(-1) !== text) this.did.push(text);
  }

  /** One action. @returns false when no step is left */
  async act(): Promise<boolean> {
    const begin_ms = performance.now();
    const waits = (await this.#steps.locator('li[data-step="robot"][aria-current]').count()) > 0;
    const isLeft = await this.#act();
    if (!waits) this.busy_ms += performance.now() - begin_ms;
    return isLeft;
  }

  async #act(): Promise<boolean> {
    const page = this.#page;
    const dialog = page.getByRole('dialog');
    if ((await dialog.count()) > 0) {
      const choice = dialog.getByRole('button', { name: /^(Acknowledge|Cause removed)$/ });
      await this.#press(choice, 'what the dialog asks');
      return true;
    }
    if ((await this.#steps.locator('li[data-step="move"][data-mark="done"]').count()) > 0) {
      return false;
    }
    // without a connection there is no list for a moment
    const text = await this.#step.innerText({ timeout: 2000 }).catch(() => '');
    this.#note(text.replace(/\s+/g, ' '));
    if (/Let go/.test(text)) {
      await this.releaseAll();
      await page.waitForTimeout(300);
      return true;
    }
    const inside = this.#step.getByRole('button', { disabled: false });
    const named = /Press “(.+?)”/.exec(text)?.[1];
    if ((await inside.count()) > 0) await this.#press(inside, await inside.first().innerText());
    else if (named !== undefined)
      await this.#press(page.getByRole('button', { name: named }), named);
    const [key] = await this.#step.locator('kbd').allTextContents();
    if (key !== undefined) await this.#hold(codeOf(key));
    await page.waitForTimeout(250);
    return true;
  }
}

describe('first flight', { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
  let station: Station;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  before(async () => {
    station = await Station.start('scenario=battery-box-insertion', 'energy.permit=required');
    browser = await openBrowser('none');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await noteFaults(page, faults);
    await pulse(page);
    await page.goto(station.origin);
  });

  after(async () => {
    await browser?.close();
    await station?.close();
  });

  const answer = (words: RegExp): Promise<void> =>
    eventually(PATIENCE_S, async () =>
      assert.match((await page.locator('#notice').textContent()) ?? '', words),
    );

  test('all that blocks stands in the checklist, first in its panel, and none of it is cut off', async () => {
    const steps = page.getByRole('list', { name: 'From here to motion' });
    await steps.waitFor();
    const panel = page.getByRole('region', { name: 'State' });
    const first = await panel.locator('ol, button, .commands').nth(1).getAttribute('id'); // after the permit in the head
    assert.equal(first, 'steps');
    for (const width of [1280, 820, 400]) {
      await page.setViewportSize({ width, height: 800 });
      await becomesReadable(page, `${width} px`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    const open = await steps
      .locator('> li[data-mark="open"]')
      .evaluateAll((items) =>
        items.map((item) => (item as unknown as { dataset: { step: string } }).dataset.step),
      );
    for (const name of ['authority', 'deadman', 'arm', 'move'])
      assert.ok(open.includes(name), name);
  });

  test('keys that do nothing are answered', async () => {
    await eventually(PATIENCE_S, async () => {
      await page.keyboard.press('KeyD');
      await answer(/^D moves nothing yet: press “Request authority” first\.$/);
    });
    await eventually(PATIENCE_S, async () => {
      await page.keyboard.press('ShiftRight');
      await answer(/hold the left Shift/);
    });
    await eventually(PATIENCE_S, async () => {
      await page.keyboard.press('KeyK');
      await answer(/^K does nothing here\. Keys of the arm/);
    });
  });

  test('keys fly in coarse gear', async () => {
    const coarse = page.getByRole('button', { name: 'Coarse' });
    assert.equal(await coarse.getAttribute('aria-pressed'), 'true');
  });

  test(`by the checklist alone the arm moves within ${FIRST_FLIGHT_S} s`, async (t) => {
    let passed_s = Infinity;
    for (let i = 0; i < TRIES && passed_s > FIRST_FLIGHT_S; i++) {
      await page.reload();
      const newcomer = new Newcomer(page);
      await page.getByRole('list', { name: 'From here to motion' }).waitFor();
      const end_ms = performance.now() + FLIGHT_S * 1000;
      let moves = false;
      while (!moves && newcomer.busy_ms < FIRST_FLIGHT_S * 1000 && performance.now() < end_ms) {
        moves = !(await newcomer.act()) && station.ticks.now.moves;
      }
      if (moves) passed_s = newcomer.busy_ms / 1000;
      const time = moves ? `${passed_s.toFixed(1)} s` : 'spoilt';
      t.diagnostic(`${time}: ${newcomer.did.join(' → ').slice(0, 1000)}`);
      await newcomer.releaseAll();
    }
    assert.ok(passed_s <= FIRST_FLIGHT_S, `${passed_s} s`);
    assert.deepEqual(faults, []);
  });
});
