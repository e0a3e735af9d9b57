/**
 * Studies whose workers are killed again and again (`npm run acceptance -- --only study`): by a pool of this machine, and over Redis where redis-server is
 * installed, with Redis killed twice and a worker of another build. Exit 1 when a table is not that of one undisturbed process, byte for byte, when the
 * other build is not named, or when a study does not end.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  childrenOf,
  type Ended,
  hasRedis,
  linesIn,
  plantBuild,
  RedisProcess,
  type Running,
  startStudy,
  tablesOf,
} from '../fixtures/study-rig.ts';

const USAGE = `Usage: node dist/test/acceptance/study-kills.js [--runs N] [--kills N]

  --runs N    of the study (default 10000)
  --kills N   of workers, for each executor (default 200)`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '200' },
  },
});
const [runs, kills] = [Number(values.runs), Number(values.kills)];
if (![runs, kills].every((each) => Number.isInteger(each) && each > 0) || kills >= runs) {
  console.error(USAGE);
  process.exit(2);
}

/** Longest time of a study beside that of the undisturbed one: a kill over Redis costs the life of a lock. */
const SLOWER = 10;
const KILL_S = 30;
const folder = mkdtempSync(join(tmpdir(), 'berth-study-kills-'));
const file = join(folder, 'study.yaml');
writeFileSync(
  file,
  `name: kills
scenario: ball-on-table
until_s: 0.05 s
seed: 7
design: { kind: random, runs: ${runs} }
vary:
  - name: height_m
    fields: [bodies.ball.position_m.2]
    uniform: { low: 0.101, high: 0.11 }
  - name: restitution # above 1 it is refused: a run without a value
    fields: [contacts.ball-table.normal_law.restitution]
    uniform: { low: 0.4, high: 1.02 }
quantities:
  - { name: peak_force_N, of: most, column: ball-table.normal_force_N }
`,
);
const live = new Set<Running>();
const faults: string[] = [];

function start(args: readonly string[], main?: string): Running {
  const running = startStudy(args, main);
  live.add(running);
  void running.ended.then(() => live.delete(running));
  return running;
}

const isLive = ({ child }: Running): boolean =>
  child.exitCode === null && child.signalCode === null;

/** Calls `kill` after each equal part of the results, until the study ends. @returns how often it killed */
async function harass(
  study: Running,
  of: string,
  limit_s: number,
  kill: (n: number) => Promise<boolean>,
): Promise<number> {
  const until = performance.now() + 1000 * limit_s;
  let done = 0;
  while (isLive(study)) {
    if (performance.now() > until) {
      faults.push(`${of}: not at its end after ${limit_s.toFixed(0)} s`);
      study.child.kill('SIGKILL');
      break;
    }
    if (done < kills && linesIn(of) >= ((done + 1) * runs) / (kills + 1) && (await kill(done)))
      done++;
    await delay(20);
  }
  return done;
}

function judge(
  what: string,
  of: string,
  whole: string,
  { code, out }: Ended,
  killed: number,
): void {
  if (code !== 0) {
    faults.push(`${what}: exit ${code}: ${out.slice(-400)}`);
    return;
  }
  const [expected, found] = [tablesOf(whole), tablesOf(of)];
  const same = expected.every((bytes, i) => bytes.equals(found[i]));
  if (!same) faults.push(`${what}: its table is another one`);
  if (killed < kills) faults.push(`${what}: ${killed} kills of ${kills}`);
  console.log(`${what}: ${killed} kills, table ${same ? 'the same to the last byte' : 'differs'}`);
}

const seconds = (since: number): number => (performance.now() - since) / 1000;

try {
  const whole = join(folder, 'whole');
  let began = performance.now();
  const alone = await start(['run', file, '-o', whole, '--workers', '1']).ended;
  if (alone.code !== 0) throw new Error(alone.out);
  const alone_s = seconds(began);
  console.log(`${runs} runs by one process in ${alone_s.toFixed(0)} s`);
  const limit_s = SLOWER * alone_s + KILL_S * kills;

  const pool = join(folder, 'pool');
  began = performance.now();
  const local = start(['run', file, '-o', pool, '--workers', '2']);
  const killed = await harass(local, pool, limit_s, (n) => {
    const workers = childrenOf(local.child);
    if (workers.length === 0) return Promise.resolve(false);
    process.kill(workers[n % workers.length], 'SIGKILL');
    return Promise.resolve(true);
  });
  judge(`pool of 2, ${seconds(began).toFixed(0)} s`, pool, whole, await local.ended, killed);

  if (hasRedis()) {
    const redis = await RedisProcess.start();
    const worker = ['worker', '--redis', redis.url, '--workers', '1'];
    const shared = join(folder, 'shared');
    began = performance.now();
    const study = start(['run', file, '-o', shared, '--redis', redis.url]);
    const other = await start(worker, plantBuild(join(folder, 'other'))).ended;
    if (other.code !== 1 || !other.out.includes('its runs are left to others'))
      faults.push(`the worker of another build: exit ${other.code}: ${other.out}`);
    const workers = [start(worker), start(worker)];
    const restarts = [Math.floor(kills / 3), Math.floor((2 * kills) / 3)];
    const hits = await harass(study, shared, limit_s, async (n) => {
      if (restarts.includes(n)) await redis.restart(1000);
      const victim = workers[n % 2];
      // the process of a run, and the one that gives runs to it, in turns
      const [child] = n % 4 < 2 ? childrenOf(victim.child) : [];
      if (child === undefined) {
        victim.child.kill('SIGKILL');
        workers[n % 2] = start(worker);
      } else process.kill(child, 'SIGKILL');
      return true;
    });
    const ended = await study.ended;
    judge(`Redis, killed twice, ${seconds(began).toFixed(0)} s`, shared, whole, ended, hits);
    if (!/runs build .+; the study is planned for/.test(ended.out))
      faults.push('Redis: the other build is not named');
    for (const { child } of live) child.kill('SIGKILL');
    await redis.end();
  } else console.log('redis-server is not installed: no study over Redis');
} finally {
  for (const { child } of live) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
}
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? 'all tables are the same' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
