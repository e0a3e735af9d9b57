/**
 * Benefit and cost of a second loop worker (`npm run bench:redundant`): the service in virtual mode
 * with the emulated robot, beside processes that keep the cores busy, with one loop worker and with
 * two, in turns. cyclictest runs at the same time on the same cores, one step above the loop's
 * priority, because at the same priority it would wait for the loop. Wake lateness is the time from
 * the release until the worker of the tick has claimed it and has its state; for a tick taken over,
 * until the takeover. Lateness is printed and not judged; a tick missing from the accounts is a
 * failure. (rt-loop 4)
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism, loadavg, release } from 'node:os';
import { parseArgs } from 'node:util';
import { Column, ROW_WIDTH } from '../hil/contract/columns.ts';
import { LOOP_STAGES } from '../hil/contract/counters.ts';
import { quantileOf } from '../hil/doctor/lateness.ts';
import { TelemetryRing } from '../hil/memory/ring.ts';
import { Accounting } from '../test/fixtures/accounting.ts';
import { type Reference, cyclictest } from './cyclictest.ts';
import { startRig } from '../test/fixtures/rig.ts';
import { formatTable } from '../test/fixtures/table.ts';
import { ThreadStops } from './thread-stops.ts';

const USAGE = `Usage: node dist/bench/redundant-release.js [--seconds N] [--rounds N] [--burners N] [--stops MS] [--spin US]

  --seconds N   of each variant in each round (default 20)
  --rounds N    rounds (default 3)
  --burners N   processes that never sleep beside the service (default 1)
  --stops MS    each loop worker is stopped for so long once a second, at times of its own, as by a
                core that stands still alone (default 0: only the machine stops them)
  --spin US     of every loop worker, one or two (default: that of the settings)`;

/** V8 compiles what runs only with a robot once there is one; on a busy machine that takes its time. */
const SETTLE_S = 8;
const READ_MS = 200;
const LATENESS = Column.lateness_s;
const SLIPPED = Column.slipped;
const MARGIN = Column.margin_s;
const STAGES = LOOP_STAGES.map((name) => Column[`stage_${name}_s`]);

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One segment of a variant. */
interface Segment {
  /** cyclictest beside it, µs; null where it is not installed. */
  cyclictest: Reference | null;
  readonly lateness_us: number[];
  /** Time from wake-up to the end of the tick, and the part outside all stages: loading, saving, committing. */
  readonly tick_us: number[];
  readonly beside_us: number[];
  slipped: number;
  /** Ticks that began half a period late or more, or after dropped periods. */
  lateTicks: number;
}

interface Variant {
  readonly name: string;
  readonly redundant: boolean;
  readonly rounds: Segment[];
  readonly unaccounted: string[];
}

const variant = (name: string, redundant: boolean): Variant => {
  return { name, redundant, rounds: [], unaccounted: [] };
};

/** A process that never sleeps, at normal priority. */
const burn = (): ChildProcess => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });

async function measure(one: Variant, seconds: number, round: number): Promise<void> {
  const notes: string[] = [];
  const rig = await startRig(
    'virtual',
    'ws',
    (note) => notes.push(note),
    'half-sphere-on-plate',
    (s) => {
      s.loop.redundant = one.redundant;
      if (spin_us !== null) s.loop.spin_s = spin_us / 1e6;
    },
  );
  const segment: Segment = {
    cyclictest: null,
    lateness_us: [],
    tick_us: [],
    beside_us: [],
    slipped: 0,
    lateTicks: 0,
  };
  const account = new Accounting(rig.runtime, rig.settings);
  const { loop } = rig.settings;
  const period_us = loop.period_s * 1e6;
  let stops: ThreadStops | null = null;
  let stopped: number | undefined;
  try {
    // a process that is started stops this one: before the measurement, not in it
    const above = { ...loop, realtime_priority: loop.realtime_priority + 1 };
    const beside = cyclictest(seconds, above, SETTLE_S);
    if (stop_ms > 0) {
      stops = new ThreadStops(loop.realtime_priority, one.redundant ? 2 : 1, stop_ms, round);
    }
    // the ring holds 16 s: on a busy machine the robot alone takes as long to start
    for (let k = 0; k < (1000 * SETTLE_S) / READ_MS; k++) {
      await wait(READ_MS);
      account.read();
    }
    const ring = new TelemetryRing(rig.runtime.shared.telemetry, ROW_WIDTH);
    const row = new Float64Array(ROW_WIDTH);
    let next = ring.written;
    let tick_us = 0;
    const end = performance.now() + 1000 * seconds;
    while (performance.now() < end) {
      await wait(READ_MS);
      await (await fetch(`${rig.url}/metrics`)).text();
      account.read();
      for (; next !== ring.written; next++) {
        if (!ring.read(next, row)) continue;
        // margin and the duration of the record are of the tick before
        const before_us = period_us - 1e6 * row[MARGIN];
        if (tick_us > 0) {
          segment.tick_us.push(before_us);
          segment.beside_us.push(before_us - tick_us - 1e6 * row[Column.stage_record_s]);
        }
        tick_us = 1e6 * row[LATENESS];
        for (const [k, column] of STAGES.entries()) {
          if (LOOP_STAGES[k] !== 'record') tick_us += 1e6 * row[column];
        }
        const late_us = 1e6 * row[LATENESS] + row[SLIPPED] * period_us;
        segment.lateness_us.push(late_us);
        segment.slipped += row[SLIPPED];
        if (late_us >= period_us / 2) segment.lateTicks++;
      }
    }
    segment.cyclictest = await beside;
  } finally {
    stopped = await stops?.close();
    await rig.close();
    account.finish();
  }
  if (stopped === 0) throw new Error('A loop worker could not be stopped');
  if (stopped !== undefined) notes.push(`${one.name}: stopped ${stopped} times`);
  one.rounds.push(segment);
  one.unaccounted.push(...account.violations);
  for (const note of notes) console.log(`  ${note}`);
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    burners: { type: 'string', default: '1' },
    stops: { type: 'string', default: '0' },
    spin: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const burners = Number(values.burners);
const stop_ms = Number(values.stops);
const spin_us = values.spin === undefined ? null : Number(values.spin);
const count = (n: number, least: number): boolean => Number.isInteger(n) && n >= least;
if (
  !(seconds >= 1 && seconds <= 3600) ||
  !count(rounds, 1) ||
  !count(burners, 0) ||
  !(stop_ms >= 0 && stop_ms <= 500) ||
  (spin_us !== null && !(spin_us >= 0 && spin_us <= 800))
) {
  console.error(USAGE);
  process.exit(2);
}
console.log(
  `${availableParallelism()} cores, Linux ${release()}, Node ${process.version}; load ${loadavg()[0].toFixed(1)} before, ${burners} burners, ${spin_us === null ? 'spin of the settings' : `spin ${spin_us} µs`}, ${stop_ms > 0 ? `each loop worker stopped for ${stop_ms} ms once a second` : 'no stops but those of the machine'}`,
);
const variants = [variant('one loop worker', false), variant('two loop workers', true)];
const load = Array.from({ length: burners }, burn);
try {
  for (let round = 1; round <= rounds; round++) {
    // turn about: what the machine does by the clock must not always hit the same one
    const order = round % 2 === 1 ? variants : [...variants].reverse();
    for (const one of order) await measure(one, seconds, round);
    console.log(`round ${round} of ${rounds}, load ${loadavg()[0].toFixed(1)}`);
  }
} finally {
  for (const child of load) child.kill('SIGKILL');
}

const QUANTILES = [0.5, 0.99, 0.999, 1];
const P999 = 2;
const middle = (list: readonly number[]): number => quantileOf(Float64Array.from(list).sort(), 0.5);
const quantiles = (list: readonly number[]): number[] => {
  const sorted = Float64Array.from(list).sort();
  return QUANTILES.map((q) => quantileOf(sorted, q));
};
/** Medians of the rounds. */
const medians = (one: Variant, of: (segment: Segment) => readonly number[]): number[] => {
  const rounds = one.rounds.map((segment) => of(segment));
  return rounds[0].map((_, k) => middle(rounds.map((list) => list[k])));
};
const fixed = (list: readonly number[], digits: number): string[] =>
  list.map((value) => value.toFixed(digits));
const late = (segment: Segment): number[] => quantiles(segment.lateness_us);
const beside = (segment: Segment): readonly number[] =>
  segment.cyclictest?.figures ?? QUANTILES.map(() => NaN);
/** Periods that cyclictest slept through beside a variant: then the machine stood still, or both its cores were taken. */
const missedBeside = (one: Variant): number =>
  one.rounds.reduce((sum, { cyclictest }) => sum + (cyclictest?.missed ?? NaN), 0) / rounds;
const overCyclictest = (segment: Segment): number[] =>
  late(segment).map((value, q) => value / beside(segment)[q]);
/** Share of all periods of some segments that were dropped, and of all ticks that began half a period late. */
const missedOf = (segments: readonly Segment[]): number => {
  const slipped = segments.reduce((sum, each) => sum + each.slipped, 0);
  return slipped / segments.reduce((sum, each) => sum + each.slipped + each.lateness_us.length, 0);
};
const behindOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, each) => sum + each.lateTicks, 0) /
  segments.reduce((sum, each) => sum + each.lateness_us.length, 0);
const shares = (segments: readonly Segment[]): string[] =>
  fixed([100 * missedOf(segments), 100 * behindOf(segments)], 3);

const rowsOf = (one: Variant): string[][] =>
  one.rounds.flatMap((segment, k) => [
    [`${k + 1}: ${one.name}`, ...fixed(late(segment), 1), ...shares([segment])],
    [
      `${k + 1}: cyclictest beside it`,
      ...fixed(beside(segment), 0),
      (100 * (segment.cyclictest?.missed ?? NaN)).toFixed(3),
      '',
    ],
  ]);
console.log(
  formatTable(
    ['wake lateness, µs', 'p50', 'p99', 'p99.9', 'max', 'missed, %', 'half a period late, %'],
    [
      ...variants.flatMap(rowsOf),
      ...variants.map((one) => [
        `median, ${one.name}`,
        ...fixed(medians(one, late), 1),
        ...shares(one.rounds),
      ]),
      ...variants.map((one) => [
        `median, ${one.name} / cyclictest`,
        ...fixed(medians(one, overCyclictest), 2),
        '',
        '',
      ]),
    ],
  ),
);
console.log(
  formatTable(
    ['release to end of tick, µs', 'p50', 'p99', 'p99.9', 'max'],
    variants.flatMap((one) => [
      [
        one.name,
        ...fixed(
          medians(one, (s) => quantiles(s.tick_us)),
          1,
        ),
      ],
      [
        `${one.name}, in no stage`,
        ...fixed(
          medians(one, (s) => quantiles(s.beside_us)),
          1,
        ),
      ],
    ]),
  ),
);
const verdict = (value: number, most: number): string =>
  `${value.toFixed(2)} (target: at most ${most}) ${value <= most ? 'reached' : 'missed'}`;
const [one, two] = variants;
console.log(
  `p99.9 of two workers / cyclictest, median: ${verdict(medians(two, overCyclictest)[P999], 0.25)}`,
);
console.log(
  `missed ticks of two workers / of one, all rounds: ${verdict(missedOf(two.rounds) / missedOf(one.rounds), 0.25)}`,
);
// one burst of the machine is most of a sum, and hits one of the two: the median does not depend on which
const missedByRound = two.rounds.map(
  (segment, k) => missedOf([segment]) / missedOf([one.rounds[k]]),
);
console.log(
  `the same by round: ${fixed(missedByRound, 2).join(', ')}; median ${middle(missedByRound).toFixed(2)}`,
);
for (const each of variants) {
  const [own, reference] = [missedOf(each.rounds), missedBeside(each)];
  console.log(
    `${each.name}: missed ${(100 * own).toFixed(3)} %, cyclictest beside it ${(100 * reference).toFixed(3)} %`,
  );
}
const unaccounted = variants.flatMap((one) =>
  one.unaccounted.map((text) => `${one.name}: ${text}`),
);
console.log(`${unaccounted.length} ticks unaccounted for`);
for (const text of unaccounted) console.error(text);
if (unaccounted.length > 0) process.exitCode = 1;
