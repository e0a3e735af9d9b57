/** Identification by several threads in step: the bits of one alone, also when a member fails or a set does not fit. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Lockstep, lockstepMemory } from '../../../../server/cli/identify/lockstep.ts';
import { run } from '../../../../server/cli/identify.ts';
import { dragOf } from '../../../../server/validation/identification-bench.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-lockstep-'));
after(() => rmSync(folder, { recursive: true }));

const square = (k: number, out: Float64Array): void => void out.fill(k * k);
const squares = (count: number, length: number): number[][] =>
  Array.from({ length: count }, (_, k) => Array.from({ length }, () => k * k));
const plain = (all: readonly Float64Array[]): number[][] => all.map((one) => [...one]);

test('three threads: values, intervals, profiles and parts held out to the last bit', async (t) => {
  t.mock.method(console, 'log', () => undefined);
  const { speed, force, friction } = dragOf(6);
  const data = join(folder, 'drag.csv');
  const rows = Array.from(speed, (v, i) => [v, force[i], friction[i]].join(','));
  writeFileSync(data, ['speed_mps,force_N,friction_N', ...rows].join('\n'));
  const words = ['--procedure', 'drag', '--profile'];
  const files = ['1', '3'].map((workers) => {
    const out = join(folder, `${workers}.yaml`);
    return {
      out,
      argv: [data, ...words, '--workers', workers, '-o', out, '--report', `${out}.html`],
    };
  });
  for (const { argv } of files) assert.equal(await run(argv), 0);
  const [alone, together] = files.map(({ out }) =>
    [out, `${out}.html`].map((path) => readFileSync(path, 'utf8')),
  );
  assert.deepEqual(together, alone);
});

test('a member that fails leaves its share, and all that follows, to the others', () => {
  const memory = lockstepMemory();
  const [first, last] = [0, 1].map((member) => new Lockstep(memory, member, 2));
  const [own, seen]: number[][] = [[], []];
  const all = last.arrays(3, 2, (k, out) => {
    own.push(k);
    square(k, out);
    first.fail();
  });
  assert.deepEqual([own, plain(all)], [[1, 0, 2], squares(3, 2)]);
  // one that is left alone computes all
  const again = last.arrays(2, 1, (k, out) => {
    seen.push(k);
    square(k, out);
  });
  assert.deepEqual([seen, plain(again)], [[0, 1], squares(2, 1)]);
});

test('a set that does not fit into the shared memory is computed by each', () => {
  const one = new Lockstep(lockstepMemory(), 0, 2);
  assert.deepEqual(
    one.arrays(2, 1 << 23, (k, out) => void (out[0] = k)).map(([value]) => value),
    [0, 1],
  );
});

test('a count of workers that is none is refused', async () => {
  for (const workers of ['0', '1.5', 'all']) {
    await assert.rejects(
      run(['x.csv', '--procedure', 'drag', '--workers', workers]),
      /--workers is ".+"; allowed: a whole number from 1 to 64/,
    );
  }
});
