/** Names of all metrics the service registers: the loop's and link worker's families and the server's own. */
import { LINK_FAMILIES, LOOP_FAMILIES } from '../../hil/counters.ts';

export const registeredMetrics: ReadonlySet<string> = new Set(
  [...LOOP_FAMILIES, ...LINK_FAMILIES].map((family) => family.name),
);
