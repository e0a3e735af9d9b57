/**
 * Soak test (`npm run soak -- --minutes N`; hil-anchors 9.4, test 52, and the wall-clock figures of
 * tests 5 and 6): service, robot with 0.5 % of its frames lost in each direction, a pilot that
 * makes a contact every two seconds, viewers that join and leave, scrapes of /metrics, and a
 * recording, for hours. Memory, created energy, ticks and holds must keep their limits; lateness is
 * reported and not judged. Exit 1 when a limit is broken, 2 on wrong use.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { COMPENSATIONS } from '../../hil/contract/commands.ts';
import { LOOP_MODES, type LoopModeName } from '../../hil/contract/codes.ts';
import { Accounting } from '../fixtures/accounting.ts';
import { HeapCollector } from './collect-heaps.ts';
import { startRig } from '../fixtures/rig.ts';
import { RowFigures } from './soak-figures.ts';
import { HoldExplanations } from './soak-holds.ts';
import { type CompensationName, type Judged, ROBOT, judge } from './soak-judgement.ts';
import { writeSection } from './soak-report.ts';
import type { Viewed } from './soak-viewers.ts';

const USAGE = `Usage: npm run soak -- [--minutes N] [--mode MODE] [--compensation C] [--report FILE]

  --minutes N       length (default 10; the long run is 480)
  --mode MODE       virtual or hardware (default hardware)
  --compensation C  of the delay: ${COMPENSATIONS.join(', ')} (default model)
  --report FILE     put the result into a page, too`;

const READ_MS = 100;
const SAMPLE_S = 60;
/** Memory is judged by the samples at which the heap of the link worker, too, was collected: that stops the link for milliseconds. */
const JUDGED_SAMPLES = 10;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A helper of this bench in a process of its own. */
class Companion {
  readonly process: ChildProcess;
  last = '';

  constructor(name: string, url: string, onLine: (line: string) => void) {
    const path = fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url));
    this.process = spawn(process.execPath, [...process.execArgv, path, url], {
      stdio: ['pipe', 'pipe', 'inherit'], // their input ends with this process, however that ends
    });
    createInterface({ input: this.process.stdout! }).on('line', (line) => {
      this.last = line;
      onLine(line);
    });
  }

  async end(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const closed = once(this.process, 'close');
    this.process.kill('SIGTERM');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 5000);
    await closed;
    clearTimeout(timer);
  }
}

/** Resident memory of this process, MB. */
const resident_MB = (): number => process.memoryUsage.rss() / 1e6;
const descriptors = (): number => readdirSync('/proc/self/fd').length;

async function soak(
  minutes: number,
  mode: LoopModeName,
  compensation: CompensationName,
): Promise<Judged> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-soak-'));
  const say = (text: string): void => console.log(text);
  const rig = await startRig(
    mode,
    'ws',
    (note) => say(`note: ${note}`),
    'half-sphere-on-plate',
    (s) => {
      s.energy.compensation = compensation;
      s.recording.mode = 'continuous';
      s.recording.folder = folder;
      s.recording.rotate_bytes = 50_000_000;
      s.recording.keep_bytes = 200_000_000;
    },
    ROBOT,
  );
  const figures = new RowFigures(rig.settings.loop.period_s);
  const holds = new HoldExplanations(rig.settings.loop.period_s);
  const account = new Accounting(rig.runtime, rig.settings, (row) => {
    figures.take(row);
    holds.take(row);
  });
  const heaps = new HeapCollector();
  const cuts = new Map<string, number>();
  const pilot = new Companion('soak-pilot', rig.url, (line) => {
    cuts.set(line, (cuts.get(line) ?? 0) + 1);
  });
  const viewers = new Companion('soak-viewers', rig.url, (line) => {
    if (line === 'all') figures.phase = 'watched';
    else if (line === 'none') {
      figures.phase = 'between';
      setTimeout(() => (figures.phase = 'alone'), 2000).unref(); // until the last have left
    }
  });
  const at_min: number[] = [];
  const kept_MB: number[] = [];
  let samples = 0;
  let most_MB = 0;
  const begin = performance.now();
  let fds = 0;
  try {
    for (;;) {
      await wait(READ_MS);
      account.read();
      const elapsed_s = (performance.now() - begin) / 1000;
      if (elapsed_s >= (samples + 1) * SAMPLE_S) {
        most_MB = Math.max(most_MB, resident_MB());
        samples++;
        const judged = samples % JUDGED_SAMPLES === 0;
        await heaps.collect('recorder-worker', ...(judged ? ['link-worker'] : []));
        const now_MB = resident_MB();
        if (judged) {
          at_min.push(elapsed_s / 60);
          kept_MB.push(now_MB);
        }
        if (fds === 0) fds = descriptors();
        const created_J = account.counter('loop_energy_created_joules_total');
        say(
          `${(elapsed_s / 60).toFixed(0)} min: ${account.executed} ticks, ${account.slipped} slipped, ` +
            `${account.counter('contacts_total')} contacts, ${now_MB.toFixed(1)} MB, ` +
            `${created_J.toFixed(4)} J created, ${account.violationCount} violations`,
        );
      }
      if (elapsed_s >= 60 * minutes) break;
    }
  } finally {
    await pilot.end();
    await viewers.end();
    await wait(1000);
    account.read();
    heaps.close();
    if (fds !== 0) fds = descriptors() - fds;
    await rig.close();
    rmSync(folder, { recursive: true, force: true });
  }
  account.finish();
  figures.finish();
  return judge({
    minutes,
    mode,
    compensation,
    account,
    figures,
    holds,
    viewed: viewers.last.startsWith('{') ? (JSON.parse(viewers.last) as Viewed) : null,
    at_min,
    kept_MB,
    most_MB,
    fds,
    cuts,
  });
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    mode: { type: 'string', default: 'hardware' },
    compensation: { type: 'string', default: 'model' },
    report: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const mode = LOOP_MODES.find((name) => name === values.mode && name !== 'simulation');
const compensation = COMPENSATIONS.find((name) => name === values.compensation);
if (!(minutes >= 1 && minutes <= 10_000) || mode === undefined || compensation === undefined) {
  console.error(USAGE);
  process.exit(2);
}
const { lines, text, acceptance } = await soak(minutes, mode, compensation);
console.log(text);
for (const [test, measured] of acceptance) console.log(`acceptance ${test}: ${measured}`);
if (values.report !== undefined) writeSection(values.report, 'soak', text);
const broken = lines.filter(([, , , kept]) => kept === false);
for (const [what, pass, measured] of broken) {
  console.error(`NOT KEPT: ${what}: ${measured} (pass: ${pass})`);
}
process.exitCode = broken.length > 0 ? 1 : 0;
