/**
 * Speed of studies (`npm run bench:study`): what a run costs beside the bare steps of `berth simulate`, runs a second on one and two processes, and how
 * plan and merge grow with the number of runs. Blocks of the candidates take turns, and the best block of each counts: a busy machine hits all of them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compileScenario } from '../config/compile.ts';
import { contactKernels } from '../config/contact-kernels.ts';
import { loadScenario } from '../config/scenario.ts';
import { loadStudy } from '../config/study.ts';
import { makeManifest, type Manifest } from '../server/cli/study/manifest.ts';
import { writeTable } from '../server/cli/study/merged-table.ts';
import { PartWriter, readResults } from '../server/cli/study/results.ts';
import type { StudyTask } from '../server/cli/study/run-point.ts';
import { StudyChild } from '../server/cli/study/study-child.ts';
import { summarize } from '../server/cli/study/summary.ts';
import { makeSystem } from '../src/system/system.ts';
import { formatTable } from '../test/fixtures/table.ts';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '12' },
    most: { type: 'string', default: '100000' },
  },
});
const BLOCKS = Number(values.blocks);
const MOST = Number(values.most);
/** Runs in a block: some tenths of a second. */
const BALL_RUNS = 10;
const BOX_RUNS = 2;

const BALL: StudyTask = {
  scenario: 'ball-on-table',
  until_s: 0.05,
  quantities: [{ name: 'peak', of: 'most', column: 'ball-table.normal_force_N' }],
};
const BOX: StudyTask = {
  scenario: 'battery-box-insertion',
  until_s: null,
  quantities: [{ name: 'peak', of: 'most', column: 'box-site.normal_force_N' }],
};

/** The run as berth simulate does it, without rows: load, compile, step, check. */
function bare({ scenario, until_s }: StudyTask): number {
  const system = makeSystem(compileScenario(loadScenario(scenario)), contactKernels());
  const dt = system.model.step;
  const steps = Math.round((until_s ?? system.model.duration) / dt);
  for (let n = 0; n < steps; n++) {
    if (system.step(dt) !== 0) throw new Error('the step failed');
    if (system.penetrations.length + system.crossings.length > 0) throw new Error('through');
  }
  return system.time;
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

const children = [new StudyChild(), new StudyChild()];
const rows: string[][] = [];
for (const [task, runs] of [
  [BALL, BALL_RUNS],
  [BOX, BOX_RUNS],
] as const) {
  const candidates = [
    (): Promise<void> => {
      for (let n = 0; n < runs; n++) bare(task);
      return Promise.resolve();
    },
    (): Promise<void> => lanes(children.slice(0, 1), task, runs),
    (): Promise<void> => lanes(children, task, runs),
  ];
  const best = candidates.map(() => Infinity);
  // the first block of each compiles
  for (let block = 0; block <= BLOCKS; block++) {
    for (const [i, candidate] of candidates.entries()) {
      const start = performance.now();
      await candidate();
      if (block > 0) best[i] = Math.min(best[i], (performance.now() - start) / runs);
    }
  }
  const [alone, one, two] = best;
  rows.push([
    task.scenario,
    alone.toFixed(1),
    one.toFixed(1),
    (one - alone).toFixed(1),
    (1000 / one).toFixed(1),
    (2000 / two).toFixed(1),
    (one / two).toFixed(2),
  ]);
}
for (const child of children) child.stop();
const heads = [
  'scenario',
  'bare, ms',
  'study, ms',
  'more, ms',
  '1 process, /s',
  '2, /s',
  'efficiency',
];
console.log(formatTable(heads, rows));

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

const growth: string[][] = [];
for (let runs = 1000; runs <= MOST; runs *= 10) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-study-'));
  try {
    const times = [performance.now()];
    const manifest = planOf(folder, runs);
    times.push(performance.now());
    const writer = new PartWriter(folder, 'part');
    for (const [i, { id }] of manifest.runs.entries())
      writer.add({
        id,
        build: manifest.build,
        machine: 'm',
        reason: null,
        hash: id,
        quantities: [i],
      });
    times.push(performance.now());
    const results = readResults(folder, manifest);
    await writeTable(folder, manifest, results, runs);
    summarize(manifest, results);
    times.push(performance.now());
    growth.push([
      String(runs),
      ...[1, 2, 3].map((i) => ((1000 * (times[i] - times[i - 1])) / runs).toFixed(1)),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
console.log(formatTable(['runs', 'plan, µs a run', 'write, µs a run', 'merge, µs a run'], growth));
console.log(`load ${loadavg()[0].toFixed(1)}`);
