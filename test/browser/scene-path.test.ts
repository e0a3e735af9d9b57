/**
 * The scene of a scenario that is loaded by path, in a real browser: it is drawn although the file has
 * another name inside, and the changed file is drawn after it was loaded again. Then the scenario of docs/freeform.md with
 * a STEP file in each of three dialects: faces are drawn, and a ball lies on one. With BERTH_PICTURES these pictures are kept.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { packageRoot } from '../../config/paths.ts';
import { scenarioFolder } from '../../config/scenario.ts';
import { Service } from '../fixtures/service.ts';
import { PETALS, petalPath } from '../fixtures/step-files.ts';
import { noteFaults, openBrowser, skipWithoutChromium } from './chromium.ts';
import { eventually, FILE_MS, PATIENCE_S } from './page-rig.ts';
import { readPicture } from './picture.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-scene-path-'));
const file = join(folder, 'my-box.yaml');
const shipped = readFileSync(join(scenarioFolder(), 'battery-box-insertion.yaml'), 'utf8');
writeFileSync(file, shipped);
after(() => rmSync(folder, { recursive: true }));

/** Number of different colours in the picture; an empty stage has one. */
const COLOURS = `async (data) => {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
  pen.drawImage(image, 0, 0);
  const { data: pixels } = pen.getImageData(0, 0, image.width, image.height);
  const seen = new Set();
  for (let i = 0; i < pixels.length; i += 4) seen.add(pixels[i] + ' ' + pixels[i + 1] + ' ' + pixels[i + 2]);
  return seen.size;
}`;

/** The scenario of the page of the docs with another file, and with the conical face of the part drawn, too. */
function petalScenario(part: string): string {
  const docs = readFileSync(join(packageRoot(), 'docs', 'freeform.md'), 'utf8');
  const [, yaml] = /```yaml\n(.*?)```/s.exec(docs) ?? [];
  const lines = yaml.replace('file: petal.step', `file: ${part}`).split('\n');
  const at = lines.findIndex((line) => line.includes('kind: step'));
  const guide = [lines[at].replace('face: PAD', 'face: GUIDE'), lines[at + 1]];
  return [...lines.slice(0, at), ...guide, ...lines.slice(at)].join('\n');
}

describe('scene by path', { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
  let service: Service;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  const text = async (id: string): Promise<string> =>
    (await page.locator(`#${id}`).textContent({ timeout: 1000 })) ?? '';
  const isDrawn = (): Promise<void> =>
    eventually(PATIENCE_S, async () => {
      const png = (await page.locator('#scene').screenshot()).toString('base64');
      const colours = await page.evaluate<number>(`(${COLOURS})('${png}')`);
      assert.ok(colours > 50, `${colours} colours`);
    });

  before(async () => {
    service = await Service.start((settings) => {
      settings.scenario = file;
      settings.loop.period_s = 0.005;
    });
    browser = await openBrowser('software');
    page = await browser.newPage({ viewport: { width: 800, height: 700 } });
    await noteFaults(page, faults);
    await page.goto(service.origin);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  test('its bodies are drawn and its figures shown', async () => {
    await isDrawn();
    await eventually(PATIENCE_S, async () => assert.equal(await text('full-depth'), '200 mm'));
    assert.deepEqual(faults, []);
  });

  test('the same path, loaded again after a change of the file, is what was changed', async () => {
    writeFileSync(file, shipped.replace('depth_m: 200 mm', 'depth_m: 190 mm'));
    await service.runtime.load(file, 'simulation');
    await eventually(PATIENCE_S, async () => assert.equal(await text('full-depth'), '190 mm'));
    await isDrawn();
    await page.goto(`${service.origin}/#/arm`);
    await page.getByText('The arm of this scenario has no joints').waitFor();
    assert.deepEqual(faults, []);
  });

  for (const part of PETALS) {
    test(`faces of ${part} are drawn, and a ball lies on one of them`, async () => {
      copyFileSync(petalPath(part), join(folder, part));
      const path = join(folder, `on-${part}.yaml`);
      writeFileSync(path, petalScenario(part));
      await service.runtime.load(path, 'simulation');
      await page.goto(`${service.origin}/#/fly`);
      // m g / k of the page; a ball of 10 mm on a plane
      await eventually(PATIENCE_S, async () => {
        const figures = await page.locator('.scene-figures').innerText();
        assert.match(
          figures,
          /Touching pairs\s+1\s[^]*Penetration\s+196 µm\s+k₂ L, ball-petal\s+1\.0000/,
        );
      });
      const png = await page.locator('#scene').screenshot();
      const kept = process.env['BERTH_PICTURES'];
      if (kept !== undefined) writeFileSync(join(kept, `${part}.png`), png);
      const seen = await readPicture(page, png);
      assert.ok(seen.colours > 50 && seen.payload > 0.002 && seen.force > 0, JSON.stringify(seen));
      assert.deepEqual(faults, []);
    });
  }
});
