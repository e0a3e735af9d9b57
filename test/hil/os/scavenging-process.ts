/**
 * A process that makes garbage. It prints its number of scavenges and how often V8's helper threads
 * ran. `alone`: collects as a service does.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type PerformanceEntry, PerformanceObserver, constants } from 'node:perf_hooks';
import { collectAlone } from '../../../hil/os/collector.ts';

/** Objects that every scavenge finds alive, so that there is something to share out. */
const ALIVE = 20_000;
const MADE = 20_000_000;

const helpers = readdirSync('/proc/self/task').filter((id) => Number(id) !== process.pid);
if (process.argv[2] === 'alone') collectAlone();

let scavenges = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { kind } = (entry as PerformanceEntry & { detail: { kind: number } }).detail;
    if (kind === constants.NODE_PERFORMANCE_GC_MINOR) scavenges++;
  }
}).observe({ entryTypes: ['gc'] });

/** Times that they were put on a processor. */
function turns(): number {
  let sum = 0;
  for (const id of helpers) {
    sum += Number(readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ')[2]);
  }
  return sum;
}

const alive: { made: number }[] = [];
function litter(): void {
  for (let i = 0; i < MADE; i++) alive[i % ALIVE] = { made: i };
}

litter(); // compiled
await new Promise((resolve) => setTimeout(resolve, 100));
scavenges = 0;
const before = turns();
litter();
const after = turns();
await new Promise((resolve) => setTimeout(resolve, 100));
console.log(JSON.stringify({ scavenges, turns: after - before }));
