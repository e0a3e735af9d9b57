/** Quantiles read from buckets against the exact ones of the same ticks, and where the bars of the chart stand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LATENCY_BUCKETS, observe } from '../../../hil/contract/counters.ts';
import type { LatenessHistogram } from '../../../server/client/messages.ts';
import { CHART, layOut } from '../../../server/console/timing/histogram-layout.ts';
import {
  bucketQuantile,
  offChartCount,
  totalCount,
} from '../../../server/console/timing/quantiles.ts';

const LAST = LATENCY_BUCKETS.at(-1)!;

/** The histogram that the loop would have counted. */
function histogramOf(lateness_s: readonly number[]): LatenessHistogram {
  const slots = new Float64Array(LATENCY_BUCKETS.length + 2);
  for (const value of lateness_s) observe(slots, 0, LATENCY_BUCKETS, value);
  const counts = Array.from(slots.subarray(0, LATENCY_BUCKETS.length + 1));
  return { edges_s: LATENCY_BUCKETS, counts, maximum_s: Math.max(0, ...lateness_s) };
}

/** Exact quantile by rank. */
const exact = (values: readonly number[], permille: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil((permille * values.length) / 1000)) - 1];

/** From a microsecond to a second, evenly in decades. */
const lateness = fc.double({ min: -6, max: 0, noNaN: true }).map((power) => 10 ** power);

test('the exact quantile lies between the edges, and so does the estimate', () => {
  fc.assert(
    fc.property(
      fc.array(lateness, { minLength: 1, maxLength: 400 }),
      fc.constantFrom(0, 1, 70, 500, 990, 999, 1000),
      (values, permille) => {
        const found = bucketQuantile(histogramOf(values), permille / 1000)!;
        const true_s = exact(values, permille);
        assert.ok(found.low_s < true_s && true_s <= found.high_s, `${true_s} ${found.low_s}`);
        assert.ok(found.low_s <= found.estimate_s && found.estimate_s <= found.high_s);
        assert.equal(found.high_s === Infinity, true_s > LAST);
      },
    ),
    { numRuns: 300 },
  );
});

test('ticks spread evenly in a bucket have their quantile within one tick of the estimate', () => {
  // 1000 ticks between the edges 200 µs and 350 µs: neighbours are 0.15 µs apart
  const values = Array.from({ length: 1000 }, (_, i) => 200e-6 + (i + 1) * 0.15e-6);
  const found = bucketQuantile(histogramOf(values), 0.99)!;
  assert.ok(Math.abs(found.estimate_s - exact(values, 990)) < 0.15e-6);
});

test('without ticks there is no quantile; off the chart there is no upper end', () => {
  assert.equal(bucketQuantile(histogramOf([]), 0.5), null);
  const histogram = histogramOf([2 * LAST]);
  assert.deepEqual(bucketQuantile(histogram, 0.5), {
    low_s: LAST,
    high_s: Infinity,
    estimate_s: LAST,
  });
  assert.equal(offChartCount(histogram), 1);
  assert.equal(totalCount(histogram), 1);
});

test('bars stand side by side between the margins, taller for more, and a single tick shows', () => {
  const values = [5e-6, 15e-6, ...Array<number>(1000).fill(150e-6), ...Array<number>(10).fill(1)];
  const { bars } = layOut(histogramOf(values));
  assert.equal(bars.length, LATENCY_BUCKETS.length + 1);
  bars.forEach((bar, i) => {
    assert.ok(bar.width > 0);
    assert.ok(bar.x >= CHART.left && bar.x + bar.width <= CHART.width - CHART.right + 1e-9);
    assert.ok(bar.y >= CHART.top - 1e-9);
    assert.ok(i === 0 || bar.x >= bars[i - 1].x + bars[i - 1].width - 1e-9);
  });
  const heightOf = (count: number): number => bars.find((bar) => bar.count === count)!.height;
  assert.ok(heightOf(1) > 5);
  assert.ok(heightOf(10) > heightOf(1) && heightOf(1000) > heightOf(10));
  // logarithmic: from 10 to 1000 is twice as far as from 1 to 10
  assert.ok(Math.abs(heightOf(1000) - heightOf(10) - 2 * (heightOf(10) - heightOf(1))) < 1e-9);
  assert.equal(heightOf(0), 0);
});
