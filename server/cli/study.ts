/** `berth study`: many runs of one scenario with what is uncertain in it varied, and what they note. */
import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadStudy } from '../../config/study.ts';
import { BerthError } from '../../src/base/errors.ts';
import { readWhole, refusal } from './arguments.ts';
import { endWithInput } from './end-with-input.ts';
import {
  type Manifest,
  FLOWN,
  makeManifest,
  type PlannedRun,
  readManifest,
  writeManifest,
} from './study/manifest.ts';
import { writeTable } from './study/merged-table.ts';
import { writeNotable } from './study/notable-runs.ts';
import { growPlan, mostRuns, rareEvent } from './study/rare-event.ts';
import { runOnRedis } from './study/redis-executor.ts';
import { serveRedis } from './study/redis-worker.ts';
import { PartWriter, readResults, type StudyResult } from './study/results.ts';
import { writeReport } from './study/report.ts';
import { looksOf, neededRuns } from './study/sample.ts';
import type { RunOutcome } from './study/run-point.ts';
import { summarize } from './study/summary.ts';
import { askTable } from './study/query.ts';
import { summaryLines } from './study/summary-lines.ts';
import { StudyChild } from './study/study-child.ts';
import { FlownRuns } from './study/flown-runs.ts';
import { type PoolWorker, runPool } from './study/worker-pool.ts';

export const usage = `Usage: berth study plan STUDY.yaml [-o FOLDER]
       berth study run STUDY.yaml|FOLDER [-o FOLDER] [--workers N | --redis URL] [--shard I/N]
       berth study worker --redis URL [--workers N]
       berth study status FOLDER
       berth study merge FOLDER
       berth study report FOLDER
       berth study query FOLDER SQL

Runs a scenario many times with the dispersions of a study file (docs/studies.md). plan writes the list of all runs, run does those that have no
result yet, on all cores; Ctrl-C stops it, and the same command goes on. status counts, merge writes table.csv, table.parquet and report.html, flies
the runs that stand out again as notable/*.mcap and prints means, quantiles and rates with their 95 % intervals, and which dispersion matters. run merges at its end when nothing is left; report
writes report.html alone. query asks the merged table, which is called runs, in SQL, and takes the package @duckdb/node-api.

  -o, --output FOLDER  default: the name of the study file, without .yaml
  --workers N          processes (default: one a core)
  --redis URL          give the runs to workers on any machines that reach this Redis or Valkey; worker is one of them, on all cores, until it
                       is stopped. Takes the packages bullmq and ioredis
  --hil                run: fly each run against the emulated robot, one after the other in real time; columns are those of a recording
  --script NAME|FILE   with --hil: as for berth fly
  --config FILE        with --hil: settings of the services, such as period and limits (default: config/berth.yaml)
  --attempts N         with --hil: flights of a run at most, until one comes to its goal (default 1)
  --child              run: end when standard input closes
  --shard I/N          only runs I, I + N, I + 2 N …, I from 0, for batch systems; each part may run on another machine`;

/** Time between two lines of progress where no terminal is, ms. */
const QUIET_MS = 10_000;
const MOST_ATTEMPTS = 100;

function folderOf(target: string, output: string | undefined): string {
  return (
    output ?? (/[.]ya?ml$/i.test(target) ? basename(target).replace(/[.]ya?ml$/i, '') : target)
  );
}

/** Makes the manifest of a study file, or reads that of a folder. Results of runs that a changed file no longer has stay, and do not count. */
function plan(target: string, folder: string, flown = false): Manifest {
  if (!/[.]ya?ml$/i.test(target)) return readManifest(folder);
  const manifest = makeManifest(loadStudy(target), flown);
  writeManifest(folder, manifest);
  return manifest;
}

function shardOf(text: string | undefined): { readonly part: number; readonly parts: number } {
  if (text === undefined) return { part: 0, parts: 1 };
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (parts > 0 && part < parts) return { part, parts };
  throw refusal('--shard', text, 'I/N with I from 0 to N − 1');
}

/** Says how far a run is: in place on a terminal, else now and then. */
class Progress {
  readonly #total: number;
  readonly #of: string;
  readonly #began = performance.now();
  #done = 0;
  #written = this.#began;

  /** @param isMost it may take fewer */
  constructor(total: number, isMost: boolean) {
    this.#total = total;
    this.#of = isMost ? 'of at most' : 'of';
  }

  step(): void {
    this.#done++;
    const now = performance.now();
    const terminal = process.stderr.isTTY;
    const last = this.#done === this.#total;
    if (!last && now - this.#written < (terminal ? 100 : QUIET_MS)) return;
    this.#written = now;
    const rate = (1000 * this.#done) / (now - this.#began);
    const left_s = Math.ceil((this.#total - this.#done) / rate);
    const words = `${this.#done} ${this.#of} ${this.#total} runs, ${rate.toFixed(1)} a second, ${left_s} s left`;
    if (terminal) process.stderr.write(`\r${words}\u001b[K${last ? '\n' : ''}`);
    else console.error(words);
  }

  /** The line of a terminal ends. */
  end(): void {
    if (process.stderr.isTTY && this.#done > 0 && this.#done < this.#total)
      process.stderr.write('\n');
  }
}

/** Writes table and report of what is there, and prints the figures. */
async function merge(
  folder: string,
  manifest: Manifest,
  results: ReadonlyMap<string, StudyResult>,
): Promise<void> {
  await writeTable(folder, manifest, results, neededRuns(manifest, results));
  const summary = summarize(manifest, results);
  if (!manifest.build.endsWith(FLOWN))
    await writeNotable(folder, manifest, results, summary, console.error);
  const report = writeReport(folder, manifest, results, summary);
  console.log(
    `${summary.runs} of ${manifest.runs.length} runs in ${join(folder, 'table.csv')} and table.parquet, ${summary.failed} without a value`,
  );
  for (const line of summaryLines(manifest, summary)) console.log(line);
  console.log(`report: ${report}`);
}

/** Where the runs are done. */
interface Executor {
  readonly workers: number;
  readonly redis: string | undefined;
  /** Script of the flights, where runs are flown; '' for that of the scenario. */
  readonly script: string | null;
  /** Settings of their services; undefined for the default ones. */
  readonly config: string | undefined;
  /** Flights of a run at most. */
  readonly attempts: number;
}

/** Comes with the first Ctrl-C or SIGTERM; the second ends the process. */
function stopSignal(): { readonly signal: AbortSignal; readonly release: () => void } {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  return {
    signal: stop.signal,
    release: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
}

/** `berth study worker`. */
async function work({ redis, workers }: Pick<Executor, 'redis' | 'workers'>): Promise<number> {
  if (redis === undefined) throw refusal('--redis', '', 'redis://HOST:PORT, with worker');
  const { signal, release } = stopSignal();
  const ended = await serveRedis({ url: redis, workers, signal, note: console.error });
  release();
  return ended ? 0 : 1;
}

/** A plan, and all results that there are, those of other processes included. */
interface Done {
  readonly manifest: Manifest;
  readonly results: ReadonlyMap<string, StudyResult>;
}

/** Does the runs without a result, up to the number after which the study has enough, and those that follow from results. */
async function runRest(
  folder: string,
  planned: Manifest,
  executor: Executor,
  { part, parts }: { readonly part: number; readonly parts: number },
): Promise<Done> {
  const machine = hostname();
  const writer = new PartWriter(folder, `${machine}-${randomUUID()}`);
  const { scenario, until_s, quantities, end_when, build } = planned;
  const { signal, release } = stopSignal();
  let manifest = planned;
  let results: ReadonlyMap<string, StudyResult> = readResults(folder, manifest);
  const mine = Math.ceil((mostRuns(manifest) - part) / parts);
  const has = ({ id }: PlannedRun, run: number): boolean => run % parts === part && results.has(id);
  const isRare = manifest.design.kind === 'subset';
  const progress = new Progress(mine - manifest.runs.filter(has).length, isRare);
  const add = (run: number, outcome: RunOutcome, where: string): void =>
    writer.add({ id: manifest.runs[run].id, build, machine: where, ...outcome });
  const onOutcome = (run: number, outcome: RunOutcome, where = machine): void => {
    add(run, outcome, where);
    progress.step();
  };
  const common = { task: { scenario, until_s, quantities, end_when }, signal, onOutcome };
  const { script, config, attempts } = executor;
  const children: PoolWorker[] =
    script === null
      ? Array.from({ length: executor.workers }, () => new StudyChild())
      : [new FlownRuns(join(folder, 'flown'), script, config, attempts)];
  let from = 0;
  try {
    for (let more: Manifest | null = manifest; more !== null; more = growPlan(manifest, results)) {
      if (more !== manifest) {
        manifest = more;
        writeManifest(folder, manifest);
        results = readResults(folder, manifest);
      }
      for (const to of looksOf(manifest)) {
        if (signal.aborted || neededRuns(manifest, results) <= from) break;
        const next = manifest.runs
          .map(({ id, changes }, run) => ({ run, id, changes }))
          .slice(from, to)
          .filter(({ id, run }) => run % parts === part && !results.has(id));
        if (executor.redis === undefined) await runPool(next, children, common);
        else if (next.length > 0) {
          const url = executor.redis;
          await runOnRedis(next, { ...common, url, build, onSecond: add, note: console.error });
        }
        results = readResults(folder, manifest);
        from = to;
      }
      if (signal.aborted) break;
    }
  } finally {
    for (const child of children) child.stop();
    release();
  }
  progress.end();
  if (signal.aborted) console.error('stopped; the same command goes on with the rest');
  return { manifest, results };
}

/** Has every run that the study is made of a result? */
function isComplete(manifest: Manifest, results: ReadonlyMap<string, StudyResult>): boolean {
  if (manifest.design.kind === 'subset') return rareEvent(manifest, results) !== null;
  return manifest.runs.slice(0, neededRuns(manifest, results)).every(({ id }) => results.has(id));
}

/** Runs the command. @returns exit code */
export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      output: { type: 'string', short: 'o' },
      workers: { type: 'string' },
      redis: { type: 'string' },
      shard: { type: 'string' },
      child: { type: 'boolean', default: false },
      hil: { type: 'boolean', default: false },
      script: { type: 'string' },
      config: { type: 'string' },
      attempts: { type: 'string' },
    },
  });
  const [verb, target, ...further] = positionals;
  const [sql, ...extra] = verb === 'query' ? further : ['', ...further];
  if (values.hil && (values.redis !== undefined || values.workers !== undefined))
    throw new BerthError(
      'BERTH_USAGE',
      '--hil flies one run after the other; leave out --redis and --workers',
    );
  if ((values.script ?? values.config ?? values.attempts) !== undefined && !values.hil)
    throw new BerthError(
      'BERTH_USAGE',
      '--script, --config and --attempts are of flights: give --hil',
    );
  const executor: Executor = {
    redis: values.redis,
    config: values.config,
    attempts:
      values.attempts === undefined
        ? 1
        : readWhole('--attempts', values.attempts, 1, MOST_ATTEMPTS),
    script: values.hil ? (values.script ?? '') : null,
    workers:
      values.workers === undefined
        ? availableParallelism()
        : readWhole('--workers', values.workers, 1, 1024),
  };
  if (verb === 'worker' && target === undefined) return work(executor);
  if (verb === undefined || target === undefined || sql === undefined || extra.length > 0) {
    throw new BerthError(
      'BERTH_USAGE',
      `expected a verb and a study${verb === 'query' ? ', and one question in SQL' : ''}, got ${positionals.length} words`,
    );
  }
  const folder = folderOf(target, values.output);
  if (values.child) endWithInput('SIGINT');
  switch (verb) {
    case 'plan': {
      const { runs } = plan(target, folder);
      console.log(`${runs.length} runs in ${join(folder, 'manifest.json')}`);
      return 0;
    }
    case 'run': {
      const shard = shardOf(values.shard);
      const planned = plan(target, folder, values.hil);
      if (planned.build.endsWith(FLOWN) !== values.hil)
        throw new BerthError(
          'BERTH_MISMATCH',
          `the plan of "${folder}" is ${values.hil ? 'not ' : ''}of flights: run it with${values.hil ? 'out' : ''} --hil`,
        );
      if (planned.design.kind === 'subset' && shard.parts > 1)
        throw refusal(
          '--shard',
          values.shard ?? '',
          'a design of which all runs are planned, not subset',
        );
      const { manifest, results } = await runRest(folder, planned, executor, shard);
      const complete = isComplete(manifest, results);
      if (complete) await merge(folder, manifest, results);
      return complete || values.shard !== undefined ? 0 : 1;
    }
    case 'status': {
      const manifest = readManifest(folder);
      const results = [...readResults(folder, manifest).values()];
      const failed = results.filter(({ reason }) => reason !== null).length;
      console.log(
        `${results.length} of ${manifest.runs.length} runs have a result, ${failed} of them without a value`,
      );
      return 0;
    }
    case 'merge': {
      const manifest = readManifest(folder);
      await merge(folder, manifest, readResults(folder, manifest));
      return 0;
    }
    case 'report': {
      const manifest = readManifest(folder);
      const results = readResults(folder, manifest);
      console.log(writeReport(folder, manifest, results, summarize(manifest, results)));
      return 0;
    }
    case 'query': {
      for (const line of await askTable(folder, sql)) console.log(line);
      return 0;
    }
    default:
      throw new BerthError(
        'BERTH_USAGE',
        `berth study has no "${verb}"; allowed: plan, run, worker, status, merge, report, query`,
      );
  }
}
