/**
 * Modes of the hand controllers from the console in a real browser: a joint is selected on the fly
 * page, flown by the keyboard and moves on the arm page; refusals show their reason. Wall clock: a
 * motion ended by a stall of the machine is started again.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { HandMode } from '../../server/client/messages.ts';
import { noteFaults, openBrowser, skipWithoutChromium } from './chromium.ts';
import { berth, eventually, FILE_MS, FLIGHT_S, PATIENCE_S } from './page-rig.ts';
import { becomesReadable } from './page-reading.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-mode-'));
const settings = join(folder, 'settings.yaml');
// At 5 ms the flexible arm leaves the browser beside it most of the processor.
writeFileSync(
  settings,
  `scenario: dextre-battery-box
mode: simulation
server: { port: 0, log_level: silent }
robot: { transport: none, emulate: false }
recording: { mode: off }
loop: { period_s: 0.005, realtime_priority: 0, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 30 }
energy: { permit: advisory }
`,
);
after(() => rmSync(folder, { recursive: true }));

/** Fourth of seven: the elbow. */
const ELBOW = 'DEP';
const ELBOW_PLACE = 3;
const Z = 2;

describe('modes', { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
  let service: Awaited<ReturnType<typeof berth.serve>>;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  const go = (name: string): Promise<void> => page.evaluate(`location.hash = '#/${name}'`);
  const session = async (): Promise<{ state: string; hand_mode: HandMode }> =>
    (await (await fetch(`${service.origin}/api/session`)).json()) as never;
  const state = async (): Promise<string> => (await session()).state;
  const told = (wanted: HandMode): Promise<void> =>
    eventually(PATIENCE_S, async () => assert.deepEqual((await session()).hand_mode, wanted));

  /** Angle of a joint as the arm page shows it, degrees. */
  async function angle(name: string): Promise<number> {
    await go('arm');
    const cell = page.locator(`tr:has(th:text-is("${name}")) td`).nth(1);
    const text = await cell.innerText();
    return Number.parseFloat(text.replace('−', '-'));
  }

  /** The deadman is let go and the arm held. */
  async function rest(): Promise<void> {
    await page.keyboard.up('KeyR');
    await page.keyboard.up('Shift');
    await eventually(PATIENCE_S, async () => assert.match(await state(), /^(HOLD|MONITOR_READY)$/));
  }

  async function toActive(): Promise<void> {
    await rest();
    await page.keyboard.down('Shift');
    if ((await state()) === 'MONITOR_READY') await page.click('#arm');
    await eventually(5, async () => assert.equal(await state(), 'ACTIVE_FREE'));
  }

  async function chooseElbow(): Promise<void> {
    await go('fly');
    await page.selectOption('#mode-which', { label: ELBOW });
    await page.click('#mode-joint');
    await told({ mode: 'joint', joint: ELBOW_PLACE, axis: Z });
  }

  before(async () => {
    service = await berth.serve(settings, '--no-fly');
    browser = await openBrowser('none');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await noteFaults(page, faults);
    await page.goto(`${service.origin}/#/fly`);
    await page.click('#request');
    await page.locator('#holder', { hasText: 'this page' }).waitFor();
  });
  after(async () => {
    await browser?.close();
    await service?.end('SIGTERM');
  });

  test('the name of a joint is not cut, however long it is', async () => {
    await go('fly');
    await page.locator('#mode-which').waitFor();
    const { text, room, right } = await page.evaluate<Record<'text' | 'room' | 'right', number>>(
      `(() => {
        const list = document.querySelector('#mode-which');
        const option = list.selectedOptions[0];
        option.textContent = 'left_shoulder_lift_joint';
        const style = getComputedStyle(list);
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = style.font;
        return {
          text: pen.measureText(option.textContent).width,
          room: list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
          right: list.getBoundingClientRect().right - innerWidth,
        };
      })()`,
    );
    assert.ok(room >= text, `${text} px in ${room} px`);
    assert.ok(right <= 0, `${right} px beyond the page`);
    await page.reload();
    await page.click('#request');
    await page.locator('#holder', { hasText: 'this page' }).waitFor();
  });

  test('a joint is chosen on the page, turned by one key, and seen to have moved alone', async () => {
    const before = [await angle(ELBOW), await angle('DSR')];
    await chooseElbow();
    await page.locator('#mode-joint[aria-pressed="true"]').waitFor();
    await eventually(FLIGHT_S, async () => {
      await go('fly');
      await toActive();
      const coarse = page.getByRole('button', { name: 'Coarse', pressed: true });
      if ((await coarse.count()) === 0) await page.keyboard.press('KeyG');
      await coarse.waitFor({ timeout: 5000 });
      await page.keyboard.down('KeyR');
      await page.waitForTimeout(2000);
      await rest();
      const moved = (await angle(ELBOW)) - before[0];
      assert.ok(moved > 0.2, `moved by ${moved} degrees`);
    });
    const other = (await angle('DSR')) - before[1];
    assert.ok(Math.abs(other) < 0.05, `the other moved by ${other} degrees`);
    assert.match(await page.locator('#mode-now').innerText(), /joint DEP by Z/);
    assert.match(
      await page.locator('.mode-words').innerText(),
      /Z turns DEP .* nothing accommodates/s,
    );
  });

  test('while the arm is flown a change is refused in a sentence; held, rate comes back by the keyboard', async () => {
    await eventually(FLIGHT_S, async () => {
      await rest();
      // held by a stall, the attempt before may have brought rate already
      if ((await session()).hand_mode.mode !== 'joint') await chooseElbow();
      await go('fly');
      await toActive();
      await page.focus('#mode-rate');
      await page.keyboard.press('Enter'); // marked as disabled, so that a click would wait
      const said = await page
        .getByText('The arm is flown: release the deadman')
        .first()
        .innerText({ timeout: 5000 });
      assert.match(said, /^Mode: /);
      assert.equal((await session()).hand_mode.mode, 'joint');
    });
    await rest();
    // the page gets the hold with its next status
    await page.locator('#mode-rate[aria-disabled="false"]').waitFor();
    await page.focus('#mode-rate');
    await page.keyboard.press('Enter');
    await told({ mode: 'rate', joint: null, axis: null });
  });

  test('it can be read in both colour schemes and on a telephone', async () => {
    for (const name of ['arm', 'fly']) {
      await go(name);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [400, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          await becomesReadable(page, `${name}, ${colorScheme}, ${width} px`);
        }
      }
    }
    assert.deepEqual(faults, []);
  });
});
