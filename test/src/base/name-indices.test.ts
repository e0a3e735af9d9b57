import assert from 'node:assert/strict';
import test from 'node:test';
import { codesOf, indicesOf } from '../../../src/base/name-indices.ts';

test('every name has its place in the list', () => {
  const names = ['sim_time_s', 'mode', 'lateness_s'] as const;
  const index = indicesOf(names);
  assert.deepEqual(Object.keys(index), [...names]);
  assert.deepEqual([index.sim_time_s, index.mode, index.lateness_s], [0, 1, 2]);
});

test('codes have their names in capitals', () => {
  const code = codesOf(['late_wake', 'OFFLINE', 'stop_0']);
  assert.deepEqual({ ...code }, { LATE_WAKE: 0, OFFLINE: 1, STOP_0: 2 });
});

test('a name that stands twice is refused, also one that differs in capitals only', () => {
  assert.throws(() => indicesOf(['x', 'y', 'x']), /twice/);
  assert.throws(() => codesOf(['hold', 'HOLD']), /twice/);
});

test('an index cannot be set', () => {
  const index = indicesOf(['x']) as { x: number };
  assert.throws(() => {
    index.x = 7;
  }, TypeError);
  assert.equal(index.x, 0);
});
