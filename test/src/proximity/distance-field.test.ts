/** Distance fields: exact distances by another method, convergence, smoothness, bounds, refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { ballBound, FieldPlace, FieldValue } from '../../../src/proximity/field-value.ts';
import { makeField } from '../../../src/proximity/make-field.ts';
import { MeshDistance, SIGNED } from '../../../src/proximity/mesh-distance.ts';
import type { DistanceField } from '../../../src/shapes/distance-field.ts';
import { boxSurface } from '../../../src/shapes/faceted-shapes.ts';
import type { TriangleMesh } from '../../../src/shapes/triangle-mesh.ts';
import { starSurface } from '../../../server/validation/faceted-bodies.ts';
import {
  type Point,
  pointTriangle,
  windingNumber,
} from '../../../server/validation/plain-triangles.ts';
import { boxField, torusField, trianglesOf } from '../../fixtures/sampled-contact-models.ts';

const corners = ({ vertices, triangles }: TriangleMesh): Point[][] =>
  Array.from({ length: triangles.length / 3 }, (_, k) =>
    [0, 1, 2].map((c) => {
      const o = 3 * triangles[3 * k + c];
      return [vertices[o], vertices[o + 1], vertices[o + 2]] as const;
    }),
  );

test('distances of random points from random surfaces are those of all triangles, with the sign of the winding number', () => {
  const random = new Random(7);
  for (let round = 0; round < 10; round++) {
    const mesh = trianglesOf(starSurface(random, 7, 5));
    const triangles = corners(mesh);
    const distance = new MeshDistance(mesh);
    assert.equal(distance.crowded, null);
    for (let n = 0; n < 100; n++) {
      const at = [0, 1, 2].map(() => 2.4 * random.uniform() - 1.2);
      const p = [at[0], at[1], at[2]] as const;
      distance.measure(Float64Array.from(p), 0, Infinity);
      const least = Math.min(...triangles.map((one) => pointTriangle(p, one)));
      const expected = windingNumber(p, triangles) > 0.5 ? -least : least;
      assert.ok(Math.abs(distance.result[SIGNED] - expected) < 1e-13, `${p.join()}: ${expected}`);
      // with a bound that holds the answer is the same, to the last bit
      const free = distance.result[SIGNED];
      distance.measure(Float64Array.from(p), 0, least * 1.01);
      assert.equal(distance.result[SIGNED], free);
    }
  }
});

test('a flat face has its exact distance, with the normal of the face', () => {
  const field = boxField([0.1, 0.08, 0.06], 2e-3);
  const value = new FieldValue(field);
  for (const depth of [-4e-3, -1e-3, 0, 2e-3, 5e-3]) {
    const place = [0.0123, -0.0041, 0.03 + depth];
    const at = Float64Array.from(place, (x, a) => (x - field.origin[a]) / field.cell);
    assert.equal(value.read(at, 0), FieldPlace.near);
    // coefficients are 32-bit floats of up to 10 cells
    assert.ok(Math.abs(value.result[0] * field.cell - depth) < 1e-6 * field.cell);
    assert.ok(Math.hypot(value.result[1], value.result[2], value.result[3] - 1) < 1e-6);
  }
});

const TORUS = torusField(5e-3);

/** Random places in blocks that are kept, some of them on the border of two blocks. */
function* placesOf(field: DistanceField, count: number, random: Random): Generator<Float64Array> {
  const value = new FieldValue(field);
  const at = new Float64Array(3);
  for (let n = 0; n < count; ) {
    for (let a = 0; a < 3; a++) at[a] = 8 + random.uniform() * (8 * field.counts[a] - 17);
    if (n % 3 === 0) at[n % 2] = 8 * Math.floor(at[n % 2] / 8) + 7.5;
    if (value.read(at, 0) !== FieldPlace.near) continue;
    n++;
    yield at;
  }
}

test('the gradient is that of the value, and both are continuous from cell to cell and from block to block', () => {
  const field = TORUS;
  const value = new FieldValue(field);
  const random = new Random(11);
  const read = (at: Float64Array): Float64Array | null =>
    value.read(at, 0) === FieldPlace.near ? value.result.slice() : null;
  for (const at of placesOf(field, 500, random)) {
    const middle = read(at)!;
    for (let a = 0; a < 3; a++) {
      const h = 1e-4;
      const before = at.slice();
      const after = at.slice();
      before[a] -= h;
      after[a] += h;
      const [low, high] = [read(before), read(after)];
      if (low === null || high === null) continue;
      // second derivatives are below 3 in cells and may jump: h/2 of that
      const slope = (high[0] - low[0]) / (2 * h);
      assert.ok(Math.abs(slope - middle[1 + a]) < 3 * h, `${slope} and ${middle[1 + a]}`);
      for (let b = 1; b < 4; b++) assert.ok(Math.abs(high[b] - low[b]) < 6 * h);
    }
  }
});

test('no sample of a ball is deeper than its bound', () => {
  const field = TORUS;
  const value = new FieldValue(field);
  const random = new Random(5);
  const bound = new Float64Array(1);
  const radii = new Float64Array(1);
  let free = 0;
  for (let n = 0; n < 20_000; n++) {
    const at = Float64Array.from(
      [0, 1, 2],
      (a) => (1.4 * random.uniform() - 0.2) * 8 * field.counts[a],
    );
    radii[0] = 4 * random.uniform();
    ballBound(field, at, 0, radii, 0, bound);
    const d = [random.gaussian(), random.gaussian(), random.gaussian()];
    const near = at.map((x, a) => x + (radii[0] * d[a]) / Math.hypot(...d));
    const where = value.read(near, 0);
    const phi =
      where === FieldPlace.near
        ? value.result[0]
        : where === FieldPlace.inside
          ? -Infinity
          : Infinity;
    assert.ok(bound[0] <= 0 || phi >= bound[0], `${bound[0]} and ${phi}`);
    if (bound[0] > 0) free++;
  }
  assert.ok(free > 5000 && free < 19_000, `${free} balls are free`);
});

test('the largest error that was found belongs to the file, and edges have it', () => {
  const field = boxField([0.1, 0.08, 0.06], 2e-3);
  assert.ok(field.error > 0.02 * field.cell && field.error < 0.5 * field.cell, `${field.error}`);
  assert.deepEqual(boxField([0.1, 0.08, 0.06], 2e-3), field);
});

test('surfaces without an inside everywhere are refused', () => {
  const options = { cell: 0.02, band: 0.08, scale: 1 };
  const two = (by: number): TriangleMesh => {
    const { vertices, triangles } = trianglesOf(boxSurface([1, 1, 1]));
    const count = vertices.length / 3;
    return {
      vertices: Float64Array.from([...vertices, ...vertices.map((x) => x + by)]),
      triangles: Uint32Array.from([...triangles, ...triangles.map((k) => k + count)]),
    };
  };
  assert.throws(() => makeField(two(0.5), options, 'two'), /two to have an inside.*it cuts itself/);
  const twice = trianglesOf(boxSurface([1, 1, 1]));
  const doubled = {
    ...twice,
    triangles: Uint32Array.from([...twice.triangles, ...twice.triangles]),
  };
  assert.throws(() => makeField(doubled, options, 'doubled'), /more than two triangles/);
  assert.throws(
    () => makeField(twice, { ...options, cell: 2e-3, band: 8e-3 }, 'fine'),
    /at most 65536 blocks/,
  );
});
