/**
 * Contacts of the sphere pairs in motion: a ball in a bore (`Gonthier 2007, 5.1.3`), two free balls with friction, and what is
 * refused when a model is loaded.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NORMAL_LAWS, PAIRS } from '../../../src/contact/registry.ts';
import { equivalentRadius } from '../../../src/contact/pairs/elliptic-contact.ts';
import { makeSystem } from '../../../src/index.ts';
import type {
  ContactModelSpec,
  IntegratorKind,
  PairModel,
  System,
  SystemModel,
} from '../../../src/index.ts';
import { INCLINE_BRISTLE, body, contact, system } from '../../fixtures/models.ts';

const { PI, abs, sqrt } = Math;

/** The ball of 6.3 dropped into a bore of radius 1 m along y. */
function ballInBore(integrator: IntegratorKind, step: number): SystemModel {
  return system({
    integrator,
    step,
    gravity: [0, 0, -9.81],
    bodies: [
      body('ball', 'dynamic', {
        mass: 2,
        inertia: [0.008, 0.008, 0.008, 0, 0, 0],
        position: [0.3, 0, -0.5],
      }),
      body('bore', 'fixed'),
    ],
    contacts: [
      contact('ball', 'bore', {
        pair: {
          kind: 'sphere-cylinder',
          radius: 0.1,
          center: [0, 0, 0],
          axisPoint: [0, 0, 0],
          axis: [0, 1, 0],
          cylinderRadius: 1,
          side: 'inside',
        },
        frictionLaw: INCLINE_BRISTLE,
      }),
    ],
  });
}

interface Swing {
  readonly touch: number;
  readonly approach: number;
  readonly speed: number;
  readonly slip: number;
  readonly energy: number;
}

/** Drops the ball and lets it roll for 3 s. */
function swing(run: System, step: number): Swing {
  const ball = new Float64Array(13);
  const readout = new Float64Array(40);
  let touch = 0;
  let approach = 0;
  let speed = 0;
  let slip = 0;
  for (let k = 1; k <= Math.round(3 / step); k++) {
    assert.equal(run.step(step), 0, `finite at ${run.time}`);
    run.readContact(0, readout, 0);
    run.readBody(0, ball, 0);
    if (touch === 0 && readout[0] === 1) {
      touch = run.time;
      approach = readout[15];
    }
    const v = sqrt(ball[7] ** 2 + ball[9] ** 2);
    // the last 1.2 s hold a whole half swing
    if (run.time > 1.8 && v > speed) {
      speed = v;
      slip = v - 0.1 * abs(ball[11]);
    }
  }
  // kinetic and potential above the lowest rest; the spring holds 0.4 m g δ
  const kinetic =
    ball[7] ** 2 +
    ball[8] ** 2 +
    ball[9] ** 2 +
    0.004 * (ball[10] ** 2 + ball[11] ** 2 + ball[12] ** 2);
  const spring = 0.4 * 1e6 * readout[1] ** 2.5;
  const rest = -0.9 - (19.62 / 1e6) ** (2 / 3);
  return { touch, approach, speed, slip, energy: kinetic + 19.62 * (ball[2] - rest) + spring };
}

for (const [integrator, step] of [
  ['implicit-contact', 1e-3],
  ['rk4', 2e-5],
] as const) {
  test(`a ball dropped into a bore bounces, rolls and keeps rolling: ${integrator}`, () => {
    const run = makeSystem(ballInBore(integrator, step));
    const { touch, approach, speed, slip, energy } = swing(run, step);
    // free fall from (0.3, −0.5) to 0.9 m from the axis; the touch is found within a step
    const fall = sqrt(0.72) - 0.5;
    assert.ok(abs(touch - sqrt((2 * fall) / 9.81)) < step + 5e-4, `touch at ${touch}`);
    assert.ok(
      abs(approach - sqrt(2 * 9.81 * fall * 0.72) / 0.9) < 9.81 * step + 1e-3,
      `${approach}`,
    );
    // independent run: peak 0.984 ± 0.01 m/s at 9.84 rad/s; it rolls without slip
    assert.ok(abs(speed - 0.984) < 0.01, `peak speed ${speed}`);
    assert.ok(abs(slip) < 1e-3, `slip ${slip}`);
    // reference 1.3469 J; four bounces with the restitution to 0.2 % each leave 1 %
    assert.ok(abs(energy / 1.3469 - 1) < 0.015, `energy ${energy}`);
    // the motion is plane: nothing pushes along the bore or turns about it
    const ball = new Float64Array(13);
    run.readBody(0, ball, 0);
    for (const at of [1, 8, 10, 12]) assert.ok(abs(ball[at]) < 1e-9, `state ${at}: ${ball[at]}`);
  });
}

/** Two spinning balls of different mass that meet off centre; `swapped` exchanges the roles of i and j. */
function balls(integrator: IntegratorKind, swapped: boolean): SystemModel {
  const [a, b] = [
    { radius: 0.1, center: [0.01, -0.02, 0.005] },
    { radius: 0.07, center: [0, 0.01, 0.02] },
  ] as const;
  const [i, j] = swapped ? [b, a] : [a, b];
  return system({
    integrator,
    bodies: [
      body('a', 'dynamic', {
        mass: 2,
        inertia: [0.008, 0.009, 0.01, 1e-4, 0, 2e-4],
        position: [-0.15, 0.02, 0],
        velocity: [1, 0, 0.1],
        angularVelocity: [5, -3, 2],
      }),
      body('b', 'dynamic', {
        mass: 0.7,
        inertia: [0.002, 0.002, 0.003, 0, 0, 0],
        position: [0.15, -0.02, 0.03],
        velocity: [-1, 0.2, 0],
        angularVelocity: [-4, 10, 1],
      }),
    ],
    contacts: [
      contact(swapped ? 'b' : 'a', swapped ? 'a' : 'b', {
        pair: {
          kind: 'sphere-sphere',
          radius: i.radius,
          center: i.center,
          radiusJ: j.radius,
          centerJ: j.center,
        },
        frictionLaw: INCLINE_BRISTLE,
      }),
    ],
  });
}

/** Momentum and angular momentum about the world origin of the two balls, from their world inertias. */
function momentum(model: SystemModel, run: System): number[] {
  const sum = [0, 0, 0, 0, 0, 0];
  const x = new Float64Array(13);
  model.bodies.forEach((b, index) => {
    run.readBody(index, x, 0);
    const p = [b.mass * x[7], b.mass * x[8], b.mass * x[9]];
    const [xx, yy, zz, xy, xz, yz] = b.inertia;
    const back = rotate([-x[3], -x[4], -x[5], x[6]], [x[10], x[11], x[12]]);
    const l = rotate(
      [x[3], x[4], x[5], x[6]],
      [
        xx * back[0] + xy * back[1] + xz * back[2],
        xy * back[0] + yy * back[1] + yz * back[2],
        xz * back[0] + yz * back[1] + zz * back[2],
      ],
    );
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      sum[k] += p[k];
      sum[3 + k] += l[k] + x[m] * p[n] - x[n] * p[m];
    }
  });
  return sum;
}

function rotate([x, y, z, w]: readonly number[], v: readonly number[]): number[] {
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

for (const [integrator, step] of [
  ['implicit-contact', 1e-3],
  ['rk4', 1e-5],
] as const) {
  test(`two balls: the same whoever is called i, and no momentum from nothing: ${integrator}`, () => {
    const models = [balls(integrator, false), balls(integrator, true)];
    const runs = models.map((model) => makeSystem(model));
    const start = momentum(models[0], runs[0]);
    const first = new Float64Array(13);
    const second = new Float64Array(13);
    const readout = new Float64Array(40);
    let touched = 0;
    for (let k = 0; k < Math.round(0.12 / step); k++) {
      for (const run of runs) assert.equal(run.step(step), 0);
      runs[0].readContact(0, readout, 0);
      if (readout[0] === 1) touched++;
    }
    assert.ok(touched > 3 && readout[0] === 0, 'the balls met and parted');
    for (const b of [0, 1]) {
      runs[0].readBody(b, first, 0);
      runs[1].readBody(b, second, 0);
      for (let a = 0; a < 13; a++) {
        // n and −n have other tangents, so that the friction is the same to rounding only; it grows along the impact
        assert.ok(
          abs(first[a] - second[a]) < 1e-10,
          `body ${b}, ${a}: ${first[a]} and ${second[a]}`,
        );
      }
    }
    const end = momentum(models[0], runs[0]);
    for (let a = 0; a < 6; a++) {
      // rounding of the steps; the explicit method turns L with the order of its error
      const allowed = integrator === 'rk4' && a >= 3 ? 1e-8 : 1e-12;
      assert.ok(abs(end[a] - start[a]) < allowed, `momentum ${a}: ${end[a]} from ${start[a]}`);
    }
  });
}

const EXAMPLES: { readonly [K in PairModel['kind']]?: Extract<PairModel, { kind: K }> } = {
  'sphere-edge': {
    kind: 'sphere-edge',
    radius: 0.1,
    center: [0, 0, 0],
    edgePoint: [0, 0, 0],
    normal1: [0, 0, 1],
    normal2: [0, 1, 0],
  },
  'sphere-cylinder': {
    kind: 'sphere-cylinder',
    radius: 0.1,
    center: [0, 0, 0],
    axisPoint: [0, 0, 0],
    axis: [0, 1, 0],
    cylinderRadius: 0.2,
    side: 'inside',
  },
  'sphere-cone': {
    kind: 'sphere-cone',
    radius: 0.1,
    center: [0, 0, 0],
    apex: [0, 0, 0],
    axis: [0, 0, 1],
    apexAngle: 1,
  },
  'sphere-sphere': {
    kind: 'sphere-sphere',
    radius: 0.1,
    center: [0, 0, 0],
    radiusJ: 0.2,
    centerJ: [0, 0, 0],
  },
};

/** Loads a contact between two bodies; throws what a user would see. */
function load(pair: PairModel, parts: Partial<ContactModelSpec> = {}): void {
  makeSystem(
    system({
      bodies: [body('ball', 'dynamic'), body('base', 'fixed')],
      contacts: [contact('ball', 'base', { pair, ...parts })],
    }),
  );
}

test('bad parameters are refused with their name, value and range', () => {
  const edge = EXAMPLES['sphere-edge'] as PairModel;
  const cylinder = EXAMPLES['sphere-cylinder'] as PairModel;
  const cone = EXAMPLES['sphere-cone'] as PairModel;
  const sphere = EXAMPLES['sphere-sphere'] as PairModel;
  for (const good of [edge, cylinder, cone, sphere]) load(good);
  const h = Math.SQRT1_2;
  const bad: readonly (readonly [PairModel, object, RegExp])[] = [
    [edge, { radius: 0 }, /pair\.radius > 0, got 0/],
    [edge, { center: [0, Number.NaN, 0] }, /pair\.center to be finite, got NaN/],
    [edge, { edgePoint: [0, 0] }, /pair\.edgePoint to have 3 numbers, got 2/],
    [edge, { normal1: [0, 0, 0.9] }, /pair\.normal1 to have length 1.* got \[0, 0, 0\.9\]/],
    [edge, { normal2: [0, 0, 0] }, /pair\.normal2 to have length 1/],
    [
      edge,
      { normal2: [0, 0, 1] },
      /pair\.normal2 .* got \[0, 0, 1\]: parallel planes .* sphere-plane/,
    ],
    [edge, { normal2: [0, 0, -1] }, /pair\.normal2 .* opposite planes enclose .* no inside/],
    [edge, { normal2: [1e-7, 0, 1] }, /parallel planes/],
    [cylinder, { radius: -1 }, /pair\.radius > 0, got -1/],
    [cylinder, { axis: [0, 2, 0] }, /pair\.axis to have length 1/],
    [cylinder, { axisPoint: [0, 0, Infinity] }, /pair\.axisPoint to be finite, got Infinity/],
    [cylinder, { cylinderRadius: -0.2 }, /pair\.cylinderRadius > 0, got -0\.2/],
    [
      cylinder,
      { cylinderRadius: 0.1 },
      /pair\.radius below cylinderRadius 0\.1, .* bore, got 0\.1/,
    ],
    [cylinder, { side: 'within' }, /pair\.side to be one of outside, inside, got "within"/],
    [cone, { radius: Number.NaN }, /pair\.radius > 0, got NaN/],
    [cone, { apex: [0, 0, Number.NaN] }, /pair\.apex to be finite/],
    [cone, { axis: [h, h, h] }, /pair\.axis to have length 1/],
    [cone, { apexAngle: 0 }, /pair\.apexAngle above 0 and at most pi rad .*got 0/],
    [cone, { apexAngle: 3.2 }, /pair\.apexAngle .* got 3\.2/],
    [sphere, { radiusJ: 0 }, /pair\.radiusJ > 0, got 0/],
    [sphere, { centerJ: [Number.NaN, 0, 0] }, /pair\.centerJ to be finite/],
  ];
  for (const [model, parts, message] of bad) {
    assert.throws(() => load({ ...model, ...parts }), {
      code: /UNSUPPORTED|PARAMETER_RANGE/,
      message,
    });
  }
  // what looks alike and is right: a thin bar fits no bore but touches from outside, a cone may be a plane
  load({ ...cylinder, cylinderRadius: 0.05, side: 'outside' } as PairModel);
  load({ ...cone, apexAngle: PI } as PairModel);
});

test('laws that need a Hertz radius are refused on an edge and on a cone, and only there', () => {
  const needing = Object.entries(NORMAL_LAWS).filter(([, law]) =>
    law.needs.includes('effective-radius'),
  );
  assert.ok(needing.length > 0, 'some law needs the radius');
  for (const kind of ['sphere-edge', 'sphere-cone'] as const) {
    assert.deepEqual(PAIRS[kind].supplies, []);
    const message = new RegExp(
      `contact ball-base\\.normalLaw "hertz" needs effective-radius, which a pair of kind "${kind}" does not supply`,
    );
    assert.throws(() => load(EXAMPLES[kind] as PairModel, { normalLaw: HERTZ }), {
      code: 'BERTH_MISMATCH',
      message,
    });
  }
  for (const kind of ['sphere-cylinder', 'sphere-sphere'] as const) {
    load(EXAMPLES[kind] as PairModel, { normalLaw: HERTZ });
  }
});

const HERTZ = {
  kind: 'hertz',
  contactModulus: 1e9,
  restitution: 0.5,
  smallVelocity: 1e-3,
  relaxationTime: 0,
} as const;

test('effective radii: spheres by the sum of curvatures, cylinders between their two limits', () => {
  const sphere = EXAMPLES['sphere-sphere'];
  const cylinder = EXAMPLES['sphere-cylinder'];
  assert.ok(sphere !== undefined && cylinder !== undefined);
  const { 'sphere-sphere': spheres, 'sphere-cylinder': cylinders } = PAIRS;
  assert.ok(abs(spheres.effectiveRadius(sphere) - 0.2 / 3) < 1e-16);
  const radius = (cylinderRadius: number, side: 'outside' | 'inside'): number =>
    cylinders.effectiveRadius({ ...cylinder, cylinderRadius, side });
  // a wide cylinder is a plane
  for (const side of ['outside', 'inside'] as const) {
    assert.ok(abs(radius(1e9, side) - 0.1) < 1e-10);
  }
  // the axial curvature is the sphere's alone: softer than the plane outside, stiffer in a bore
  for (const r of [0.11, 0.2, 1, 10]) {
    assert.ok(radius(r, 'outside') < 0.1 && radius(r, 'inside') > 0.1, `r = ${r}`);
    assert.equal(radius(r, 'outside'), equivalentRadius(10, 10 + 1 / r));
    // and it lies between the radii of the circular contacts with either curvature
    assert.ok(radius(r, 'outside') > 1 / (10 + 1 / r) && radius(r, 'inside') < 1 / (10 - 1 / r));
  }
  // ball as large as the cylinder: κ2/κ1 = 2, cos θ = 1/3, the deflection of the table between 0.734 and 0.721
  const lambda = (0.75 / sqrt(radius(0.1, 'outside') * 15)) ** (2 / 3) * 0.75 ** (1 / 3);
  assert.ok(lambda < 0.734 && lambda > 0.721, `${lambda}`);
});

test('a push turns body i only when its sphere is off the origin', () => {
  for (const [kind, example] of Object.entries(EXAMPLES)) {
    const definition = PAIRS[kind as PairModel['kind']] as {
      isEccentric(model: PairModel): boolean;
    };
    assert.equal(definition.isEccentric(example), false, kind);
    assert.equal(
      definition.isEccentric({ ...example, center: [0, 0, 0.01] } as PairModel),
      true,
      kind,
    );
  }
});
