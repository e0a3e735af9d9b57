/** The reported time of measurement: compared with the time of its frame; a clock that jumps is reported. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INJECTIONS, CommandKind } from '../../../hil/contract/commands.ts';
import { FRAME_ERRORS } from '../../../hil/contract/counters.ts';
import { EVENT_WIDTH, EventKind } from '../../../hil/contract/events.ts';
import { NO_NAMES } from '../../../hil/contract/scene-columns.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { eventWords } from '../../../hil/recording/event-words.ts';
import { RecordRing } from '../../../hil/memory/ring.ts';
import { SessionCount } from '../../../hil/protocol/server-session.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { Pair } from '../../fixtures/session-pair.ts';

const HOUR_us = 3600e6;
const count = (pair: Pair, reason: (typeof FRAME_ERRORS)[number]): number =>
  pair.server.counts[SessionCount.ERRORS + FRAME_ERRORS.indexOf(reason)];

test('70: a STATE measured after it was sent is refused as value, one measured long before as stale', (t) => {
  const figures: string[] = [];
  for (const [ahead_us, reason] of [
    [HOUR_us, 'value'],
    [2100, 'value'],
    [1900, null],
    [-19_400, null],
    [-20_100, 'stale'],
    [-HOUR_us, 'stale'],
  ] as const) {
    const pair = new Pair();
    pair.robotTime = (true_us) => true_us + 2 * HOUR_us;
    pair.run(200);
    pair.beforeState = (state) => (state.tMeas_us += ahead_us);
    const before = [count(pair, 'value'), count(pair, 'stale')];
    pair.run(1);
    const refused = [count(pair, 'value') - before[0], count(pair, 'stale') - before[1]];
    const wanted = [reason === 'value' ? 1 : 0, reason === 'stale' ? 1 : 0];
    assert.deepEqual(refused, wanted, String(ahead_us));
    assert.equal(pair.server.fresh, refused[0] + refused[1] === 0);
    figures.push(`${(ahead_us / 1e3).toFixed(1)} ms ${reason ?? 'taken'}`);
  }
  t.diagnostic(`acceptance 70: tMeas after the time of its frame by ${figures.join(', ')}`);
});

test('70: a jump of the robot clock is an event with its size, and counted', (t) => {
  const told: string[] = [];
  for (const step_s of [3, -1]) {
    const rig = new VirtualRig();
    rig.activate();
    rig.run(100, () => rig.input(0, 1));
    const events = new RecordRing(rig.shared.events, EVENT_WIDTH);
    rig.command(CommandKind.INJECT, INJECTIONS.indexOf('robot_clock_step_s'), step_s);
    const seen: Float64Array[] = [];
    // step by step, for the rig drains the same ring
    for (let i = 0; i < 100; i++) {
      rig.input(0, 1);
      rig.loop.step();
      rig.robot!.step(0.001, rig.clock.now_us());
      const record = new Float64Array(EVENT_WIDTH);
      while (events.pop(record)) if (record[0] === EventKind.CLOCK_STEP) seen.push(record.slice());
    }
    assert.equal(seen.length, 1, String(step_s));
    assert.ok(Math.abs(seen[0][5] - step_s) < 0.002, String(seen[0][5]));
    assert.equal(rig.counter(LoopSlot.robot_clock_steps_total), 1);
    assert.equal(rig.state, 'ACTIVE_FREE');
    told.push(eventWords(seen[0], NO_NAMES));
  }
  assert.match(told[0], /the robot clock stepped by 3\.000 s, 1 times so far/);
  t.diagnostic(`acceptance 70: ${told.join('; ')}`);
});
