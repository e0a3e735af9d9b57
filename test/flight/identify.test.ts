/**
 * Excitations of identification as a user flies them: service, robot and `berth fly` are processes of their own, over real sockets. The robot has another plate than
 * the scenario of the service: softer, higher, with other friction and restitution. `berth identify` gets the recording alone.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { identifiedOnPlate } from '../fixtures/excitation-flight.ts';
import { hiddenPlate } from '../fixtures/hidden-plate.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-identify-flight-'));
after(() => rmSync(folder, { recursive: true }));

const TRUTH = { height: 23e-6, coulomb: 0.12, restitution: 0.7 };
/** Softer and higher than that of the service, its Stribeck speed far below the speeds of the drag. */
const softer = (stiffness: number, more: Record<string, number> = {}): string =>
  hiddenPlate({
    ...more,
    stiffness_N_per_m1_5: stiffness,
    coulomb: TRUTH.coulomb,
    stribeck_velocity_mps: 0.0005,
    velocity_tolerance_mps: 5e-6,
  }).replace('center_m: [0, 0, 50 mm]', `center_m: [0, 0, ${0.05 - TRUTH.height}]`);
/**
 * At 110 N 3.3e5 N/m, at which accommodation is stable up to some 40 ms late: a machine that stalls now and then does not end the flight. The
 * restitution is that of the service: the damping F A of 0.7 shakes the emulated arm from 75 N on.
 */
const PRESSED = 1e7;
/** Stiff enough that a tap is over before the arm has turned back. */
const TAPPED = 5e7;

test('press: stiffness within 2 % and height within 1 µm of a plate that the service does not know', {
  timeout: 300_000,
}, async (t) => {
  const { stiffness_N_per_m1_5: k, height_m: height } = await identifiedOnPlate(
    t,
    folder,
    'press',
    softer(PRESSED),
  );
  assert.ok(Math.abs(k.value / PRESSED - 1) < 0.02, `${k.value}`);
  assert.ok(Math.abs(height.value - TRUTH.height) < 1e-6, `${height.value}`);
});

test('drag: Coulomb friction within 0.005 of a plate that the service does not know', {
  timeout: 300_000,
}, async (t) => {
  const { coulomb } = await identifiedOnPlate(t, folder, 'drag', softer(PRESSED));
  assert.ok(Math.abs(coulomb.value - TRUTH.coulomb) < 0.005, `${coulomb.value}`);
});

test('tap: restitution within 0.02 of a plate that the service does not know', {
  timeout: 300_000,
}, async (t) => {
  const { restitution } = await identifiedOnPlate(
    t,
    folder,
    'tap',
    softer(TAPPED, { restitution: TRUTH.restitution }),
  );
  assert.ok(Math.abs(restitution.value - TRUTH.restitution) < 0.02, `${restitution.value}`);
});
