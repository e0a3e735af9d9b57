/** Voxels: convergence to closed forms and to rays, over random pairs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { RayKernel } from '../../../src/overlap/rays.ts';
import { SphereCap } from '../../../src/overlap/sphere-cap.ts';
import { VoxelKernel } from '../../../src/overlap/voxels.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { column } from '../../fixtures/overlap/columns.ts';
import {
  overlap,
  placement,
  PLATE,
  PRIMITIVES,
  randomQuaternion,
  randomVector,
  turn,
} from '../../fixtures/overlap/ray-cases.ts';

const ORIGIN = placement([0, 0, 0]);

test('mean error over poses against the cap falls at least like the size; the estimate bounds it and falls like the size', () => {
  const ball: CellShape = { kind: 'sphere', radius: 0.1 };
  const want = column(new SphereCap(0.1), 0.05).volume;
  const random = new Random(1);
  const poses = [0, 1, 2, 3, 4, 5].map(() => randomQuaternion(random));
  const means: number[] = [];
  const estimates: number[] = [];
  for (const size of [0.04, 0.02, 0.01]) {
    const kernel = new VoxelKernel(ball, { kind: 'half-space' }, { size });
    let sum = 0;
    let estimate = 0;
    for (const q of poses) {
      // the plane is tilted, the ball 5 cm deep in it
      const plane = placement([0, 0, 0], q);
      const up = 0.05;
      const at = placement([up * plane[2], up * plane[5], up * plane[8]]);
      const got = overlap(kernel, at, plane);
      const error = Math.abs(got.volume / want - 1);
      assert.ok(error <= got.error, `${size}: ${error}, estimate ${got.error}`);
      sum += error / poses.length;
      estimate += got.error / poses.length;
    }
    means.push(sum);
    estimates.push(estimate);
  }
  // two halvings: order 1 is a factor 4, errors that are independent from leaf to leaf give order 2
  assert.ok(means[2] < means[0] / 4, means.join(' '));
  const ratio = estimates[0] / estimates[2];
  assert.ok(ratio > 2.5 && ratio < 6, `estimates ${estimates.join(' ')}`);
});

test('random pairs of primitives: the column of the rays', () => {
  const random = new Random(29);
  let met = 0;
  for (let n = 0; n < 24; n++) {
    const i = PRIMITIVES[n % PRIMITIVES.length];
    const j = n % 4 === 3 ? PLATE : PRIMITIVES[(5 * n + 1) % PRIMITIVES.length];
    const at = placement(randomVector(random, n % 4 === 3 ? 0.3 : 0.1), randomQuaternion(random));
    const want = overlap(new RayKernel(i, j), at, ORIGIN);
    if (want.volume < 2e-4) continue;
    met++;
    const got = overlap(new VoxelKernel(i, j, { size: 0.02 }), at, ORIGIN);
    const off = Math.abs(got.volume / want.volume - 1);
    // leaves of 2 cm with points every 7 mm in overlaps of 6 cm and more: 1 % is what independent errors leave, the estimate far above
    assert.ok(off < 0.01 && off < got.error, `${i.kind} ${j.kind}: ${off}, estimate ${got.error}`);
    const length = want.volume ** (1 / 3);
    for (let k = 0; k < 3; k++) {
      assert.ok(Math.abs(got.centroid[k] - want.centroid[k]) < 0.01 * length, 'centroid');
      const area = Math.abs(got.vectorArea[k] - want.vectorArea[k]);
      assert.ok(area < 0.05 * length * length, `${i.kind} ${j.kind}: vector area ${area}`);
    }
    const largest = Math.max(...want.second.map(Math.abs));
    got.second.forEach((value, k) => {
      assert.ok(Math.abs(value - want.second[k]) < 0.03 * largest, `S ${k}`);
    });
  }
  assert.ok(met > 10, `${met} pairs`);
});

test('boxes in line with the grid are exact but for the leaves at the faces; nothing apart; no number but finite ones', () => {
  const box: CellShape = { kind: 'box', size: [0.2, 0.3, 0.4] };
  const got = overlap(
    new VoxelKernel(box, box, { size: 0.02 }),
    placement([0.1, 0.1, 0.1]),
    ORIGIN,
  );
  // the start box is 1e-9 wider than the overlap on each side: all points of the leaves are inside
  assert.ok(Math.abs(got.volume / (0.1 * 0.2 * 0.3) - 1) < 1e-8);
  const apart = overlap(new VoxelKernel(box, box), placement([0.3, 0, 0]), ORIGIN);
  assert.equal(apart.volume, 0);
  assert.ok(apart.gap > 0 && apart.gap <= 0.1 * (1 + 1e-9));
  for (const j of PRIMITIVES) {
    for (const at of [
      ORIGIN,
      placement([0.1, 0, 0]),
      placement([1e9, 0, 0], turn([1, 0, 0], 1e-9)),
    ]) {
      const one = overlap(new VoxelKernel(box, j, { size: 0.1, samples: 1 }), at, ORIGIN);
      const { vectorArea, centroid, second, ...rest } = one;
      assert.ok(
        [...vectorArea, ...centroid, ...second, ...Object.values(rest)].every(Number.isFinite),
      );
    }
  }
});

test('refused: sizes and samples out of range', () => {
  const ball: CellShape = { kind: 'sphere', radius: 1 };
  for (const options of [{ size: 0 }, { size: Number.NaN }, { samples: 0 }, { samples: 1.5 }]) {
    assert.throws(() => new VoxelKernel(ball, ball, options), { code: 'BERTH_PARAMETER_RANGE' });
  }
  const space: CellShape = { kind: 'half-space' };
  assert.throws(() => new VoxelKernel(space, space), { code: 'BERTH_PARAMETER_RANGE' });
});
