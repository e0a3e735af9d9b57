/** A thousand random trees against free bodies under constraints. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { drawnTree, largest, maximalTwin } from '../../fixtures/tree-samples.ts';
import { anyTree } from './any-tree.ts';

test('a thousand random trees accelerate as free bodies under constraints do', () => {
  // Both answers are exact but for the condition number of M times rounding: masses over three decades, lengths and radii of gyration
  // over one give up to 1e6, 1e-10 of the largest acceleration; the constraints are solved with refinement and add nothing
  const random = new Random(101);
  let worst = 0;
  const kinds = new Set<string>();
  for (let n = 0; n < 1000; n++) {
    const { tree, loads } = drawnTree(random, anyTree(random));
    tree.model.links.forEach(({ joint }) => kinds.add(joint.kind));
    const got = new Float64Array(tree.n);
    tree.forwardDynamics(Float64Array.from(loads.tau), got);
    const want = maximalTwin(tree, loads.base).accelerations(loads);
    const size = largest(want);
    if (tree.n === 0) continue;
    const off = largest(got.map((a, k) => a - want[k])) / size;
    worst = Math.max(worst, off);
    assert.ok(off < 1e-9, `tree ${n}: off by ${off} of ${size}`);
    tree.articulatedBody(Float64Array.from(loads.tau), got);
    const apart = largest(got.map((a, k) => a - want[k])) / size;
    assert.ok(apart < 1e-9, `tree ${n}, articulated bodies: off by ${apart} of ${size}`);
  }
  assert.equal(kinds.size, 5, 'every kind of joint');
  assert.ok(worst > 0, 'two methods, not one');
});
