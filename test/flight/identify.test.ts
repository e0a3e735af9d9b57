/**
 * Excitations of identification as a user flies them: service, robot and `berth fly` are processes of their own, over real sockets. The robot has another plate than
 * the scenario of the service: softer, higher, with other friction and restitution. `berth identify` gets the recording alone.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { parse } from 'yaml';
import { packageRoot } from '../../config/paths.ts';
import { BerthProcess } from '../fixtures/flight.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-identify-flight-'));
after(() => rmSync(folder, { recursive: true }));

const TRUTH = { stiffness: 5e7, height: 23e-6, coulomb: 0.12, restitution: 0.7 };
const hidden = join(folder, 'hidden.yaml');
const given = readFileSync(
  join(packageRoot(), 'config/scenarios/half-sphere-on-plate.yaml'),
  'utf8',
);
writeFileSync(
  hidden,
  given
    .replace('2.5413e8', String(TRUTH.stiffness))
    .replace('center_m: [0, 0, 50 mm]', `center_m: [0, 0, ${0.05 - TRUTH.height}]`)
    .replace('restitution: 0.85', `restitution: ${TRUTH.restitution}`)
    .replace('coulomb: 0.1 ', `coulomb: ${TRUTH.coulomb} `)
    // far below the speeds of the drag
    .replace('stribeck_velocity_mps: 0.1', 'stribeck_velocity_mps: 0.0005')
    .replace('velocity_tolerance_mps: 1 mm/s', 'velocity_tolerance_mps: 5 um/s'),
);
const PATIENCE_MS = 200_000;

/** Flies a script against the hidden plate, and identifies from the recording. */
async function flown(t: TestContext, script: string, procedure: string) {
  const recordings = join(folder, script);
  const settings = join(folder, `${script}.settings.yaml`);
  // at 2 ms a busy machine breaks the rules that count periods less often
  writeFileSync(
    settings,
    `server: { port: 0, log_level: silent }
mode: hardware
scenario: half-sphere-on-plate
robot: { port: 0, emulate: false }
recording: { folder: ${recordings}, keep_free_bytes: 0 }
loop: { period_s: 0.002, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 10 }
`,
  );
  const service = new BerthProcess('serve', settings, '--no-fly');
  const [, robotUrl] = await service.match(/robot at (ws:\S+)/);
  const [, url] = await service.match(/console +(http:\/\/\S+)\//);
  const robot = new BerthProcess(
    'emulate',
    '--ws',
    robotUrl,
    '--scenario',
    hidden,
    '--period',
    '2',
  );
  const fly = new BerthProcess('fly', '--url', url, '--script', script, '--persist');
  try {
    await fly.find((line) => (/^fly: done/.test(line) ? line : null), 0, PATIENCE_MS);
  } finally {
    for (const line of fly.lines) t.diagnostic(line);
    await fly.end();
    await robot.end();
    await service.end();
  }
  const [file] = readdirSync(recordings).filter((name) => name.endsWith('.mcap'));
  const out = join(folder, `${procedure}.yaml`);
  const identify = new BerthProcess(
    ...['identify', join(recordings, file), '--procedure', procedure, '-o', out],
  );
  assert.equal(await identify.closed, 0, identify.stderr);
  for (const line of identify.lines) t.diagnostic(line);
  return (parse(readFileSync(out, 'utf8')) as { parameters: Record<string, { value: number }> })
    .parameters;
}

test('press: stiffness within 2 % and height within 1 µm of a plate that the service does not know', {
  timeout: 300_000,
}, async (t) => {
  const { stiffness_N_per_m1_5: k, height_m: height } = await flown(t, 'identify-press', 'press');
  assert.ok(Math.abs(k.value / TRUTH.stiffness - 1) < 0.02, `${k.value}`);
  assert.ok(Math.abs(height.value - TRUTH.height) < 1e-6, `${height.value}`);
});

test('drag: Coulomb friction within 0.005 of a plate that the service does not know', {
  timeout: 300_000,
}, async (t) => {
  const { coulomb } = await flown(t, 'identify-drag', 'drag');
  assert.ok(Math.abs(coulomb.value - TRUTH.coulomb) < 0.005, `${coulomb.value}`);
});

test('tap: restitution within 0.02 of a plate that the service does not know', {
  timeout: 300_000,
}, async (t) => {
  const { restitution } = await flown(t, 'identify-tap', 'tap');
  assert.ok(Math.abs(restitution.value - TRUTH.restitution) < 0.02, `${restitution.value}`);
});
