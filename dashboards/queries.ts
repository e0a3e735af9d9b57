/**
 * PromQL as functions whose metric argument is the union of registered names: a panel that names a metric nobody exports
 * does not compile.
 */
import type { SharedCounter, SharedGauge, SharedHistogram } from '../hil/counters.ts';

/** Grafana's own window: at least four scrapes, never finer than a pixel. */
const WINDOW = '$__rate_interval';

/** Label matchers, e.g. `direction="rx"`. */
type Matchers = readonly `${string}="${string}"`[];

const selector = (metric: string, matchers: Matchers): string =>
  matchers.length === 0 ? metric : `${metric}{${matchers.join(',')}}`;

/** A gauge as it is. */
export function value(metric: SharedGauge, ...matchers: Matchers): string {
  return selector(metric, matchers);
}

/** Increase of a counter per second. */
export function perSecond(metric: SharedCounter, ...matchers: Matchers): string {
  return `rate(${selector(metric, matchers)}[${WINDOW}])`;
}

/** Increase of a counter per minute, of every series. */
export function perMinute(metric: SharedCounter, ...matchers: Matchers): string {
  return `60 * ${perSecond(metric, ...matchers)}`;
}

/** Increase of a counter over the shown time range, series added up. */
export function inRange(metric: SharedCounter, ...matchers: Matchers): string {
  return `sum(increase(${selector(metric, matchers)}[$__range]))`;
}

/** Quantile of a histogram, over all its series or by one label. */
export function quantile(q: number, metric: SharedHistogram, by?: string): string {
  const labels = by === undefined ? 'le' : `le, ${by}`;
  return `histogram_quantile(${q}, sum by (${labels}) (rate(${metric}_bucket[${WINDOW}])))`;
}

/** Bucket counts of a histogram in each interval, for a heat map. */
export function buckets(metric: SharedHistogram): string {
  return `sum by (le) (increase(${metric}_bucket[${WINDOW}]))`;
}
