/**
 * The Prometheus page. Families counted in shared memory are rendered at scrape time through
 * prom-client, so neither the loop nor a socket ever calls it.
 */
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import {
  type CounterFamily,
  LINK_FAMILIES,
  LOOP_FAMILIES,
  RECORDER_FAMILIES,
  layoutCounters,
  seriesWidth,
} from '../../hil/contract/counters.ts';
import type { SharedBuffers } from '../../hil/memory/shared.ts';
import { SERVER_FAMILIES, type ServerCounters } from './metrics-families.ts';
import { type LoadedSession, registerSession, SESSION_FAMILIES } from './session-families.ts';

interface Sample {
  readonly metricName: string;
  readonly labels: Record<string, string | number>;
  readonly value: number;
}

/** Samples of one family; stored buckets are separate counts, exposed ones are cumulative. */
function renderFamily(family: CounterFamily, values: Float64Array, offset: number): Sample[] {
  const samples: Sample[] = [];
  const width = seriesWidth(family);
  family.series.forEach((labelValues, index) => {
    const labels = Object.fromEntries(family.labels.map((name, i) => [name, labelValues[i] ?? '']));
    const base = offset + index * width;
    if (family.buckets === undefined) {
      samples.push({ metricName: family.name, labels, value: values[base] });
      return;
    }
    let count = 0;
    [...family.buckets, Infinity].forEach((limit, bucket) => {
      count += values[base + bucket];
      const le = limit === Infinity ? '+Inf' : limit;
      samples.push({
        metricName: `${family.name}_bucket`,
        labels: { ...labels, le },
        value: count,
      });
    });
    const sum = values[base + width - 1];
    samples.push({ metricName: `${family.name}_sum`, labels, value: sum });
    samples.push({ metricName: `${family.name}_count`, labels, value: count });
  });
  return samples;
}

function registerBlock(
  registry: Registry,
  families: readonly CounterFamily[],
  read: () => Float64Array,
  neverInjected = false,
): void {
  const layout = layoutCounters(families);
  for (const family of families) {
    const { name, help, type } = family;
    const offset = layout.offsets.get(name)!;
    const metric = {
      name,
      help,
      type,
      aggregator: 'sum',
      get: () =>
        Promise.resolve({
          name,
          help,
          type,
          values:
            neverInjected && INJECTED.includes(name) ? [] : renderFamily(family, read(), offset),
        }),
    };
    // prom-client renders any object of this shape; its type names only its own classes
    registry.registerMetric(metric as unknown as Metric);
  }
}

/** Families of faults that are there on purpose. */
const INJECTED: readonly string[] = ['berth_injected_fault_active', 'berth_injected_faults_total'];

/**
 * Registry of one running service. `shared` and `session` are called at every scrape. Without the right to inject faults none can
 * be there on purpose, and what counts them has no series.
 */
export function makeRegistry(
  shared: () => SharedBuffers,
  server: ServerCounters,
  session: () => LoadedSession,
  injecting: boolean,
): Registry {
  const registry = new Registry();
  registerBlock(registry, LOOP_FAMILIES, () => new Float64Array(shared().loopCounters), !injecting);
  registerBlock(registry, LINK_FAMILIES, () => new Float64Array(shared().linkCounters));
  registerBlock(registry, RECORDER_FAMILIES, () => new Float64Array(shared().recorderCounters));
  registerBlock(registry, SERVER_FAMILIES, () => server.values);
  registerSession(registry, shared, session);
  registerProcessMetrics(registry);
  return registry;
}

/** Registers metrics of the process and of Node, without three gauges with names in `_total` that promtool rejects. */
function registerProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const kind of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  }
}

/** Names of the default process metrics for dashboards. */
function defaultMetricNames(): string[] {
  const registry = new Registry();
  registerProcessMetrics(registry);
  return registry.getMetricsAsArray().map((metric) => metric.name);
}

/** All metric families of `/metrics`. */
export function allMetricNames(): string[] {
  const families = [...LOOP_FAMILIES, ...LINK_FAMILIES, ...RECORDER_FAMILIES, ...SERVER_FAMILIES];
  const session = SESSION_FAMILIES.map((family) => family.name);
  return [...families.map((family) => family.name), ...session, ...defaultMetricNames()];
}
