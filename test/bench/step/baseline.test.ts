/** A run beside the kept figures: what is slower beyond noise is told, and a slow machine is not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Baseline, changesFrom, thisMachine } from '../../../bench/step/baseline.ts';
import type { MeasuredCase } from '../../../bench/step/measure.ts';

function one(alone: number, after: number, yardstick = 1, spread = 0.01): MeasuredCase {
  return {
    scene: 'ball',
    yardstick_us: yardstick,
    engines: [
      {
        engine: 'Berth',
        name: 'Berth',
        contact: '',
        result: '',
        holds: true,
        missing: '',
        alone: { median_us: alone, spread },
        after: { median_us: after, spread },
      },
    ],
  };
}

const kept = (cases: readonly MeasuredCase[]): Baseline => ({
  machine: thisMachine(),
  rounds: 1,
  load: 0,
  cases,
});

test('what is slower or faster beyond noise is told, by its way', () => {
  const before = kept([one(10, 20)]);
  const [slow] = changesFrom(before, [one(11, 20)]);
  assert.deepEqual(slow, { scene: 'ball', how: 'alone', ratio: 1.1, noise: 0.05 });
  const [fast] = changesFrom(before, [one(10, 10)]);
  assert.deepEqual(fast, { scene: 'ball', how: 'after', ratio: 0.5, noise: 0.05 });
  assert.deepEqual(changesFrom(before, [one(10.4, 19.2)]), []);
});

test('a machine that is twice as slow in all changes nothing', () => {
  assert.deepEqual(changesFrom(kept([one(10, 20)]), [one(20, 40, 2)]), []);
  const found = changesFrom(kept([one(10, 20)]), [one(20, 20, 2)]);
  assert.deepEqual(
    found.map(({ how, ratio }) => [how, ratio]),
    [['after', 0.5]],
  );
});

test('a change inside three spreads of both runs is noise', () => {
  const noisy = one(12, 20, 1, 0.1);
  assert.deepEqual(changesFrom(kept([one(10, 20, 1, 0.1)]), [noisy]), []);
  const [found] = changesFrom(kept([one(10, 20, 1, 0.1)]), [one(15, 20, 1, 0.1)]);
  assert.equal(found.how, 'alone');
  assert.ok(Math.abs(found.noise - 3 * Math.sqrt(0.02)) < 1e-15);
});

test('a scene that was not there before is no change', () => {
  assert.deepEqual(changesFrom(kept([]), [one(1, 1)]), []);
});
