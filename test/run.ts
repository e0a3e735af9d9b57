/**
 * Runs the test suite: every `*.test.*` beside this file under Node's test runner, in groups
 * that share a process (file-groups.ts). Some tests need a quiet machine and run only by name, one
 * at a time: tests on the wall clock (`test/wall/`), tests in a browser (`test/browser/`), which need more than Node, flights, floods and loop workers of a minute
 * (`test/flight/`), and long measurements of allocation (`*allocation*`). Draws of many samples (`*.long.test.*`) run by name too. Tests of
 * the server (`test/server/` without the published cases) and whatever else starts services, threads or processes or waits on the machine's
 * clock (file-groups.ts) run by `--services`.
 *
 * A file of these kinds (wall, browser, flight, services) that fails while the machine is loaded or stalls is tried again, once and
 * by itself. Load and stalls are measured beside it and printed, and so is every second try. A failure on a quiet machine is final.
 *
 * Usage: run [--services | name-part …] — only files whose path contains one of the parts.
 */
import { readdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { StallMeter } from './fixtures/stall-meter.ts';
import { planProcesses, startsOrWaits, type TestProcess } from './file-groups.ts';

/** Time limit of a test file, ms. */
const TIMEOUT_MS = 600_000;
const SLOWEST = 10;
/** Two more than there are cores: some wait while others compute. */
const PROCESSES = availableParallelism() + 2;
/** From here on a stall may be why a test of the wall clock failed, s: a HOLD follows an overrun of 25 ms. */
const STALL_S = 0.02;

const here = dirname(fileURLToPath(import.meta.url));
const parts = process.argv.slice(2);
const BY_NAME = /^(browser|flight|wall)[/]|allocation|[.]long[.]test/;
const SERVER = /^server[/](?!validation[/])/;
const ON_CLOCK = /^(wall|browser|flight)[/]/;

function ofServices(path: string): boolean {
  return SERVER.test(path) || startsOrWaits(join(here, path));
}

function isChosen(path: string): boolean {
  if (parts.length === 0) return !BY_NAME.test(path) && !ofServices(path);
  if (parts[0] === '--services') return !BY_NAME.test(path) && ofServices(path);
  return parts.some((part) => path.includes(part));
}

const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((path) => /[.]test[.](ts|js)$/.test(path) && isChosen(path))
  .sort()
  .map((path) => join(here, path));
const alone = files.filter((path) => /[/](wall|browser|flight|allocation)[/]/.test(path));
const wallClock = new Set(
  files.filter((file) => {
    const path = relative(here, file);
    return ON_CLOCK.test(path) || ofServices(path);
  }),
);
const others = files.filter((path) => !alone.includes(path));

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const total: Tally = { passed: 0, failed: 0, skipped: 0 };
/** Of every file, s. */
const times = new Map<string, number>();

/** The file, or the group with its files. */
function nameOf({ entry, files }: TestProcess): string {
  const names = files.map((file) => relative(here, file));
  return names.length === 1 ? names[0] : `${basename(entry, '.mjs')} (${names.join(', ')})`;
}

/** Runs the processes. @returns what became of each file */
async function runProcesses(
  processes: readonly TestProcess[],
  concurrency: number,
): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>();
  for (const file of processes.flatMap((each) => each.files)) {
    tallies.set(file, { passed: 0, failed: 0, skipped: 0 });
  }
  const byEntry = new Map(processes.map((each) => [each.entry, each]));
  const silent = new Set(tallies.keys());
  const broken: TestProcess[] = [];
  /** Of the file of a test; of the process where a test is of no file of it. */
  const tallyOf = (file: string | undefined): Tally => {
    silent.delete(file ?? '');
    return tallies.get(file ?? '') ?? total;
  };
  const stream = run({ files: [...byEntry.keys()], concurrency, timeout: TIMEOUT_MS });
  stream.on('test:pass', ({ name, file, skip, details }) => {
    if (byEntry.has(name)) return; // a process that reported no test
    const tally = tallyOf(file);
    if (skip !== undefined && skip !== false) tally.skipped++;
    else if (details.type !== 'suite') tally.passed++;
  });
  stream.on('test:fail', ({ name, file, details }) => {
    if (byEntry.has(name)) return;
    const tally = tallyOf(file);
    if (details.type !== 'suite') tally.failed++;
  });
  stream.on('test:complete', ({ name, nesting, details }) => {
    const each = byEntry.get(name);
    const seconds = details.duration_ms / 1000;
    if (each === undefined) {
      // the suite of a file in a group, its hooks included
      const path = join(here, name);
      if (nesting === 0 && tallies.has(path)) times.set(path, seconds);
      return;
    }
    if (each.files.length === 1) times.set(each.files[0], seconds);
    if (details.error !== undefined) broken.push(each);
  });
  const report = stream.compose(new spec()) as unknown as AsyncIterable<string>;
  for await (const chunk of report) process.stdout.write(chunk);
  for (const file of silent) {
    console.log(`${relative(here, file)}: no test was reported`);
    tallies.get(file)!.failed++;
  }
  for (const each of broken) {
    console.log(`failed: ${nameOf(each)}`);
    // a hook, or an error outside the tests
    if (each.files.every((file) => tallies.get(file)!.failed === 0)) {
      tallies.get(each.files[0])!.failed++;
    }
  }
  return tallies;
}

function count(tally: Tally): void {
  total.passed += tally.passed;
  total.failed += tally.failed;
  total.skipped += tally.skipped;
}

const retries: string[] = [];

/** A second try of a file of the wall clock that failed beside this load. */
async function tryAgain(file: string, failed: number, seen: string): Promise<void> {
  const name = relative(here, file);
  console.log(`${name}: ${failed} failed, ${seen}: tried again`);
  const meter = new StallMeter();
  const second = (await runProcesses([{ entry: file, files: [file] }], 1)).get(file)!;
  const again = `load ${loadavg()[0].toFixed(1)}, longest stall ${(1000 * meter.take_s()).toFixed(0)} ms`;
  meter.close();
  count(second);
  const outcome = second.failed === 0 ? 'passed' : `${second.failed} failed`;
  retries.push(`${name}: first try ${failed} failed (${seen}); second try ${outcome} (${again})`);
}

/** Runs and counts; a file of the wall clock that fails on a loaded machine gets a second try, by itself. */
async function runFiles(processes: readonly TestProcess[], concurrency: number): Promise<void> {
  const meter = new StallMeter();
  const tallies = await runProcesses(processes, concurrency);
  const stall_s = meter.take_s();
  meter.close();
  const [load] = loadavg();
  const cores = availableParallelism();
  const seen = `load ${load.toFixed(1)} on ${cores} cores, longest stall ${(1000 * stall_s).toFixed(0)} ms`;
  for (const [file, tally] of tallies) {
    const { failed } = tally;
    if (failed > 0 && wallClock.has(file)) {
      if (stall_s >= STALL_S || load >= cores) {
        await tryAgain(file, failed, seen);
        continue;
      }
      const name = relative(here, file);
      console.log(`${name}: ${failed} failed on a quiet machine (${seen}): no second try`);
    }
    count(tally);
  }
}

if (others.length > 0) {
  const { processes, close } = planProcesses(here, others);
  await runFiles(processes, PROCESSES);
  close();
}
for (const file of alone) await runFiles([{ entry: file, files: [file] }], 1);
if (total.passed + total.failed + total.skipped === 0) total.failed = 1; // a run that found nothing has not passed
if (times.size > SLOWEST) {
  const slowest = [...times].sort((a, b) => b[1] - a[1]).slice(0, SLOWEST);
  console.log(`\nThe ${SLOWEST} slowest of ${times.size} files:`);
  for (const [name, seconds] of slowest)
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${relative(here, name)}`);
}
if (wallClock.size > 0) {
  console.log(`\nTried again: ${retries.length}`);
  for (const line of retries) console.log(`  ${line}`);
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;
