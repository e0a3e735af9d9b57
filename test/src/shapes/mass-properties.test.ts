/** Mass properties of the convex shapes against quadrature over slices, symmetry and the parallel-axis theorem. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { rotationOf } from '../../../src/math/quaternion.ts';
import { massProperties } from '../../../src/shapes/mass-properties.ts';
import type { ConvexShapeModel } from '../../../src/shapes/shape-model.ts';

const DENSITY = 7800;

/** ∫ f over [a, b] by Simpson's rule, exact for cubics, in n pieces. */
function integral(a: number, b: number, n: number, f: (x: number) => number): number {
  const h = (b - a) / n;
  let sum = 0;
  for (let k = 0; k < n; k++) {
    const x = a + k * h;
    sum += (h / 6) * (f(x) + 4 * f(x + h / 2) + f(x + h));
  }
  return sum;
}

/** A slice: area, ∫x² and ∫y² over it (both symmetric), about the slice's centre. */
type Slice = readonly [number, number, number];

/**
 * Mass properties of slices across z. Coordinate z(u) and its derivative let the quadrature run over an angle where the
 * outline has vertical tangents.
 */
function bySlices(
  from: number,
  to: number,
  height: (u: number) => readonly [z: number, dz: number],
  slice: (z: number, u: number) => Slice,
): { mass: number; z: number; inertia: number[] } {
  const over = (f: (s: Slice, z: number) => number): number =>
    DENSITY *
    integral(from, to, 2000, (u) => {
      const [z, dz] = height(u);
      return f(slice(z, u), z) * dz;
    });
  const mass = over(([area]) => area);
  const z = over(([area], h) => area * h) / mass;
  const z2 = over(([area], h) => area * (h - z) ** 2);
  const x2 = over(([, xx]) => xx);
  const y2 = over(([, , yy]) => yy);
  return { mass, z, inertia: [y2 + z2, x2 + z2, x2 + y2] };
}

const linear = (u: number): readonly [number, number] => [u, 1];
const disc = (r: number): Slice => [
  Math.PI * r * r,
  (Math.PI * r ** 4) / 4,
  (Math.PI * r ** 4) / 4,
];
const plate = (x: number, y: number): Slice => [x * y, (x ** 3 * y) / 12, (x * y ** 3) / 12];

function agree(
  shape: ConvexShapeModel,
  want: { mass: number; z: number; inertia: number[] },
): void {
  const got = massProperties(shape, DENSITY);
  // Simpson in 2000 pieces leaves (π/2000)⁴/2880·8 = 2e-14 of integrands in angles and nothing of polynomials; sums of 4000 terms
  // round to 1e-13
  const near = (a: number, b: number, what: string): void =>
    assert.ok(Math.abs(a - b) <= 1e-12 * Math.abs(b) + 1e-14, `${shape.kind} ${what}: ${a}, ${b}`);
  near(got.mass, want.mass, 'mass');
  near(got.center[2], want.z, 'centre');
  for (let k = 0; k < 3; k++) near(got.inertia[k], want.inertia[k], `inertia ${k}`);
  assert.deepEqual(got.inertia.slice(3), [0, 0, 0]);
}

test('closed forms agree with quadrature over slices', () => {
  const [a, b, c] = [0.3, 0.2, 0.5];
  agree(
    { kind: 'ellipsoid', size: [2 * a, 2 * b, 2 * c] },
    bySlices(
      -Math.PI / 2,
      Math.PI / 2,
      (u) => [c * Math.sin(u), c * Math.cos(u)],
      (_z, u) => {
        const k = Math.cos(u);
        const area = Math.PI * a * b * k * k;
        return [area, (area * a * a * k * k) / 4, (area * b * b * k * k) / 4];
      },
    ),
  );
  agree(
    { kind: 'sphere', radius: c },
    bySlices(
      -Math.PI / 2,
      Math.PI / 2,
      (u) => [c * Math.sin(u), c * Math.cos(u)],
      (_z, u) => disc(c * Math.cos(u)),
    ),
  );
  agree(
    { kind: 'box', size: [a, b, c] },
    bySlices(-c / 2, c / 2, linear, () => plate(a, b)),
  );
  agree(
    { kind: 'cylinder', radius: a, length: c },
    bySlices(-c / 2, c / 2, linear, () => disc(a)),
  );
  for (const top of [0, 0.1, 0.29]) {
    agree(
      { kind: 'frustum', radius: a, topRadius: top, length: c },
      bySlices(0, c, linear, (z) => disc(a + ((top - a) * z) / c)),
    );
  }
  // rod and two half-balls: three integrals
  const radius = 0.07;
  const parts = [
    bySlices(-c / 2, c / 2, linear, () => disc(radius)),
    bySlices(c / 2, c / 2 + radius, linear, (z) => disc(Math.sqrt(radius ** 2 - (z - c / 2) ** 2))),
  ];
  const [rod, cap] = parts;
  const across = rod.inertia[0] + 2 * (cap.inertia[0] + cap.mass * cap.z ** 2);
  agree(
    { kind: 'capsule', radius, length: c },
    {
      mass: rod.mass + 2 * cap.mass,
      z: 0,
      inertia: [across, across, rod.inertia[2] + 2 * cap.inertia[2]],
    },
  );
  // slices of the beam across x, over the angle of its round ends; then x, y, z here are y, z, x of the slices
  const [length, width, thickness] = [0.4, 0.12, 0.05];
  const box = bySlices(-length / 2, length / 2, linear, () => plate(width, thickness));
  const end = bySlices(
    0,
    Math.PI / 2,
    (u) => [length / 2 + (width / 2) * Math.sin(u), (width / 2) * Math.cos(u)],
    (_x, u) => plate(width * Math.cos(u), thickness),
  );
  const order = (part: { inertia: number[] }, shift: number): number[] => [
    part.inertia[2],
    part.inertia[0] + shift,
    part.inertia[1] + shift,
  ];
  const middle = order(box, 0);
  const side = order(end, end.mass * end.z ** 2);
  const moments = [0, 1, 2].map((k) => middle[k] + 2 * side[k]);
  agree(
    { kind: 'beam', length, width, thickness },
    { mass: box.mass + 2 * end.mass, z: 0, inertia: moments },
  );
});

test('a mesh of box corners, turned and moved, has the turned tensor of the box', () => {
  const random = new Random(11);
  const size = [0.3, 0.2, 0.1] as const;
  const want = massProperties({ kind: 'box', size: [...size] }, DENSITY);
  for (let n = 0; n < 20; n++) {
    const q = Float64Array.from({ length: 4 }, () => random.gaussian());
    const norm = Math.sqrt(q.reduce((sum, value) => sum + value * value, 0));
    const r = new Float64Array(9);
    rotationOf(
      r,
      q.map((value) => value / norm),
      0,
    );
    const at = [1, -2, 0.5];
    const vertices = Array.from({ length: 8 }, (_, k) => {
      const p = [k & 1, (k >> 1) & 1, k >> 2].map((bit, axis) => (bit - 0.5) * size[axis]);
      return [0, 1, 2].map(
        (i) => at[i] + r[3 * i] * p[0] + r[3 * i + 1] * p[1] + r[3 * i + 2] * p[2],
      ) as unknown as readonly [number, number, number];
    });
    vertices.push([1, -2, 0.5], vertices[0]); // inside, and twice
    const got = massProperties({ kind: 'mesh', vertices }, DENSITY);
    // rounding of coordinates of 2 m: 4e-16 m of lengths of 0.1 m, squared and summed
    assert.ok(Math.abs(got.mass / want.mass - 1) < 1e-13);
    got.center.forEach((value, k) => assert.ok(Math.abs(value - at[k]) < 1e-14));
    const [xx, yy, zz, xy, xz, yz] = got.inertia;
    const tensor = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 3; k++) {
        let turned = 0;
        for (let m = 0; m < 3; m++) turned += r[3 * i + m] * want.inertia[m] * r[3 * k + m];
        assert.ok(Math.abs(tensor[3 * i + k] - turned) < 1e-12 * want.inertia[1]);
      }
    }
  }
});

test('a tetrahedron has its closed form', () => {
  // corners 0, a e_x, b e_y, c e_z: V = abc/6, centre a/4 …, ∫x² = V a²/10, ∫xy = V ab/20
  const [a, b, c] = [0.3, 0.4, 0.7];
  const got = massProperties(
    {
      kind: 'mesh',
      vertices: [
        [0, 0, 0],
        [a, 0, 0],
        [0, b, 0],
        [0, 0, c],
      ],
    },
    DENSITY,
  );
  const mass = (DENSITY * a * b * c) / 6;
  const square = (x: number): number => mass * x * x * (1 / 10 - 1 / 16);
  const product = (x: number, y: number): number => -mass * x * y * (1 / 20 - 1 / 16);
  const want = [
    square(b) + square(c),
    square(a) + square(c),
    square(a) + square(b),
    product(a, b),
    product(a, c),
    product(b, c),
  ];
  assert.ok(Math.abs(got.mass / mass - 1) < 1e-14);
  [a, b, c].forEach((x, k) => assert.ok(Math.abs(got.center[k] - x / 4) < 1e-15));
  want.forEach((value, k) => assert.ok(Math.abs(got.inertia[k] / value - 1) < 1e-12));
});
