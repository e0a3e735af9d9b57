/** Sliding contacts that part and meet: a cam without a spring, a dome, impacts, energy, momentum, restored states, what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SlidingModel, UnilateralModel } from '../../../src/model/constraint-spec.ts';
import type { SystemModel, Triple } from '../../../src/model/model.ts';
import { CONSTRAINT_READOUT, makeSystem, type System } from '../../../src/system/system.ts';
import { CAM } from '../../../server/validation/cam-law.ts';
import { camFollower } from '../../../server/validation/cam-models.ts';
import { body, contact, system } from '../../fixtures/models.ts';

const GRAVITY = 9.81;
const state = new Float64Array(13);
const energy = new Float64Array(7);

/** Balance of the ledger and what was dissipated, J. */
function ledger(made: System): readonly [balance: number, dissipated: number] {
  made.readEnergy(energy, 0);
  return [energy[6], energy[4]];
}

/** The model with every sliding contact unilateral. */
function opening(model: SystemModel, unilateral: UnilateralModel): SystemModel {
  const constraints = (model.constraints ?? []).map((one) =>
    one.kind === 'sliding' ? { ...one, unilateral } : one,
  );
  return { ...model, constraints };
}

const PLASTIC: UnilateralModel = { restitution: 0, smallVelocity: 0.01 };

test('the follower of a cam at 300 rpm without a spring leaves at 74.647°, flies 38.398 ms and lands in the dwell with 0.11868 m/s (T21)', () => {
  const step = 5e-5;
  const made = makeSystem(opening({ ...camFollower(true, { step }), springs: [] }, PLASTIC));
  let left = NaN;
  let landed = NaN;
  for (let n = 1; n * step < 0.09; n++) {
    assert.equal(made.step(step), 0);
    if (made.isOpen(2) && Number.isNaN(left)) left = n * step;
    if (!made.isOpen(2) && left > 0 && Number.isNaN(landed)) landed = n * step;
  }
  assert.equal(made.constraintReleases, 1);
  assert.equal(made.constraintLandings, 1);
  // a step each way, in which a row opens or closes
  assert.ok(Math.abs(left - 74.647 / 1800) < 1e-4, `${left} s`);
  assert.ok(Math.abs(landed - left - 38.398e-3) < 1e-4, `${landed - left} s`);
  const [balance, dissipated] = ledger(made);
  const speed = Math.sqrt((2 * dissipated) / CAM.mass);
  assert.ok(Math.abs(speed - 0.11868) < 5e-4, `${speed} m/s`); // the weight of half a step
  assert.ok(Math.abs(balance) < 2e-5, `${balance} J`);
});

/** A point-like ball of 0.1 m on a dome of 0.4 m, at an angle from its top with the speed of a fall from rest there. */
function ballOnDome(angle: number, parts: Partial<SystemModel>): SystemModel {
  const radius = 0.5;
  const speed = Math.sqrt(2 * GRAVITY * radius * (1 - Math.cos(angle)));
  return system({
    gravity: [0, 0, -GRAVITY],
    bodies: [
      body('ball', 'dynamic', {
        position: [radius * Math.sin(angle), 0, radius * Math.cos(angle)],
        velocity: [speed * Math.cos(angle), 0, -speed * Math.sin(angle)],
      }),
    ],
    constraints: [
      {
        kind: 'sliding',
        name: 'ball on dome',
        first: { body: 'ball', surface: { shape: { kind: 'sphere', radius: 0.1 } } },
        second: { body: null, surface: { shape: { kind: 'sphere', radius: 0.4 } } },
        start: [Math.PI, angle - Math.PI / 2, 0, Math.PI / 2 - angle],
        unilateral: PLASTIC,
      },
    ],
    ...parts,
  });
}

test('a ball leaves a dome where cos = 2/3, by first order of the step', () => {
  const errors = [2e-3, 1e-3].map((step) => {
    const made = makeSystem(ballOnDome(0.3, { step }));
    for (let n = 0; n < 1000 && !made.isOpen(0); n++) assert.equal(made.step(step), 0);
    made.readBody(0, state, 0);
    const angle = Math.atan2(state[0], state[2]);
    const [balance] = ledger(made);
    assert.ok(Math.abs(balance) < 2e-5, `${balance} J`); // of second order
    return { error: angle - Math.acos(2 / 3), rate: Math.sqrt((2 * GRAVITY) / 3 / 0.5) };
  });
  // the force of a step is that of its last half, so that it is below 0 within a step and a half
  errors.forEach(({ error, rate }, k) => {
    assert.ok(error > -1e-4 && error < 1.5 * rate * [2e-3, 1e-3][k], `${error}`);
  });
});

/** A ball over a plane, `gap` above it. */
function ballOverPlane(
  gap: number,
  unilateral: UnilateralModel,
  parts: Partial<SystemModel> = {},
): SystemModel {
  return system({
    gravity: [0, 0, -GRAVITY],
    bodies: [body('ball', 'dynamic', { mass: 2, position: [0, 0, 0.1 + gap] })],
    constraints: [
      {
        kind: 'sliding',
        name: 'ball on plane',
        // u = v = 0 is below
        first: {
          body: 'ball',
          surface: {
            shape: { kind: 'sphere', radius: 0.1 },
            orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
          },
        },
        second: { body: null, surface: { shape: { kind: 'plane' } } },
        start: [0, 0, 0, 0],
        unilateral,
      },
    ],
    ...parts,
  });
}

test('a ball bounces by its restitution, never higher, and rests after as many bounces as the speeds say', () => {
  const h = 0.2;
  const restitution = 0.7;
  const step = 1e-3;
  const made = makeSystem(ballOverPlane(h, { restitution, smallVelocity: 0.1 }, { step }));
  assert.ok(made.isOpen(0));
  let speed = Math.sqrt(2 * GRAVITY * h);
  let time = speed / GRAVITY;
  let bounces = 0;
  while (speed > 0.1) {
    speed *= restitution;
    bounces++;
    if (speed > 0.1) time += (2 * speed) / GRAVITY;
  }
  let total = Infinity;
  let rested = NaN;
  let steps = 0;
  for (; steps < 1500; steps++) {
    assert.equal(made.step(step), 0);
    made.readEnergy(energy, 0);
    assert.ok(energy[0] + energy[1] <= total + 1e-12, 'energy is never made');
    total = energy[0] + energy[1];
    assert.ok(Math.abs(energy[6]) < 1e-12, `${energy[6]} J`);
    made.readBody(0, state, 0);
    assert.ok(state[2] >= 0.1 - 1e-11);
    if (!made.isOpen(0) && Number.isNaN(rested)) rested = steps * step;
  }
  // the last landing closes: its speed is the first one that is not above the small velocity
  assert.ok(
    Math.abs(made.constraintLandings - bounces) <= 1,
    `${made.constraintLandings} ${bounces}`,
  );
  assert.ok(Math.abs(rested - time) < 0.08, `${rested} ${time}`);
  const row = new Float64Array(CONSTRAINT_READOUT.length);
  made.readConstraint(0, row, 0);
  assert.ok(Math.abs(row[2] - 2 * GRAVITY) < 1e-9, `${row[2]} N`); // rests with its weight
});

test('the energy of a plastic landing is that of the fall', () => {
  for (const step of [2e-3, 5e-4]) {
    const made = makeSystem(ballOverPlane(0.05, PLASTIC, { step }));
    for (let n = 0; n < 0.2 / step; n++) assert.equal(made.step(step), 0);
    const [balance, dissipated] = ledger(made);
    const fall = 2 * GRAVITY * 0.05;
    assert.ok(Math.abs(dissipated - fall) < 1e-12, `${dissipated} ${fall}`);
    assert.ok(Math.abs(balance) < 1e-12, `${balance} J`);
    assert.equal(made.constraintLandings, 1);
    assert.equal(made.constraintReleases, 0);
  }
});

test('a ball that slides down a wall on a contact lands as one without, and presses with its weight', () => {
  const over = ballOverPlane(0.02, PLASTIC);
  const made = makeSystem({
    ...over,
    bodies: [...over.bodies, body('wall', 'fixed')],
    contacts: [
      contact('ball', 'wall', {
        pair: {
          kind: 'sphere-plane',
          radius: 0.1,
          center: [0, 0, 0],
          normal: [1, 0, 0],
          offset: -0.1,
        },
        normalLaw: { kind: 'kelvin-voigt', stiffness: 1e5, damping: 800 },
      }),
    ],
  });
  made.setExternalWrench(0, Float64Array.of(-5, 0, 0, 0, 0, 0), 0);
  for (let n = 0; n < 100; n++) assert.equal(made.step(1e-3), 0);
  const row = new Float64Array(CONSTRAINT_READOUT.length);
  made.readConstraint(0, row, 0);
  made.readBody(0, state, 0);
  assert.ok(
    Math.abs(row[2] - 2 * GRAVITY) < 1e-9 && Math.abs(state[2] - 0.1) < 1e-11,
    `${row[2]} N`,
  );
  assert.equal(made.constraintLandings, 1);
  const [, dissipated] = ledger(made);
  // in contact, forces count at the start of a step: m g h/2 of the speed of 0.63 m/s, 6 mJ
  assert.ok(Math.abs(dissipated - 2 * GRAVITY * 0.02) < 0.007, `${dissipated} J`);
});

test('free balls that meet keep momentum and spin momentum, and part with the restitution', () => {
  const sliding: SlidingModel = {
    kind: 'sliding',
    name: 'balls',
    first: { body: 'one', surface: { shape: { kind: 'sphere', radius: 0.1 } } },
    second: { body: 'two', surface: { shape: { kind: 'sphere', radius: 0.2 } } },
    start: [0, 0, Math.PI, 0],
    unilateral: { restitution: 0.5, smallVelocity: 0.01 },
  };
  const made = makeSystem(
    system({
      gravity: [0, 0, 0],
      bodies: [
        body('one', 'dynamic', { mass: 2, velocity: [0.5, 0.1, 0], angularVelocity: [1, 2, 3] }),
        body('two', 'dynamic', {
          mass: 3,
          position: [0.35, 0.03, -0.02],
          velocity: [-0.3, 0, 0.1],
        }),
      ],
      constraints: [sliding],
    }),
  );
  const motion = (): { p: Triple; l: Triple; along: number } => {
    const p = [0, 0, 0];
    const l = [0, 0, 0];
    const own = [0, 1].map((b) => {
      made.readBody(b, state, 0);
      const m = made.model.bodies[b].mass;
      const [ixx] = made.model.bodies[b].inertia;
      for (let a = 0; a < 3; a++) {
        const [i, j] = [(a + 1) % 3, (a + 2) % 3];
        p[a] += m * state[7 + a];
        l[a] += m * (state[i] * state[7 + j] - state[j] * state[7 + i]) + ixx * state[10 + a];
      }
      return state.slice();
    });
    const d = [0, 1, 2].map((a) => own[1][a] - own[0][a]);
    const along =
      [0, 1, 2].reduce((sum, a) => sum + d[a] * (own[1][7 + a] - own[0][7 + a]), 0) /
      Math.hypot(...d);
    return { p: p as unknown as Triple, l: l as unknown as Triple, along };
  };
  const start = motion();
  let before = start.along;
  let steps = 0;
  while (made.constraintLandings === 0 && steps < 200) {
    before = motion().along;
    assert.equal(made.step(1e-3), 0);
    steps++;
  }
  const end = motion();
  assert.ok(steps > 20 && steps < 200, `${steps}`);
  assert.ok(Math.abs(end.along + 0.5 * before) < 2e-3, `${before} to ${end.along}`);
  for (let a = 0; a < 3; a++) {
    assert.ok(Math.abs(end.p[a] - start.p[a]) < 1e-14);
    assert.ok(Math.abs(end.l[a] - start.l[a]) < 1e-13, `${end.l[a]} ${start.l[a]}`);
  }
  const [balance] = ledger(made);
  assert.ok(Math.abs(balance) < 1e-12, `${balance} J`);
});

test('a cam left to itself without a spring loses energy at landings only, and a restored state goes on bit by bit', () => {
  const model = opening(
    { ...camFollower(false), springs: [] },
    { restitution: 0.4, smallVelocity: 0.02 },
  );
  const [one, other] = [makeSystem(model), makeSystem(model)];
  const kept = new Float64Array(one.state.length);
  let largest = -Infinity;
  for (let k = 0; k < 600; k++) {
    one.snapshot(kept);
    assert.equal(one.step(1e-3), 0);
    if (k % 7 === 0) {
      other.restore(kept);
      other.step(1e-3);
      assert.equal(other.hash(), one.hash(), `step ${k}`);
    }
    largest = Math.max(largest, ledger(one)[0]);
  }
  assert.ok(one.constraintLandings > 3 && one.constraintReleases > 1);
  // of 4.93 J: the energy of RATTLE swings by some 1e-5 of it, and landings add nothing
  assert.ok(largest < 2e-4, `${largest} J`);
});

test('a row that only pushes is refused with Runge–Kutta methods, and values out of range by name', () => {
  const model = ballOverPlane(0, PLASTIC);
  assert.ok(!makeSystem(model).isOpen(0));
  for (const integrator of ['rk4', 'dormand-prince'] as const) {
    assert.throws(() => makeSystem({ ...model, integrator }), /ball on plane.unilateral, got/);
  }
  assert.throws(
    () => makeSystem(ballOverPlane(0, { restitution: 1.2, smallVelocity: 0 })),
    /unilateral.restitution .*from 0 to 1/,
  );
});
