/** Names of all metrics the service registers. */
import { allMetricNames } from '../../server/metrics/metrics.ts';

export const registeredMetrics: ReadonlySet<string> = new Set(allMetricNames());
