/** 10⁴ random motions of bodies that are not convex: no crossing is unseen, and none is told that is not there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { draws } from '../../fixtures/draws.ts';
import { randomMotion, TOUCH_TOLERANCE } from '../../fixtures/swept-motions.ts';

const ALL = 10_000;
const MOTIONS = draws(ALL, 1000);
const SAMPLES = 100;

test(`${MOTIONS} random motions: the first touch is never later than that of 100 samples, and always at the standoff`, () => {
  const random = new Random(907);
  let touched = 0;
  let passed = 0;
  let queries = 0;
  let most = 0;
  for (let n = 0; n < MOTIONS; n++) {
    const out = randomMotion(random, SAMPLES, n % 4 > 0);
    assert.ok(out.touches || out.least > -TOUCH_TOLERANCE, `motion ${n}: unseen, ${out.least} m`);
    assert.ok(out.before > -TOUCH_TOLERANCE, `motion ${n}: too late, ${out.before} m`);
    if (out.touches) assert.ok(out.there <= TOUCH_TOLERANCE, `motion ${n}: ${out.there} m`);
    if (out.touches) touched++;
    if (out.touches && out.least > 0) passed++;
    queries += out.queries;
    most = Math.max(most, out.queries);
  }
  console.log(
    `${touched} touch, ${passed} of them between samples; ${queries / MOTIONS} queries a motion, at most ${most}`,
  );
  assert.ok(touched > MOTIONS / 5 && touched < MOTIONS);
  // these are too rare for a part of the draw
  if (MOTIONS === ALL) assert.ok(passed > 0, 'no motion passed between two samples');
});
