/** Impossible control laws of an arm are refused with the reason; scenarios can name every law. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import type { ArmControlModel, ArmImpedance, ArmModel } from '../../../src/model/arm-spec.ts';
import { BerthError } from '../../../src/base/errors.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { armSystem, planarSystem, SIX_ROWS } from '../../fixtures/arm-models.ts';

function withArm(system: SystemModel, changes: Partial<ArmModel>): SystemModel {
  return {
    ...system,
    tool: { ...system.tool!, robot: { ...system.tool!.robot!, ...changes } },
  };
}

function refused(model: SystemModel, message: RegExp, code: string): void {
  assert.throws(
    () => makeSystem(model),
    (error) => error instanceof BerthError && error.code === code && message.test(error.message),
    String(message),
  );
}

const planar = planarSystem('composite');
const { control } = planar.tool!.robot!;
assert.ok(control?.law === 'composite');
const composite = control;
const impedance = (changes: Partial<ArmImpedance>): ArmControlModel => ({
  ...composite,
  impedance: { ...composite.impedance, ...changes },
});

test('axes: no more than joints, different ones, and each within reach at the start', () => {
  const arm = planarSystem('resolved-rate');
  const whole = withArm(arm, { axes: [0, 1, 2, 3, 4, 5] });
  refused(whole, /driven.*no fewer than the 6 axes/, 'BERTH_PARAMETER_RANGE');
  refused(withArm(arm, { axes: [0, 0] }), /1 … 3 different ones/, 'BERTH_MISMATCH');
  refused(withArm(arm, { axes: [0, 2] }), /beyond its joints/, 'BERTH_MISMATCH');
  const four = withArm(arm, { driven: 4 });
  refused(four, /driven.*1 … 3 of the 3 joints/, 'BERTH_PARAMETER_RANGE');
  makeSystem(withArm(arm, { axes: [1, 5] }));
});

test('composite needs links that bend, stiff gears and all joints', () => {
  const { fast } = composite;
  const gears = withArm(armSystem(2), { control: { law: 'composite', impedance: SIX_ROWS, fast } });
  refused(gears, /whose gears are stiff, got a flexible one at link 0/, 'BERTH_UNSUPPORTED');
  const stiff = withArm(armSystem(0), { control: { law: 'composite', impedance: SIX_ROWS, fast } });
  refused(stiff, /whose links bend/, 'BERTH_UNSUPPORTED');
  refused(withArm(planar, { driven: 2 }), /all of whose 3 joints/, 'BERTH_UNSUPPORTED');
});

test('impedance: rows, rates, target, path and correction', () => {
  const rows = composite.impedance.rows;
  const refuse = (changes: Partial<ArmImpedance>, message: RegExp, code: string): void =>
    refused(withArm(planar, { control: impedance(changes) }), message, code);
  const range = 'BERTH_PARAMETER_RANGE';
  refuse({ rows: { ...rows, mass: [40] } }, /control.mass .*2 values/, range);
  refuse({ rows: { ...rows, stiffness: [40, -1] } }, /stiffness\[1\].*got -1/, range);
  refuse({ rows: { ...rows, damping: [60, 4e4] } }, /damping\[1\].*in one step/, range);
  refuse({ target: 'nobody' }, /one of target, got "nobody"/, 'BERTH_UNKNOWN_NAME');
  refuse({ target: 'payload' }, /one of target, got "payload"/, 'BERTH_UNKNOWN_NAME');
  const path = [
    { time: 0, position: [0, -0.4, 0] },
    { time: 4, position: [0, 0, 0] },
  ];
  refuse({ path }, /begin where the tool point starts/, 'BERTH_MISMATCH');
  refuse({ path: [{ ...path[0], time: 5 }, path[1]] }, /path\[1\].time.*above 5/, range);
  const held = (changes: Partial<SystemModel>, message: RegExp): void =>
    refused({ ...planar, ...changes }, message, 'BERTH_UNSUPPORTED');
  const spring = { body: 'target', anchor: [0, 0, 0] as const, stiffness: 10 };
  held({ springs: [spring] }, /target.*moves freely but for the tool, got "target".*on a spring/);
  const { correction } = composite.impedance;
  refuse({ correction: { ...correction!, direction: [0, 0, 1] } }, /a stiffness, N\/m/, range);
  refuse({ correction: { ...correction!, time: 0 } }, /force_correction.time/, range);
});

test('computed torque: gains that one step can carry out', () => {
  const gains = { frequency: 900, damping: 0.7 };
  refused(
    withArm(armSystem(0), { control: { law: 'computed-torque', gains } }),
    /control.bandwidth_radps.*in one step/,
    'BERTH_PARAMETER_RANGE',
  );
});

test('a scenario names its law, and what does not go with it', () => {
  const wrong = (change: string, message: RegExp): void => {
    assert.throws(
      () => makeSystem(compileScenario(loadScenario('kim-planar-controlled-contact', [change]))),
      (error) => error instanceof BerthError && message.test(error.message),
      change,
    );
  };
  wrong('tool.robot.control.kind=adaptive', /resolved-rate, computed-torque, impedance, composite/);
  wrong('tool.robot.axes=[x, y, up]', /tool.robot.axes/);
  wrong('tool.robot.control.design_joints=[0, 1]', /allowed: 3, one for each joint/);
  wrong('tool.robot.control.mass=[80]', /2 values/);
  const law = 'tool.robot.control={kind: computed-torque, bandwidth_radps: 2}';
  const model = compileScenario(loadScenario('kim-planar-controlled-contact', [law]));
  assert.deepEqual(model.tool?.robot?.control, {
    law: 'computed-torque',
    gains: { frequency: 2, damping: 1 },
  });
});
