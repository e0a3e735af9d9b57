/** Operations on triples: what they mean, that they may write over their inputs, and that they touch nothing beside. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rotationOf } from '../../../src/math/quaternion.ts';
import { Random } from '../../../src/math/random.ts';
import {
  addCross,
  addRotated3,
  copy3,
  cross3,
  length3,
  rotate3,
  subtract3,
  unrotate3,
} from '../../../src/math/vec3.ts';

const random = new Random(7);
/** Ten numbers from −1 to 1: triples lie at 1, 4 and 7. */
const numbers = (): Float64Array =>
  Float64Array.from({ length: 10 }, () => 2 * random.uniform() - 1);
const A = 1;
const B = 4;
const OUT = 7;
/** Some ten operations on numbers below 2 in size: rounding stays below ten times 2 · 2⁻⁵³. */
const ROUNDING = 10 * 2 ** -52;

function dot3(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

function near(found: number, expected: number, what: string): void {
  assert.ok(Math.abs(found - expected) <= ROUNDING, `${what}: ${found}, not ${expected}`);
}

function someRotation(): Float64Array {
  const q = numbers().slice(0, 4);
  const length = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
  const rotation = new Float64Array(9);
  rotationOf(
    rotation,
    q.map((x) => x / length),
    0,
  );
  return rotation;
}

test('cross and dot: a × b is perpendicular to both, |a × b|² + (a·b)² = |a|² |b|²', () => {
  for (let n = 0; n < 100; n++) {
    const v = numbers();
    cross3(v, OUT, v, A, v, B);
    near(dot3(v, OUT, v, A), 0, 'along a');
    near(dot3(v, OUT, v, B), 0, 'along b');
    const dot = dot3(v, A, v, B);
    const squares = dot3(v, OUT, v, OUT) + dot * dot;
    near(squares, dot3(v, A, v, A) * dot3(v, B, v, B), 'Lagrange');
    const sum = Float64Array.of(1, 2, 3);
    addCross(sum, 0, v, A, v, B);
    for (let a = 0; a < 3; a++) assert.equal(sum[a], 1 + a + v[OUT + a]);
  }
  const axes = Float64Array.of(1, 0, 0, 0, 1, 0, 9, 9, 9);
  cross3(axes, 6, axes, 0, axes, 3);
  assert.deepEqual([...axes.subarray(6)], [0, 0, 1], 'right-handed');
});

test('a rotation keeps lengths and angles and turns x into its first column', () => {
  for (let n = 0; n < 100; n++) {
    const v = numbers();
    const r = someRotation();
    const turned = new Float64Array(6);
    rotate3(turned, 0, r, v, A);
    rotate3(turned, 3, r, v, B);
    near(dot3(turned, 0, turned, 3), dot3(v, A, v, B), 'angle');
    near(length3(turned, 0), length3(v, A), 'length');
    unrotate3(turned, 3, r, turned, 3);
    for (let a = 0; a < 3; a++) near(turned[3 + a], v[B + a], 'back');
    const sum = v.slice();
    addRotated3(sum, B, r, v, A);
    for (let a = 0; a < 3; a++) near(sum[B + a], v[B + a] + turned[a], 'sum');
    rotate3(turned, 0, r, Float64Array.of(1, 0, 0), 0);
    assert.deepEqual([...turned.subarray(0, 3)], [r[0], r[3], r[6]]);
  }
});

function triple(fill: (out: Float64Array) => unknown): Float64Array {
  const out = new Float64Array(3);
  fill(out);
  return out;
}

test('an output may be an input, and nothing beside the triple changes', () => {
  const v = numbers();
  const r = someRotation();
  type Operation = (out: Float64Array, o: number, from: Float64Array) => void;
  const operations: Readonly<Record<string, Operation>> = {
    copy: (out, o, from) => copy3(out, o, from, A),
    cross: (out, o, from) => cross3(out, o, from, A, from, B),
    rotate: (out, o, from) => rotate3(out, o, r, from, A),
    unrotate: (out, o, from) => unrotate3(out, o, r, from, A),
    subtract: (out, o, from) => subtract3(out, o, from, A, from, B),
  };
  for (const [name, operation] of Object.entries(operations)) {
    const apart = triple((out) => operation(out, 0, v));
    for (const at of [A, B, OUT]) {
      // what lies between has a value of its own to lose
      const within = v.slice();
      operation(within, at, within);
      const expected = v.slice();
      expected.set(apart, at);
      assert.deepEqual(within, expected, `${name} at ${at}`);
    }
  }
});
