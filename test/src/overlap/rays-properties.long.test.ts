/** Rays: the volume is smooth along paths through edges and corners. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RayKernel } from '../../../src/overlap/rays.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { overlap, placement, PLATE, turn } from '../../fixtures/overlap/ray-cases.ts';

const ORIGIN = placement([0, 0, 0]);

test('V is a smooth function of the pose: second differences along paths through edges and corners', () => {
  const rod: CellShape = { kind: 'cylinder', radius: 0.1, length: 0.3 };
  const shapes: [CellShape, CellShape][] = [
    [rod, { kind: 'box', size: [0.2, 0.3, 0.25] }],
    [rod, PLATE],
    [{ kind: 'capsule', radius: 0.06, length: 0.2 }, rod],
  ];
  for (const [i, j] of shapes) {
    const kernel = new RayKernel(i, j);
    const step = 1e-4;
    let [before, last, area] = [Number.NaN, Number.NaN, 0];
    for (let n = 0; n < 300; n++) {
      const s = step * n;
      const at = placement([0.1 + s, 0.19 - 0.6 * s, 0.15 + 0.3 * s], turn([1, 2, 3], 0.7 + 2 * s));
      const got = overlap(kernel, at, ORIGIN);
      // V'' is of the size of the perimeter of the contact, at most some 1 m per unit of s; jumps may not exceed the errors reported
      const bend = Math.abs(got.volume - 2 * last + before);
      const allowed = 2 * step * step + 4 * got.error * got.volume;
      if (n > 1) assert.ok(bend < allowed, `${i.kind} ${n}: ${bend}, allowed ${allowed}`);
      // and so may A_c not jump: its slope is of the same size
      if (n > 0) assert.ok(Math.abs(got.area - area) < 4 * step + 1e-4 * area, `area ${n}`);
      [before, last, area] = [last, got.volume, got.area];
    }
  }
});
