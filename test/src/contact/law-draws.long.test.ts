/**
 * What holds for every combination of pair, normal law, friction law and rolling law that is not refused: it runs by every integrator, keeps
 * momentum, does not care about the order of the bodies or the frame, and its forces add to zero.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSystem, Random, type System, type SystemModel } from '../../../src/index.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import { cross, difference, fallAll, motions, norm, plus } from '../../fixtures/law-scenes.ts';
import {
  beginContact,
  compatibleCombinations,
  INTEGRATORS,
  randomRotation,
  randomScene,
  rotate,
} from '../../fixtures/samples.ts';

const COMPATIBLE = compatibleCombinations();
const MILD = { integrator: 'implicit-contact', approach: 0.6, gravity: 0 } as const;

test('every compatible combination stays finite while it falls and touches', () => {
  fallAll(COMPATIBLE, 'implicit-contact');
});

for (const integrator of INTEGRATORS) {
  if (integrator === 'implicit-contact') continue;
  test(`every compatible combination stays finite while it falls and touches by ${integrator}`, () => {
    fallAll(COMPATIBLE, integrator);
  });
}

test('momentum and angular momentum survive the implicit step', () => {
  const random = new Random(4);
  for (const combination of COMPATIBLE) {
    const model = randomScene(combination, random, { ...MILD, gap: 1e-4, freeJ: true });
    const run = makeSystem(model);
    const before = momentum(model, run);
    for (let n = 0; n < 40; n++) run.step(2e-4);
    momentum(model, run).forEach((value, a) => {
      // 40 steps of rounding on momenta of the order of 1 kg m/s: 40 × 1e-16, times the condition of w' = I⁻¹ L
      assert.ok(Math.abs(value - before[a]) < 1e-12, `${combination.name} ${a}`);
    });
  }
});

/** Momentum and angular momentum about the world origin. */
function momentum(model: SystemModel, run: System): number[] {
  let sum = [0, 0, 0, 0, 0, 0];
  motions(run).forEach((x, k) => {
    const { mass, inertia } = model.bodies[k];
    const q = x.slice(3, 7);
    const w = rotate([-q[0], -q[1], -q[2], q[3]], x.slice(10, 13));
    const spin = rotate(q, [inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]]);
    const p = x.slice(7, 10).map((value) => mass * value);
    sum = plus(sum, [...p, ...plus(cross(x.slice(0, 3), p), spin)]);
  });
  return sum;
}

test('the order of the bodies does not matter', () => {
  const random = new Random(6);
  const same = (v: readonly number[]): readonly number[] => v;
  let swapped = 0;
  for (const combination of COMPATIBLE) {
    const model = randomScene(combination, random, { ...MILD, gap: 1e-3, freeJ: true });
    const listed: SystemModel = { ...model, bodies: [...model.bodies].reverse() };
    assert.equal(difference(model, listed, same), 0, `${combination.name}: order in the list`);
    const pair = combination.pair.swapped;
    if (pair === undefined) continue;
    swapped++;
    const contacts = model.contacts.map((c) => ({ ...c, bodyI: 'j', bodyJ: 'i', pair }));
    const worst = difference(model, { ...model, contacts }, same);
    assert.ok(worst < 1e-10, `${combination.name}: roles exchanged, ${worst}`);
  }
  assert.ok(swapped > 0);
});

test('action and reaction: forces and moments of both bodies add to zero', () => {
  const random = new Random(3);
  for (const combination of COMPATIBLE) {
    for (let repeat = 0; repeat < 5; repeat++) {
      const model = randomScene(combination, random, { ...MILD, gap: -1e-3, freeJ: true });
      const dynamics = new Dynamics(model);
      const contact = beginContact(dynamics, -0.6);
      const z = contact.friction.states;
      for (let a = 0; a < z.length; a++) z[a] = 4e-6 * random.uniform();
      dynamics.computeRates();
      const [i, j] = dynamics.bodies;
      const force = [...i.wrench.slice(0, 3)];
      const scale = norm(force);
      // 1 mm deep: 1e6 N/m^1.5 give 30 N; 1e7 N/m³ at the sharpest corner, that of a box, 1e7 × 0.87e-9 N
      const least = combination.pair.cells === undefined ? 0.1 : 5e-3;
      assert.ok(scale > least, `${combination.name}: ${scale} N`);
      assert.ok(norm(plus(force, [...j.wrench.slice(0, 3)])) <= 1e-12 * scale);
      const moment = (b: typeof i): number[] =>
        plus(cross([...b.state.slice(0, 3)], [...b.wrench.slice(0, 3)]), [...b.wrench.slice(3, 6)]);
      // poses are of the order of 1 m, so the moments are of the order of the force
      const rest = norm(plus(moment(i), moment(j)));
      assert.ok(rest <= 1e-12 * scale, `${combination.name}: ${rest} N m of ${scale} N`);
    }
  }
});

test('the result does not depend on the frame', () => {
  const random = new Random(5);
  for (const combination of COMPATIBLE) {
    const model = randomScene(combination, random, {
      ...MILD,
      gap: 1e-3,
      freeJ: true,
      gravity: 9.81,
    });
    const q = randomRotation(random);
    const shift = [random.uniform(), random.uniform(), random.uniform()];
    const map = (v: readonly number[], isPoint: boolean): readonly number[] =>
      isPoint ? plus(rotate(q, v), shift) : rotate(q, v);
    const triple = (v: readonly number[]): [number, number, number] => [v[0], v[1], v[2]];
    const moved: SystemModel = {
      ...model,
      gravity: triple(rotate(q, model.gravity)),
      bodies: model.bodies.map((b) => ({
        ...b,
        position: triple(map(b.position, true)),
        orientation: product(q, b.orientation),
        velocity: triple(rotate(q, b.velocity)),
        angularVelocity: triple(rotate(q, b.angularVelocity)),
      })),
    };
    // rounding of 1e-16 m in a gap of 1e-3 m, carried through an impact of 1 m/s; w up to 10 rad/s
    const worst = difference(model, moved, map);
    assert.ok(worst < 1e-9, `${combination.name}: ${worst}`);
  }
});

function product(a: readonly number[], b: readonly number[]): [number, number, number, number] {
  const [x, y, z, w] = a;
  const [s, t, u, v] = b;
  return [
    w * s + x * v + y * u - z * t,
    w * t - x * u + y * v + z * s,
    w * u + x * t - y * s + z * v,
    w * v - x * s - y * t - z * u,
  ];
}
