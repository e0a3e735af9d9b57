/** Alarms after ISA-18.2: what they go through, and what of the loop raises and clears them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Column } from '../../../hil/contract/columns.ts';
import { EventKind } from '../../../hil/contract/events.ts';
import {
  FAULT_CODES,
  FaultCode,
  type FaultName,
  SafetyState,
} from '../../../hil/contract/codes.ts';
import { AlarmFeed } from '../../../server/alarms/alarm-feed.ts';
import { AlarmList } from '../../../server/alarms/alarms.ts';
import { makeRow } from '../../../server/status/status.ts';

const at = (tick: number): { tick: number; time_s: number } => ({ tick, time_s: tick / 1000 });

function makeList(): { alarms: AlarmList; changes: () => number } {
  let changes = 0;
  const alarms = new AlarmList(() => changes++);
  return { alarms, changes: () => changes };
}

test('an alarm leaves the list when its cause is gone and somebody has seen it, in either order', () => {
  const { alarms } = makeList();
  alarms.raise('FORCE_LIMIT', at(5));
  const [first] = alarms.list;
  assert.deepEqual(
    [first.severity, first.active, first.acknowledged, first.count, first.tick, first.time_s],
    ['critical', true, false, 1, 5, 0.005],
  );
  assert.equal(first.message, 'The measured force or moment was above its limit.');
  alarms.acknowledge(first.id);
  assert.equal(alarms.list[0].acknowledged, true);
  alarms.clear('FORCE_LIMIT');
  assert.equal(alarms.list.length, 0);

  alarms.raise('INPUT_STALE', at(6));
  alarms.clear('INPUT_STALE');
  const [second] = alarms.list;
  assert.deepEqual([second.severity, second.active], ['warning', false]);
  assert.notEqual(second.id, first.id);
  assert.equal(alarms.acknowledge(second.id).length, 1);
  assert.equal(alarms.list.length, 0);
});

test('one that comes back is told again and counted since it was last seen', () => {
  const { alarms, changes } = makeList();
  alarms.raise('QUALITY_LOW', at(1));
  alarms.clear('QUALITY_LOW');
  alarms.raise('QUALITY_LOW', at(2));
  assert.deepEqual([alarms.list.length, alarms.list[0].count, alarms.list[0].tick], [1, 2, 2]);
  alarms.acknowledge();
  alarms.raise('QUALITY_LOW', at(3));
  assert.deepEqual([alarms.list[0].acknowledged, alarms.list[0].count], [false, 1]);
  const told = changes();
  assert.equal(alarms.acknowledge(999).length, 0);
  alarms.clear('LINK_DOWN');
  assert.equal(changes(), told);
});

test('an alarm stays exactly while it is active or unseen, over any sequence', () => {
  const codes = ['LINK_DOWN', 'OPERATOR_STOP', 'HOLD_TIMEOUT'] as const;
  const step = fc.tuple(fc.constantFrom('raise', 'clear', 'see'), fc.constantFrom(...codes));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { alarms } = makeList();
      const active = new Set<string>();
      const unseen = new Set<string>();
      steps.forEach(([what, code], index) => {
        const alarm = alarms.list.find((one) => one.code === code);
        if (what === 'raise') {
          alarms.raise(code, at(index));
          active.add(code);
          unseen.add(code);
        } else if (what === 'clear') {
          alarms.clear(code);
          active.delete(code);
        } else if (alarm !== undefined) {
          alarms.acknowledge(alarm.id);
          unseen.delete(code);
        }
        const expected = codes.filter((one) => active.has(one) || unseen.has(one)).sort();
        assert.deepEqual(alarms.list.map((one) => one.code).sort(), expected);
        for (const one of alarms.list) {
          assert.deepEqual(
            [one.active, !one.acknowledged],
            [active.has(one.code), unseen.has(one.code)],
          );
        }
      });
    }),
    { numRuns: 2000, seed: 18 },
  );
});

/** A list that is fed, and rows to feed it with. */
function makeFeed(): {
  alarms: AlarmList;
  feed: AlarmFeed;
  row: (tick: number, faults: FaultName[], holds: FaultName[]) => Float64Array;
  states: () => string[];
} {
  const { alarms } = makeList();
  const bits = (names: FaultName[]): number =>
    names.reduce((sum, name) => sum + 2 ** FaultCode[name], 0);
  return {
    alarms,
    feed: new AlarmFeed(alarms),
    row: (tick, faults, holds) => {
      const row = makeRow();
      row[Column.tick] = tick;
      row[Column.time_s] = tick / 1000;
      row[Column.fault_bits] = bits(faults);
      row[Column.hold_bits] = bits(holds);
      row[Column.safety_state] = holds.length > 0 ? SafetyState.HOLD : SafetyState.FAULT;
      return row;
    },
    states: () => alarms.list.map(({ code, active }) => `${code} ${active ? 'active' : 'normal'}`),
  };
}
const fault = (code: FaultName, tick: number): Parameters<AlarmFeed['event']>[0] => ({
  kind: EventKind.FAULT,
  ...at(tick),
  a: FAULT_CODES.indexOf(code),
  b: 0,
  c: 0,
});

test('faults and holds are active until a later row is without them', () => {
  const { feed, row, states, alarms } = makeFeed();
  feed.event(fault('DEADMAN_RELEASED', 10));
  feed.row(row(10, [], []), true, undefined, 0); // the row of before
  assert.deepEqual(states(), ['DEADMAN_RELEASED active']);
  feed.row(row(11, [], ['DEADMAN_RELEASED', 'INPUT_STALE']), true, undefined, 0.1);
  assert.deepEqual(states(), ['DEADMAN_RELEASED active', 'INPUT_STALE active']);
  // the event of an alarm that a row has already raised does not count twice
  feed.event(fault('INPUT_STALE', 11));
  assert.deepEqual(
    alarms.list.map(({ count }) => count),
    [1, 1],
  );
  feed.row(row(12, ['FORCE_LIMIT'], []), true, undefined, 0.2);
  assert.deepEqual(states(), [
    'DEADMAN_RELEASED normal',
    'INPUT_STALE normal',
    'FORCE_LIMIT active',
  ]);
  // a hold word left over from a past HOLD has no effect
  const left = row(13, [], ['QUALITY_LOW']);
  left[Column.safety_state] = SafetyState.MONITOR_WAIT;
  feed.row(left, true, undefined, 0.3);
  assert.ok(states().every((state) => !state.startsWith('QUALITY_LOW')));
});

test('70: a robot clock that jumps raises an alarm, which is over after a calm minute', () => {
  const { feed, row, states, alarms } = makeFeed();
  feed.event({ kind: EventKind.CLOCK_STEP, ...at(1000), a: 1, b: 0, c: 3 });
  feed.row(row(60_900, [], []), true, 'recording', 1);
  assert.deepEqual(states(), ['ROBOT_CLOCK_STEPPED active']);
  assert.equal(alarms.list[0].severity, 'warning');
  feed.row(row(61_100, [], []), true, 'recording', 2);
  assert.deepEqual(states(), ['ROBOT_CLOCK_STEPPED normal']);
});

test('link, overruns, recorder and a loop that stands raise alarms of the server', () => {
  const { feed, row, states, alarms } = makeFeed();
  const event = (kind: number, tick: number, a = 0): void =>
    feed.event({ kind, ...at(tick), a, b: 0, c: 0 });
  event(EventKind.LINK, 1, 0);
  assert.deepEqual(states(), ['LINK_DOWN active']);
  event(EventKind.LINK, 2, 1);
  assert.deepEqual(states(), ['LINK_DOWN normal']);
  alarms.acknowledge();

  // nine in 10 s are not a burst, nor are ten over a longer time
  for (let i = 0; i < 9; i++) event(EventKind.OVERRUN, 1000 * i, 1);
  event(EventKind.OVERRUN, 10_001, 1);
  assert.deepEqual(states(), []);
  event(EventKind.OVERRUN, 10_500, 1);
  event(EventKind.OVERRUN, 10_600, 1);
  assert.deepEqual([states(), alarms.list[0].count], [['OVERRUN_BURST active'], 1]);
  feed.row(row(20_599, [], []), true, 'recording', 1);
  assert.deepEqual(states(), ['OVERRUN_BURST active']);
  feed.row(row(20_601, [], []), true, 'recording', 1);
  assert.deepEqual(states(), ['OVERRUN_BURST normal']);
  alarms.acknowledge();

  feed.row(row(20_602, [], []), true, 'failed', 2);
  feed.row(row(20_603, [], []), true, 'failed', 2.1);
  assert.deepEqual([states(), alarms.list[0].count], [['RECORDER_FAILED active'], 1]);
  feed.row(row(20_604, [], []), true, 'recording', 2.2);
  alarms.acknowledge();
  assert.deepEqual(states(), []);

  feed.row(row(20_604, [], []), true, 'recording', 4.1);
  assert.deepEqual(states(), []);
  feed.row(row(20_604, [], []), true, 'recording', 4.3);
  assert.deepEqual(states(), ['LOOP_ENDED active']);
  assert.equal(alarms.list[0].severity, 'critical');
  // a requested end of the loop raises no alarm
  feed.row(row(20_604, [], []), false, 'recording', 9);
  assert.deepEqual(states(), ['LOOP_ENDED normal']);
  alarms.acknowledge();

  feed.event(fault('FORCE_LIMIT', 20_605));
  event(EventKind.REALTIME, 0); // another loop begins
  assert.deepEqual(states(), ['FORCE_LIMIT normal']);
});
