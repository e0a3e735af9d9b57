/**
 * Soak test of the whole loop (`npm run test:loop`): virtual and hardware mode, each over a WebSocket and over a pseudo terminal at
 * 2 Mbaud, with default settings but for the scenario. The half-sphere is flown into contact and held at its plateau; every tick and every hold must
 * be accounted for. Lateness of the machine, and what it does to the flight, is reported, never gated. Exit 1 on a violation.
 */
import { availableParallelism, release } from 'node:os';
import { parseArgs } from 'node:util';
import type { LoopModeName } from '../../hil/contract/codes.ts';
import { openPty } from '../../hil/os/os-pty.ts';
import { Accounting } from '../fixtures/accounting.ts';
import { startRig, type Transport } from '../fixtures/rig.ts';
import { formatTable } from '../fixtures/table.ts';

const USAGE = `Usage: node dist/test/acceptance/soak-loop.js [--seconds N] [--only CASE,…]

  --seconds N   length of each case (default 60)
  --only LIST   of virtual-ws, hardware-ws, virtual-pty, hardware-pty`;

const CASES: readonly { name: string; mode: LoopModeName; transport: Transport }[] = [
  { name: 'virtual-ws', mode: 'virtual', transport: 'ws' },
  { name: 'hardware-ws', mode: 'hardware', transport: 'ws' },
  { name: 'virtual-pty', mode: 'virtual', transport: 'pty' },
  { name: 'hardware-pty', mode: 'hardware', transport: 'pty' },
];
/** Often enough for a ring of 16 s. */
const READ_MS = 100;
const PROGRESS_S = 10;

/** The commanded 2 mm/s at a force gain of 15 kN s/m. `Gonthier 2007, 5.1.4`; a mean over less than 5 s is noise. */
const PLATEAU_N = 30;
const PLATEAU_TOLERANCE_N = 0.5;
const PLATEAU_TICKS = 5000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Why a pseudo terminal cannot be had here; '' when it can. */
function ptyMissing(): string {
  try {
    openPty().close();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Result {
  readonly name: string;
  readonly ok: boolean;
  readonly cells: readonly string[];
}

async function soak(one: (typeof CASES)[number], seconds: number): Promise<Result> {
  const { name, mode, transport } = one;
  const rig = await startRig(mode, transport, (note) => console.log(`${name}: ${note}`));
  const account = new Accounting(rig.runtime, rig.settings);
  let flights = 0;
  let flying = true;
  const fly = (): void => {
    flights++;
    const flight = rig.fly((line) => {
      if (line.startsWith('fly: plateau') || line.includes('went to')) {
        console.log(`${name}: ${line.slice('fly: '.length)}`);
      }
    });
    // a flight gives up when a hold finds no way out; the run goes on with the next
    void flight.ended.then(() => {
      if (flying) fly();
    });
  };
  try {
    fly();
    const begin = performance.now();
    let told_s = 0;
    for (;;) {
      await wait(READ_MS);
      account.read();
      const elapsed_s = (performance.now() - begin) / 1000;
      if (elapsed_s >= seconds) break;
      if (elapsed_s - told_s >= PROGRESS_S) {
        told_s = elapsed_s;
        const { executed, slipped, violationCount } = account;
        const count = `${executed} executed, ${slipped} slipped, ${violationCount} violations`;
        console.log(`${name}: ${elapsed_s.toFixed(0)} s, ${account.state}, ${count}`);
      }
    }
  } finally {
    flying = false;
    await rig.close();
  }
  account.finish();
  const { plateau, violations, entered } = account;
  const off_N = Math.abs(plateau.mean - PLATEAU_N);
  if (plateau.count >= PLATEAU_TICKS && !(off_N <= PLATEAU_TOLERANCE_N)) {
    violations.push(`plateau at ${plateau.mean.toFixed(2)} N, expected ${PLATEAU_N}`);
  }
  const seconds_s = plateau.count * rig.settings.loop.period_s;
  for (const text of violations) console.log(`${name}: VIOLATION ${text}`);
  const causes = [...entered].map(([key, count]) => `${key} ${count}`).join(', ');
  console.log(`${name}: holds and stops: ${causes === '' ? 'none' : causes}`);
  console.log(`${name}: misses by cause: ${account.misses === '' ? 'none' : account.misses}`);
  const { mean, least, most } = account.delay;
  if (plateau.count > 0) {
    const spread = `${least} … ${most}`;
    console.log(`${name}: set-point to its echo: ${mean.toFixed(2)} periods (${spread})`);
  }
  const errors = account.frameErrors;
  console.log(`${name}: frames refused: ${errors === '' ? 'none' : errors}; flights: ${flights}`);
  return {
    name,
    ok: violations.length === 0,
    cells: [
      String(account.executed),
      String(account.slipped),
      String(account.elapsed),
      String(account.longestSlip),
      String(account.counter('robot_frames_lost_total', 'rx')),
      String(account.counter('robot_frame_errors_total', 'crc')),
      String(account.counter('serial_resyncs_total')),
      String(account.ringDrops),
      String([...entered].reduce((sum, [, count]) => sum + count, 0)),
      plateau.count === 0
        ? 'not reached'
        : `${plateau.mean.toFixed(2)} ± ${plateau.deviation.toFixed(2)} (${plateau.least.toFixed(1)} … ${plateau.most.toFixed(1)}), ${seconds_s.toFixed(1)} s`,
      violations.length === 0 ? 'ok' : 'VIOLATED',
    ],
  };
}

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, only: { type: 'string' } },
});
const seconds = Number(values.seconds);
const names = values.only?.split(',') ?? CASES.map(({ name }) => name);
const unknown = names.filter((name) => !CASES.some((one) => one.name === name));
if (!(seconds >= 1) || unknown.length > 0) {
  console.error(USAGE);
  process.exit(2);
}
console.log(
  `${availableParallelism()} cores, Linux ${release()}, Node ${process.version}; ${seconds} s each`,
);
const missing = names.some((name) => name.endsWith('pty')) ? ptyMissing() : '';
const results: Result[] = [];
let failed = false;
for (const one of CASES.filter(({ name }) => names.includes(name))) {
  if (one.transport === 'pty' && missing !== '') {
    failed ||= process.env['CI'] !== undefined;
    console.log(`${one.name}: NOT RUN: ${missing}`);
    continue;
  }
  const result = await soak(one, seconds);
  results.push(result);
  failed ||= !result.ok;
}
console.log(
  formatTable(
    [
      'case',
      'executed',
      'slipped',
      'elapsed',
      'longest slip',
      'lost',
      'crc',
      'resyncs',
      'ring drops',
      'holds and stops',
      'plateau force, N',
      'result',
    ],
    results.map(({ name, cells }) => [name, ...cells]),
  ),
);
process.exitCode = failed ? 1 : 0;
