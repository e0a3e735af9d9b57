/** `berth study run` of a rare event: the probability of a force whose drop height is known, one process and two, stopped on the way. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runPoint } from '../../../server/cli/study/run-point.ts';
import { normalProbability } from '../../../src/study/normal.ts';
import { linesIn, startStudy, tablesOf } from '../../fixtures/study-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-rare-'));
after(() => rmSync(folder, { recursive: true }));

const HEIGHT = 'bodies.ball.position_m.2';
const UNTIL_S = 0.19;
/** Deviations from the mean height at which the force is that of the limit. */
const BETA = 3;

test('a force that is reached from 3 deviations of the height on has its probability', async (t) => {
  const force = { name: 'force', of: 'most', column: 'ball-table.normal_force_N' } as const;
  const task = { scenario: 'ball-on-table', until_s: UNTIL_S, quantities: [force], end_when: [] };
  const limit = runPoint(task, [`${HEIGHT}=${0.2 + BETA * 0.005}`]).quantities[0];
  const file = join(folder, 'rare.yaml');
  writeFileSync(
    file,
    `name: rare
scenario: ball-on-table
until_s: ${UNTIL_S} s
seed: 5
design: { kind: subset, quantity: force, runs: 200 }
vary:
  - { name: height, fields: [${HEIGHT}], normal: { mean: 0.2, deviation: 0.005 } }
quantities: [{ name: force, of: most, column: ball-table.normal_force_N, limit: { most: ${limit} } }]
`,
  );
  const one = join(folder, 'one');
  const first = startStudy(['run', file, '-o', one, '--workers', '1']);
  while (linesIn(one) < 230) await delay(50);
  first.child.kill('SIGTERM');
  assert.equal((await first.ended).code, 1, 'stopped');
  const { code, out } = await startStudy(['run', one, '--workers', '1']).ended;
  assert.equal(code, 0, out);
  t.diagnostic(out);
  const words = /outside of its limit: (\S+) \((\S+) to (\S+)\) of all cases/.exec(out);
  assert.ok(words !== null, out);
  const truth = normalProbability(-BETA);
  assert.ok(Number(words[2]) < truth && truth < Number(words[3]), `${truth}: ${words[0]}`);
  const two = join(folder, 'two');
  const other = await startStudy(['run', file, '-o', two, '--workers', '2']).ended;
  assert.equal(other.code, 0, other.out);
  assert.deepEqual(tablesOf(two), tablesOf(one), 'byte for byte, with two workers');
  const shard = await startStudy(['run', file, '-o', two, '--shard', '0/2']).ended;
  assert.match(shard.out, /--shard.*0\/2.*not subset/);
});
