/**
 * Scenarios of arms on arms and on spacecraft, flown: fourteen joints in a row press a unit on its plate by the system's own schedule; in mode
 * `hardware`, over the whole loop on the virtual clock, permit and audit take the base's giving way into account.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { Column, type ColumnName } from '../../../hil/contract/columns.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { PermitState } from '../../../hil/contract/commands.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { ENERGY_READOUT, makeSystem } from '../../../src/system/system.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

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

describe('hardware mode', () => {
  /** From just before it touches, pushed with a tenth of the command. */
  const press = (
    model: SystemModel,
  ): { rig: VirtualRig; force: number; seen: Set<string>; permits: Set<number> } => {
    const rig = new VirtualRig({ model, mode: 'hardware', noise: 1 });
    const permits = new Set<number>();
    const seen = new Set<string>();
    const value = (name: ColumnName): number => rig.tick.record.row[Column[name]];
    rig.activate();
    let force = 0;
    for (let i = 0; i < 400; i++) {
      rig.run(10, () => rig.inputAxes([0.1, 0, 0, 0, 0, 0], 1));
      assert.match(rig.state, /^ACTIVE/, `after ${10 * i} ms`);
      seen.add(rig.state);
      permits.add(value('permit_state'));
      if (i >= 300) force -= (rig.tick.measuredWrench[0] ?? NaN) / 100;
    }
    assert.ok(value('energy_created_total_J') < 1e-3, `${value('energy_created_total_J')} J made`);
    return { rig, force, seen, permits };
  };
  const near = (name: string): SystemModel => {
    const scenario = loadScenario(name);
    for (const body of scenario.bodies) {
      if (body.kind !== 'fixed' && body.kind !== 'dynamic') body.position_m = [-5e-4, 0, 0];
    }
    return compileScenario(scenario);
  };

  test('a tool of a spacecraft that floats is pressed on, and the spacecraft goes off', () => {
    const { rig, force, seen, permits } = press(near('free-flyer-capture'));
    const arm = rig.system.arm!;
    assert.ok(permits.has(PermitState.VALID), [...permits].join());
    assert.ok(seen.has('ACTIVE_CONTACT') && force > 3, `${[...seen].join()}, ${force} N`);
    const speed = arm.tree.linkState(0)[7];
    assert.ok(speed < -1e-3, `the spacecraft goes at ${speed} m/s`);
    const effective = rig.tick.record.row[Column.effective_mass_kg];
    arm.computeMobility();
    assert.ok(Math.abs(effective * arm.mobility[0] - 1) < 0.2, `${effective} kg with the base`);

    rig.command(CommandKind.HOLD);
    rig.run(300, (i) => rig.inputAxes([i % 2, 0, 0, 0, 0, 0], 1));
    assert.equal(rig.state, 'HOLD');
    assert.equal(Math.hypot(...rig.tick.setpoint.slice(7)), 0, 'the set-point rests');
    assert.equal(Math.hypot(...arm.tree.linkState(0).slice(7)), 0, 'and so does the spacecraft');
  });
});
