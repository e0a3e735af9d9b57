/**
 * Excitations of friction as their flight files say them, on the virtual clock with the noise of the bench, against a plate that the service does not know.
 * `berth identify` gets the recording alone.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { run } from '../../../server/cli/identify.ts';
import {
  DWELLS,
  hiddenPlate,
  SOFT,
  spinLever,
  spinningPlate,
} from '../../fixtures/hidden-plate.ts';
import { flyOnVirtualClock } from '../../fixtures/virtual-flight.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-friction-flight-'));
after(() => rmSync(folder, { recursive: true }));

let flights = 0;
async function fly(script: string, scenario: string): Promise<string> {
  const file = join(folder, `plate-${++flights}.yaml`);
  writeFileSync(file, scenario);
  const place = join(folder, `flight-${flights}`);
  const model = compileScenario(loadScenario(file));
  const emulator = { wall: { model, payload: 'half-sphere' } };
  return (await flyOnVirtualClock(script, place, { emulator })).path;
}

interface Identified {
  readonly parameters: Readonly<Record<string, { value: number; low: number; high: number }>>;
  readonly not_identified: Readonly<Record<string, string>>;
}

async function identify(t: TestContext, ...argv: string[]): Promise<Identified> {
  const log = t.mock.method(console, 'log', () => undefined);
  const out = join(folder, 'out.yaml');
  await run([...argv, '-o', out]);
  for (const { arguments: line } of log.mock.calls) t.diagnostic(line.join(' '));
  log.mock.restore();
  return parse(readFileSync(out, 'utf8')) as Identified;
}

const holds = ({ low, high }: { low: number; high: number }, truth: number): boolean =>
  low < truth && truth < high;

test('identify-breakaway: friction within 0.005, dwell time within 5 %', async (t) => {
  const path = await fly('identify-breakaway', hiddenPlate(DWELLS));
  const {
    coulomb,
    stiction_less_coulomb: rise,
    dwell_time_s: dwell,
  } = (await identify(t, path, '--procedure', 'breakaway')).parameters;
  const { stiction, coulomb: friction, dwell_time_s: time } = DWELLS;
  assert.ok(Math.abs(coulomb.value - friction) < 0.005 && holds(coulomb, friction));
  assert.ok(Math.abs(coulomb.value + rise.value - stiction) < 0.005);
  assert.ok(holds(rise, stiction - friction));
  // a standard error of 1.7 % by the interval
  assert.ok(Math.abs(dwell.value / time - 1) < 0.05 && holds(dwell, time));
});

test('identify-pre-sliding: bristle stiffness within 2 %, damping within 5 %', async (t) => {
  const path = await fly('identify-pre-sliding', hiddenPlate(SOFT));
  // the bristle of the emulated robot is half a period ahead of its pose
  const { bristle_stiffness_per_m: stiffness, bristle_damping_s_per_m: damping } = (
    await identify(t, path, '--procedure', 'pre-sliding', '--force-delay=-500us')
  ).parameters;
  assert.ok(Math.abs(stiffness.value / SOFT.bristle_stiffness_per_m - 1) < 0.02);
  assert.ok(holds(stiffness, SOFT.bristle_stiffness_per_m));
  assert.ok(Math.abs(damping.value / SOFT.bristle_damping_s_per_m - 1) < 0.05);
  assert.ok(holds(damping, SOFT.bristle_damping_s_per_m));
});

test('identify-pre-sliding: bristles too stiff for 2 µm of noise are refused', async (t) => {
  // 16 µm to breakaway to both sides: less than 20 times the noise
  const path = await fly('identify-pre-sliding', hiddenPlate({ bristle_stiffness_per_m: 1e4 }));
  const { not_identified: missing } = await identify(t, path, '--procedure', 'pre-sliding');
  assert.match(missing['bristle_stiffness_per_m'], /^not identifiable: a way of/);
  assert.ok('bristle_damping_s_per_m' in missing);
  await assert.rejects(
    run([path, '--procedure', 'breakaway']),
    /slip: the contact never slid under load/,
  );
});

test('identify-twist: lever of the friction of spin within 3 %', async (t) => {
  const path = await fly('identify-twist', spinningPlate());
  const { spin_lever_m: lever } = (await identify(t, path, '--procedure', 'twist')).parameters;
  const truth = spinLever(110);
  t.diagnostic(`${truth}`);
  assert.ok(Math.abs(lever.value / truth - 1) < 0.03 && holds(lever, truth));
  await assert.rejects(
    run([path, '--procedure', 'breakaway']),
    /slip: the contact never slid under load/,
  );
});
