/** Clipping: what must hold for any two polytopes, whatever their overlap is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Random } from '../../../src/math/random.ts';
import { ClipKernel } from '../../../src/overlap/clip.ts';
import { COLUMN, COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import { makePolytope, type Polytope } from '../../../src/overlap/polytope.ts';
import { deepPair, type Pair, shapePool, touchingPair } from '../../fixtures/overlap/clip-pairs.ts';
import {
  ball,
  box,
  composed,
  cornersAt,
  differences,
  halfSpace,
  type Overlap,
  overlap,
  overlapOf,
  placed,
  polytope,
  spread,
} from '../../fixtures/overlap/clip-samples.ts';

const random = new Random(77);
const pool = shapePool(random);
const HERE = placed([0, 0, 0], [0, 0, 0]);

/** So many pairs that overlap by more than a speck: deep ones and shallow ones. */
function pairs(count: number): { pair: Pair; kernel: ClipKernel; got: Overlap }[] {
  const list: { pair: Pair; kernel: ClipKernel; got: Overlap }[] = [];
  while (list.length < count) {
    const pair = list.length % 2 === 0 ? deepPair(random, pool) : touchingPair(random, pool, 0.03);
    const kernel = new ClipKernel(pool[pair.i], pool[pair.j]);
    const got = overlap(kernel, pair.placementI, pair.placementJ);
    if (got.volume > 1e-7) list.push({ pair, kernel, got });
  }
  return list;
}

/** Largest of the three differences. */
const worst = (got: Overlap, want: Overlap): number => Math.max(...differences(got, want));

function moved(placement: Float64Array, by: readonly number[]): Float64Array {
  return placement.map((value, k) => (k < 9 ? value : value + by[k - 9]));
}

test('the vector area is minus the gradient of the volume by the position of body i', () => {
  for (const { pair, kernel, got } of pairs(400)) {
    const scale = Math.cbrt(got.volume);
    const step = 1e-4 * scale;
    for (let k = 0; k < 3; k++) {
      const volume = (by: number): number => {
        const way = [0, 0, 0];
        way[k] = by;
        return overlap(kernel, moved(pair.placementI, way), pair.placementJ).volume;
      };
      const slope = (volume(step) - volume(-step)) / (2 * step);
      // V is C¹ but its curvature jumps where a corner passes a face: the error is of first order in the step, perimeter × step;
      // thin rods and sheets have a perimeter of tens of V^(1/3)
      const tolerance = 100 * step * scale;
      const off = Math.abs(slope + got.vectorArea[k]);
      assert.ok(off < tolerance, `pair ${pair.i}, ${pair.j}: ${slope}, ${got.vectorArea[k]}`);
    }
    const [x, y, z] = got.vectorArea;
    assert.ok(Math.abs(got.area - Math.sqrt(x * x + y * y + z * z)) <= 1e-15 * got.area);
  }
});

test('swapping the bodies turns the vector area and changes nothing else', () => {
  for (const { pair, got } of pairs(400)) {
    const swapped = overlapOf(pool[pair.j], pool[pair.i], pair.placementJ, pair.placementI);
    // other planes cut: equal to rounding over the smallest thickness, 1e-2 here
    assert.ok(worst(swapped, got) < 1e-11);
    for (let k = 0; k < 3; k++) {
      const off = Math.abs(swapped.vectorArea[k] + got.vectorArea[k]);
      assert.ok(off < 1e-13, `vector area off by ${off}`);
    }
    // the depth goes along the vector area, which has no direction when one body is all but inside the other
    if (got.area > 1e-3 * Math.cbrt(got.volume) ** 2) {
      assert.ok(Math.abs(swapped.gap - got.gap) < 1e-9, `depth ${swapped.gap}, ${got.gap}`);
    }
  }
});

test('turning and moving the world moves the column with it', () => {
  for (const { pair, kernel, got } of pairs(200)) {
    const frame = placed(spread(random, 3), spread(random, 5));
    const there = overlap(
      kernel,
      composed(frame, pair.placementI),
      composed(frame, pair.placementJ),
    );
    const r = (v: readonly number[]): number[] =>
      [0, 1, 2].map((k) => frame[3 * k] * v[0] + frame[3 * k + 1] * v[1] + frame[3 * k + 2] * v[2]);
    const [xx, yy, zz, xy, xz, yz] = got.second;
    const half = [r([xx, xy, xz]), r([xy, yy, yz]), r([xz, yz, zz])];
    const second = [0, 1, 2].map((k) => r(half.map((row) => row[k])));
    const want = {
      ...got,
      centroid: r(got.centroid).map((value, k) => value + frame[9 + k]),
      second: [second[0][0], second[1][1], second[2][2], second[0][1], second[0][2], second[1][2]],
    };
    // poses are off by rounding of coordinates of size 10
    assert.ok(worst(there, want) < 1e-10);
    r(got.vectorArea).forEach((value, k) => {
      assert.ok(Math.abs(there.vectorArea[k] - value) < 1e-12);
    });
    if (got.area > 1e-3 * Math.cbrt(got.volume) ** 2) {
      assert.ok(Math.abs(there.gap - got.gap) < 1e-9, `depth ${there.gap}, ${got.gap}`);
    }
  }
});

test('equal placements give equal bits, whatever was asked before', () => {
  for (const { pair, kernel, got } of pairs(100)) {
    for (let n = 0; n < 5; n++) {
      overlap(kernel, placed(spread(random, 3), spread(random, 1)), pair.placementJ);
    }
    assert.deepEqual(overlap(kernel, pair.placementI, pair.placementJ), got);
  }
});

function scaled(shape: Polytope, by: number): Polytope {
  return polytope({
    kind: 'mesh',
    vertices: cornersAt(shape, HERE).map(([x, y, z]) => [by * x, by * y, by * z] as const),
  });
}

test('bodies a thousand times larger or smaller: powers of the scale', () => {
  for (const { pair, got } of pairs(60)) {
    // exact powers of two: the same numbers in another binade
    for (const by of [2 ** -10, 2 ** 10]) {
      const large = overlapOf(
        scaled(pool[pair.i], by),
        scaled(pool[pair.j], by),
        pair.placementI.map((value, k) => (k < 9 ? value : by * value)),
        pair.placementJ.map((value, k) => (k < 9 ? value : by * value)),
      );
      const want = {
        ...got,
        volume: got.volume * by ** 3,
        centroid: got.centroid.map((value) => value * by),
        second: got.second.map((value) => value * by ** 5),
      };
      assert.ok(worst(large, want) < 1e-10);
    }
  }
});

/** Parts of a polytope on both sides of a plane n·p = d through it, as hulls of their corners. */
function cutInTwo(shape: Polytope, n: readonly number[], d: number): [Polytope, Polytope] {
  const points = cornersAt(shape, HERE);
  const side = points.map((p) => n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - d);
  const below = points.filter((_, v) => side[v] < 0);
  const above = points.filter((_, v) => side[v] >= 0);
  for (let e = 0; e < shape.edges.length; e += 4) {
    const [a, b] = [shape.edges[e], shape.edges[e + 1]];
    if (side[a] < 0 === side[b] < 0) continue;
    const t = side[a] / (side[a] - side[b]);
    const p = points[a].map((value, k) => value + t * (points[b][k] - value));
    below.push([p[0], p[1], p[2]]);
    above.push([p[0], p[1], p[2]]);
  }
  return [polytope({ kind: 'mesh', vertices: below }), polytope({ kind: 'mesh', vertices: above })];
}

test('cutting a body in two changes no sum: volume, moments, vector area', () => {
  for (const { pair, got } of pairs(200)) {
    const n = spread(random, 1);
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const parts = cutInTwo(
      pool[pair.i],
      n.map((value) => value / length),
      0,
    ).map((part) => overlapOf(part, pool[pair.j], pair.placementI, pair.placementJ));
    const volume = parts[0].volume + parts[1].volume;
    assert.ok(Math.abs(volume / got.volume - 1) < 1e-9, `${volume}, ${got.volume}`);
    const order = [
      [0, 0],
      [1, 1],
      [2, 2],
      [0, 1],
      [0, 2],
      [1, 2],
    ];
    const length1 = Math.cbrt(got.volume);
    const largest = Math.max(...got.second.slice(0, 3));
    for (let k = 0; k < 3; k++) {
      const first = parts.reduce((sum, p) => sum + p.volume * (p.centroid[k] - got.centroid[k]), 0);
      assert.ok(Math.abs(first) < 1e-9 * length1 * got.volume);
      const area = parts[0].vectorArea[k] + parts[1].vectorArea[k];
      assert.ok(Math.abs(area - got.vectorArea[k]) < 1e-11, `${area}, ${got.vectorArea[k]}`);
    }
    order.forEach(([a, b], k) => {
      const sum = parts.reduce((s, p) => {
        const away = [a, b].map((axis) => p.centroid[axis] - got.centroid[axis]);
        return s + p.second[k] + p.volume * away[0] * away[1];
      }, 0);
      assert.ok(Math.abs(sum - got.second[k]) < 1e-9 * largest);
    });
  }
});

test('the overlap with a half-space is that with a box as large as needed', () => {
  for (let n = 0; n < 300; n++) {
    const shape = pool[n % pool.length];
    const at = placed(spread(random, 3), spread(random, 0.3));
    const plane = placed(spread(random, 3), spread(random, 0.3));
    const with1 = overlapOf(shape, halfSpace(), at, plane);
    // a box whose top lies in the plane
    const down = moved(plane, [-4 * plane[2], -4 * plane[5], -4 * plane[8]]);
    const with2 = overlapOf(shape, box(8, 8, 8), at, down);
    if (with1.volume < 1e-6) continue;
    assert.ok(worst(with1, with2) < 1e-10);
    for (let k = 0; k < 3; k++) {
      assert.ok(Math.abs(with1.vectorArea[k] - with2.vectorArea[k]) < 1e-13);
    }
    const flipped = overlapOf(halfSpace(), shape, plane, at);
    flipped.vectorArea.forEach((value, k) => assert.equal(value + with1.vectorArea[k], 0));
  }
});

/** Numbers that make faces coincide, corners meet and thickness vanish, to the last bit or just not. */
const touchy = fc
  .tuple(
    fc.constantFrom(-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1),
    fc.constantFrom(0, 0, 0, 1e-16, -1e-16, 3e-16, 1e-12, -1e-12, 1e-8, 1e-300),
  )
  .map(([a, b]) => a + b);
const angle = fc.oneof(
  fc.constantFrom(0, Math.PI / 4, Math.PI / 2, Math.PI, 1e-16, 1e-12, 1e-9, 1e-7, -1e-8),
  fc.double({ min: -3, max: 3, noNaN: true }),
);
const place = fc
  .tuple(
    fc.array(angle, { minLength: 3, maxLength: 3 }),
    fc.array(touchy, { minLength: 3, maxLength: 3 }),
  )
  .map(([turn, at]) => placed(turn, at));
const shapes = [
  ...pool,
  box(1, 1, 1e-9),
  box(1e-9, 1e-9, 1),
  halfSpace(),
  // needles and slivers
  polytope({
    kind: 'mesh',
    vertices: [
      [0, 0, 0],
      [1, 0, 0],
      [0.5, 1e-6, 0],
      [0.5, 0, 1e-6],
    ],
  }),
  polytope({
    kind: 'mesh',
    vertices: Array.from({ length: 30 }, (_, k): [number, number, number] => [
      Math.cos(0.21 * k),
      Math.sin(0.21 * k),
      k % 2 === 0 ? 0 : 1e-7 * k,
    ]),
  }),
];

test('degenerate positions: finite, closed, no volume below 0 or above that of either body', () => {
  const whole = shapes.map((shape) =>
    shape.bounded ? overlapOf(shape, box(9, 9, 9), HERE, HERE).volume : Number.POSITIVE_INFINITY,
  );
  const which = fc.integer({ min: 0, max: shapes.length - 1 });
  fc.assert(
    fc.property(which, which, place, place, (i, j, placementI, placementJ) => {
      if (!shapes[i].bounded && !shapes[j].bounded) return;
      const got = overlapOf(shapes[i], shapes[j], placementI, placementJ);
      const least = Math.min(whole[i], whole[j]);
      assert.ok(got.volume <= least + 1e-15, `${got.volume} of ${least}`);
      const other = overlapOf(shapes[j], shapes[i], placementJ, placementI);
      assert.ok(Math.abs(got.volume - other.volume) <= 1e-14 + 1e-9 * got.volume);
      if (got.volume > 0) {
        for (const [k, at] of [
          [i, placementI],
          [j, placementJ],
        ] as const) {
          if (!shapes[k].bounded) continue;
          const away = got.centroid.map((value, axis) => value - at[9 + axis]);
          const distance = Math.sqrt(away.reduce((sum, value) => sum + value * value, 0));
          // about the origin of the shape; a sheet one rounding thick has its centroid off by a part of its length
          assert.ok(distance <= 1.2 * shapes[k].reach, `centroid ${distance} away`);
        }
      }
      // moments: never negative beyond rounding
      for (let k = 0; k < 3; k++) assert.ok(got.second[k] >= -1e-15);
    }),
    { numRuns: 20_000, seed: 4 },
  );
});

test('a body against itself, turned by next to nothing, is the body', () => {
  for (const shape of pool) {
    const volume = overlapOf(shape, box(9, 9, 9), HERE, HERE).volume;
    for (const turn of [0, 1e-16, 1e-15, 1e-13, 1e-10]) {
      for (let n = 0; n < 20; n++) {
        const at = placed(spread(random, turn), spread(random, turn));
        const got = overlapOf(shape, shape, at, HERE);
        assert.ok(Math.abs(got.volume - volume) < 1e-14 + 20 * turn);
      }
    }
  }
});

test('a placement that is not a number gives a volume that is not either', () => {
  const column = new Float64Array(COLUMN_SIZE);
  for (const other of [box(1, 1, 1), halfSpace()]) {
    const kernel = new ClipKernel(box(1, 1, 1), other);
    for (const k of [0, 9, 11]) {
      const at = placed([0, 0, 0], [0, 0, 0.7]);
      at[k] = Number.NaN;
      kernel.compute(at, HERE, column);
      assert.ok(Number.isNaN(column[COLUMN.volume]));
    }
    kernel.compute(placed([0, 0, 0], [0, 0, 0.7]), placed([0, 0, 0], [0, 0, 0.1]), column);
    assert.ok(column.every(Number.isFinite), 'and nothing stays of it');
  }
});

test('made from any points: null or closed', () => {
  const points = fc.array(fc.tuple(touchy, touchy, touchy), { minLength: 4, maxLength: 14 });
  fc.assert(
    fc.property(points, (vertices) => {
      const made = makePolytope({ kind: 'mesh', vertices });
      if (made === null) return;
      const euler = made.corners.length / 3 - made.edges.length / 4 + made.planes.length / 4;
      assert.equal(euler, 2);
    }),
    { numRuns: 500, seed: 4 },
  );
  assert.ok(ball(300, 1, random).bounded);
});
