/** `berth study run --shard` as an array of Debian’s Slurm, where it is installed: the parts of an array, and one that is given out later, make the same table. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { hasSlurm, SlurmCluster } from '../../fixtures/slurm-cluster.ts';
import { linesIn, startStudy, studyCommand, tablesOf } from '../../fixtures/study-rig.ts';

const skip = hasSlurm() ? false : 'slurmctld and slurmd are not installed, or this is not root';
const RUNS = 20;
const PARTS = 4;
const folder = mkdtempSync(join(tmpdir(), 'berth-slurm-'));
after(() => rmSync(folder, { recursive: true }));

test('an array of Slurm, one part of it later: the table of one process to the last byte', {
  skip,
}, async () => {
  const file = join(folder, 'study.yaml');
  writeFileSync(
    file,
    `name: test
scenario: ball-on-table
until_s: 0.1 s
seed: 7
design: { kind: random, runs: ${RUNS} }
vary:
  - { name: height, fields: [bodies.ball.position_m.2], uniform: { low: 0.12, high: 0.13 } }
quantities:
  - { name: peak, of: most, column: ball-table.normal_force_N }
`,
  );
  const [whole, shared] = ['whole', 'shared'].map((name) => join(folder, name));
  const alone = await startStudy(['run', file, '-o', whole, '--workers', '1']).ended;
  assert.equal(alone.code, 0, alone.out);

  const words = ['run', file, '-o', shared, '--shard', `$SLURM_ARRAY_TASK_ID/${PARTS}`];
  const command = [...studyCommand(), ...words].join(' ');
  const output = (part: number | '%a'): string => join(folder, `part-${part}.txt`);
  const cluster = await SlurmCluster.start(join(folder, 'slurm'));
  try {
    await cluster.array('0,1,3', command, output('%a'));
    assert.equal(linesIn(shared), (RUNS * 3) / PARTS, readFileSync(output(0), 'utf8'));
    await cluster.array('2', command, output('%a'));
  } finally {
    await cluster.end();
  }
  assert.equal(linesIn(shared), RUNS, readFileSync(output(2), 'utf8'));
  const merged = await startStudy(['merge', shared]).ended;
  assert.equal(merged.code, 0, merged.out);
  assert.deepEqual(tablesOf(shared), tablesOf(whole));
});
