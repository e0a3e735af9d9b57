/** A step of a system with an articulated arm with joint friction leaves nothing on the heap, in every mode. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('an arm that accommodates, turns a single joint, stops, follows and is read out does not allocate, under any law', () => {
  const { perStep, ofLaws, moved } = measureHeap<{
    perStep: number;
    ofLaws: number;
    moved: number;
  }>(
    'arm-models',
    `
const system = makeSystem(models.armSystem(2, models.ARM_FRICTION));
system.useSchedule = false;
const { tool, arm } = system;
tool.mode = 2;
const row = new Float64Array(64);
const twist = new Float64Array(6);
const start = system.state.slice();
let k = 0;
function steps(count) {
  for (let i = 0; i < count; i++, k++) {
    if (k % 2000 === 0) system.restore(start);
    tool.motion = k % 300 < 100 ? 2 : k % 300 < 200 ? 0 : 1; // each as often: what runs seldom is not compiled
    tool.joint = k % 600 < 300 ? -1 : 3;
    tool.jointLevel[0] = k % 1200 < 600 ? 0.5 : -0.5;
    tool.command[k % 3] = k % 400 < 200 ? 0.02 : -0.02;
    for (let a = 0; a < 6; a++) tool.measuredWrench[a] = k % 100 < 50 ? 5 : -5;
    for (let a = 0; a < 13; a++) tool.measuredMotion[a] = tool.setpoint[a];
    system.step(0.001);
    arm.computeMobility();
    if (tool.motion === 1) {
      for (let a = 0; a < 6; a++) twist[a] = 0.999 * tool.setpoint[7 + a];
      system.setArmTwist(twist, 0);
    }
    for (let j = 0; j < arm.jointCount; j++) arm.readJoint(j, row, 7 * j);
    arm.readArm(row, 0);
    arm.readLink(3, row, 0);
  }
}
steps(4000);
const perStep = settled(steps, { rounds: 4000, windows: 40, least: 1 });
const gains = { frequency: 3, damping: 0.7 };
const others = [
  makeSystem(models.armSystem(2, models.ARM_FRICTION, { law: 'computed-torque', gains })),
  makeSystem(models.armSystem(2, undefined, { law: 'impedance', impedance: models.SIX_ROWS })),
  makeSystem(models.planarSystem('composite')),
];
const starts = others.map((other) => other.state.slice());
for (const other of others) {
  other.useSchedule = false;
  other.tool.mode = 2;
}
function stepLaw(other, from) {
  const { tool } = other;
  if (k % 2000 === 0) other.restore(from);
  tool.motion = k % 300 < 100 ? 2 : k % 300 < 200 ? 0 : 1;
  tool.command[k % 3] = k % 400 < 200 ? 0.02 : -0.02;
  for (let a = 0; a < 6; a++) tool.measuredWrench[a] = k % 100 < 50 ? 5 : -5;
  for (let a = 0; a < 13; a++) tool.measuredMotion[a] = tool.setpoint[a];
  other.step(0.001);
}
function stepsOfLaws(count) {
  for (let i = 0; i < count; i++, k++) {
    stepLaw(others[0], starts[0]);
    stepLaw(others[1], starts[1]);
    stepLaw(others[2], starts[2]);
  }
}
stepsOfLaws(3000);
const ofLaws = settled(stepsOfLaws, { rounds: 2000, windows: 40, least: 1 });
console.log(JSON.stringify({ perStep, ofLaws, moved: Math.abs(system.state[0] - start[0]) + system.time }));
`,
  );
  assert.ok(moved > 0, 'it did not move');
  // one boxed double a step is 16 B; what the compiler leaves it leaves once, in some window
  assert.ok(perStep < 1, `${perStep} bytes a step`);
  assert.ok(ofLaws < 1, `${ofLaws} bytes a step of the three other laws`);
});
