/**
 * The round peg and the latch as a user flies them: service, emulated robot and `berth fly` are processes of their own, over real sockets, each with
 * the flight of its scenario. Wall clock: a stall of the machine may interrupt a flight, which then recovers and goes on.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BerthProcess } from '../fixtures/flight.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-round-peg-'));
after(() => rmSync(folder, { recursive: true }));
const PATIENCE_MS = 300_000;

/** Settings as of test/flight/insertion.test.ts. */
function settingsOf(scenario: string): string {
  const file = join(folder, `${scenario}.yaml`);
  writeFileSync(
    file,
    `scenario: ${scenario}
server: { port: 0, log_level: silent }
robot: { port: 0 }
recording: { mode: off }
loop: { period_s: 0.002, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 10 }
`,
  );
  return file;
}

/** Flies a scenario until a line of the flight matches. @returns the match */
async function fly(scenario: string, goal: RegExp): Promise<RegExpExecArray> {
  const service = new BerthProcess('serve', settingsOf(scenario), '--no-fly');
  const [, url] = await service.match(/console +(http:\/\/\S+)\//);
  const pilot = new BerthProcess('fly', '--url', url, '--persist');
  try {
    return await pilot.find((line) => goal.exec(line), 0, PATIENCE_MS);
  } finally {
    await pilot.end();
    await service.end();
  }
}

test('the round peg is guided into its hole and pressed on the floor', {
  timeout: 400_000,
}, async () => {
  const line = await fly(
    'round-peg',
    /seated at ([\d.]+) mm of 40 mm: ([\d.]+) N along the way, tilt ([\d.]+)°/,
  );
  const [depth_mm, push_N, tilt_deg] = line.slice(1).map(Number);
  // a tip that is turned by 0.4 degrees stands on its edge: its middle is 0.13 mm higher
  assert.ok(Math.abs(depth_mm - 40) < 0.2, line[0]);
  // the flight itself takes 10 % of the plateau of 30 N for settled
  assert.ok(Math.abs(push_N - 30) <= 3, line[0]);
  assert.ok(tilt_deg < 0.5, line[0]);
});

test('the striker goes under the pawl and is held against the pull', {
  timeout: 400_000,
}, async () => {
  const line = await fly(
    'latch-pawl',
    /it holds at \[([-\d.]+), [-\d.]+, [-\d.]+\] mm: ([\d.]+) N/,
  );
  const [x_mm, pull_N] = line.slice(1).map(Number);
  // behind the back face of the nose at 60 mm, by the radius of the striker of 5 mm
  assert.ok(x_mm > 30 && x_mm < 80, line[0]);
  assert.ok(Math.abs(pull_N - 100) <= 10, line[0]);
});
