/** Position mode of the hand controllers under the laws that control an arm, on the virtual clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RANGE_s } from '../../../hil/contract/commands.ts';
import { POSITION_GAIN } from '../../../hil/operator/hand-mode.ts';
import type { ArmControlModel } from '../../../src/model/arm-spec.ts';
import { SIX_ROWS } from '../../fixtures/arm-models.ts';
import { free, mode, POSITION, rigOf } from './hand-rig.ts';

test('position under a law: the tool goes to where the stick says without overshoot, and back', () => {
  // motor friction of 4 N m, which no law compensates, at 3 m: this much of 400 N/m, and hardly any
  // of the gains of the joints
  const laws: readonly (readonly [ArmControlModel, number])[] = [
    [{ law: 'computed-torque', gains: { frequency: 3, damping: 1 } }, 0],
    [{ law: 'impedance', impedance: SIX_ROWS }, 4 / 3 / 400],
  ];
  for (const [control, friction_m] of laws) {
    const tool = { ...free.tool!, robot: { ...free.tool!.robot!, control } };
    const rig = rigOf({ ...free, tool });
    rig.activate();
    rig.run(400, () => rig.input(0, 0));
    assert.equal(mode(rig, POSITION), 'ok');
    assert.ok(rig.runUntil('ACTIVE_FREE', 50, () => rig.input(0, 1)) >= 0, rig.state);
    const speed = rig.settings.operator.coarse_speed_mps;
    const { tip } = rig.system.arm!;
    const start = [...tip.subarray(0, 3)];
    const way = (): number => tip[2] - start[2];
    const seconds = RANGE_s + 6 / POSITION_GAIN;
    const bound = (Math.exp(-6) / POSITION_GAIN) * speed + friction_m;
    let most = 0;
    rig.run(1000 * seconds, () => {
      rig.inputAxes([0, 0, 1, 0, 0, 0], 1);
      most = Math.max(most, way());
    });
    const range = RANGE_s * speed;
    assert.ok(Math.abs(way() - range) < bound, `${control.law}: ${way()} m of ${range}`);
    assert.ok(most < range + bound, `${control.law}: ${most} m of ${range}`);
    rig.run(1000 * seconds, () => rig.input(0, 1));
    const left = Math.hypot(tip[0] - start[0], tip[1] - start[1], way());
    assert.ok(left < bound, `${control.law}: ${left} m from where it began`);
  }
});
