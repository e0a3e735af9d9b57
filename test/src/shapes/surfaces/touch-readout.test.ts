/** Relative curvature where surfaces touch, and the condition of the equations of the place, against the printed table. `Tasora, 10` */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TouchCurvature, TOUCH_READOUT } from '../../../../src/shapes/surfaces/touch-readout.ts';

const TANGENTS = Float64Array.of(1, 0, 0, 0, 1, 0);

type Curvature = readonly [number, number, number];

function read(b1: Curvature, b2: Curvature): Record<(typeof TOUCH_READOUT)[number], number> {
  const out = new Float64Array(TOUCH_READOUT.length);
  new TouchCurvature().write(out, 0, Float64Array.from(b1), Float64Array.from(b2), TANGENTS);
  return Object.fromEntries(TOUCH_READOUT.map((name, k) => [name, out[k]])) as ReturnType<
    typeof read
  >;
}

const round = (radius: number): Curvature => [1 / radius, 0, 1 / radius];

test('k2 L and condition of ball and socket, and of a cam, are those of the table', () => {
  const cam = read([1 / 0.03, 0, 0], round(0.012));
  assert.equal((0.01 * cam.least).toFixed(3), '0.833');
  assert.equal((1 / cam.reciprocalCondition).toPrecision(2), '2.9');
  // [clearance, m; k2 L; condition] as printed
  const printed = [
    [1e-3, '9.1e-2', '4.2e+1'],
    [1e-4, '9.9e-3', '4.0e+2'],
    [1e-5, '1.0e-3', '4.0e+3'],
    [1e-6, '1.0e-4', '4.0e+4'],
    [1e-9, '1.0e-7', '4.0e+7'],
  ] as const;
  for (const [clearance, ratio, condition] of printed) {
    const { least, reciprocalCondition } = read(round(0.01), round(-0.01 - clearance));
    assert.equal((0.01 * least).toExponential(1), ratio);
    assert.equal((1 / reciprocalCondition).toExponential(1), condition);
  }
  assert.equal(read(round(0.01), round(-0.01)).reciprocalCondition, 0);
});

test('eigenvalues and axis of K: K a = k2 a, trace and determinant', () => {
  for (const [b1, b2] of [
    [
      [3, 1, 2],
      [0.5, -2, 1],
    ],
    [
      [2, 0, 3],
      [0, 0, 0],
    ],
    [
      [3, 0, 2],
      [0, 0, 0],
    ],
    [
      [-4, 0.3, 1],
      [0, 0, 2],
    ],
  ] as const) {
    const { least, most, axisX: x, axisY: y, axisZ: z } = read(b1, b2);
    const [a, b, c] = [b1[0] + b2[0], b1[1] + b2[1], b1[2] + b2[2]];
    const close = (value: number, wanted: number): void =>
      assert.ok(Math.abs(value - wanted) < 1e-14 * (Math.abs(a) + Math.abs(c)), `${value}`);
    close(least + most, a + c);
    close(least * most - (a * c - b * b), 0);
    close(a * x + b * y, least * x);
    close(b * x + c * y, least * y);
    assert.ok(z === 0 && Math.abs(x * x + y * y - 1) < 1e-15);
  }
});

test('planes on each other have no curvature and no condition, and any axis', () => {
  const flat = read([0, 0, 0], [0, 0, 0]);
  assert.deepEqual(flat, {
    places: 0,
    least: 0,
    most: 0,
    axisX: 1,
    axisY: 0,
    axisZ: 0,
    reciprocalCondition: 0,
  });
});
