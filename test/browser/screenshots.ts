/**
 * Pictures of every page of the console for docs/console.md: a service with its demo flight, Chromium, one file for each page and
 * colour scheme. A program of its own: `npm run build && node dist/test/browser/screenshots.js [FOLDER]`.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { packageRoot } from '../../config/paths.ts';
import { openBrowser } from './chromium.ts';
import { berth, eventually, FLIGHT_S, PATIENCE_S } from './page-rig.ts';

const SETTINGS = (scenario: string): string => `scenario: ${scenario}
mode: hardware
server: { port: 0, log_level: silent }
robot: { port: 0, emulate: true }
recording: { mode: off }
loop: { period_s: 0.002, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 10 }
energy: { permit: advisory }
`;
const SCHEMES = ['light', 'dark'] as const;
const DESKTOP = { width: 1280, height: 800 };
const TABLET = { width: 820, height: 1180 };
/** The strips and the histogram are full, ms. */
const FILLED_MS = 12_000;
const LARGEST_BYTES = 250_000;

/** What a busy machine has interrupted, the demo flight recovers. */
const inContact = (page: Page): Promise<void> =>
  eventually(FLIGHT_S, async () =>
    assert.equal(await page.locator('#state').textContent(), 'active contact'),
  );

const stopped = (page: Page): Promise<void> =>
  page.locator('.alarm', { hasText: 'OPERATOR_STOP' }).waitFor({ timeout: PATIENCE_S * 1000 });

/** Its dialog over the fly page. */
async function permit(page: Page): Promise<void> {
  await inContact(page);
  if ((await page.getByRole('dialog').count()) === 0) await page.click('#permit');
}

/** Pages, and what is waited for on each; the flight is over after the last one. */
const PAGES: readonly (readonly [name: string, ready: (page: Page) => Promise<void>])[] = [
  ['fly', inContact],
  ['permit', permit],
  ['timing', inContact],
  ['link', inContact],
  ['energy', inContact],
  ['devices', inContact],
  ['alarms', stopped],
];

const folder = process.argv[2] ?? join(packageRoot(), 'docs', 'img');
const work = mkdtempSync(join(tmpdir(), 'berth-pictures-'));
const settings = join(work, 'settings.yaml');
mkdirSync(folder, { recursive: true });

const browser = await openBrowser('software');

/** A service with its demo flight in contact, and a page that shows it. */
async function fly(scenario: string, use: (page: Page) => Promise<void>): Promise<void> {
  writeFileSync(settings, SETTINGS(scenario));
  const service = await berth.serve(settings, '--demo');
  try {
    const page = await browser.newPage({ viewport: DESKTOP });
    await page.goto(`${service.origin}/#/fly`);
    await inContact(page);
    await page.waitForTimeout(FILLED_MS);
    await use(page);
    await page.close();
  } finally {
    await service.end('SIGTERM');
  }
}

async function picture(
  page: Page,
  name: string,
  ready: (page: Page) => Promise<void>,
): Promise<void> {
  const sizes =
    name === 'fly'
      ? ([
          ['', DESKTOP],
          ['-tablet', TABLET],
        ] as const)
      : ([['', DESKTOP]] as const);
  for (const [suffix, size] of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(1000); // everything is drawn in the new colours
      await ready(page);
      const path = join(folder, `console-${name}${suffix}-${colorScheme}.png`);
      await page.screenshot({ path });
      const bytes = statSync(path).size;
      assert.ok(bytes < LARGEST_BYTES, `${path} has ${bytes} bytes`);
      console.log(`${path} ${Math.round(bytes / 1000)} kB`);
    }
  }
  await page.setViewportSize(DESKTOP);
}

try {
  await fly('half-sphere-on-plate', async (page) => {
    for (const [name, ready] of PAGES) {
      if (name === 'alarms') await page.keyboard.press('Space'); // nothing to see without an alarm
      await page.keyboard.press('Escape');
      await page.evaluate(`location.hash = '#/${name === 'permit' ? 'fly' : name}'`);
      await picture(page, name, ready);
    }
  });
  // the arm of that scenario has no joints
  await fly('dextre-battery-box', async (page) => {
    await page.check('#whole-arm');
    await picture(page, 'whole-arm', inContact);
    await page.evaluate(`location.hash = '#/arm'`);
    await picture(page, 'arm', inContact);
  });
} finally {
  await browser.close();
  rmSync(work, { recursive: true });
}
