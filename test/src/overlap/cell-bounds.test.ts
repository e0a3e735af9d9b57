/** Bounding boxes of placed cells against many points of their surfaces. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { BOX, makeCellBounds } from '../../../src/overlap/cell-bounds.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { place, randomPlacement } from '../../fixtures/overlap/kernel-frames.ts';

const CIRCLE = Array.from({ length: 720 }, (_, k) => [
  Math.cos((k * Math.PI) / 360),
  Math.sin((k * Math.PI) / 360),
]);
const disc = (x: number, z: number, r: number): number[][] =>
  CIRCLE.map(([c, s]) => [x + r * c, r * s, z]);
/** Points of the unit sphere, about 0.03 apart. */
const SPHERE = Array.from({ length: 200 }, (_, k) => {
  const angle = ((k + 0.5) * Math.PI) / 200;
  return CIRCLE.filter((_c, n) => n % 4 === 0).map(([c, s]) => [
    Math.sin(angle) * c,
    Math.sin(angle) * s,
    Math.cos(angle),
  ]);
}).flat();
const ends = [-1, 1];
const corners = (a: number, b: number, c: number): number[][] =>
  ends.flatMap((x) => ends.flatMap((y) => ends.map((z) => [a * x, b * y, c * z])));

/** A shape, points of it, and how far beyond them its box may go. */
const SHAPES: readonly [CellShape, readonly (readonly number[])[], number][] = [
  [{ kind: 'sphere', radius: 0.1 }, SPHERE.map((p) => p.map((x) => 0.1 * x)), 1e-4],
  [
    { kind: 'ellipsoid', size: [0.2, 0.4, 0.6] },
    SPHERE.map(([x, y, z]) => [0.1 * x, 0.2 * y, 0.3 * z]),
    3e-4,
  ],
  [{ kind: 'box', size: [0.2, 0.4, 0.6] }, corners(0.1, 0.2, 0.3), 1e-15],
  [
    { kind: 'cylinder', radius: 0.1, length: 0.4 },
    [...disc(0, 0.2, 0.1), ...disc(0, -0.2, 0.1)],
    1e-5,
  ],
  [
    { kind: 'frustum', radius: 0.1, topRadius: 0.03, length: 0.4 },
    [...disc(0, 0, 0.1), ...disc(0, 0.4, 0.03)],
    1e-5,
  ],
  [
    { kind: 'capsule', radius: 0.1, length: 0.4 },
    ends.flatMap((side) => SPHERE.map(([x, y, z]) => [0.1 * x, 0.1 * y, 0.1 * z + 0.2 * side])),
    1e-4,
  ],
  [
    { kind: 'beam', length: 0.3, width: 0.2, thickness: 0.1 },
    ends.flatMap((x) => ends.flatMap((z) => disc(0.15 * x, 0.05 * z, 0.1))),
    1e-5,
  ],
  [
    {
      kind: 'mesh',
      vertices: [
        [0, 0, 0],
        [0.1, 0, 0],
        [0, 0.2, 0],
        [0, 0, 0.3],
      ],
    },
    [
      [0, 0, 0],
      [0.1, 0, 0],
      [0, 0.2, 0],
      [0, 0, 0.3],
    ],
    1e-15,
  ],
];

test('the smallest box of every shape', () => {
  const random = new Random(21);
  for (const [shape, points, slack] of SHAPES) {
    const bounds = makeCellBounds(shape);
    for (let n = 0; n < 10; n++) {
      const placement = randomPlacement(random, 1);
      const box = new Float64Array(BOX + 2);
      bounds.write(placement, box, 1);
      for (let k = 0; k < 3; k++) {
        const along = points.map(
          (p) =>
            placement[9 + k] +
            placement[3 * k] * p[0] +
            placement[3 * k + 1] * p[1] +
            placement[3 * k + 2] * p[2],
        );
        const least = Math.min(...along);
        const most = Math.max(...along);
        // holds all points; goes beyond them by no more than their spacing leaves
        assert.ok(box[1 + k] <= least + 1e-15 && box[1 + k] >= least - slack, shape.kind);
        assert.ok(box[4 + k] >= most - 1e-15 && box[4 + k] <= most + slack, shape.kind);
      }
    }
  }
});

test('no end of a half-space and of a bore; a boolean has what its common parts share', () => {
  const box = new Float64Array(BOX);
  for (const kind of ['half-space', 'bore'] as const) {
    makeCellBounds(kind === 'bore' ? { kind, radius: 1 } : { kind }).write(
      place([0.1, 0.2, 0.3], [1, 2, 3]),
      box,
      0,
    );
    assert.deepEqual([...box.slice(0, 3)], Array(3).fill(Number.NEGATIVE_INFINITY));
    assert.deepEqual([...box.slice(3)], Array(3).fill(Number.POSITIVE_INFINITY));
  }
  const turned = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
  makeCellBounds({
    kind: 'boolean',
    common: [
      { shape: { kind: 'half-space' }, position: [0, 0, 0], orientation: [0, 0, 0, 1] },
      // a quarter turn about z: 4 along x, 2 along y
      { shape: { kind: 'box', size: [2, 4, 6] }, position: [1, 0, 0], orientation: turned },
      { shape: { kind: 'sphere', radius: 2 }, position: [0, 0, 0], orientation: [0, 0, 0, 1] },
    ],
    without: [
      { shape: { kind: 'sphere', radius: 9 }, position: [0, 0, 0], orientation: [0, 0, 0, 1] },
    ],
  }).write(place([0, 0, 0], [10, 0, 0]), box, 0);
  [9, -1, -2, 12, 1, 2].forEach((want, k) => {
    assert.ok(Math.abs(box[k] - want) < 1e-14, box.join(' '));
  });
});
