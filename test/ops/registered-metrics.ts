/** Names of all metrics the service registers: the loop's, the link worker's and the server's own. */
import { LINK_FAMILIES, LOOP_FAMILIES } from '../../hil/counters.ts';
import { SERVER_FAMILIES } from '../../server/metrics-families.ts';

export const registeredMetrics: ReadonlySet<string> = new Set(
  [...LOOP_FAMILIES, ...LINK_FAMILIES, ...SERVER_FAMILIES].map((family) => family.name),
);
