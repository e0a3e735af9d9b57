/** The battery box flown into its work-site, as in insertion.test.ts, over a late link, and cut off and taken up again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import { EnergySlot } from '../../../hil/energy/loop-energy.ts';
import { FlightScript } from '../../../server/cli/flight-script.ts';
import { viewOf } from '../../fixtures/insertion-view.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { INPUT_TICKS, isOver, LOOK_TICKS, makeScript, model, MOST_TICKS } from './insertion-rig.ts';

/** Time without a script between two flights. */
const MEANWHILE_TICKS = 2000;
const DEGREE = Math.PI / 180;

/** Flies once over a link that is late by `latency_us` each way. @returns state in which it ended, and what one contact kept at most, J */
function flownLate(latency_us: number): { end: string; cause: string | null; created_J: number } {
  const period_s = 0.002; // as the flight over real sockets, test/flight/insertion.test.ts
  const rig = new VirtualRig({
    model,
    noise: 1,
    settings: (settings) => (settings.loop.period_s = period_s),
  });
  const script = makeScript(rig, 2);
  const { slots } = rig.tick.energy.energy;
  let created_J = 0;
  for (const end of rig.ends) end.faults.latency_us = latency_us;
  rig.activate();
  const milliseconds = (ms: number): number => ms / 1000 / period_s;
  for (let i = 0; i < MOST_TICKS && rig.state.startsWith('ACTIVE'); i++) {
    if (isOver(script)) break;
    if (i % milliseconds(100) === 0) script.read(viewOf(rig));
    if (i % milliseconds(10) === 0) rig.inputAxes(script.axes, 1);
    rig.run(1);
    created_J = Math.max(created_J, slots[EnergySlot.CREATED]);
  }
  const flown = script.ended ? 'out' : script.step;
  const end = rig.state.startsWith('ACTIVE') ? flown : rig.state;
  return { end, cause: rig.transitions.at(-1)!.cause, created_J };
}

test('on time a flight creates less than the floor of the limit; late by two periods each way it is held for what it creates', (t) => {
  const floor_J = loadSettings().energy.hold_floor_J;
  const onTime = flownLate(0);
  assert.equal(onTime.end, 'out');
  assert.ok(onTime.created_J < floor_J / 2, `${onTime.created_J} J`);
  const late = flownLate(4000);
  assert.deepEqual([late.end, late.cause], ['HOLD', 'ENERGY_CREATED']);
  assert.ok(late.created_J > floor_J, `${late.created_J} J`);
  t.diagnostic(`on time ${onTime.created_J.toFixed(4)} J, late ${late.created_J.toFixed(4)} J`);
});

/** Flies until `cut` holds, then takes the flight up again with a new script. @returns the phases after that, and the tilt at the end. */
function takenUpAgain(
  cut: (script: FlightScript, depth_m: number) => boolean,
  meanwhile: readonly number[],
): { phases: string[]; tilt_rad: number } {
  const rig = new VirtualRig({ model, noise: 1 });
  const words: string[] = [];
  const flown = new Set<string>();
  const visited = new Set<string>();
  let script = makeScript(rig, 0.5, flown);
  let cutAt = Infinity;
  rig.activate();
  for (let i = 0; i < 2 * MOST_TICKS && script.step !== 'seated'; i++) {
    if (i % LOOK_TICKS === 0 && !(i > cutAt && i < cutAt + MEANWHILE_TICKS)) {
      const view = viewOf(rig);
      script.read(view);
      words.push(...script.words.splice(0));
      if (i >= cutAt) visited.add(script.step);
      else if (cut(script, script.depth_m(view))) {
        cutAt = i;
        script = makeScript(rig, 0.5, flown);
        meanwhile.forEach((stick, axis) => (script.axes[axis] = stick));
      }
    }
    if (i % INPUT_TICKS === 0) rig.inputAxes(script.axes, 1);
    rig.run(1);
    assert.match(rig.state, /^ACTIVE/, `${rig.state} after ${words.at(-1)}`);
    assert.equal(script.failure, null, words.join('; '));
  }
  return { phases: [...visited], tilt_rad: script.tilt_rad(viewOf(rig)) };
}

test('a flight that was cut off on its way in goes on where it was', () => {
  const { phases } = takenUpAgain((script, depth) => script.step === 'lead-in' && depth > 0.08, []);
  assert.deepEqual(phases, [
    'approach',
    'lead-in',
    'push-turned',
    'ease',
    'straighten',
    'seat',
    'press',
    'seated',
  ]);
});

test('a flight that was cut off when it had jammed is straight before it goes on', () => {
  const { phases, tilt_rad } = takenUpAgain((script) => script.step === 'ease', []);
  assert.deepEqual(phases, ['straighten', 'seat', 'press', 'seated']);
  assert.ok(tilt_rad < 0.3 * DEGREE, `${tilt_rad / DEGREE}°`);
});

test('a flight that went astray before it is taken up again comes straight out first', () => {
  // sideways, at full stick
  const { phases } = takenUpAgain((script) => script.step === 'ease', [0, 0, 1, 0, 0, 0]);
  assert.deepEqual(phases, [
    'withdraw',
    'centre',
    'aim',
    'approach',
    'lead-in',
    'seat',
    'press',
    'seated',
  ]);
});
