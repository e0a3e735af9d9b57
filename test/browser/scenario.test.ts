/**
 * Scenarios from the console in a real browser: a file of the user's folder is listed with its trouble, loaded by the holder of authority,
 * changed and loaded again by *Back to start*; the scene follows. Nothing here depends on the clock.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { scenarioFile } from '../../config/scenario.ts';
import { noteFaults, openBrowser, skipWithoutChromium } from './chromium.ts';
import { berth, eventually, FILE_MS, FLIGHT_S, PATIENCE_S } from './page-rig.ts';
import { becomesReadable } from './page-reading.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-scenario-'));
after(() => rmSync(folder, { recursive: true }));
const mine = join(folder, 'mine');
mkdirSync(mine);
const plate = readFileSync(scenarioFile('half-sphere-on-plate'), 'utf8');
const file = join(mine, 'plate.yaml');
const titled = (title: string): string => plate.replace(/^title: .*$/m, `title: ${title}`);
writeFileSync(file, titled('My plate'));
writeFileSync(join(mine, 'broken.yaml'), plate.replace('integration:', 'integratoin:'));
const settings = join(folder, 'settings.yaml');
writeFileSync(
  settings,
  `scenario: ball-on-incline
scenario_folders: ["${mine}"]
mode: simulation
server: { port: 0, log_level: silent }
robot: { transport: none, emulate: false }
recording: { mode: off }
audit: { enabled: false }
loop: { period_s: 0.005, realtime_priority: 0, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 60 }
`,
);

describe('scenarios', { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
  let service: Awaited<ReturnType<typeof berth.serve>>;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  const api = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${service.origin}${path}`)).json()) as T;
  const shows = (selector: string, expected: RegExp): Promise<void> =>
    eventually(PATIENCE_S, async () => {
      assert.match((await page.locator(selector).textContent()) ?? '', expected);
    });

  before(async () => {
    service = await berth.serve(settings);
    browser = await openBrowser('none');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await noteFaults(page, faults);
    await page.goto(service.origin);
  });
  after(async () => {
    await browser.close();
    await service.end('SIGTERM');
  });

  test('the list has both folders, the trouble of a broken file, and says who may load', async () => {
    await shows('#session', /ball-on-incline · simulation mode/);
    await page.locator('#scenario').click();
    await page.getByText('Scenarios of Berth').waitFor();
    await page.getByText(`Your folder ${mine}`).waitFor();
    await shows('.scenario-line[data-unusable="true"]:has-text("broken")', /:\d+:\d+.*integratoin/);
    await shows('.scenario-line:has(:checked)', /loaded/);
    await shows('#scenario-why', /Only the holder of authority/);
    await page.locator('#scenario-load').click({ force: true }); // it says why
    await shows('.notices', /Only the holder of authority/);
    assert.equal((await api<{ scenario: string }>('/api/session')).scenario, 'ball-on-incline');
    await becomesReadable(page, 'scenarios');
    await page.setViewportSize({ width: 480, height: 800 });
    await becomesReadable(page, 'scenarios');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('the holder loads a file of its own, which is then the scene', async () => {
    await page.locator('#scenario-request').click();
    await shows('#scenario-why', /Can be loaded now/);
    await page.getByLabel('My plate').check();
    await page.locator('#scenario-load').click();
    await page.locator('.scenario-dialog').waitFor({ state: 'detached' });
    await shows('#session', /mine\/plate[.]yaml · simulation mode/);
    assert.equal((await api<{ title: string }>('/api/scene')).title, 'My plate');
    assert.equal((await api<{ scenario: string }>('/api/session')).scenario, file);
  });

  test('a changed file is loaded by going back to the start; a broken one leaves what runs', async () => {
    await page.locator('#scenario').click();
    await page.locator('#scenario-request').click();
    await shows('#scenario-why', /Can be loaded now/);
    writeFileSync(file, plate.replace('bodies:', 'bodys:'));
    await page.locator('#scenario-back').click();
    await shows('#scenario-refused', /bodys is not a known field/);
    writeFileSync(file, titled('My plate, changed'));
    // a stall of the machine may have ended the page's authority
    await eventually(FLIGHT_S, async () => {
      if (await page.locator('#scenario-request').isVisible()) {
        await page.locator('#scenario-request').click();
      }
      await page.locator('#scenario-back').click({ timeout: 5000 });
      await page.locator('.scenario-dialog').waitFor({ state: 'detached', timeout: 30_000 });
    });
    assert.equal((await api<{ title: string }>('/api/scene')).title, 'My plate, changed');
    assert.deepEqual(faults, []);
  });
});
