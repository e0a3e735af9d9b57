/** Scenario `docking-petals`: a probe 30 mm aside and 4° tilted ends upright in the middle of the petals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  ENERGY_READOUT,
  EnergyReadout,
  makeSystem,
} from '../../src/system/system.ts';

test('a probe 30 mm aside and 4° tilted is brought to the middle and set upright; forces and energy on the way', () => {
  const model = compileScenario(loadScenario('docking-petals'));
  const system = makeSystem(model);
  const probe = system.bodyIndex('probe');
  const pose = new Float64Array(13);
  const contact = new Float64Array(CONTACT_READOUT.length);
  const energy = new Float64Array(ENERGY_READOUT.length);
  /** Distance from the middle, m, and angle of the axis to the vertical, rad. */
  const misalignment = (): readonly [number, number] => {
    system.readBody(probe, pose, 0);
    const [x, y, , qx, qy] = pose;
    return [Math.hypot(x, y), 2 * Math.asin(Math.hypot(qx, qy))];
  };
  const [aside, tilt] = misalignment();
  assert.ok(Math.abs(aside - 0.03) < 2e-5 && Math.abs(tilt - (4 * Math.PI) / 180) < 1e-12);
  let peak = 0;
  let onOne = 0;
  for (let n = 1; n <= 16000; n++) {
    assert.equal(system.step(1e-3), 0);
    const [x, y, z] = system.tool?.modelWrench ?? [];
    peak = Math.max(peak, Math.hypot(x, y, z));
    if (n !== 3000) continue;
    system.readContact(0, contact, 0);
    onOne = contact[ContactReadout.normalForce];
  }
  // down at 10 mm/s on one petal: (Fz − 2 e) + (Fr − 2 e) = 1e4 · 10 mm/s with e = 1/√2 each, and N √2 = Fz + Fr; the probe turns a little as well
  const closed = (100 + 2 * Math.SQRT2) / Math.SQRT2;
  assert.ok(onOne > 0.9 * closed && onOne < closed, `${onOne} of ${closed} N`);
  // the greatest is that of 10 mm/s straight down on the seat, 102 N
  assert.ok(peak > onOne && peak < 102, `${peak} N`);
  const [end, upright] = misalignment();
  assert.ok(end < 1e-3, `${1e3 * end} mm`);
  assert.ok(upright < 1e-3, `${upright} rad`);
  // at rest at its press: 2 N + 1e4 N/(m/s) · 4 mm/s
  const press = system.tool?.modelWrench[2] ?? NaN;
  assert.ok(Math.abs(press - 42) < 0.2, `${press} N`);
  system.readEnergy(energy, 0);
  assert.ok(Math.abs(energy[EnergyReadout.balance]) < 2e-6, `${energy[EnergyReadout.balance]} J`);
  // friction takes what the arm puts in, but for what the springs hold
  const taken = energy[EnergyReadout.dissipated];
  const held = energy[EnergyReadout.elastic];
  assert.ok(taken > 0 && Math.abs(energy[EnergyReadout.externalWork] - taken - held) < 2e-6);
  assert.equal(system.standInPoses, 0);
});
