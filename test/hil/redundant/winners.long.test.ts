/** Winners at random at the battery box in its work-site. */
import { test } from 'node:test';
import { compareWinners } from './random-winners.ts';

test('winners at random: battery-box-insertion, recorded, gives every bit of the single loop', () => {
  compareWinners('battery-box-insertion', [50e-6, 0, -4.9e-3]);
});
