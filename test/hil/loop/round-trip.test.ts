/** The histogram of SYNC round trips has one sample for each exchange, of the time that the line really took. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LATENCY_BUCKETS } from '../../../hil/contract/counters.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const buckets = LATENCY_BUCKETS.length + 1; // with +Inf
const samples = (rig: VirtualRig): number =>
  Array.from({ length: buckets }, (_, i) => rig.counter(LoopSlot.robot_rtt_seconds + i)).reduce(
    (a, b) => a + b,
  );

test('each SYNC exchange is observed once', () => {
  const rig = new VirtualRig();
  assert.ok(rig.runUntil('MONITOR_READY', 6000) > 0);
  rig.run(3000);
  const answered = rig.session!.syncAnswered;
  // 16 in the first burst, then bursts of 4: 8 within 2 s, later ones each second
  assert.ok(answered >= 16 + 4 * 10, `${answered} answered`);
  assert.equal(samples(rig), answered);
  const mean_s = rig.counter(LoopSlot.robot_rtt_seconds + buckets) / answered;
  // The robot answers in its cycle, and the answer waits in the ring with its time of arrival: no more than one period.
  assert.ok(mean_s >= 0 && mean_s <= rig.settings.loop.period_s, `${mean_s} s`);
});

test('a line that takes 2 ms each way shows up as 4 ms', () => {
  const rig = new VirtualRig();
  rig.run(1000);
  const before = { count: samples(rig), sum: rig.counter(LoopSlot.robot_rtt_seconds + buckets) };
  rig.ends[0].faults.latency_us = 2000;
  rig.ends[1].faults.latency_us = 2000;
  rig.run(3000);
  const count = samples(rig) - before.count;
  const mean_s = (rig.counter(LoopSlot.robot_rtt_seconds + buckets) - before.sum) / count;
  assert.ok(count >= 8, `${count} exchanges`);
  assert.ok(mean_s > 3.9e-3 && mean_s < 5.1e-3, `${mean_s} s`);
});

test('exchanges of a second session of the same loop are added to those of the first', () => {
  const rig = new VirtualRig();
  assert.ok(rig.runUntil('MONITOR_READY', 6000) > 0);
  const first = samples(rig);
  rig.robotOn = false;
  assert.ok(rig.runUntil('OFFLINE', 2000) >= 0);
  rig.robotOn = true;
  rig.run(5000);
  assert.ok(samples(rig) >= first + 16);
  assert.equal(samples(rig), rig.session!.syncAnswered);
});
