/**
 * What a step costs (`npm run bench:step`): every scene alone and after others in the same process, beside its target; with `--peers`
 * the same scenes in other engines, in the same turns. All of it runs on one core.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../config/paths.ts';
import { PEER_NAMES } from './peers/peers.ts';
import {
  changesFrom,
  makeBaseline,
  presentLoad,
  readBaseline,
  readBaselines,
  thisMachine,
  writeBaseline,
} from './step/baseline.ts';
import { measureCase, type MeasuredCase } from './step/measure.ts';
import { benchmarkPage } from './step/page.ts';
import { engineTable, engineWords, growthTable, peerCases, summaryTable } from './step/report.ts';
import { STEP_CASES } from './step/step-cases.ts';

const USAGE = `Usage: npm run bench:step -- [--peers] [--rounds N] [--only TEXT] [--core N] [--compare] [--write]

  --peers      other engines, too
  --rounds N   times of each scene (default 41)
  --only TEXT  scenes whose name or target has TEXT
  --core N     the core that everything runs on (default 1; -1 for any)
  --compare    say what differs from the figures kept of this machine; exit 1 when something is slower
  --write      keep the figures, and write docs/benchmarks.md`;

const { values } = parseArgs({
  options: {
    peers: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '41' },
    only: { type: 'string', default: '' },
    core: { type: 'string', default: '1' },
    compare: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const core = Number(values.core);
const chosen = STEP_CASES.filter(
  ({ scene, target }) => scene.includes(values.only) || target === values.only,
);
if (!(Number.isInteger(rounds) && rounds > 0) || !Number.isInteger(core) || chosen.length === 0) {
  console.error(USAGE);
  process.exit(2);
}

const machine = thisMachine();
const load = presentLoad();
if (core >= 0) {
  // processes that it starts inherit the core
  const pinned = spawnSync('taskset', ['-a', '-p', '-c', String(core), String(process.pid)]);
  if (pinned.status !== 0) console.log(`Not pinned to core ${core}: taskset failed.`);
}
console.log(
  `${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}; load ${load}`,
);
console.log(`Core ${core}, ${rounds} rounds.\n`);

const cases: MeasuredCase[] = [];
for (const step of chosen) {
  const one = await measureCase(step, values.peers ? PEER_NAMES : [], rounds);
  cases.push(one);
  if (one.engines.length > 1) console.log(`${engineTable(one)}\n`);
}
const compared = peerCases(cases);
if (compared.length > 0) {
  for (const words of engineWords(compared)) console.log(`- ${words}`);
}
console.log(`\n${summaryTable(cases)}\n`);
console.log(growthTable(cases));

if (values.compare) {
  const before = readBaseline(machine);
  if (before === null) console.log(`\nNo figures are kept of ${machine.cpu}.`);
  else {
    const changes = changesFrom(before, cases);
    console.log(changes.length === 0 ? '\nNothing differs from the kept figures.' : '');
    for (const { scene, how, ratio, noise } of changes) {
      const word = ratio > 1 ? 'slower' : 'faster';
      const way = how === 'alone' ? 'alone' : 'after others';
      console.log(`${scene}, ${way}: ${word}, ${ratio.toFixed(2)} (noise ${noise.toFixed(2)})`);
    }
    if (changes.some(({ ratio }) => ratio > 1)) process.exitCode = 1;
  }
}
if (values.write) {
  console.log(`\nWrote ${writeBaseline(makeBaseline(cases, rounds, load))}`);
  writeFileSync(join(packageRoot(), 'docs', 'benchmarks.md'), benchmarkPage(readBaselines()));
}
