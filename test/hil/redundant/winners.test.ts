/** Winners at random at the half-sphere on its plate. The battery box: winners.long.test.ts. */
import { test } from 'node:test';
import { compareWinners } from './random-winners.ts';

test('winners at random: half-sphere-on-plate, recorded, gives every bit of the single loop', () => {
  compareWinners('half-sphere-on-plate', [0, 0, 20e-6]);
});
