/**
 * Worker thread of the loop: builds the tick, warms it up on a shadow of the state, takes the real-time class and runs the
 * grid until it is asked to end. It has no event loop while it runs: everything crosses in shared memory.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { BerthError } from '../src/errors.ts';
import { EventKind } from './events.ts';
import { Loop } from './loop.ts';
import { buildTick } from './loop-parts.ts';
import { raiseThread } from './os.ts';
import { ControlWord } from './shared.ts';
import type { LoopWorkerData, WorkerMessage } from './worker-data.ts';

/** Longest time for the category-1 stop at the end, ticks. */
const STOP_TICKS = 500;

const data = workerData as LoopWorkerData;
const say = (message: WorkerMessage): void => parentPort!.postMessage(message);

function main(): void {
  const control = new Int32Array(data.shared.control);
  const { settings } = data;
  Atomics.store(control, ControlWord.LOOP_STATE, 1);
  let lastError = '';
  const onError = (error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (text === lastError) return;
    lastError = text;
    say({ kind: 'note', message: `Error inside a tick: ${text}` });
  };
  const parts = buildTick(data, onError);
  const { tick, clock, timing, ringLink, injector } = parts;
  const loop = new Loop(clock, tick, timing, {
    period_s: settings.loop.period_s,
    stall_s: settings.loop.overrun_single_s,
  });
  const grant = raiseThread(settings.loop.realtime_priority);
  tick.events.write(EventKind.REALTIME, grant.realtime ? 1 : 0, grant.threadId);
  if (!grant.realtime && settings.loop.realtime_priority > 0) {
    say({ kind: 'note', message: `Loop thread without real-time class: ${grant.reason}` });
  }
  say({ kind: 'ready', port: 0 });
  loop.start();
  Atomics.store(control, ControlWord.LOOP_STATE, 2);
  while (Atomics.load(control, ControlWord.SHUTDOWN) === 0) {
    loop.step();
    ringLink?.announce();
    injector?.tick();
  }
  tick.shutdownAsked = true;
  for (let i = 0; i < STOP_TICKS; i++) {
    loop.step();
    ringLink?.announce();
    if (i > 1 && tick.atRest) break;
  }
  parts.farewell();
  tick.events.write(EventKind.ENDED, 0, 0);
  Atomics.store(control, ControlWord.LOOP_STATE, 3);
}

try {
  main();
} catch (error) {
  const code = error instanceof BerthError ? error.code : 'BERTH_WORKER';
  say({ kind: 'error', code, message: error instanceof Error ? error.message : String(error) });
}
