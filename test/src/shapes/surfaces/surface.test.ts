/**
 * Curves and surfaces: derivatives against differences, exact conics, NURBS patches against the closed forms, knots
 * that are inserted, and what is refused.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Quadruple, Triple } from '../../../../src/base/tuples.ts';
import { Random } from '../../../../src/math/random.ts';
import { checkCurve, checkSurface } from '../../../../src/shapes/surfaces/check-surface.ts';
import { makeCurve, makeSurface } from '../../../../src/shapes/surfaces/make-surface.ts';
import { normalOf, type Surface } from '../../../../src/shapes/surfaces/surface.ts';
import type {
  CurveSpec,
  NurbsCurve,
  NurbsSurface,
  SurfaceShape,
  SurfaceSpec,
} from '../../../../src/shapes/surfaces/surface-spec.ts';
import { TrimRegion } from '../../../../src/shapes/surfaces/trim-region.ts';
import {
  arc,
  conePatch,
  randomSurface,
  torusPatch,
} from '../../../../server/validation/surface-samples.ts';

const PLACE = { position: [0.1, -0.2, 0.3], orientation: [0.5, -0.1, 0.7, 0.5] } as const;
const ARC: NurbsCurve = {
  kind: 'nurbs',
  degree: 2,
  knots: [0, 0, 0, 1, 1, 1],
  points: arc(1).map(([x, y]): Triple => [2 * x, 2 * y, 0.5]),
  weights: arc(1).map(([, , w]) => w),
};
const CIRCLE: CurveSpec = {
  kind: 'circle',
  center: [2, 0.1, 0.2],
  axis: [0, 0.6, 0.8],
  reference: [1, 0, 0],
  radius: 0.7,
};

function at(surface: Surface, u: number, v: number): Float64Array {
  const out = new Float64Array(18);
  surface.evaluate(Float64Array.of(u, v), out);
  return out;
}

/** Largest difference of two lists of numbers. */
const off = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (value, k) => Math.abs(value - b[k])));

/** Largest error of the derivatives against central differences of the order below. */
function differenceError(surface: Surface, u: number, v: number): number {
  const h = 1e-5;
  const here = at(surface, u, v);
  const [east, west] = [at(surface, u + h, v), at(surface, u - h, v)];
  const [north, south] = [at(surface, u, v + h), at(surface, u, v - h)];
  const slope = (a: Float64Array, b: Float64Array, from: number): number[] =>
    [0, 1, 2].map((k) => (a[from + k] - b[from + k]) / (2 * h));
  const differences = [
    ...slope(east, west, 0),
    ...slope(north, south, 0),
    ...slope(east, west, 3),
    ...slope(north, south, 3),
    ...slope(north, south, 6),
  ];
  return off(here.subarray(3), differences);
}

const SHAPES: readonly SurfaceShape[] = [
  { kind: 'plane' },
  { kind: 'cylinder', radius: 0.6 },
  { kind: 'cone', radius: 0.4, halfAngle: 0.7 },
  { kind: 'sphere', radius: 0.8 },
  { kind: 'torus', majorRadius: 0.9, minorRadius: 0.3 },
  { kind: 'extrusion', curve: ARC, direction: [0.2, 0.1, 1] },
  { kind: 'extrusion', curve: CIRCLE, direction: [0.2, 0.1, 1] },
  { kind: 'revolution', curve: ARC, axisPoint: [0.1, 0.3, 0], axis: [0, 0.6, 0.8] },
  {
    kind: 'revolution',
    curve: { kind: 'line', point: [0.5, 0.1, 0.2], direction: [0.1, 0, 1] },
    axisPoint: [0, 0, 0],
    axis: [0, 0, 1],
  },
  torusPatch(0, 0.8, 1),
];

test('first and second derivatives of every shape, placed and turned, are those of differences', () => {
  for (const shape of SHAPES) {
    const surface = makeSurface({ shape, ...PLACE });
    // truncation h² S'''/6 and rounding 1e-16/h, both below 1e-9 for lengths of 1 m
    for (const [u, v] of [
      [0.3, 0.4],
      [0.7, 0.55],
    ])
      assert.ok(differenceError(surface, u, v) < 1e-8, `${shape.kind} at ${u}, ${v}`);
  }
});

test('derivatives of random nets of degrees 1 to 5 are those of differences', () => {
  const random = new Random(24);
  for (let k = 0; k < 60; k++) {
    const shape = randomSurface(random);
    checkSurface({ shape }, 'surface');
    const surface = makeSurface({ shape });
    const [lowU, highU, lowV, highV] = surface.domain;
    const u = lowU + (highU - lowU) * random.uniform();
    const v = lowV + (highV - lowV) * random.uniform();
    // a knot within h of the place is where differences do not hold
    const clear = (x: number, knots: readonly number[]): boolean =>
      knots.every((knot) => Math.abs(knot - x) > 1e-4);
    if (!clear(u, shape.knotsU) || !clear(v, shape.knotsV)) continue;
    assert.ok(differenceError(surface, u, v) < 3e-6, `net ${k}`); // third derivatives of up to 1e4 m
  }
});

test('a rational quadratic is a circle to rounding, and so are its derivatives those of one', () => {
  const curve = makeCurve(ARC);
  const out = new Float64Array(9);
  for (let k = 0; k <= 20; k++) {
    curve.evaluate(Float64Array.of(k / 20), 0, out);
    assert.ok(Math.abs(out[0] ** 2 + out[1] ** 2 - 4) < 4e-15);
    assert.ok(Math.abs(out[0] * out[3] + out[1] * out[4]) < 1e-13);
    // the curvature |C' × C''|/|C'|³ of a circle of 2 m
    const cross = out[3] * out[7] - out[4] * out[6];
    assert.ok(Math.abs(cross / (out[3] ** 2 + out[4] ** 2) ** 1.5 - 0.5) < 1e-14);
  }
});

/** Curvature and normal at a point do not depend on the parameters: [n, H, K] of what `evaluate` wrote. */
function geometry(s: Float64Array): number[] {
  const n = new Float64Array(3);
  assert.ok(normalOf(n, 0, s, 1));
  const dot = (a: number, b: number): number =>
    s[a] * s[b] + s[a + 1] * s[b + 1] + s[a + 2] * s[b + 2];
  const along = (a: number): number => n[0] * s[a] + n[1] * s[a + 1] + n[2] * s[a + 2];
  const [E, F, G] = [dot(3, 3), dot(3, 6), dot(6, 6)];
  const [L, M, N] = [along(9), along(12), along(15)];
  const area = E * G - F * F;
  return [...n, (E * N - 2 * F * M + G * L) / (2 * area), (L * N - M * M) / area];
}

test('NURBS patches of cylinder, cone, sphere and torus have point, normal and curvatures of the closed forms to 1e-13', () => {
  const half = 1;
  const cases: readonly (readonly [NurbsSurface, SurfaceShape])[] = [
    [conePatch(0.6, 0, 0.5, half), { kind: 'cylinder', radius: 0.6 }],
    [conePatch(0.4, Math.tan(0.7), 0.5, half), { kind: 'cone', radius: 0.4, halfAngle: 0.7 }],
    [torusPatch(0, 0.8, half), { kind: 'sphere', radius: 0.8 }],
    [torusPatch(0.9, 0.3, half), { kind: 'torus', majorRadius: 0.9, minorRadius: 0.3 }],
  ];
  for (const [patch, shape] of cases) {
    const nurbs = makeSurface({ shape: patch, ...PLACE });
    const closed = makeSurface({ shape, ...PLACE });
    const local = makeSurface({ shape: patch });
    for (const [u, v] of [
      [0.05, 0.9],
      [0.5, 0.5],
      [0.71, 0.13],
    ]) {
      const p = at(local, u, v);
      const around = Math.atan2(p[1], p[0]);
      const r = Math.hypot(p[0], p[1]);
      const along =
        shape.kind === 'sphere'
          ? Math.atan2(p[2], r)
          : shape.kind === 'torus'
            ? Math.atan2(p[2], r - 0.9)
            : p[2];
      const a = at(nurbs, u, v);
      const b = at(closed, around, along);
      assert.ok(off(a.subarray(0, 3), b.subarray(0, 3)) < 1e-13, shape.kind);
      const [x, y] = [geometry(a), geometry(b)];
      assert.ok(off(x.slice(0, 3), y.slice(0, 3)) < 1e-13, shape.kind);
      assert.ok(off(x.slice(3), y.slice(3)) < 1e-12, shape.kind); // of curvatures up to 10/m²
    }
  }
});

/** The same curve with one knot more. `Piegl & Tiller 1997, (5.15)`, in homogeneous form. */
function insertKnot(curve: NurbsCurve, knot: number): NurbsCurve {
  const { degree: p, knots, points } = curve;
  const weights = curve.weights ?? points.map(() => 1);
  const k = knots.findLastIndex((value) => value <= knot);
  const net = points.map((point, i): readonly number[] => [
    ...point.map((x) => x * weights[i]),
    weights[i],
  ]);
  const next = Array.from({ length: net.length + 1 }, (_, i): readonly number[] => {
    if (i <= k - p) return net[i];
    if (i > k) return net[i - 1];
    const part = (knot - knots[i]) / (knots[i + p] - knots[i]);
    return net[i].map((x, a) => part * x + (1 - part) * net[i - 1][a]);
  });
  return {
    ...curve,
    knots: knots.toSpliced(k + 1, 0, knot),
    points: next.map(([x, y, z, w]): Triple => [x / w, y / w, z / w]),
    weights: next.map(([, , , w]) => w),
  };
}

test('a knot that is inserted changes neither a curve nor its derivatives', () => {
  const curve: NurbsCurve = {
    kind: 'nurbs',
    degree: 3,
    knots: [0, 0, 0, 0, 0.4, 0.9, 1.5, 1.5, 1.5, 1.5],
    points: [
      [0, 0, 0],
      [0.3, 0.5, 0.1],
      [0.8, -0.2, 0.3],
      [1, 0.4, 0],
      [1.3, 0.1, -0.2],
      [1.6, 0, 0],
    ],
    weights: [1, 0.5, 2, 1, 0.8, 1],
  };
  const a = makeCurve(curve);
  const b = makeCurve(insertKnot(insertKnot(curve, 0.4), 1.1));
  const [p, q] = [new Float64Array(9), new Float64Array(9)];
  for (const t of [0, 0.2, 0.4, 0.7, 1.1, 1.45, 1.5]) {
    a.evaluate(Float64Array.of(t), 0, p);
    b.evaluate(Float64Array.of(t), 0, q);
    assert.ok(off(p, q) < 1e-12, `at ${t}`);
  }
});

test('a closed spline goes round: one period on, it is where it was', () => {
  const round = Array.from({ length: 12 }, (_, k): Triple => {
    const angle = (2 * Math.PI * k) / 12;
    return [Math.cos(angle), Math.sin(angle), 0.1 * Math.cos(3 * angle)];
  });
  const curve: NurbsCurve = {
    kind: 'nurbs',
    degree: 3,
    knots: Array.from({ length: 19 }, (_, k) => k),
    points: [...round, ...round.slice(0, 3)],
    closed: true,
  };
  checkCurve(curve, 'curve');
  const compiled = makeCurve(curve);
  assert.equal(compiled.period, 12);
  const [p, q] = [new Float64Array(9), new Float64Array(9)];
  for (const t of [3, 4.3, 14.9]) {
    compiled.evaluate(Float64Array.of(t), 0, p);
    compiled.evaluate(Float64Array.of(t - 24), 0, q);
    assert.ok(off(p, q) < 1e-13);
  }
  assert.throws(() => {
    checkCurve({ ...curve, points: [...round, ...round.slice(3, 6)] }, 'curve');
  }, /Expected curve.closed to have ends that meet, got .* m between them/);
});

test('a trim has what lies in an odd number of polygons, with its border on the left', () => {
  const plane = makeSurface({ shape: { kind: 'plane' } });
  const square = (size: number): (readonly [number, number])[] => [
    [-size, -size],
    [-size, size],
    [size, size],
    [size, -size],
    [-size, -size],
  ];
  const region = new TrimRegion(plane, { u: [-3, 3], v: [-3, 3], loops: [square(2), square(1)] });
  const inside = (u: number, v: number): boolean => region.contains(Float64Array.of(u, v));
  assert.deepEqual(
    [inside(0, 0), inside(1.5, 0), inside(0, -1.9), inside(2.1, 0)],
    [false, true, true, false],
  );
  for (const { a, b, before, after } of region.border) {
    const [x, y] = [b[0] - a[0], b[1] - a[1]];
    const middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
    assert.ok(inside(middle[0] - 0.01 * y, middle[1] + 0.01 * x));
    assert.deepEqual(region.border[after].a, b);
    assert.deepEqual(region.border[before].b, a);
  }
  // a cylinder all round has two circles for a border, a part of it four sides; an angle counts from any turn
  const cylinder = makeSurface({ shape: { kind: 'cylinder', radius: 1 } });
  const tube = new TrimRegion(cylinder, { v: [0, 1] });
  assert.deepEqual(
    tube.border.map(({ before, after }) => [before, after]),
    [
      [0, 0],
      [1, 1],
    ],
  );
  const sector = new TrimRegion(cylinder, { u: [-1, 1], v: [0, 1] });
  assert.equal(sector.border.length, 4);
  assert.ok(sector.contains(Float64Array.of(2 * Math.PI - 0.5, 0.5)));
  assert.ok(!sector.contains(Float64Array.of(2, 0.5)));
});

test('what is no surface is refused, by its field', () => {
  const net = torusPatch(0, 0.8, 1);
  const bad =
    (shape: SurfaceShape, more: Partial<SurfaceSpec> = {}) =>
    () => {
      checkSurface({ shape, ...more }, 'surface');
    };
  assert.throws(
    bad({ ...net, knotsU: [0, 0, 0, 1, 0.5, 1] }),
    /shape.knotsU\[4\] >= the knot before it, 1, got 0.5/,
  );
  assert.throws(
    bad({ ...net, knotsU: [0, 0, 0, 0, 1, 1] }),
    /shape.knotsU\[3\] to stand at most 3 times/,
  );
  assert.throws(bad({ ...net, knotsV: [0, 0, 0, 1, 1] }), /shape.knotsV to have 6 numbers, got 5/);
  assert.throws(
    bad({
      ...net,
      weights: [
        [1, 1, 1],
        [1, 0, 1],
        [1, 1, 1],
      ],
    }),
    /shape.weights\[1\]\[1\] > 0, got 0/,
  );
  assert.throws(bad({ ...net, degreeU: 0 }), /shape.degreeU to be a whole number from 1 to 15/);
  assert.throws(
    bad({ ...net, points: net.points.map((line) => line.map((): Triple => [1, 2, 3])) }),
    /shape to have a normal everywhere, got none at u = /,
  );
  assert.throws(bad({ ...net, closedU: true }), /shape.closedU to have ends that meet/);
  assert.throws(bad({ kind: 'cone', radius: 0.1, halfAngle: 2 }), /halfAngle above 0 and below pi/);
  assert.throws(
    bad({ kind: 'torus', majorRadius: 0.1, minorRadius: 0.2 }),
    /majorRadius above the radius of the tube/,
  );
  assert.throws(
    bad(
      { kind: 'plane' },
      {
        trim: {
          loops: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 1],
            ],
          ],
        },
      },
    ),
    /trim.loops\[0\] to end where it begins, 0, 0, got 0, 1: an open loop has no inside/,
  );
  assert.throws(bad(net, { trim: { u: [0, 2] } }), /trim.u within 0 and 1, got 0 to 2/);
  assert.throws(bad({ kind: 'sphere', radius: 1 }, { trim: { u: [0, 7] } }), /at most one period/);
  const odd: Quadruple = [0, 0, 0, 2];
  assert.throws(bad({ kind: 'plane' }, { orientation: odd }), /orientation to have length 1/);
  assert.throws(() => {
    checkCurve(
      { kind: 'circle', center: [0, 0, 0], axis: [0, 0, 1], reference: [0, 0.6, 0.8], radius: 1 },
      'curve',
    );
  }, /curve.reference across the axis/);
});

test('a surface keeps nothing of the point before: knots, spans and weights in any order give the same bits', () => {
  const random = new Random(41);
  for (let n = 0; n < 30; n++) {
    const shape = randomSurface(random);
    const { weights: _, ...plain } = shape;
    const spec: SurfaceSpec = { shape: n % 2 === 0 ? shape : plain };
    const kept = makeSurface(spec);
    const { knotsU, knotsV } = shape;
    for (let k = 0; k < 20; k++) {
      const pick = (knots: readonly number[]): number => {
        const end = knots[knots.length - 1];
        const some = random.uniform();
        // knots themselves, ends, and a step beyond
        if (some < 0.4) return knots[Math.floor(random.uniform() * knots.length)];
        return some < 0.5 ? end * 1.05 : end * random.uniform();
      };
      const [u, v] = [pick(knotsU), pick(knotsV)];
      assert.deepEqual(at(kept, u, v), at(makeSurface(spec), u, v), `${n} ${u} ${v}`);
    }
  }
});

test('a net whose weights are all 2 is the net without weights', () => {
  const random = new Random(42);
  for (let n = 0; n < 20; n++) {
    const shape = randomSurface(random);
    const { weights: _, ...bare } = shape;
    const plain = makeSurface({ shape: bare });
    const even = makeSurface({
      shape: { ...shape, weights: shape.points.map((line) => line.map(() => 2)) },
    });
    const [u, v] = [shape.knotsU, shape.knotsV].map((knots) => 0.37 * knots[knots.length - 1]);
    assert.deepEqual(at(even, u, v), at(plain, u, v));
  }
});
