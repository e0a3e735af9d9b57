/**
 * Page Link in a real browser: a refused robot is named with its reason, one in session with device, firmware and agreed limits.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { LAYOUT_HASH } from '../../hil/protocol/layout.ts';
import { SocketRobot } from '../fixtures/socket-robot.ts';
import { noteFaults, openBrowser, skipWithoutChromium } from './chromium.ts';
import { berth, eventually, FILE_MS, PATIENCE_S } from './page-rig.ts';
import { becomesReadable } from './page-reading.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-link-'));
const settings = join(folder, 'settings.yaml');
writeFileSync(
  settings,
  `scenario: half-sphere-on-plate
mode: virtual
server: { port: 0, log_level: silent }
robot: { port: 0, emulate: false }
recording: { mode: off }
audit: { enabled: false }
loop: { period_s: 0.005, realtime_priority: 0, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
energy: { permit: advisory }
`,
);
after(() => rmSync(folder, { recursive: true }));

describe('page Link', { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
  let service: Awaited<ReturnType<typeof berth.serve>>;
  let browser: Browser;
  let page: Page;
  let address = '';
  const faults: string[] = [];
  const panel = (name: string): Promise<string> =>
    page.locator(`section:has(h2:text-is("${name}"))`).innerText();
  const shows = (name: string, ...words: RegExp[]): Promise<void> =>
    eventually(PATIENCE_S, async () => {
      const text = await panel(name);
      for (const one of words) assert.match(text, one);
    });

  before(async () => {
    service = await berth.serve(settings);
    const session = (await (await fetch(`${service.origin}/api/session`)).json()) as {
      robot_address: string;
    };
    address = session.robot_address;
    browser = await openBrowser('none');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await noteFaults(page, faults, () => false);
    await page.goto(`${service.origin}/#/link`);
  });
  after(async () => {
    await browser.close();
    await service.end('SIGTERM');
    assert.deepEqual(faults, []);
  });

  test('says that no robot was refused', () =>
    shows('Refused last', /No robot since the service started/));

  test('names a refused robot with its reason', async () => {
    const robot = await SocketRobot.connect(address, {
      device: 'arm of the lab',
      layoutHash: LAYOUT_HASH ^ 1,
    });
    await shows(
      'Refused last',
      /“arm of the lab” at 127\.0\.0\.1 was refused: layout hash: peer has 0x/,
      /reason\s+layout/,
      /times in a row\s+[1-9]/,
    );
    await shows('Agreed with the robot', /no robot is in session/);
    await robot.close();
    await becomesReadable(page, 'with a refusal');
  });

  test('shows device, firmware and the smaller of both limits of one in session', async () => {
    const limits = {
      speed_mps: 0.02,
      angular_speed_radps: 0.1,
      acceleration_mps2: 1,
      force_N: 123,
      moment_Nm: 9,
      workspace_m: 0.25,
    };
    const robot = await SocketRobot.connect(address, {
      device: 'arm of the lab',
      firmware: '4.2',
      period_s: 0.005,
      limits,
    });
    await shows('What the robot says', /device\s+arm of the lab/, /firmware\s+4\.2/);
    await shows('Agreed with the robot', /cycle\s+5\.0 ms/, /force, at most\s+123 N/);
    await shows('Refused last', /layout hash/);
    const picture = process.env['BERTH_PICTURE'];
    if (picture !== undefined) await page.screenshot({ path: picture });
    await robot.close();
    await shows('What the robot says', /device\s+—/);
  });
});
