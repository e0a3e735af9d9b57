/** The page of `berth plot` in Chromium: a chart a unit, no fault, no request, and one range of time for all. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../config/paths.ts';
import { run } from '../../server/cli/plot.ts';
import { noteFaults, openBrowser, skipWithoutChromium } from './chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-plot-page-'));
after(() => rmSync(folder, { recursive: true }));

test('curves are drawn by unit, and a part that is dragged is shown by every chart', {
  skip: skipWithoutChromium,
}, async () => {
  const file = join(folder, 'page.html');
  const recording = join(packageRoot(), 'test', 'vectors', 'half-sphere-slides.mcap');
  const columns = 'normal_force_N,measured_force_z_N,penetration_m';
  assert.equal(await run([recording, '--columns', columns, '-o', file]), 0);
  const address = pathToFileURL(file).href;
  const browser = await openBrowser('none');
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    await noteFaults(page, faults);
    page.on('request', (request) => {
      if (request.url() !== address) faults.push(`request: ${request.url()}`);
    });
    await page.goto(address);
    assert.equal(await page.locator('canvas').count(), 2);
    assert.deepEqual(await page.locator('.u-label').allTextContents(), [
      'log_time_s',
      'normal_force_N',
      'measured_force_z_N',
      'log_time_s',
      'penetration_m',
    ]);
    const marks = await page.evaluate<string[][]>(
      '[[0, 2.5, 5], [10, 20], [0.9, 0.95, 1], [0, 2e-5, 4e-5], [0, 2.5e-5], [30, 30.00002]].map((m) => ticks(null, m))',
    );
    assert.deepEqual(marks, [
      ['0.0', '2.5', '5.0'],
      ['10', '20'],
      ['0.90', '0.95', '1.00'],
      ['0', '2e-5', '4e-5'],
      ['0', '2.5e-5'],
      ['30.00000', '30.00002'],
    ]);
    const ranges = (): Promise<{ min: number; max: number }[]> =>
      page.evaluate('charts.map(({ scales }) => ({ min: scales.x.min, max: scales.x.max }))');
    const [whole] = await ranges();
    const area = (await page.locator('.u-over').first().boundingBox())!;
    await page.mouse.move(area.x + area.width / 4, area.y + 50);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width / 2, area.y + 50, { steps: 4 });
    await page.mouse.up();
    const [first, second] = await ranges();
    assert.deepEqual(second, first);
    // a quarter of the time, to a pixel at each end
    const share = (first.max - first.min) / (whole.max - whole.min);
    assert.ok(Math.abs(share - 0.25) < 3 / area.width, `${share} of the time`);
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
  }
});
