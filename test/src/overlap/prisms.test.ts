/** Boxes, cylinders and polyhedra against each other, limits, derivative, independent integration. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convexHull } from '../../../src/shapes/convex-hull.ts';
import { BoxEdge, BoxFlat } from '../../../src/overlap/box.ts';
import { CylinderLying, CylinderStanding } from '../../../src/overlap/cylinder.ts';
import { volumeInertia } from '../../../src/overlap/metrics.ts';
import { Polyhedron } from '../../../src/overlap/polyhedron.ts';
import { type Column, column, columns, near, same, slope } from '../../fixtures/overlap/columns.ts';

type Point = readonly [number, number, number];

/** Metrics of the hull of some points by the polyhedron. */
function hull(points: readonly Point[]): Column {
  const { points: corners, faces } = convexHull(points);
  return column(new Polyhedron(faces), ...corners.flat());
}

test('a flat box and the wedge of a tilted one are what the polyhedron gives', () => {
  const [a, b, h] = [0.3, 0.4, 0.02];
  const box: Point[] = [];
  for (const x of [-a / 2, a / 2]) {
    for (const y of [-b / 2, b / 2]) for (const z of [-h, 0]) box.push([x, y, z]);
  }
  same(column(new BoxFlat(a, b, 0.5), h), hull(box), 1e-14, a);
  for (const tilt of [0.01, 0.2, Math.PI / 4, 1.2]) {
    const [depth, length] = [0.002, 0.2];
    const [near1, near2] = [depth / Math.tan(tilt), depth * Math.tan(tilt)];
    const prism: Point[] = [-length / 2, length / 2].flatMap((x): Point[] => [
      [x, 0, -depth],
      [x, near1, 0],
      [x, -near2, 0],
    ]);
    // S_zz of a flat wedge is a difference in the sums of the polyhedron, but from a corner, so of its own size
    same(column(new BoxEdge(length, 1, 1), depth, tilt), hull(prism), 1e-12, length);
  }
});

test('the wedge is left alone where more than one edge is in, and dV/dh is its area', () => {
  const form = new BoxEdge(0.2, 0.1, 0.05);
  const pose = Float64Array.of(0.02, 0.5);
  const out = new Float64Array(11).fill(3);
  const depth = Math.min(0.1 * Math.sin(0.5), 0.05 * Math.cos(0.5));
  const cases: [number, number, boolean][] = [
    [depth * 0.999, 0.5, true],
    [depth * 1.001, 0.5, false],
    [0.001, 0, false],
    [0.001, -0.1, false],
    [0.001, Math.PI / 2, false],
    [0.001, 3, false],
    [0.001, Number.NaN, false],
    [Number.NaN, 0.5, false],
  ];
  for (const [h, tilt, all] of cases) {
    out.fill(3);
    pose.set([h, tilt]);
    assert.equal(form.write(out, 0, pose, 0), all, `${h}, ${tilt}`);
    if (!all) assert.ok(out.every((value) => value === 3));
  }
  pose.set([0, 0.5]);
  assert.equal(form.write(out, 0, pose, 0), true);
  assert.ok(out.every((value) => value === 0));
  near(slope(form, [0.01, 0.5], 0, 1e-5), column(form, 0.01, 0.5).area, 1e-11, 'dV/dh');
});

test('the normal of a tilted wedge leans by about half the tilt', () => {
  // independent: 0.4998 deg at 1, 2.481 at 5, 4.843 at 10; to the given digits
  for (const [degrees, want, print] of [
    [1, 0.4998, 5e-5],
    [5, 2.481, 5e-4],
    [10, 4.843, 5e-4],
  ]) {
    const [, yy, zz, , , yz] = column(
      new BoxEdge(0.2, 1, 1),
      0.002,
      (degrees * Math.PI) / 180,
    ).second;
    const angle = (0.5 * Math.atan2(2 * yz, yy - zz) * 180) / Math.PI;
    assert.ok(Math.abs(angle - want) <= print, `${degrees}: ${angle}`);
  }
});

test('a tetrahedron, far from the origin, and turned', () => {
  const s = 1e-3;
  const corners = [0, 0, 0, s, 0, 0, 0, s, 0, 0, 0, s];
  const faces: Point[] = [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ];
  const form = new Polyhedron(faces);
  const volume = s ** 3 / 6;
  // ∫ x² = s⁵/60, ∫ x y = s⁵/120 about the corner; shadow: the base s²/2
  const own = s ** 5 / 60 - (volume * s * s) / 16;
  const mixed = s ** 5 / 120 - (volume * s * s) / 16;
  const second = [own, own, own, mixed, mixed, mixed];
  const want = { volume, area: (s * s) / 2, centroid: [s / 4, s / 4, s / 4], second };
  same(column(form, ...corners), want, 1e-14, s);
  // 8 m away with coordinates that are kept exactly in binary: sums from a corner lose nothing
  const t = 2 ** -10;
  const at = column(form, ...[0, 0, 0, t, 0, 0, 0, t, 0, 0, 0, t].map((value) => value + 8));
  const here = column(form, ...[0, 0, 0, t, 0, 0, 0, t, 0, 0, 0, t]);
  assert.deepEqual(at.second, here.second);
  // a quarter turn about z: x → y, y → −x
  const turned = corners.flatMap((_, k) =>
    k % 3 === 0 ? [-corners[k + 1], corners[k], corners[k + 2]] : [],
  );
  same(
    column(form, ...turned),
    { ...want, centroid: [-s / 4, s / 4, s / 4], second: [own, own, own, -mixed, -mixed, mixed] },
    1e-14,
    s,
  );
  // inside out: no volume
  const inside = new Polyhedron(faces.map(([a, b, c]) => [a, c, b]));
  assert.equal(column(inside, ...corners).volume, 0);
});

test('J_v = tr(S) 1 − S', () => {
  const metrics = Float64Array.of(1, 0, 0, 0, 0, 1, 2, 4, 0.5, 0.25, 0.125);
  const inertia = new Float64Array(10);
  volumeInertia(inertia, 1, metrics, 0);
  assert.deepEqual([...inertia], [0, 6, -0.5, -0.25, -0.5, 5, -0.125, -0.25, -0.125, 3]);
});

test('a surface that is not closed is refused', () => {
  const open: Point[] = [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
  ];
  const bad: Point[][] = [
    open,
    [...open, [1, 3, 2]],
    [...open, [1, 2, 4]],
    [...open, [1, 2, 1]],
    [...open, [1, 2, 3.5]],
    [...open, [1, 2, 3], [4, 5, 6]],
  ];
  for (const faces of bad) {
    assert.throws(() => new Polyhedron(faces), { code: 'BERTH_PARAMETER_RANGE' });
  }
});

test('a lying cylinder is what numerical integration over columns gives, at any depth', () => {
  const [r, length] = [0.05, 0.2];
  const form = new CylinderLying(r, length);
  // 0.0067: the half angle is 30 deg, where the thin form hands over to the closed one
  for (const h of [1e-6, 1e-4, 0.002, 0.00669, 0.0067, 0.03, 0.049]) {
    const q = Math.sqrt(h * (2 * r - h));
    // heights from the chord: the circle is (q² − y²)/(√(r² − y²) + r − h) under it
    const want = columns(
      -q,
      q,
      () => length / 2,
      (_x, y) => -((q - y) * (q + y)) / (Math.sqrt((r - y) * (r + y)) + r - h),
      () => 0,
    );
    const centroid = [0, 0, want.centroid[2] - (r - h)];
    const got = column(form, h);
    // 1e-12: rounding of q − y in the integration near the ends
    same(got, { ...want, centroid, area: 2 * q * length }, 1e-12, r);
    near(got.second[1], want.second[1], 1e-12, `S_yy at ${h}`);
    near(got.second[2], want.second[2], 1e-11, `S_zz at ${h}`);
  }
  for (let k = 1; k < 20; k++) {
    const h = (2 * r * k) / 20;
    near(slope(form, [h], 0, 1e-4), column(form, h).area, 1e-7, `dV/dh at ${h}`);
  }
});

test('limits of the lying cylinder: parabola, half, whole; two parts make the whole', () => {
  const form = new CylinderLying(1, 2);
  for (let h = 1e-2; h > 1e-11; h /= 10) {
    const { volume, second } = column(form, h);
    const a = Math.sqrt(h * (2 - h));
    // parabola of half chord a: A = 4 a h/3, variances 12 h²/175 and a²/5, corrections of order h/R
    near(volume, (8 / 3) * a * h, h, 'V');
    near(second[2] / volume, (12 / 175) * h * h, h, 'S_zz');
    near(second[1] / volume, (a * a) / 5, h, 'S_yy');
  }
  near(column(form, 1).centroid[2], -4 / (3 * Math.PI), 1e-15, 'half');
  const whole = column(form, 2);
  near(whole.volume, 2 * Math.PI, 1e-15, 'whole');
  near(whole.second[1], Math.PI / 2, 1e-15, 'whole S_yy');
  near(whole.second[2], Math.PI / 2, 1e-15, 'whole S_zz');
  near(whole.second[0], (2 * Math.PI) / 3, 1e-15, 'whole S_xx');
  same(column(form, 3), whole, 0, 1);
  for (const h of [0.01, 0.13, 0.14, 0.7]) {
    const [part, rest] = [column(form, h), column(form, 2 - h)];
    near(part.volume + rest.volume, whole.volume, 1e-14, 'V of both parts');
    near(part.second[1] + rest.second[1], whole.second[1], 1e-14, 'S_yy of both parts');
    const gap = part.centroid[2] + rest.centroid[2];
    const [v, w] = [part.volume, rest.volume];
    assert.ok(Math.abs(v * part.centroid[2] - w * rest.centroid[2]) < 1e-13, `moments ${gap}`);
  }
});

test('a standing cylinder: closed form, whole, none', () => {
  const [r, h] = [0.05, 0.002];
  const form = new CylinderStanding(r, 0.3);
  const got = column(form, h);
  near(got.volume, Math.PI * r * r * h, 1e-15, 'V');
  near(Math.sqrt((got.second[0] + got.second[1]) / got.volume), r / Math.SQRT2, 1e-15, 'r_gyr');
  const across = got.volume * ((r * r) / 4 + (h * h) / 12);
  near(got.second[1] + got.second[2], across, 1e-15, 'J_tt');
  near(got.centroid[2], -h / 2, 1e-15, 'centroid');
  near(column(form, 0.4).volume, Math.PI * r * r * 0.3, 1e-15, 'whole');
  near(column(form, 0.4).centroid[2], 0.15 - 0.4, 1e-15, 'centroid of the whole');
  for (const none of [form, new CylinderLying(1, 1), new BoxFlat(1, 1, 1)]) {
    assert.equal(column(none, 0).volume, 0);
    assert.equal(column(none, -1).area, 0);
    assert.ok(Number.isNaN(column(none, Number.NaN).volume));
  }
});

test('sizes are above zero', () => {
  for (const size of [0, -1, Number.NaN]) {
    for (const make of [
      () => new BoxFlat(size, 1, 1),
      () => new BoxFlat(1, size, 1),
      () => new BoxFlat(1, 1, size),
      () => new BoxEdge(size, 1, 1),
      () => new BoxEdge(1, size, 1),
      () => new BoxEdge(1, 1, size),
      () => new CylinderLying(size, 1),
      () => new CylinderLying(1, size),
      () => new CylinderStanding(size, 1),
      () => new CylinderStanding(1, size),
    ]) {
      assert.throws(make, { code: 'BERTH_PARAMETER_RANGE' });
    }
  }
});
