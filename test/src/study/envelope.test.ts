/** Tiles of an envelope: every run in one of them, as many in each, and intervals that hold as often as they say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EnvelopePoint, envelopeTiles } from '../../../src/study/envelope.ts';
import { rateInterval } from '../../../src/study/intervals.ts';
import { Random } from '../../../src/math/random.ts';

/** Runs of a square; more keep the limit the further right they are. */
function runs(count: number, seed: number): EnvelopePoint[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const [x, y] = [random.uniform(), random.uniform()];
    return { x, y, within: random.uniform() < x };
  });
}

test('each run is in one tile, and each tile has as many, give or take one', () => {
  for (const [count, side] of [
    [32, 2],
    [127, 3],
    [500, 7],
    [5000, 8],
  ]) {
    const points = runs(count, count);
    const tiles = envelopeTiles(points, 0.95);
    assert.equal(tiles.length, side * side);
    let total = 0;
    for (const { x, y, runs: own, share } of tiles) {
      const inside = points.filter(
        (one) => one.x >= x[0] && one.x <= x[1] && one.y >= y[0] && one.y <= y[1],
      );
      assert.equal(inside.length, own);
      assert.ok(Math.abs(own - count / tiles.length) < 2, `${own} of ${count}`);
      const hits = inside.filter(({ within }) => within).length;
      assert.deepEqual(share, { value: hits / own, ...rateInterval(hits, own, 0.95) });
      total += own;
    }
    assert.equal(total, count);
  }
});

test('fewer runs than four tiles need make no map', () => {
  assert.deepEqual(envelopeTiles(runs(31, 1), 0.95), []);
});

test('runs that share a value make no map', () => {
  const choice = runs(200, 1).map((one, i) => ({ ...one, x: i % 3 }));
  assert.deepEqual(envelopeTiles(choice, 0.95), []);
});

test('the interval of a tile holds its share in 95 % of the studies or more', () => {
  let [held, all] = [0, 0];
  for (let seed = 0; seed < 400; seed++) {
    for (const { x, share } of envelopeTiles(runs(128, seed), 0.95)) {
      // of a run anywhere in the tile: the mean of x over it, to the width of a border
      const truth = 0.5 * (x[0] + x[1]);
      held += share.low <= truth && truth <= share.high ? 1 : 0;
      all++;
    }
  }
  assert.ok(held / all > 0.95, `${held} of ${all}`);
});
