/**
 * Whether the loop holds its period while other programs keep the cores busy (`npm run bench:busy`): the whole service with its demo
 * scenario flown into contact, without load and beside one program per core that never sleeps, at normal priority. An empty grid one
 * step of priority above the loop runs at the same time: what it drops, the machine dropped by itself.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg, release } from 'node:os';
import { parseArgs } from 'node:util';
import { MISS_CAUSES } from '../hil/contract/codes.ts';
import { measureLateness } from '../hil/doctor/lateness.ts';
import { LoopCounters, LoopSlot } from '../hil/memory/loop-counters.ts';
import { startRig } from '../test/fixtures/rig.ts';
import { formatTable } from '../test/fixtures/table.ts';

const USAGE = `Usage: npm run bench:busy -- [--seconds N] [--rounds N]

  --seconds N   of each variant and round (default 20)
  --rounds N    in which the variants take turns (default 2)

Exit 1 when less than 99.9 % of the periods are held beside busy programs, unless the machine dropped as many.`;

/** Share of periods that is to be held. */
const GOAL = 0.999;
/** Time to the first flight, ms. */
const SETTLE_MS = 4000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '2' },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
if (!(seconds >= 1 && seconds <= 3600) || !(Number.isInteger(rounds) && rounds > 0)) {
  console.error(USAGE);
  process.exit(2);
}

/** Programs that never sleep, one per core. */
function makeBusy(count: number): ChildProcess[] {
  return Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
}

async function end(children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

/** What the loop and the empty grid beside it did. */
interface Held {
  periods: number;
  dropped: number;
  readonly causes: number[];
  gridPeriods: number;
  gridDropped: number;
  gridLatest_s: number;
}

const nothing = (): Held => ({
  periods: 0,
  dropped: 0,
  causes: MISS_CAUSES.map(() => 0),
  gridPeriods: 0,
  gridDropped: 0,
  gridLatest_s: 0,
});

async function measure(busy: boolean, into: Held): Promise<void> {
  const rig = await startRig('virtual', 'ws', () => undefined, 'battery-box-insertion');
  let children: ChildProcess[] = [];
  try {
    rig.fly(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    if (busy) children = makeBusy(availableParallelism());
    const { slots } = new LoopCounters(rig.runtime.shared.loopCounters);
    const before = slots.slice();
    const { period_s, realtime_priority } = rig.settings.loop;
    const grid = await measureLateness({
      seconds,
      period_s,
      spin_s: 0,
      priority: realtime_priority + 1,
    });
    const since = (slot: number): number => slots[slot] - before[slot];
    const dropped = since(LoopSlot.loop_slipped_ticks_total);
    into.periods += since(LoopSlot.loop_ticks_total) + dropped;
    into.dropped += dropped;
    MISS_CAUSES.forEach((_, k) => (into.causes[k] += since(LoopSlot.loop_overruns_total + k)));
    into.gridPeriods += grid.executed + grid.slipped;
    into.gridDropped += grid.slipped;
    into.gridLatest_s = Math.max(into.gridLatest_s, grid.max_s);
  } finally {
    await end(children);
    await rig.close();
  }
}

const percent = (part: number, all: number): string => `${(100 * (1 - part / all)).toFixed(3)} %`;

console.log(
  `${availableParallelism()} cores, Linux ${release()}, Node ${process.version}; load ${loadavg()[0].toFixed(1)} before`,
);
const variants = [
  { name: 'alone', busy: false, held: nothing() },
  { name: `beside ${availableParallelism()} busy programs`, busy: true, held: nothing() },
];
for (let round = 0; round < rounds; round++) {
  for (const { busy, held } of variants) await measure(busy, held);
}
const rows = variants.map(({ name, held }) => [
  name,
  `${held.periods}`,
  percent(held.dropped, held.periods),
  `${held.dropped}`,
  MISS_CAUSES.flatMap((cause, k) => (held.causes[k] > 0 ? [`${cause} ${held.causes[k]}`] : []))
    .join(', ')
    .trim(),
  percent(held.gridDropped, held.gridPeriods),
  `${held.gridDropped}`,
  (1e3 * held.gridLatest_s).toFixed(1),
]);
const head = ['periods', 'held', 'dropped', 'ticks that missed, by cause'];
const grid = ['empty grid: held', 'dropped', 'latest, ms'];
console.log(`\n${formatTable(['the service', ...head, ...grid], rows)}`);
const { held } = variants[1];
const machine = held.gridDropped / held.gridPeriods;
const share = held.dropped / held.periods;
if (share > 1 - GOAL && share > 2 * machine) {
  console.error(`Less than ${100 * GOAL} % of the periods were held beside busy programs`);
  process.exitCode = 1;
}
