/**
 * The ring over its cone flown over the whole loop on the virtual clock, with noise and 20 ms of latency: it comes to rest at the force of its press.
 * With damping of a touch at 1 mm/s it swings, and the audit of energy ends the flight. docs/theory/sampled.md, "In the loop".
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const PERIOD_S = 0.002;
const LATENCY_US = 10_000; // each way
const TICKS_A_SECOND = 500;
const INPUT_TICKS = 5;
/** Dead-band and gain at 2 mm/s, vernier gear. */
const PRESS_N = 30;

/** Greatest force, N, those of the last second, and the state at the end. */
function press(
  changes: readonly string[],
  seconds: number,
): { peak: number; last: number[]; state: string } {
  const rig = new VirtualRig({
    model: compileScenario(loadScenario('ring-over-cone', changes)),
    noise: 1,
    settings: ({ loop }) => {
      loop.period_s = PERIOD_S;
    },
  });
  for (const end of rig.ends) end.faults.latency_us = LATENCY_US;
  rig.activate();
  const { modelWrench: wrench } = rig.system.tool!;
  const last: number[] = [];
  let peak = 0;
  const ticks = seconds * TICKS_A_SECOND;
  for (let n = 0; n < ticks && rig.state.startsWith('ACTIVE'); n++) {
    if (n % INPUT_TICKS === 0)
      rig.command(CommandKind.INPUT, 0, 0, -1, 0, 0, 0, 1, 0, 0, 1_000_000 + n, 0);
    rig.run(1);
    const force = Math.hypot(wrench[0], wrench[1], wrench[2]);
    peak = Math.max(peak, force);
    if (n >= ticks - TICKS_A_SECOND) last.push(force);
  }
  return { peak, last, state: rig.state };
}

test('with 20 ms more of delay it rests at 30 N, and no force is above', () => {
  const { peak, last, state } = press([], 9);
  assert.equal(state, 'ACTIVE_CONTACT');
  // a tenth for what is not settled yet and for the noise of the pose on 1e5 N/m
  for (const force of last) assert.ok(Math.abs(force - PRESS_N) < 3, `${force} N`);
  assert.ok(peak < 1.1 * PRESS_N, `${peak} N`);
});

test('with the damping of a touch at 1 mm/s it swings, and the flight is held', () => {
  const { peak, state } = press(['contacts.0.normal_law.small_velocity_mps=0.001'], 9);
  assert.ok(peak > 2 * PRESS_N && state === 'HOLD', `${peak} N, ${state}`);
});
