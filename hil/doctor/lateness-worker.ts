/** Entry of the measuring worker: the loop's clock and grid with an empty tick (hil/doctor/lateness.ts). */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

import { RealClock } from '../os/clock.ts';
import { type LatenessOptions, type LatenessReport, quantileOf } from './lateness.ts';
import { Loop, type TickBody } from '../loop/loop.ts';
import { raiseThread } from '../os/os.ts';
import { TickTiming } from '../contract/timing.ts';

/** Time before the measurement starts, s, in which V8 compiles the loop. */
const WARM_UP_S = 0.3;
/** Duration above which a gap is a stall, s. It has no effect here, because causes are not distinguished. */
const STALL_S = 0.025;

/** Tick that only records the lateness of its wake-up. */
class LatenessBody implements TickBody {
  readonly samples_us: Float64Array;
  count = 0;
  readonly #timing: TickTiming;

  constructor(timing: TickTiming, most: number) {
    this.#timing = timing;
    this.samples_us = new Float64Array(most);
  }

  run(): void {
    this.samples_us[this.count++] = this.#timing.rawLateness_us;
  }

  fail(error: unknown): void {
    throw error;
  }
}

function timerSlack_ns(thread: number): number {
  try {
    return Number(readFileSync(`/proc/${thread}/timerslack_ns`, 'utf8'));
  } catch {
    return -1;
  }
}

function measure(options: LatenessOptions): LatenessReport {
  const grant = raiseThread(options.priority);
  const periods = Math.round(options.seconds / options.period_s);
  const warmUp = Math.round(WARM_UP_S / options.period_s);
  const timing = new TickTiming();
  const body = new LatenessBody(timing, periods + warmUp + 1);
  const clock = new RealClock(new Int32Array(new SharedArrayBuffer(4)), options.spin_s);
  const loop = new Loop(clock, body, timing, { period_s: options.period_s, stall_s: STALL_S });
  loop.start();
  while (timing.period < warmUp - 1) loop.step();
  const executedBefore = timing.executed;
  const slippedBefore = timing.slippedTotal;
  body.count = 0;
  const end = timing.period + periods;
  while (timing.period < end) loop.step();
  const sorted = body.samples_us.slice(0, body.count).sort();
  const s = (q: number): number => quantileOf(sorted, q) * 1e-6;
  return {
    seconds: options.seconds,
    executed: timing.executed - executedBefore,
    slipped: timing.slippedTotal - slippedBefore,
    p50_s: s(0.5),
    p99_s: s(0.99),
    p999_s: s(0.999),
    max_s: s(1),
    realtime: grant.realtime,
    reason: grant.reason,
    timerSlack_ns: timerSlack_ns(grant.threadId),
  };
}

parentPort!.postMessage(measure(workerData as LatenessOptions));
