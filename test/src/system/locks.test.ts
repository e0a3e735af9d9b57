/** Mechanisms of locks in the system: closed forms, order of the methods, energy, momentum, contact, restored states, bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IntegratorKind, LockModel, SystemModel } from '../../../src/model/model.ts';
import { CONSTRAINT_READOUT, makeSystem, type System } from '../../../src/system/system.ts';
import {
  at,
  CRANK,
  chainPendulum,
  crankOfChain,
  crankOfLocks,
  GRAVITY,
  joint,
  pendulum,
  ROD,
  sliderCrank,
} from '../../../server/validation/constraint-models.ts';
import { attitude, draws } from '../../../server/validation/constraint-motion.ts';
import { body, contact, system } from '../../fixtures/models.ts';

const row = new Float64Array(CONSTRAINT_READOUT.length);
const state = new Float64Array(13);
const energy = new Float64Array(7);

function run(model: SystemModel, time: number, each?: (made: System) => void): System {
  const made = makeSystem(model);
  for (let k = Math.round(time / model.step); k > 0; k--) {
    assert.equal(made.step(model.step), 0);
    each?.(made);
  }
  return made;
}

/** Largest balance of the ledger so far, J. */
function balanceOf(made: System): number {
  made.readEnergy(energy, 0);
  return Math.abs(energy[6]);
}

/** Largest gap of all constraints, m or rad. */
function drift(made: System): number {
  let largest = 0;
  for (let k = 0; k < made.constraintCount; k++) {
    made.readConstraint(k, row, 0);
    largest = Math.max(largest, row[6], row[7]);
  }
  return largest;
}

/** y'' = f(y, y') by fourth order in steps that leave 1e-12. */
function solve(
  f: (y: number, v: number) => number,
  start: readonly [number, number],
  time: number,
): readonly [number, number] {
  const n = 4000;
  const h = time / n;
  let [y, v] = start;
  for (let k = 0; k < n; k++) {
    const a = f(y, v);
    const b = f(y + 0.5 * h * v, v + 0.5 * h * a);
    const c = f(y + 0.5 * h * (v + 0.5 * h * a), v + 0.5 * h * b);
    const d = f(y + h * (v + 0.5 * h * b), v + h * c);
    y += h * v + ((h * h) / 6) * (a + b + c);
    v += (h / 6) * (a + 2 * b + 2 * c + d);
  }
  return [y, v];
}

const angleOf = (made: System): number => {
  made.readBody(0, state, 0);
  return Math.atan2(state[0], -state[1]);
};

test('a rod on a hinge swings as the pendulum that it is, with the order of each method; the gaps stay closed', () => {
  const [angle] = solve((y) => (-1.5 * GRAVITY * Math.sin(y)) / ROD.length, [1.2, 0], 0.5);
  const orders: readonly (readonly [IntegratorKind, number])[] = [
    ['implicit-contact', 2],
    ['symplectic-euler', 2],
    ['ode3', 3],
    ['rk4', 4],
  ];
  for (const [integrator, order] of orders) {
    const [coarse, fine] = [4e-3, 2e-3].map((step) => {
      let gap = 0;
      const made = run(pendulum(1.2, { integrator, step }), 0.5, (now) => {
        gap = Math.max(gap, drift(now));
      });
      assert.ok(gap <= 1.1e-12, `${integrator} ${gap}`);
      return Math.abs(angleOf(made) - angle);
    });
    const seen = Math.log2(coarse / fine);
    assert.ok(Math.abs(seen - order) < 0.3, `${integrator}: ${coarse} ${fine}, order ${seen}`);
  }
});

test('the same rod as a chain agrees, and the force of the hinge is m g cos + m w² r along the rod', () => {
  const chain = run(chainPendulum(1.2, { integrator: 'rk4' }), 0.3);
  const lock = run(pendulum(1.2, { integrator: 'rk4' }), 0.3);
  assert.ok(Math.abs(angleOf(chain) - angleOf(lock)) < 1e-9);
  lock.readConstraint(0, row, 0);
  lock.readBody(0, state, 0);
  const angle = angleOf(lock);
  const along = -row[0] * Math.sin(angle) + row[1] * Math.cos(angle);
  const expected = ROD.mass * (GRAVITY * Math.cos(angle) + state[12] ** 2 * 0.5 * ROD.length);
  // speed² = 3 g (cos − cos 1.2)/l: 3 parts of the weight come from energy alone
  const closed = ROD.mass * GRAVITY * (Math.cos(angle) + 1.5 * (Math.cos(angle) - Math.cos(1.2)));
  assert.ok(Math.abs(along - expected) < 1e-6, `${along} ${expected}`);
  assert.ok(Math.abs(along - closed) < 1e-6, `${along} ${closed}`);
});

test('energy of a swing of 20 s by RATTLE stays within the bound of its first second', () => {
  let first = 0;
  let all = 0;
  const made = makeSystem(pendulum(1.2, { step: 4e-3 }));
  for (let k = 0; k < 5000; k++) {
    made.step(4e-3);
    if (k < 250) first = Math.max(first, balanceOf(made));
    all = Math.max(all, balanceOf(made));
  }
  assert.ok(first < 4e-4, `${first} J`); // 5e-5 of m g l
  assert.ok(all < 1.1 * first, `${first} ${all}`);
});

test('a driven slider-crank: place of the slider, moment of the shaft and its work in closed form', () => {
  const rate = 20;
  for (const integrator of ['rk4', 'implicit-contact'] as const) {
    const model = crankOfLocks(0.4, rate, true, { integrator });
    let balance = 0;
    const made = run(model, 0.15, (now) => {
      const { slider } = sliderCrank(0.4 + rate * now.time);
      now.readBody(2, state, 0);
      assert.ok(Math.abs(state[0] - slider) < 2e-12, `${state[0]} ${slider}`);
      balance = Math.max(balance, balanceOf(now));
    });
    const { slope } = sliderCrank(0.4 + rate * made.time);
    made.readConstraint(0, row, 0);
    const exact = integrator === 'rk4';
    // by RATTLE the multiplier of a step is half a step old: h/2 of its rate, 100 N m/s
    assert.ok(Math.abs(row[5] - 0.5 * slope * rate ** 2) < (exact ? 1e-8 : 0.1), `${row[5]}`);
    assert.ok(Math.abs(row[8] - rate * row[5]) < 1e-9);
    assert.ok(balance < (exact ? 1e-6 : 3e-4), `${integrator} ${balance} J`);
  }
});

test('a slider-crank left to itself: free bodies and a chain, closed by locks, with the order of each method', () => {
  const [angle] = solve(
    (y, v) => (-0.5 * sliderCrank(y).slope * v * v) / sliderCrank(y).inertia,
    [0.4, 20],
    0.1,
  );
  const errorOf = (model: SystemModel, index: number): number => {
    const made = run(model, 0.1);
    made.readBody(index, state, 0);
    return Math.abs(Math.sin(Math.atan2(state[1], state[0]) - angle));
  };
  for (const [integrator, least] of [
    ['implicit-contact', 1.7],
    ['rk4', 3],
  ] as const) {
    for (const [make, index] of [
      [(step: number) => crankOfLocks(0.4, 20, false, { integrator, step }), 0],
      [(step: number) => crankOfChain(0.4, 20, { integrator, step }), 1],
    ] as const) {
      const coarse = errorOf(make(2e-3), index);
      const fine = errorOf(make(1e-3), index);
      assert.ok(Math.log2(coarse / fine) > least, `${integrator} ${index}: ${coarse} ${fine}`);
    }
  }
  assert.ok(CRANK.rod > 0);
});

test('two bodies on a ball joint keep momentum and angular momentum', () => {
  const draw = draws(3);
  const bodies = ['a', 'b'].map((name, k) =>
    body(name, 'dynamic', {
      mass: 1 + k,
      inertia: [0.2, 0.3, 0.4, 0, 0, 0],
      position: [k, 0, 0],
      orientation: k === 0 ? [0, 0, 0, 1] : attitude(draw),
      angularVelocity: [1, -2, 1.5],
    }),
  );
  const [x, y, z, w] = bodies[1].orientation;
  const model = system({
    bodies,
    constraints: [
      joint('ball', 'spherical', at('a', [0.5, 0, 0]), {
        body: 'b',
        // the same place, (−0.5, 0, 0) of the world, in the axes of b
        position: [-0.5 * (1 - 2 * (y * y + z * z)), -0.5 * 2 * (x * y - z * w), -(x * z + y * w)],
        orientation: [0, 0, 0, 1],
      }),
    ],
  });
  const momentum = (made: System): number[] => {
    const sum = [0, 0, 0, 0, 0, 0];
    bodies.forEach((own, k) => {
      made.readBody(k, state, 0);
      const p = [0, 1, 2].map((i) => own.mass * state[7 + i]);
      const spin = angular(state, own.inertia);
      for (let i = 0; i < 3; i++) sum[i] += p[i];
      sum[3] += state[1] * p[2] - state[2] * p[1] + spin[0];
      sum[4] += state[2] * p[0] - state[0] * p[2] + spin[1];
      sum[5] += state[0] * p[1] - state[1] * p[0] + spin[2];
    });
    return sum;
  };
  const made = makeSystem(model);
  const start = momentum(made);
  for (let k = 0; k < 1000; k++) made.step(1e-3);
  momentum(made).forEach((value, i) => {
    // positions are closed to 1e-12 m by impulses at levers that differ by as much: 1e3 steps
    assert.ok(Math.abs(value - start[i]) < 1e-8, `${i}: ${value} ${start[i]}`);
  });
});

/** I w in the world of a diagonal inertia. */
function angular(s: Float64Array, inertia: readonly number[]): number[] {
  const [x, y, z, w] = s.slice(3, 7);
  const r = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  const own = [0, 1, 2].map(
    (i) => inertia[i] * r.reduce((sum, line, k) => sum + line[i] * s[10 + k], 0),
  );
  return r.map((line) => line.reduce((sum, value, i) => sum + value * own[i], 0));
}

test('a lever that rests on a plane carries half its weight there, the hinge the other half', () => {
  const model = system({
    gravity: [0, 0, -GRAVITY],
    bodies: [body('lever', 'dynamic', { mass: 2 }), body('floor', 'fixed')],
    constraints: [
      joint(
        'hinge',
        'revolute',
        at('lever', [-0.5, 0, 0]),
        {
          body: null,
          position: [-0.5, 0, 0],
          orientation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], // z of the marker along y of the world
        },
        {
          first: {
            body: 'lever',
            position: [-0.5, 0, 0],
            orientation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
          },
        },
      ),
    ],
    contacts: [
      contact('lever', 'floor', {
        pair: {
          kind: 'sphere-plane',
          radius: 0.1,
          center: [0.5, 0, 0.1],
          normal: [0, 0, 1],
          offset: 0,
        },
      }),
    ],
  });
  const made = run(model, 4);
  const touch = new Float64Array(64);
  made.readContact(0, touch, 0);
  made.readConstraint(0, row, 0);
  made.readBody(0, state, 0);
  const sine = -state[2] / 0.5; // of the tilt by the depth of the contact, 4.6e-4
  const cosine = Math.sqrt(1 - sine * sine);
  // arms about the hinge: half of a metre for the weight; a metre, and the ball 0.1 above the rod, for the contact
  const expected = (2 * GRAVITY * 0.5 * cosine) / (cosine + 0.1 * sine);
  assert.ok(sine > 1e-4 && Math.abs(touch[3] - expected) < 1e-6, `${touch[3]} ${expected}`);
  assert.ok(Math.abs(row[2] + touch[3] - 2 * GRAVITY) < 1e-6, `${row[2]}`);
});

test('a restored state goes on bit by bit', () => {
  for (const integrator of ['implicit-contact', 'rk4'] as const) {
    const made = run(crankOfChain(0.4, 20, { integrator }), 0.02);
    const kept = made.state.slice();
    for (let k = 0; k < 20; k++) made.step(1e-3);
    const hash = made.hash();
    made.restore(kept);
    for (let k = 0; k < 20; k++) made.step(1e-3);
    assert.equal(made.hash(), hash, integrator);
  }
});

test('redundant rows, gaps at the start, led bodies and unknown names are refused by name', () => {
  const refused = (constraints: readonly LockModel[], message: RegExp): void => {
    assert.throws(() => makeSystem({ ...pendulum(0.3), constraints }), message);
  };
  const hinge = (pendulum(0.3).constraints ?? [])[0] as LockModel;
  refused(
    [hinge, { ...hinge, name: 'twin' }],
    /twin: translation x, twin: translation y, twin: translation z, twin: rotation x, twin: rotation y/,
  );
  refused(
    [{ ...hinge, second: at(null, [0.02, 0, 0]) }],
    /within 0\.001 m and rad, got -0\.0200000 m in hinge: translation x/,
  );
  refused(
    [{ ...hinge, first: at('bar', [0, 0, 0]) }],
    /constraint hinge\.first\.body to be one of rod/,
  );
  refused([{ ...hinge, first: at(null, [0, 0, 0]) }], /join two bodies, got the world twice/);
  refused([{ ...hinge, translation: [], rotation: [] }], /constraint hinge to have a row/);
  refused([{ ...hinge, translation: ['x', 'x'] }], /name each axis once/);
  refused(
    [{ ...hinge, rotationMotion: { axis: 'z', law: { kind: 'constant', value: 0 } } }],
    /rotationMotion\.axis to be one of x, y, got "z"/,
  );
  // a tenth of a millimetre is closed by the least way
  const near = makeSystem({
    ...pendulum(0.3),
    constraints: [{ ...hinge, second: at(null, [1e-4, 0, 0]) }],
  });
  assert.ok(drift(near) <= 1e-12);
});
