/** Wakes the sender of the latency measurement on a separate grid. `latency-peer.ts` starts it. */
import { workerData } from 'node:worker_threads';
import { monotonic_us } from '../hil/os/clock.ts';
import { raiseThread } from '../hil/os/os.ts';

/** Data of the thread: word 0 counts releases, word 1 stays 0; the period, and the requested priority. */
export interface PaceData {
  readonly words: SharedArrayBuffer;
  readonly period_us: number;
  readonly priority: number;
}

const { words: buffer, period_us, priority } = workerData as PaceData;
const words = new Int32Array(buffer);
raiseThread(priority);
let release_us = monotonic_us();
for (;;) {
  const late_us = monotonic_us() - release_us;
  release_us += period_us * (1 + Math.max(0, Math.floor(late_us / period_us)));
  for (;;) {
    const left_us = release_us - monotonic_us();
    if (left_us <= 0) break;
    Atomics.wait(words, 1, 0, left_us / 1000);
  }
  Atomics.add(words, 0, 1);
  Atomics.notify(words, 0);
}
