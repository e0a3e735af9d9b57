/**
 * Worker thread of the loop: builds the tick, warms it up on a shadow of the state, takes the
 * real-time class and runs the grid until it has to end. It has no event loop while it runs: all
 * data crosses in shared memory. With redundant release there are two, each on its own core, which
 * take turns (redundant/pair.ts).
 */
import { parentPort, workerData } from 'node:worker_threads';
import { contactKernels } from '../../config/contact-kernels.ts';
import { BerthError } from '../../src/base/errors.ts';
import { EventKind } from '../contract/events.ts';
import { Loop } from '../loop/loop.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import { buildTick, type LoopParts } from '../loop/loop-parts.ts';
import { compileAhead } from '../os/compiler.ts';
import { pinThread, raiseThread, type ThreadGrant } from '../os/os.ts';
import { RecorderWatch } from '../recording/recorder-watch.ts';
import { joinPair } from '../redundant/pair.ts';
import { warmUpPair } from '../redundant/warm-up-pair.ts';
import { ControlWord, LoopState } from '../memory/shared.ts';
import type { LoopWorkerData, PairSeat, WorkerMessage } from '../loop/worker-data.ts';

/** Longest time for the category-1 stop at the end, ticks. */
const STOP_TICKS = 500;

const data = workerData as LoopWorkerData;
const post = (message: WorkerMessage): void => parentPort!.postMessage(message);
const control = new Int32Array(data.shared.control);

/** Blocks for an injected fault. */
function stall(seconds: number): void {
  Atomics.wait(control, ControlWord.LOOP_SLEEP, 0, 1000 * seconds);
}

/** Takes the real-time class and reports refusals. */
function raise(): ThreadGrant {
  const { realtime_priority } = data.settings.loop;
  const grant = raiseThread(realtime_priority);
  if (!grant.realtime && realtime_priority > 0) {
    post({ kind: 'note', message: `Loop thread without real-time class: ${grant.reason}` });
  }
  return grant;
}

/** Runs the only loop worker. */
function runAlone(parts: LoopParts): void {
  const { settings } = data;
  const { tick, clock, timing, ringLink } = parts;
  const loop = new Loop(clock, tick, timing, {
    period_s: settings.loop.period_s,
    stall_s: settings.loop.overrun_single_s,
  });
  const grant = raise();
  tick.events.write(EventKind.REALTIME, grant.realtime ? 1 : 0, grant.threadId);
  tick.record.counters.slots[LoopSlot.loop_workers] = 1;
  post({ kind: 'ready', port: 0 });
  loop.start();
  Atomics.store(control, ControlWord.LOOP_STATE, LoopState.RUNNING);
  const watch = new RecorderWatch(control, settings);
  while (Atomics.load(control, ControlWord.SHUTDOWN) === 0) {
    watch.check(timing);
    tick.recorderLost = watch.lost;
    loop.step();
    ringLink?.announce();
    if (timing.injectedStall_s > 0) {
      stall(timing.injectedStall_s);
      timing.injectedStall_s = 0;
    }
  }
  tick.shutdownAsked = true;
  for (let i = 0; i < STOP_TICKS; i++) {
    loop.step();
    ringLink?.announce();
    if (i > 1 && tick.atRest) break;
  }
  parts.farewell();
  tick.events.write(EventKind.ENDED, 0, 0);
  parts.tap?.flush();
}

/** Runs one of two loop workers. */
function runRedundant(parts: LoopParts, { memory, worker, core }: PairSeat): void {
  if (data.warmUp !== false) warmUpPair(data);
  const refusal = core < 0 ? 'the system does not number its cores' : pinThread(core);
  if (refusal !== '') {
    post({ kind: 'note', message: `Loop worker ${worker + 1} is not kept on a core: ${refusal}` });
  }
  const grant = raise();
  const { loop, turn } = joinPair({
    ...parts,
    memory,
    real: data.shared,
    worker,
    settings: data.settings,
    realtime: [grant.realtime ? 1 : 0, grant.threadId],
    stall,
  });
  turn.setJoined(worker, true);
  post({ kind: 'ready', port: 0 });
  Atomics.store(control, ControlWord.LOOP_STATE, LoopState.RUNNING);
  while (!loop.ended) loop.step();
}

function main(): void {
  // a spare that joins a running loop does not restart it
  if (Atomics.load(control, ControlWord.LOOP_STATE) !== LoopState.RUNNING) {
    Atomics.store(control, ControlWord.LOOP_STATE, LoopState.WARMING_UP);
  }
  let lastError = '';
  const onError = (error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (text === lastError) return;
    lastError = text;
    post({ kind: 'note', message: `Error inside a tick: ${text}` });
  };
  const { pair } = data;
  if (pair === undefined) runAlone(buildTick(data, onError));
  else {
    const shared = pair.memory.stages[pair.worker].buffers;
    runRedundant(buildTick({ ...data, shared }, onError), pair);
  }
  Atomics.store(control, ControlWord.LOOP_STATE, LoopState.ENDED);
}

try {
  compileAhead(contactKernels);
  main();
} catch (error) {
  const code = error instanceof BerthError ? error.code : 'BERTH_WORKER';
  post({ kind: 'error', code, message: error instanceof Error ? error.message : String(error) });
}
