/** Largest area in which two bodies can lie on each other, before they touch. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FacingArea } from '../../../src/overlap/facing-area.ts';
import type { CellModel, CellShape } from '../../../src/shapes/cell-model.ts';

/** Rounding of a dozen products. */
const ROUNDING = 1e-14;

const cell = (shape: CellShape, x = 0): CellModel => ({
  name: 'cell',
  shape,
  position: [x, 0, 0],
  orientation: [0, 0, 0, 1],
});
const box = (x: number, y: number, z: number): CellModel[] => [
  cell({ kind: 'box', size: [x, y, z] }),
];

/** Area with body i turned by `angle` about z, m². */
function area(i: readonly CellModel[], j: readonly CellModel[], angle = 0): number {
  const facing = new FacingArea(i, j);
  const turned = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
  facing.compute(Float64Array.of(...turned, 0, 0, 0, 1), 0, 4);
  return facing.area[0] ?? NaN;
}

const near = (is: number, want: number): void => {
  assert.ok(Math.abs(is - want) <= ROUNDING * want, `${is} for ${want}`);
};

test('boxes face to face: the largest of the faces that both have that way', () => {
  // across x, y, z: 6, 3 and 2 of one; 1, 4 and 4 of the other
  near(area(box(1, 2, 3), box(4, 1, 1)), Math.max(Math.min(6, 1), Math.min(3, 4), Math.min(2, 4)));
  // the order of the bodies does not count
  near(area(box(4, 1, 1), box(1, 2, 3)), 3);
});

test('a quarter of a turn exchanges the faces; between them both boxes show more', () => {
  const [i, j] = [box(1, 2, 3), box(1, 2, 3)];
  near(area(i, j), 6);
  // 6 across x meets 3 across x, and 3 across y meets 6
  near(area(i, j, Math.PI / 2), 3);
  // along an axis of one, the other shows 6 cos + 3 sin, and the first its own 6
  const angle = 0.3;
  near(area(i, j, angle), Math.min(6, 6 * Math.cos(angle) + 3 * Math.sin(angle)));
});

test('cells of one body count together, and an infinite body shows whatever the other can cover', () => {
  const pair = [cell({ kind: 'box', size: [1, 1, 1] }), cell({ kind: 'box', size: [1, 1, 1] }, 2)];
  near(area(pair, box(9, 9, 9)), 3);
  near(area(box(1, 2, 3), [cell({ kind: 'half-space' })]), 6);
});

test('two infinite bodies, and a body without cells, are unknown', () => {
  const plane = [cell({ kind: 'half-space' })];
  assert.ok(Number.isNaN(area(plane, plane)));
  assert.ok(Number.isNaN(area([], box(1, 1, 1))));
});

test('no patch of boxes is larger: cuts of random pairs, by the area of the shared rectangle', () => {
  // boxes that lie on each other with faces k and l, turned in the plane: the shared rectangle is no larger than the smaller face
  const sizes = [
    [0.5, 0.3, 0.4],
    [0.24, 0.39, 0.49],
    [1, 0.1, 0.2],
  ] as const;
  for (const [a, b, c] of sizes) {
    for (const [d, e, f] of sizes) {
      const most = area(box(a, b, c), box(d, e, f));
      const shared = [
        Math.min(b, e) * Math.min(c, f),
        Math.min(a, d) * Math.min(c, f),
        Math.min(a, d) * Math.min(b, e),
      ];
      assert.ok(most >= Math.max(...shared) * (1 - ROUNDING), `${most} for ${shared.join()}`);
    }
  }
});
