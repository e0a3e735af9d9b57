/**
 * The pairs of a sphere with an edge, a cylinder, a bore, a cone and a sphere: pins of `Gonthier 2007, A.2.2–A.2.4`, distances by an
 * independent construction, and in 10⁵ random poses each what every pair owes: a unit normal that is the gradient of the gap, a
 * gap that no motion outruns, the normal rate as the rate of the gap, and no preferred frame.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ARM_I,
  ARM_J,
  type ContactPair,
  GAP,
  KINEMATICS,
  NORMAL,
  POINT,
} from '../../../src/contact/pair.ts';
import { pairDefinition } from '../../../src/contact/registry.ts';
import { advanceQuaternion, normalizeQuaternion } from '../../../src/math/quaternion.ts';
import { Random } from '../../../src/math/random.ts';
import type { PairModel, Triple } from '../../../src/model/model.ts';
import { RigidBody } from '../../../src/multibody/body.ts';
import { body } from '../../fixtures/models.ts';

const { PI, abs, cos, max, min, sin, sqrt } = Math;
const POSES = 100_000;

type Vector = readonly number[];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a: Vector, s: number, b: Vector): number[] => [
  a[0] + s * b[0],
  a[1] + s * b[1],
  a[2] + s * b[2],
];
const length = (a: Vector): number => sqrt(dot(a, a));
const scaled = (a: Vector, s: number): Triple => [s * a[0], s * a[1], s * a[2]];
const across = (a: Vector, b: Vector): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function still(name: string): RigidBody {
  return new RigidBody(body(name, 'dynamic'), new Float64Array(13), new Float64Array(13));
}

/** A pair between two bodies whose poses the test sets. */
class Bench {
  readonly i = still('i');
  readonly j = still('j');
  readonly k = new Float64Array(KINEMATICS);

  measure(pair: ContactPair): number {
    this.i.refresh();
    this.j.refresh();
    pair.compute(this.i, this.j, this.k);
    return this.k[GAP];
  }

  normal(): number[] {
    return [this.k[NORMAL], this.k[NORMAL + 1], this.k[NORMAL + 2]];
  }
  point(): number[] {
    return [this.k[POINT], this.k[POINT + 1], this.k[POINT + 2]];
  }
}

type SpherePairModel = Extract<PairModel, { kind: `sphere-${string}` }>;

function make(model: PairModel): ContactPair {
  pairDefinition(model).check(model, 'pair');
  return pairDefinition(model).make(model);
}

// ---------------------------------------------------------------------------------------------------------------- pins

interface Pin {
  readonly at: Triple;
  readonly normal: Triple;
  readonly gap: number;
}

const EDGE: PairModel = {
  kind: 'sphere-edge',
  radius: 0.1,
  center: [0, 0, 0],
  edgePoint: [0, 0, 0],
  normal1: [0, 0, 1],
  normal2: [0, 1, 0],
};
const CONE: PairModel = {
  kind: 'sphere-cone',
  radius: 0.1,
  center: [0, 0, 0],
  apex: [0, 0, 0],
  axis: [0, 0, 1],
  apexAngle: PI / 3,
};

// pairs of `Gonthier 2007, A.2.2 and A.2.4`, evaluated independently to twelve digits
const PINS: readonly (readonly [PairModel, readonly Pin[]])[] = [
  [
    EDGE,
    [
      { at: [5, -0.05, 0.09], normal: [0, 0, 1], gap: -0.01 },
      { at: [5, 0.03, 0.08], normal: [0, 0.351123441588, 0.936329177569], gap: -0.0145599625468 },
      { at: [5, 0.09, -0.2], normal: [0, 1, 0], gap: -0.01 },
      { at: [5, -0.02, -0.05], normal: [0, 1, 0], gap: -0.12 },
      { at: [5, -0.05, -0.02], normal: [0, 0, 1], gap: -0.12 },
    ],
  ],
  [
    CONE,
    [
      { at: [0, 0, 0.09], normal: [0, 0, 1], gap: -0.01 },
      { at: [0.03, 0, 0.08], normal: [0.351123441588, 0, 0.936329177569], gap: -0.0145599625468 },
      { at: [0.08, 0, -0.02], normal: [0.866025403784, 0, 0.5], gap: -0.0407179676972 },
      {
        at: [0.05, 0.05, -0.1],
        normal: [0.612372435696, 0.612372435696, 0.5],
        gap: -0.0887627564304,
      },
      { at: [0, 0, -0.05], normal: [0, 0, 1], gap: -0.125 },
      { at: [1e-5, 0, -0.05], normal: [0.866025403784, 0, 0.5], gap: -0.124991339746 },
    ],
  ],
];

test('pins of the edge and of the cone, in the frame of j and in a turned one', () => {
  for (const [model, pins] of PINS) {
    const pair = make(model);
    for (const { at, normal, gap } of pins) {
      for (const turned of [false, true]) {
        const bench = new Bench();
        if (turned) bench.j.state.set([0.3, -0.2, 0.1, 0.5, -0.5, 0.5, 0.5]);
        bench.j.refresh();
        const r = bench.j.rotation;
        const world = (v: Vector, origin: Vector): number[] =>
          [0, 1, 2].map((a) => origin[a] + dot([...r.slice(3 * a, 3 * a + 3)], v));
        bench.i.state.set(world(at, [...bench.j.state.slice(0, 3)]));
        const what = `${model.kind} at ${at.join(', ')}${turned ? ', turned' : ''}`;
        assert.ok(abs(bench.measure(pair) - gap) < 1e-12, `${what}: gap ${bench.k[GAP]}`);
        const n = world(normal, [0, 0, 0]);
        // the printed digits end at 1e-12
        assert.ok(length(plus(bench.normal(), -1, n)) < 2e-12, `${what}: ${bench.normal().join()}`);
        const p = plus([...bench.i.state.slice(0, 3)], -0.1, n);
        assert.ok(length(plus(bench.point(), -1, p)) < 1e-12, `${what}: point`);
      }
    }
  }
});

test('cylinder, bore and sphere at places with simple numbers', () => {
  const bench = new Bench();
  const common = {
    radius: 0.1,
    center: [0, 0, 0.5],
    axisPoint: [0, 7, 0],
    axis: [0, 1, 0],
  } as const;
  const cylinder = { kind: 'sphere-cylinder', ...common } as const;
  // centre at (0.3, −2, 0.4), 0.5 m from the axis through the origin along y
  bench.i.state.set([0.3, -2, -0.1, 0, 0, 0, 1]);
  assert.ok(
    abs(bench.measure(make({ ...cylinder, cylinderRadius: 0.45, side: 'outside' })) + 0.05) < 1e-15,
  );
  assert.ok(length(plus(bench.normal(), -1, [0.6, 0, 0.8])) < 1e-15);
  assert.ok(length(plus(bench.point(), -1, [0.24, -2, 0.32])) < 1e-15);
  assert.ok(
    abs(bench.measure(make({ ...cylinder, cylinderRadius: 0.55, side: 'inside' })) + 0.05) < 1e-15,
  );
  assert.ok(length(plus(bench.normal(), 1, [0.6, 0, 0.8])) < 1e-15);
  assert.ok(length(plus(bench.point(), -1, [0.36, -2, 0.48])) < 1e-15);
  const balls: PairModel = {
    kind: 'sphere-sphere',
    radius: 0.3,
    center: [0, 0, 0.5],
    radiusJ: 0.15,
    centerJ: [0, -2, 0],
  };
  assert.ok(abs(bench.measure(make(balls)) - 0.05) < 1e-15);
  assert.ok(length(plus(bench.normal(), -1, [0.6, 0, 0.8])) < 1e-15);
  // half-way between the deepest points at 0.2 and 0.15 m from the centre of j
  assert.ok(length(plus(bench.point(), -1, [0.105, -2, 0.14])) < 1e-15);
});

// ------------------------------------------------------------------------------------------------------ random geometry

const random = new Random(20070831);
const between = (low: number, high: number): number => low + (high - low) * random.uniform();
function direction(): Triple {
  const v = [random.gaussian(), random.gaussian(), random.gaussian()];
  return scaled(v, 1 / length(v));
}
const somewhere = (size: number): Triple => scaled(direction(), size * random.uniform());

/** Distance of (x, y) from the ray from the origin along the unit vector (a, b). */
function fromRay(x: number, y: number, a: number, b: number): number {
  const along = max(0, a * x + b * y);
  return sqrt((x - along * a) ** 2 + (y - along * b) ** 2);
}

/** A random surface of one kind, what its distance must be, and where its normal is not smooth. */
interface Surface {
  readonly model: SpherePairModel;
  /** Signed distance of a point in the frame of j from the surface, by another construction than the pair's. */
  distance(p: Vector): number;
  /** Distance from the places where the normal jumps or turns without bound, m. */
  clear(p: Vector): number;
}

const KINDS: Readonly<Record<string, () => Surface>> = {
  edge: () => {
    const origin = somewhere(0.5);
    const e = direction();
    const seed = direction();
    const n1 = scaled(across(e, seed), 1 / length(across(e, seed)));
    const side = across(e, n1);
    const angle = between(0.02, PI - 0.02);
    const n2 = plus(scaled(n1, cos(angle)), sin(angle), side) as unknown as Triple;
    const flat = (p: Vector): readonly [number, number] => {
      const d = plus(p, -1, origin);
      return [dot(d, n1), dot(d, side)];
    };
    return {
      model: {
        kind: 'sphere-edge',
        radius: between(0.05, 0.5),
        center: somewhere(0.3),
        edgePoint: origin,
        normal1: n1,
        normal2: n2,
      },
      // in the plane (n1, side): faces are the rays (0, −1) and −(cos, sin) turned by a quarter
      distance: (p) => {
        const [x, y] = flat(p);
        const inside = x <= 0 && x * cos(angle) + y * sin(angle) <= 0;
        const d = min(fromRay(x, y, 0, -1), fromRay(x, y, -sin(angle), cos(angle)));
        return inside ? -d : d;
      },
      clear: (p) => {
        const [x, y] = flat(p);
        const h2 = x * cos(angle) + y * sin(angle);
        const inside = x <= 0 && h2 <= 0;
        return min(sqrt(x * x + y * y), inside ? abs(x - h2) / 2 : 1);
      },
    };
  },
  cylinder: () => round('outside'),
  bore: () => round('inside'),
  cone: () => {
    const apex = somewhere(0.5);
    const axis = direction();
    const alpha = between(0.02, PI / 2);
    const polar = (p: Vector): readonly [number, number] => {
      const d = plus(p, -1, apex);
      const z = dot(d, axis);
      return [length(plus(d, -z, axis)), z];
    };
    return {
      model: {
        kind: 'sphere-cone',
        radius: between(0.05, 0.5),
        center: somewhere(0.3),
        apex,
        axis,
        apexAngle: 2 * alpha,
      },
      distance: (p) => {
        const [rho, z] = polar(p);
        const d = fromRay(rho, z, sin(alpha), -cos(alpha));
        return z <= 0 && rho * cos(alpha) <= -z * sin(alpha) ? -d : d;
      },
      clear: (p) => {
        const [rho, z] = polar(p);
        return z * cos(alpha) > rho * sin(alpha) ? sqrt(rho * rho + z * z) : rho;
      },
    };
  },
  sphere: () => {
    const centerJ = somewhere(0.5);
    const radiusJ = between(0.05, 0.5);
    return {
      model: {
        kind: 'sphere-sphere',
        radius: between(0.05, 0.5),
        center: somewhere(0.3),
        radiusJ,
        centerJ,
      },
      distance: (p) => length(plus(p, -1, centerJ)) - radiusJ,
      clear: (p) => length(plus(p, -1, centerJ)),
    };
  },
};

function round(side: 'outside' | 'inside'): Surface {
  const axisPoint = somewhere(0.5);
  const axis = direction();
  const cylinderRadius = between(0.55, 1);
  const fromAxis = (p: Vector): number => length(across(plus(p, -1, axisPoint), axis));
  const sign = side === 'outside' ? 1 : -1;
  return {
    model: {
      kind: 'sphere-cylinder',
      radius: between(0.05, 0.5),
      center: somewhere(0.3),
      axisPoint,
      axis,
      cylinderRadius,
      side,
    },
    distance: (p) => sign * (fromAxis(p) - cylinderRadius),
    clear: fromAxis,
  };
}

function randomPose(b: RigidBody): void {
  for (let a = 0; a < 3; a++) b.state[a] = between(-0.7, 0.7);
  for (let a = 3; a < 7; a++) b.state[a] = random.gaussian();
  normalizeQuaternion(b.state, 3);
}

/** Sphere centre in the frame of j. */
function centerOf(bench: Bench, model: SpherePairModel): number[] {
  const { i, j } = bench;
  const row = (m: Float64Array, v: Vector, a: number): number =>
    dot([m[3 * a], m[3 * a + 1], m[3 * a + 2]], v);
  const column = (m: Float64Array, v: Vector, a: number): number =>
    dot([m[a], m[3 + a], m[6 + a]], v);
  const c = [0, 1, 2].map((a) => i.state[a] + row(i.rotation, model.center, a) - j.state[a]);
  return [0, 1, 2].map((a) => column(j.rotation, c, a));
}

/** Relative velocity at the point along the normal, as a contact computes it. */
function rate(bench: Bench): number {
  const { i, j, k } = bench;
  for (let a = 0; a < 3; a++) {
    k[ARM_I + a] = k[POINT + a] - i.state[a];
    k[ARM_J + a] = k[POINT + a] - j.state[a];
  }
  const at = (b: RigidBody, arm: number): number[] =>
    plus(
      [...b.state.slice(7, 10)],
      1,
      across([...b.state.slice(10, 13)], [...k.slice(arm, arm + 3)]),
    );
  return dot(plus(at(i, ARM_I), -1, at(j, ARM_J)), bench.normal());
}

function drift(b: RigidBody, from: Float64Array, h: number): void {
  for (let a = 0; a < 3; a++) b.state[a] = from[a] + h * from[7 + a];
  advanceQuaternion(b.state, 3, from, 3, from, 10, Float64Array.of(h));
}

for (const [name, draw] of Object.entries(KINDS)) {
  test(`${name}: ${POSES} random poses`, () => {
    const bench = new Bench();
    const { i, j } = bench;
    let surface = draw();
    let pair = make(surface.model);
    let smooth = 0;
    let overlapping = 0;
    const before = new Float64Array(3);
    // the text of a complaint is made when there is one: numbers as text would take most of the time
    const holds = (ok: boolean, what: string, got = 0, wanted = 0): void => {
      if (ok) return;
      const where = `${JSON.stringify(surface.model)} ${i.state.join()} ${j.state.join()}`;
      assert.fail(`${what}: ${got}, expected ${wanted}: ${where}`);
    };
    for (let pose = 0; pose < POSES; pose++) {
      if (pose % 50 === 0) {
        surface = draw();
        pair = make(surface.model);
      }
      randomPose(i);
      randomPose(j);
      const gap = bench.measure(pair);
      const n = bench.normal();
      const point = bench.point();
      const p = centerOf(bench, surface.model);
      const { radius } = surface.model;
      if (gap < 0) overlapping++;
      holds(abs(length(n) - 1) < 1e-12, '|n|', length(n), 1);
      // coordinates of the order of 1 m: rounding below 1e-14
      holds(
        abs(gap + radius - surface.distance(p)) < 1e-14 * 8,
        'gap + R',
        gap + radius,
        surface.distance(p),
      );
      // the point is R (or half the overlap of two spheres less) below the centre
      const below = surface.model.kind === 'sphere-sphere' ? radius + gap / 2 : radius;
      const c = plus(point, below, n);
      const back = plus(c, -1, [...i.state.slice(0, 3)]);
      holds(abs(length(back) - length(surface.model.center)) < 1e-14 * 8, 'point');

      // no motion of the sphere changes the gap by more than its length
      const far = 10 ** between(-6, 0);
      const step = scaled(direction(), far);
      for (let a = 0; a < 3; a++) {
        before[a] = i.state[a];
        i.state[a] += step[a];
      }
      holds(
        abs(bench.measure(pair) - gap) <= far + 1e-14 * 8,
        'gap changed in a step',
        bench.k[GAP] - gap,
        far,
      );
      for (let a = 0; a < 3; a++) i.state[a] = before[a];

      const clear = surface.clear(p);
      if (clear < 0.01) continue;
      smooth++;
      // the gradient; the normal turns by at most h/clear over the stencil, and rounding is 1e-15/h
      const h = 1e-6;
      for (let a = 0; a < 3; a++) {
        i.state[a] = before[a] + h;
        const high = bench.measure(pair);
        i.state[a] = before[a] - h;
        const low = bench.measure(pair);
        i.state[a] = before[a];
        const g = (high - low) / (2 * h);
        holds(abs(g - n[a]) < h / clear + 1e-9, 'gradient', g, n[a]);
      }
      if (pose % 5 !== 0) continue;

      // the whole scene moved: same gap, turned normal and point; rounding of the normal is 1e-15/clear
      const scene = [i, j].map((b) => b.state.slice());
      const turn = direction();
      const shift = somewhere(0.5);
      for (const [at, b] of [i, j].entries()) {
        advanceQuaternion(b.state, 3, scene[at], 3, Float64Array.from(turn), 0, Float64Array.of(2));
        b.state.set(plus(shift, 1, turned([...scene[at].slice(0, 3)], turn, 2)));
      }
      holds(abs(bench.measure(pair) - gap) < 1e-14 * 8, 'gap in another frame');
      holds(
        length(plus(bench.normal(), -1, turned(n, turn, 2))) < 1e-12,
        'normal in another frame',
      );
      const q = plus(shift, 1, turned(point, turn, 2));
      holds(length(plus(bench.point(), -1, q)) < 1e-12, 'point in another frame');
      for (const [at, b] of [i, j].entries()) b.state.set(scene[at]);

      // the normal rate is the rate of the gap while both bodies move; second differences as for the gradient
      for (const b of [i, j]) for (let a = 7; a < 13; a++) b.state[a] = between(-0.5, 0.5);
      const moving = [i, j].map((b) => b.state.slice());
      bench.measure(pair);
      const expected = rate(bench);
      drift(i, moving[0], h);
      drift(j, moving[1], h);
      const later = bench.measure(pair);
      drift(i, moving[0], -h);
      drift(j, moving[1], -h);
      const earlier = bench.measure(pair);
      // relative speeds stay below 6 m/s
      const slack = (36 * h) / clear + 1e-8;
      holds(
        abs((later - earlier) / (2 * h) - expected) < slack,
        'rate',
        (later - earlier) / (2 * h),
        expected,
      );
    }
    // the draw covers both sides of the surface and leaves few poses out
    assert.ok(overlapping > POSES / 20 && overlapping < POSES * 0.99, `${overlapping} overlap`);
    assert.ok(smooth > POSES / 2, `${smooth} smooth`);
  });
}

/** v turned about the unit vector u by an angle. */
function turned(v: Vector, u: Vector, angle: number): number[] {
  const first = plus(scaled(v, cos(angle)), sin(angle), across(u, v));
  return plus(first, (1 - cos(angle)) * dot(u, v), u);
}

// ------------------------------------------------------------------------------------------------------ degenerate places

test('on an edge, an axis, an apex, a bisector or the other centre: finite, unit normal, exact gap', () => {
  const R = 0.1;
  const sphere = { radius: R, center: [0, 0, 0] } as const;
  const upright = { axisPoint: [0, 0, 0], axis: [0, 0, 1], cylinderRadius: 0.3 } as const;
  const cases: readonly (readonly [PairModel, Triple, number, Triple | null])[] = [
    [EDGE, [3, 0, 0], -R, [0, Math.SQRT1_2, Math.SQRT1_2]],
    [EDGE, [3, -0.2, -0.2], -0.2 - R, null],
    [CONE, [0, 0, 0], -R, [0, 0, 1]],
    [CONE, [0, 0, -0.4], -0.2 - R, [0, 0, 1]],
    [CONE, [0, 0, 0.4], 0.4 - R, [0, 0, 1]],
    [{ ...CONE, apexAngle: PI }, [0, 0, -0.4], -0.4 - R, [0, 0, 1]],
    [{ ...CONE, apexAngle: PI }, [0.7, 0.2, -0.4], -0.4 - R, [0, 0, 1]],
    [{ ...CONE, apexAngle: PI }, [0.7, 0.2, 0.4], 0.4 - R, [0, 0, 1]],
    [
      { kind: 'sphere-cylinder', ...sphere, ...upright, side: 'outside' },
      [0, 0, 5],
      -0.3 - R,
      null,
    ],
    [{ kind: 'sphere-cylinder', ...sphere, ...upright, side: 'inside' }, [0, 0, 5], 0.3 - R, null],
    [
      { kind: 'sphere-sphere', ...sphere, radiusJ: 0.2, centerJ: [0, 0, 1] },
      [0, 0, 1],
      -0.3,
      [0, 0, 1],
    ],
  ];
  for (const [model, at, gap, normal] of cases) {
    const pair = make(model);
    // at the point, and beside it by lengths whose squares vanish or are rounding
    for (const beside of [0, 5e-324, 1e-200, 1e-160, 1e-30, 1e-17, 1e-12]) {
      for (const way of [
        [1, 0, 0],
        [0, -1, 0],
        [0.6, 0, 0.8],
      ]) {
        const bench = new Bench();
        bench.i.state.set(plus(at, beside, way));
        const what = `${model.kind} at ${at.join(', ')} beside ${beside}`;
        assert.ok(abs(bench.measure(pair) - gap) < 1.1e-12, `${what}: gap ${bench.k[GAP]}`);
        assert.ok(abs(length(bench.normal()) - 1) < 1e-12, `${what}: ${bench.normal().join()}`);
        for (const value of bench.point()) assert.ok(Number.isFinite(value), what);
        // beside the edge every normal between the two faces is right
        const sure = model.kind === 'sphere-edge' ? beside === 0 : beside < 1e-11;
        if (normal !== null && sure) {
          assert.ok(
            length(plus(bench.normal(), -1, normal)) < 1e-11,
            `${what}: ${bench.normal().join()}`,
          );
        }
      }
    }
  }
});

test('the stand-in normal turns with body j', () => {
  const bench = new Bench();
  bench.j.state.set([0.4, 0.1, -0.3, 0.1, 0.7, -0.1, 0.7]);
  normalizeQuaternion(bench.j.state, 3);
  bench.j.refresh();
  const r = bench.j.rotation;
  const axis = [r[2], r[5], r[8]];
  // on the axis of the cone, half a metre inside: rounding of the pose puts the centre 1e-16 m beside it
  bench.i.state.set(plus([...bench.j.state.slice(0, 3)], -0.5, axis));
  assert.ok(abs(bench.measure(make(CONE)) + 0.35) < 1e-15, `gap ${bench.k[GAP]}`);
  assert.ok(length(plus(bench.normal(), -1, axis)) < 1e-14, `normal ${bench.normal().join()}`);
});

test('exchanging two spheres changes signs and nothing else, to the bit', () => {
  const one = new Bench();
  const two = new Bench();
  for (let pose = 0; pose < 1000; pose++) {
    const [radius, radiusJ] = [between(0.05, 0.5), between(0.05, 0.5)];
    const [center, centerJ] = [somewhere(0.3), somewhere(0.3)];
    randomPose(one.i);
    randomPose(one.j);
    two.i.state.set(one.j.state);
    two.j.state.set(one.i.state);
    const kind = 'sphere-sphere';
    one.measure(make({ kind, radius, center, radiusJ, centerJ }));
    two.measure(make({ kind, radius: radiusJ, center: centerJ, radiusJ: radius, centerJ: center }));
    assert.equal(one.k[GAP], two.k[GAP]);
    assert.deepEqual(
      one.normal(),
      two.normal().map((x) => -x),
    );
    assert.deepEqual(one.point(), two.point());
  }
});
