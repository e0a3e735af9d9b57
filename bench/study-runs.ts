/**
 * Speed of studies (`npm run bench:study`): runs a second on one and two processes, what a run costs by each executor beside `berth simulate` for the
 * same number in this process, how plan, merge, report and status grow with the number of runs, and the wall time of a study of the battery
 * box. Blocks of the candidates take turns, and the best block of each counts: a busy machine hits all of them. Processor time is that of all
 * processes that take part, over all blocks: it hardly depends on what else the machine does.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { contactKernels } from '../config/contact-kernels.ts';
import { packageRoot } from '../config/paths.ts';
import { loadSystem } from '../config/scenario.ts';
import { loadStudy } from '../config/study.ts';
import { run as simulateCommand } from '../server/cli/simulate.ts';
import {
  buildName,
  makeManifest,
  readManifest,
  writeManifest,
} from '../server/cli/study/manifest.ts';
import type { Manifest } from '../server/cli/study/manifest.ts';
import { writeTable } from '../server/cli/study/merged-table.ts';
import { runOnRedis } from '../server/cli/study/redis-executor.ts';
import { writeReport } from '../server/cli/study/report.ts';
import { PartWriter, readResults } from '../server/cli/study/results.ts';
import type { StudyTask } from '../server/cli/study/run-point.ts';
import { StudyChild } from '../server/cli/study/study-child.ts';
import { summarize } from '../server/cli/study/summary.ts';
import { childrenBelow, hasRedis, RedisProcess, startStudy } from '../test/fixtures/study-rig.ts';
import { formatTable } from '../test/fixtures/table.ts';

const PARTS = ['executors', 'redis', 'growth', 'insertion'];
const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '40' },
    most: { type: 'string', default: '100000' },
    insertions: { type: 'string', default: '1000' },
    only: { type: 'string', default: PARTS.join() },
  },
});
const BLOCKS = Number(values.blocks);
const MOST = Number(values.most);
const only = values.only.split(',');
/** Runs in a block: some hundredths of a second to half a second, over which two processes that end at different times are little. */
const BALL_RUNS = 10;
const BOX_RUNS = 4;
/** Runs over Redis: results are looked for five times a second, which is to be little beside them. */
const REDIS_RUNS = 600;

const BALL: StudyTask = {
  scenario: 'ball-on-table',
  until_s: 0.05,
  quantities: [{ name: 'peak', of: 'most', column: 'ball-table.normal_force_N' }],
  end_when: [],
};
const BOX: StudyTask = {
  scenario: 'battery-box-insertion',
  until_s: null,
  quantities: [{ name: 'peak', of: 'most', column: 'box-site.normal_force_N' }],
  end_when: [],
};

/** Load and steps alone: no number is asked for. */
function steps({ scenario, until_s }: StudyTask): number {
  const { system } = loadSystem(scenario, [], contactKernels());
  const dt = system.model.step;
  const steps = Math.round((until_s ?? system.model.duration) / dt);
  for (let n = 0; n < steps; n++) {
    if (system.step(dt) !== 0) throw new Error('the step failed');
    if (system.penetrations.length + system.crossings.length > 0) throw new Error('through');
  }
  return system.time;
}

/** `berth simulate` of the same run, for the same number, in this process. */
async function simulate({ scenario, until_s, quantities }: StudyTask): Promise<void> {
  const { log, error } = console;
  console.log = console.error = () => undefined;
  try {
    const until = until_s === null ? [] : ['--until', `${until_s}s`];
    const columns = quantities.flatMap(({ column }) => ['--columns', column]);
    const code = await simulateCommand([scenario, '--summary', ...columns, ...until]);
    if (code !== 0) throw new Error(`berth simulate ended with ${code}`);
  } finally {
    console.log = log;
    console.error = error;
  }
}

async function lanes(
  children: readonly StudyChild[],
  task: StudyTask,
  runs: number,
): Promise<void> {
  await Promise.all(
    children.map(async (child) => {
      for (let n = 0; n < runs; n++) await child.run(task, []);
    }),
  );
}

/** Processor time that this process and all that it has started have used, ms, to a tick of 10 ms for each. */
function used_ms(): number {
  const { user, system } = process.cpuUsage();
  const others = childrenBelow(process.pid).map((pid) => {
    // the name in brackets may have spaces; utime and stime are fields 14 and 15
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  });
  return (user + system) / 1000 + others.reduce((sum, each) => sum + each, 0);
}

async function executors(): Promise<void> {
  const children = [new StudyChild(), new StudyChild()];
  const rows: string[][] = [];
  for (const [task, runs] of [
    [BALL, BALL_RUNS],
    [BOX, BOX_RUNS],
  ] as const) {
    const candidates = [
      (): Promise<void> => {
        for (let n = 0; n < runs; n++) steps(task);
        return Promise.resolve();
      },
      async (): Promise<void> => {
        for (let n = 0; n < runs; n++) await simulate(task);
      },
      (): Promise<void> => lanes(children.slice(0, 1), task, runs),
      (): Promise<void> => lanes(children, task, runs),
    ];
    const best = candidates.map(() => Infinity);
    const used = candidates.map(() => 0);
    // the first blocks of each compile
    for (let block = -3; block < BLOCKS; block++) {
      for (const [i, candidate] of candidates.entries()) {
        const [start, before] = [performance.now(), used_ms()];
        await candidate();
        if (block < 0) continue;
        best[i] = Math.min(best[i], (performance.now() - start) / runs);
        used[i] += (used_ms() - before) / (BLOCKS * runs * (i === 3 ? 2 : 1));
      }
    }
    const [bare, alone, one, two] = best;
    rows.push([
      task.scenario,
      ...[bare, alone, one, one - alone].map((each) => each.toFixed(1)),
      ...[1000 / one, 2000 / two].map((each) => each.toFixed(1)),
      (one / two).toFixed(2),
      ...used.map((each) => each.toFixed(1)),
    ]);
  }
  for (const child of children) child.stop();
  const heads = [
    ...['scenario', 'steps, ms', 'simulate, ms', 'study, ms', 'more, ms', '1 process, /s', '2, /s'],
    ...['efficiency', 'steps, processor ms', 'simulate', '1 process', '2'],
  ];
  console.log(formatTable(heads, rows));
}

/** One worker over a Redis of its own: what a run costs more than in this process. */
async function overRedis(): Promise<void> {
  if (!hasRedis()) {
    console.log('redis-server is not installed: no figure over Redis');
    return;
  }
  const redis = await RedisProcess.start();
  const worker = startStudy(['worker', '--redis', redis.url, '--workers', '1']);
  const build = buildName();
  const flown = async (from: number, count: number): Promise<void> =>
    runOnRedis(
      // none a multiple of a hundred: a second time for comparison would count here
      Array.from({ length: count }, (_, i) => ({ run: 1, id: `bench${from + i}`, changes: [] })),
      {
        ...{ url: redis.url, build, task: BALL, signal: new AbortController().signal },
        ...{ onOutcome: () => undefined, onSecond: () => undefined, note: console.error },
      },
    );
  try {
    await flown(0, 100); // starts and compiles
    let [start, before] = [performance.now(), used_ms()];
    await flown(100, REDIS_RUNS);
    const [wall, used] = [performance.now() - start, used_ms() - before];
    [start, before] = [performance.now(), used_ms()];
    for (let n = 0; n < REDIS_RUNS; n++) await simulate(BALL);
    const [alone, aloneUsed] = [performance.now() - start, used_ms() - before];
    const each = (ms: number): string => (ms / REDIS_RUNS).toFixed(1);
    console.log(
      formatTable(
        ['over Redis, 1 worker', 'simulate, ms', 'study, ms', 'more, ms', 'more processor ms'],
        [[BALL.scenario, each(alone), each(wall), each(wall - alone), each(used - aloneUsed)]],
      ),
    );
  } finally {
    worker.child.kill('SIGTERM');
    await worker.ended;
    await redis.end();
  }
}

/** A plan with as many runs, of a study that is planned as any other. */
function planOf(folder: string, runs: number): Manifest {
  const file = join(folder, 'study.yaml');
  writeFileSync(
    file,
    `name: growth
scenario: ball-on-table
design: { kind: random, runs: ${runs} }
vary:
  - { name: height_m, fields: [bodies.ball.position_m.2], uniform: { low: 0.12, high: 0.13 } }
quantities:
  - { name: peak_force_N, of: most, column: ball-table.normal_force_N, limit: { most: 1e6 } }
`,
  );
  return makeManifest(loadStudy(file));
}

/** Plan, table and report of results that are there already, and their count. */
async function growth(): Promise<void> {
  const rows: string[][] = [];
  const steps: number[][] = [];
  for (let runs = 1000; runs <= MOST; runs *= 10) {
    const folder = mkdtempSync(join(tmpdir(), 'berth-bench-study-'));
    try {
      const times: number[] = [];
      let last = performance.now();
      const lap = (): void => {
        const now = performance.now();
        times.push(now - last);
        last = now;
      };
      const planned = planOf(folder, runs);
      writeManifest(folder, planned);
      lap();
      const writer = new PartWriter(folder, 'part');
      const { build } = planned;
      for (const [i, { id }] of planned.runs.entries())
        writer.add({ id, build, machine: 'm', reason: null, hash: id, quantities: [i] });
      lap();
      const manifest = readManifest(folder);
      const results = readResults(folder, manifest);
      lap(); // status
      await writeTable(folder, manifest, results, runs);
      lap();
      const summary = summarize(manifest, results);
      lap();
      writeReport(folder, manifest, results, summary);
      lap();
      steps.push(times);
      rows.push([String(runs), ...times.map((ms) => ((1000 * ms) / runs).toFixed(1))]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  const [before, end] = steps.slice(-2);
  if (end !== undefined && before !== undefined)
    rows.push(['exponent', ...end.map((ms, i) => Math.log10(ms / before[i]).toFixed(2))]);
  const heads = ['plan', 'write', 'read, status', 'table', 'figures', 'report'];
  console.log(formatTable(['runs', ...heads.map((head) => `${head}, µs a run`)], rows));
}

/** The example of the battery box with more runs, as a command. */
async function insertion(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-study-'));
  try {
    const file = join(folder, 'study.yaml');
    const text = readFileSync(join(packageRoot(), 'examples/studies/insertion.yaml'), 'utf8');
    writeFileSync(file, text.replace('runs: 128', `runs: ${values.insertions}`));
    const start = performance.now();
    const { code, out } = await startStudy(['run', file, '-o', join(folder, 'out')]).ended;
    if (code !== 0) throw new Error(out);
    const took_s = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `battery-box insertion: ${values.insertions} runs with their report in ${took_s} s`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (only.includes('executors')) await executors();
if (only.includes('redis')) await overRedis();
if (only.includes('growth')) await growth();
if (only.includes('insertion')) await insertion();
console.log(`load ${loadavg()[0].toFixed(1)}`);
