/** Rests and breakaways found in samples: those of the bristle law of this project, of closed forms, and of data that hold none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyBreakaway } from '../../../src/identify/breakaway.ts';
import { findBreakaways, type SlideData } from '../../../src/identify/rests.ts';
import { longestUnderLoad } from '../../../src/identify/under-load.ts';
import { Random } from '../../../src/math/random.ts';
import { flownRests, REST_TRUTH } from '../../fixtures/rest-bench.ts';

test('rests to both sides: every breakaway, friction within 0.005 and the dwell time within 5 %', (t) => {
  const found = findBreakaways(flownRests(1, 2));
  assert.deepEqual([found.rests, found.broken], [12, 12]);
  assert.ok(found.pull > 4.5e-5 && found.pull < 7e-5);
  const { estimates } = identifyBreakaway(found, 0.95).identification;
  t.diagnostic(estimates.map(({ value, low, high }) => `${value} [${low}, ${high}]`).join('; '));
  const { coulomb, rise, dwell } = REST_TRUTH;
  assert.ok(Math.abs(estimates[0].value - coulomb) < 0.005);
  assert.ok(Math.abs(estimates[0].value + estimates[1].value - coulomb - rise) < 0.005);
  assert.ok(Math.abs(estimates[2].value / dwell - 1) < 0.05);
});

test('without noise each window is the limit at its dwell, but for what it bends', () => {
  const { coulomb, rise, dwell } = REST_TRUTH;
  const found = findBreakaways(flownRests(1, 1, 0));
  for (const [i, rest] of found.dwell.entries()) {
    const limit = coulomb + rise * (1 - Math.exp(-rest / dwell));
    // a slide ends within a mean of 10 ms: its place in it moves a steep limit by 0.1 · 5 ms
    assert.ok(Math.abs(found.friction[i] / found.force[i] - limit) < 6e-4);
  }
});

test('friction that falls after the breakaway is told, and no window is taken of what it falls to', () => {
  const found = findBreakaways(flownRests(2, 1, 1, { falls: 0.3 }));
  assert.ok(found.falling >= 5 && found.falling <= found.broken);
  const { coulomb, rise, dwell } = REST_TRUTH;
  for (const [i, rest] of found.dwell.entries()) {
    const limit = coulomb + rise * (1 - Math.exp(-rest / dwell));
    assert.ok(Math.abs(found.friction[i] / found.force[i] - limit) < 0.1 * limit);
  }
  assert.equal(findBreakaways(flownRests(2, 2)).falling, 0);
});

const changed = (change: Partial<Record<keyof SlideData, (one: number) => number>>): SlideData => {
  const data = flownRests(3, 1);
  const of = (name: keyof SlideData): Float64Array =>
    data[name].map(change[name] ?? ((one) => one));
  return { time: data.time, slip: of('slip'), force: of('force'), friction: of('friction') };
};

test('data that never slide, never rest or never break away are refused by name', () => {
  assert.throws(
    () => findBreakaways(changed({ slip: (v) => (Math.abs(v) > 1e-3 ? 0 : v) })),
    /^BerthError: slip: the contact never slid under load: its largest speed is/,
  );
  assert.throws(
    () => findBreakaways(changed({ slip: (v) => v + 0.02 })),
    /^BerthError: slip: no slide ends in a rest under load/,
  );
  const data = flownRests(4, 1);
  const still = { ...data, slip: data.slip.map((v) => (Math.abs(v) < 2e-4 ? 0 : v)) };
  assert.throws(
    () => findBreakaways(still),
    /^BerthError: friction: no pull breaks away after any of 6 rests/,
  );
});

test('a pull that is all below breakaway is none', () => {
  const short = flownRests(5, 1, 1, { pull: 0.15, rests: [4, 5] });
  assert.throws(() => findBreakaways(short), /friction: no pull breaks away after any of 2 rests/);
});

test('the longest stretch under load', () => {
  const random = new Random(1);
  const force = Float64Array.from({ length: 1000 }, (_, i) =>
    (i >= 100 && i < 300) || (i >= 400 && i < 900) ? 200 + random.gaussian() : random.gaussian(),
  );
  assert.deepEqual(longestUnderLoad(force), [400, 900]);
  assert.deepEqual(longestUnderLoad(new Float64Array(10)), [0, 0]);
});
