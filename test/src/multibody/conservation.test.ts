/** Trees that float free keep energy, momentum and angular momentum; the step is of second order and never unstable. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import type { Tree } from '../../../src/multibody/tree/tree.ts';
import { randomTree, drawState } from '../../fixtures/random-tree.ts';
import { freeMotion, largest, maximalTwin, standaloneTree } from '../../fixtures/tree-samples.ts';

const REST = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
] as const;

/** A floating tree in a drawn state with rates up to one. */
function floating(
  random: Random,
  links: number,
  beams: boolean,
  modes: readonly [number, number] = [1, 1],
  stiffening = false,
): Tree {
  const model = randomTree(random, {
    links,
    floating: true,
    beams,
    centrifugalStiffening: stiffening,
  });
  const tree = standaloneTree({
    ...model,
    links: model.links.map((link) =>
      link.beam === undefined ? link : { ...link, beam: { ...link.beam, modes, damping: 0 } },
    ),
  });
  drawState(random, tree.model, tree.q, tree.u);
  for (let k = 0; k < tree.n; k++) tree.u[k] /= 3;
  // deflections of a few per cent of the length
  tree.layout.links.forEach(({ modePosition, modeRate, modes }) => {
    for (let k = 0; k < modes[0] + modes[1]; k++) {
      tree.q[modePosition + k] *= 0.5;
      tree.u[modeRate + k] *= 0.2;
    }
  });
  tree.refresh();
  return tree;
}

function energyOf(tree: Tree): number {
  const energy = new Float64Array(3);
  tree.computeEnergy(energy);
  return energy[0] + energy[1] + energy[2];
}

test('free-floating trees: energy and both momenta stay to 1e-9', () => {
  const random = new Random(41);
  for (let n = 0; n < 4; n++) {
    const tree = floating(random, 2 + n, n % 2 === 1);
    const before = energyOf(tree);
    // momenta by the free bodies, not by the tree
    const [linear, angular] = maximalTwin(tree, REST).momentum();
    const solver = freeMotion(tree, new Float64Array(tree.n));
    for (const t of [0.2, 0.4]) {
      assert.ok(solver.advance(t), 'integrated');
      tree.state.set(solver.values);
      tree.refresh();
      // tolerance 1e-12 a step and a thousand steps
      const off = Math.abs(energyOf(tree) - before) / before;
      assert.ok(off < 1e-9, `tree ${n}: energy off by ${off} after ${t} s`);
      const [p, l] = maximalTwin(tree, REST).momentum();
      const drift = largest(p.map((x, a) => x - linear[a])) / largest(linear);
      const turn = largest(l.map((x, a) => x - angular[a])) / largest(angular);
      assert.ok(drift < 1e-9, `tree ${n}: momentum off by ${drift}`);
      assert.ok(turn < 1e-9, `tree ${n}: angular momentum off by ${turn}`);
    }
  }
});

test('a floating arm of beams that bend in both planes keeps its energy to 1e-8, with centrifugal stiffening too', () => {
  const random = new Random(43);
  for (const stiffening of [false, true]) {
    const tree = floating(random, 3, true, [2, 2], stiffening);
    assert.ok(
      tree.model.links.some(({ beam }) => beam !== undefined),
      'a beam',
    );
    const before = energyOf(tree);
    const solver = freeMotion(tree, new Float64Array(tree.n));
    for (const t of [0.2, 0.4]) {
      assert.ok(solver.advance(t), 'integrated');
      tree.state.set(solver.values);
      tree.refresh();
      const off = Math.abs(energyOf(tree) - before) / before;
      assert.ok(off < 1e-8, `stiffening ${stiffening}: energy off by ${off} after ${t} s`);
    }
  }
});

test('the step is of second order, with beams and drives', () => {
  const random = new Random(47);
  for (let n = 0; n < 4; n++) {
    const drawn = floating(random, 3, n >= 2);
    const model = drawn.model;
    const start = drawn.state.slice();
    const tau = new Float64Array(drawn.n);
    const solver = freeMotion(drawn, tau);
    const end = 0.1;
    assert.ok(solver.advance(end), 'integrated');
    const errors = [100, 200, 400].map((steps) => {
      const tree = standaloneTree(model);
      tree.state.set(start);
      tree.refresh();
      const timing = Float64Array.of(end / steps);
      for (let k = 0; k < steps; k++) tree.step(tau, timing);
      return largest(tree.state.map((x, k) => x - solver.values[k]));
    });
    for (const r of [errors[0] / errors[1], errors[1] / errors[2]]) {
      // four in the limit
      assert.ok(r > 3.2 && r < 5, `tree ${n}: errors ${errors.join(', ')}`);
    }
  }
});
