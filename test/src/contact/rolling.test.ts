/**
 * Rolling resistance: torque (W11), slide to roll (W15), rolling to rest (W16) and its tail, spin about the normal, creep on a slope,
 * energy balance, both bodies, stiff cases at 1 ms, two contacts, parameters.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { regularizedLength } from '../../../src/contact/friction/direction.ts';
import { KINEMATICS, NORMAL, SPIN } from '../../../src/contact/pair.ts';
import { rollingDefinition } from '../../../src/contact/registry.ts';
import {
  CONTACT_READOUT,
  type FrictionLawModel,
  type IntegratorKind,
  makeSystem,
  type RollingLawModel,
  type RollingResistanceModel,
  type System,
  type SystemModel,
} from '../../../src/index.ts';
import { body, contact, system } from '../../fixtures/models.ts';

const ROLLING: RollingResistanceModel = {
  kind: 'modia3d',
  rollingFriction: 0.01,
  angularVelocityTolerance: 0.01,
};
const GRAVITY = 9.81;
const RADIUS = 0.03;
const MASS = 0.2;
const INERTIA = 0.4 * MASS * RADIUS * RADIUS;
const TORQUE = CONTACT_READOUT.indexOf('torque_x');
/**
 * Depth at rest over radius: soft enough for one sub-step of 1 ms. The closed forms hold at any depth, since force and slip are taken
 * at the lowest point of the sphere.
 */
const SAG = 1e-2;

interface Options {
  readonly rollingLaw: RollingLawModel;
  readonly coulomb?: number;
  readonly tolerance?: number;
  readonly speed?: number;
  readonly rolls?: number;
  readonly spin?: number;
  readonly tangent?: number;
  readonly integrator?: IntegratorKind;
}

/** A solid ball at its static depth on a plane that falls along x by `tangent`; `rolls` is its speed over the rolling one. */
function ball(o: Options): SystemModel {
  const angle = Math.atan(o.tangent ?? 0);
  const load = MASS * GRAVITY * Math.cos(angle);
  const depth = SAG * RADIUS;
  const speed = o.speed ?? 0;
  const frictionLaw: FrictionLawModel = {
    kind: 'regularized-coulomb',
    coulomb: o.coulomb ?? 0.8,
    regularization: 'modia3d',
    velocityTolerance: o.tolerance ?? 2e-2,
  };
  return system({
    integrator: o.integrator ?? 'implicit-contact',
    gravity: [GRAVITY * Math.sin(angle), 0, -load / MASS],
    bodies: [
      body('ball', 'dynamic', {
        mass: MASS,
        inertia: [INERTIA, INERTIA, INERTIA, 0, 0, 0],
        position: [0, 0, RADIUS - depth],
        velocity: [speed, 0, 0],
        angularVelocity: [0, ((o.rolls ?? 1) * speed) / RADIUS, o.spin ?? 0],
      }),
      body('table', 'fixed'),
    ],
    contacts: [
      contact('ball', 'table', {
        pair: {
          kind: 'sphere-plane',
          radius: RADIUS,
          center: [0, 0, 0],
          normal: [0, 0, 1],
          offset: 0,
        },
        normalLaw: {
          kind: 'hysteretic',
          stiffness: load / depth,
          exponent: 1,
          restitution: 0.5,
          smallVelocity: 0.1,
          relaxationTime: 0,
        },
        frictionLaw,
        rollingLaw: o.rollingLaw,
      }),
    ],
  });
}

function stateOf(run: System): { x: number; v: number; wy: number; wz: number } {
  const s = new Float64Array(13);
  run.readBody(0, s, 0);
  return { x: s[0], v: s[7], wy: s[11], wz: s[12] };
}

test('torque of steel on steel: W11', () => {
  const model = { ...ROLLING, rollingFriction: 0.001 };
  const none = {
    states: new Float64Array(0),
    rates: new Float64Array(0),
    internals: new Float64Array(0),
  };
  const law = rollingDefinition(model).make(model, none, { effectiveRadius: 0.1 });
  const k = new Float64Array(KINEMATICS);
  k[NORMAL + 2] = 1;
  for (const [w, want] of [
    [0.004, 0.1241696157],
    [0.01, 0.14652014652],
    [30, 0.14652014652],
  ] as const) {
    k.set([0.6 * w, 0, -0.8 * w], SPIN);
    law.evaluate(k, Float64Array.of(0, 0, 0, 0, 0, 1465.2014652014655));
    const size = Math.sqrt(law.torque[0] ** 2 + law.torque[2] ** 2);
    assert.ok(Math.abs(size / want - 1) < 5e-11, `${size} N m, ${want} N m with eleven digits`);
    assert.ok(law.torque[0] < 0 && law.torque[1] === 0 && law.torque[2] > 0);
  }
});

test('slide to roll: W15, t = 2 v0/(7 μ g), v = 5/7 v0', () => {
  for (const integrator of ['implicit-contact', 'rk4'] as const) {
    const model = ball({
      rollingLaw: { kind: 'none' },
      coulomb: 0.8,
      tolerance: 1e-2,
      speed: 3,
      rolls: 0,
      integrator,
    });
    const run = makeSystem(model);
    const dt = 1e-4;
    let rolls = 0;
    let path = 0;
    for (let n = 1; n <= 2000; n++) {
      run.step(dt);
      const { x, v, wy } = stateOf(run);
      if (rolls === 0 && v - wy * RADIUS < 1e-2) {
        rolls = n * dt;
        path = x;
      }
    }
    // slip falls at 7/2 μ g = 27 m/s²: v_eps is left 0.4 ms before, and the step resolves 0.1 ms
    assert.ok(Math.abs(rolls - 0.109218 + 0.000364) < 1.1e-4, `${integrator}: ${rolls} s`);
    // path at that time, less 0.4 ms at 15/7 m/s, to a step of 0.2 mm
    assert.ok(Math.abs(path - 0.2808463 + 0.00078) < 2.5e-4, `${integrator}: ${path} m`);
    // the moment about the foot is zero whatever the friction law
    assert.ok(Math.abs(stateOf(run).v / (15 / 7) - 1) < 1e-9, `${stateOf(run).v} m/s`);
  }
});

test('rolling to rest: W16, deceleration 5/7 μ_r g; below w_small exponentially', () => {
  for (const integrator of ['implicit-contact', 'symplectic-euler', 'rk4'] as const) {
    const run = makeSystem(ball({ rollingLaw: ROLLING, speed: 0.5, integrator }));
    const dt = 2e-4;
    const steps = 10_000;
    for (let n = 0; n < 500; n++) run.step(dt); // the creep of friction settles at 7/2 · 3 μ g/v_eps = 4e3 1/s
    const before = stateOf(run).v;
    for (let n = 0; n < steps; n++) run.step(dt);
    const rate = (before - stateOf(run).v) / (steps * dt);
    // regularised friction adds a creep of constant size, so it does not change the deceleration; W16 has six digits
    assert.ok(Math.abs(rate / 0.0700714 - 1) < 1e-6, `${integrator}: ${rate} m/s²`);
  }
  // regularisation of the torque: below w_small the ball does not stop at v/a but fades; near rest at 15 μ_r g/(7 r w_small)
  const soft: RollingResistanceModel = { ...ROLLING, angularVelocityTolerance: 1 };
  const run = makeSystem(ball({ rollingLaw: soft, speed: 1e-3 * RADIUS, tolerance: 1e-3 }));
  const dt = 2e-5;
  for (let n = 0; n < 1000; n++) run.step(dt);
  const start = stateOf(run).wy;
  for (let n = 0; n < 10_000; n++) run.step(dt);
  const got = Math.log(start / stateOf(run).wy) / 0.2;
  const want = (15 * ROLLING.rollingFriction * GRAVITY) / (7 * RADIUS);
  // implicit Euler of step h: ln(1 + λ h)/h, 7e-5 less; friction yields by λ/(7/2 · 3 μ g/v_eps) =
  // 9e-5
  assert.ok(Math.abs(got / want - 1) < 3e-4, `${got} 1/s, ${want} 1/s`);
});

test('spin about the normal: the torque is μ_r R f_n on the ball, and w falls linearly', () => {
  const run = makeSystem(ball({ rollingLaw: ROLLING, spin: 20 }));
  const out = new Float64Array(40);
  const wrench = new Float64Array(12);
  const torque = ROLLING.rollingFriction * RADIUS * MASS * GRAVITY;
  for (let n = 0; n < 1000; n++) run.step(1e-3);
  run.readContact(0, out, 0);
  assert.ok(Math.abs(out[TORQUE]) < 1e-15 && Math.abs(out[TORQUE + 1]) < 1e-15);
  assert.ok(Math.abs(out[TORQUE + 2] / -torque - 1) < 1e-9, `${out[TORQUE + 2]} N m`);
  assert.ok(Math.abs((20 - stateOf(run).wz) / (torque / INERTIA) - 1) < 1e-9);
  run.contactWrench(0, 0, 0, 0, wrench, 0);
  run.contactWrench(1, 0, 0, 0, wrench, 6);
  assert.ok(Math.abs(wrench[5] / -torque - 1) < 1e-9);
  for (let a = 0; a < 6; a++) assert.equal(wrench[a] + wrench[6 + a], 0);
});

test('the ledger balances: what a rolling ball loses is the work of the torque', () => {
  for (const [integrator, tolerance] of [
    ['implicit-contact', 1e-12],
    ['symplectic-euler', 1e-12],
    ['rk4', 1e-9],
  ] as const) {
    const run = makeSystem(ball({ rollingLaw: ROLLING, speed: 0.5, integrator }));
    const energy = new Float64Array(8);
    for (let n = 0; n < 5000; n++) run.step(2e-4);
    run.readEnergy(energy, 0);
    const { x } = stateOf(run);
    assert.ok(Math.abs(energy[6]) < tolerance, `${integrator}: balance ${energy[6]} J`);
    // torque × angle, angle = path/R; of both the creep of friction takes a share, v_eps a/(3 μ g) = 6e-5 m/s of 0.5 m/s
    const work = ROLLING.rollingFriction * MASS * GRAVITY * x;
    assert.ok(Math.abs(energy[4] / work - 1) < 3e-4, `${integrator}: ${energy[4]} J of ${work} J`);
  }
});

test('a turning table drives the ball: external work is what the ball gains and what is lost', () => {
  const base = ball({ rollingLaw: ROLLING });
  const run = makeSystem({
    ...base,
    bodies: [base.bodies[0], body('table', 'prescribed', { angularVelocity: [0, 0, 10] })],
  });
  const energy = new Float64Array(8);
  for (let n = 0; n < 1000; n++) run.step(1e-3);
  run.readEnergy(energy, 0);
  const torque = ROLLING.rollingFriction * RADIUS * MASS * GRAVITY;
  const gained = torque / INERTIA;
  assert.ok(Math.abs(stateOf(run).wz / gained - 1) < 1e-9);
  assert.ok(Math.abs(energy[5] / (10 * torque) - 1) < 1e-9, `external ${energy[5]} J`);
  assert.ok(Math.abs(energy[4] / (10 * torque - 0.5 * INERTIA * gained ** 2) - 1) < 1e-9);
  assert.ok(Math.abs(energy[6]) < 1e-12, `balance ${energy[6]} J`);
});

test('rolling creep on a slope below μ_r: the speed where μ_r g(w) = tan, to 1e-4 (A8)', () => {
  for (const [share, want] of [
    [0.25, 0.085092158],
    [0.5, 0.182268326],
    [0.9, 0.463434835],
  ] as const) {
    for (const integrator of ['implicit-contact', 'rk4'] as const) {
      const tangent = share * ROLLING.rollingFriction;
      const run = makeSystem(ball({ rollingLaw: ROLLING, tangent, tolerance: 1e-2, integrator }));
      // 3 μ g/v_eps times 7/2 = 8e3 1/s, 15 μ_r g/(7 r w_small) = 700 1/s at rest
      const dt = integrator === 'rk4' ? 2e-4 : 1e-3;
      for (let t = 0; t < 0.5; t += dt) assert.equal(run.step(dt), 0);
      const got = stateOf(run).wy / ROLLING.angularVelocityTolerance;
      assert.ok(Math.abs(got / want - 1) < 1e-4, `${integrator} ${share}: ${got}, ${want}`);
      // friction creeps beside it: 0.8 s/reg(s) = tan at the slip s, which is what the centre is faster than rolling
      let [low, high] = [0, 1e-2];
      for (let n = 0; n < 60; n++) {
        const middle = 0.5 * (low + high);
        if ((0.8 * middle) / regularizedLength(middle, 1e-2) < tangent) low = middle;
        else high = middle;
      }
      const slip = stateOf(run).v - RADIUS * stateOf(run).wy;
      assert.ok(Math.abs(slip / low - 1) < 1e-4, `${integrator} ${share}: ${slip} m/s, ${low}`);
    }
  }
});

test('stiff rolling at 1 ms: the explicit step chatters, the implicit one comes to rest', () => {
  // 3 μ_r R f_n h/(w_small J) with J about the foot is 7: 0.1 rad/s and more of chatter in the explicit step
  const rough: RollingResistanceModel = { ...ROLLING, rollingFriction: 0.1 };
  for (const integrator of ['symplectic-euler', 'implicit-contact'] as const) {
    const run = makeSystem(ball({ rollingLaw: rough, speed: 0.1, tolerance: 0.1, integrator }));
    const energy = new Float64Array(8);
    let last = Infinity;
    for (let n = 0; n < 3000; n++) {
      run.step(1e-3);
      run.readEnergy(energy, 0);
      // at rest the step stops where 1e-10 of the weight is missing for 1 ms: 1e-12 m/s, 5e-25 J of 1 kg
      if (integrator === 'implicit-contact') assert.ok(energy[0] <= last * (1 + 1e-12) + 5e-25);
      last = energy[0];
    }
    const w = Math.abs(stateOf(run).wy);
    if (integrator === 'symplectic-euler') assert.ok(w > 1e-3, `chatter ${w} rad/s`);
    else assert.ok(w < 1e-9, `rest ${w} rad/s`);
  }
});

test('two contacts, one separating: the other one behaves as if it were alone', () => {
  const make = (names: readonly string[]): System => {
    const base = ball({ rollingLaw: ROLLING });
    return makeSystem({
      ...base,
      bodies: [
        ...names.map((name, k) => ({
          ...base.bodies[0],
          name,
          position: [k, 0, RADIUS - 1e-4] as const,
          velocity: [0.3, 0, name === 'leaves' ? 2 : 0] as const,
          angularVelocity: [0, 10, 5] as const,
        })),
        base.bodies[1],
      ],
      contacts: names.map((name) => ({
        ...base.contacts[0],
        name,
        bodyI: name,
        normalLaw: { ...base.contacts[0].normalLaw, stiffness: 1e5 } as never,
      })),
    });
  };
  for (const order of [
    ['leaves', 'stays'],
    ['stays', 'leaves'],
  ]) {
    const both = make(order);
    const alone = make(['stays']);
    for (let n = 0; n < 8; n++) {
      both.step(2e-4);
      alone.step(2e-4);
    }
    const a = new Float64Array(40);
    const b = new Float64Array(40);
    both.readContact(both.contactIndex('leaves'), a, 0);
    assert.deepEqual([a[0], ...a.slice(TORQUE, TORQUE + 3)], [0, 0, 0, 0]);
    both.readContact(both.contactIndex('stays'), a, 0);
    alone.readContact(0, b, 0);
    assert.ok(a[0] === 1 && a[TORQUE + 2] < -1e-5, `${a[TORQUE + 2]} N m`);
    for (let c = TORQUE; c < TORQUE + 3; c++) assert.ok(Math.abs(a[c] - b[c]) < 1e-15);
  }
});

test('an angular velocity that is not a number: step() is 1 and the last good state stays', () => {
  for (const integrator of ['implicit-contact', 'symplectic-euler', 'rk4'] as const) {
    const run = makeSystem(ball({ rollingLaw: ROLLING, speed: 0.5, integrator }));
    for (let n = 0; n < 10; n++) run.step(1e-4);
    run.setExternalWrench(0, Float64Array.of(0, 0, 0, 0, 0, Number.NaN), 0);
    const good = run.hash();
    assert.equal(run.step(1e-4), 1);
    assert.equal(run.hash(), good);
  }
});

test('parameters out of range are refused, and a pair without effective radius', () => {
  const refuse = (rollingLaw: object, words: RegExp): void => {
    assert.throws(() => makeSystem(ball({ rollingLaw: rollingLaw as RollingLawModel })), {
      name: 'BerthError',
      message: words,
    });
  };
  refuse({ ...ROLLING, rollingFriction: -1 }, /rollingLaw\.rollingFriction >= 0, got -1/);
  refuse({ ...ROLLING, rollingFriction: Number.NaN }, /got NaN/);
  refuse({ ...ROLLING, angularVelocityTolerance: 0 }, /angularVelocityTolerance > 0, got 0/);
  refuse({ kind: 'track' }, /none, modia3d, volumetric, got "track"/);
  const base = ball({ rollingLaw: ROLLING });
  const pair = {
    kind: 'sphere-edge',
    radius: RADIUS,
    center: [0, 0, 0],
    edgePoint: [0, 0, 0],
    normal1: [0, 0.6, 0.8],
    normal2: [0, -0.6, 0.8],
  } as const;
  assert.throws(() => makeSystem({ ...base, contacts: [{ ...base.contacts[0], pair }] }), {
    code: 'BERTH_MISMATCH',
    message: /rollingLaw "modia3d" needs effective-radius, which a pair of kind "sphere-edge"/,
  });
});
