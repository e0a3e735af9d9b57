/** Samples of a surface: integrals, convergence, independence of the triangles, their tree. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ballMesh } from '../../../server/validation/ball-mesh.ts';
import { Random } from '../../../src/math/random.ts';
import { boxSurface, torusSurface } from '../../../src/shapes/faceted-shapes.ts';
import { type SurfaceSamples, surfaceSamples } from '../../../src/shapes/surface-samples.ts';
import { meshArea, type TriangleMesh } from '../../../src/shapes/triangle-mesh.ts';
import { trianglesOf } from '../../fixtures/sampled-contact-models.ts';

const integral = (
  { points, areas }: SurfaceSamples,
  f: (x: number, y: number, z: number) => number,
): number =>
  areas.reduce(
    (sum, area, s) => sum + area * f(points[3 * s], points[3 * s + 1], points[3 * s + 2]),
    0,
  );

/** Every triangle in four, at its middle and at random: the same surface. */
function cutAtRandom({ vertices, triangles }: TriangleMesh, random: Random): TriangleMesh {
  const points = [...vertices];
  const faces: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = triangles.subarray(k, k + 3);
    const [u, v] = [random.uniform(), random.uniform()].sort((x, y) => x - y);
    for (let d = 0; d < 3; d++)
      points.push(
        u * vertices[3 * a + d] + (v - u) * vertices[3 * b + d] + (1 - v) * vertices[3 * c + d],
      );
    const m = points.length / 3 - 1;
    faces.push(a, b, m, b, c, m, c, a, m);
  }
  return { vertices: Float64Array.from(points), triangles: Uint32Array.from(faces) };
}

test('areas add up, and linear functions have their exact integral, whatever the triangles are', () => {
  const random = new Random(1);
  const torus = trianglesOf(torusSurface(0.05, 0.018, 48, 24));
  for (const mesh of [
    trianglesOf(boxSurface([0.1, 0.2, 0.05])),
    torus,
    cutAtRandom(torus, random),
  ]) {
    const area = meshArea(mesh);
    for (const count of [16, 300, 5000]) {
      const samples = surfaceSamples(mesh, count, 8, 'mesh');
      assert.ok(
        samples.areas.length >= count && samples.areas.length < 2.2 * count + 12,
        `${samples.areas.length}`,
      );
      assert.ok(Math.abs(integral(samples, () => 1) / area - 1) < 1e-12);
      // both are symmetric about the origin
      assert.ok(Math.abs(integral(samples, (x, y, z) => x + 2 * y - 3 * z)) < 1e-12 * area);
      assert.deepEqual(surfaceSamples(mesh, count, 8, 'mesh'), samples);
    }
  }
});

test('a quadratic function converges with the number of samples, to the same value for other triangles', () => {
  const random = new Random(2);
  const coarse = trianglesOf(boxSurface([0.1, 0.1, 0.1]));
  const other = cutAtRandom(cutAtRandom(coarse, random), random);
  // of the surface of a cube of side a: two faces with x² = a²/4 and four with the mean a²/12
  const exact = 1e-2 * (2 / 4 + 4 / 12) * 1e-2;
  const error = (mesh: TriangleMesh, count: number): number =>
    Math.abs(integral(surfaceSamples(mesh, count, 8, 'cube'), (x) => x * x) / exact - 1);
  for (const mesh of [coarse, other]) {
    // centroids of parts of the size h ~ 1/√count: second order in h
    assert.ok(error(mesh, 400) < 2e-2, `${error(mesh, 400)}`);
    assert.ok(error(mesh, 6400) < error(mesh, 400) / 8, `${error(mesh, 6400)}`);
  }
});

test('opposite sides of a thin plate never share a sample', () => {
  // a fine mesh of a plate of 10 µm: 27,000 triangles, 200 samples
  let plate = trianglesOf(boxSurface([0.1, 0.1, 1e-5]));
  const random = new Random(3);
  for (let cut = 0; cut < 7; cut++) plate = cutAtRandom(plate, random);
  const { points, areas } = surfaceSamples(plate, 200, 8, 'plate');
  areas.forEach((_, s) => {
    const flat = Math.abs(Math.abs(points[3 * s + 2]) - 5e-6) < 1e-12;
    const edge = Math.max(Math.abs(points[3 * s]), Math.abs(points[3 * s + 1])) > 0.05 - 1e-9;
    assert.ok(flat || edge, points.subarray(3 * s, 3 * s + 3).join());
  });
});

test('nodes hold their samples, leaves hold all of them once, patches are runs of samples', () => {
  const samples = surfaceSamples(ballMesh(0.1, 3), 700, 24, 'ball');
  const { points, areas, spheres, firsts, ends, skips, patches, patchCount, reach } = samples;
  assert.ok(patchCount >= 24 && patchCount < 2.2 * 24 + 12, `${patchCount}`);
  const patchOf = new Int32Array(areas.length).fill(-1);
  let covered = 0;
  for (let n = 0; n < firsts.length; n++) {
    for (let s = firsts[n]; s < ends[n]; s++) {
      const d = Math.hypot(...[0, 1, 2].map((a) => points[3 * s + a] - spheres[4 * n + a]));
      assert.ok(d <= spheres[4 * n + 3] * (1 + 1e-12));
    }
    if (skips[n] !== n + 1) continue;
    assert.equal(firsts[n], covered);
    covered = ends[n];
    patchOf.fill(patches[n], firsts[n], ends[n]);
  }
  assert.equal(covered, areas.length);
  assert.ok(
    patchOf.every(
      (patch, s) =>
        patch >= 0 && (s === 0 || (patch - patchOf[s - 1] <= 1 && patch >= patchOf[s - 1])),
    ),
  );
  assert.equal(patchOf.at(-1), patchCount - 1);
  assert.ok(Math.abs(reach - 0.1) < 1e-3);
});

test('a surface without an area is refused', () => {
  const flat = { vertices: new Float64Array(9), triangles: Uint32Array.of(0, 1, 2) };
  assert.throws(
    () => surfaceSamples(flat, 16, 4, 'flat'),
    /flat to be a surface with an area, got 0 m\^2/,
  );
});
