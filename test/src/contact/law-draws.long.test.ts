/**
 * What holds for every combination of pair and laws, as in law-properties.test.ts, where it takes many draws: the other integrators, action
 * and reaction at random instants, and rotated frames.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random, type SystemModel } from '../../../src/index.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import { cross, difference, fallAll, norm, plus } from '../../fixtures/law-scenes.ts';
import {
  beginContact,
  combinations,
  INTEGRATORS,
  randomRotation,
  randomScene,
  rotate,
} from '../../fixtures/samples.ts';

const COMPATIBLE = combinations().filter((combination) => combination.missing.length === 0);
const MILD = { integrator: 'implicit-contact', approach: 0.6, gravity: 0 } as const;

for (const integrator of INTEGRATORS) {
  if (integrator === 'implicit-contact') continue;
  test(`every compatible combination stays finite while it falls and touches by ${integrator}`, () => {
    // docs/theory/faceted.md, Limits: a step of this method may take minutes there
    const own = COMPATIBLE.filter(({ pair }) => pair.model.kind !== 'faceted');
    fallAll(integrator === 'rosenbrock' ? own : COMPATIBLE, integrator);
  });
}

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
