/**
 * The laws that friction by bristles is compared with: Dahl's stress–strain curve, the steady slip of LuGre on the Stribeck curve, the speed up to
 * which it is passive, its implicit step with its slope, and the drift under a load that vibrates below breakaway, which `bristle` has not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINEMATICS, LOAD, MOBILITY, NORMAL, SLIP, STEP } from '../../../src/contact/pair.ts';
import {
  SLOPE,
  SLOPE_FORCE,
  type FrictionLaw,
} from '../../../src/contact/friction/friction-law.ts';
import { frictionDefinition } from '../../../src/contact/registry.ts';
import {
  type DahlModel,
  type FrictionLawModel,
  type IntegratorKind,
  type LuGreModel,
  makeSystem,
  Random,
} from '../../../src/index.ts';
import { body, contact, INCLINE_BRISTLE, system } from '../../fixtures/models.ts';

const MU = 0.3;
const SIGMA = 1e4;
const DAHL: DahlModel = { kind: 'dahl', coulomb: MU, bristleStiffness: SIGMA };
const LUGRE: LuGreModel = {
  kind: 'lugre',
  stiction: 0.45,
  coulomb: MU,
  bristleStiffness: SIGMA,
  bristleDamping: 3,
  viscousDamping: 0.05,
  stribeckVelocity: 0.1,
};

interface Made {
  readonly law: FrictionLaw;
  readonly k: Float64Array;
  readonly m: Float64Array;
}

/** A law under a load of 1 N, so that its force is the friction over the load. */
function make(model: FrictionLawModel): Made {
  const { states } = frictionDefinition(model).size(model);
  const memory = {
    states: new Float64Array(states),
    rates: new Float64Array(states),
    internals: new Float64Array(0),
  };
  const law = frictionDefinition(model).make(model, memory, { effectiveRadius: 0 });
  law.begin();
  const k = new Float64Array(KINEMATICS);
  k[NORMAL + 2] = 1;
  const m = new Float64Array(MOBILITY);
  m[LOAD] = 1;
  return { law, k, m };
}

/** Moves by `way` along x at a speed in steps of h, by the implicit step; the friction over the load against x at the end. */
function slide({ law, k, m }: Made, way: number, speed: number, h: number): number {
  k[SLIP] = Math.sign(way) * speed;
  const timing = Float64Array.of(h);
  const steps = Math.round(Math.abs(way) / (speed * h));
  for (let n = 0; n < steps; n++) {
    law.prepare(k, timing);
    law.respond(k, m);
    law.advance(timing);
  }
  return -law.force[0];
}

test('Dahl: from rest μ (1 − exp(−σ0 x/μ)), and back from there, by a step of the first order and by RK4', () => {
  const x = MU / SIGMA; // one length of the curve
  const there = MU * (1 - Math.exp(-1));
  const back = MU * (-1 + (1 + there / MU) * Math.exp(-2)); // 2 x back from there
  const errors = [1e-4, 5e-5].map((h) => {
    const one = make(DAHL);
    const first = slide(one, x, 1e-3, h) - there;
    return [first, slide(one, -2 * x, 1e-3, h) - back];
  });
  for (const part of [0, 1]) {
    const ratio = errors[0][part] / errors[1][part];
    assert.ok(Math.abs(ratio - 2) < 0.02, `${ratio}`);
    assert.ok(Math.abs(errors[1][part]) < 1e-3 * MU, `${errors[1][part]}`);
  }
  const run = makeSystem(
    system({
      integrator: 'rk4',
      bodies: [
        body('ball', 'prescribed', { position: [0, 0, 0.0999], velocity: [1e-3, 0, 0] }),
        body('table', 'fixed'),
      ],
      contacts: [contact('ball', 'table', { frictionLaw: DAHL })],
    }),
  );
  const row = new Float64Array(64);
  for (let n = 0; n < 30; n++) assert.equal(run.step(1e-3), 0);
  run.readContact(0, row, 0);
  assert.ok(Math.abs(-row[4] / row[3] - there) < 1e-6, `${-row[4] / row[3]}, ${there}`);
});

test('LuGre in steady sliding is on the Stribeck curve with the viscous part, by both evaluations', () => {
  for (const v of [1e-4, 0.01, 0.05, 0.1, 0.3, 1]) {
    const want = MU + 0.15 * Math.exp(-((v / 0.1) ** 2)) + 0.05 * v;
    const one = make(LUGRE);
    const reached = slide(one, 40 * (0.45 / SIGMA) + 400 * v * 1e-4, v, 1e-4);
    assert.ok(Math.abs(reached - want) < 1e-12, `${v} m/s: ${reached}, ${want}`);
    one.law.evaluate(one.k, one.m);
    assert.ok(Math.abs(-one.law.force[0] - want) < 1e-12, `${v} m/s`);
  }
});

test('a bristle bent by stiction gives more than it got above μ_S²/(σ1 (μ_S − g) − σ2 g), a less bent one never', () => {
  const { law, k, m } = make(LUGRE);
  /** Least power taken less that stored over all bends of the bristle, at a slip v. */
  const least = (v: number, stiction: number): number => {
    let worst = Infinity;
    k[SLIP] = v;
    for (let n = 0; n <= 1000; n++) {
      law.states[0] = (stiction / SIGMA) * (n / 1000);
      law.evaluate(k, m);
      worst = Math.min(worst, -law.force[0] * v - SIGMA * law.states[0] * law.rates[0]);
    }
    return worst;
  };
  const bound = 0.45 ** 2 / (3 * (0.45 - MU) - 0.05 * MU); // there g is μ_C to nine digits
  assert.ok(least(0.999 * bound, 0.45) > 0 && least(1.001 * bound, 0.45) < 0, `${bound} m/s`);
  for (const v of [0.5, 2, 10]) assert.ok(least(v, MU) > 0);
  const damped = make({ ...LUGRE, viscousDamping: (3 * (0.45 - MU)) / MU });
  damped.k[SLIP] = 10;
  damped.law.states[0] = 0.45 / SIGMA;
  damped.law.evaluate(damped.k, damped.m);
  const { states, rates, force } = damped.law;
  assert.ok(-force[0] * 10 - SIGMA * states[0] * rates[0] > 0);
});

test('the slope is the derivative of the implicit drag; the slip of a contact by itself solves it', () => {
  const random = new Random(5);
  const timing = Float64Array.of(1e-3);
  const basis = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  for (const model of [DAHL, LUGRE] as const) {
    for (let draw = 0; draw < 50; draw++) {
      const { law, k, m } = make(model);
      law.states[0] = (2 * random.uniform() - 1) * (MU / SIGMA) * 0.7;
      law.states[1] = (2 * random.uniform() - 1) * (MU / SIGMA) * 0.7;
      const scale = 10 ** (-4 + 4 * random.uniform());
      k[SLIP] = scale * random.gaussian();
      k[SLIP + 1] = scale * random.gaussian();
      law.prepare(k, timing);
      const at = k.slice();
      law.respond(k, m);
      const slope = new Float64Array(SLOPE);
      law.computeSlope(k, slope, false);
      const d = 1e-5 * scale;
      for (const c of [0, 1]) {
        const forces = [1, -1].map((sign) => {
          k.set(at);
          k[SLIP + c] += sign * d;
          law.respond(k, m);
          return law.force.slice();
        });
        for (const a of [0, 1]) {
          const want = -(forces[0][a] - forces[1][a]) / (2 * d);
          const got = slope[SLOPE_FORCE + 3 * a + c];
          assert.ok(
            Math.abs(got - want) < 1e-6 * (Math.abs(want) + 0.01 / scale),
            `${got}, ${want}`,
          );
        }
      }
      // v' + h W φ(v') = v*
      const [waa, wab, wbb] = [2, 0.4, 1];
      m.set([waa, wab, wbb]);
      m[STEP] = 1e-3;
      m[LOAD] = 50;
      k.set(at);
      law.solve(k, basis, m);
      const solved = law.force.slice();
      for (const a of [0, 1])
        k[SLIP + a] =
          at[SLIP + a] +
          1e-3 * [waa * solved[0] + wab * solved[1], wab * solved[0] + wbb * solved[1]][a];
      law.respond(k, m);
      for (const a of [0, 1])
        assert.ok(Math.abs(law.force[a] - solved[a]) < 1e-9 * 50, `${law.force[a]}, ${solved[a]}`);
    }
  }
});

/** Way of a block in 5 cycles under a tangential force of (0.14 ± 0.08) of its weight, 2 Hz: its inertia is 0.2 % of that. */
function drift(
  frictionLaw: FrictionLawModel,
  integrator: IntegratorKind = 'implicit-contact',
): number {
  const run = makeSystem(
    system({
      integrator,
      gravity: [0, 0, -10],
      bodies: [
        body('block', 'dynamic', {
          rotationLocked: true,
          position: [0, 0, 0.1 - (10 / 1e6) ** (2 / 3)],
        }),
        body('table', 'fixed'),
      ],
      contacts: [contact('block', 'table', { frictionLaw })],
    }),
  );
  const wrench = new Float64Array(6);
  const state = new Float64Array(13);
  const steps = 2500;
  const at: number[] = [];
  for (let n = 0; n < 2 * steps; n++) {
    wrench[0] = 10 * (0.14 + 0.08 * Math.sin(2 * Math.PI * 2 * (n + 1) * 1e-3));
    run.setExternalWrench(0, wrench, 0);
    assert.equal(run.step(1e-3), 0);
    if (n === steps - 1) {
      run.readBody(0, state, 0);
      at.push(state[0]);
    }
  }
  run.readBody(0, state, 0);
  return state[0] - at[0];
}

test('under a load that vibrates below breakaway Dahl and LuGre drift, by (μ/σ0) ln((1 − F1²/μ²)/(1 − F2²/μ²)) a cycle; bristle does not', () => {
  // loading dF/dx = σ0 (1 − F/μ), unloading dF/dx = σ0 (1 + F/μ), between F1 and F2 of the load
  const cycle = (MU / SIGMA) * Math.log((1 - (0.06 / MU) ** 2) / (1 - (0.22 / MU) ** 2));
  const dahl = drift(DAHL);
  assert.ok(Math.abs(dahl / (5 * cycle) - 1) < 0.05, `${dahl} m, ${5 * cycle} m`);
  const flat = drift({ ...LUGRE, stiction: MU, viscousDamping: 0 });
  assert.ok(Math.abs(flat / (5 * cycle) - 1) < 0.05, `${flat} m, ${5 * cycle} m`);
  const bristle = drift({
    ...INCLINE_BRISTLE,
    stiction: MU,
    coulomb: MU,
    bristleStiffness: SIGMA,
    bristleDamping: 3,
    startsSticking: true,
  });
  assert.ok(Math.abs(bristle) < 0.01 * dahl, `${bristle} m`);
});
