/**
 * Excitations of identification as a user flies them: service, robot and `berth fly` are processes of their own, over real sockets. The robot has another plate than
 * the scenario of the service: softer, higher, with other friction and restitution. `berth identify` gets the recording alone.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { identifiedInFlight } from '../fixtures/excitation-flight.ts';
import { DWELLS, hiddenPlate, SOFT, spinLever, spinningPlate } from '../fixtures/hidden-plate.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-identify-flight-'));
after(() => rmSync(folder, { recursive: true }));

const TRUTH = { stiffness: 5e7, height: 23e-6, coulomb: 0.12, restitution: 0.7 };
/** Softer and higher than that of the service, its Stribeck speed far below the speeds of the drag. */
const SOFTER = hiddenPlate({
  stiffness_N_per_m1_5: TRUTH.stiffness,
  coulomb: TRUTH.coulomb,
  restitution: TRUTH.restitution,
  stribeck_velocity_mps: 0.0005,
  velocity_tolerance_mps: 5e-6,
}).replace('center_m: [0, 0, 50 mm]', `center_m: [0, 0, ${0.05 - TRUTH.height}]`);
/** A stall while the load rises goes on into the plate: at 1.1e6 N/m and 2 mm/s, 50 ms of it are 110 N. */
const YIELDS = { stiffness_N_per_m1_5: TRUTH.stiffness };
const PATIENCE_MS = 200_000;

/** Flies the script of a procedure against a hidden plate, and identifies from the recording. */
function flown(
  t: TestContext,
  procedure: string,
  plate: string,
  { options = [], arm = 'smt-class' }: { options?: readonly string[]; arm?: string } = {},
) {
  const script = `identify-${procedure}`;
  const hidden = join(folder, `${script}.plate.yaml`);
  writeFileSync(hidden, plate);
  return identifiedInFlight(t, folder, {
    ...{ script, procedure, options, patience_ms: PATIENCE_MS },
    robot: ['--scenario', hidden, '--arm', arm],
  });
}

test('press: stiffness within 2 % and height within 1 µm of a plate that the service does not know', {
  timeout: 300_000,
}, async (t) => {
  const { stiffness_N_per_m1_5: k, height_m: height } = await flown(t, 'press', SOFTER);
  assert.ok(Math.abs(k.value / TRUTH.stiffness - 1) < 0.02, `${k.value}`);
  assert.ok(Math.abs(height.value - TRUTH.height) < 1e-6, `${height.value}`);
});

test('drag: Coulomb friction within 0.005 of a plate that the service does not know', {
  timeout: 300_000,
}, async (t) => {
  const { coulomb } = await flown(t, 'drag', SOFTER);
  assert.ok(Math.abs(coulomb.value - TRUTH.coulomb) < 0.005, `${coulomb.value}`);
});

test('tap: restitution within 0.02 of a plate that the service does not know', {
  timeout: 300_000,
}, async (t) => {
  const { restitution } = await flown(t, 'tap', SOFTER);
  assert.ok(Math.abs(restitution.value - TRUTH.restitution) < 0.02, `${restitution.value}`);
});

test('breakaway: friction within 0.005 and dwell time within 5 % from rests and slow pulls', {
  timeout: 300_000,
}, async (t) => {
  const found = await flown(t, 'breakaway', hiddenPlate({ ...DWELLS, ...YIELDS }));
  const { coulomb, stiction_less_coulomb: rise, dwell_time_s: dwell } = found;
  assert.ok(Math.abs(coulomb.value - DWELLS.coulomb) < 0.005, `${coulomb.value}`);
  assert.ok(Math.abs(coulomb.value + rise.value - DWELLS.stiction) < 0.005, `${rise.value}`);
  assert.ok(Math.abs(dwell.value / DWELLS.dwell_time_s - 1) < 0.05, `${dwell.value}`);
});

test('pre-sliding: bristle stiffness within 2 % and damping within 5 % from strokes that stick', {
  timeout: 300_000,
}, async (t) => {
  // the bristle of the emulated robot is half a period ahead of its pose
  const found = await flown(t, 'pre-sliding', hiddenPlate({ ...SOFT, ...YIELDS }), {
    options: ['--force-delay=-1ms'],
  });
  const { bristle_stiffness_per_m: stiffness, bristle_damping_s_per_m: damping } = found;
  assert.ok(Math.abs(stiffness.value / SOFT.bristle_stiffness_per_m - 1) < 0.02);
  assert.ok(Math.abs(damping.value / SOFT.bristle_damping_s_per_m - 1) < 0.05);
});

test('twist: lever of the friction of spin within 5 % under 110 N', {
  timeout: 300_000,
}, async (t) => {
  // joints that tremble slide as fast as the edge of the contact turns, and take a part of its moment
  const { spin_lever_m: lever } = await flown(t, 'twist', spinningPlate(), { arm: 'none' });
  assert.ok(Math.abs(lever.value / spinLever(110) - 1) < 0.05, `${lever.value}`);
});
