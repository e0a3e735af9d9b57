/** An arm that has weight rests where it was stopped, under any law: gears, links and references carry it when motion begins again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ArmControlModel } from '../../../src/model/arm-spec.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { armSystem, rigidArmSystem, SIX_ROWS } from '../../fixtures/arm-models.ts';

const ACCOMMODATE = 1;
const BRAKE = 2;
const gains = { frequency: 3, damping: 0.7 };
const LAWS: readonly (ArmControlModel | undefined)[] = [
  undefined,
  { law: 'computed-torque', gains },
  { law: 'impedance', impedance: SIX_ROWS },
];

for (const control of LAWS) {
  const law = control?.law ?? 'resolved-rate';
  for (const flexible of [true, false]) {
    // REACHED of the follower. A servo without a gear yields by h (Kv + h Kp)/I = 1.3 % of its
    // load, some 200 N m, over Kp. An impedance uses the weight of the straight arm, 2 mm from that
    // of the bent one. Without the weight each law sags by millimetres.
    const exact = control === undefined ? flexible : control.law !== 'impedance' || !flexible;
    const bound = exact ? 1e-9 : 1e-4;
    test(`${law}, ${flexible ? 'flexible' : 'stiff'}: stopped five times under its weight it stays`, () => {
      const model = flexible ? armSystem(2, undefined, control) : rigidArmSystem(control);
      const system = makeSystem({ ...model, gravity: [0.02, 0.01, -0.05] });
      system.useSchedule = false;
      const tool = system.tool!;
      tool.mode = 2;
      tool.measuredMotion.set(tool.setpoint);
      let start: Float64Array | null = null;
      let most = 0;
      for (let round = 0; round < 5; round++) {
        tool.motion = BRAKE;
        for (let i = 0; i < 300; i++) system.step(0.001);
        start ??= Float64Array.from(tool.setpoint);
        tool.motion = ACCOMMODATE;
        for (let i = 0; i < 1000; i++) {
          system.step(0.001);
          for (let a = 0; a < 3; a++) most = Math.max(most, Math.abs(tool.setpoint[a] - start[a]));
        }
      }
      assert.ok(most < bound, `${most} m`);
    });
  }
}
