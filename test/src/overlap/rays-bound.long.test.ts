/** The error that rays may be asked for: kept, stated, at the cost of no more nodes than it takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { COLUMN, COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import { makeKernel } from '../../../src/overlap/make-kernel.ts';
import { RayKernel } from '../../../src/overlap/rays.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { place, randomPlacement } from '../../fixtures/overlap/kernel-frames.ts';

const HERE = place([0, 0, 0], [0, 0, 0]);
const BOX = { kind: 'box', size: [0.1, 0.14, 0.18] } as const;
const CYLINDER = { kind: 'cylinder', radius: 0.06, length: 0.1 } as const;
const CAPSULE = { kind: 'capsule', radius: 0.04, length: 0.1 } as const;
const CONE = { kind: 'frustum', radius: 0.06, topRadius: 0, length: 0.1 } as const;
const BALL = { kind: 'sphere', radius: 0.06 } as const;

const at = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
/** A block with a hole, which nothing but rays measures. */
const BORED: CellShape = {
  kind: 'boolean',
  common: [{ shape: BOX, ...at }],
  without: [{ shape: { kind: 'cylinder', radius: 0.03, length: 1 }, ...at }],
};

test('the bound is kept against closed forms and against 40 nodes, and the estimate is at or below it', () => {
  const column = new Float64Array(COLUMN_SIZE);
  const exact = new Float64Array(COLUMN_SIZE);
  for (const [shape, other] of [
    [CYLINDER, BOX],
    [CAPSULE, BOX],
    [BALL, BOX],
    [CYLINDER, BORED],
    [BALL, BORED],
  ] as const) {
    const best =
      other === BORED
        ? new RayKernel(shape, other, { nodes: 40 })
        : makeKernel(shape, other, 'closed-form');
    for (const bound of [1e-2, 1e-4, 1e-6, 1e-8]) {
      const kernel = makeKernel(shape, other, 'rays', 'method', { relativeError: bound });
      const random = new Random(31);
      for (let n = 0; n < 16; n++) {
        const i = randomPlacement(random, 0.08);
        kernel.compute(i, HERE, column);
        if (!(column[COLUMN.volume] > 1e-6)) continue;
        best.compute(i, HERE, exact);
        const off = Math.abs(column[COLUMN.volume] / exact[COLUMN.volume] - 1);
        const what = `${shape.kind} ${other.kind} ${bound} ${n}: ${off}, ${column[COLUMN.error]}`;
        // a hole that the body hardly reaches has roots close together: 32 nodes may leave 1e-6
        if (bound >= 1e-4) assert.ok(column[COLUMN.error] <= bound, what);
        assert.ok(off <= Math.max(bound, column[COLUMN.error]), what);
      }
    }
  }
});

test('a wide bound takes the sums of 4 nodes, and one that 32 do not reach states what they leave', () => {
  const column = new Float64Array(COLUMN_SIZE);
  const four = new Float64Array(COLUMN_SIZE);
  const i = place([0.3, 0.2, 0.1], [0.03, 0.02, 0.09]);
  new RayKernel(CYLINDER, BOX, { relativeError: 0.1 }).compute(i, HERE, column);
  new RayKernel(CYLINDER, BOX, { nodes: 4 }).compute(i, HERE, four);
  assert.deepEqual(column, four);
  // the apex of the cone in the box: u² log u across the slices
  const most = new RayKernel(CONE, BOX, { nodes: 32 });
  const kernel = new RayKernel(CONE, BOX, { relativeError: 1e-9 });
  const random = new Random(9);
  let missed = 0;
  for (let n = 0; n < 60; n++) {
    const tip = randomPlacement(random, 0.08);
    kernel.compute(tip, HERE, column);
    if (!(column[COLUMN.error] > 1e-9)) continue;
    missed++;
    most.compute(tip, HERE, four);
    assert.deepEqual(column, four);
  }
  assert.ok(missed > 0, 'some placement has the apex where slices do not see it');
});

test('flat faces are exact with the nodes that they have', () => {
  const column = new Float64Array(COLUMN_SIZE);
  const plain = new Float64Array(COLUMN_SIZE);
  const i = place([0.3, 0.2, 0.1], [0.05, 0.04, 0.06]);
  new RayKernel(BOX, BOX, { relativeError: 1e-11 }).compute(i, HERE, column);
  new RayKernel(BOX, BOX).compute(i, HERE, plain);
  assert.deepEqual(column, plain);
});

test('what cannot be asked for is refused', () => {
  for (const relativeError of [0, -1, 1e-12, 0.2, Number.NaN]) {
    assert.throws(
      () => new RayKernel(CYLINDER, BOX, { relativeError }),
      /relativeError to be from/,
    );
  }
});
