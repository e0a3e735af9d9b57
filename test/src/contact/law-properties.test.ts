/**
 * What holds for every combination of pair, normal law, friction law and rolling law: it runs or is refused for a named reason, keeps
 * momentum, and does not care about the order of the bodies. The combinations come from the registry (samples.ts).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSystem, Random, type System, type SystemModel } from '../../../src/index.ts';
import { cross, difference, fallAll, motions, plus } from '../../fixtures/law-scenes.ts';
import {
  type Combination,
  combinations,
  kindsWithoutSample,
  randomScene,
  rotate,
} from '../../fixtures/samples.ts';

const ALL = combinations();
const COMPATIBLE = ALL.filter((combination) => combination.missing.length === 0);
const MILD = { integrator: 'implicit-contact', approach: 0.6, gravity: 0 } as const;

test('every registered kind has a sample', () => {
  assert.deepEqual(kindsWithoutSample(), []);
});

// the default; the other integrators: law-draws.long.test.ts
test('every compatible combination stays finite while it falls and touches', () => {
  fallAll(COMPATIBLE, 'implicit-contact');
});

test('every incompatible combination is refused with what is missing', () => {
  const random = new Random(2);
  const scene = { ...MILD, gap: 1e-3, freeJ: false };
  for (const combination of ALL) {
    if (combination.missing.length === 0) continue;
    assert.throws(
      () => makeSystem(randomScene(combination, random, scene)),
      (error: Error) => {
        assert.equal((error as Error & { code: string }).code, 'BERTH_MISMATCH');
        assert.ok(error.message.includes(`needs ${combination.missing[0]}`), error.message);
        assert.ok(error.message.includes(`"${combination.pair.model.kind}"`), error.message);
        return true;
      },
    );
  }
});

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

test('there are combinations of both sorts to speak of', () => {
  const kinds = new Set(COMPATIBLE.map((c: Combination) => c.pair.model.kind));
  assert.ok(COMPATIBLE.length >= 100 && kinds.size >= 5);
  assert.ok(ALL.some((combination) => combination.missing.length > 0));
});
