/**
 * Runs a measurement of the heap in a process of its own, on plain compiled JavaScript: a loader that wraps functions allocates
 * on its own account.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const compiled = import.meta.url.endsWith('.js');

function packageDirectory(): string {
  let at = here;
  while (!existsSync(join(at, 'tsconfig.json'))) {
    if (at === dirname(at)) throw new Error(`no tsconfig.json above ${here}`);
    at = dirname(at);
  }
  return at;
}

/**
 * For the script: what a call of `run(n)` does n times leaves on the heap, bytes a round. `growth` warms up and takes the quietest of
 * `blocks`. `settled` runs windows of `rounds` until one leaves less than `least` bytes a round, at most `windows`: V8 compiles late on
 * a busy machine, but what allocates time and again shows in every window.
 */
const GROWTH = `
function growth(run, { warmUp, rounds, blocks }) {
  run(warmUp);
  let grown = Infinity;
  for (let block = 0; block < blocks; block++) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    run(rounds);
    grown = Math.min(grown, process.memoryUsage().heapUsed - before);
  }
  return grown / rounds;
}
function settled(run, { rounds, windows, least }) {
  globalThis.gc();
  let grown = Infinity;
  for (let window = 0; window < windows && !(grown < least); window++) {
    const before = process.memoryUsage().heapUsed;
    run(rounds);
    grown = (process.memoryUsage().heapUsed - before) / rounds;
  }
  return grown;
}
`;

/**
 * What the script prints as JSON. The script gets `makeSystem`, everything that the module `models` beside this one exports under the name
 * `models`, `growth(run, { warmUp, rounds, blocks })`: bytes that a round of `run(rounds)` leaves, in the quietest block, and
 * `settled(run, { rounds, windows, least })`: the same in the first quiet window.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller says what its script prints
export function measureHeap<T>(models: string, script: string): T {
  const root = packageDirectory();
  const scratch = mkdtempSync(join(tmpdir(), 'berth-allocation-'));
  try {
    const built = join(root, 'dist');
    const folder = relative(compiled ? built : root, here);
    const code = compiled ? built : scratch;
    if (!compiled) {
      const options =
        '--target ES2022 --module NodeNext --strict --rewriteRelativeImportExtensions';
      execFileSync(process.execPath, [
        join(root, 'node_modules/typescript/bin/tsc'),
        ...`${options} --rootDir ${root} --outDir ${scratch} --noCheck --ignoreConfig`.split(' '),
        join(here, `${models}.ts`),
        join(root, 'src/index.ts'),
      ]);
      writeFileSync(join(scratch, 'package.json'), '{"type":"module"}');
    }
    const file = join(scratch, 'measure.mjs');
    const system = pathToFileURL(join(code, 'src/index.js')).href;
    const library = pathToFileURL(join(code, folder, `${models}.js`)).href;
    writeFileSync(
      file,
      `import { makeSystem } from '${system}';\nimport * as models from '${library}';\n${GROWTH}${script}`,
    );
    const child = spawnSync(
      process.execPath,
      ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64', file],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    );
    if (child.status !== 0) throw new Error(child.stderr);
    return JSON.parse(child.stdout) as T;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** How `measureSystems` steps: `step_s`, rounds before it measures, in each block, and blocks. */
export interface Stepping {
  readonly step_s: number;
  readonly warmUp: number;
  readonly rounds: number;
  readonly blocks: number;
}

/** Bytes that a step with a look at the first contact leaves, and the contact's normal force at the end by model name, N. */
export interface SystemsHeap {
  readonly perStep: number;
  readonly forces: Readonly<Record<string, number>>;
}

/** Step the systems of an expression in `makeSystem` and `models` in turn, so that every call site sees all of them. */
export function measureSystems(models: string, systems: string, stepping: Stepping): SystemsHeap {
  return measureHeap<SystemsHeap>(
    models,
    `
const runs = ${systems};
const contact = new Float64Array(32);
function steps(n) {
  for (let k = 0; k < n; k++) {
    for (let r = 0; r < runs.length; r++) {
      runs[r].step(${stepping.step_s});
      runs[r].readContact(0, contact, 0);
    }
  }
}
const perStep = growth(steps, ${JSON.stringify(stepping)}) / runs.length;
const forces = {};
for (const run of runs) {
  run.readContact(0, contact, 0);
  forces[run.model.name] = contact[3];
}
console.log(JSON.stringify({ perStep, forces }));
`,
  );
}
