/** Lines through cells: closed forms, the distance function as an independent witness, intervals of boolean cells. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { LINE_SIZE, RayLine } from '../../../src/shapes/ray-line.ts';
import { primitivesOf } from '../../../src/shapes/ray-primitive.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import {
  cut,
  placed,
  PLATE,
  PRIMITIVES,
  randomQuaternion,
  randomVector,
} from '../../fixtures/overlap/ray-cases.ts';

/** F = max(f common, −f removed), and its gradient. */
function distance(shape: CellShape, point: readonly number[]): number[] {
  const { common, removed } = primitivesOf(shape);
  const out = new Float64Array(4);
  let best = [Number.NEGATIVE_INFINITY, 0, 0, 0];
  for (const one of common) {
    one.distance(Float64Array.from(point), out);
    if (out[0] > best[0]) best = [...out];
  }
  for (const one of removed) {
    one.distance(Float64Array.from(point), out);
    if (-out[0] > best[0]) best = [...out].map((value) => -value);
  }
  return best;
}

function randomLine(random: Random): Float64Array {
  const line = new Float64Array(LINE_SIZE);
  line.set(randomVector(random, 0.12));
  const direction = [random.gaussian(), random.gaussian(), random.gaussian()];
  const length = Math.sqrt(direction.reduce((sum, value) => sum + value * value, 0));
  line.set(
    direction.map((value) => value / length),
    3,
  );
  return line;
}

const along = (line: Float64Array, s: number): number[] =>
  [0, 1, 2].map((k) => line[k] + s * line[3 + k]);

test('ends lie on the surface, the inside between them, and normals point out', () => {
  const random = new Random(3);
  const shapes: CellShape[] = [
    ...PRIMITIVES,
    ...PRIMITIVES.map((shape) =>
      cut([placed(shape, [0.02, 0.01, -0.03], randomQuaternion(random))]),
    ),
    PLATE,
    cut([placed(PRIMITIVES[2])], [placed(PRIMITIVES[0], [0.05, 0.1, 0]), placed(PRIMITIVES[6])]),
    cut([placed(PRIMITIVES[0]), placed({ kind: 'bore', radius: 0.04 })]),
  ];
  for (const shape of shapes) {
    const ray = new RayLine(shape);
    let hits = 0;
    for (let n = 0; n < 300; n++) {
      const line = randomLine(random);
      ray.intersect(line);
      hits += ray.count;
      let last = -2;
      for (let k = 0; k < ray.count; k++) {
        const [from, to] = [ray.from[k], ray.to[k]];
        assert.ok(from > last && to > from, 'rising and apart');
        // outside up to the start, inside up to the end
        for (const t of [0.01, 0.5, 0.99]) {
          const out = distance(shape, along(line, last + t * (from - last)))[0];
          assert.ok(out > -1e-13, `${shape.kind}: ${out} before the start`);
          const inside = distance(shape, along(line, from + t * (to - from)))[0];
          assert.ok(inside < 1e-13, `${shape.kind}: ${inside} inside`);
        }
        for (const [end, normals, sense] of [
          [from, ray.fromNormal, -1],
          [to, ray.toNormal, 1],
        ] as const) {
          const [f, ...gradient] = distance(shape, along(line, end));
          // rounding of a root near a touch: √(1e-16) of the size, in practice far less
          assert.ok(Math.abs(f) < 1e-12, `${shape.kind}: ${f} at an end`);
          const length = Math.sqrt(gradient.reduce((sum, value) => sum + value * value, 0));
          const n = [...normals.slice(3 * k, 3 * k + 3)];
          const cos = n.reduce((sum, value, a) => sum + (value * gradient[a]) / length, 0);
          assert.ok(cos > 1 - 1e-9, `${shape.kind}: normal off by cos ${cos}`);
          assert.ok(sense * n.reduce((sum, value, a) => sum + value * line[3 + a], 0) >= 0);
        }
        last = to;
      }
      for (const t of [0.01, 0.5, 1]) {
        assert.ok(distance(shape, along(line, last + t * (2 - last)))[0] > -1e-13, 'after the end');
      }
    }
    assert.ok(hits > 30, `${shape.kind}: ${hits} hits`);
  }
});

test('half-space and bore: ends at infinity; a ball in closed form', () => {
  const line = Float64Array.of(0.3, 0, 0.5, 0, 0.6, -0.8);
  const half = new RayLine({ kind: 'half-space' });
  half.intersect(line);
  assert.equal(half.count, 1);
  assert.ok(Math.abs(half.from[0] - 0.625) < 1e-15 && half.to[0] === Number.POSITIVE_INFINITY);
  assert.deepEqual([...half.fromNormal], [0, 0, 1]);
  assert.deepEqual([...half.toNormal], [0, 0, 0]);
  const bore = new RayLine({ kind: 'bore', radius: 0.5 });
  bore.intersect(line);
  // 0.6 s = ±0.4
  assert.equal(bore.count, 2);
  assert.ok(Math.abs(bore.to[0] + 0.4 / 0.6) < 1e-15 && Math.abs(bore.from[1] - 0.4 / 0.6) < 1e-15);
  // outward of the matter is towards the axis
  assert.ok(bore.toNormal[1] > 0 && bore.fromNormal[4] < 0);
  const ball = new RayLine({ kind: 'sphere', radius: 0.5 });
  ball.intersect(line);
  const half2 = Math.sqrt(0.25 - 0.09 - 0.09);
  assert.ok(Math.abs(ball.from[0] - 0.4 + half2) < 1e-15);
  assert.ok(Math.abs(ball.to[0] - 0.4 - half2) < 1e-15);
});

test('a hollow plate: two intervals across, the hole along its axis empty, walls shared', () => {
  const plate = new RayLine(PLATE);
  assert.equal(plate.most, 2);
  plate.intersect(Float64Array.of(-2, 0, 0.1, 1, 0, 0));
  const ends = [...plate.from, ...plate.to].sort((a, b) => a - b);
  [1.5, 1.8, 2.2, 2.5].forEach((want, k) => {
    assert.ok(Math.abs(ends[k] - want) < 1e-15);
  });
  plate.intersect(Float64Array.of(0.1, 0.1, 3, 0, 0, -1));
  assert.equal(plate.count, 0);
  plate.intersect(Float64Array.of(0.3, 0.1, 3, 0, 0, -1));
  assert.equal(plate.count, 1);
  assert.ok(Math.abs(plate.from[0] - 2.75) < 1e-15 && Math.abs(plate.to[0] - 3.25) < 1e-15);
});
