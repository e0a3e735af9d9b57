/**
 * The elastic finger as a user flies it, in both modes: service, emulated robot and `berth fly` are processes of their own, over real sockets; it comes down,
 * rests at the force of the accommodation and goes up, and its recording replays bit by bit. Wall clock: a stall of the machine may interrupt a flight,
 * which then recovers and goes on.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BerthProcess } from '../fixtures/flight.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-gripper-finger-'));
after(() => rmSync(folder, { recursive: true }));
const PATIENCE_MS = 300_000;
/** That of berth reduce, N/m. */
const STIFFNESS = 78.5e3;

for (const mode of ['virtual', 'hardware'] as const) {
  test(`${mode} mode: it bends by its force over its stiffness, and the recording replays bit by bit`, {
    timeout: 600_000,
  }, async () => {
    const recordings = join(folder, mode);
    const settings = join(folder, `${mode}.yaml`);
    writeFileSync(
      settings,
      `scenario: gripper-finger
mode: ${mode}
server: { port: 0, log_level: silent }
robot: { port: 0 }
recording: { mode: continuous, folder: ${recordings} }
loop: { period_s: 0.002, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 10 }
`,
    );
    const service = new BerthProcess('serve', settings, '--no-fly');
    const [, url] = await service.match(/console +(http:\/\/\S+)\//);
    const pilot = new BerthProcess('fly', '--url', url, '--persist');
    try {
      const plateau = /plateau, ([\d.]+) N, ([\d.]+) µm deep/;
      const line = await pilot.find((text) => plateau.exec(text), 0, PATIENCE_MS);
      const [force_N, depth_um] = line.slice(1).map(Number);
      // the flight itself takes 10 % of the plateau of 30 N for settled; the depth moves on within a cycle of the robot
      assert.ok(Math.abs(force_N - 30) <= 3, line[0]);
      assert.ok(Math.abs((1e-6 * depth_um * STIFFNESS) / force_N - 1) < 0.1, line[0]);
      await pilot.find((text) => /fly: done/.exec(text), 0, PATIENCE_MS);
    } finally {
      await pilot.end();
      await service.end();
    }
    const names = readdirSync(recordings).filter((name) => /^berth-.*[.]mcap$/.test(name));
    assert.equal(names.length, 1);
    const replay = new BerthProcess('replay', join(recordings, names[0]));
    await replay.find((text) => /\d+ set-points bit-equal/.exec(text), 0, PATIENCE_MS);
    await replay.end();
  });
}
