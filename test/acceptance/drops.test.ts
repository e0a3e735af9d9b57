/** Random drops: every kind comes, the same seed gives the same drop, and fifty of them end as they should. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { FRICTION_LAWS, NORMAL_LAWS, PAIRS, ROLLING_LAWS } from '../../src/contact/registry.ts';
import { makeDrop } from '../fixtures/drop-scenes.ts';

test('a turn of the seeds has every pair, every law, one to ten bodies and trees', () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 2000; seed++) {
    const { what, model, laws } = makeDrop(seed);
    seen.add(what);
    if (what === 'heap') seen.add(`${model.bodies.length - 1} bodies`);
    seen.add(`pair ${laws.pair.model.kind}`).add(`normal ${laws.normalLaw.kind}`);
    seen.add(`friction ${laws.frictionLaw.kind}`).add(`rolling ${laws.rollingLaw.kind}`);
  }
  const wanted = [
    ...['pair', 'heap', 'tree'],
    ...Array.from({ length: 10 }, (_, k) => `${k + 1} bodies`),
    ...Object.keys(PAIRS).map((kind) => `pair ${kind}`),
    ...Object.keys(NORMAL_LAWS).map((kind) => `normal ${kind}`),
    ...Object.keys(FRICTION_LAWS).map((kind) => `friction ${kind}`),
    ...Object.keys(ROLLING_LAWS).map((kind) => `rolling ${kind}`),
  ];
  assert.deepEqual(
    wanted.filter((name) => !seen.has(name)),
    [],
  );
  assert.deepEqual(makeDrop(417).model, makeDrop(417).model);
});

test('fifty drops keep momentum and energy, and the table says what was swept', () => {
  const program = fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? 'drops.ts' : 'drops.js', import.meta.url),
  );
  const { stdout, status } = spawnSync(
    process.execPath,
    [...process.execArgv, program, '--drops', '50', '--workers', '1'],
    {
      encoding: 'utf8',
    },
  );
  assert.match(stdout, /^50 drops of 2000 steps in .* 0 failed, .* islands swept/m);
  assert.match(stdout, /\| normal law hertz \| \d+ \| \d+ \|/);
  assert.equal(status, 0, stdout);
});
