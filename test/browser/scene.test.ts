/**
 * The scene of the console in a real browser with software rendering: it is drawn, turns by keys,
 * shows contact forces, keeps to the content security policy, fits a telephone, and reports missing
 * WebGL.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Drawing, noteFaults, openBrowser, skipWithoutChromium } from './chromium.ts';
import { berth, eventually, FILE_MS, FLIGHT_S, PATIENCE_S } from './page-rig.ts';
import { becomesReadable } from './page-reading.ts';
import { type Picture, readPicture } from './picture.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-scene-'));
const settings = join(folder, 'settings.yaml');
// At 5 ms the loop has time to spare beside a browser that draws in software; pictures come at the same rate.
writeFileSync(
  settings,
  `scenario: battery-box-insertion
mode: simulation
server: { port: 0, log_level: silent }
robot: { transport: none, emulate: false }
recording: { mode: off }
loop: { period_s: 0.005, realtime_priority: 0, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 10 }
`,
);
after(() => rmSync(folder, { recursive: true }));

/** Light pixels over the payload: the letters of three axes have 80, the names of three frames as well 402. */
const WORDS = 200;

describe('scene', { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
  let service: Awaited<ReturnType<typeof berth.serve>>;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  async function open(drawing: Drawing): Promise<[Browser, Page]> {
    const opened = await openBrowser(drawing);
    const tab = await opened.newPage({ viewport: { width: 800, height: 700 } });
    await noteFaults(tab, faults);
    await tab.goto(service.origin);
    return [opened, tab];
  }

  const text = async (id: string): Promise<string> =>
    (await page.locator(`#${id}`).textContent()) ?? '';
  const picture = async (): Promise<Picture> => {
    const png = await page.locator('#scene').screenshot();
    return readPicture(page, png);
  };
  /** Wait until two pictures in a row are equal, and `accept` likes them. */
  const settled = (accept: (now: Picture) => boolean = () => true): Promise<Picture> =>
    eventually(PATIENCE_S, async () => {
      const first = await picture();
      await page.waitForTimeout(100);
      const second = await picture();
      assert.equal(first.sum, second.sum, 'the picture stands');
      assert.ok(accept(second), JSON.stringify(second));
      return second;
    });

  before(async () => {
    service = await berth.serve(settings, '--no-fly');
    [browser, page] = await open('software');
  });
  after(async () => {
    await browser?.close();
    await service?.end('SIGTERM');
  });

  test('payload and work-site are drawn, under the content security policy', async () => {
    const drawn = await settled((now) => now.colours > 50);
    assert.ok(drawn.payload > 0.05, JSON.stringify(drawn)); // seen whole, with the work-site beside it
    assert.ok(drawn.force === 0, JSON.stringify(drawn));
    assert.ok(drawn.words < WORDS, JSON.stringify(drawn));
    await eventually(PATIENCE_S, async () => assert.equal(await text('touching'), '0'));
    // values of the scenario: 50 mm before the mouth, turned 2 degrees twice (2.83 together), 5 mm
    // off
    assert.equal(await text('depth'), '50.0 mm');
    assert.equal(await page.locator('dt:has(+ dd #depth)').innerText(), 'Before the mouth');
    assert.equal(await text('full-depth'), '200 mm');
    assert.equal(await text('tilt'), '2.83 °');
    assert.equal(await text('aside'), '5.00 mm');
    assert.equal(await text('scene-words'), 'No contact.');
    assert.deepEqual(faults, []);
  });

  test('arrow keys turn it, plus and minus zoom, Home goes back', async () => {
    await page.focus('#scene'); // comes first: it may scroll
    const home = await settled();
    await page.keyboard.press('ArrowRight');
    const turned = await settled((now) => now.sum !== home.sum);
    await page.keyboard.press('ArrowUp');
    await settled((now) => now.sum !== turned.sum && now.sum !== home.sum);
    await page.keyboard.press('Home');
    await settled((now) => now.sum === home.sum);
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    // both ways are 15 % farther each: the payload covers 1/1.75 of what it did
    const far = await settled((now) => now.payload < 0.7 * home.payload);
    assert.ok(far.payload > 0.4 * home.payload, `${far.payload} of ${home.payload}`);
    await page.keyboard.press('Home');
    await settled((now) => now.sum === home.sum);
  });

  test('dragging turns it', async () => {
    const home = await settled();
    const box = (await page.locator('#scene').boundingBox())!;
    await page.mouse.move(box.x + 200, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 320, box.y + 170, { steps: 4 });
    await page.mouse.up();
    await settled((now) => now.sum !== home.sum);
    await page.focus('#scene');
    await page.keyboard.press('Home');
    await settled((now) => now.sum === home.sum);
  });

  test('it fits at 400 px and has the colours of the scheme', async () => {
    const light = await settled();
    await page.setViewportSize({ width: 400, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await settled((now) => now.sum !== light.sum && now.payload > 0.02);
    assert.ok(dark.colours > 50);
    await becomesReadable(page);
    await page.setViewportSize({ width: 800, height: 700 });
    await page.emulateMedia({ colorScheme: 'light' });
    await settled((now) => now.sum === light.sum);
  });

  test('frames of the tool are drawn, and hidden by their switches', async () => {
    await page.getByRole('checkbox', { name: 'simulated' }).focus(); // a ring about the scene would be in the picture
    const shown = await settled();
    await page.getByRole('checkbox', { name: 'commanded' }).uncheck();
    await page.getByRole('checkbox', { name: 'simulated' }).uncheck();
    await settled((now) => now.sum !== shown.sum);
    await page.getByRole('checkbox', { name: 'commanded' }).check();
    await page.getByRole('checkbox', { name: 'simulated' }).check();
    await settled((now) => now.sum === shown.sum);
  });

  test('a contact is counted, and its force is an arrow to scale', async () => {
    const flight = await berth.fly(service.origin);
    await eventually(FLIGHT_S, async () => {
      assert.match(await text('touching'), /^[1-9]$/);
      assert.match(await text('scene-words'), /^Arrows: [125]0* N for each 10 cm$/);
      assert.ok((await picture()).force > 0.0002);
    });
    await flight.end('SIGTERM');
    assert.deepEqual(faults, []);
  });

  test('without WebGL the page says so and shows everything else', async () => {
    const [other, tab] = await open('none');
    await eventually(PATIENCE_S, async () => {
      assert.match(await tab.locator('#scene-words').innerText(), /^The scene needs WebGL/);
      assert.match(await tab.locator('#force').innerText(), /^\d+\.\d N$/);
      assert.match(await tab.locator('#touching').innerText(), /^\d+$/);
    });
    assert.ok(await tab.locator('#scene').isHidden());
    await other.close();
    assert.deepEqual(faults, []);
  });
});
