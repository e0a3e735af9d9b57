/** An elastic face at a link of a tree: a floating tree of one link is a body, in whole steps and in parts, with friction, against a free table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EnergyReadout } from '../../../src/system/energy-ledger.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';
import { type ElasticScene, elasticScene, onTree } from '../../fixtures/elastic-scenes.ts';
import { momentumOf } from '../../fixtures/system-momentum.ts';

const H = 1e-3;
const STIFF = {
  kind: 'half-space',
  youngs_modulus_N_per_m2: 4e9,
  poisson_ratio: 0.3,
  size_m: [0.02, 0.02],
  points: [4, 4],
};
const OBLIQUE: ElasticScene = {
  height: 1.3e-5,
  velocity: [0.02, 0, -0.05],
  aside: [0.01, 0.004],
  turns: true,
  substeps: 300,
};
const FRICTION = { kind: 'coulomb', stiction: 0.3, coulomb: 0.2 };
const body = new Float64Array(13);
const energy = new Float64Array(7);

const stateOf = (run: System): Float64Array => (
  run.readBody(run.bodyIndex('block'), body, 0), body.slice()
);

test('a link moves as a body does, soft and stiff, with friction, against a table that is free', () => {
  for (const [scene, parts] of [
    [{ ...OBLIQUE, friction: FRICTION }, 1],
    [{ ...OBLIQUE, friction: FRICTION, compliance: STIFF }, 20],
    [{ ...OBLIQUE, compliance: STIFF, table: 5 }, 20],
  ] as const) {
    const model = elasticScene(scene);
    const runs = [model, onTree(model)].map((one) => makeSystem(one));
    let most = 0;
    for (let k = 0; k < 20; k++) {
      for (const run of runs) {
        assert.equal(run.step(H), 0);
        most = Math.max(most, run.substeps);
      }
    }
    assert.ok(most >= parts, `${most} parts`);
    const [own, link] = runs.map(stateOf);
    assert.ok(own[9] > 0.01, 'it came off');
    for (let e = 0; e < 13; e++) {
      assert.ok(Math.abs(own[e] - link[e]) < 1e-9, `${e}: ${own[e]} and ${link[e]}`);
    }
    for (const run of runs) {
      run.readEnergy(energy, 0);
      assert.ok(Math.abs(energy[EnergyReadout.balance]) < 1e-9 * 0.5 * 2 * 0.05 ** 2);
    }
  }
});

test('a link and a free table keep their momenta', () => {
  const model = elasticScene({ ...OBLIQUE, compliance: STIFF, table: 5 });
  const run = makeSystem(onTree(model));
  const before = momentumOf(run).slice(0, 3);
  for (let k = 0; k < 20; k++) assert.equal(run.step(H), 0);
  for (const [k, value] of momentumOf(run).slice(0, 3).entries()) {
    assert.ok(Math.abs(value - before[k]) < 1e-14, `${k}: ${value} of ${before[k]}`);
  }
});

/** Heights of bounces in flight; a tree has its rates at its poses there. */
function topsOf(scene: ElasticScene, height: number, steps: number): number[] {
  const run = makeSystem(onTree(elasticScene({ ...scene, height, gravity: 9.81, turns: true })));
  const readout = new Float64Array(64);
  const tops: number[] = [];
  let touched = true;
  for (let k = 0; k < steps; k++) {
    assert.equal(run.step(H), 0);
    run.readContact(0, readout, 0);
    const state = stateOf(run);
    const z = state[2] - 0.05;
    if (z < 0.5 * height) touched = true;
    else if (touched) {
      tops.push(z + (0.5 * state[9] * state[9]) / 9.81);
      touched = false;
    }
  }
  return tops;
}

test('a link that bounces keeps its height, in parts of a step and in whole ones', () => {
  for (const [compliance, height, steps, count] of [
    [STIFF, 2e-4, 300, 20],
    [{ ...STIFF, youngs_modulus_N_per_m2: 2e6 }, 2e-3, 500, 7],
  ] as const) {
    const tops = topsOf({ compliance, substeps: 300 }, height, steps);
    assert.ok(tops.length > count, `${tops.length} tops`);
    for (const top of tops) assert.ok(Math.abs(top / height - 1) < 0.01, tops.join(' '));
  }
});
