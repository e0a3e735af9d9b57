/** A step of an arm on a floating or swaying base leaves nothing on the heap, in every mode. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('on a base that floats or sways, an arm that accommodates, stops, follows and is read out does not allocate', () => {
  const { perStep, moved } = measureHeap<{ perStep: number; moved: number }>(
    'arm-base-models',
    `
const systems = [
  makeSystem(models.floatingSystem(2, models.ARM_FRICTION)),
  makeSystem(models.swayingSystem(2, models.ARM_FRICTION)),
];
const starts = systems.map(({ state }) => state.slice());
const row = new Float64Array(64);
const twist = new Float64Array(6);
let k = 0;
for (const system of systems) {
  system.useSchedule = false;
  system.tool.mode = 2;
}
function steps(count) {
  for (let i = 0; i < count; i++, k++) for (let s = 0; s < systems.length; s++) step(systems[s], starts[s]);
}
function step(system, start) {
  const { tool, arm } = system;
  if (k % 2000 === 0) system.restore(start);
  tool.motion = k % 300 < 100 ? 2 : k % 300 < 200 ? 0 : 1; // each as often: what runs seldom is not compiled
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
steps(4000);
const perStep = settled(steps, { rounds: 4000, windows: 40, least: 1 });
const moved = Math.min(...systems.map(({ state, time }, s) => Math.abs(state[0] - starts[s][0]) + time));
console.log(JSON.stringify({ perStep, moved }));
`,
  );
  assert.ok(moved > 0, 'it did not move');
  // one boxed double a step is 16 B; what the compiler leaves it leaves once, in some window
  assert.ok(perStep < 1, `${perStep} bytes a step`);
});
