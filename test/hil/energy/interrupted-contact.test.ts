/** Contacts and motions that a HOLD cuts off: nothing is judged that was not over, and what comes after begins from rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CreatedLimit } from '../../../hil/energy/created-limit.ts';
import { EnergySlot } from '../../../hil/energy/loop-energy.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { faultNames } from '../../fixtures/safety-harness.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

test('the share that a contact created is judged when it is over, not when it is cut off; the absolute limit always', () => {
  const judge = (created_J: number, finished: boolean): number => {
    const limit = new CreatedLimit({ hold_ratio: 0.05, hold_floor_J: 0.02, hold_J: 0.5 });
    const slots = new Float64Array(18);
    slots[EnergySlot.OPEN] = 1;
    limit.observe(slots);
    slots[EnergySlot.IN] = 0.2;
    slots[EnergySlot.CREATED] = created_J;
    slots[EnergySlot.OPEN] = 0;
    if (finished) slots[EnergySlot.CONTACTS]++;
    limit.observe(slots);
    return limit.exceeded;
  };
  assert.equal(judge(0.03, true), 1);
  assert.equal(judge(0.03, false), 0);
  assert.equal(judge(0.6, false), 1);
});

test('a contact that is held for what it created counts, though it is cut off', () => {
  const hold_J = 2e-3;
  const rig = new VirtualRig({
    mode: 'hardware',
    emulator: { tracking: 'ideal', delay_s: 10e-3 },
    settings: ({ energy }) => Object.assign(energy, { guard: false, hold_J, hold_ratio: 1e6 }),
  });
  rig.activate();
  const press = (): void => rig.inputAxes([0, 0, -0.5, 0, 0, 0], 1);
  assert.ok(rig.runUntil('HOLD', 9000, press) > 0, rig.state);
  assert.deepEqual(faultNames(rig.tick.machine.holdBits), ['ENERGY_CREATED']);
  rig.run(50, press);
  const counted_J = rig.counter(LoopSlot.loop_energy_created_joules_total);
  // a tick adds F v h at the most
  assert.ok(counted_J > hold_J && counted_J < 2 * hold_J, `${counted_J} J`);
});

test('the deadman is released in contact: no contact is counted, nothing has a restitution, and pressing it again resumes', () => {
  const rig = new VirtualRig({ mode: 'hardware', emulator: { tracking: 'ideal' } });
  rig.activate();
  const press = (): void => rig.inputAxes([0, 0, -0.5, 0, 0, 0], 1);
  assert.ok(rig.runUntil('ACTIVE_CONTACT', 3000, press) > 0, rig.state);
  rig.run(300, press);
  rig.run(500, () => rig.input(0, 0));
  const { slots } = rig.tick.energy.energy;
  assert.equal(rig.state, 'HOLD');
  assert.ok(slots[EnergySlot.IN] > 0);
  assert.equal(slots[EnergySlot.CONTACTS], 0);
  assert.ok(Number.isNaN(slots[EnergySlot.RESTITUTION_SIM]));
  assert.deepEqual(faultNames(rig.tick.machine.holdBits), ['DEADMAN_RELEASED']);
  rig.run(50, () => rig.input(0, 1));
  assert.match(rig.state, /^ACTIVE/);
});

test('STATE that is missing and comes back: the set-point leaves the place where it was frozen from rest', () => {
  const rig = new VirtualRig({ emulator: { tracking: 'ideal' } });
  rig.activate();
  const up = (): void => rig.inputAxes([0, 0, 1, 0, 0, 0], 1);
  rig.run(600, up);
  assert.ok(rig.tick.setpoint[9] > 0.015, `${rig.tick.setpoint[9]} m/s`);
  rig.ends[1].faults.cut = true;
  rig.run(10, up);
  assert.equal(rig.state, 'HOLD');
  const frozen = rig.tick.setpoint[2];
  assert.equal(rig.tick.outputs.freezeModel, 1);
  rig.ends[1].faults.cut = false;
  for (let i = 0; i < 200; i++) {
    rig.run(1, up);
    assert.ok(Math.abs(rig.tick.setpoint[2] - frozen) < 1e-9, `${rig.tick.setpoint[2] - frozen} m`);
  }
  assert.equal(rig.tick.outputs.freezeModel, 0);
});
