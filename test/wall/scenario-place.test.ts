/**
 * A load puts the emulated robot where the scenario begins, over a socket and over a pseudo terminal: a load
 * of the same scenario is the way back to the start. Wall clock: the test waits for the link, whatever it takes.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadScenario } from '../../config/scenario.ts';
import { berth, eventually, PATIENCE_S } from '../browser/page-rig.ts';
import { OperatorClient } from '../../server/client/node.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-place-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const settings = join(folder, 'settings.yaml');
// periods are not what is tested
writeFileSync(
  settings,
  `scenario: half-sphere-on-plate
mode: virtual
server: { port: 0, log_level: silent }
robot: { port: 0, emulate: true }
recording: { mode: off }
audit: { enabled: false }
loop: { period_s: 0.005, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 10 }
energy: { permit: advisory }
`,
);

/** Noise of the emulated sensor is 10 µm; scenarios begin centimetres apart. */
const NEAR_M = 1e-3;

/** Start of the tool. */
function startOf(name: string): readonly number[] {
  const { bodies, tool } = loadScenario(name);
  return bodies.find((body) => body.name === tool?.payload)!.position_m;
}

const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((value, k) => value - (b[k] ?? NaN)));

for (const [name, ...args] of [['a socket'], ['a pseudo terminal', '--serial', 'pty']] as const) {
  test(`over ${name} the robot is where the loaded scenario begins, and back again`, async () => {
    const service = await berth.serve(settings, ...args);
    try {
      const client = await OperatorClient.connect({ url: service.origin, name: 'test' });
      const stands = (scenario: string): Promise<void> =>
        eventually(PATIENCE_S, () => {
          const { status } = client;
          assert.equal(status?.scenario, scenario);
          assert.equal(status?.state, 'MONITOR_READY');
          const away = distance(status.measured?.position_m ?? [], startOf(scenario));
          assert.ok(away < NEAR_M, `${away} m from the start of ${scenario}`);
          return Promise.resolve();
        });
      const authority = async (): Promise<void> => {
        const answer = await client.request('authority.request');
        assert.ok(answer.ok, answer.message);
      };
      await stands('half-sphere-on-plate');
      await authority();
      const other = await client.request('scenario.load', { scenario: 'battery-box-insertion' });
      assert.ok(other.ok, other.message);
      await stands('battery-box-insertion');

      await authority();
      const back = await client.request('scenario.load', { scenario: 'half-sphere-on-plate' });
      assert.ok(back.ok, back.message);
      await stands('half-sphere-on-plate');
      client.close();
    } finally {
      await service.end('SIGTERM');
    }
  });
}
