/** Intervals of flown friction hold the truth as often as they say: 500 seeded benches each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyBreakaway } from '../../../src/identify/breakaway.ts';
import { identifyPreSliding } from '../../../src/identify/pre-sliding.ts';
import { findBreakaways } from '../../../src/identify/rests.ts';
import { strokes, STROKE_TRUTH } from '../../fixtures/stroke-bench.ts';
import { flownRests, REST_TRUTH } from '../../fixtures/rest-bench.ts';

const SEEDS = 500;

test(`rests out of samples: 95 % intervals hold the truth in 93 to 97 % of ${SEEDS} benches`, (t) => {
  const truth = [REST_TRUTH.coulomb, REST_TRUTH.rise, REST_TRUTH.dwell];
  const hits = [0, 0, 0];
  for (let seed = 0; seed < SEEDS; seed++) {
    const found = findBreakaways(flownRests(9000 + seed, 2));
    const { estimates } = identifyBreakaway(found, 0.95).identification;
    for (const [j, value] of truth.entries())
      if (estimates[j].low <= value && value <= estimates[j].high) hits[j]++;
  }
  t.diagnostic(hits.map((hit) => hit / SEEDS).join(' '));
  for (const hit of hits) assert.ok(hit >= 0.93 * SEEDS && hit <= 0.97 * SEEDS, hits.join(' '));
});

test(`strokes with speeds: 95 % intervals hold the truth in 93 to 97 % of ${SEEDS} benches`, (t) => {
  const hits = [0, 0];
  for (let seed = 0; seed < SEEDS; seed++) {
    const { estimates } = identifyPreSliding(strokes(11_000 + seed), 0.95).identification;
    for (const [j, value] of [
      [0, STROKE_TRUTH.stiffness],
      [2, STROKE_TRUTH.damping],
    ].entries()) {
      const { low, high } = estimates[value[0]];
      if (low <= value[1] && value[1] <= high) hits[j]++;
    }
  }
  t.diagnostic(hits.map((hit) => hit / SEEDS).join(' '));
  for (const hit of hits) assert.ok(hit >= 0.93 * SEEDS && hit <= 0.97 * SEEDS, hits.join(' '));
});
