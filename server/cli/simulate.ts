/** `berth simulate`: a deterministic run of a scenario without hardware, as rows of numbers. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { BerthError } from '../../src/errors.ts';
import { isAdaptive } from '../../src/check-model.ts';
import { makeSystem } from '../../src/system.ts';
import { readTime } from './arguments.ts';
import { overlapWords } from './overlap-words.ts';
import { fillRow, rowColumns } from './run-rows.ts';

export const usage = `Usage: berth simulate SCENARIO [OPTIONS]

Runs a scenario (a name from config/scenarios/ or a path) without hardware and prints rows of time, poses, twists, contact
forces, energies and states of the laws. The hash of the final state goes to stderr; equal runs have equal hashes.

  --set PATH=VALUE   change a field of the scenario, e.g. contacts.0.normal_law.restitution=0.5 (repeatable)
  --until TIME       length of the run (default: duration_s of the scenario)
  --every TIME       time between rows (default: 10ms)
  --format FORMAT    csv (default) or json
  -o, --output FILE  write to a file instead of stdout`;

/** Rows kept before they are written. */
const BATCH = 500;

/** Runs the command. @returns exit code */
export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      set: { type: 'string', multiple: true },
      until: { type: 'string' },
      every: { type: 'string', default: '10ms' },
      format: { type: 'string', default: 'csv' },
      output: { type: 'string', short: 'o' },
    },
  });
  const [name, ...extra] = positionals;
  if (name === undefined || extra.length > 0) {
    throw new BerthError('BERTH_USAGE', `expected one SCENARIO, got ${positionals.length}`);
  }
  if (values.format === 'mcap') {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      '--format mcap is not available in this version; allowed: csv, json',
    );
  }
  if (values.format !== 'csv' && values.format !== 'json') {
    throw new BerthError('BERTH_USAGE', `--format is "${values.format}"; allowed: csv, json`);
  }

  const system = makeSystem(compileScenario(loadScenario(name, values.set ?? [])));
  const dt = system.model.step;
  const until =
    values.until === undefined ? system.model.duration : readTime('--until', values.until);
  const stride = Math.round(readTime('--every', values.every) / dt);
  if (stride < 1) {
    throw new BerthError(
      'BERTH_USAGE',
      `--every is ${values.every}; allowed: the step of the scenario (${dt} s) or more`,
    );
  }
  const steps = Math.round(until / dt);

  const out = new Output(values.output);
  const json = values.format === 'json';
  const columns = rowColumns(system);
  const row = new Float64Array(columns.length);
  const line = (): string => (json ? `[${row.join(',')}]` : row.join(','));
  out.line(
    json
      ? `{"scenario":${JSON.stringify(system.model.name)},"columns":${JSON.stringify(columns)},"rows":[`
      : columns.join(','),
  );
  let failed = 0;
  let overlapError = 0;
  for (let n = 0; ; n++) {
    if (n % stride === 0 || n === steps) {
      fillRow(system, row);
      for (let k = 0; k < system.contactCount; k++) {
        overlapError = Math.max(overlapError, system.overlapError(k));
      }
      const last = n === steps;
      out.line(line() + (json && !last ? ',' : ''));
    }
    if (n === steps) break;
    failed = system.step(dt);
    if (failed !== 0) break;
  }
  if (json) out.line(`],"hash":"${system.hash()}"}`);
  await out.close();
  for (const words of overlapWords(system)) console.error(words);
  if (overlapError > 0) {
    console.error(
      `largest estimate of the relative error of an overlap, at the rows: ${overlapError.toExponential(1)}`,
    );
  }
  if (system.exhaustedPairs > 0) {
    console.error(
      `berth simulate: cell pairs touched without a force, as all maximum_pairs of a contact were in use (${system.exhaustedPairs} over all sub-steps); give it more`,
    );
  }
  if (failed !== 0) {
    const why = isAdaptive(system.model.integrator)
      ? 'no step meets the tolerance, or the state became infinite or undefined,'
      : 'the state became infinite or undefined';
    console.error(`berth simulate: ${why} at ${system.time} s`);
    return 1;
  }
  console.error(`final state ${system.hash()} at ${system.time.toFixed(6)} s`);
  return 0;
}

/** Lines to a file or to stdout, in batches. */
class Output {
  private readonly file: number | null;
  private lines: string[] = [];
  private broken = false;

  constructor(path: string | undefined) {
    try {
      this.file = path === undefined ? null : openSync(path, 'w');
    } catch (error) {
      throw new BerthError(
        'BERTH_MISSING_FILE',
        `cannot write "${path ?? ''}": ${(error as Error).message}`,
        { field: '--output', cause: error },
      );
    }
    if (this.file === null) {
      // a reader that has seen enough (`| head`) closes the pipe; that is no failure
      process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
        this.broken = true;
      });
    }
  }

  line(text: string): void {
    this.lines.push(text);
    if (this.lines.length >= BATCH) this.flush();
  }

  async close(): Promise<void> {
    this.flush();
    if (this.file !== null) closeSync(this.file);
    else if (!this.broken) await new Promise((resolve) => process.stdout.write('', resolve));
  }

  private flush(): void {
    if (this.lines.length === 0) return;
    const text = `${this.lines.join('\n')}\n`;
    this.lines = [];
    if (this.file !== null) writeSync(this.file, text);
    else if (!this.broken) process.stdout.write(text);
  }
}
