/** A state that is not finite ends a step with 1: NaN in every value of the state, and NaN and ∞ in the motion of a prescribed body. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSystem, Random, type System, type SystemModel } from '../../../src/index.ts';
import { compatibleCombinations, INTEGRATORS, randomScene } from '../../fixtures/samples.ts';

const COMPATIBLE = compatibleCombinations();

const RANDOM = new Random(11);
const SCENE = { integrator: 'implicit-contact', approach: 0.5, gravity: 9.81 } as const;

test('a prescribed body at a pose or a speed of NaN or ∞: step() is 1, and after a restore all is as if nothing had been', () => {
  for (const combination of COMPATIBLE) {
    const scene = randomScene(combination, RANDOM, { ...SCENE, gap: 1e-4, freeJ: false });
    const model: SystemModel = {
      ...scene,
      bodies: scene.bodies.map((b) => (b.name === 'j' ? { ...b, motion: 'prescribed' } : b)),
    };
    const run = makeSystem(model);
    const same = makeSystem(model);
    go(run, 5);
    go(same, 10);
    const good = new Float64Array(run.state.length);
    run.snapshot(good);
    const motion = new Float64Array(13);
    for (const value of [NaN, Infinity]) {
      for (let a = 0; a < 13; a++) {
        run.readBody(1, motion, 0);
        motion[a] = value;
        run.setBodyMotion(1, motion, 0);
        assert.equal(run.step(2e-4), 1, `${combination.name}: ${value} in ${a}`);
        run.restore(good);
      }
    }
    go(run, 5);
    assert.equal(run.hash(), same.hash(), combination.name);
  }
});

test('NaN anywhere in a restored state: step() is 1, or the step has replaced it', () => {
  const kinds = new Set<string>();
  for (const combination of COMPATIBLE) {
    const { normalLaw, frictionLaw } = combination;
    const key = `${normalLaw.kind} ${frictionLaw.kind}`;
    if (kinds.has(key)) continue;
    kinds.add(key);
    for (const integrator of INTEGRATORS) {
      // the others differ from rk4 by their tableau, from each other by what happens after a rejection
      if (integrator === 'ode3' || integrator === 'ode5' || integrator === 'rosenbrock') continue;
      const scene = randomScene(combination, RANDOM, {
        ...SCENE,
        integrator,
        gap: 1e-4,
        freeJ: true,
      });
      const run = makeSystem(scene);
      go(run, 5);
      const good = new Float64Array(run.state.length);
      run.snapshot(good);
      assert.ok(good.every(Number.isFinite));
      let stopped = 0;
      for (let i = 0; i < good.length; i++) {
        const bad = good.slice();
        bad[i] = NaN;
        run.restore(bad);
        if (run.step(2e-4) === 1) stopped++;
        else assert.ok(run.state.every(Number.isFinite), `${key}, ${integrator}: value ${i}`);
        run.restore(good);
      }
      assert.ok(stopped >= 2 * 13, `${key}, ${integrator}: ${stopped} stopped`);
    }
  }
  assert.ok(kinds.size >= 20);
});

function go(run: System, count: number): void {
  for (let n = 0; n < count; n++) assert.equal(run.step(2e-4), 0);
}
