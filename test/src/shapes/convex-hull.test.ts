/** Convex hulls of points that nearly share planes, and the exact side test behind them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Random } from '../../../src/math/random.ts';
import { orient } from '../../../src/math/orient.ts';
import { convexHull } from '../../../src/shapes/convex-hull.ts';
import { hullVolume } from '../../../src/shapes/mesh-convexity.ts';

type Point = [number, number, number];
const coordinate = fc.double({ min: -0.5, max: 0.5, noNaN: true });

/** Corners of the unit box and points on its faces, off by noise. */
const roughBox = fc
  .record({
    noise: fc.double({ min: -12, max: -5, noNaN: true }).map((x) => 10 ** x),
    points: fc.array(fc.tuple(fc.nat(5), coordinate, coordinate, coordinate), {
      minLength: 5,
      maxLength: 60,
    }),
  })
  .map(({ noise, points }) => {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (k): Point => [(k & 1) - 0.5, ((k >> 1) & 1) - 0.5, (k >> 2) - 0.5],
    );
    const rough = points.map(([face, x, y, off]): Point => {
      const p: Point = [x, y, 0];
      const axis = face >> 1;
      p[2] = p[axis];
      p[axis] = (face & 1) - 0.5 + 2 * noise * off;
      return p;
    });
    return { noise, points: [...rough, ...corners] };
  });

test('a rough box keeps its volume and stays a closed surface', () => {
  fc.assert(
    fc.property(roughBox, ({ noise, points }) => {
      const hull = convexHull(points);
      // Euler: a closed surface of triangles has two faces for each corner, less four
      assert.equal(hull.faces.length, 2 * hull.points.length - 4);
      // each of six faces may rise by the noise; points within 1e-10 of a face are left out
      const volume = hullVolume(points);
      assert.ok(volume > 1 - 1e-9 && volume < 1 + 6 * noise + 1e-9, `volume ${volume}`);
      // every point inside of every wide face, up to the tolerance
      for (const face of hull.faces) {
        const [a, b, c] = face.map((k) => hull.points[k]);
        const u = [0, 1, 2].map((k) => b[k] - a[k]);
        const v = [0, 1, 2].map((k) => c[k] - a[k]);
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const area = Math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2);
        if (area < 1e-4) continue;
        for (const p of points) {
          const over = n.reduce((sum, value, k) => sum + value * (p[k] - a[k]), 0) / area;
          assert.ok(over < 1e-9, `a point ${over} outside`);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('many points along the edges of a box, off by noise, do no harm', () => {
  const edges = fc.record({
    noise: fc.double({ min: -11, max: -7, noNaN: true }).map((x) => 10 ** x),
    points: fc.array(fc.tuple(fc.nat(11), coordinate, coordinate, coordinate), {
      minLength: 20,
      maxLength: 120,
    }),
  });
  fc.assert(
    fc.property(edges, ({ noise, points }) => {
      const rough = points.map(([edge, at, x, y]): Point => {
        const axis = edge >> 2;
        const p: Point = [0, 0, 0];
        p[axis] = at;
        p[(axis + 1) % 3] = (edge & 1) - 0.5 + 2 * noise * x;
        p[(axis + 2) % 3] = ((edge >> 1) & 1) - 0.5 + 2 * noise * y;
        return p;
      });
      const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
        (k): Point => [(k & 1) - 0.5, ((k >> 1) & 1) - 0.5, (k >> 2) - 0.5],
      );
      const hull = convexHull([...rough, ...corners]);
      assert.equal(hull.faces.length, 2 * hull.points.length - 4);
      const volume = hullVolume([...rough, ...corners]);
      assert.ok(volume > 1 - 1e-9 && volume < 1 + 6 * noise + 1e-9, `volume ${volume}`);
    }),
    { numRuns: 200 },
  );
});

test('a row of points near one line: slivers whose normals mean nothing do not break the surface', () => {
  const random = new Random(5);
  let volumes = 0;
  for (let run = 0; run < 5000; run++) {
    // at the tolerance of the hull, where a sliver is as wide as rounding
    const noise = 10 ** (-9.3 - 1.2 * random.uniform());
    const off = (): number => noise * (random.uniform() - 0.5);
    const points = Array.from({ length: 6 + (run % 8) }, (): Point => {
      const at = random.uniform();
      return [at, off(), 0.3 * at + off()];
    });
    points.push([1, 0, 0]);
    if (random.uniform() < 0.5) points.push([0, 1, noise * random.uniform()]);
    if (random.uniform() < 0.5) points.push([0, 0, 1]);
    const hull = convexHull(points);
    if (hull.faces.length === 0) continue; // all in one plane
    volumes++;
    assert.equal(hull.faces.length, 2 * hull.points.length - 4, `run ${run}`);
  }
  assert.ok(volumes > 1000);
});

test('hulls without volume have no faces', () => {
  assert.equal(
    convexHull([
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
      [0.3, 0.4, 0],
    ]).faces.length,
    0,
  );
  assert.equal(
    convexHull([
      [0, 0, 0],
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 3],
    ]).faces.length,
    0,
  );
  assert.equal(
    convexHull([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]).faces.length,
    0,
  );
});

test('the side of a plane is exact where floating point is not', () => {
  const a: Point = [0, 0, 0];
  const b: Point = [1, 0, 0];
  const c: Point = [0, 1, 0];
  assert.equal(orient(a, b, c, [0.2, 0.2, 1e-300]), 1);
  assert.equal(orient(a, b, c, [0.2, 0.2, -1e-300]), -1);
  assert.equal(orient(a, b, c, [0.2, 0.2, 0]), 0);
  // on the line x = y = z of the plane z = (x + y)/2, moved by one unit in the last place
  const plane: [Point, Point, Point] = [
    [12, 12, 12],
    [24, 24, 24],
    [0.5, 0, 0.25],
  ];
  const at = 0.1;
  const step = 2 ** -56;
  const signs = [-1, 0, 1].map((k) => orient(...plane, [at, at, at + k * step * 2]));
  assert.deepEqual(signs.map(Math.abs), [1, 0, 1]);
  assert.equal(signs[0], -signs[2]);
});
