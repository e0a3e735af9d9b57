/** The other worker of the allocation test's pair: shares the loop for a while, then stands still for a while between its ticks. */
import { parentPort, workerData } from 'node:worker_threads';
import { assembleTick } from '../../hil/loop/loop-parts.ts';
import { joinPair } from '../../hil/redundant/pair.ts';
import { warmUpPair } from '../../hil/redundant/warm-up-pair.ts';
import type { LoopWorkerData, PairMemory } from '../../hil/loop/worker-data.ts';

/** Steps between pauses: some of them watch the other worker's tick. */
const STEPS = 64;
const PAUSE_MS = 40;

const { data, memory } = workerData as { data: LoopWorkerData; memory: PairMemory };
warmUpPair(data);
const parts = assembleTick({ ...data, shared: memory.stages[1].buffers }, (error) => {
  throw error;
});
const { settings, shared } = data;
const own = { memory, real: shared, worker: 1, settings, realtime: [0, 0] as const };
const { loop, turn } = joinPair({ ...parts, ...own, stall: () => undefined });
turn.setJoined(1, true);
parentPort!.postMessage('ready');
const never = new Int32Array(new SharedArrayBuffer(4));
for (;;) {
  for (let i = 0; i < STEPS; i++) loop.step();
  Atomics.wait(never, 0, 0, PAUSE_MS);
}
