/**
 * Friction without memory: numbers of the Modia3D sheet (W10, table of reg, creep speeds), smoothness, the implicit step against the
 * explicit one, dissipation for any step, sticking and sliding on the falling branch, parameters.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DragSolver } from '../../../src/contact/drag-solver.ts';
import { GAIN, LIMIT, SPEED, VISCOUS } from '../../../src/contact/drag-slots.ts';
import { directionFactor, regularizedLength } from '../../../src/contact/friction/direction.ts';
import { KINEMATICS, NORMAL, SLIP } from '../../../src/contact/pair.ts';
import { frictionDefinition } from '../../../src/contact/registry.ts';
import type { FrictionLaw } from '../../../src/contact/friction/friction-law.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  type FrictionLawModel,
  type IntegratorKind,
  makeSystem,
  Random,
  type RegularizedCoulombModel,
  type StribeckModel,
  type System,
  type SystemModel,
} from '../../../src/index.ts';
import { body, contact, system } from '../../fixtures/models.ts';

const STEEL = 1465.2014652014655; // W1, N
const COULOMB: RegularizedCoulombModel = {
  kind: 'regularized-coulomb',
  coulomb: 0.5,
  regularization: 'modia3d',
  velocityTolerance: 0.01,
};
const STRIBECK: StribeckModel = {
  kind: 'stribeck',
  stiction: 0.5,
  coulomb: 0.3,
  viscousDamping: 0.05,
  stribeckVelocity: 0.1,
  regularization: 'modia3d',
  velocityTolerance: 0.001,
};

function make(model: FrictionLawModel): FrictionLaw {
  const none = {
    states: new Float64Array(0),
    rates: new Float64Array(0),
    internals: new Float64Array(0),
  };
  return frictionDefinition(model).make(model, none, { effectiveRadius: 0 });
}

function loadedWith(load: number): Float64Array {
  return Float64Array.of(0, 0, 0, 0, 0, load);
}

function stickOf(law: FrictionLaw): number {
  const readout = new Float64Array(CONTACT_READOUT.length);
  law.read(readout);
  return readout[ContactReadout.stick];
}

function columnOf(slip: readonly [number, number]): Float64Array {
  const k = new Float64Array(KINEMATICS);
  k[NORMAL + 2] = 1;
  k.set(slip, SLIP);
  return k;
}

test('friction of steel on steel: W10', () => {
  const law = make(COULOMB);
  for (const [speed, want] of [
    [0.001, 213.58621942],
    [0.002, 395.28816507],
    [0.005, 676.24683009],
    [0.01, 732.6007326],
    [3, 732.6007326],
  ] as const) {
    law.evaluate(columnOf([0.6 * speed, -0.8 * speed]), loadedWith(STEEL));
    const size = Math.sqrt(law.force[0] ** 2 + law.force[1] ** 2);
    assert.ok(Math.abs(size / want - 1) < 2e-11, `${size} N, ${want} N with eleven digits`);
    assert.ok(Math.abs(law.force[0] / law.force[1] + 0.75) < 1e-14 && law.force[0] < 0);
  }
});

test('reg: table, and C2 at v_small (A2)', () => {
  for (const [v, want] of [
    [0, 0.00333333333333333],
    [0.0025, 0.00390625],
    [0.005, 0.00541666666666667],
    [0.0075, 0.00755208333333333],
    [0.01, 0.01],
    [0.02, 0.02],
  ] as const) {
    assert.ok(Math.abs(regularizedLength(v, 0.01) - want) < 1e-17, `reg(${v})`);
  }
  // below v_small reg(v) − v = v_small x³/3 with x = 1 − v/v_small: value, slope and curvature are those of v
  for (const x of [1e-4, 1e-3, 1e-2, 0.1, 0.5]) {
    const v = 0.01 * (1 - x);
    assert.ok(Math.abs(regularizedLength(v, 0.01) - v - (0.01 * x ** 3) / 3) < 5e-18);
  }
});

test('both magnitudes rise without overshoot, and the laws use them', () => {
  for (const [regularization, factor] of [
    ['cubic', directionFactor],
    ['modia3d', (v: number, e: number): number => 1 / regularizedLength(v, e)],
  ] as const) {
    const law = make({ ...COULOMB, regularization });
    let last = 0;
    for (let n = 1; n <= 2000; n++) {
      const v = 1e-5 * n;
      const size = v * factor(v, 0.01);
      assert.ok(size >= last - 1e-15 && size <= 1 + 1e-15);
      last = size;
      law.evaluate(columnOf([0, v]), loadedWith(2));
      assert.ok(Math.abs(law.force[1] + size) < 1e-15);
    }
    assert.equal(last, 1);
  }
});

test('the implicit step: solved, inside the cone, never creating energy, 100,000 random drags', () => {
  const random = new Random(21);
  const power = (low: number, high: number): number =>
    10 ** (low + (high - low) * random.uniform());
  for (let n = 0; n < 100_000; n++) {
    const solver = new DragSolver(n % 2 === 0 ? 'cubic' : 'modia3d', power(-6, 0));
    const scale = power(-3, 3);
    const root = Array.from({ length: 9 }, () => random.gaussian());
    const m = solver.mobility;
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++)
        for (let c = 0; c < 3; c++) m[3 * a + b] += scale * root[3 * a + c] * root[3 * b + c];
    const v = solver.target;
    const speed = power(-5, 1);
    for (let a = 0; a < 3; a++) v[a] = speed * random.gaussian();
    const p = solver.parameters;
    p[GAIN] = power(-6, 0);
    p[LIMIT] = random.uniform();
    p[VISCOUS] = n % 3 === 0 ? power(-3, 0) : 0;
    solver.solve();
    const d = [...solver.drag];
    const end = [0, 1, 2].map(
      (a) => v[a] - p[GAIN] * (m[3 * a] * d[0] + m[3 * a + 1] * d[1] + m[3 * a + 2] * d[2]),
    );
    const work = d.reduce((sum, value, a) => sum - 0.5 * p[GAIN] * value * (v[a] + end[a]), 0);
    assert.ok(work <= 0, `${work} J`);
    const size = Math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2);
    assert.ok(size <= (p[LIMIT] + p[VISCOUS] * p[SPEED]) * (1 + 1e-12));
    // the drag at the velocity after the step is the drag applied; the last passes halve what is left near v_eps
    for (let a = 0; a < 3; a++) v[a] = end[a];
    solver.evaluate();
    for (let a = 0; a < 3; a++) assert.ok(Math.abs(solver.drag[a] - d[a]) <= 1e-5 * size);
  }
});

test('the implicit solution becomes the explicit one as the step goes to zero', () => {
  for (const model of [COULOMB, { ...COULOMB, regularization: 'cubic' } as const, STRIBECK]) {
    for (const slip of [
      [1e-4, 2e-4],
      [0.004, -0.003],
      [0.05, -0.02],
      [2, 1],
    ] as const) {
      const explicit = make(model);
      const implicit = make(model);
      explicit.evaluate(columnOf(slip), loadedWith(20));
      implicit.prepare(columnOf(slip), Float64Array.of(1e-10));
      implicit.solve(
        columnOf(slip),
        Float64Array.of(1, 0, 0, 0, 1, 0),
        Float64Array.of(1, 0.2, 2, 1, 1e-10, 20),
      );
      // the difference is of the order h times the fastest rate: 1e-10 × 3 μ f_n W/v_eps = 1e-10 × 6e4 of 10 N
      for (const a of [0, 1]) assert.ok(Math.abs(implicit.force[a] - explicit.force[a]) < 1e-4);
      assert.ok(Math.abs(stickOf(implicit) - stickOf(explicit)) < 1e-4);
    }
  }
});

const STIFFNESS = 1e6;
const GRAVITY = 9.81;

/** A block (locked) or solid ball of 1 kg, radius 0.1 m, at its static depth on a slope that falls along x. */
function slope(
  frictionLaw: FrictionLawModel,
  parts: { tangent?: number; turns?: boolean; speed?: number; integrator?: IntegratorKind },
): SystemModel {
  const angle = Math.atan(parts.tangent ?? 0);
  const load = GRAVITY * Math.cos(angle);
  return system({
    integrator: parts.integrator ?? 'implicit-contact',
    gravity: [GRAVITY * Math.sin(angle), 0, -load],
    bodies: [
      body('body', 'dynamic', {
        rotationLocked: parts.turns !== true,
        inertia: [0.004, 0.004, 0.004, 0, 0, 0],
        position: [0, 0, 0.1 - (load / STIFFNESS) ** (2 / 3)],
        velocity: [parts.speed ?? 0, 0, 0],
      }),
      body('ground', 'fixed'),
    ],
    contacts: [
      contact('body', 'ground', {
        // at rest the damping rate is d/(e v_small) g = 140 1/s, which rk4 resolves
        normalLaw: {
          kind: 'hysteretic',
          stiffness: STIFFNESS,
          exponent: 1.5,
          restitution: 0.5,
          smallVelocity: 0.1,
          relaxationTime: 0,
        },
        frictionLaw,
      }),
    ],
  });
}

function slipOf(run: System): number {
  const out = new Float64Array(40);
  run.readContact(0, out, 0);
  return out[7];
}

/** Slip from the velocities after the step: of the block, or of the foot of the ball. */
function footSpeed(run: System): number {
  const x = new Float64Array(13);
  run.readBody(0, x, 0);
  return x[7] - 0.1 * x[11];
}

test('creep on a slope: closed form to 1e-4 (A8), in the implicit step and the explicit one', () => {
  const table = [
    [0.1, 0.033443936],
    [0.25, 0.085092158],
    [0.5, 0.182268326],
    [0.75, 0.317672196],
    [0.9, 0.463434835],
    [0.99, 0.720504823],
  ] as const;
  for (const [share, want] of table) {
    // the cubic 1.5 r − 0.5 r³ = share has the root 2 cos((arccos(−share) + 4π)/3)
    const cubic = 2 * Math.cos((Math.acos(-share) + 4 * Math.PI) / 3);
    for (const [regularization, speed] of [
      ['modia3d', want],
      ['cubic', cubic],
    ] as const) {
      for (const integrator of ['implicit-contact', 'rk4'] as const) {
        const law = { ...COULOMB, regularization };
        const run = makeSystem(slope(law, { tangent: 0.5 * share, integrator }));
        const dt = integrator === 'rk4' ? 5e-4 : 1e-3;
        for (let t = 0; t < 1; t += dt) assert.equal(run.step(dt), 0);
        const got = slipOf(run) / 0.01;
        assert.ok(Math.abs(got / speed - 1) < 1e-4, `${integrator} ${share}: ${got}, ${speed}`);
      }
    }
  }
});

test('stiff friction at 1 ms: the explicit step chatters, the implicit one comes to rest', () => {
  // 3 μ f_n h/(v_small m_t): block μ 0.7 2.06, ball μ 0.2 2.06 and μ 0.5 5.15 (8.6 mm/s)
  for (const [coulomb, turns, least] of [
    [0.7, false, 5e-4],
    [0.2, true, 5e-4],
    [0.5, true, 8e-3],
  ] as const) {
    const law = { ...COULOMB, coulomb };
    for (const integrator of ['symplectic-euler', 'implicit-contact'] as const) {
      const run = makeSystem(slope(law, { turns, speed: 0.5, integrator }));
      const energy = new Float64Array(8);
      let last = Infinity;
      for (let n = 0; n < 1000; n++) {
        run.step(1e-3);
        run.readEnergy(energy, 0);
        if (integrator === 'implicit-contact') {
          assert.ok(energy[0] <= last * (1 + 1e-14) + 1e-25, `step ${n}`);
          last = energy[0];
        }
      }
      const slip = Math.abs(footSpeed(run));
      if (integrator === 'symplectic-euler') assert.ok(slip > least, `chatter ${slip} m/s`);
      else assert.ok(slip < 1e-9, `rest ${slip} m/s`);
    }
  }
});

test('rough friction and a long step: dissipative whatever the numbers', () => {
  const law = { ...COULOMB, coulomb: 50, velocityTolerance: 1e-9 };
  const model = { ...slope(law, { turns: true, speed: 3 }), maximumSubsteps: 1 };
  const run = makeSystem(model);
  const energy = new Float64Array(8);
  run.readEnergy(energy, 0);
  let last = energy[0];
  for (let n = 0; n < 50; n++) {
    assert.equal(run.step(1e-2), 0);
    run.readEnergy(energy, 0);
    assert.ok(energy[0] <= last * (1 + 1e-13));
    last = energy[0];
  }
  // slide to roll at once: the angular momentum about the foot leaves 5/7 of the speed, so 5/7 of the energy
  assert.ok(Math.abs(energy[0] / ((5 / 7) * 4.5) - 1) < 2e-3, `${energy[0]} J`);
});

test('the falling branch of Stribeck friction: what sticks stays, what slides goes on', () => {
  // 0.4 f_n lies between the floor and the top of the curve: creep below v_eps and sliding are both steady states
  const law: StribeckModel = { ...STRIBECK, viscousDamping: 0.1 };
  const curve = (v: number): number => 0.3 + 0.2 * Math.exp(-((v / 0.1) ** 2)) + 0.1 * v;
  let [low, high] = [0.2, 2]; // on the rising branch
  for (let n = 0; n < 60; n++) {
    const middle = 0.5 * (low + high);
    if (curve(middle) < 0.4) low = middle;
    else high = middle;
  }
  for (const integrator of ['implicit-contact', 'rk4'] as const) {
    const dt = integrator === 'rk4' ? 2e-4 : 1e-3; // 3 μ f_n/v_eps = 1.5e4 1/s
    const stuck = makeSystem(slope(law, { tangent: 0.4, integrator }));
    const slides = makeSystem(slope(law, { tangent: 0.4, integrator, speed: 0.5 }));
    for (let t = 0; t < 8; t += dt) {
      stuck.step(dt);
      slides.step(dt);
    }
    assert.ok(slipOf(stuck) > 0 && slipOf(stuck) < 0.4e-3, `${integrator}: ${slipOf(stuck)} m/s`);
    // eight seconds of a rate 0.1 g cos: exp(−0.73 · 8) of the distance to the steady speed is left
    assert.ok(Math.abs(slipOf(slides) - low) < 5e-3, `${integrator}: ${slipOf(slides)}, ${low}`);
  }
});

test('two contacts, one separating: the other one behaves as if it were alone', () => {
  for (const frictionLaw of [COULOMB, STRIBECK]) {
    const ball = (name: string, x: number, vz: number) =>
      body(name, 'dynamic', {
        inertia: [0.004, 0.004, 0.004, 0, 0, 0],
        position: [x, 0, 0.0999],
        velocity: [0.2, 0, vz],
      });
    const make = (names: readonly string[]): System =>
      makeSystem(
        system({
          gravity: [0, 0, -GRAVITY],
          bodies: [
            ...names.map((name, k) => ball(name, k, name === 'leaves' ? 2 : -0.5)),
            body('ground', 'fixed'),
          ],
          contacts: names.map((name) => contact(name, 'ground', { frictionLaw })),
        }),
      );
    for (const order of [
      ['leaves', 'stays'],
      ['stays', 'leaves'],
    ]) {
      const both = make(order);
      const alone = make(['stays']);
      const a = new Float64Array(40);
      const b = new Float64Array(40);
      for (let n = 0; n < 8; n++) {
        both.step(2e-4);
        alone.step(2e-4);
      }
      both.readContact(both.contactIndex('leaves-ground'), a, 0);
      assert.deepEqual([...a.slice(3, 7)], [0, 0, 0, 0]);
      both.readContact(both.contactIndex('stays-ground'), a, 0);
      alone.readContact(0, b, 0);
      assert.ok(a[0] === 1 && a[4] < -1, `${a[4]} N of friction`);
      for (let c = 0; c < 16; c++)
        assert.ok(Math.abs(a[c] - b[c]) <= 1e-9 * Math.abs(b[c]) + 1e-12);
    }
  }
});

test('a slip that is not a number: step() is 1 and the last good state stays', () => {
  for (const frictionLaw of [COULOMB, STRIBECK]) {
    for (const integrator of ['implicit-contact', 'symplectic-euler', 'rk4'] as const) {
      const run = makeSystem(slope(frictionLaw, { turns: true, speed: 0.5, integrator }));
      for (let n = 0; n < 10; n++) run.step(1e-3);
      run.setExternalWrench(0, Float64Array.of(0, 0, 0, 0, Number.NaN, 0), 0);
      const good = run.hash();
      assert.equal(run.step(1e-3), 1);
      assert.equal(run.hash(), good);
    }
  }
});

test('parameters out of range are refused with field and value', () => {
  const refuse = (frictionLaw: object, words: RegExp): void => {
    const good = slope(COULOMB, {});
    const contacts = [{ ...good.contacts[0], frictionLaw: frictionLaw as FrictionLawModel }];
    assert.throws(() => makeSystem({ ...good, contacts }), { name: 'BerthError', message: words });
  };
  refuse({ ...COULOMB, coulomb: -0.1 }, /frictionLaw\.coulomb >= 0, got -0\.1/);
  refuse({ ...COULOMB, coulomb: Number.NaN }, /frictionLaw\.coulomb >= 0, got NaN/);
  refuse({ ...COULOMB, velocityTolerance: 0 }, /velocityTolerance > 0, got 0/);
  refuse({ ...COULOMB, regularization: 'tanh' }, /cubic, modia3d, got "tanh"/);
  refuse({ ...STRIBECK, stiction: 0.2 }, /stiction >= coulomb \(0\.3\), got 0\.2/);
  refuse({ ...STRIBECK, coulomb: -1 }, /coulomb >= 0, got -1/);
  refuse({ ...STRIBECK, viscousDamping: -1 }, /viscousDamping >= 0, got -1/);
  refuse({ ...STRIBECK, stribeckVelocity: Infinity }, /stribeckVelocity > 0, got Infinity/);
  refuse({ ...STRIBECK, velocityTolerance: 0.02 }, /velocityTolerance in \(0, 0\.01\]/);
  refuse({ ...STRIBECK, regularization: 'none' }, /got "none"/);
});

test('a contact apart reads the same whether it has touched before or not', () => {
  for (const model of [COULOMB, STRIBECK]) {
    const [fresh, used] = [make(model), make(model)];
    const kinematics = new Float64Array(KINEMATICS);
    kinematics[SLIP] = 1e-4;
    used.evaluate(kinematics, new Float64Array(16).fill(1));
    used.end();
    const rows = [fresh, used].map((law) => {
      const row = new Float64Array(CONTACT_READOUT.length);
      law.read(row);
      return row;
    });
    assert.deepEqual(rows[0], rows[1]);
    assert.equal(rows[0][ContactReadout.stick], 0);
  }
});
