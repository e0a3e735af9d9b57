/**
 * STATE to SETPOINT of two checkouts in one run (`npm run bench:latency-compare -- --against DIR`): each built, each with its own
 * `loop-latency`. Rounds go in turns, so that what the machine does meets both. Exit 1 when this one's p99 is worse by more than
 * the limit. With `--key` the robot link of this checkout has a key, so that its frames carry tags.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, loadavg, release } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { packageRoot } from '../config/paths.ts';
import { quantileOf } from '../hil/doctor/lateness.ts';
import { formatTable } from '../test/fixtures/table.ts';

const USAGE = `Usage: npm run bench:latency-compare -- --against DIR [--seconds N] [--rounds N] [--key K] [--limit US]

  --against DIR  another checkout, built (npm ci && npm run build), that was before
  --seconds N    of each measurement (default 8)
  --rounds N     in turns (default 5)
  --key K        key of the robot link of this checkout (default none: no tags)
  --limit US     by how much p99 may be worse, µs (default 20)`;

const QUANTILES = ['p50', 'p99', 'p99.9'] as const;
const LINE = /^ {2}(ws|pty): STATE to SETPOINT: p50 (\d+), p99 (\d+), p99[.]9 (\d+)/;

/** By line, then by quantile, µs of each round. */
type Figures = Record<'ws' | 'pty', number[][]>;

async function measure(folder: string, args: readonly string[], into: Figures): Promise<void> {
  const program = join(folder, 'dist/bench/loop-latency.js');
  const child = spawn(process.execPath, [program, '--rounds', '1', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = new Promise<number | null>((done) => child.on('exit', (code) => done(code)));
  for await (const line of createInterface({ input: child.stdout })) {
    const found = LINE.exec(line);
    if (found === null) continue;
    into[found[1] as 'ws' | 'pty'].push(found.slice(2).map(Number));
    console.log(`  ${line.trim()}`);
  }
  const code = await exit;
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}`);
}

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '5' },
    key: { type: 'string', default: '' },
    limit: { type: 'string', default: '20' },
  },
});
const rounds = Number(values.rounds);
const limit_us = Number(values.limit);
const before = values.against === undefined ? '' : resolve(values.against);
if (!(rounds >= 1) || !(limit_us >= 0) || !existsSync(join(before, 'dist/bench/loop-latency.js'))) {
  console.error(USAGE);
  process.exit(2);
}
console.log(
  `${availableParallelism()} cores, Linux ${release()}, Node ${process.version}; load ${loadavg()[0].toFixed(2)} before`,
);
const figures: Readonly<Record<'before' | 'after', Figures>> = {
  before: { ws: [], pty: [] },
  after: { ws: [], pty: [] },
};
for (let round = 1; round <= rounds; round++) {
  // turn about: what the machine does by the clock must not always meet the same one
  const order = round % 2 === 1 ? (['before', 'after'] as const) : (['after', 'before'] as const);
  for (const which of order) {
    console.log(`round ${round}, ${which}`);
    const folder = which === 'before' ? before : packageRoot();
    const key = which === 'after' && values.key !== '' ? ['--key', values.key] : [];
    await measure(folder, ['--seconds', values.seconds, ...key], figures[which]);
  }
}
const middle = (of: number[][], i: number): number =>
  quantileOf(Float64Array.from(of, (round) => round[i]).sort(), 0.5);
let worst_us = -Infinity;
const rows = (['ws', 'pty'] as const)
  .filter((line) => figures.before[line].length > 0 && figures.after[line].length > 0)
  .flatMap((line) =>
    QUANTILES.map((name, i) => {
      const [was, is] = [middle(figures.before[line], i), middle(figures.after[line], i)];
      if (name === 'p99') worst_us = Math.max(worst_us, is - was);
      return [`${line}, ${name}`, was.toFixed(0), is.toFixed(0), (is - was).toFixed(0)];
    }),
  );
console.log(formatTable(['STATE to SETPOINT, µs', 'before', 'after', 'difference'], rows));
console.log(
  `median of ${rounds} rounds in turns; p99 worse by ${worst_us.toFixed(0)} µs at most, ${limit_us} µs are allowed`,
);
process.exitCode = rows.length > 0 && worst_us <= limit_us ? 0 : 1;
