/** Round bodies and polytopes: sums over cuttings, half-spaces, rays, gradients, touch, order of the pair. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import { makeKernel, overlapMethods } from '../../../src/overlap/make-kernel.ts';
import { RayKernel } from '../../../src/overlap/rays.ts';
import { convexHull } from '../../../src/shapes/convex-hull.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { near } from '../../fixtures/overlap/columns.ts';
import {
  agree,
  measure,
  type Metrics,
  place,
  randomPlacement,
  slopeOfVolume,
  within,
} from '../../fixtures/overlap/kernel-frames.ts';

const HERE = place([0, 0, 0], [0, 0, 0]);
const R = 0.06;
const CYLINDER = { kind: 'cylinder', radius: R, length: 0.1 } as const;
const FRUSTUM = { kind: 'frustum', radius: R, topRadius: 0.025, length: 0.1 } as const;
const SLIM = { kind: 'frustum', radius: R, topRadius: 0.0599, length: 0.1 } as const;
const CONE = { kind: 'frustum', radius: R, topRadius: 0, length: 0.1 } as const;
const CAPSULE = { kind: 'capsule', radius: 0.04, length: 0.1 } as const;
const ROUND: readonly CellShape[] = [CYLINDER, FRUSTUM, SLIM, CONE, CAPSULE];

/** Volume, centroid above the origin and second moments of the whole body. */
function whole(shape: CellShape): {
  volume: number;
  height: number;
  across: number;
  along: number;
} {
  const parts: [volume: number, height: number, across: number, along: number][] = [];
  if (shape.kind === 'cylinder' || shape.kind === 'capsule') {
    const { radius: r, length: l } = shape;
    const volume = Math.PI * r * r * l;
    parts.push([volume, 0, (volume * r * r) / 4, (volume * l * l) / 12]);
    if (shape.kind === 'capsule') {
      // half a ball: centroid 3 r/8 above its face, V r²/5 about the centre
      const half = (2 / 3) * Math.PI * r ** 3;
      const moment = (half * r * r) / 5;
      for (const side of [1, -1]) {
        parts.push([
          half,
          side * (l / 2 + (3 * r) / 8),
          moment,
          moment - half * ((3 * r) / 8) ** 2,
        ]);
      }
    }
  } else if (shape.kind === 'frustum') {
    // ∫ z^n π r² dz and ∫ π r⁴/4 dz by Gauss with three nodes, exact to degree 5
    const { radius: a, topRadius: b, length: l } = shape;
    let [v, m, s, x] = [0, 0, 0, 0];
    for (const [node, weight] of [
      [-Math.sqrt(0.6), 5 / 9],
      [0, 8 / 9],
      [Math.sqrt(0.6), 5 / 9],
    ]) {
      const z = (l / 2) * (1 + node);
      const r = a + ((b - a) * z) / l;
      const disc = (l / 2) * weight * Math.PI * r * r;
      v += disc;
      m += disc * z;
      s += disc * z * z;
      x += (disc * r * r) / 4;
    }
    parts.push([v, m / v, x, s - (m * m) / v]);
  }
  const volume = parts.reduce((sum, part) => sum + part[0], 0);
  const height = parts.reduce((sum, part) => sum + part[0] * part[1], 0) / volume;
  const across = parts.reduce((sum, part) => sum + part[2], 0);
  const along = parts.reduce((sum, part) => sum + part[3] + part[0] * (part[1] - height) ** 2, 0);
  return { volume, height, across, along };
}

test('eight boxes around any point, turned in any way, share the whole body', () => {
  for (const shape of ROUND) {
    const kernel = makeKernel(shape, { kind: 'box', size: [1, 1, 1] }, 'closed-form');
    const all = whole(shape);
    const random = new Random(3);
    for (let n = 0; n < 60; n++) {
      const any = randomPlacement(random, 0.05);
      // turned in any way, along the axes of the body, or lying
      const turns = [any, HERE, place([Math.PI / 2, 0, 0], [0, 0, 0])];
      const frame = Float64Array.of(...turns[n % 3].subarray(0, 9), ...any.subarray(9));
      let volume = 0;
      const first = [0, 0, 0];
      const second: number[] = Array<number>(9).fill(0);
      const area = [0, 0, 0];
      for (let octant = 0; octant < 8; octant++) {
        const corner = [0, 1, 2].map((k) => ((octant >> k) & 1 ? 0.5 : -0.5));
        const part = measure(kernel, HERE, within(frame, place([0, 0, 0], corner)));
        volume += part.volume;
        for (let k = 0; k < 3; k++) {
          first[k] += part.volume * part.centroid[k];
          area[k] += part.vectorArea[k];
        }
        for (let k = 0; k < 9; k++) {
          const shift = part.centroid[Math.floor(k / 3)] * part.centroid[k % 3];
          second[k] += part.second[k] + part.volume * shift;
        }
      }
      const what = `${shape.kind} ${n}`;
      // each part has 1e-12 of the whole from nodes and rounding
      near(volume, all.volume, 1e-11, `V, ${what}`);
      for (let k = 0; k < 3; k++) {
        const want = k === 2 ? all.volume * all.height : 0;
        assert.ok(Math.abs(first[k] - want) < 1e-11 * all.volume * R, `first ${k}, ${what}`);
        // every face is between two boxes, with opposite sides
        assert.ok(Math.abs(area[k]) < 1e-11 * R * R, `vector area ${k}, ${what}`);
      }
      for (let k = 0; k < 9; k++) {
        const about = k === 8 ? all.along + all.volume * all.height ** 2 : all.across;
        const off = Math.abs(second[k] - (k % 4 === 0 ? about : 0)) / all.along;
        assert.ok(off < 1e-10, `S ${k}, ${what}: ${off}`);
      }
    }
  }
});

/** Placement over the plane z = 0 at which the deepest point is at `depth`. */
function sunk(shape: CellShape, turn: readonly number[], depth: number): Float64Array {
  const kernel = makeKernel(shape, { kind: 'half-space' }, 'closed-form');
  const at = place(turn, [0.02, -0.01, 0]);
  const before = new Float64Array(COLUMN_SIZE);
  // once from afar, once from there, so that the depth is exact to rounding of the height
  for (let n = 0; n < 2; n++) {
    kernel.compute(at, HERE, before);
    at[11] += -before[14] - depth;
  }
  return at;
}

test('on a large face a round body shares what it shares with a half-space, lying, standing and tilted', () => {
  const face = { kind: 'box', size: [0.8, 0.8, 0.4] } as const;
  const below = place([0, 0, 0], [0, 0, -0.2]);
  const random = new Random(7);
  const turns = [0, 1e-12, 1e-9, 1e-6, 1e-3].flatMap((slant) => [
    [slant, 0, 0],
    [Math.PI / 2 + slant, 0, 0],
    [0, Math.PI - slant, 0],
  ]);
  for (let n = 0; n < 30; n++) turns.push([0, 1, 2].map(() => 4 * random.uniform() - 2));
  for (const shape of ROUND) {
    const kernel = makeKernel(shape, face, 'closed-form');
    const plane = makeKernel(shape, { kind: 'half-space' }, 'closed-form');
    // at the tip of a cone the sections of a half-space have 5e-4 of V at 1e-7 m; that has a test of its own
    for (const depth of shape === CONE ? [1e-3, 0.02] : [1e-7, 1e-5, 1e-3, 0.02]) {
      for (const turn of turns) {
        const at = sunk(shape, turn, depth);
        const want = measure(plane, at, HERE);
        const got = measure(kernel, at, below);
        // corners 0.6 m away leave 4e-15 m of the depth, and moments of a tip go with its fifth power; nodes leave 1e-9
        const tolerance = 1e-9 + 2e-14 / depth;
        const what = `${shape.kind} ${depth} ${turn.join(' ')}`;
        agree(got, want, tolerance, R, what);
        near(got.gap, want.gap, tolerance, `depth, ${what}`);
      }
    }
  }
});

test('a cone on its tip shares a cone of the depth', () => {
  const kernel = makeKernel(CONE, { kind: 'box', size: [0.8, 0.8, 0.4] }, 'closed-form');
  for (const depth of [1e-8, 1e-6, 1e-4, 0.02]) {
    const got = measure(
      kernel,
      place([Math.PI, 0, 0], [0, 0, 0.1 - depth]),
      place([0, 0, 0], [0, 0, -0.2]),
    );
    const r = 0.6 * depth;
    const volume = (Math.PI * r * r * depth) / 3;
    // the depth is known to 1e-16 m
    const tolerance = 1e-11 + 1e-15 / depth;
    near(got.volume, volume, tolerance, `V ${depth}`);
    near(got.area, Math.PI * r * r, tolerance, `A_c ${depth}`);
    near(got.second[0], (3 / 20) * volume * r * r, 2 * tolerance, `S_xx ${depth}`);
    near(got.second[8], (3 / 80) * volume * depth * depth, 2 * tolerance, `S_zz ${depth}`);
    near(got.gap, -depth, tolerance, `depth ${depth}`);
  }
});

/** Corners of a hull about the origin, of no particular kind. */
function points(random: Random, count: number, radius: number): [number, number, number][] {
  return Array.from({ length: count }, () => {
    const v = [0, 1, 2].map(() => 2 * random.uniform() - 1);
    const length = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
    return [(radius * v[0]) / length, (radius * v[1]) / length, (radius * v[2]) / length];
  });
}

test('a hull shares what the tetrahedra from its middle to its faces share, together', () => {
  const random = new Random(13);
  for (const shape of ROUND) {
    for (let n = 0; n < 6; n++) {
      const hull = convexHull(points(random, 24, 0.08));
      const kernel = makeKernel(shape, { kind: 'mesh', vertices: hull.points }, 'closed-form');
      const at = randomPlacement(random, 0.06);
      const got = measure(kernel, at, HERE);
      let volume = 0;
      const first = [0, 0, 0];
      const area = [0, 0, 0];
      for (const face of hull.faces) {
        const vertices = [[0, 0, 0] as const, ...face.map((v) => hull.points[v])];
        const part = makeKernel(shape, { kind: 'mesh', vertices }, 'closed-form');
        const one = measure(part, at, HERE);
        volume += one.volume;
        for (let k = 0; k < 3; k++) {
          first[k] += one.volume * one.centroid[k];
          area[k] += one.vectorArea[k];
        }
      }
      const what = `${shape.kind} ${n}`;
      near(got.volume, volume, 1e-11, `V, ${what}`);
      for (let k = 0; k < 3; k++) {
        const off = Math.abs(got.volume * got.centroid[k] - first[k]);
        assert.ok(off < 1e-16, `first moment ${k}, ${what}: ${off}`);
        assert.ok(Math.abs(got.vectorArea[k] - area[k]) < 1e-12, `vector area ${k}, ${what}`);
      }
    }
  }
});

test('minus the gradient of V is the vector area', () => {
  const random = new Random(5);
  const box = { kind: 'box', size: [0.1, 0.14, 0.18] } as const;
  const mesh = { kind: 'mesh', vertices: points(random, 30, 0.08) } as const;
  for (const shape of ROUND) {
    for (const other of [box, mesh]) {
      const kernel = makeKernel(shape, other, 'closed-form');
      for (let n = 0; n < 20; n++) {
        const i = randomPlacement(random, 0.08);
        const got = measure(kernel, i, HERE);
        if (got.volume < 1e-6) continue;
        // second derivatives of V have steps where a corner enters the wall: a step of R/3000 leaves 1e-7 m² of 1e-2
        const slope = slopeOfVolume(kernel, i, HERE, 2e-5);
        for (let k = 0; k < 3; k++) {
          const off = Math.abs(slope[k] - got.vectorArea[k]);
          assert.ok(off < 1e-7, `${shape.kind} ${other.kind} ${n}: ${off}`);
        }
      }
    }
  }
});

test('rays of many nodes agree within the error that they state', () => {
  const random = new Random(9);
  const box = { kind: 'box', size: [0.1, 0.14, 0.18] } as const;
  const column = new Float64Array(COLUMN_SIZE);
  for (const shape of ROUND) {
    const exact = makeKernel(shape, box, 'auto');
    assert.equal(exact.method, 'closed-form');
    const rays = new RayKernel(shape, box, { nodes: 40 });
    for (let n = 0; n < 12; n++) {
      const i = randomPlacement(random, 0.08);
      rays.compute(i, HERE, column);
      // 2e-5 where the tip of a cone ends within a slice, else 1e-12
      near(measure(exact, i, HERE).volume, column[0], column[15], `${shape.kind} ${n}`);
    }
  }
});

test('a body in the other has its own volume, and no area', () => {
  const large = { kind: 'box', size: [1, 1, 1] } as const;
  const small = { kind: 'box', size: [0.02, 0.03, 0.01] } as const;
  const random = new Random(21);
  for (const shape of ROUND) {
    const at = randomPlacement(random, 0.1);
    const inside = measure(makeKernel(shape, large, 'auto'), at, HERE);
    near(inside.volume, whole(shape).volume, 1e-12, shape.kind);
    assert.equal(inside.area, 0);
    const height = shape.kind === 'frustum' ? 0.02 : 0;
    const within = makeKernel(shape, small, 'auto');
    const box = measure(within, HERE, place([0.3, 0.1, 0.2], [0.001, 0, height]));
    near(box.volume, 6e-6, 1e-12, `box in ${shape.kind}`);
    assert.equal(box.area, 0, `box in ${shape.kind}`);
    assert.ok(box.gap < 0);
  }
});

test('from apart to touch to overlap: a gap that is the distance, then a volume that rises from zero', () => {
  const box = { kind: 'box', size: [0.3, 0.3, 0.3] } as const;
  for (const shape of ROUND) {
    const kernel = makeKernel(shape, box, 'closed-form');
    for (const turn of [
      [0, 0, 0],
      [Math.PI / 2, 0, 0],
      [0.4, 0.3, 0],
    ]) {
      const start = sunk(shape, turn, 0);
      let last = 0;
      for (const depth of [-0.05, -1e-3, -1e-6, -1e-9, 0, 1e-15, 1e-13, 1e-9, 1e-6, 1e-3, 0.01]) {
        const at = Float64Array.from(start);
        at[11] += 0.15 - depth;
        const got = measure(kernel, at, HERE);
        const what = `${shape.kind} ${turn.join(' ')} ${depth}`;
        assert.ok(got.volume >= last, `${what}: ${got.volume} after ${last}`);
        // rounding of corners 0.3 m away: 1e-15 m
        if (depth < 0) {
          assert.equal(got.volume, 0, what);
          assert.ok(got.gap > 0 && got.gap <= -depth + 1e-15, `${what}: ${got.gap}`);
          if (depth > -1e-2) assert.ok(got.gap > -depth * 0.99 - 1e-12, `${what}: ${got.gap}`);
        }
        if (depth >= 1e-6) near(got.gap, -depth, 1e-8, what);
        last = got.volume;
      }
    }
  }
});

test('the other order of the pair is the same column with the vector area turned around', () => {
  const random = new Random(17);
  const box = { kind: 'box', size: [0.1, 0.14, 0.18] } as const;
  for (const shape of ROUND) {
    const one = makeKernel(shape, box, 'auto');
    const other = makeKernel(box, shape, 'auto');
    for (let n = 0; n < 10; n++) {
      const i = randomPlacement(random, 0.1);
      const j = randomPlacement(random, 0.05);
      const got: Metrics = measure(one, i, j);
      const swapped = measure(other, j, i);
      assert.deepEqual(
        { ...swapped, vectorArea: swapped.vectorArea.map((x) => 0 - x) },
        { ...got, vectorArea: got.vectorArea.map((x) => 0 + x) },
      );
    }
  }
});

test('a ball and a hull of more faces than slices take have a closed form as well', () => {
  const random = new Random(23);
  const hull = { kind: 'mesh', vertices: points(random, 60, 0.08) } as const;
  const ball = { kind: 'sphere', radius: 0.05 } as const;
  assert.equal(overlapMethods(ball, hull)[0], 'closed-form');
  const kernel = makeKernel(ball, hull, 'auto');
  for (let n = 0; n < 20; n++) {
    const i = randomPlacement(random, 0.08);
    const got = measure(kernel, i, HERE);
    if (got.volume < 1e-7) continue;
    const slope = slopeOfVolume(kernel, i, HERE, 1e-5);
    for (let k = 0; k < 3; k++) {
      assert.ok(Math.abs(slope[k] - got.vectorArea[k]) < 1e-7, `${n}: ${slope.join(' ')}`);
    }
  }
  const inside = measure(makeKernel({ kind: 'sphere', radius: 0.02 }, hull, 'auto'), HERE, HERE);
  near(inside.volume, (4 / 3) * Math.PI * 0.02 ** 3, 1e-14, 'ball in the hull');
});

test('faces in line with ends, corners and walls, and tangent to them, have the volume that rays give', () => {
  const random = new Random(3);
  const pick = (...values: number[]): number =>
    values[Math.floor(random.uniform() * values.length)];
  const column = new Float64Array(COLUMN_SIZE);
  const quarter = Math.PI / 2;
  for (const shape of [
    { kind: 'cylinder', radius: 1, length: 2 },
    { kind: 'frustum', radius: 1, topRadius: 0.5, length: 2 },
    { kind: 'capsule', radius: 1, length: 2 },
  ] as const) {
    for (let n = 0; n < 120; n++) {
      const box = {
        kind: 'box',
        size: [pick(0.5, 1, 2, 4), pick(0.5, 1, 2, 4), pick(0.5, 1, 2, 4)],
      } as const;
      const turns = [
        [0, 0, 0],
        [quarter, 0, 0],
        [0, quarter, 0],
        [0, 0, quarter / 2],
        [quarter / 2, 0, 0],
      ];
      const at = place(turns[n % 5], [
        pick(-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 1),
        pick(-1, -0.5, 0, 0.25, 0.5, 1),
        pick(-1.5, -1, -0.5, 0, 0.5, 1, 2),
      ]);
      const what = `${shape.kind} ${n}`;
      const got = measure(makeKernel(shape, box, 'closed-form'), HERE, at);
      new RayKernel(shape, box, { nodes: 16 }).compute(HERE, at, column);
      if (!(column[0] > 1e-9)) assert.ok(got.volume < 1e-9, what);
      else near(got.volume, column[0], 1e-7 + column[15], what);
    }
  }
});

test('an edge that grazes the rim, between a face and one without width, makes no section', () => {
  const vertices = Array.from({ length: 12 }, (_, k): [number, number, number] => {
    const angle = (Math.PI / 3) * (k >> 1);
    return [0.5 * Math.cos(angle), 0.5 * Math.sin(angle), k & 1 ? 0.5 : -0.5];
  });
  const cylinder = { kind: 'cylinder', radius: 1, length: 2 } as const;
  const kernel = makeKernel(cylinder, { kind: 'mesh', vertices }, 'closed-form');
  const lying = place([Math.PI / 2, 0, 0], [0.3, 0.2, 0.1]);
  // a corner of the hexagon on the rim, 1e-16 to either side
  for (const [x, y] of [
    [0.5, -1],
    [0.5, 1],
    [-0.5, -1],
    [-0.5, 1],
  ]) {
    const at = measure(kernel, lying, place([0, 0, 0], [0.3 + x, 0.2 + y, 0.1]));
    const beside = measure(kernel, lying, place([0, 0, 0], [0.3 + 0.999999 * x, 0.2 + y, 0.1]));
    near(at.volume, beside.volume, 1e-5, `${x} ${y}`);
  }
});

test('a face at the shoulder of a capsule belongs to one side of it', () => {
  const kernel = makeKernel(CAPSULE, { kind: 'box', size: [0.2, 0.2, 0.1] }, 'closed-form');
  const disc = Math.PI * 0.04 ** 2;
  for (const off of [-1e-9, -1e-16, 0, 1e-16, 1e-9]) {
    // from above onto the half ball, and from below along the cylinder: the disc of the shoulder is the only face in the capsule
    const above = measure(kernel, HERE, place([0, 0, 0], [0, 0, 0.1 + off]));
    near(above.vectorArea[2], -disc, 1e-7, `above ${off}`);
    const below = measure(kernel, HERE, place([0, 0, 0], [0, 0, off]));
    assert.ok(Math.abs(below.vectorArea[2]) < 1e-7 * disc, `below ${off}`);
    near(below.volume, disc * 0.1, 1e-7, `V below ${off}`);
  }
});
