/** The page of studies in Chromium: a study is started, followed to its end, its report read and its worst run replayed. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lookAt, skipWithoutChromium } from './chromium.ts';
import { berth, eventually, FILE_MS, PATIENCE_S } from './page-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-studies-page-'));
after(() => rmSync(folder, { recursive: true }));

test('a study is started, stopped, finished, its report opened and a run replayed', {
  skip: skipWithoutChromium,
  timeout: FILE_MS,
}, async () => {
  const studies = join(folder, 'studies');
  mkdirSync(studies);
  writeFileSync(
    join(studies, 'drop.yaml'),
    `name: drop
title: A drop
scenario: ball-on-table
until_s: 0.5 s
design: { kind: random, runs: 40 }
vary:
  - { name: height_m, fields: [bodies.ball.position_m.2], uniform: { low: 0.12, high: 0.3 } }
quantities:
  - { name: peak_force_N, of: most, column: ball-table.normal_force_N, limit: { most: 5000 } }
`,
  );
  writeFileSync(join(studies, 'wrong.yaml'), 'name: wrong\nscenario: nothing\n');
  const file = join(folder, 'settings.yaml');
  const settings = {
    server: { port: 0, log_level: 'error' },
    scenario: 'half-sphere-on-plate',
    mode: 'simulation',
    robot: { transport: 'none', emulate: false },
    recording: { folder: join(folder, 'recordings'), mode: 'off' },
    studies: { folder: studies },
  };
  writeFileSync(file, JSON.stringify(settings)); // JSON is YAML
  const service = await berth.serve(file);
  await lookAt(service, '/#/studies', { drawing: 'software', height: 900 }, async (page) => {
    const drop = page.getByRole('region', { name: 'drop', exact: true });
    const wrong = page.getByRole('region', { name: 'wrong', exact: true });
    assert.match(await drop.innerText(), /not planned yet/);
    await drop.getByRole('button', { name: 'Run' }).click();
    await eventually(PATIENCE_S, async () => {
      assert.match(await drop.innerText(), /[1-9]\d* of 40 runs, running/);
    });
    assert.ok(await wrong.getByRole('button', { name: 'Run' }).isDisabled(), 'one at a time');
    const stop = drop.getByRole('button', { name: 'Stop' });
    if ((await stop.count()) > 0) await stop.click();
    const on = drop.getByRole('button', { name: /^(Go on|Run)$/ });
    await on.waitFor({ timeout: PATIENCE_S * 1000 });
    if ((await on.innerText()) === 'Go on') await on.click();
    const report = drop.getByRole('link', { name: 'Report' });
    await report.waitFor({ timeout: PATIENCE_S * 1000 });
    await eventually(PATIENCE_S, async () => {
      assert.match(await drop.innerText(), /40 of 40 runs\n/);
    });
    await wrong.getByRole('button', { name: 'Run' }).click();
    await eventually(PATIENCE_S, async () => assert.match(await wrong.innerText(), /wrong[.]yaml/));

    const [opened] = await Promise.all([page.context().waitForEvent('page'), report.click()]);
    await opened.waitForLoadState();
    assert.equal(await opened.locator('h1').innerText(), 'A drop');
    const width = await opened.locator('svg.plot').first().boundingBox();
    assert.ok(width !== null && width.width > 200, 'the report has its style');
    const [file_] = await Promise.all([
      opened.waitForEvent('download'),
      opened.locator('a[href^="notable/"]').first().click(),
    ]);
    assert.match(file_.suggestedFilename(), /^run-\d+-[0-9a-f]{8}[.]mcap$/);
    const shot = process.env['BERTH_SHOTS'];
    if (shot !== undefined) await opened.screenshot({ path: join(shot, 'study-report-page.png') });
    await opened.close();

    await drop
      .getByRole('button', { name: /^Replay run-/ })
      .first()
      .click();
    const replay = page.locator('.panel-replay');
    await eventually(PATIENCE_S, async () => {
      assert.match(await replay.innerText(), /Ball.*A recording, nothing is live/s);
      assert.match(await replay.locator('.replay-figures').innerText(), /Force.*\d N/s);
    });
    assert.equal(await replay.getByText('State', { exact: true }).count(), 0);
    if (shot !== undefined) {
      await page.waitForTimeout(3000);
      await page.screenshot({ path: join(shot, 'studies.png'), fullPage: true });
    }
    await replay.getByRole('button', { name: 'Close' }).click();
    assert.equal(await replay.count(), 0);
  });
});
