/** An arm on an arm, flown: fourteen joints in a row press a unit on its plate by the system's own schedule. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { ENERGY_READOUT, makeSystem } from '../../../src/system/system.ts';

const HELD = 7;

test('fourteen joints, of which seven hold: the force is that of the law and nothing swings up', () => {
  const system = makeSystem(compileScenario(loadScenario('dextre-on-canadarm2')));
  const arm = system.arm!;
  assert.equal(arm.jointCount, 14);
  const joint = new Float64Array(16);
  const energy = new Float64Array(ENERGY_READOUT.length);
  const read = (j: number): { reference: number; rotor: number } => {
    arm.readJoint(j, joint, 0);
    return { reference: joint[2], rotor: joint[0] + joint[4] };
  };
  const start = Array.from({ length: HELD }, (_, j) => read(j));
  let kinetic = 0;
  for (let i = 0; i < 10_000; i++) {
    assert.equal(system.step(1e-3), 0, `step ${i}`);
    system.readEnergy(energy, 0);
    kinetic = Math.max(kinetic, energy[ENERGY_READOUT.indexOf('kinetic')]);
  }
  // 10 N and 4e3 N s/m at 5 mm/s; a tenth is allowed, of which the swing at the end is half a newton
  const force = -system.tool!.modelWrench[0];
  assert.ok(Math.abs(force / 30 - 1) < 0.1, `${force} N`);
  // 1.7 t at 20 mm/s have 0.3 J
  assert.ok(kinetic > 0.01 && kinetic < 1, `${kinetic} J`);
  start.forEach(({ reference, rotor }, j) => {
    const now = read(j);
    assert.equal(now.reference, reference, `joint ${j} is asked to hold`);
    // 30 N at 13 m on servos of some 1e5 N m/rad
    assert.ok(Math.abs(now.rotor - rotor) < 0.01, `joint ${j} holds: ${now.rotor - rotor} rad`);
  });
  const balance = energy[ENERGY_READOUT.indexOf('balance')];
  // a step takes the field of the orbit where it begins: half a step times power, of 0.2 N at 20 mm/s and what it changes by
  assert.ok(Math.abs(balance) < 2e-6, `${balance} J`);
});
