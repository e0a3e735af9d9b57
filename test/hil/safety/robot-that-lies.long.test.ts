/** Honest robots of every bandwidth, delay and period fly without a false alarm, end to end on the virtual clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flyHonest, PERIODS_s } from './honest-robot.ts';

test('56, 57: honest robots fly without a false alarm: 25 to 200 Hz, delays to 10 ms, noise, every period', (t) => {
  let worst = 0;
  let flights = 0;
  for (const period_s of [0.0005, ...PERIODS_s]) {
    for (const bandwidth_Hz of [25, 50, 200]) {
      for (const delay_s of [0, 0.01]) {
        worst = Math.max(worst, flyHonest(period_s, 1, flights, { bandwidth_Hz, delay_s }));
        flights++;
      }
    }
  }
  assert.ok(worst < 0.5, `${worst} of the bound`);
  t.diagnostic(
    `acceptance 56: ${flights} honest flights, largest following error ${(100 * worst).toFixed(0)} % of its bound`,
  );
});
