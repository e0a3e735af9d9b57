/** The interval of a sum against the closed form of a regression line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identify } from '../../../src/identify/estimate.ts';
import { sumOf } from '../../../src/identify/sum.ts';
import { Random } from '../../../src/math/random.ts';

const parameter = (name: string, logarithmic = false) => ({
  ...{ name, unit: '1', start: 1, low: logarithmic ? 0.01 : -100, high: 100, logarithmic },
});

/** Data y = a + b x about x = 1, of which a and b are known much worse than a + b. */
function line(logarithmic = false) {
  const random = new Random(7);
  const x = Float64Array.from({ length: 50 }, (_, i) => 1 + 0.01 * (i - 25));
  const y = x.map((one) => 2 + 0.5 * one + 0.1 * random.gaussian());
  const identification = identify({
    parameters: [parameter('a', logarithmic), parameter('b')],
    rows: x.length,
    residuals: (values, out) => {
      for (let i = 0; i < x.length; i++) out[i] = y[i] - values[0] - values[1] * x[i];
    },
    robust: false,
    confidence: 0.95,
  });
  return { x, identification };
}

test('a sum has the variance of the line at 1, and not that of two independent parameters', () => {
  const { x, identification } = line();
  const { value, low, high } = sumOf(identification, 0, 1)!;
  const mean = x.reduce((sum, one) => sum + one, 0) / x.length;
  const spread = x.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  const { variance, quantile } = identification.basis;
  const error = Math.sqrt(variance * (1 / x.length + (1 - mean) ** 2 / spread));
  assert.ok(Math.abs((high - low) / (2 * quantile * error) - 1) < 1e-6);
  assert.ok(low < 2.5 && 2.5 < high && Math.abs(value - (low + high) / 2) < 1e-12);
  const [a, b] = identification.estimates;
  assert.ok(high - low < 0.2 * Math.hypot(a.high - a.low, b.high - b.low));
});

test('a parameter that is searched by its logarithm gives the same sum', () => {
  const [plain, other] = [false, true].map((one) => sumOf(line(one).identification, 0, 1)!);
  for (const end of ['value', 'low', 'high'] as const)
    assert.ok(Math.abs(other[end] - plain[end]) < 1e-6, `${end}: ${other[end]} ${plain[end]}`);
});

test('no sum of what is not identified', () => {
  const { identification } = line();
  const [a, b] = identification.estimates;
  const estimates = [a, { ...b, status: 'combined' as const }];
  assert.equal(sumOf({ ...identification, estimates }, 0, 1), null);
});
