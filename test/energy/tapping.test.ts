/**
 * The pilot of the soak test on the virtual clock: the half-sphere taps the force plate every two seconds in `hardware` mode, the robot
 * a pure delay with the noise of the facility, 0.5 % of the frames lost each way, compensated by the model. What a machine that stalls
 * adds is seen in bench/soak.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EnergySlot } from '../../hil/energy/loop-energy.ts';
import { VirtualRig } from '../support/virtual-rig.ts';

const SECONDS = 60;
const LOSS = 0.005;
/** hil-anchors 9.4, test 52. */
const CREATED_SHARE = 0.01;
const DEFLECTION = 0.5;
const PRESS_TICKS = 750;
const RISE_TICKS = 550;

interface Tapped {
  readonly contacts: number;
  /** Taken from the arm, J, and of that won by the loop in contacts that won any. */
  readonly in_J: number;
  readonly share: number;
}

function tap(compensation: 'model' | 'none'): Tapped {
  const rig = new VirtualRig({
    mode: 'hardware',
    noise: 1,
    emulator: { tracking: 'ideal', delay_s: 0.001 },
    settings: (settings) => (settings.energy.compensation = compensation),
  });
  rig.activate();
  for (const end of rig.ends) end.faults.loss = LOSS;
  const { slots } = rig.tick.energy.energy;
  let direction = -1;
  let since = 0;
  let [contacts, in_J, won_J] = [0, 0, 0];
  let [open_J, created_J] = [0, 0];
  for (let i = 0; i < SECONDS * 1000; i++) {
    const there = (rig.state === 'ACTIVE_CONTACT') === direction < 0;
    since = there ? since + 1 : 0;
    if (since > (direction < 0 ? PRESS_TICKS : RISE_TICKS)) {
      direction = -direction;
      since = 0;
    }
    if (i % 10 === 0) rig.inputAxes([0, 0, DEFLECTION * direction, 0, 0, 0], 1);
    rig.run(1);
    assert.match(rig.state, /^ACTIVE/, `${rig.state} after ${i} ticks`);
    if (slots[EnergySlot.IN] < open_J) {
      contacts++;
      in_J += open_J;
      won_J += Math.max(0, created_J);
    }
    open_J = slots[EnergySlot.IN];
    created_J = slots[EnergySlot.CREATED];
  }
  return { contacts, in_J, share: won_J / in_J };
}

test('52: tapping every two seconds with noise and loss: what the loop creates, compensated and not', (t) => {
  const compensated = tap('model');
  assert.ok(compensated.contacts >= 28, `${compensated.contacts} contacts`);
  assert.ok(compensated.share <= CREATED_SHARE, `${compensated.share}`);
  const plain = tap('none');
  assert.ok(plain.share > 10 * CREATED_SHARE, `without compensation ${plain.share}`);
  t.diagnostic(
    `acceptance 52: on the virtual clock ${compensated.contacts} contacts of ${((1e3 * compensated.in_J) / compensated.contacts).toFixed(1)} mJ in which the loop creates ${(100 * compensated.share).toFixed(2)} %, ${(100 * plain.share).toFixed(1)} % without compensation`,
  );
});
