/**
 * An arm on a spacecraft, flown in mode `hardware` over the whole loop on the virtual clock: permit and audit take the base's giving way
 * into account. An arm on an arm: two-arms.long.test.ts.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { Column, type ColumnName } from '../../../hil/contract/columns.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { PermitState } from '../../../hil/contract/commands.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

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
