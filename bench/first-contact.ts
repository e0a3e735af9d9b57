/**
 * The first contact after a start (`npm run bench:first-contact`): ticks over 350 µs and the worst tick, in fresh processes without any
 * warm-up, and in the loop of the whole service, which warms up on a shadow. What the machine does by itself is printed beside.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Column, ROW_WIDTH } from '../hil/contract/columns.ts';
import { TelemetryRing } from '../hil/memory/ring.ts';
import { startRig } from '../test/fixtures/rig.ts';
import { formatTable } from '../test/fixtures/table.ts';
import type { FirstContact } from './first-contact-process.ts';
import { nearlySeated } from './seated-scenario.ts';

const USAGE = `Usage: npm run bench:first-contact -- [--starts N] [--only bare|loop] [--flags FLAGS]

  --starts N     of each (default 5)
  --only PART    fresh processes without the service, or the service
  --flags FLAGS  of V8, for the fresh processes`;

const LIMIT_US = 350;
/** Rows of the loop from its first contact on. */
const ROWS = 3000;
const PATIENCE_MS = 30_000;
/** Starts of the service for one measurement. */
const ATTEMPTS = 4;
const STAGES = ['rx', 'operator', 'safety', 'compensate', 'step', 'guard', 'tx'] as const;
const COLUMNS = STAGES.map((name) => Column[`stage_${name}_s`]);

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    flags: { type: 'string', default: '' },
  },
});
const starts = Number(values.starts);
if (!(Number.isInteger(starts) && starts > 0) || !['', 'bare', 'loop'].includes(values.only)) {
  console.error(USAGE);
  process.exit(2);
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const us = (value: number): string => value.toFixed(0);
const each = (list: readonly number[]): string => list.map(us).join(', ');

function bareRow(scene: string): string[] {
  const entry = fileURLToPath(
    new URL(`./first-contact-process${extname(import.meta.url)}`, import.meta.url),
  );
  const flags = values.flags.split(' ').filter((flag) => flag !== '');
  const found = Array.from({ length: starts }, () => {
    const args = [...process.execArgv, ...flags, entry, scene, String(LIMIT_US)];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as FirstContact;
  });
  return [
    `without warm-up: ${scene}`,
    each(found.map((one) => one.first_us)),
    each(found.map((one) => one.nine_us)),
    each(found.map((one) => one.worst_us)),
    each(found.map((one) => one.over)),
    each(found.map((one) => one.stalls)),
    each(found.map((one) => one.steady_us)),
  ];
}

/** What a start of the service shows. */
interface Started {
  readonly totals_us: number[];
  /** Ticks over the limit: place after the first contact, and its stages, µs. */
  readonly over: string[];
  readonly slipped: number;
}

async function startOnce(scenario: string): Promise<Started> {
  const notes: string[] = [];
  const rig = await startRig('virtual', 'ws', (note) => notes.push(note), scenario);
  try {
    const ring = new TelemetryRing(rig.runtime.shared.telemetry, ROW_WIDTH);
    const row = new Float64Array(ROW_WIDTH);
    rig.fly((line) => notes.push(line));
    const totals_us: number[] = [];
    const over: string[] = [];
    let slipped = 0;
    let next = ring.written;
    const end = performance.now() + PATIENCE_MS;
    while (totals_us.length < ROWS) {
      if (performance.now() > end)
        throw new Error(`${totals_us.length} rows in contact; ${notes.slice(-8).join('; ')}`);
      await wait(100);
      for (; next !== ring.written && totals_us.length < ROWS; next++) {
        if (!ring.read(next, row)) continue;
        if (totals_us.length === 0 && row[Column.contact_pairs] === 0) continue;
        const stages = COLUMNS.map((column) => 1e6 * row[column]);
        const total = stages.reduce((sum, value) => sum + value, 0);
        if (total > LIMIT_US) {
          const words = stages.map((value, k) => `${STAGES[k]} ${us(value)}`).join(' ');
          over.push(`${totals_us.length}: ${words}; ${row[Column.contact_pairs]} pairs`);
        }
        totals_us.push(total);
        slipped += row[Column.slipped];
      }
    }
    return { totals_us, over, slipped };
  } finally {
    await rig.close();
  }
}

/** A machine that stands still may end a flight before its contact: then the service is started anew. */
async function startAgain(scenario: string): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(scenario);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      console.log(`  ${(error as Error).message}; once more`);
    }
  }
}

async function loopRow(name: string, scenario: string): Promise<string[]> {
  const found: Started[] = [];
  for (let n = 0; n < starts; n++) found.push(await startAgain(scenario));
  for (const [n, { over }] of found.entries()) {
    for (const words of over.slice(0, 12)) console.log(`  ${name}, start ${n + 1}, tick ${words}`);
  }
  return [
    `in the loop: ${name}`,
    each(found.map(({ totals_us }) => totals_us[0])),
    each(found.map(({ totals_us }) => Math.max(...totals_us.slice(1, 10)))),
    each(found.map(({ totals_us }) => Math.max(...totals_us))),
    each(found.map(({ over }) => over.length)),
    each(found.map(({ slipped }) => slipped)),
    each(found.map(({ totals_us }) => totals_us.slice(-500).sort((a, b) => a - b)[250])),
  ];
}

console.log(
  `Node ${process.version}; load ${loadavg()[0].toFixed(1)} before. ${starts} starts each.\n`,
);
const rows: string[][] = [];
if (values.only !== 'loop') {
  for (const scene of ['box', 'receptacle', 'virtual']) rows.push(bareRow(scene));
}
if (values.only !== 'bare') {
  const folder = mkdtempSync(join(tmpdir(), 'berth-first-'));
  try {
    rows.push(await loopRow('battery box', nearlySeated(folder)));
    rows.push(await loopRow('half-sphere', 'half-sphere-on-plate'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const head = [
  'µs, each start',
  'first tick in contact',
  'worst of the next nine',
  `worst of ${ROWS}`,
];
console.log(
  formatTable([...head, `over ${LIMIT_US} µs`, 'stalls of the machine, slipped', 'steady'], rows),
);
