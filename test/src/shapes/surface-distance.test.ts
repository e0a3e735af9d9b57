/** Distance of a point from a triangle, and of two surfaces: closed forms, samples, subdivision. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { SurfaceDistance } from '../../../src/shapes/surface-distance.ts';
import type { TriangleMesh } from '../../../src/shapes/triangle-mesh.ts';
import { SQUARE, TriangleTree } from '../../../src/shapes/triangle-tree.ts';
import { cube, moved, roundMesh } from '../../fixtures/meshes.ts';

const surfaceDistance = (a: TriangleMesh, b: TriangleMesh, enough = 0): number =>
  new SurfaceDistance(a).boundTo(b, enough);

const UNIT = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

test('a point and a triangle: no place of the triangle is nearer, and one is as near', () => {
  const random = new Random(4);
  const draw = (): number => 2 * random.uniform() - 1;
  for (let n = 0; n < 60; n++) {
    const vertices = Float64Array.from({ length: 9 }, draw);
    // needles and flat ones as well
    if (n % 4 === 0) for (let k = 0; k < 3; k++) vertices[6 + k] = vertices[k] + 1e-9 * draw();
    if (n % 7 === 0)
      for (let k = 0; k < 3; k++) vertices[6 + k] = 2 * vertices[3 + k] - vertices[k];
    const mesh: TriangleMesh = { vertices, triangles: Uint32Array.of(0, 1, 2) };
    const point = Float64Array.of(2 * draw(), 2 * draw(), 2 * draw());
    const tree = new TriangleTree(mesh);
    tree.measure(0, point, 0);
    const got = Math.sqrt(tree.place[SQUARE]);
    let least = Infinity;
    const steps = 200;
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; i + j <= steps; j++) {
        const [s, r] = [i / steps, j / steps];
        const away = [0, 1, 2].map(
          (k) => (1 - s - r) * vertices[k] + s * vertices[3 + k] + r * vertices[6 + k] - point[k],
        );
        least = Math.min(least, Math.hypot(...away));
      }
    }
    // a step of the grid is at most 1/200 of an edge of at most 2 √3, or twice that
    assert.ok(got <= least + 1e-12 && least - got < 0.04, `${n}: ${got}, grid ${least}`);
  }
});

test('two cubes: a shift is the distance, a bump counts both ways', () => {
  const one = cube([0, 0, 0], [1, 1, 1]);
  assert.ok(surfaceDistance(one, one) < 1e-15);
  for (const shift of [1e-6, 0.01, 0.3]) {
    const other = moved(one, UNIT, [shift, 0, 0]);
    const got = surfaceDistance(one, other);
    assert.ok(got >= shift * (1 - 1e-9) && got <= 1.05 * shift + 1e-12, `${shift}: ${got}`);
  }
  // a cube around another: the corners are farthest
  const got = surfaceDistance(one, cube([-0.1, -0.1, -0.1], [1.1, 1.1, 1.1]));
  const want = 0.1 * Math.sqrt(3);
  assert.ok(got >= want - 1e-12 && got <= 1.05 * want, `${got}`);
});

test('two polyhedra of a ball: between the samples and the sagitta', () => {
  const fine = roundMesh(1, 48, 24);
  const coarse = roundMesh(1, 12, 6);
  const got = surfaceDistance(fine, coarse);
  // corners of both lie on the ball: the deepest middle of a coarse facet bounds it from above
  let deepest = 0;
  for (let k = 0; k < coarse.triangles.length; k += 3) {
    const middle = [0, 1, 2].map(
      (axis) =>
        [0, 1, 2].reduce((sum, n) => sum + coarse.vertices[3 * coarse.triangles[k + n] + axis], 0) /
        3,
    );
    deepest = Math.max(deepest, 1 - Math.hypot(...middle));
  }
  assert.ok(got < 1.05 * 1.5 * deepest, `${got}, ${deepest}`);
  const tree = new TriangleTree(coarse);
  let found = 0;
  for (let k = 0; k < fine.vertices.length; k += 3) {
    let least = Infinity;
    for (let t = 0; t < coarse.triangles.length / 3; t++) {
      tree.measure(t, fine.vertices, k);
      least = Math.min(least, Math.sqrt(tree.place[SQUARE]));
    }
    found = Math.max(found, least);
  }
  assert.ok(got >= found && got < 1.2 * found, `${got}, corners ${found}`);
});
