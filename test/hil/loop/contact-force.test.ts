/** What counts as contact in hardware mode: the measured force against the setting of the sensor, free of its noise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { INJECTIONS, type InjectionName } from '../../../hil/contract/injections.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const CONTACT_N = 20;

/** A rig that moves freely, with a sensor for which a contact begins at 20 N. */
function freeRig(): { rig: VirtualRig; inject: (name: InjectionName, amount: number) => void } {
  const rig = new VirtualRig({
    mode: 'hardware',
    settings: ({ energy }) => (energy.contact_force_N = CONTACT_N),
  });
  rig.activate();
  rig.transitions.length = 0;
  const inject = (name: InjectionName, amount: number): void =>
    rig.command(CommandKind.INJECT, INJECTIONS.indexOf(name), amount);
  return { rig, inject };
}
const run = (rig: VirtualRig, ticks: number): void => rig.run(ticks, () => rig.input(0, 1));

test('noise below the contact force is no contact, however far above that of the default', () => {
  const { rig, inject } = freeRig();
  inject('force_noise_N', 3);
  run(rig, 3000);
  assert.deepEqual(rig.transitions, []);
  assert.equal(rig.state, 'ACTIVE_FREE');
});

test('a contact begins at the contact force and ends below a quarter of it', () => {
  const { rig, inject } = freeRig();
  for (const [force_N, state] of [
    [0.9 * CONTACT_N, 'ACTIVE_FREE'],
    [1.1 * CONTACT_N, 'ACTIVE_CONTACT'],
    [0.3 * CONTACT_N, 'ACTIVE_CONTACT'],
    [0.2 * CONTACT_N, 'ACTIVE_FREE'],
    [0.9 * CONTACT_N, 'ACTIVE_FREE'],
  ] as const) {
    inject('force_bias_N', force_N);
    run(rig, 10);
    assert.equal(rig.state, state, `${force_N} N`);
  }
});

test('a noisy force at the contact force is one contact, not many', () => {
  const { rig, inject } = freeRig();
  inject('force_noise_N', 3);
  inject('force_bias_N', CONTACT_N);
  run(rig, 500);
  assert.deepEqual(
    rig.transitions.map(({ to }) => to),
    ['ACTIVE_CONTACT'],
  );
});
