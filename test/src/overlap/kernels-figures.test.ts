/** Kernels against independent figures in any frame, and the choice of the method. `Gonthier 2007, chapter 4`; docs/theory/overlap-metrics.md. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { makeKernel, overlapMethods } from '../../../src/overlap/make-kernel.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { near } from '../../fixtures/overlap/columns.ts';
import {
  agree,
  measure,
  type Metrics,
  outOf,
  place,
  randomPlacement,
  within,
} from '../../fixtures/overlap/kernel-frames.ts';

const PLANE = { kind: 'half-space' } as const;
const ball = (radius: number): CellShape => ({ kind: 'sphere', radius });

/** Metrics in a frame with z out of cell j, as far as they are printed. */
interface Figure {
  readonly name: string;
  readonly shapes: readonly [CellShape, CellShape];
  readonly placements: readonly [Float64Array, Float64Array];
  readonly volume: number;
  readonly area?: number;
  readonly centroid: readonly [number, number, number];
  /** J_v: xx, yy, zz, or S in the same order. */
  readonly inertia?: readonly [number, number, number];
  readonly second?: readonly [number, number, number];
  readonly gap: number;
}

const at = (x: number, y: number, z: number): Float64Array => place([0, 0, 0], [x, y, z]);
const ORIGIN = at(0, 0, 0);
const LYING = place([0, Math.PI / 2, 0], [0, 0, 0.048]);

const cap = (
  r: number,
  h: number,
  v: number,
  a: number,
  c: number,
  nn: number,
  tt: number,
): Figure => ({
  name: `cap ${r} ${h}`,
  shapes: [ball(r), PLANE],
  placements: [at(0, 0, r - h), ORIGIN],
  volume: v,
  area: a,
  centroid: [0, 0, r - h - c],
  inertia: [tt, tt, nn],
  gap: -h,
});
const lens = (
  r: number,
  s: number,
  d: number,
  v: number,
  c: number,
  a: number,
  nn: number,
  tt: number,
): Figure => ({
  name: `lens ${r} ${s}`,
  shapes: [ball(r), ball(s)],
  placements: [at(0, 0, d), ORIGIN],
  volume: v,
  area: a,
  centroid: [0, 0, d - c],
  inertia: [tt, tt, nn],
  gap: d - r - s,
});
const bore = (h: number, v: number, c: number, xx: number, yy: number, zz: number): Figure => ({
  name: `bore ${h}`,
  shapes: [ball(0.1), { kind: 'bore', radius: 1 }],
  // the bore along y: its axis turned by −90° about x; the ball at the lowest line of the wall
  placements: [at(0, 0, -0.9 - h), place([-Math.PI / 2, 0, 0], [0, 0, 0])],
  volume: v,
  centroid: [0, 0, -1 - c],
  second: [xx, yy, zz],
  gap: -h,
});

/** Printed values have 10 to 13 digits unless noted. */
const FIGURES: readonly Figure[] = [
  cap(
    0.1,
    0.001,
    3.131120678078e-7,
    6.251769380644e-4,
    0.09933361204013,
    2.078718555052e-11,
    1.041099950134e-11,
  ),
  cap(
    0.1,
    0.0025,
    1.947132946756e-6,
    1.55116137271e-3,
    0.09833508403361,
    3.211439912132e-10,
    1.612492137495e-10,
  ),
  cap(
    0.1,
    0.02,
    1.17286125734e-4,
    1.130973355292e-2,
    0.08678571428571,
    1.434241766119e-7,
    7.435401812796e-8,
  ),
  cap(1, 0.5, 0.6544984694979, 2.356194490192, 0.675, 0.1734420944169, 0.0961294627075),
  cap(1, 1, 2.094395102393, 3.14159265359, 0.375, 0.8377580409573, 0.5432337296832),
  lens(
    0.1,
    0.1,
    0.195,
    3.894265893512e-6,
    0.0975,
    1.55116137271e-3,
    6.422879824263e-10,
    3.252141535703e-10,
  ),
  lens(
    0.1,
    0.05,
    0.148,
    4.160770594633e-7,
    0.09911147890289,
    4.146712981048e-4,
    1.833771121486e-11,
    9.241005697376e-12,
  ),
  lens(1, 1, 1, 1.308996938996, 0.5, 2.356194490192, 0.3468841888339, 0.2323469566717),
  {
    name: 'lying cylinder',
    shapes: [{ kind: 'cylinder', radius: 0.05, length: 0.2 }, PLANE],
    placements: [LYING, ORIGIN],
    volume: 7.497054604164e-6,
    area: 5.6e-3,
    centroid: [0, 0, 0.048 - 0.04880138747602],
    inertia: [2.973172906458e-10, 2.499224017692e-8, 2.528544114148e-8],
    gap: -0.002,
  },
  bore(0.001, 3.299224268e-7, 3.152191922e-4, 1.21572992e-11, 1.09511357e-11, 1.9494e-14),
  bore(0.0025, 2.050492564e-6, 7.895720332e-4, 1.8745475e-10, 1.69077606e-10, 7.5755e-13),
];

const EDGE: CellShape = {
  kind: 'boolean',
  common: [
    { shape: PLANE, position: [0, 0, 0], orientation: [0, 0, 0, 1] },
    // turned by −90° about x: outwards along y
    { shape: PLANE, position: [0, 0.3, 0], orientation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
  ],
  without: [],
};
/** Ball on a square edge: y, z of the centre, V, centroid (y, z), S_xx, S_yy, S_zz, S_yz, normal (y, z). */
const ON_EDGE = [
  [
    0.29, 0.0975, 1.64368504913e-6, -2.54462941361e-3, -0.0983778118546, 1.42543535931e-10,
    9.00747537811e-11, 5.994818e-13, -1.27721502504e-12,
  ],
  [
    0.305, 0.097, 9.22061255844e-7, -0.0112660975051, -0.0979079601426, 8.23580279612e-11,
    1.72656064746e-11, 3.899861e-13, -8.69564289921e-13,
  ],
  [
    0.35, 0.08, 1.23422839191e-6, -0.0529321394866, -0.081926543489, 1.97296233429e-10,
    5.73853628397e-12, 2.491735e-12, -1.46838274661e-12,
  ],
] as const;

test('independent figures, in any frame and either order', () => {
  const random = new Random(3);
  for (const figure of FIGURES) {
    const [i, j] = figure.placements;
    const kernel = makeKernel(...figure.shapes, 'auto');
    const swapped = makeKernel(figure.shapes[1], figure.shapes[0], 'auto');
    const here = measure(kernel, i, j);
    // printed digits
    near(here.volume, figure.volume, 1e-9, `${figure.name} V`);
    if (figure.area !== undefined) near(here.area, figure.area, 1e-11, `${figure.name} A_c`);
    assert.ok(Math.abs(here.gap - figure.gap) < 1e-15);
    for (let k = 0; k < 3; k++) {
      const off = Math.abs(here.centroid[k] - figure.centroid[k]);
      assert.ok(off < 1e-12, `${figure.name} centroid ${here.centroid.join(' ')}`);
    }
    assert.ok(Math.abs(here.vectorArea[2] - here.area) < 1e-15 * here.area + 1e-17);
    const [xx, , , , yy, , , , zz] = here.second;
    const got = figure.inertia === undefined ? [xx, yy, zz] : [yy + zz, xx + zz, xx + yy];
    // the bore is printed to 9 digits, its last moment to 5
    const digits = figure.inertia === undefined ? [1e-8, 1e-8, 3e-5] : [1e-11, 1e-11, 1e-11];
    for (let k = 0; k < 3; k++) {
      near(got[k], (figure.inertia ?? figure.second ?? [])[k], digits[k], `${figure.name} ${k}`);
    }
    for (let n = 0; n < 20; n++) {
      const frame = randomPlacement(random, 2);
      const want = outOf(frame, here);
      const pose = [within(frame, i), within(frame, j)] as const;
      // 2 m off, depths of 1 mm: rounding of 2e-16 m in a depth is 4e-13 of V and 1e-12 of S
      agree(measure(kernel, ...pose), want, 1e-11, 0.1, figure.name);
      const other: Metrics = { ...want, vectorArea: want.vectorArea.map((a) => -a) };
      agree(measure(swapped, pose[1], pose[0]), other, 1e-11, 0.1, `${figure.name} swapped`);
    }
  }
});

test('a ball on a square edge, two half-spaces or a box: independent figures in any frame', () => {
  const random = new Random(4);
  const box: CellShape = { kind: 'box', size: [2, 2, 2] };
  for (const [y, z, volume, cy, cz, xx, yy, zz, yz] of ON_EDGE) {
    for (const [shape, sits] of [
      [EDGE, ORIGIN],
      [box, at(0, 0.3 - 1, -1)],
    ] as const) {
      const kernel = makeKernel(ball(0.1), shape, 'closed-form');
      const here = measure(kernel, at(0, y, z), sits);
      // printed to 12 digits; S_zz to 7
      near(here.volume, volume, 1e-9, 'V');
      near(here.centroid[1], y + cy, 1e-10, 'y');
      assert.ok(Math.abs(here.centroid[2] - z - cz) < 1e-11, 'z');
      const got = [here.second[0], here.second[4], here.second[8], here.second[5]];
      for (let k = 0; k < 4; k++) {
        near(got[k], [xx, yy, zz, yz][k], k === 2 ? 3e-7 : 1e-9, `S ${k}`);
      }
      // distance from the edge or from the face less the radius
      const out = y > 0.3 ? Math.sqrt((y - 0.3) ** 2 + z * z) : z;
      near(here.gap, out - 0.1, 1e-12, 'gap');
      for (let n = 0; n < 10; n++) {
        const frame = randomPlacement(random, 1);
        const moved = measure(kernel, within(frame, at(0, y, z)), within(frame, sits));
        agree(moved, outOf(frame, here), 1e-11, 0.1, 'moved');
      }
    }
  }
});

test('the choice: best first, forced, refused', () => {
  const box: CellShape = { kind: 'box', size: [1, 1, 1] };
  const hole: CellShape = { kind: 'bore', radius: 1 };
  assert.deepEqual(overlapMethods(ball(1), PLANE), ['closed-form', 'rays', 'voxels']);
  assert.deepEqual(overlapMethods(box, PLANE), ['clipping', 'rays', 'voxels']);
  assert.deepEqual(overlapMethods(box, hole), ['rays', 'voxels']);
  assert.deepEqual(overlapMethods(PLANE, hole), []);
  // a ball that does not fit into the bore leaves a ring
  assert.deepEqual(overlapMethods(ball(1.5), hole), ['rays', 'voxels']);
  const pairs: readonly (readonly [CellShape, CellShape])[] = [
    [ball(1), PLANE],
    [box, PLANE],
    [box, hole],
  ];
  for (const [i, j] of pairs) {
    const methods = overlapMethods(i, j);
    assert.deepEqual(overlapMethods(j, i), methods, 'either order');
    assert.equal(makeKernel(i, j, 'auto').method, methods[0]);
    for (const method of methods) assert.equal(makeKernel(i, j, method).method, method);
  }
  assert.throws(() => makeKernel(box, PLANE, 'closed-form', 'contacts[0].pair.method'), {
    code: 'BERTH_UNSUPPORTED',
    field: 'contacts[0].pair.method',
    message:
      'Expected contacts[0].pair.method to be one of auto, clipping, rays, voxels for a box and a half-space, got "closed-form"',
  });
  assert.throws(() => makeKernel(PLANE, hole, 'auto'), { code: 'BERTH_UNSUPPORTED' });
});

test('apart: no overlap, and the distance', () => {
  const random = new Random(8);
  for (let n = 0; n < 200; n++) {
    const i = randomPlacement(random, 0.5);
    const j = randomPlacement(random, 0.5);
    const [x, y, z] = [0, 1, 2].map((k) => i[9 + k] - j[9 + k]);
    const two = measure(makeKernel(ball(0.1), ball(0.2), 'auto'), i, j);
    near(two.gap + 0.3, Math.sqrt(x * x + y * y + z * z), 1e-14, 'balls');
    const plane = measure(makeKernel(ball(0.1), PLANE, 'auto'), i, j);
    const high = x * j[2] + y * j[5] + z * j[8];
    assert.ok(Math.abs(plane.gap + 0.1 - high) < 1e-15);
    for (const { gap, volume, area } of [two, plane]) {
      assert.equal(volume > 0, gap < 0);
      if (gap >= 0) assert.equal(area, 0);
    }
    // nearest point of a box by clamping
    const box = measure(
      makeKernel(ball(0.1), { kind: 'box', size: [0.2, 0.3, 0.4] }, 'auto'),
      i,
      j,
    );
    const local = [0, 1, 2].map((k) => x * j[k] + y * j[3 + k] + z * j[6 + k]);
    const beyond = local.map((c, k) => Math.abs(c) - [0.1, 0.15, 0.2][k]);
    const far = Math.sqrt(beyond.reduce((sum, d) => sum + Math.max(d, 0) ** 2, 0));
    const distance = far > 0 ? far : Math.max(...beyond);
    if (distance < 0.1) near(box.gap, distance - 0.1, 1e-9, 'box in contact');
    else assert.ok(box.gap > 0 && box.gap <= distance - 0.1 + 1e-12, 'box apart: a lower bound');
    assert.equal(box.volume > 0, distance < 0.1);
  }
});
