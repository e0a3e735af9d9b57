/** The kernel that goes along the front of two bodies of facets gives the bits of the reference modules, with every kind of witness. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { placeBoth, poseOf, treeOf } from '../../../server/validation/faceted-bodies.ts';
import { kernelQuery } from '../../../src/contact/faceted/facet-kernel.ts';
import { Random } from '../../../src/math/random.ts';
import { FacetQuery } from '../../../src/proximity/facet-query.ts';
import { boxSurface, frustumSurface, torusSurface } from '../../../src/shapes/faceted-shapes.ts';

const kernels = contactKernels();
const LIMIT = Float64Array.of(0.004);
const PAIRS = 200;

test('pairs of two bodies on 600 poses of a slow way: bit for bit, also without room for all', () => {
  assert.ok(kernels !== null, 'the kernels are built');
  const random = new Random(9);
  const ring = torusSurface(0.05, 0.018, 24, 12);
  const cone = frustumSurface(0.045, 0.015, 0.18, 16);
  const box = boxSurface([0.06, 0.05, 0.04]);
  const kinds = new Set<number>();
  let walked = 0;
  let refused = 0;
  for (const [a, b, height] of [
    [ring, cone, 0.0895],
    [cone, ring, -0.0895],
    [box, box, 0.0415],
    [box, frustumSurface(0.03, 0.03, 0.05, 7), 0.0715],
  ] as const) {
    const trees = [treeOf(a), treeOf(b)] as const;
    const reference = new FacetQuery(...trees, PAIRS);
    const query = kernelQuery(kernels, ...trees, PAIRS);
    const walk = query.walk!;
    query.walk = (from) => {
      const end = walk(from);
      walked += end - from;
      return end;
    };
    const turn: [number, number, number] = [0, 0, 0];
    const drift = (x: number, step: number): number => x + step * (2 * random.uniform() - 1);
    for (let n = 0; n < 150; n++) {
      // now and then the way goes on elsewhere
      for (let c = 0; c < 3; c++) turn[c] = n % 25 === 0 ? drift(0, 0.6) : drift(turn[c], 3e-3);
      const lift = n % 25 < 5 ? 0 : 1e-4 * n;
      const pose = poseOf([drift(0, 2e-4), drift(0, 2e-4), height + lift], turn);
      for (const each of [reference, query]) {
        placeBoth(each, pose, poseOf([0, 0, 0]));
        each.collect(LIMIT);
      }
      const { count } = reference;
      assert.equal(query.count, count, `pose ${n}`);
      assert.equal(query.refused, reference.refused);
      assert.equal(query.examined, reference.examined);
      refused += query.refused;
      for (const name of ['facetsA', 'facetsB', 'featuresA', 'featuresB', 'distances'] as const)
        assert.deepEqual(query[name].subarray(0, count), reference[name].subarray(0, count), name);
      for (const name of ['pointsA', 'pointsB', 'directions'] as const)
        assert.deepEqual(
          query[name].subarray(0, 3 * count),
          reference[name].subarray(0, 3 * count),
        );
      const { front } = query;
      for (const name of ['budgets', 'guesses'] as const)
        assert.deepEqual(
          front[name].subarray(0, front.count),
          reference.front[name].subarray(0, front.count),
        );
      for (let e = 0; e < front.count; e++)
        if (front.guesses[e] >= 0) kinds.add(front.guesses[e] & 7);
    }
  }
  assert.equal(kinds.size, 6, `kinds of witness ${[...kinds].join(', ')}`);
  assert.ok(walked > 10_000 && refused > 0, `${walked} entries by the kernel, ${refused} refused`);
});
