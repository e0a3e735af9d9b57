/**
 * Settings of V8's garbage collector for a process with real-time threads. By default helper
 * threads of normal priority share a scavenge, and the collecting thread waits for all of them. A
 * link of real-time class then waits for helpers that a crowd of requests keeps from the processor:
 * 10 to 26 ms for 1.5 MB of garbage. Four missing STATE frames end a flight. Every thread therefore
 * collects alone. The loop makes no garbage and is not affected.
 */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/**
 * Flags: no helper threads for a scavenge, for sweeping and for array buffers; no full collection
 * of 4 to 8 ms that only returns memory while a thread is idle.
 */
const FLAGS = [
  '--no-parallel-scavenge',
  '--no-concurrent-sweeping',
  '--no-concurrent-array-buffer-sweeping',
  '--no-memory-reducer',
];

/**
 * Limits for the thread of a robot link: a scavenge collects about a megabyte at most. With eight
 * it took up to 60 ms.
 */
export const SHORT_COLLECTIONS: ResourceLimits = { maxYoungGenerationSizeMb: 4 };

/** Sets V8's flags for this process: scavenges of all its threads, and memory of threads started later. */
export function collectAlone(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
