/** Friction of motors in the steps of a tree: what sticks stays, energy is never made, long steps and short ones agree. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Tree } from '../../../src/multibody/tree/tree.ts';
import { TreeFriction, treeFrictionStates } from '../../../src/multibody/tree/tree-friction.ts';
import type { TreeModel } from '../../../src/model/tree-model.ts';
import { ARM_FRICTION as LAW, armSystem } from '../../fixtures/arm-models.ts';
import { about, drive, link, makeTree, tree as treeOf } from '../../fixtures/tree-models.ts';

const GEAR = 1e5;
/** Steps in which a torque is put on. */
const RAMP = 20_000;

/** One link of 20 kg m² behind a gear with a rotor of 4 kg m². */
const single: TreeModel = treeOf([
  link('link', -1, {
    joint: { ...about([0, 0, 1], 0, 0, drive(4, GEAR, 100)), friction: LAW } as never,
    inertia: [1, 1, 20, 0, 0, 0],
  }),
]);

function make(model: TreeModel): { tree: Tree; friction: TreeFriction; bristles: Float64Array } {
  const bristles = new Float64Array(treeFrictionStates(model));
  return { tree: makeTree(model), friction: new TreeFriction(model, bristles), bristles };
}

describe('a motor pushed through its gear', () => {
  const push = (torque: number, seconds: number): Tree => {
    const { tree, friction } = make(single);
    const tau = new Float64Array(2);
    const timing = Float64Array.of(1e-3);
    for (let k = 0; k < 1000 * seconds; k++) {
      // put on slowly: a sudden torque swings over, and so past stiction
      tau[0] = torque * Math.min(1, k / RAMP);
      tree.step(tau, timing, friction);
    }
    return tree;
  };

  test('below stiction stands for good: the link gives way by gear and bristles', () => {
    const torque = 0.9 * LAW.stiction;
    const tree = push(torque, 25);
    const wanted = torque / GEAR + torque / LAW.bristleStiffness;
    // while the load grows, at u = 5.6 µrad/s, bristles also stretch by themselves: (u/v_s)² T_C/σ1 for 20 s is 6e-7 of 3.4e-4 rad at most
    const stretched = 2e-3;
    assert.ok(Math.abs(tree.q[0] / wanted - 1) < stretched, `${tree.q[0]} rad, not ${wanted}`);
    const { q } = push(torque, 40);
    assert.ok(Math.abs(q[0] - tree.q[0]) < 1e-12, `it creeps: ${q[0] - tree.q[0]} rad`);
  });

  test('above stiction runs, held back by Coulomb and viscous friction', () => {
    const torque = 60;
    const { u } = push(torque, 30);
    // (I + J) u' = τ − T_C − σ2 u, time constant 24/50 s
    const wanted = (torque - LAW.coulomb) / LAW.viscous;
    assert.ok(Math.abs(u[1] / wanted - 1) < 1e-6, `${u[1]} rad/s, not ${wanted}`);
  });
});

/** An arm of seven joints with flexible gears and links under torques of many frequencies; `each` sees every step. */
function shake(h: number, torque: number, each: (work: number, stored: number) => void): Tree {
  const model = armSystem(2, LAW).tool!.robot!.tree;
  const { tree, friction } = make(model);
  const places = model.links.map((_, i) => tree.driveRate(i));
  const tau = new Float64Array(tree.n);
  const timing = Float64Array.of(h);
  const before = new Float64Array(tree.n);
  const stored = new Float64Array(1);
  for (let k = 0; k < Math.round(2 / h); k++) {
    for (const [j, p] of places.entries()) {
      tau[p] = torque * Math.sin(2 * Math.PI * (0.3 + 0.37 * j) * k * h + j);
    }
    before.set(tree.u);
    tree.step(tau, timing, friction);
    let work = 0;
    for (const [j, p] of places.entries()) {
      work += 0.5 * h * friction.law.torque[j] * (before[p] + tree.u[p]);
    }
    stored[0] = 0;
    friction.law.addStoredEnergy(stored);
    each(work, stored[0]);
  }
  return tree;
}

for (const torque of [15, 60, 300]) {
  test(`under ${torque} N m to and fro the bristles give back no more than they got`, () => {
    let given = 0;
    let least = Infinity;
    shake(1e-3, torque, (work, stored) => {
      given -= work;
      least = Math.min(least, given - stored);
    });
    assert.ok(given > 0.01, `${given} J`);
    assert.ok(least > -1e-12, `${least} J made`);
  });
}

test('steps of 1 ms and of 0.1 ms end alike', () => {
  const [coarse, fine] = [1e-3, 1e-4].map((h) => shake(h, 60, () => undefined).q);
  const most = Math.max(...fine.map(Math.abs));
  // of first order: what changes while a joint turns round is known a step late
  coarse.forEach((q, i) => {
    assert.ok(Math.abs(q - fine[i]) < 1e-3 * most, `${i}: ${q} and ${fine[i]}`);
  });
});
