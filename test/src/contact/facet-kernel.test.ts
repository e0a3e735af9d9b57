/** The kernels of two bodies of facets, along their front and over their contacts, give the bits of the reference modules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { placeBoth, poseOf, treeOf } from '../../../server/validation/faceted-bodies.ts';
import { FacetKernel } from '../../../src/contact/faceted/facet-kernel.ts';
import { KINEMATICS } from '../../../src/contact/pair.ts';
import { FacetedPair } from '../../../src/contact/faceted/faceted-pair.ts';
import { Random } from '../../../src/math/random.ts';
import { FacetQuery } from '../../../src/proximity/facet-query.ts';
import { rotationOf } from '../../../src/math/quaternion.ts';
import type { FacetedPairModel, SystemModel } from '../../../src/index.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  makeSystem,
  type System,
} from '../../../src/system/system.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import { ringOnCone } from '../../fixtures/faceted-contact-models.ts';
import { boxSurface, frustumSurface, torusSurface } from '../../../src/shapes/faceted-shapes.ts';

const kernels = contactKernels();
const LIMIT = Float64Array.of(0.004);
const PAIRS = 200;
const ROOM = { capacity: PAIRS, room: 8, slots: 16, drops: true };

/** Numbers of a contact in each column. */
const WIDTHS = [
  ['points', 3],
  ['places', 3],
  ['normals', 3],
  ['rows', 6],
  ['depths', 1],
  ['sizes', 1],
  ['shares', 1],
  ['keysI', 1],
  ['keysJ', 1],
] as const;

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
    const { query } = new FacetKernel(kernels, ...trees, ROOM, LIMIT);
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

for (const duplicates of ['drop', 'keep', 'area'] as const)
  test(`contacts with ${duplicates}, and a step with their forces: bit for bit, also without room for all`, () => {
    assert.ok(kernels !== null);
    const base = ringOnCone('coulomb', 'drop');
    const [contact] = base.contacts;
    assert.ok(contact.pair.kind === 'faceted');
    for (const maximumPairs of [512, 20]) {
      const pair: FacetedPairModel = { ...contact.pair, duplicates, maximumPairs };
      const model: SystemModel = { ...base, contacts: [{ ...contact, pair }] };
      const [i, j] = new Dynamics(model).parts;
      const reference = new FacetedPair(pair);
      const followed = new FacetedPair(pair);
      followed.follow(kernels);
      const columns = [reference, followed].map(() => new Float64Array(KINEMATICS));
      const random = new Random(5);
      let most = 0;
      let refused = 0;
      for (let n = 0; n < 40; n++) {
        for (const [a, middle] of [0, 0, 0.0925].entries())
          i.state[a] = middle + 2e-3 * (2 * random.uniform() - 1);
        const q = [0, 1, 2].map(() => 0.02 * (2 * random.uniform() - 1));
        i.state.set([...q, Math.sqrt(1 - q.reduce((sum, x) => sum + x * x, 0))], 3);
        rotationOf(i.rotation, i.state, 3);
        reference.compute(i, j, columns[0]);
        followed.compute(i, j, columns[1]);
        assert.deepEqual(columns[1], columns[0]);
        assert.equal(followed.count, reference.count);
        assert.equal(followed.refused, reference.refused);
        assert.equal(followed.penetrates, reference.penetrates);
        for (const [name, width] of WIDTHS) {
          const end = width * reference.count;
          assert.deepEqual(followed[name].subarray(0, end), reference[name].subarray(0, end), name);
        }
        most = Math.max(most, reference.count);
        refused += reference.refused;
      }
      assert.ok(most >= 20, `${most} contacts`);
      assert.equal(refused > 0, maximumPairs === 20, `${refused} refused`);
      const runs: readonly System[] = [makeSystem(model), makeSystem(model, kernels)];
      for (const run of runs) for (let n = 0; n < 60; n++) run.step(1e-3);
      const readout = new Float64Array(CONTACT_READOUT.length);
      runs[0].readContact(0, readout, 0);
      assert.equal(readout[ContactReadout.active], 1);
      assert.equal(runs[1].hash(), runs[0].hash());
    }
  });
