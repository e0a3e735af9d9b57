/**
 * How fast a core computes just after it slept, beside one that never sleeps. Some machines, virtual ones above all, give a core that
 * sleeps between the ticks half the throughput, for the whole tick and however warm its caches are; `loop.spin_s` then decides the
 * duration of a model step. The block of work below is independent additions, which wait for nothing but the core.
 */
import { RealClock } from '../os/clock.ts';

/** Time of the same block of work, s, at the median. */
export interface CorePace {
  /** At the release, after a sleep until `spin_s` ahead of it. */
  readonly slept_s: number;
  /** At the release, when the core has polled for the whole period. */
  readonly polled_s: number;
}

/** Above this ratio a longer spin is worth its processor time. */
export const PACE_BAND = 1.3;

/** Some 16 kB: they stay in the nearest cache. */
const WORDS = 4096;
const READS = 2000;
const STRIDE = 17;

function work(words: Int32Array): number {
  let sum = 0;
  for (let k = 0, at = 0; k < READS; k++) {
    at = (at + STRIDE) % WORDS;
    sum = (sum + words[at]) | 0;
  }
  return sum;
}

/** Median time of the block at the release, s. */
function blockTime_s(spin_s: number, period_s: number, periods: number): number {
  const clock = new RealClock(new Int32Array(new SharedArrayBuffer(4)), spin_s);
  const words = Int32Array.from({ length: WORDS }, (_, k) => k);
  const samples_us = new Float64Array(periods);
  let sum = 0;
  clock.release_us = clock.now_us();
  for (let n = 0; n < periods; n++) {
    clock.release_us += 1e6 * period_s;
    clock.waitForRelease();
    const began_us = clock.now_us();
    sum += work(words);
    samples_us[n] = clock.now_us() - began_us;
    // a period that the machine took away is not made up for: a core that hurries does not sleep
    if (clock.time_us[0] > clock.release_us + 1e6 * period_s) clock.release_us = clock.time_us[0];
  }
  words[0] = sum;
  return 1e-6 * samples_us.sort()[periods >> 1];
}

/** Measures for `seconds`, half of it after sleeps. The first quarter of each is for V8 to compile. */
export function measureCorePace(spin_s: number, period_s: number, seconds: number): CorePace {
  const periods = Math.round(seconds / period_s / 2);
  blockTime_s(period_s, period_s, periods >> 2);
  return {
    slept_s: blockTime_s(spin_s, period_s, periods),
    polled_s: blockTime_s(2 * period_s, period_s, periods),
  };
}
