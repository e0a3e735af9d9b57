/**
 * Newton's method on islands of contacts: the forces it ends with are those of the laws at the velocities it ends with, for bodies and
 * links together; sweeps that go on long enough end there too; what rests is solved at once. Every combination of laws:
 * contact-newton.long.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  makeSystem,
  NewtonCount,
  type BodyModel,
  type ContactModelSpec,
} from '../../../src/index.ts';
import { sweepContacts } from '../../../src/integrate/contact-sweeps.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import { leaning } from '../../fixtures/chain-models.ts';
import { body, contact, INCLINE_BRISTLE, system } from '../../fixtures/models.ts';
import { begin, misfit, STEP_s, TIMING } from './contact-island.ts';

test('links of a chain, a ball on one of them and the floor are one island', () => {
  const model = leaning('implicit-contact');
  const link = model.trees?.[0].links[0].name ?? '';
  const ball = body('ball', 'dynamic', {
    mass: 0.3,
    inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0],
    velocity: [0.1, 0.05, -0.2],
    angularVelocity: [3, -2, 1],
  });
  const joined = { ...model, bodies: [...model.bodies, ball] };
  const place = new Dynamics(joined).parts.find(({ name }) => name === link);
  assert.ok(place !== undefined);
  const [x, y, z] = place.state;
  const touching = {
    ...joined,
    bodies: joined.bodies.map((each) =>
      each === ball ? { ...ball, position: [x, y, z + 0.1 - 2e-5] as const } : each,
    ),
    contacts: [
      ...joined.contacts,
      contact('ball', link, {
        pair: {
          kind: 'sphere-sphere',
          radius: 0.05,
          center: [0, 0, 0],
          radiusJ: 0.05,
          centerJ: [0, 0, 0],
        },
        frictionLaw: INCLINE_BRISTLE,
      }),
    ],
  };
  const [made, newton] = begin(touching, () => undefined);
  assert.ok(made.current.count >= 2, `${made.current.count} contacts touch`);
  newton.solve(made.current, TIMING);
  assert.equal(newton.counts[NewtonCount.islands], 1);
  assert.equal(newton.counts[NewtonCount.swept], 0);
  const error = misfit(made);
  assert.ok(error < 1e-8, `${error}`);
});

const FEET: readonly (readonly [number, number])[] = [
  [-0.2, -0.1],
  [-0.2, 0.1],
  [0.2, -0.1],
  [0.2, 0.1],
];

/** A box on four round feet, 0.01 m in radius, with its centre 0.1 m above theirs. */
function onFeet(name: string, place: Partial<BodyModel>): [BodyModel, ContactModelSpec[]] {
  const feet = FEET.map(([x, y], f) =>
    contact(name, 'floor', {
      name: `${name}-${f}`,
      pair: {
        kind: 'sphere-plane',
        radius: 0.01,
        center: [x, y, -0.1],
        normal: [0, 0, 1],
        offset: 0,
      },
      frictionLaw: INCLINE_BRISTLE,
    }),
  );
  return [body(name, 'dynamic', { mass: 4, inertia: [0.02, 0.06, 0.07, 0, 0, 0], ...place }), feet];
}

test('sweeps that go on long enough end where Newton ends, for a box that sticks on four feet', () => {
  const [box, feet] = onFeet('box', {
    position: [0, 0, 0.11 - 2e-6],
    velocity: [1e-6, -2e-6, -1e-3],
    angularVelocity: [1e-4, 2e-4, -1e-5],
  });
  const model = system({
    gravity: [0, 0, -9.81],
    bodies: [box, body('floor', 'fixed')],
    contacts: feet,
  });
  const [exact, newton] = begin(model, () => undefined);
  newton.solve(exact.current, TIMING);
  const [swept] = begin(model, () => undefined);
  let before = Infinity;
  for (const turns of [1, 1000]) {
    for (let n = 0; n < turns; n++) sweepContacts(swept.contacts, swept.contacts.length);
    const apart = Math.max(
      ...exact.bodies[0].state.slice(7).map((v, a) => Math.abs(v - swept.bodies[0].state[7 + a])),
    );
    assert.ok(apart < before, `${turns} turns of 32 sweeps: ${apart}`);
    before = apart;
  }
  assert.ok(before < 1e-12, `${before} m/s or rad/s apart`);
});

test('what rests stays where it is, and most of its steps need no matrix', () => {
  const [box, feet] = onFeet('box', { position: [0, 0, 0.11] });
  const run = makeSystem(
    system({ gravity: [0, 0, -9.81], bodies: [box, body('floor', 'fixed')], contacts: feet }),
  );
  for (let n = 0; n < 10_000; n++) assert.equal(run.step(STEP_s), 0);
  const counts = run.solverCounts;
  assert.ok(counts !== null);
  const before = counts.slice();
  const state = new Float64Array(13);
  run.readBody(0, state, 0);
  const start = state.slice();
  for (let n = 0; n < 1000; n++) {
    run.step(STEP_s);
    assert.equal(run.substeps, 1);
  }
  run.readBody(0, state, 0);
  const matrices = counts[NewtonCount.slopes] - before[NewtonCount.slopes];
  assert.ok(matrices < 600, `${matrices} matrices in 1000 steps`);
  for (let a = 0; a < 13; a++) {
    const moved = state[a] - start[a];
    assert.ok(Math.abs(moved) < 1e-12, `value ${a} moved by ${moved} in 1 s`);
  }
});

test('a body pushed at 90 % of the limit creeps less than 0.01 µm/s', () => {
  const { stiction, coulomb } = INCLINE_BRISTLE;
  const limit = Math.min(stiction, coulomb);
  const [box, feet] = onFeet('box', { position: [0, 0, 0.11] });
  const tilt = Math.atan(0.9 * limit);
  const gravity = [9.81 * Math.sin(tilt), 0, -9.81 * Math.cos(tilt)] as const;
  const run = makeSystem(
    system({ gravity, bodies: [box, body('floor', 'fixed')], contacts: feet }),
  );
  const state = new Float64Array(13);
  for (let n = 0; n < 8000; n++) assert.equal(run.step(STEP_s), 0);
  run.readBody(0, state, 0);
  const start = state[0];
  for (let n = 0; n < 4000; n++) run.step(STEP_s);
  run.readBody(0, state, 0);
  assert.ok(Math.abs(state[0] - start) / 4 < 1e-8, `${(1e6 * (state[0] - start)) / 4} µm/s`);
});

test('bodies that do not touch are islands of their own, and do not care about each other', () => {
  const made = [0, 1, 2].map((k) =>
    onFeet(`box-${k}`, {
      position: [k, 0, 0.1099],
      velocity: [0.1 * k, 0.05, -0.02 * k],
      angularVelocity: [0.3, -0.2 * k, 0.5],
    }),
  );
  const alone = made.map(([box, feet]) =>
    makeSystem(
      system({ gravity: [0, 0, -9.81], bodies: [box, body('floor', 'fixed')], contacts: feet }),
    ),
  );
  const together = makeSystem(
    system({
      gravity: [0, 0, -9.81],
      bodies: [...made.map(([box]) => box), body('floor', 'fixed')],
      contacts: [2, 0, 1].flatMap((k) => made[k][1]),
      maximumSubsteps: 1,
    }),
  );
  const one = new Float64Array(13);
  const all = new Float64Array(13);
  const fixed = alone.map(({ model }) => makeSystem({ ...model, maximumSubsteps: 1 }));
  for (let n = 0; n < 200; n++) {
    assert.equal(together.step(STEP_s), 0);
    for (const run of fixed) assert.equal(run.step(STEP_s), 0);
  }
  fixed.forEach((run, k) => {
    run.readBody(0, one, 0);
    together.readBody(k, all, 0);
    assert.deepEqual(all, one, `box ${k}`);
  });
});
