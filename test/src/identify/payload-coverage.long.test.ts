/** Intervals of a payload hold the truth as often as they say, over all 16 parameters of 500 seeded benches, and 22 of ones that were tared. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyPayload } from '../../../src/identify/payload.ts';
import {
  GRAVITY,
  measured,
  shaken,
  TARE,
  TRUTH,
} from '../../../server/validation/payload-bench.ts';

const SEEDS = 500;

for (const [words, tared] of [
  ['', false],
  [' of a sensor that was tared in the base frame', true],
] as const) {
  test(`95 % intervals of mass, centre, inertia and bias${words} hold the truth in 93 to 97 % of ${SEEDS} benches`, (t) => {
    const motion = shaken(2000, 1, 1);
    const choice = { gravity: GRAVITY, mass: null, center: null, tared, confidence: 0.95 };
    const hits = new Map<string, number>();
    for (let seed = 0; seed < SEEDS; seed++) {
      const tare = tared ? TARE : undefined;
      const data = measured(motion, 9000 + seed, [1, 1, 1, 1, 1, 1], 1, tare);
      const { estimates } = identifyPayload(data, choice).identification;
      for (const { parameter, low, high } of estimates) {
        const truth = TRUTH.get(parameter.name)!;
        const held = low <= truth && truth <= high ? 1 : 0;
        hits.set(parameter.name, (hits.get(parameter.name) ?? 0) + held);
      }
    }
    t.diagnostic([...hits].map(([name, hit]) => `${name} ${hit / SEEDS}`).join(', '));
    const all = [...hits.values()];
    const mean = all.reduce((sum, one) => sum + one, 0) / all.length / SEEDS;
    assert.ok(mean >= 0.93 && mean <= 0.97, `${mean}`);
    // binomial standard deviation of 500 at 95 %: 1 %; of 16 shares one in four is beyond two of them, one in thirty beyond three
    for (const [name, hit] of hits)
      assert.ok(hit >= 0.92 * SEEDS && hit <= 0.98 * SEEDS, `${name} ${hit}`);
  });
}
