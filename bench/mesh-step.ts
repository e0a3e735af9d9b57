/**
 * Time of a step over the number of triangles of a mesh (`npm run bench:mesh`): every representation of Berth beside MuJoCo and Rapier, in
 * the same turns, with the exponents of growth, and what a step leaves on the heap.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../config/paths.ts';
import {
  faults,
  type Measured,
  meshPage,
  type MeshRun,
  resultTable,
  timeTable,
  words,
} from './mesh/report.ts';
import { SIZES, type Size } from './mesh/ring-scene.ts';
import { SubjectProcess } from './mesh/subject-process.ts';
import { SUBJECT_NAMES } from './mesh/subjects.ts';
import { presentLoad, thisMachine } from './step/baseline.ts';

const USAGE = `Usage: npm run bench:mesh -- [--rounds N] [--size N] [--only TEXT] [--write]

  --rounds N   turns of 50 steps (default 40)
  --size N,N   triangles: 1000, 10000, 100000, 1000000 (default all)
  --only TEXT  subjects whose name has TEXT
  --write      write docs/benchmarks-mesh.md`;
/** Most time until a subject is ready, s. */
const MOST_S = 240;
/** Size from which on one size is measured at a time. */
const LARGE = 1_000_000;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    size: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const wanted = values.size.split(',');
const sizes = SIZES.filter((size) => values.size === '' || wanted.includes(`${size}`));
const names = SUBJECT_NAMES.filter((name) => name.includes(values.only));
if (!(Number.isInteger(rounds) && rounds > 0) || sizes.length === 0 || names.length === 0) {
  console.error(USAGE);
  process.exit(2);
}

/** All subjects at some sizes, in the same turns: what else the machine does is the same for each of them. */
async function measure(some: readonly Size[]): Promise<Measured[]> {
  const started: SubjectProcess[] = [];
  for (const size of some) {
    for (const name of names) started.push(await SubjectProcess.start(name, size, MOST_S));
  }
  for (let round = 0; round < rounds; round++) {
    const turn = round % 2 === 0 ? started : [...started].reverse();
    for (const each of turn) await each.round();
  }
  return started.map((each) => {
    each.end();
    const { name, size, missing, ready } = each;
    const times = each.times_us.sort((a, b) => a - b);
    const at = (q: number): number => times[Math.floor(q * times.length)] ?? Number.NaN;
    return {
      name,
      size,
      missing,
      words: ready?.words ?? '',
      p50_us: at(0.5),
      p99_us: at(0.99),
      made_s: ready?.made_s ?? Number.NaN,
      heap_B: ready?.heap_B ?? Number.NaN,
      contacts: ready?.contacts ?? '',
      height: ready?.height ?? Number.NaN,
      missed: ready?.missed ?? '',
    };
  });
}

const machine = thisMachine();
const load = presentLoad();
console.log(
  `${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}; load ${load}\n`,
);
const rows: Measured[] = [];
const run: MeshRun = { machine, load, rows };
// meshes of a million triangles take the memory of all others together
const groups = [sizes.filter((size) => size < LARGE), sizes.filter((size) => size >= LARGE)];
for (const group of groups) {
  if (group.length === 0) continue;
  rows.push(...(await measure(group)));
  // a group takes minutes: what is known so far is written
  if (values.write) writeFileSync(join(packageRoot(), 'docs', 'benchmarks-mesh.md'), meshPage(run));
}
console.log(`${timeTable(run)}\n\n${resultTable(run)}\n`);
for (const line of words(run)) console.log(`- ${line}`);
const wrong = faults(run);
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exitCode = 1;
