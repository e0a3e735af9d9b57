/** Static compliance of a free body: a bar in closed form, symmetry, and a support that does not matter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FemModel } from '../../../src/fem/assembly.ts';
import { type Component, freeCompliance } from '../../../src/fem/free-compliance.ts';
import { gridNode, planeGrid } from '../../../src/fem/grid-meshes.ts';

const [LENGTH, HEIGHT, YOUNG] = [2, 0.3, 5e6];

/** A bar of n × 2 elements, supported at a corner. */
function bar(n: number, corner: number, poisson = 0): FemModel {
  return {
    mesh: planeGrid('quad4', n, 2, (u, v) => [LENGTH * u, HEIGHT * v]),
    material: { young: YOUNG, poisson, density: 3 },
    state: 'plane-stress',
    thickness: 1,
    held: [
      { node: gridNode(n, corner * n, 0), axis: 0 },
      { node: gridNode(n, corner * n, 0), axis: 1 },
      { node: gridNode(n, (1 - corner) * n, 0), axis: 1 },
    ],
  };
}

/** The mean of an end: corners have half the share of the middle. */
const end = (n: number, column: number, axis: number): Component =>
  [0.25, 0.5, 0.25].map((share, j) => ({ node: gridNode(n, column, j), axis, share }));

test('a bar that is pushed at one end: L/(3 E A) there and −L/(6 E A) at the other, against its mean', () => {
  const errors = [10, 20].map((n) => {
    const compliance = freeCompliance(bar(n, 0), [end(n, n, 0), end(n, 0, 0)]);
    const unit = LENGTH / (YOUNG * HEIGHT);
    const [near, far] = [compliance[0] / unit - 1 / 3, compliance[1] / unit + 1 / 6];
    // the mean of a parabola by straight pieces is off by 1/(12 n²)
    assert.ok(Math.abs(near) < 0.1 / (n * n) && Math.abs(far) < 0.1 / (n * n), `${near} ${far}`);
    return near;
  });
  assert.ok(Math.abs(errors[0] / errors[1] - 4) < 0.01, errors.join(' '));
});

test('it is symmetric, and the same by whatever support', () => {
  const n = 8;
  const components = [0, 3, 8].flatMap((column) => [end(n, column, 0), end(n, column, 1)]);
  const [one, other] = [0, 1].map((corner) => freeCompliance(bar(n, corner, 0.3), components));
  const size = components.length;
  const most = Math.max(...one);
  for (let i = 0; i < size; i++) {
    assert.ok(one[size * i + i] > 0);
    for (let j = 0; j < size; j++) {
      assert.equal(one[size * i + j], one[size * j + i]);
      assert.ok(Math.abs(one[size * i + j] - other[size * i + j]) < 1e-10 * most);
    }
  }
});

test('a support that lets the body turn is refused', () => {
  const model = bar(4, 0);
  assert.throws(
    () => freeCompliance({ ...model, held: model.held!.slice(0, 2) }, []),
    /held nodes/,
  );
});
