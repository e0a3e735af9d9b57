/** The operator of the warm-up brings a loop through every state of a flight, again and again, so that the code of each is warm. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShadowOperator } from '../../../hil/loop/shadow-operator.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

test('it arms, flies into contact, rests without the deadman and goes on', () => {
  // pressed in by 30 µm, as the robot of a warm-up is
  const rig = new VirtualRig({ emulator: { position: [0, 0, -30e-6] } });
  assert.ok(rig.runUntil('MONITOR_READY', 6000) >= 0);
  const operator = new ShadowOperator(rig.shared, [0, 0, -1]);
  rig.run(9000, (tick) => {
    operator.step(tick, rig.clock.now_us(), rig.tick.machine.state);
  });
  const entered = new Map<string, number>();
  for (const { to } of rig.transitions) entered.set(to, (entered.get(to) ?? 0) + 1);
  assert.ok((entered.get('ARMING') ?? 0) >= 1, 'armed');
  assert.ok((entered.get('ACTIVE_CONTACT') ?? 0) >= 1, 'in contact');
  // each flight of 1500 ticks ends in a hold of 150
  assert.ok((entered.get('HOLD') ?? 0) >= 4, `${entered.get('HOLD')} holds`);
  assert.equal(entered.get('FAULT') ?? 0, 0, 'no fault');
  assert.deepEqual(rig.errors, []);
});
