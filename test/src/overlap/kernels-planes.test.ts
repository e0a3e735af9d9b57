/** A ball and what flat faces enclose: sums over cuttings, gradients, other methods, limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { SpherePlanesKernel } from '../../../src/overlap/kernels/sphere-planes.ts';
import { makeKernel } from '../../../src/overlap/make-kernel.ts';
import { SphereSquareEdge } from '../../../src/overlap/sphere-edge.ts';
import { near, column } from '../../fixtures/overlap/columns.ts';
import {
  agree,
  measure,
  place,
  randomPlacement,
  slopeOfVolume,
} from '../../fixtures/overlap/kernel-frames.ts';

const HERE = place([0, 0, 0], [0, 0, 0]);
const R = 0.1;
const BALL = (4 / 3) * Math.PI * R ** 3;
const BOX_PLANES = [0, 1, 2].flatMap((axis) =>
  [1, -1].map((side) => [...[0, 1, 2].map((k) => (k === axis ? side : 0)), 0.5]),
);

function directions(random: Random, count: number): number[][] {
  return Array.from({ length: count }, () => {
    const v = [0, 1, 2].map(() => random.nextUint32() / 2 ** 31 - 1);
    const length = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
    return v.map((x) => x / length);
  });
}

test('the eight parts of a ball between three planes make the ball', () => {
  const random = new Random(4);
  for (let n = 0; n < 150; n++) {
    const normals = directions(random, 3);
    const offsets = normals.map(() => 1.2 * R * (random.nextUint32() / 2 ** 31 - 1));
    let volume = 0;
    const first = [0, 0, 0];
    const second: number[] = Array<number>(9).fill(0);
    for (let octant = 0; octant < 8; octant++) {
      const planes = normals.map((normal, k) => {
        const side = (octant >> k) & 1 ? 1 : -1;
        return [...normal.map((x) => side * x), side * offsets[k]];
      });
      const part = measure(new SpherePlanesKernel(R, planes), HERE, HERE);
      volume += part.volume;
      for (let k = 0; k < 3; k++) first[k] += part.volume * part.centroid[k];
      for (let k = 0; k < 9; k++) {
        const shift = part.centroid[Math.floor(k / 3)] * part.centroid[k % 3];
        second[k] += part.second[k] + part.volume * shift;
      }
    }
    // stated error of a slice quadrature with 24 nodes: 3e-10 of V, 1e-9 of S
    near(volume, BALL, 1e-9, `V ${n}`);
    const moment = (BALL * R * R) / 5;
    for (let k = 0; k < 3; k++) assert.ok(Math.abs(first[k]) < 1e-9 * BALL * R, `first ${n}`);
    for (let k = 0; k < 9; k++) {
      const off = Math.abs(second[k] - (k % 4 === 0 ? moment : 0));
      assert.ok(off < 3e-9 * moment, `S ${k} of ${n}: ${off / moment}`);
    }
  }
});

test('minus the gradient of V is the vector area, for a corner of three planes and a box', () => {
  const random = new Random(5);
  let cut = 0;
  for (let n = 0; n < 150; n++) {
    const planes =
      n % 2 === 0
        ? directions(random, 3).map((d) => [...d, 0.5 * R * (random.nextUint32() / 2 ** 31 - 1)])
        : BOX_PLANES;
    const kernel = new SpherePlanesKernel(R, planes, 60);
    const i = place(
      [0, 0, 0],
      [0, 1, 2].map(() => (n % 2) * 0.5 + 1.2 * R * (random.nextUint32() / 2 ** 31 - 1)),
    );
    const got = measure(kernel, i, HERE);
    if (got.volume < 1e-4 * BALL) continue;
    cut++;
    // third derivatives of V end with roots where a face touches the ball: 1e-6 of the disc for a step of R/5000
    const slope = slopeOfVolume(kernel, i, HERE, 2e-5);
    for (let k = 0; k < 3; k++) {
      const off = Math.abs(slope[k] - got.vectorArea[k]) / (Math.PI * R * R);
      assert.ok(off < 1e-6, `${n}: ${slope.join(' ')}, ${got.vectorArea.join(' ')}`);
    }
  }
  assert.ok(cut > 80, `${cut}`);
});

test('the square edge is that of the form for it, and takes over without a step', () => {
  const random = new Random(6);
  const planes = [
    [0, 1, 0, 0],
    [0, 0, 1, 0],
  ];
  // off square by more than the limit: slices instead of the form
  const slack = 2e-12;
  const skew = [
    [0, 1, 0, 0],
    [0, slack, Math.sqrt(1 - slack * slack), 0],
  ];
  const exact = new SpherePlanesKernel(R, planes);
  const sliced = new SpherePlanesKernel(R, skew);
  const form = new SphereSquareEdge(R);
  for (let n = 0; n < 200; n++) {
    const [y, z] = [0, 1].map(() => R * (random.nextUint32() / 2 ** 31 - 1));
    const i = place([0, 0, 0], [0, y, z]);
    const got = measure(exact, i, HERE);
    if (got.volume < 1e-6 * BALL) continue;
    near(got.volume, column(form, y, z).volume, 1e-8, 'V');
    near(got.area, column(form, y, z).area, 1e-12, 'A_c');
    // both quadratures have 3e-9 at most of the whole
    const other = measure(sliced, i, HERE);
    near(got.volume, other.volume, 1e-8, `V ${y} ${z}`);
    agree({ ...other, gap: got.gap }, got, 1e-8, R, `${y} ${z}`);
  }
});

test('corners, edges and faces through the centre; a box in the ball; a ball in the box', () => {
  const kernel = makeKernel(
    { kind: 'sphere', radius: R },
    { kind: 'box', size: [1, 1, 1] },
    'closed-form',
  );
  const parts: readonly (readonly [readonly number[], number, number])[] = [
    [[0.5, 0.5, 0.5], 1 / 8, Math.sqrt(3) / 4],
    [[0.5, 0.5, 0], 1 / 4, Math.SQRT2 / 2],
    [[0.5, 0, 0], 1 / 2, 1],
    [[0, 0, 0.1], 1, 0],
  ];
  for (const [origin, part, discs] of parts) {
    const got = measure(kernel, place([1, 2, 3], origin), HERE);
    near(got.volume, part * BALL, 1e-13, origin.join(' '));
    near(got.area, discs * Math.PI * R * R, 1e-13, `A_c ${origin.join(' ')}`);
  }
  // an eighth of a ball: centroid 3 R/8 from each face
  const eighth = measure(kernel, place([0, 0, 0], [0.5, 0.5, 0.5]), HERE);
  for (const c of eighth.centroid) near(0.5 - c, (3 * R) / 8, 1e-12, 'centroid');
  const large = makeKernel(
    { kind: 'sphere', radius: 1 },
    { kind: 'box', size: [0.3, 0.4, 0.5] },
    'auto',
  );
  const inside = measure(large, place([0, 0, 0], [0.1, 0.05, 0]), HERE);
  near(inside.volume, 0.06, 1e-13, 'box in the ball');
  near(inside.second[0], (0.06 * 0.09) / 12, 1e-12, 'S of the box');
  assert.ok(inside.area < 1e-14, 'a closed surface has no vector area');
});

test('rays agree', () => {
  const random = new Random(9);
  const box = { kind: 'box', size: [0.3, 0.2, 0.25] } as const;
  const sphere = { kind: 'sphere', radius: R } as const;
  const exact = makeKernel(sphere, box, 'closed-form');
  const rays = makeKernel(sphere, box, 'rays');
  let met = 0;
  for (let n = 0; n < 40; n++) {
    const i = randomPlacement(random, 0.2);
    const got = measure(exact, i, HERE);
    if (got.volume < 1e-3 * BALL) continue;
    met++;
    // rays: required accuracy 1e-6 of the volume
    near(measure(rays, i, HERE).volume, got.volume, 1e-6, `V ${n}`);
  }
  assert.ok(met > 10, `${met}`);
});

test('touch of face, edge and corner: zero, without a number that is none, V rising from there', () => {
  const kernel = new SpherePlanesKernel(R, BOX_PLANES);
  const far = [1, Math.SQRT1_2, Math.sqrt(1 / 3)];
  far.forEach((share, kind) => {
    let last = 0;
    for (const depth of [-1e-3, -1e-12, 0, 1e-16, 1e-14, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2]) {
      const out = share * (R - depth);
      const origin = [0.5 + out, kind > 0 ? 0.5 + out : 0.1, kind > 1 ? 0.5 + out : 0.2];
      const got = measure(kernel, place([0, 0, 0], origin), HERE);
      assert.ok(got.volume >= last, `${kind} ${depth}: ${got.volume} after ${last}`);
      if (depth < -1e-13) assert.ok(got.volume === 0 && got.gap > 0);
      if (depth > 1e-10) assert.ok(got.volume > 0 && got.gap < 0);
      last = got.volume;
    }
  });
});

test('moving over a box, face to edge to corner, V and its slope are continuous', () => {
  const kernel = makeKernel(
    { kind: 'sphere', radius: R },
    { kind: 'box', size: [1, 1, 1] },
    'closed-form',
  );
  const step = 3e-4;
  let volume = Number.NaN;
  let area: readonly number[] = [];
  for (let n = 0; n < 1000; n++) {
    const s = n * step;
    // along a line that leaves the top face over an edge beside a corner
    const i = place([0, 0, 0], [0.3 + s, 0.42 + 0.35 * s, 0.58 - 0.01 * s]);
    const got = measure(kernel, i, HERE);
    if (n > 0) {
      // |∂V| <= the disc; |∂²V| <= the rim, 2 π R, times the way
      const way = step * 1.1;
      assert.ok(Math.abs(got.volume - volume) <= Math.PI * R * R * way + 1e-9 * BALL, `V ${n}`);
      for (let k = 0; k < 3; k++) {
        assert.ok(Math.abs(got.vectorArea[k] - area[k]) <= 4 * Math.PI * R * way, `slope ${n}`);
      }
    }
    volume = got.volume;
    area = got.vectorArea;
  }
});

test('a face given twice, and one that holds nothing back, change nothing', () => {
  const once = new SpherePlanesKernel(R, [
    [0, 0, 1, 0.03],
    [0.6, 0.8, 0, 0.01],
    [0, 1, 0, 0.02],
  ]);
  const more = new SpherePlanesKernel(R, [
    [0, 0, 1, 0.05],
    [0, 0, 1, 0.03],
    [0.6, 0.8, 0, 0.01],
    [0, 0, 1, 0.03],
    [0, 1, 0, 0.02],
    [0, 1, 0, 0.02],
    [0, 0, -1, 0.09],
    [0, 1, 0, 0.04],
  ]);
  for (const height of [0.02, 0.04, 0.11]) {
    const i = place([0, 0, 0], [0.01, 0.02, height]);
    const got = measure(more, i, HERE);
    const want = measure(once, i, HERE);
    // the ball stays clear of the face at z = −0.09
    agree(got, want, 1e-9, R, `${height}`);
  }
});
