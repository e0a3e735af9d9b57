/** The independent account of trees, by free bodies and constraints, agrees with serial chains whose universal joints have two axes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { randomChain, StandaloneChain } from '../../fixtures/chains.ts';
import { chainAsTree, withCrosses } from '../../fixtures/chain-as-tree.ts';
import { MaximalTree } from '../../fixtures/maximal-dynamics.ts';
import { triple } from '../../fixtures/random-tree.ts';

const none = [0, 0, 0] as const;

test('chains with universal joints accelerate the same by constraints on free bodies', () => {
  const random = new Random(21);
  for (let n = 0; n < 100; n++) {
    const model = randomChain(random);
    const chain = new StandaloneChain(model);
    const wrenches = model.links.map(() => [...triple(random), ...triple(random)]);
    chain.parts.forEach((link, i) => {
      link.wrench.set(wrenches[i]);
    });
    chain.computeDerivative();
    const tree = withCrosses(chainAsTree(model));
    const bodies = new MaximalTree(tree, [...chain.q], [...chain.u], [none, none, none, none]);
    let k = 0;
    const loads = tree.links.map((link, i) => {
      if (link.mass === 0) return [...none, ...none];
      const [fx, fy, fz, mx, my, mz] = wrenches[k++];
      // the chain takes moments about centres, the tree about origins
      const { origin, center } = bodies.bodies[i];
      const [x, y, z] = center.map((c, a) => c - origin[a]);
      return [fx, fy, fz, mx + y * fz - z * fy, my + z * fx - x * fz, mz + x * fy - y * fx];
    });
    const got = bodies.accelerations({
      gravity: none,
      wrenches: loads,
      tau: [...chain.u].map(() => 0),
      base: [none, none, none, none],
    });
    let size = 0;
    chain.acceleration.forEach((a) => (size = Math.max(size, Math.abs(a))));
    // M of these chains has condition numbers up to 1e4: 1e4 roundings of the largest acceleration
    got.forEach((a, i) => {
      const off = Math.abs(a - chain.acceleration[i]);
      assert.ok(off < 1e-11 * size, `chain ${n}, rate ${i}: off by ${off} of ${size}`);
    });
  }
});
