/**
 * Kills of real processes and workers at random times (`npm run test:kill`): SIGKILL for the
 * service and for the robot. A worker is a thread, which no signal can end alone. Link worker and
 * recorder therefore end as in a crash, by an uncaught error of the fault injection. Exit 1 when
 * the robot came to rest late, moved on return, or a recording lost more than allowed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../../src/math/random.ts';
import { KillRig, type Outcome, PHASES, type Phase, TARGETS, type Target } from './kill-rig.ts';
import { formatTable } from '../fixtures/table.ts';

const USAGE = `Usage: node dist/test/acceptance/kill-tests.js [--count N] [--seed N]

  --count N   kills in all, targets and phases of flight in turn (default 200)
  --seed N    of the times (default: another at every run)`;

/** Longest wait after a phase was reached, s: the way up or down of a free flight, a press, an ARMING. */
const LONGEST_S: Readonly<Record<Phase, number>> = { free: 0.35, contact: 1, arming: 0.15 };

const { values } = parseArgs({
  options: { count: { type: 'string', default: '200' }, seed: { type: 'string' } },
});
const count = Number(values.count);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  console.error(USAGE);
  process.exit(2);
}

interface Kill extends Outcome {
  readonly target: Target;
  readonly phase: Phase;
}

const random = new Random(seed);
const fraction = (): number => random.nextUint32() / 2 ** 32;
const folder = mkdtempSync(join(tmpdir(), 'berth-kills-'));
let rig = new KillRig(folder);
/**
 * A machine that stands still may cost so many trials: before their kill has been judged, or because what the wall clock judges fell
 * into a stall that was counted. They are made again.
 */
let spare = 2 + Math.floor(count / 20);
/** Why each of them was. */
const repeated: string[] = [];
/** A stall that spoils what the wall clock judges, s. */
const STALL_S = 0.1;
const kills: Kill[] = [];
let complained = 0;
console.log(`${count} kills, seed ${seed}`);
try {
  await rig.start();
  for (let i = 0; i < count; i++) {
    const target = TARGETS[i % TARGETS.length];
    const phase = PHASES[Math.floor(i / TARGETS.length) % PHASES.length];
    const wait_s = fraction() * LONGEST_S[phase];
    let outcome: Outcome;
    try {
      outcome = await rig.trial(target, phase, wait_s);
      const { late, stall_s } = outcome;
      if (late.length > 0 && stall_s >= STALL_S && spare > 0) {
        spare--;
        again(i, target, phase, `of a stall of ${stall_s.toFixed(2)} s: ${late.join('; ')}`);
        i--;
        continue;
      }
    } catch (error) {
      again(i, target, phase, `it was not judged: ${String(error).slice(0, 400)}`);
      if (spare-- === 0) throw error;
      await rig.end();
      rig = new KillRig(folder);
      await rig.start();
      i--;
      continue;
    }
    kills.push({ target, phase, ...outcome });
    const { rest, lost_s, motions } = outcome;
    const complaints = [...outcome.complaints, ...outcome.late];
    const parts = [
      `${i + 1}: ${target}, ${phase} + ${wait_s.toFixed(3)} s`,
      rest === null ? 'nothing to stop' : `rest ${rest.took_s.toFixed(3)} s`,
      ...(lost_s === null ? [] : [`tail ${lost_s.toFixed(2)} s`]),
      ...(motions === 0 ? [] : [`${motions} MOTIONS`]),
    ];
    console.log(parts.join(', '));
    for (const complaint of complaints) console.log(`   ${complaint}`);
    if (complaints.length > 0 || motions > 0) complained++;
  }
} finally {
  await rig.end();
  rmSync(folder, { recursive: true });
}
console.log(`\n${report()}\n\n${complained} of ${kills.length} kills not as they must be`);
console.log(`${repeated.length} kills made again${repeated.map((why) => `\n   ${why}`).join('')}`);
process.exitCode = complained === 0 && kills.length === count ? 0 : 1;

function again(i: number, target: Target, phase: Phase, why: string): void {
  const kill = `${i + 1}: ${target}, ${phase}`;
  console.log(`${kill}: again, because ${why}`);
  repeated.push(`${kill}: because ${why.split('\n', 1)[0]}`);
}

function report(): string {
  const rows = TARGETS.map((target) => {
    const mine = kills.filter((kill) => kill.target === target);
    const tally = PHASES.map((phase) => mine.filter((kill) => kill.phase === phase).length);
    const rests = mine.flatMap(({ rest }) => (rest === null ? [] : [rest]));
    rests.sort((a, b) => b.took_s - a.took_s);
    const closest = Math.max(...rests.map(({ took_s, bound_s }) => took_s / bound_s));
    const tails = mine.flatMap(({ lost_s }) => (lost_s === null ? [] : [lost_s]));
    const none = '–';
    return [
      target,
      String(mine.length),
      tally.join(' / '),
      String(mine.filter(({ moving }) => moving).length),
      rests.length === 0 ? none : `${rests[0].took_s.toFixed(3)} of ${rests[0].bound_s.toFixed(3)}`,
      rests.length === 0 ? none : closest.toFixed(2),
      tails.length === 0 ? none : Math.max(...tails).toFixed(2),
      String(mine.reduce((sum, { motions }) => sum + motions, 0)),
    ];
  });
  const head = [
    'killed',
    'times',
    PHASES.join(' / '),
    'in motion',
    'longest time to rest, s, and its bound',
    'closest to the bound',
    'worst tail lost, s (≤ 1)',
    'motions on return',
  ];
  return formatTable(head, rows);
}
