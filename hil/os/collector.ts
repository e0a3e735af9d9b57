/**
 * How V8 collects garbage in a process that has threads which must not wait. A scavenge is shared out among helper threads of ordinary
 * class by default, and the thread that collects waits for all of them. Then a link of real-time class waits, through its collector,
 * for helpers that a crowd of requests keeps from the processor: 10 to 26 ms for 1.5 MB of garbage, and four missing STATE end a
 * flight. So every thread collects by itself. The loop makes no garbage and never waited.
 */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/**
 * No help with a scavenge, nor with what one has to wait for: sweeping and array buffers of the collection before; and no whole collection of 4 to 8 ms that only gives memory
 * back to the system while a thread is quiet.
 */
const FLAGS = [
  '--no-parallel-scavenge',
  '--no-concurrent-sweeping',
  '--no-concurrent-array-buffer-sweeping',
  '--no-memory-reducer',
];

/** Of a thread that a robot waits for: a scavenge finds about a megabyte at the most, where it found eight and took up to 60 ms. */
export const SHORT_COLLECTIONS: ResourceLimits = { maxYoungGenerationSizeMb: 4 };

/** For this process: scavenges of all its threads, and memory of those that are started from now on. */
export function collectAlone(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
