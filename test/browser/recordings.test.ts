/** The page of recordings in Chromium, over a service that records: list, keep, download, and replay into the scene. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';
import { lookAt, skipWithoutChromium } from './chromium.ts';
import { berth, eventually, FILE_MS, PATIENCE_S } from './page-rig.ts';

const STORED = join(packageRoot(), 'test', 'vectors', 'half-sphere-slides.mcap');
const NAME = 'half-sphere-slides.mcap';
const folder = mkdtempSync(join(tmpdir(), 'berth-recordings-page-'));
after(() => rmSync(folder, { recursive: true }));

test('recordings are listed, kept, downloaded, and replayed into the scene', {
  skip: skipWithoutChromium,
  timeout: FILE_MS,
}, async () => {
  copyFileSync(STORED, join(folder, NAME));
  const file = join(folder, 'settings.yaml');
  const settings = {
    server: { port: 0, log_level: 'error' },
    scenario: 'half-sphere-on-plate',
    mode: 'simulation',
    robot: { transport: 'none', emulate: false },
    recording: { folder, keep_bytes: 60_000_000, rotate_bytes: 40_000_000 },
  };
  writeFileSync(file, JSON.stringify(settings)); // JSON is YAML
  const service = await berth.serve(file);
  await lookAt(service, '/#/recordings', { drawing: 'software', height: 800 }, async (page) => {
    const rows = page.locator('.panel-recordings tbody tr');
    await eventually(PATIENCE_S, async () => assert.equal(await rows.count(), 2));

    // the flight of this service
    const flight = rows.filter({ hasText: 'is being written' });
    await eventually(PATIENCE_S, async () => {
      assert.match(
        await flight.innerText(),
        /half-sphere-on-plate, simulation\s+flight\s+\d+\.\d s\s+none\s+[\d.]+ [kM]B/,
      );
    });
    await eventually(PATIENCE_S, async () => {
      const kept = await page.locator('.panel-kept').innerText();
      assert.match(
        kept,
        /of 60\.0 MB are in use by flights that may go\..*The oldest goes after about/s,
      );
      assert.match(kept, /\d+ of 20 files before a fault\./);
    });
    await flight.getByRole('button', { name: /^Keep/ }).click();
    await eventually(PATIENCE_S, async () => {
      assert.equal(await flight.getByRole('button', { name: /^Do not keep/ }).count(), 1);
    });
    const name = (await flight.locator('td').first().getAttribute('title'))!;
    assert.ok(existsSync(join(folder, `${name}.pin`)));

    // a file that was brought along: its bytes, and its scene
    const brought = rows.filter({ hasText: 'not of this recorder' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      brought.getByRole('link', { name: `Download ${NAME}` }).click(),
    ]);
    assert.equal(download.suggestedFilename(), NAME);
    assert.deepEqual(readFileSync(await download.path()), readFileSync(STORED));

    await brought.getByRole('button', { name: `Replay ${NAME}` }).click();
    const replay = page.locator('.panel-replay');
    await eventually(PATIENCE_S, async () => {
      assert.match(await replay.innerText(), /A recording, nothing is live/);
      assert.match(await replay.locator('.replay-figures').innerText(), /State.*Force.*\d N/s);
    });
    const slider = replay.getByRole('slider');
    await eventually(PATIENCE_S, async () => assert.ok(Number(await slider.inputValue()) > 0.2));
    // a third of a second is soon over
    await replay.getByRole('button', { name: 'Play' }).waitFor();
    const picture = (): Promise<Buffer> => replay.locator('canvas').screenshot();
    await slider.fill('0.04');
    await page.waitForTimeout(1500); // software draws four pictures a second
    const early = await picture();
    await slider.fill('0.28');
    await eventually(PATIENCE_S, async () => assert.notDeepEqual(await picture(), early));
    const shot = process.env['BERTH_SHOTS'];
    if (shot !== undefined) {
      await page.screenshot({ path: join(shot, 'recordings.png'), fullPage: true });
      await page.setViewportSize({ width: 420, height: 900 });
      await page.screenshot({ path: join(shot, 'recordings-narrow.png') });
    }
    await replay.getByRole('button', { name: 'Close' }).click();
    assert.equal(await replay.count(), 0);
  });
});

test('a link from elsewhere opens the page of a fault', {
  skip: skipWithoutChromium,
  timeout: FILE_MS,
}, async () => {
  const service = await berth.serve(join(folder, 'settings.yaml'));
  await lookAt(
    service,
    '/#/alarms?code=FORCE_LIMIT',
    { drawing: 'none', height: 720 },
    async (page) => {
      const about = page.locator('.panel-about-fault');
      assert.match(await about.innerText(), /FORCE_LIMIT.*above its limit.*Look for an impact/s);
      assert.equal(await page.locator('nav a[aria-current]').innerText(), 'Alarms');
      await about.getByRole('link', { name: 'All alarms' }).click();
      await about.waitFor({ state: 'detached' });
    },
  );
});
