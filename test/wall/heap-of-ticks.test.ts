/** The loop allocates nothing per tick and collects no garbage on the machine's clock; stalls of the machine may lengthen it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTicks } from '../allocation/real-ticks.ts';

test('60,000 ticks of virtual mode on the real clock allocate 0 bytes each and collect no garbage', () => {
  checkTicks('half-sphere-on-plate', 60_000);
});

test('nor do 30,000 ticks of a box of cells pressed on its work-site', () => {
  const { pairs } = checkTicks('battery-box-insertion', 30_000);
  assert.ok(pairs >= 12, `${pairs} pairs of cells touched`);
});
