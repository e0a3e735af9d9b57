/** A line that comes and goes at random: once it is good again, both ends are synchronised within a second and a half. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRandom, Pair } from '../../fixtures/session-pair.ts';
import { LIMIT_MS, mend, set } from './lost-lines.ts';

test('lines that come and go at random, each direction for itself', () => {
  let longest = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = makeRandom(seed);
    const pair = new Pair();
    pair.run(200);
    for (let n = 0; n < 8; n++) {
      set(pair, random() < 0.5, random() < 0.5);
      pair.run(Math.ceil(1200 * random()));
    }
    const took = mend(pair);
    assert.ok(took <= LIMIT_MS, `seed ${seed}: not synchronised within ${LIMIT_MS} ms`);
    longest = Math.max(longest, took);
  }
  assert.ok(longest > 0);
});
