/** A state of NaN in the loop: the fault MODEL_NOT_FINITE, a safe end, never a throw, never a set-point that is not finite. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { FaultCode } from '../../../hil/contract/codes.ts';
import type { System } from '../../../src/system/system.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const FAULTS = LoopSlot.faults_total + FaultCode.MODEL_NOT_FINITE;

/** Puts NaN into one value of the state. */
function spoil(system: System, index: number): void {
  const state = new Float64Array(system.state.length);
  system.snapshot(state);
  state[index] = NaN;
  system.restore(state);
}

/** Runs on with the stick held, and looks at every set-point. */
function press(rig: VirtualRig, ticks: number): void {
  rig.run(ticks, () => {
    rig.input(-0.5, 1);
    assert.ok(rig.tick.setpoint.every(Number.isFinite), `set-point ${rig.tick.setpoint.join()}`);
  });
}

for (const [what, part, slot] of [
  ['a position', 'arm', 2],
  ['an orientation', 'arm', 4],
  ['a velocity', 'arm', 9],
  ['an angular velocity', 'arm', 10],
  ['the pose of a fixed body', 'plate', 2],
] as const) {
  test(`${what} of NaN while moving stops the robot with MODEL_NOT_FINITE in the next tick`, () => {
    const rig = new VirtualRig();
    rig.activate();
    press(rig, 20);
    const start = rig.timing.executed;
    spoil(rig.system, 13 * rig.system.bodyIndex(part) + slot);
    press(rig, 200);
    const [first, second] = rig.transitions.filter((t) => t.tick > start);
    assert.deepEqual([first?.to, first?.cause], ['STOPPING', 'MODEL_NOT_FINITE']);
    assert.equal(second?.to, 'FAULT');
    // the step of the first tick fails, the machine sees it in the second
    assert.ok(
      (first?.tick ?? Infinity) - start <= 2,
      `after ${(first?.tick ?? NaN) - start} ticks`,
    );
    assert.equal(rig.state, 'FAULT');
    assert.ok(rig.counter(FAULTS) >= 1);
    assert.deepEqual(rig.errors, [], 'nothing was thrown');
  });
}

test('a latched value of NaN in a contact, where the force would count as none, stops the robot too', () => {
  const rig = new VirtualRig();
  rig.activate();
  const touched = rig.runUntil('ACTIVE_CONTACT', 4000, () => rig.input(-1, 1));
  assert.ok(touched > 0, 'the tool touches the plate');
  press(rig, 5);
  const { system } = rig;
  // the impact speed is the only stored value of the contact that is the speed at touch
  const out = new Float64Array(40);
  system.readContact(0, out, 0);
  assert.ok(out[15] > 0);
  spoil(system, system.state.indexOf(out[15]));
  press(rig, 100);
  assert.equal(rig.transitions.find((t) => t.to === 'STOPPING')?.cause, 'MODEL_NOT_FINITE');
  assert.deepEqual(rig.errors, []);
});
