/** Excitations of the friction of a plate that the service does not know, flown over real sockets as those of `identify.test.ts`. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { identifiedOnPlate } from '../fixtures/excitation-flight.ts';
import { DWELLS, hiddenPlate, SOFT, spinLever, spinningPlate } from '../fixtures/hidden-plate.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-identify-friction-'));
after(() => rmSync(folder, { recursive: true }));

/** A stall while the load rises goes on into the plate: at 1.1e6 N/m and 2 mm/s, 50 ms of it are 110 N. */
const YIELDS = { stiffness_N_per_m1_5: 5e7 };

test('breakaway: friction within 0.005 and dwell time within 5 % from rests and slow pulls', {
  timeout: 300_000,
}, async (t) => {
  const found = await identifiedOnPlate(
    t,
    folder,
    'breakaway',
    hiddenPlate({ ...DWELLS, ...YIELDS }),
  );
  const { coulomb, stiction_less_coulomb: rise, dwell_time_s: dwell } = found;
  assert.ok(Math.abs(coulomb.value - DWELLS.coulomb) < 0.005, `${coulomb.value}`);
  assert.ok(Math.abs(coulomb.value + rise.value - DWELLS.stiction) < 0.005, `${rise.value}`);
  assert.ok(Math.abs(dwell.value / DWELLS.dwell_time_s - 1) < 0.05, `${dwell.value}`);
});

test('pre-sliding: bristle stiffness within 2 % and damping within 5 % from strokes that stick', {
  timeout: 300_000,
}, async (t) => {
  // the bristle of the emulated robot is half a period ahead of its pose
  const found = await identifiedOnPlate(
    t,
    folder,
    'pre-sliding',
    hiddenPlate({ ...SOFT, ...YIELDS }),
    {
      options: ['--force-delay=-1ms'],
    },
  );
  const { bristle_stiffness_per_m: stiffness, bristle_damping_s_per_m: damping } = found;
  assert.ok(Math.abs(stiffness.value / SOFT.bristle_stiffness_per_m - 1) < 0.02);
  assert.ok(Math.abs(damping.value / SOFT.bristle_damping_s_per_m - 1) < 0.05);
});

test('twist: lever of the friction of spin within 5 % under 110 N', {
  timeout: 300_000,
}, async (t) => {
  // joints that tremble slide as fast as the edge of the contact turns, and take a part of its moment
  const { spin_lever_m: lever } = await identifiedOnPlate(t, folder, 'twist', spinningPlate(), {
    arm: 'none',
  });
  assert.ok(Math.abs(lever.value / spinLever(110) - 1) < 0.05, `${lever.value}`);
});
