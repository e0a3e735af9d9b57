/** Profile intervals beside closed forms and a scan, parts that are held out beside a law that changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identify, type Problem } from '../../../src/identify/estimate.ts';
import { heldOut, profileInterval } from '../../../src/identify/scrutiny.ts';
import { Random } from '../../../src/math/random.ts';

const x = Array.from({ length: 40 }, (_, i) => i / 10);

function problem(
  y: readonly number[],
  curve: (x: number, p: ArrayLike<number>) => number,
  logarithmic: boolean,
  robust = false,
): Problem {
  return {
    parameters: ['a', 'b'].map((name) => ({
      ...{ name, unit: '1', start: 1, low: logarithmic ? 0.01 : -10, high: 10, logarithmic },
    })),
    rows: y.length,
    residuals: (p, out) => {
      for (let i = 0; i < y.length; i++) out[i] = y[i] - curve(x[i], p);
    },
    robust,
    confidence: 0.95,
  };
}

const line = (at: number, p: ArrayLike<number>): number => p[0] + p[1] * at;
const decay = (at: number, p: ArrayLike<number>): number => p[0] * Math.exp(-at / p[1]);

test('the profile of a straight line is its linear interval', () => {
  const random = new Random(3);
  const found = identify(
    problem(
      x.map((at) => 2 - 0.7 * at + 0.1 * random.gaussian()),
      line,
      false,
    ),
  );
  for (const [j, { low, high }] of found.estimates.entries()) {
    const profile = profileInterval(found, j);
    // the search for an end stops at a thousandth of half the interval
    assert.ok(Math.abs(profile.low - low) < 1e-3 * (high - low), `${profile.low} ${low}`);
    assert.ok(Math.abs(profile.high - high) < 1e-3 * (high - low), `${profile.high} ${high}`);
  }
});

test('the profile of a decay ends where a scan of its loss has risen by t² v/2, and is not symmetric', (t) => {
  const random = new Random(4);
  const y = x.map((at) => 2 * Math.exp(-at / 3) + 0.4 * random.gaussian());
  const found = identify(problem(y, decay, true));
  const { low, high } = profileInterval(found, 1);
  const [{ value: a }, { value: b }] = found.estimates;
  // the best size at a given time is linear least squares
  const loss = (time: number): number => {
    const e = x.map((at) => Math.exp(-at / time));
    const size = e.reduce((s, v, i) => s + v * y[i], 0) / e.reduce((s, v) => s + v * v, 0);
    return y.reduce((s, v, i) => s + (v - size * e[i]) ** 2, 0);
  };
  const variance = loss(b) / (x.length - 2);
  const wanted = 2.0243941639 ** 2 * variance; // Student's 97.5 % quantile with 38 freedoms
  t.diagnostic(`${a} ${b}: ${low} to ${high}`);
  for (const end of [low, high]) assert.ok(Math.abs((loss(end) - loss(b)) / wanted - 1) < 0.01);
  assert.ok(Math.log(high / b) > 1.05 * Math.log(b / low));
});

test('a time beyond the data has an interval that is open to above', () => {
  const random = new Random(6);
  const y = x.map(() => 1 + 0.3 * random.gaussian());
  const found = identify(problem(y, decay, true));
  const { low, high } = profileInterval(found, 1);
  assert.equal(high, Infinity);
  assert.ok(low > 1 && low < 10);
});

test('coverage of profile intervals of a decay: 93 to 97 % of 500 benches', (t) => {
  let hits = 0;
  for (let seed = 0; seed < 500; seed++) {
    const random = new Random(100 + seed);
    const y = x.map((at) => 2 * Math.exp(-at / 3) + 0.4 * random.gaussian());
    const { low, high } = profileInterval(identify(problem(y, decay, true)), 1);
    if (low <= 3 && 3 <= high) hits++;
  }
  t.diagnostic(`${hits / 500}`);
  assert.ok(hits >= 465 && hits <= 485, `${hits}`);
});

test('parts held out: the noise where one law holds, far more where a part has another', (t) => {
  const random = new Random(5);
  const same = x.map((at) => 2 - 0.7 * at + 0.1 * random.gaussian());
  const parts = { part: (row: number) => row % 4 };
  for (const { rows, error } of heldOut(identify({ ...problem(same, line, false), ...parts }))) {
    assert.equal(rows, 10);
    // of 10 residuals: ± 22 %, three of these
    assert.ok(error > 0.34 && error < 1.67, `${error}`);
  }
  const other = same.map((one, i) => (i % 4 === 2 ? one + 1 : one));
  const whole = identify({ ...problem(other, line, false, true), ...parts });
  const found = heldOut(whole);
  t.diagnostic(found.map(({ error }) => error.toPrecision(3)).join(' '));
  const worst = found.findIndex(({ error }) => error === Math.max(...found.map((f) => f.error)));
  assert.equal(worst, 2);
  // the others are a line and 0.1: what they predict is off by 1, and their own noise
  const wanted = Math.sqrt(1 + 0.1 ** 2);
  assert.ok(Math.abs(found[2].error * whole.noise - wanted) < 0.1);
});

test('outliers of the smaller part do not carry the prediction of the larger one away', (t) => {
  const random = new Random(7);
  const outliers = [4, 19, 34];
  const y = x.map(
    (at, i) => 2 - 0.7 * at + 0.1 * random.gaussian() + (outliers.includes(i) ? 10 : 0),
  );
  const whole = identify({
    ...problem(y, line, false, true),
    part: (row) => (row % 5 < 3 ? 0 : 1),
  });
  const [held] = heldOut(whole);
  assert.equal(held.rows, 24);
  const error = held.error * whole.noise;
  t.diagnostic(`${error}`);
  // squares of 13 rows at 0 and three at 10 have their middle at 1.9. With Huber's loss three pull as 3 × 1.345 × 0.1 over 13, 0.03, twice that at an end;
  // three standard errors of the middle are 0.083, of the rms of 24 residuals 43 %: √(0.143² + 0.145²)
  assert.ok(error < 0.21, `${error}`);
});
