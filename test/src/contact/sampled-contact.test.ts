/** Contacts of samples and a field: closed forms, potential, momentum, restitution, friction, mesh independence, bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ballMesh } from '../../../server/validation/ball-mesh.ts';
import {
  makeSystem,
  type NormalLawModel,
  type SampledPairModel,
  type System,
  type SystemModel,
} from '../../../src/index.ts';
import { ContactReadout } from '../../../src/contact/contact-readout.ts';
import { SampledContact } from '../../../src/contact/sampled/sampled-contact.ts';
import { GAP, KINEMATICS } from '../../../src/contact/pair.ts';
import { SampledPair } from '../../../src/contact/sampled/sampled-pair.ts';
import { Random } from '../../../src/math/random.ts';
import { torusSurface } from '../../../src/shapes/faceted-shapes.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import { body, system } from '../../fixtures/models.ts';
import {
  boxField,
  cubeOnSlab,
  FOUNDATION,
  FRICTIONS,
  pairOf,
  torusField,
  trianglesOf,
} from '../../fixtures/sampled-contact-models.ts';

const G = 9.81;
const SLAB = boxField([0.3, 0.3, 0.05], 5e-3);
const TORUS = torusField(5e-3);

const read = (run: System): Float64Array => {
  const out = new Float64Array(40);
  run.readContact(0, out, 0);
  return out;
};
const state = (run: System): Float64Array => {
  const out = new Float64Array(13);
  run.readBody(0, out, 0);
  return out;
};

const stiff = (restitution: number): NormalLawModel => ({
  kind: 'volumetric',
  stiffness: 1e9,
  restitution,
  smallVelocity: 1e-3,
  relaxationTime: 0,
});

/** A body over a fixed one, without weight. */
const scene = (
  pair: SampledPairModel,
  parts: Parameters<typeof body>[2],
  more: Partial<SystemModel> = {},
): SystemModel =>
  system({
    bodies: [body('part', 'dynamic', parts), body('site', 'fixed', {})],
    contacts: [
      {
        name: 'c',
        bodyI: 'part',
        bodyJ: 'site',
        pair,
        normalLaw: FOUNDATION,
        frictionLaw: FRICTIONS['none'],
      },
    ],
    ...more,
  });

/** Force on the part at its pose, and the energy stored. */
function forceAt(model: SystemModel): { force: number[]; torque: number[]; energy: number } {
  const dynamics = new Dynamics(model);
  const [contact] = dynamics.contacts;
  assert.ok(contact instanceof SampledContact);
  contact.measure();
  contact.begin(0, 0);
  contact.computeForce();
  contact.storeEnergy();
  const arm = [0, 1, 2].map((a) => contact.kinematics[4 + a] - contact.i.state[a]);
  const f = [...contact.force];
  const moment = [
    arm[1] * f[2] - arm[2] * f[1],
    arm[2] * f[0] - arm[0] * f[2],
    arm[0] * f[1] - arm[1] * f[0],
  ];
  return {
    force: f,
    torque: moment.map((m, a) => m + contact.torque[a]),
    energy: contact.stored[0],
  };
}

test('a cube on its face rests m g/(k A) deep, with its weight as the force', () => {
  const run = makeSystem(cubeOnSlab('none'));
  for (let n = 0; n < 400; n++) assert.equal(run.step(1e-3), 0);
  assert.ok(Math.abs(read(run)[ContactReadout.normalForce] - G) < 1e-9 * G);
  // 32-bit coefficients of a few cells of 2.5 mm
  assert.ok(Math.abs(state(run)[2] - (0.05 - G / (1e8 * 0.01))) < 1e-9);
  assert.ok(read(run)[ContactReadout.normal_z] > 1 - 1e-12);
});

test('a ball on a plane: k π R δ² with samples on the ball, and the same potential, converging with their number', () => {
  const [radius, depth, k] = [0.04, 2e-3, 1e8];
  const force = k * Math.PI * radius * depth * depth;
  const errors = [1000, 16_000].map((count) => {
    const pair = pairOf(ballMesh(radius, 5), SLAB, count);
    const z = 0.025 + radius - depth;
    const got = forceAt(scene(pair, { position: [0.011, -0.007, z] }));
    assert.ok(Math.hypot(got.force[0], got.force[1]) < 1e-5 * force);
    assert.ok(Math.abs(got.energy / ((force * depth) / 3) - 1) < 0.2);
    return Math.abs(got.force[2] / force - 1);
  });
  // 25 samples of the cap, then 400; the facets of the ball are 3e-4 of R below it: twice that over δ/R = 0.05 of the force
  assert.ok(errors[0] < 0.1, `${errors[0]}`);
  assert.ok(errors[1] < 0.02, `${errors[1]}`);
});

test('the force does not depend on the triangles of the part', () => {
  const at = { position: [0.06, 0.008, 0.014], orientation: [0.5, 0.1, 0.7, 0.5] } as const;
  const coarse = trianglesOf(torusSurface(0.03, 0.01, 24, 12));
  // the same surface cut finer: each triangle in 4 by the middles of its edges
  const cut = (mesh: typeof coarse): typeof coarse => {
    const vertices = [...mesh.vertices];
    const faces: number[] = [];
    const middle = (a: number, b: number): number => {
      for (let d = 0; d < 3; d++)
        vertices.push((mesh.vertices[3 * a + d] + mesh.vertices[3 * b + d]) / 2);
      return vertices.length / 3 - 1;
    };
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      const [a, b, c] = mesh.triangles.subarray(t, t + 3);
      const [x, y, z] = [middle(a, b), middle(b, c), middle(c, a)];
      faces.push(a, x, z, x, b, y, z, y, c, x, y, z);
    }
    return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(faces) };
  };
  const length = Math.hypot(...at.orientation);
  const pose = {
    ...at,
    orientation: at.orientation.map((x) => x / length) as unknown as typeof at.orientation,
  };
  const [one, other] = [coarse, cut(cut(coarse))].map((mesh) =>
    forceAt(scene(pairOf(mesh, TORUS, 8000), pose)),
  );
  assert.ok(one.force[2] !== 0);
  const size = Math.hypot(...one.force);
  for (let a = 0; a < 3; a++)
    assert.ok(
      Math.abs(one.force[a] - other.force[a]) < 5e-3 * size,
      `${one.force.join()} ${other.force.join()}`,
    );
});

test('force and moment are minus the slope of the energy stored, at random poses', () => {
  const random = new Random(4);
  const pair = pairOf(trianglesOf(torusSurface(0.03, 0.012, 24, 12)), TORUS, 600);
  let touched = 0;
  for (let n = 0; n < 40; n++) {
    const q = [0, 1, 2, 3].map(() => random.gaussian());
    const length = Math.hypot(...q);
    const orientation = q.map((x) => x / length) as unknown as [number, number, number, number];
    const position = [0, 1, 2].map((a) => (a === 0 ? 0.055 : 0) + 0.015 * random.gaussian());
    const at = (shift: readonly number[], turn: readonly number[]): ReturnType<typeof forceAt> => {
      // exact small rotation: q' = exp(turn/2) q
      const angle = Math.hypot(...turn);
      const s = angle > 0 ? Math.sin(angle / 2) / angle : 0;
      const [a, b, c] = turn.map((x) => x * s);
      const w = Math.cos(angle / 2);
      const [x, y, z, v] = orientation;
      return forceAt(
        scene(pair, {
          position: position.map((p, d) => p + shift[d]) as unknown as [number, number, number],
          orientation: [
            w * x + v * a + b * z - c * y,
            w * y + v * b + c * x - a * z,
            w * z + v * c + a * y - b * x,
            w * v - a * x - b * y - c * z,
          ],
        }),
      );
    };
    const middle = at([0, 0, 0], [0, 0, 0]);
    if (!(middle.energy > 0)) continue;
    touched++;
    const size = Math.hypot(...middle.force) + Math.hypot(...middle.torque) / 0.03;
    for (let axis = 0; axis < 3; axis++) {
      const unit = [0, 1, 2].map((a) => (a === axis ? 1 : 0));
      const h = 1e-6;
      const slope = (d: readonly number[], t: readonly number[]): number =>
        (at(
          d.map((x) => h * x),
          t.map((x) => h * x),
        ).energy -
          at(
            d.map((x) => -h * x),
            t.map((x) => -h * x),
          ).energy) /
        (2 * h);
      // the force has a slope that jumps where a sample enters and from cell to cell: h times those over the force, and rounding 1e-16 E/h
      assert.ok(Math.abs(slope(unit, [0, 0, 0]) + middle.force[axis]) < 2e-5 * size);
      assert.ok(Math.abs(slope([0, 0, 0], unit) + middle.torque[axis]) < 2e-5 * 0.06 * size);
    }
  }
  assert.ok(touched > 15, `${touched} poses touch`);
});

test('a peg in a recess is held from all sides, without a force at its middle', () => {
  // a box in the hole of a torus: the forces of opposite sides cancel, their stiffness does not
  const peg = pairOf(ballMesh(0.0335, 4), TORUS, 4000);
  const middle = forceAt(scene(peg, {}));
  const beside = forceAt(scene(peg, { position: [1e-4, 0, 0] }));
  assert.ok(middle.energy > 0);
  assert.ok(
    Math.hypot(...middle.force) < 0.02 * Math.abs(beside.force[0]),
    `${middle.force.join()} ${beside.force.join()}`,
  );
  assert.ok(beside.force[0] < 0);
});

test('a free impact keeps momentum and angular momentum and returns with the restitution that is asked for', () => {
  const part = trianglesOf(torusSurface(0.03, 0.012, 48, 24));
  for (const restitution of [0.3, 0.9]) {
    const model = system({
      step: 1e-4,
      bodies: [
        body('part', 'dynamic', {
          mass: 0.5,
          inertia: [2e-4, 2e-4, 4e-4, 0, 0, 0],
          position: [0, 0, 0.0305],
          velocity: [0, 0, -0.2],
        }),
        body('site', 'dynamic', { mass: 2, inertia: [2e-3, 2e-3, 4e-3, 0, 0, 0] }),
      ],
      contacts: [
        {
          name: 'c',
          bodyI: 'part',
          bodyJ: 'site',
          pair: pairOf(part, boxField([0.12, 0.12, 0.036], 3e-3), 3000),
          normalLaw: stiff(restitution),
          frictionLaw: FRICTIONS['none'],
        },
      ],
    });
    const run = makeSystem(model);
    const other = new Float64Array(13);
    let touched = false;
    for (let n = 0; n < 400; n++) {
      assert.equal(run.step(1e-4), 0);
      if (read(run)[0] === 1) touched = true;
    }
    assert.ok(touched && read(run)[0] === 0);
    run.readBody(1, other, 0);
    const one = state(run);
    assert.ok(Math.abs(0.5 * one[9] + 2 * other[9] + 0.1) < 1e-12);
    // along the normal of a flat face: no rotation; first order in the step at the onset
    assert.ok(
      Math.abs((one[9] - other[9]) / 0.2 - restitution) < 0.02,
      `${(one[9] - other[9]) / 0.2}`,
    );
    assert.ok(Math.hypot(...one.subarray(10)) < 1e-6);
  }
});

for (const friction of ['coulomb', 'bristle'] as const) {
  test(`a cube slides to rest over v²/(2 μ g), and a bristle holds it on a slope: ${friction}`, () => {
    const run = makeSystem(
      cubeOnSlab(friction, { position: [-0.05, 0, 0.05 - G / 1e6], velocity: [0.5, 0, 0] }),
    );
    for (let n = 0; n < 300; n++) assert.equal(run.step(1e-3), 0);
    const mu = friction === 'coulomb' ? 0.3 : 0.4;
    const way = 0.25 / (2 * mu * G);
    // the tolerance of the direction is 1 mm/s, a step 1 ms; the cube pitches by its lever
    assert.ok(
      Math.abs(state(run)[0] + 0.05 - way) < 0.03 * way,
      `${state(run)[0] + 0.05} and ${way}`,
    );
    if (friction === 'coulomb') return;
    const slope = makeSystem(
      cubeOnSlab('bristle', { position: [0, 0, 0.05 - G / 1e6] }, { gravity: [0.3 * G, 0, -G] }),
    );
    for (let n = 0; n < 500; n++) assert.equal(slope.step(1e-3), 0);
    const at = state(slope)[0];
    for (let n = 0; n < 500; n++) assert.equal(slope.step(1e-3), 0);
    assert.ok(Math.abs(state(slope)[0] - at) < 1e-9, `${state(slope)[0] - at}`);
    // a kept state goes on bit for bit
    const other = makeSystem(cubeOnSlab('bristle', {}, { gravity: [0.3 * G, 0, -G] }));
    const kept = slope.state.slice();
    for (const one of [slope, other]) one.restore(kept);
    for (const one of [slope, other]) for (let n = 0; n < 20; n++) one.step(1e-3);
    assert.deepEqual(other.state, slope.state);
  });
}

test('a part that is deeper than the band is named', () => {
  const run = makeSystem(
    cubeOnSlab('none', { position: [0, 0, 0.2], velocity: [0, 0, -80] }, { maximumSubsteps: 1 }),
  );
  let named: string[] = [];
  for (let n = 0; n < 10 && named.length === 0; n++) {
    run.step(1e-3);
    named = run.penetrations;
  }
  assert.deepEqual(named, ['c (cube and slab)']);
  run.step(1e-3);
  assert.ok(run.penetratedSteps > 0);
  assert.throws(
    () => makeSystem(cubeOnSlab('none', { position: [0, 0, 0.01] })),
    /start outside of each other.*c \(cube and slab\)/,
  );
});

test('the gap is that of the nearest sample within the band', () => {
  const pair = new SampledPair(pairOf(ballMesh(0.04, 4), SLAB, 2000));
  const dynamics = new Dynamics(scene(pairOf(ballMesh(0.04, 3), SLAB, 2000), {}));
  const [i, j] = dynamics.parts;
  const k = new Float64Array(KINEMATICS);
  for (const [gap, exact] of [
    [2e-3, true],
    [9e-3, true],
    [0.1, false],
  ] as const) {
    i.state[2] = 0.065 + gap;
    pair.compute(i, j, k);
    // samples are centroids of parts of 3 mm: up to 3²/8/40 mm below the ball
    if (exact) assert.ok(Math.abs(k[GAP] - gap) < 1e-4, `${k[GAP]}`);
    else assert.ok(k[GAP] > 0 && k[GAP] <= gap, `${k[GAP]}`);
  }
});

test('what does not fit is refused by name', () => {
  const model = cubeOnSlab('none');
  const [contact] = model.contacts;
  assert.ok(contact.pair.kind === 'sampled');
  const { pair } = contact;
  const refuses = (parts: Partial<(typeof model.contacts)[0]>, pattern: RegExp): void => {
    assert.throws(() => makeSystem({ ...model, contacts: [{ ...contact, ...parts }] }), pattern);
  };
  const withField = (parts: Partial<typeof pair.field.field>): Partial<typeof contact> => ({
    pair: { ...pair, field: { ...pair.field, field: { ...pair.field.field, ...parts } } },
  });
  refuses(
    { normalLaw: { kind: 'kelvin-voigt', stiffness: 1e5, damping: 1 } },
    /normalLaw "kelvin-voigt" needs depth, which a pair of kind "sampled" does not supply/,
  );
  refuses({ rollingLaw: { kind: 'volumetric' } }, /rollingLaw "volumetric" needs inertia/);
  refuses(withField({ cell: 0 }), /pair.field.field.cell.*> 0/);
  refuses(withField({ values: new Float32Array(3) }), /pair.field.field.values/);
  refuses(
    withField({ values: pair.field.field.values.map(() => Number.NaN) }),
    /pair.field.field.values/,
  );
  refuses(
    { pair: { ...pair, field: { ...pair.field, orientation: [0, 0, 0, 2] } } },
    /pair.field.orientation/,
  );
  refuses(
    { pair: { ...pair, samples: { ...pair.samples, areas: pair.samples.areas.map(() => -1) } } },
    /pair.samples.areas/,
  );
  refuses(
    { pair: { ...pair, samples: { ...pair.samples, points: new Float64Array(3) } } },
    /pair.samples.points/,
  );
});
