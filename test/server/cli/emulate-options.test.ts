/** Options of `berth emulate` that are refused before anything starts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../../../server/cli/serve.ts';
import { run } from '../../../server/cli/emulate.ts';

test('a residual payload that is no body is refused with what is allowed', async () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['0.4,0,0', /must be 4 or 10 numbers: kg, three in m, six in kg m², got "0.4,0,0"/],
    ['0.4,0,0,0.1,1e-3', /must be 4 or 10 numbers/],
    ['0.4,0,,0.1', /must be 4 or 10 numbers/],
    ['0,0,0,0.1', /must have a mass above 0/],
    ['0.4,0,0,0.1,1e-3,1e-3,5e-3,0,0,0', /the largest at most the sum of the other two/],
  ];
  for (const [text, words] of refused)
    await assert.rejects(run(['--payload-residual', text]), words);
});

test('a service hands a residual payload to the robot that it starts, and to no other', () => {
  const { bench } = readOptions(['--payload-residual', '0.4,0,0,0.1', '--seed', '3']);
  assert.deepEqual(bench, ['--payload-residual', '0.4,0,0,0.1', '--seed', '3']);
  assert.throws(
    () => readOptions(['--payload-residual', '0.4,0,0,0.1', '--no-emulate']),
    /--payload-residual and --seed are of the emulated robot, and none is started here/,
  );
});
