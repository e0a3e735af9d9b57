/** Fault tests 2 and 3: late wakes on a synthetic schedule, every one counted with its cause, limits tripping on the exact tick. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FaultCode, MISS_CAUSES } from '../../../hil/contract/codes.ts';
import { OverrunMonitor } from '../../../hil/safety/overrun.ts';
import { Bench } from '../../fixtures/safety-harness.ts';

const PERIOD_s = 0.001;
const LATE_WAKE = MISS_CAUSES.indexOf('late_wake');

/** One tick with a late wake-up, as the loop reports it: missed when it is late by a whole period. */
const wake = (monitor: OverrunMonitor, lateness_s: number): number => {
  const missed = lateness_s >= PERIOD_s;
  monitor.overrun_s[0] = lateness_s;
  return monitor.update(missed, missed ? LATE_WAKE : -1);
};

test('fault test 2: every late wake of 0.2 to 50 ms is counted with its cause', () => {
  const latenesses = fc.array(fc.double({ min: 0.0002, max: 0.05, noNaN: true }), {
    maxLength: 300,
  });
  fc.assert(
    fc.property(latenesses, (schedule) => {
      const monitor = new OverrunMonitor();
      for (const lateness of schedule) wake(monitor, lateness);
      const late = schedule.filter((lateness) => lateness >= PERIOD_s).length;
      assert.equal(monitor.misses, late);
      assert.equal(monitor.missesByCause[LATE_WAKE], late);
      assert.equal(
        monitor.missesByCause.reduce((sum, count) => sum + count, 0),
        late,
      );
    }),
  );
});

test('fault test 3: 20 in a row trip on the 20th, and again on the 40th', () => {
  const monitor = new OverrunMonitor();
  const trips: number[] = [];
  for (let tick = 1; tick <= 45; tick++) {
    if (wake(monitor, 0.002) >= 0) trips.push(tick);
  }
  assert.deepEqual(trips, [20, 40]);
});

test('19 in a row and one good tick, for ever, is the bucket, which leaks one for each good tick', () => {
  // Each round adds 19 and takes 1: 18, 36, then 14 misses of the third round reach 50, tick 20 + 20 + 14.
  const monitor = new OverrunMonitor();
  for (let tick = 1; ; tick++) {
    const trip = wake(monitor, tick % 20 === 0 ? 0 : 0.002);
    if (trip < 0) continue;
    assert.equal(trip, FaultCode.OVERRUN_BUCKET);
    assert.equal(tick, 54);
    break;
  }
});

test('every other tick late never trips: the bucket leaks as fast as it fills', () => {
  const monitor = new OverrunMonitor();
  for (let tick = 0; tick < 10_000; tick++) {
    assert.equal(wake(monitor, tick % 2 === 0 ? 0.002 : 0), -1);
  }
  assert.equal(monitor.misses, 5000);
});

test('a single overrun trips at 25 ms and not below', () => {
  const monitor = new OverrunMonitor();
  assert.equal(wake(monitor, 0.0249), -1);
  assert.equal(wake(monitor, 0.025), FaultCode.OVERRUN_SINGLE);
  assert.equal(wake(monitor, 0.1), FaultCode.OVERRUN_SINGLE);
  assert.equal(monitor.trips, 2);
});

test('limits follow a plain model of the three rules on random schedules', () => {
  const schedule = fc.array(fc.constantFrom(0, 0, 0.002, 0.002, 0.002, 0.03), { maxLength: 400 });
  fc.assert(
    fc.property(schedule, (ticks) => {
      const monitor = new OverrunMonitor({ consecutive: 6, bucket: 9, single_s: 0.025 });
      let run = 0;
      let level = 0;
      for (const lateness of ticks) {
        let expected = -1;
        if (lateness === 0) {
          run = 0;
          level = Math.max(0, level - 1);
        } else {
          if (++level === 9) expected = FaultCode.OVERRUN_BUCKET;
          if (expected >= 0) level = 0;
          if (++run === 6) {
            expected = FaultCode.OVERRUN_CONSECUTIVE;
            run = 0;
          }
          if (lateness >= 0.025) expected = FaultCode.OVERRUN_SINGLE;
        }
        assert.equal(wake(monitor, lateness), expected);
      }
    }),
  );
});

test('reset forgets the run and the bucket, not the totals', () => {
  const monitor = new OverrunMonitor();
  for (let tick = 0; tick < 19; tick++) wake(monitor, 0.002);
  monitor.reset();
  assert.equal(wake(monitor, 0.002), -1);
  assert.equal(monitor.misses, 20);
});

test('fault test 3 through the machine: each limit leads to HOLD on its exact tick, under its own name', () => {
  const cases: readonly [number, number, number][] = [
    [20, 0.002, FaultCode.OVERRUN_CONSECUTIVE],
    [1, 0.025, FaultCode.OVERRUN_SINGLE],
  ];
  for (const [tick, lateness, fault] of cases) {
    const bench = new Bench().active();
    const monitor = new OverrunMonitor();
    for (let i = 1; i <= tick; i++) {
      assert.equal(bench.state, 'ACTIVE_FREE');
      bench.inputs.overrunTrip = wake(monitor, lateness);
      bench.ticks(1);
    }
    assert.equal(bench.state, 'HOLD');
    assert.equal(bench.outputs.cause, fault);
  }
});
