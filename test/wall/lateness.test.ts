/** The doctor's measurement on the real clock: every period of the grid is accounted, whatever the machine does meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { measureLateness } from '../../hil/doctor/lateness.ts';

test('executed and dropped periods add up to the time measured', async () => {
  const report = await measureLateness({
    seconds: 1,
    period_s: 0.001,
    spin_s: 0.0002,
    priority: 0,
  });
  const periods = report.executed + report.slipped;
  // the last tick may itself have dropped some periods: never fewer, and only by one gap more
  assert.ok(periods >= 1000, `${periods}`);
  assert.ok(periods <= 1000 + report.max_s / 0.001, `${periods} with a gap of ${report.max_s} s`);
  assert.ok(report.p50_s >= 0 && report.p50_s <= report.p99_s);
  assert.ok(report.p99_s <= report.p999_s && report.p999_s <= report.max_s);
  assert.equal(report.realtime, false);
  assert.equal(report.reason, 'not asked for');
});
