/** Meshes that go through themselves, that touch, that share a face: in every place, at sizes where rounding decides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ballMesh } from '../../../server/validation/ball-mesh.ts';
import { triangleTriangle } from '../../../server/validation/plain-triangles.ts';
import { Random } from '../../../src/math/random.ts';
import { sideOfLine, sideOfPlane } from '../../../src/shapes/exact-side.ts';
import { selfIntersection } from '../../../src/shapes/self-intersection.ts';
import type { TriangleMesh } from '../../../src/shapes/triangle-mesh.ts';
import { angle, cube, moved, together } from '../../fixtures/meshes.ts';

const box = (x: number, y: number, z: number, size: number): TriangleMesh =>
  cube([x, y, z], [x + size, y + size, z + size]);

test('sides are exact where rounding would decide', () => {
  // a point beside the line through (0.5, 0.5) and (12, 12) by less than the rounding of the determinant: `Kettner et al. 2008`
  const tiny = 2 ** -53;
  for (let m = 0; m < 16; m++) {
    for (let n = 0; n < 16; n++) {
      const v = Float64Array.of(0.5 + m * tiny, 0.5 + n * tiny, 0, 12, 12, 0, 24, 24, 0);
      const expected = m === n ? 0 : Math.sign(n - m);
      assert.equal(sideOfLine(v, [0, 1], 0, 3, 6), expected, `${m}, ${n}`);
      const w = Float64Array.of(...v, 1, 1, 7);
      assert.equal(Math.abs(sideOfPlane(w, 0, 3, 6, 9)), Math.abs(expected));
    }
  }
  const plane = Float64Array.of(0, 0, 1e-300, 1, 0, 1e-300, 0, 1, 1e-300, 0.3, 0.3, 0);
  assert.equal(sideOfPlane(plane, 0, 3, 6, 9), 1);
});

test('what is sound, touches, or shares a face does not go through itself', () => {
  const sound: TriangleMesh[] = [
    cube([0, 0, 0], [1, 1, 1]),
    ballMesh(0.1, 3),
    angle(0.1),
    together(box(0, 0, 0, 1), box(0, 0, 1, 1)), // one on the other
    together(box(0, 0, 0, 1), box(0.2, 0.3, 1, 0.5)),
    together(box(0, 0, 0, 1), box(1, 1, 1, 1)), // corner on corner
    together(box(0, 0, 0, 1), box(1, 1, 0.3, 1)), // edge on edge
    together(box(0, 0, 0, 3), box(1, 1, 1, 1)), // one in the other
    // an edge across an edge
    together(
      box(0, 0, 0, 1),
      moved(
        box(0, 0, 0, 1),
        [
          [1, -1, 0],
          [1, 1, 0],
          [0, 0, 1],
        ],
        [1, 0, 1],
      ),
    ),
  ];
  for (const [k, mesh] of sound.entries()) assert.equal(selfIntersection(mesh), null, `mesh ${k}`);
});

test('what goes through itself is found, with a place of it', () => {
  const cases: [TriangleMesh, (p: readonly number[]) => boolean][] = [
    [together(box(0, 0, 0, 1), box(0.5, 0.4, 0.3, 1)), (p) => p.every((x) => x > 0.29 && x < 1.01)],
    // the sides of both lie in common planes, and edges meet corners and edges only
    [together(box(0, 0, 0, 1), box(0.5, 0, 0, 1)), (p) => p[0] >= 0 && p[0] <= 1.5],
    [together(box(0, 0, 0, 1), box(0.5, 0.5, 0, 1)), (p) => p[2] >= 0 && p[2] <= 1],
    // a bar through a plate
    [
      together(cube([-1, -1, 0], [1, 1, 0.1]), cube([-0.1, -0.1, -1], [0.1, 0.1, 1])),
      (p) => Math.abs(p[0]) < 0.11 && p[2] > -0.01 && p[2] < 0.11,
    ],
  ];
  for (const [k, [mesh, near]] of cases.entries()) {
    for (const scale of [1, 1e-3, 1e3]) {
      const found = selfIntersection({
        vertices: mesh.vertices.map((x) => scale * x),
        triangles: mesh.triangles,
      });
      assert.ok(found !== null && found.count > 0, `mesh ${k}`);
      assert.ok(near(found.place.map((x) => x / scale)), `mesh ${k} at ${found.place.join()}`);
    }
  }
  // a corner of a ball pulled through its other side
  const ball = ballMesh(1, 2);
  const pulled = ball.vertices.slice();
  pulled.set([-1.5 * pulled[0], -1.5 * pulled[1], -1.5 * pulled[2]], 0);
  assert.ok(selfIntersection({ vertices: pulled, triangles: ball.triangles }) !== null);
});

test('random boxes: a mesh of two goes through itself where, and only where, their surfaces are at distance 0', () => {
  const random = new Random(31);
  let both = 0;
  const corners = (mesh: TriangleMesh): (readonly [number, number, number])[][] =>
    Array.from({ length: mesh.triangles.length / 3 }, (_, k) =>
      [0, 1, 2].map((c) => {
        const o = 3 * mesh.triangles[3 * k + c];
        return [mesh.vertices[o], mesh.vertices[o + 1], mesh.vertices[o + 2]] as const;
      }),
    );
  for (let n = 0; n < 60; n++) {
    const any = (): number[] => [random.gaussian(), random.gaussian(), random.gaussian()];
    const one = box(-1, -1, -1, 2);
    const size = 0.2 + 1.5 * random.uniform();
    const other = moved(box(-0.5, -0.5, -0.5, size), [any(), any(), any()], any());
    const cut = corners(one).some((s) => corners(other).some((t) => triangleTriangle(s, t) === 0));
    assert.equal(selfIntersection(together(one, other)) !== null, cut, `draw ${n}`);
    if (cut) both++;
  }
  assert.ok(both > 10 && both < 55, `${both}`);
});
