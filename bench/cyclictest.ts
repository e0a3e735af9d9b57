/** How late this machine wakes a thread of the real-time class, by `cyclictest`: what every figure of wake lateness is set beside. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Settings } from '../config/settings.ts';
import { quantileOf } from '../hil/doctor/lateness.ts';

const HISTOGRAM_US = 200_000;
/** Exit code of a shell that does not find a program. */
const NOT_FOUND = 127;
const run = promisify(execFile);

/** p50, p99, p99.9 and the largest, µs. */
export type Figures = readonly [number, number, number, number];

/** What cyclictest found: wake lateness, and the share of all periods that it slept through. */
export interface Reference {
  readonly figures: Figures;
  readonly missed: number;
}

/** No sample came. */
export class NothingMeasured extends Error {}

/** Figures of samples. @throws NothingMeasured without one */
export function figuresOf(samples_us: readonly number[]): Figures {
  if (samples_us.length === 0) throw new NothingMeasured('nothing was measured');
  const sorted = Float64Array.from(samples_us).sort();
  const at = (q: number): number => quantileOf(sorted, q);
  return [at(0.5), at(0.99), at(0.999), at(1)];
}

/**
 * Quantiles from cyclictest's histogram of 1 µs. `delay_s` is between the start of its process, which stops this one for a while, and that of its
 * samples. @returns null when the program is not here
 */
export async function cyclictest(
  seconds: number,
  loop: Pick<Settings['loop'], 'period_s' | 'realtime_priority'>,
  delay_s = 0,
): Promise<Reference | null> {
  const { period_s, realtime_priority } = loop;
  const args = ['-q', '-t', '1', '-p', `${realtime_priority}`, '-i', `${period_s * 1e6}`];
  args.push('-D', `${seconds}`, '-h', `${HISTOGRAM_US}`);
  let out: string;
  try {
    const line = ['-c', `sleep ${delay_s}; exec cyclictest "$@"`, 'cyclictest', ...args];
    out = (await run('sh', line, { maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    const { code, message } = error as Error & { code?: number | string };
    const missing = code === NOT_FOUND || code === 'ENOENT';
    const text = missing ? 'not installed (Debian: rt-tests)' : message.split('\n')[0];
    console.log(`cyclictest: ${text}`);
    return null;
  }
  const bins = [...out.matchAll(/^(\d+)\s+(\d+)$/gm)].map(([, us, n]) => [Number(us), Number(n)]);
  const total = bins.reduce((sum, [, n]) => sum + n, 0);
  const at = (q: number): number => {
    let seen = 0;
    for (const [us, n] of bins) if ((seen += n) >= q * total) return us;
    return HISTOGRAM_US;
  };
  const figures = [at(0.5), at(0.99), at(0.999), Number(/# Max Latencies: 0*(\d+)/.exec(out)?.[1])];
  // like the loop, it drops the periods that it sleeps through
  const missed = bins.reduce((sum, [us, n]) => sum + n * Math.floor(us / (1e6 * period_s)), 0);
  return { figures: figures as unknown as Figures, missed: missed / (missed + total) };
}
