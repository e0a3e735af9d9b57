/**
 * Lateness of wake-ups on this machine. The loop's clock and release grid run for some seconds in
 * their own worker with an empty tick; the bands below judge the result (docs/operations.md).
 */
import { extname } from 'node:path';

import { startThread } from '../os/start-thread.ts';

/** Options of the measuring worker. */
export interface LatenessOptions {
  readonly seconds: number;
  readonly period_s: number;
  readonly spin_s: number;
  /** Requested SCHED_FIFO priority; 0 for none. */
  readonly priority: number;
}

/** Result of the measurement; lateness of executed ticks, before slipping. */
export interface LatenessReport {
  readonly seconds: number;
  readonly executed: number;
  readonly slipped: number;
  readonly p50_s: number;
  readonly p99_s: number;
  readonly p999_s: number;
  readonly max_s: number;
  readonly realtime: boolean;
  /** Reason for a refused real-time class; '' without one. */
  readonly reason: string;
  /** Timer slack of the thread, ns; −1 when unknown. */
  readonly timerSlack_ns: number;
}

export type Verdict = 'green' | 'yellow' | 'red';

/** Bands of the verdict: above `yellow` a figure is yellow, above `red` red. */
export const LATENESS_BANDS = Object.freeze({
  /** Above 0.1 ms a tenth of the period is lost before the tick starts; above 0.5 ms half of it. */
  p99_s: { yellow: 100e-6, red: 500e-6 },
  /** The figure and limit of the alert BerthLoopLatenessHigh; a period late every 1000th tick is unfit. */
  p999_s: { yellow: 500e-6, red: 5e-3 },
  /**
   * One gap of 25 ms makes the loop hold (settings, loop.overrun_single_s). A single stall does not
   * condemn a machine.
   */
  max_s: { yellow: 25e-3, red: Infinity },
  /** Above 2 % the link never stays good, and the loop never becomes ready for long; above 5 % it is unusable. */
  slippedRatio: { yellow: 0.02, red: 0.05 },
});

/** A measured figure with its verdict and the reason. */
export interface LatenessFinding {
  readonly name: keyof typeof LATENESS_BANDS;
  readonly value: number;
  readonly verdict: Verdict;
}

/** Judges a report, figure by figure. */
export function judgeLateness(report: LatenessReport): LatenessFinding[] {
  const figures = {
    p99_s: report.p99_s,
    p999_s: report.p999_s,
    max_s: report.max_s,
    slippedRatio: report.slipped / Math.max(1, report.executed + report.slipped),
  };
  return (Object.keys(figures) as (keyof typeof figures)[]).map((name) => {
    const { yellow, red } = LATENESS_BANDS[name];
    const value = figures[name];
    return { name, value, verdict: value > red ? 'red' : value > yellow ? 'yellow' : 'green' };
  });
}

/** Band of LinuxCNC's latency-test documentation for a maximum jitter; only for comparison with other machines. */
export function linuxcncBand(max_s: number): string {
  if (max_s < 20e-6) return 'good';
  if (max_s < 50e-6) return 'usable';
  return max_s <= 500e-6 ? 'with step hardware only' : 'unacceptable';
}

/** Quantile of sorted samples: the smallest sample that at least q of all do not exceed. */
export function quantileOf(sorted: Float64Array, q: number): number {
  if (sorted.length === 0) return 0;
  return sorted[Math.min(sorted.length, Math.max(1, Math.ceil(q * sorted.length))) - 1];
}

/** Measures in a worker; resolves when it has ended. */
export function measureLateness(options: LatenessOptions): Promise<LatenessReport> {
  const entry = new URL(`./lateness-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = startThread(entry, { workerData: options });
  return new Promise((resolve, reject) => {
    let report: LatenessReport | undefined;
    worker.on('message', (message: LatenessReport) => (report = message));
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (report !== undefined) resolve(report);
      else reject(new Error(`the measuring thread ended with ${code} and no report`));
    });
  });
}
