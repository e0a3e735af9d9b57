/** What the loop creates when the half-sphere taps the plate for a minute; `npm run soak:virtual` does it for 8 h, test/acceptance/soak.ts on the machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopCause, Tapping } from '../../fixtures/tapping.ts';

const SECONDS = 60;
/** hil-anchors 9.4, test 52. */
const CREATED_SHARE = 0.01;

function tap(compensation: 'model' | 'none'): Tapping {
  const tapping = new Tapping(compensation);
  for (let i = 0; i < SECONDS * 1000; i++) {
    tapping.step();
    assert.match(tapping.rig.state, /^ACTIVE/, `${tapping.rig.state} after ${i} ticks`);
  }
  return tapping;
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

test('a stall of the loop while the robot goes on ends in a hold or fault with a cause; the pilot is back and taps again', () => {
  for (const periods of [15, 30, 120]) {
    const tapping = new Tapping('model');
    const { rig } = tapping;
    for (let i = 0; i < 3000; i++) tapping.step();
    const before = tapping.contacts;
    tapping.stall(periods);
    for (let i = 0; i < 12_000; i++) tapping.step();
    assert.equal(rig.timing.slippedTotal, periods);
    assert.equal(rig.timing.executed + periods, rig.timing.period + 1);
    const causes = rig.transitions.map(stopCause).filter((cause) => cause !== null);
    // past the time to live of 20 ms the robot stops by itself
    const expected = periods > 20 ? ['ROBOT_PROTECTIVE_STOP', 'after the stop'] : [];
    assert.deepEqual(causes, expected, `${periods} periods`);
    assert.match(rig.state, /^ACTIVE/);
    assert.ok(tapping.contacts >= before + 3, `${tapping.contacts} contacts`);
  }
});
