/** Quantiles from a histogram: a quantile lies in a bucket, anywhere between the edges of that bucket. */
import type { LatenessHistogram } from '../../client/messages.ts';

/** A quantile from buckets, between `low_s` and `high_s`, which is infinite beyond the chart. */
export interface BucketQuantile {
  readonly low_s: number;
  readonly high_s: number;
  /** Interpolation as if the ticks of the bucket were evenly spread; `low_s` beyond the chart. */
  readonly estimate_s: number;
}

/** Number of counted ticks. */
export function totalCount(histogram: LatenessHistogram): number {
  return histogram.counts.reduce((sum, count) => sum + count, 0);
}

/** Ticks later than the last edge. */
export function offChartCount(histogram: LatenessHistogram): number {
  return histogram.counts.at(-1) ?? 0;
}

/** The value that a share `share` (0 … 1) of the ticks does not exceed; null without ticks. */
export function bucketQuantile(histogram: LatenessHistogram, share: number): BucketQuantile | null {
  const { edges_s, counts } = histogram;
  const total = totalCount(histogram);
  if (total === 0) return null;
  // rank of the value, 1 … n; the product of a decimal share and n may exceed an integer by
  // rounding
  const rank = Math.max(1, Math.ceil(share * total * (1 - 1e-12)));
  let bucket = 0;
  let below = 0;
  while (below + counts[bucket] < rank) below += counts[bucket++];
  const low_s = bucket === 0 ? 0 : edges_s[bucket - 1];
  const high_s = edges_s[bucket] ?? Infinity;
  if (high_s === Infinity) return { low_s, high_s, estimate_s: low_s };
  const estimate_s = low_s + ((rank - below) / counts[bucket]) * (high_s - low_s);
  return { low_s, high_s, estimate_s };
}
