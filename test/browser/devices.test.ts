/**
 * Hand controllers in a real browser on the real service, with a gamepad that the test moves: it is found, calibrated and kept;
 * keys fly only when they should; what is lost or left lets go of the deadman at the server.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noteFaults, openBrowser, skipWithoutChromium } from './chromium.ts';
import { berth, eventually, FILE_MS, PATIENCE_S } from './page-rig.ts';
import { PAD_DEADMAN, PAD_GEAR, VirtualGamepad } from './virtual-gamepad.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-devices-'));
const settings = join(folder, 'settings.yaml');
// without a robot the arm never arms; the loop's view of the deadman suffices
writeFileSync(
  settings,
  `scenario: half-sphere-on-plate
mode: simulation
server: { port: 0, log_level: silent }
robot: { transport: none, emulate: false }
recording: { mode: off }
loop: { period_s: 0.005, realtime_priority: 0, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 120 }
`,
);
after(() => rmSync(folder, { recursive: true }));

/** Ends of every axis of a standard pad that has work. */
const ENDS = [0, 1, 2, 3] as const;
const PAIRS = [6, 7, 14, 15] as const;

describe('hand controllers', { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
  let service: Awaited<ReturnType<typeof berth.serve>>;
  let browser: Browser;
  let page: Page;
  let pad: VirtualGamepad;
  const faults: string[] = [];

  const text = async (id: string): Promise<string> =>
    (await page.locator(`#${id}`).textContent()) ?? '';
  const open = (name: string): Promise<void> => page.evaluate(`location.hash = '#/${name}'`);
  /** The last input of the loop. */
  const heard = async (): Promise<{ deadman: boolean }> => {
    const answer = await fetch(`${service.origin}/api/session`);
    return ((await answer.json()) as { operator: { deadman: boolean } }).operator;
  };
  const untilHeard = (deadman: boolean): Promise<void> =>
    eventually(PATIENCE_S, async () => assert.equal((await heard()).deadman, deadman));
  const untilWhy = (words: RegExp): Promise<void> =>
    eventually(PATIENCE_S, async () => assert.match(await text('deadman-why'), words));

  before(async () => {
    service = await berth.serve(settings, '--no-fly');
    browser = await openBrowser('none');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await noteFaults(page, faults);
    pad = await VirtualGamepad.install(page);
    await page.goto(service.origin);
    await page.locator('#request').click({ timeout: PATIENCE_S * 1000 });
    await untilWhy(/^$/);
  });

  after(async () => {
    await browser?.close();
    await service?.end('SIGTERM');
  });

  test('the keyboard: left Shift is the deadman, but not beside a field', async () => {
    await page.keyboard.down('Shift');
    await untilHeard(true);
    await page.locator('#device-choice').focus();
    await untilHeard(false);
    await page.keyboard.up('Shift');
    await page.locator('#device-choice').blur();
  });

  test('the button on the page holds for as long as the pointer is down on it', async () => {
    const box = (await page.locator('#deadman-hold').boundingBox())!;
    await page.mouse.move(box.x + 10, box.y + 10);
    await page.mouse.down();
    await untilHeard(true);
    await page.mouse.move(box.x - 40, box.y + 10);
    await untilHeard(false);
    await page.mouse.up();
  });

  test('a pad: calibrated only when everything was moved, and kept when the page is loaded again', async () => {
    await pad.plug();
    await open('devices');
    await page
      .getByRole('row', { name: /^Virtual pad/ })
      .getByRole('button')
      .click();
    await page.getByRole('button', { name: 'Calibrate', exact: true }).click();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const refusals = page.locator('.panel-capture li');
    await eventually(PATIENCE_S, async () => assert.equal(await refusals.count(), 6));
    assert.ok(await save.isDisabled());
    // a page that the machine keeps waiting does not look while the pad is where it was put: moved again, as a person would
    await eventually(PATIENCE_S, async () => {
      for (const end of [0.8, -0.8, 0]) {
        for (const axis of ENDS) await pad.axis(axis, end);
        await page.waitForTimeout(60);
      }
      assert.deepEqual(await refusals.allTextContents(), [
        '"Triggers, right − left" moved 0 % of what is usual: move it to both ends.',
        '"Cross, right − left" moved 0 % of what is usual: move it to both ends.',
      ]);
    });
    await eventually(PATIENCE_S, async () => {
      for (const button of PAIRS) {
        await pad.button(button, 1);
        await page.waitForTimeout(60);
        await pad.button(button, 0);
      }
      assert.ok(await save.isEnabled());
    });
    await save.click();
    await pad.axis(0, 0.4); // half of its own end
    await eventually(PATIENCE_S, async () => assert.equal(await text('test-X'), '0.50'));

    await page.reload();
    await pad.plug();
    await pad.axis(0, 0.4);
    await eventually(PATIENCE_S, async () => assert.equal(await text('test-X'), '0.50'));
    await pad.axis(0, 0);
  });

  test('its deadman is chosen by pressing it, and nothing is sent from this page', async () => {
    const row = page.getByRole('row', { name: /^Deadman/ });
    // both in one turn of the page: the pad is pressed before the page has drawn anything
    await page.evaluate(`(() => {
      const rows = [...document.querySelectorAll('tr')];
      rows.find((row) => row.textContent.startsWith('Deadman')).querySelector('button').click();
      virtualGamepad.button(3, 1);
    })()`);
    const chosen = row.getByRole('combobox', { name: 'Deadman button' });
    await eventually(PATIENCE_S, async () => assert.equal(await chosen.inputValue(), '3'));
    await eventually(PATIENCE_S, async () =>
      assert.equal(await text('test-deadman'), '● Deadman held'),
    );
    assert.equal((await heard()).deadman, false);
    await pad.button(3, 0);
    await chosen.selectOption(String(PAD_DEADMAN));
  });

  test('held and deflected, then unplugged: the loop hears it, and only a new press flies', async () => {
    await open('fly');
    await page.locator('#request').click({ timeout: PATIENCE_S * 1000 });
    await untilWhy(/^$/);
    await pad.button(PAD_DEADMAN, 1);
    await pad.axis(0, 0.8);
    await untilHeard(true);
    await pad.unplug();
    await untilHeard(false);
    await untilWhy(/not connected/);
    await pad.plug();
    await untilWhy(/^The hand controller was lost/);
    assert.equal((await heard()).deadman, false);
    await pad.axis(0, 0);
    await pad.button(PAD_DEADMAN, 0);
    await untilWhy(/^$/);
    await pad.button(PAD_DEADMAN, 1);
    await untilHeard(true);
  });

  test('the focus goes elsewhere: released, and a deadman that stays down does not come back', async () => {
    await page.evaluate(`dispatchEvent(new Event('blur'))`);
    await untilHeard(false);
    await untilWhy(/^This page was left/);
    await pad.button(PAD_DEADMAN, 0);
    await untilWhy(/^$/);
  });

  test('its gear button changes the gear', async () => {
    const coarse = page.getByRole('button', { name: 'Coarse' });
    assert.equal(await coarse.getAttribute('aria-pressed'), 'false');
    await pad.button(PAD_GEAR, 1);
    await eventually(PATIENCE_S, async () => {
      assert.equal(await coarse.getAttribute('aria-pressed'), 'true');
    });
    await pad.button(PAD_GEAR, 0);
  });

  test('no error and no violation of the content security policy', () => {
    assert.deepEqual(faults, []);
  });
});
