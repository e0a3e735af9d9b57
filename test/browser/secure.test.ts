/**
 * The console over https: every socket of it is wss, the page is a secure context, so that gamepads
 * are available, and the emulated robot of the service connects by TLS and is marked as emulated.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeCertificate } from '../fixtures/certificate.ts';
import { noteFaults, openBrowser, skipWithoutChromium } from './chromium.ts';
import { berth, eventually, FILE_MS, PATIENCE_S } from './page-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-secure-'));
after(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test('61: the console works over https: sockets by wss, gamepads, and the emulated robot by TLS', {
  skip: skipWithoutChromium,
  timeout: FILE_MS,
}, async (t) => {
  const made = makeCertificate({ name: 'console' });
  const tls = `{ certificate: ${write('face.crt', made.certificate)}, key: ${write('face.key', made.key)} }`;
  const settings = write(
    'settings.yaml',
    `scenario: half-sphere-on-plate
mode: virtual
server: { port: 0, log_level: silent, tls: ${tls} }
robot: { port: 0, tls: ${tls} }
recording: { mode: off, folder: ${folder} }
loop: { period_s: 0.002, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
`,
  );
  const service = await berth.serve(settings, '--no-fly');
  const browser = await openBrowser('none');
  try {
    assert.match(service.origin, /^https:/);
    // the certificate is unsigned: a browser would require a confirmation
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const faults: string[] = [];
    await noteFaults(page, faults);
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(socket.url()));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.origin)) faults.push(`request: ${request.url()}`);
    });
    await page.goto(service.origin);
    await eventually(PATIENCE_S, async () => {
      const state = await page.locator('#state').textContent();
      assert.ok(state === 'monitor ready' || state === 'monitor wait', state ?? '');
    });
    const has = await page.evaluate<{ secure: boolean; gamepads: number }>(
      '({ secure: isSecureContext, gamepads: navigator.getGamepads().length })',
    );
    assert.equal(has.secure, true);
    assert.ok(has.gamepads >= 0);
    assert.ok(sockets.length > 0);
    for (const url of sockets) {
      assert.ok(url.startsWith(service.origin.replace('https', 'wss')), url);
    }

    await page.goto(`${service.origin}/#/link`);
    await eventually(PATIENCE_S, async () => {
      const told = await page.locator('main').innerText();
      assert.match(told, /the emulated one of this service/);
      assert.doesNotMatch(told, /not the emulated one/);
      assert.match(told, /wss:\/\//);
    });
    // STOP by the page arrives
    await page.keyboard.press('Escape');
    await page.locator('#stop').click();
    await eventually(PATIENCE_S, async () => {
      assert.equal(await page.locator('#state').textContent(), 'fault');
    });
    assert.deepEqual(faults, []);
    t.diagnostic(
      `acceptance 61: console over https in Chromium: ${sockets.length} sockets, all wss; secure context with gamepads`,
    );
  } finally {
    await browser.close();
    await service.end('SIGTERM');
  }
});
