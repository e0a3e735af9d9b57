/**
 * Soak test on the virtual clock (`npm run soak:virtual -- --hours N`; hil-anchors 9.4, test 52):
 * loop, protocol and robot for hours of their own time in minutes of the machine's. 0.5 % of the
 * frames are lost in each direction, with a contact every two seconds. At times the loop wakes up
 * to 150 ms late while the robot goes on. Every tick, every stop and the energy of every contact
 * are accounted for; memory is judged per hour of the loop. Except for memory, runs of equal length
 * are equal. Exit 1 when a limit is broken.
 */
import { parseArgs } from 'node:util';
import { Random } from '../../src/math/random.ts';
import { stopCause, Tapping } from '../fixtures/tapping.ts';
import { HeapCollector } from './collect-heaps.ts';
import {
  CREATED_SHARE,
  EXPECTED,
  judgeSlope,
  MB_PER_HOUR,
  undecided,
  verdictWord,
  WARM_MIN,
} from './soak-judgement.ts';
import { fitSlope, writeSection } from './soak-report.ts';
import { formatVerdicts } from './markdown.ts';

const USAGE = `Usage: npm run soak:virtual -- [--hours N] [--report FILE]

  --hours N      length on the virtual clock (default 8)
  --report FILE  put the result into a page, too`;

const TICKS_PER_MIN = 60_000;
const SAMPLE_MIN = 5;
/** Mean time between two stalls, ticks, and how long they are, periods. */
const STALL_EVERY = 20_000;
const STALL_LEAST = 5;
const STALL_MOST = 150;
const SEED = 52;

async function soak(hours: number): Promise<[text: string, acceptance: string, kept: boolean]> {
  const tapping = new Tapping('model');
  const { rig } = tapping;
  const { timing } = rig;
  const random = new Random(SEED);
  const period_us = 1e6 * rig.settings.loop.period_s;
  const begin_us = rig.clock.now_us();
  const before = timing.executed;
  const heaps = new HeapCollector();
  const causes = new Map<string, number>();
  const at_h: number[] = [];
  const kept_MB: number[] = [];
  let stalls = 0;
  let stalled = 0;
  for (let minute = SAMPLE_MIN; minute <= 60 * hours; minute += SAMPLE_MIN) {
    while (timing.period < minute * TICKS_PER_MIN) {
      if (random.uniform() * STALL_EVERY < 1) {
        const periods = STALL_LEAST + Math.floor(random.uniform() * (STALL_MOST - STALL_LEAST));
        tapping.stall(periods);
        stalls++;
        stalled += periods;
      }
      tapping.step();
    }
    for (const transition of rig.transitions) {
      const cause = stopCause(transition);
      if (cause === null) continue;
      const key = `${transition.to} ${cause === '' ? 'UNEXPLAINED' : cause}`;
      causes.set(key, (causes.get(key) ?? 0) + 1);
    }
    for (const told of [rig.transitions, rig.answers, rig.overruns]) told.length = 0;
    await heaps.collect();
    at_h.push(minute / 60);
    kept_MB.push(process.memoryUsage.rss() / 1e6);
    console.log(
      `${(minute / 60).toFixed(2)} h: ${timing.executed} ticks, ${timing.slippedTotal} slipped, ${tapping.contacts} contacts, ` +
        `${(100 * tapping.share).toFixed(3)} % created, ${kept_MB.at(-1)!.toFixed(1)} MB`,
    );
  }
  heaps.close();
  const from = at_h.findIndex((at) => 60 * at >= WARM_MIN);
  const { slope, error } = fitSlope(at_h.slice(from), kept_MB.slice(from));
  const executed = timing.executed - before;
  const elapsed = Math.floor((rig.clock.now_us() - begin_us) / period_us);
  const unaccounted = elapsed - executed - timing.slippedTotal;
  const unexpected = [...causes.keys()].filter(
    (key) => !EXPECTED.some((cause) => key.endsWith(` ${cause}`)),
  );
  const taken = `${tapping.won_J.toPrecision(3)} J of ${tapping.in_J.toPrecision(3)} J: ${(100 * tapping.share).toFixed(2)} %`;
  const sum = `${executed} executed + ${timing.slippedTotal} slipped = ${elapsed} periods`;
  const memory = `${slope.toFixed(2)} ± ${error.toFixed(2)} MB/h`;
  const lines: (readonly [string, string, string, boolean | null])[] = [
    [
      'memory of the process after a collection, by the hour of the loop',
      `< ${MB_PER_HOUR} MB/h`,
      `${memory} (standard error); ${kept_MB.at(-1)!.toFixed(0)} MB at the end${undecided(slope, error)}`,
      judgeSlope(slope, error, hours),
    ],
    ['ticks unaccounted for', '0', `${unaccounted} (${sum})`, unaccounted === 0],
    [
      'slipped periods that no stall explains',
      '0',
      `${timing.slippedTotal - stalled} (${stalls} stalls)`,
      timing.slippedTotal === stalled,
    ],
    [
      'energy that the loop created',
      `≤ ${100 * CREATED_SHARE} % of what contacts took`,
      `${taken}, ${tapping.contacts} contacts`,
      tapping.share <= CREATED_SHARE,
    ],
    [
      'holds and stops',
      'all by a cause that stalls or loss can have',
      [...causes].map(([key, count]) => `${key} ${count}`).join(', '),
      unexpected.length === 0,
    ],
    ['pilot', 'taps again after each', `${rig.state} at the end`, rig.state.startsWith('ACTIVE')],
  ];
  const verdicts = formatVerdicts(
    lines.map(([what, pass, measured, kept]) => [what, pass, measured, verdictWord(kept)]),
  );
  return [
    `\`npm run soak:virtual -- --hours ${hours}\`: Node ${process.version}; state at the end ${rig.system.hash()}.\n\n${verdicts}`,
    `${hours} h on the virtual clock: memory ${memory}; ${unaccounted} ticks unaccounted for; created ${taken}`,
    lines.every(([, , , kept]) => kept !== false),
  ];
}

const { values } = parseArgs({
  options: { hours: { type: 'string', default: '8' }, report: { type: 'string' } },
});
const hours = Number(values.hours);
if (!(hours >= 0.5 && hours <= 1000)) {
  console.error(USAGE);
  process.exit(2);
}
const [text, acceptance, kept] = await soak(hours);
console.log(`${text}\nacceptance 52: ${acceptance}`);
if (values.report !== undefined) writeSection(values.report, 'virtual soak', text);
process.exitCode = kept ? 0 : 1;
