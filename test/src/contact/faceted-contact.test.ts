/** Contacts of bodies of facets: weight, impact, the aggregated step against its pairs one by one, friction, refusals, bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FacetedPairModel,
  type FrictionLawModel,
  makeSystem,
  type NormalLawModel,
  type PlacedFacets,
  type System,
  type SystemModel,
} from '../../../src/index.ts';
import { ContactReadout } from '../../../src/contact/contact-readout.ts';
import { FacetedContact } from '../../../src/contact/faceted/faceted-contact.ts';
import { FacetedPair } from '../../../src/contact/faceted/faceted-pair.ts';
import { deliveredRestitution } from '../../../src/contact/normal/impact.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import { body, system } from '../../fixtures/models.ts';

const AT = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
const CUBE: PlacedFacets = { shape: { kind: 'box', size: [0.1, 0.1, 0.1] }, ...AT };
/** Its upper face is z = 0. */
const SLAB: PlacedFacets = {
  shape: { kind: 'box', size: [1, 1, 0.2] },
  position: [0, 0, -0.1],
  orientation: [0, 0, 0, 1],
};
const G = 9.81;

const pairOf = (parts: Partial<FacetedPairModel> = {}): FacetedPairModel => ({
  kind: 'faceted',
  shapeI: CUBE,
  shapeJ: SLAB,
  standoff: 1e-3,
  ...parts,
});
const slope = (stiffness: number, alpha: number): NormalLawModel => ({
  kind: 'restitution-slope',
  stiffness,
  exponent: 1,
  slope: alpha,
});
const NONE: FrictionLawModel = { kind: 'none' };

function scene(
  pair: FacetedPairModel,
  normalLaw: NormalLawModel,
  frictionLaw: FrictionLawModel,
  cube: Parameters<typeof body>[2],
  parts: Partial<SystemModel> = {},
): SystemModel {
  return system({
    integrator: 'implicit-contact',
    gravity: [0, 0, -G],
    bodies: [
      body('cube', 'dynamic', {
        mass: 1,
        inertia: [1 / 600, 1 / 600, 1 / 600, 0, 0, 0],
        ...cube,
      }),
      body('slab', 'fixed', {}),
    ],
    contacts: [{ name: 'c', bodyI: 'cube', bodyJ: 'slab', pair, normalLaw, frictionLaw }],
    ...parts,
  });
}

function read(run: System): Float64Array {
  const out = new Float64Array(40);
  run.readContact(0, out, 0);
  return out;
}

function state(run: System): Float64Array {
  const out = new Float64Array(13);
  run.readBody(0, out, 0);
  return out;
}

for (const [duplicates, springs] of [
  ['drop', 5],
  ['keep', 5],
  ['area', 0.01],
] as const) {
  test(`a cube on its face rests on its springs: ${duplicates}`, () => {
    // flat: the face and the four edges of the sides, or the area of the face; the centres of the sides are far away
    const k = duplicates === 'area' ? 4e6 : 4e4;
    const pair = pairOf({ duplicates });
    const run = makeSystem(scene(pair, slope(k, 4), NONE, { position: [0, 0, 0.051] }));
    for (let n = 0; n < 3000; n++) assert.equal(run.step(1e-3), 0);
    const out = read(run);
    const depth = G / (k * springs);
    assert.ok(Math.abs(out[ContactReadout.normalForce] - G) < 1e-6 * G);
    assert.ok(Math.abs(state(run)[2] - (0.051 - depth)) < 1e-9, `${state(run)[2]}`);
    assert.equal(out[ContactReadout.pairs], duplicates === 'area' ? 1 : 5);
    assert.ok(Math.abs(out[ContactReadout.normal_z] - 1) < 1e-12);
    assert.ok(Math.hypot(out[ContactReadout.point_x], out[ContactReadout.point_y]) < 1e-9);
  });
}

test('B16: a cube that hits with a corner returns at the same speed with duplicates dropped and kept, three times as stiff', () => {
  // the diagonal upright: turned about (1, −1, 0) by acos(1/√3)
  const half = Math.acos(1 / Math.sqrt(3)) / 2;
  const part = Math.sin(half) / Math.SQRT2;
  const orientation = [part, -part, 0, Math.cos(half)] as const;
  const top = 0.05 * Math.sqrt(3);
  const [k, alpha, speed] = [1e5, 0.4, 0.5];
  const depths = (['drop', 'keep'] as const).map((duplicates) => {
    const model = scene(
      pairOf({ duplicates, standoff: 4e-3 }),
      slope(k, alpha),
      NONE,
      { position: [0, 0, top + 4e-3 + 1e-6], orientation, velocity: [0, 0, -speed] },
      { gravity: [0, 0, 0], maximumSubsteps: 64 },
    );
    const run = makeSystem(model);
    let deepest = 0;
    for (let n = 0; n < 4000; n++) {
      run.step(1e-5);
      deepest = Math.max(deepest, read(run)[ContactReadout.penetration]);
    }
    const e = state(run)[9] / speed;
    assert.ok(Math.abs(e - deliveredRestitution(1.5 * alpha * speed)) < 1e-3, `${e}`);
    assert.equal(read(run)[ContactReadout.active], 0);
    return deepest;
  });
  assert.ok(Math.abs(depths[0] / depths[1] - Math.sqrt(3)) < 2e-3, depths.join());
});

test('B23: the aggregated step is that of its pairs, swept one by one until nothing changes', () => {
  const ring: PlacedFacets = {
    shape: { kind: 'torus', radius: 0.05, tubeRadius: 0.018, around: 48, across: 20 },
    ...AT,
  };
  const cone: PlacedFacets = {
    shape: { kind: 'frustum', radius: 0.045, topRadius: 0.015, length: 0.18, around: 24 },
    ...AT,
  };
  const [k, alpha, h] = [3000, 8, 2e-4];
  const model = scene(
    pairOf({ shapeI: ring, shapeJ: cone, standoff: 2e-3 }),
    slope(k, alpha),
    NONE,
    {
      mass: 0.08,
      // of a ball: its angular velocity does not change by itself
      inertia: [1.5e-4, 1.5e-4, 1.5e-4, 0, 0, 0],
      position: [1e-4, 0, 0.0895],
      velocity: [0.01, 0.02, -0.2],
      angularVelocity: [0.3, -0.2, 1],
    },
    { maximumSubsteps: 1 },
  );
  const geometry = new Dynamics(model);
  const [contact] = geometry.contacts;
  assert.ok(contact instanceof FacetedContact && contact.pair instanceof FacetedPair);
  contact.measure();
  const { count, points, normals, depths } = contact.pair;
  assert.ok(count > 40, `${count} pairs`);
  const body = geometry.bodies[0];
  const inverse = new Float64Array(36);
  body.writeResponse(inverse, 0, 6);
  const rows = Array.from({ length: count }, (_, c) => {
    const n = [0, 1, 2].map((a) => normals[3 * c + a]);
    const r = [0, 1, 2].map((a) => points[3 * c + a] - body.state[a]);
    return [...n, r[1] * n[2] - r[2] * n[1], r[2] * n[0] - r[0] * n[2], r[0] * n[1] - r[1] * n[0]];
  });
  const answers = rows.map((w) =>
    w.map((_, a) => w.reduce((sum, value, b) => sum + inverse[6 * a + b] * value, 0)),
  );
  const run = makeSystem(model);
  assert.equal(run.step(h), 0);
  const after = state(run);
  const free = makeSystem({ ...model, contacts: [] });
  free.step(h);
  const u = [...state(free).slice(7, 13)];
  const forces = new Float64Array(count);
  for (let sweep = 0; sweep < 20_000; sweep++) {
    let change = 0;
    for (let c = 0; c < count; c++) {
      const w = rows[c];
      const gain = h * w.reduce((sum, value, a) => sum + value * answers[c][a], 0);
      const rate = w.reduce((sum, value, a) => sum + value * u[a], 0) - gain * forces[c];
      const elastic = k * depths[c];
      const damping = 1.5 * alpha * elastic;
      const f = Math.max(0, (elastic - damping * rate) / (1 + gain * damping));
      const by = f - forces[c];
      for (let a = 0; a < 6; a++) u[a] += h * by * answers[c][a];
      forces[c] = f;
      change = Math.max(change, Math.abs(by));
    }
    if (change < 1e-15) break;
  }
  const size = Math.hypot(...u);
  for (let a = 0; a < 6; a++)
    assert.ok(Math.abs(after[7 + a] - u[a]) < 1e-10 * size, `${a}: ${after[7 + a]}, ${u[a]}`);
});

const BRISTLE: FrictionLawModel = {
  kind: 'bristle',
  stiction: 0.5,
  coulomb: 0.4,
  bristleStiffness: 1e4,
  bristleDamping: 100,
  viscousDamping: 0,
  stribeckVelocity: 1e-3,
  dwellTime: 0,
  velocityTolerance: 1e-4,
  startsSticking: true,
};
const COULOMB: FrictionLawModel = {
  kind: 'regularized-coulomb',
  coulomb: 0.4,
  regularization: 'cubic',
  velocityTolerance: 1e-3,
};

test('friction: below its limit bristles hold a cube where a regularised law creeps, and above it both slide as Coulomb says', () => {
  const push = (friction: FrictionLawModel, ratio: number): number[] => {
    const model = scene(pairOf(), slope(1e5, 4), friction, {
      position: [0, 0, 0.051 - G / 5e5],
      rotationLocked: true,
    });
    const run = makeSystem({ ...model, gravity: [ratio * G, 0, -G] });
    const speeds: number[] = [];
    for (let n = 0; n < 1000; n++) {
      assert.equal(run.step(1e-3), 0);
      speeds.push(state(run)[7]);
    }
    return speeds;
  };
  // creep of the cubic direction: μ G(v) = ratio, 3/2 v/ε − (v/ε)³/2 = 1/2 has v/ε = 0.347296
  const creep = push(COULOMB, 0.2)[999];
  assert.ok(Math.abs(creep - 0.347296e-3) < 1e-6, `${creep}`);
  assert.ok(Math.abs(push(BRISTLE, 0.2)[999]) < 1e-9);
  for (const friction of [COULOMB, BRISTLE]) {
    const speeds = push(friction, 0.6);
    const gained = (speeds[499] - speeds[199]) / 0.3; // before it leaves the slab
    assert.ok(Math.abs(gained - 0.2 * G) < 0.01 * G, `${friction.kind}: ${gained}`);
  }
});

test('a state that was kept goes on bit by bit, whatever was asked in between', () => {
  const model = scene(pairOf(), slope(1e5, 2), BRISTLE, {
    position: [0, 0, 0.0535],
    orientation: [0.02, 0.01, 0, Math.sqrt(1 - 5e-4)],
    velocity: [0.05, 0.02, -0.1],
    angularVelocity: [0.1, 0.3, 1],
  });
  const run = makeSystem(model);
  for (let n = 0; n < 40; n++) run.step(1e-3);
  const kept = new Float64Array(run.state.length);
  run.snapshot(kept);
  for (let n = 0; n < 60; n++) run.step(1e-3);
  const hash = run.hash();
  run.restore(kept);
  for (let n = 0; n < 60; n++) run.step(1e-3);
  assert.equal(run.hash(), hash);
  const other = makeSystem(model);
  other.restore(kept);
  for (let n = 0; n < 60; n++) other.step(1e-3);
  assert.equal(other.hash(), hash);
});

test('B14: bodies inside of each other are named, at the start and on the way; pairs without room are counted', () => {
  const inside = scene(pairOf(), slope(1e5, 2), NONE, { position: [0, 0, 0.04] });
  assert.throws(() => makeSystem(inside), /start outside of each other.*c \(cube and slab\)/);
  const within = scene(
    pairOf({ shapeI: { ...CUBE, shape: { kind: 'box', size: [0.01, 0.01, 0.01] } } }),
    slope(1e5, 2),
    NONE,
    { position: [0, 0, -0.006] },
  );
  assert.throws(() => makeSystem(within), /cut or hold each other/);
  const fast = { position: [0, 0, 0.052], velocity: [0, 0, -1] } as const;
  const run = makeSystem(scene(pairOf(), slope(10, 0), NONE, fast));
  let n = 0;
  while (run.penetrations.length === 0 && n < 100) {
    assert.equal(run.step(1e-3), 0);
    n++;
  }
  assert.deepEqual(run.penetrations, ['c (cube and slab)']);
  run.step(1e-3);
  assert.ok(run.penetratedSteps > 0);
  const few = makeSystem(
    scene(pairOf({ maximumPairs: 2 }), slope(1e5, 2), NONE, { position: [0, 0, 0.0505] }),
  );
  few.step(1e-3);
  assert.ok(few.exhaustedPairs >= 3, `${few.exhaustedPairs}`);
});

test('a cube thrown at 10 m a step through a thin plate does not pass unseen within the sub-steps it needs', () => {
  const plate: PlacedFacets = { ...SLAB, shape: { kind: 'box', size: [1, 1, 2e-3] } };
  const model = scene(
    pairOf({ shapeJ: plate, standoff: 2e-3 }),
    slope(1e9, 1),
    NONE,
    { position: [0, 0, 5], velocity: [0, 0, -1e4] },
    { gravity: [0, 0, 0], maximumSubsteps: 20_000 },
  );
  const run = makeSystem(model);
  assert.equal(run.step(1e-3), 0);
  const passed = state(run)[2] < -0.2;
  assert.ok(!passed || run.penetratedSteps > 0, `at ${state(run)[2]} m`);
  const bounded = makeSystem({ ...model, maximumSubsteps: 10 });
  bounded.step(1e-3);
  assert.ok(bounded.substepBoundHit);
});
