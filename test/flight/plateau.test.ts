/**
 * Scenarios that are pressed to a plateau, as a user flies them: service, emulated robot and `berth fly` are processes of their own, over real sockets.
 * The tool comes down, rests at the force of the accommodation and goes up, and its recording replays bit by bit. Wall clock: a stall of the
 * machine may interrupt a flight, which then recovers and goes on.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BerthProcess } from '../fixtures/flight.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-plateau-'));
after(() => rmSync(folder, { recursive: true }));
const PATIENCE_MS = 300_000;

interface Flight {
  readonly scenario: string;
  readonly mode: 'virtual' | 'hardware';
  /** Depth at 30 N, µm, and the part of it that may be missing or more. */
  readonly depth_um: number;
  readonly within: number;
}

const FLIGHTS: readonly Flight[] = [
  // 30 N over the 78.5 kN/m of berth reduce; the depth moves on within a cycle of the robot, and the flight takes 10 % of the plateau for settled
  { scenario: 'gripper-finger', mode: 'virtual', depth_um: 382, within: 0.1 },
  { scenario: 'gripper-finger', mode: 'hardware', depth_um: 382, within: 0.1 },
];

for (const { scenario, mode, depth_um, within } of FLIGHTS) {
  test(`${scenario} in ${mode} mode: it rests at 30 N, and its recording replays bit by bit`, {
    timeout: 900_000,
  }, async () => {
    const recordings = join(folder, `${scenario}-${mode}`);
    const settings = `${recordings}.yaml`;
    writeFileSync(
      settings,
      `scenario: ${scenario}
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
      const [force_N, seen_um] = line.slice(1).map(Number);
      assert.ok(Math.abs(force_N - 30) <= 3, line[0]);
      assert.ok(Math.abs((seen_um * 30) / (force_N * depth_um) - 1) < within, line[0]);
      await pilot.find((text) => /fly: done/.exec(text), 0, PATIENCE_MS);
    } finally {
      await pilot.end();
      await service.end();
    }
    const [name] = readdirSync(recordings).filter((one) => /^berth-.*[.]mcap$/.test(one));
    const replay = new BerthProcess('replay', join(recordings, name));
    await replay.find((text) => /\d+ set-points bit-equal/.exec(text), 0, PATIENCE_MS);
    await replay.end();
  });
}
