/** A robot that is flown over wss, operator and robot both, while both certificates are exchanged (wall clock). */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from 'node:tls';
import type { TlsSettings } from '../../config/tls-schema.ts';
import { startRuntime } from '../../hil/threads/runtime.ts';
import { buildApp } from '../../server/app.ts';
import { startRobot } from '../../server/cli/robot-child.ts';
import { OperatorClient, type Status } from '../../server/client/node.ts';
import { listeningPort } from '../../server/access/upgrade.ts';
import { testSettings } from '../fixtures/service.ts';
import { type Certificate, makeCertificate } from '../fixtures/certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-tls-flight-'));
after(() => rmSync(folder, { recursive: true }));

/** Flights until one was not cut short by the machine. */
const TRIES = 5;
/** What a machine that stands still brings about by itself. */
const BY_MACHINE = /STATE_MISSING|LINK_LOST|OVERRUN|ROBOT_PROTECTIVE_STOP|QUALITY_LOW|INPUT_STALE/;
const tick = (s: Status | null): number => s?.tick ?? 0;

function write(name: string, { certificate, key }: Certificate): TlsSettings {
  const files = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.key, key);
  return { ...files, client_ca: '', client_certificates: 'none', minimum_version: '1.2' };
}

/** SHA-256 of the certificate for new connections. */
function shown(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test('61: a robot flies over wss while both certificates are exchanged', async (t) => {
  const first = makeCertificate({ name: 'first' });
  const settings = testSettings((s) => {
    s.mode = 'virtual';
    s.server.tls = write('face', first);
    s.robot.transport = 'websocket';
    s.robot.port = 0;
    s.robot.tls = write('link', first);
    s.loop.period_s = 0.005;
  });
  const ends: (() => unknown)[] = [];
  try {
    const runtime = await startRuntime(settings);
    ends.push(() => runtime.close());
    assert.match(runtime.robotAddress, /^wss:\/\/127\.0\.0\.1:\d+\/robot$/);
    const robot = startRobot(settings, ['--ws', runtime.robotAddress]);
    ends.push(() => robot.end());
    const app = await buildApp({ settings, runtime });
    ends.push(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const url = `https://127.0.0.1:${listeningPort(app)}`;
    const ports = [listeningPort(app), Number(new URL(runtime.robotAddress).port)];
    const pilot = await OperatorClient.connect({
      url,
      tls: { ca: first.certificate },
      name: 'pilot',
    });
    ends.push(() => pilot.close());
    pilot.startInputs();
    await pilot.request('authority.request');
    const why: string[] = [];
    for (let tries = 0; tries < TRIES; tries++) {
      pilot.hand.axes[2] = 0;
      pilot.hand.deadman = false;
      const ready = await pilot.waitFor((s) => /MONITOR_READY|HOLD|FAULT/.test(s.state), 60);
      assert.ok(ready !== null, pilot.status?.arm_blockers.join(' '));
      if (ready.state !== 'MONITOR_READY') {
        await pilot.clear('the machine stood still');
        await pilot.waitFor((s) => s.state === 'MONITOR_READY', 30);
      }
      await pilot.waitFor((s) => s.operator?.deadman === false, 3);
      pilot.hand.deadman = true;
      await pilot.waitFor((s) => s.operator?.deadman === true, 3);
      if ((await pilot.request('arm')).code === 'permit_needed') {
        await pilot.request('permit.acknowledge');
        await pilot.request('arm');
      }
      if ((await pilot.waitFor((s) => s.state.startsWith('ACTIVE'), 5)) === null) continue;
      pilot.hand.axes[2] = 0.2; // up, away from contact
      const before = await Promise.all(ports.map(shown));
      const next = makeCertificate({ name: `next ${tries}` });
      write('face', next);
      write('link', next);
      app.reload();
      const then = tick(pilot.status);
      let now = await Promise.all(ports.map(shown));
      while (now[1] === before[1] && tick(pilot.status) < then + 2000) {
        now = await Promise.all(ports.map(shown)); // the link worker has its own mail
      }
      assert.ok(now[0] !== before[0] && now[1] !== before[1], 'newcomers get the new ones');
      const later = await pilot.waitFor((s) => tick(s) > then + 200, 20);
      assert.ok(later !== null && !pilot.closed);
      if (later.state.startsWith('ACTIVE')) {
        const ticks = tick(later) - then;
        t.diagnostic(
          `acceptance 61: both certificates exchanged, ${later.state} ${ticks} ticks later`,
        );
        return;
      }
      const causes = [...later.faults, ...later.holds].join();
      assert.match(causes, BY_MACHINE);
      why.push(causes);
    }
    assert.fail(`never left alone by the machine: ${why.join('; ')}`);
  } finally {
    for (const end of ends.reverse()) await end();
  }
});
