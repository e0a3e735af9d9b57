/**
 * PromQL as functions whose metric argument is the union of registered names: a panel that names a metric without an
 * exporter does not compile.
 */
import type { SharedCounter, SharedGauge, SharedHistogram } from '../hil/contract/counters.ts';
import type { SERVER_FAMILIES } from '../server/metrics/metrics-families.ts';
import type { SESSION_FAMILIES } from '../server/metrics/session-families.ts';

type ServerFamily = (typeof SERVER_FAMILIES)[number];
type Counter = SharedCounter | Extract<ServerFamily, { type: 'counter' }>['name'];
type SessionGauge = (typeof SESSION_FAMILIES)[number]['name'];
type Gauge = SharedGauge | SessionGauge | Extract<ServerFamily, { type: 'gauge' }>['name'];
/** Metrics of the process, by prom-client. */
type ProcessGauge =
  | 'nodejs_eventloop_lag_p50_seconds'
  | 'nodejs_eventloop_lag_p99_seconds'
  | 'nodejs_heap_size_used_bytes'
  | 'process_resident_memory_bytes';
type ProcessCounter = 'process_cpu_seconds_total';

/** Grafana's own window: at least four scrapes, never finer than a pixel. */
const WINDOW = '$__rate_interval';

/** Label matchers, e.g. `direction="rx"`. */
type Matchers = readonly `${string}="${string}"`[];

/** The service that is chosen at the top of the page. */
const CHOSEN = 'instance=~"$instance"';

const selector = (metric: string, matchers: Matchers): string =>
  `${metric}{${[...matchers, CHOSEN].join(',')}}`;

/** A gauge, or the sum that a counter has reached, as it is. */
export function value(metric: Gauge | Counter, ...matchers: Matchers): string {
  return selector(metric, matchers);
}

/** Increase of a counter per second. */
export function perSecond(metric: Counter, ...matchers: Matchers): string {
  return `rate(${selector(metric, matchers)}[${WINDOW}])`;
}

/** Increase of a counter per minute, of every series. */
export function perMinute(metric: Counter, ...matchers: Matchers): string {
  return `60 * ${perSecond(metric, ...matchers)}`;
}

/** Increase of a counter over the shown time range, series added up. */
export function inRange(metric: Counter, ...matchers: Matchers): string {
  return `sum(increase(${selector(metric, matchers)}[$__range]))`;
}

/** Quantile of a histogram, over all its series or by one label. */
export function quantile(q: number, metric: SharedHistogram, by?: string): string {
  const labels = by === undefined ? 'le' : `le, ${by}`;
  return `histogram_quantile(${q}, sum by (${labels}) (rate(${selector(`${metric}_bucket`, [])}[${WINDOW}])))`;
}

/** Mean of what a histogram observed, by one label. */
export function mean(metric: SharedHistogram, by: string): string {
  const rate = (part: string): string =>
    `sum by (${by}) (rate(${selector(`${metric}_${part}`, [])}[${WINDOW}]))`;
  return `${rate('sum')} / ${rate('count')}`;
}

/** Bucket counts of a histogram in each interval, for a heat map. */
export function buckets(metric: SharedHistogram): string {
  return `sum by (le) (increase(${selector(`${metric}_bucket`, [])}[${WINDOW}]))`;
}

/** p50, p99 and p99.9 with their legends. */
export function quantiles(metric: SharedHistogram): [string, string][] {
  return [
    [quantile(0.5, metric), 'p50'],
    [quantile(0.99, metric), 'p99'],
    [quantile(0.999, metric), 'p99.9'],
  ];
}

/** A gauge of the server process. */
export function processMetric(metric: ProcessGauge): string {
  return selector(metric, ['job="berth"']);
}

/** A counter of the server process, per second. */
export function processRate(metric: ProcessCounter): string {
  return `rate(${selector(metric, ['job="berth"'])}[${WINDOW}])`;
}

/** Seconds for which something that happened once is shown: some scrapes, so that one that fails hides nothing. */
const SHOWN_S = 5;

/** Where a counter grew, by labels: for an annotation. */
export function grew(metric: Counter, ...by: string[]): string {
  return `sum by (${['instance', ...by].join(', ')}) (increase(${selector(metric, [])}[${SHOWN_S}s])) > 0`;
}

/** Alerts that wait or fire. */
export function alerts(): string {
  return `${selector('ALERTS', [])} > 0`;
}
