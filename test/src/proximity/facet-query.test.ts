/** Facets of two bodies: tie rule, coherence, poses with known pairs. Against brute force: facet-draws.long.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { FacetQuery, PoseClass } from '../../../src/proximity/facet-query.ts';
import { DISTANCE } from '../../../src/proximity/witness-slots.ts';
import {
  boxSurface,
  frustumSurface,
  placedSurface,
  torusSurface,
} from '../../../src/shapes/faceted-shapes.ts';
import {
  placeBoth,
  placedPolygons,
  poseOf,
  randomPose,
  treeOf,
} from '../../../server/validation/faceted-bodies.ts';

const ORIGIN = poseOf([0, 0, 0]);
const cell = (value: number): Float64Array => Float64Array.of(value);

test('a query after four hundred motions, small and large, gives the bits of a query without memory', () => {
  const random = new Random(73);
  const a = torusSurface(0.05, 0.018, 24, 12);
  const b = frustumSurface(0.045, 0.015, 0.18, 16);
  const trees = [treeOf(a), treeOf(b)] as const;
  const kept = new FacetQuery(...trees, 4096);
  let looked = 0;
  let afresh = 0;
  for (let n = 0; n < 400; n++) {
    const swing = Math.sin(n / 40);
    const pose = poseOf([0.001 * swing, 0, 0.09 - 0.004 * swing], [0.02 * swing, 0, 0.01 * n]);
    const jump = n % 57 === 0 ? randomPose(random, 0.1) : pose;
    placeBoth(kept, jump, ORIGIN);
    kept.collect(cell(0.002));
    const fresh = new FacetQuery(...trees, 4096);
    placeBoth(fresh, jump, ORIGIN);
    fresh.collect(cell(0.002));
    assert.equal(kept.count, fresh.count);
    const { count } = fresh;
    for (const name of ['facetsA', 'facetsB', 'featuresA', 'featuresB', 'distances'] as const)
      assert.deepEqual(kept[name].subarray(0, count), fresh[name].subarray(0, count));
    for (const name of ['pointsA', 'pointsB', 'directions'] as const)
      assert.deepEqual(kept[name].subarray(0, 3 * count), fresh[name].subarray(0, 3 * count));
    looked += kept.examined;
    afresh += fresh.examined;
  }
  assert.ok(looked < 0.5 * afresh, `${looked} of ${afresh} pairs of nodes`);
});

test('a query that goes on gives the bits of a new one beside ties: flat on a face or an edge but for angles and steps of any size', () => {
  const random = new Random(74);
  const cube = boxSurface([0.1, 0.1, 0.1]);
  const other = boxSurface([0.08, 0.12, 0.1]);
  const prism = frustumSurface(0.05, 0.05, 0.1, 5);
  let guessed = 0;
  for (const [a, b] of [
    [cube, other],
    [prism, cube],
    [prism, prism],
  ]) {
    const trees = [treeOf(a), treeOf(b)] as const;
    const kept = new FacetQuery(...trees, 256);
    for (let n = 0; n < 700; n++) {
      const size = 10 ** (-13 + 12 * random.uniform());
      const small = (): number => size * (2 * random.uniform() - 1);
      const upright = n % 3 === 0 ? Math.PI / 4 : 0;
      const lift = n % 3 === 0 ? 0.121 : 0.101;
      const pose = poseOf(
        [0.02 + small(), small(), lift + 0.1 * small()],
        n % 2 === 0 ? [upright + small(), small(), small()] : [0, upright + small(), small()],
      );
      placeBoth(kept, pose, ORIGIN);
      kept.collect(cell(0.03));
      const fresh = new FacetQuery(...trees, 256);
      placeBoth(fresh, pose, ORIGIN);
      fresh.collect(cell(0.03));
      assert.equal(kept.count, fresh.count, `pose ${n}`);
      for (const name of ['featuresA', 'featuresB', 'distances'] as const)
        assert.deepEqual(kept[name].subarray(0, fresh.count), fresh[name].subarray(0, fresh.count));
      for (const name of ['pointsA', 'pointsB', 'directions'] as const)
        assert.deepEqual(
          kept[name].subarray(0, 3 * fresh.count),
          fresh[name].subarray(0, 3 * fresh.count),
        );
      guessed += fresh.count;
    }
  }
  assert.ok(guessed > 10_000, `${guessed} pairs`);
});

test('the nearest pair by the front of the pose before has the bits of a search from the roots: fall, contact, jumps, ties, no room', () => {
  const random = new Random(75);
  const ring = torusSurface(0.05, 0.018, 24, 12);
  const cone = frustumSurface(0.045, 0.015, 0.18, 16);
  const cube = boxSurface([0.1, 0.1, 0.1]);
  for (const [a, b, low, capacity] of [
    [ring, cone, 0.0885, 4096],
    [cone, ring, -0.0885, 4096],
    [cube, cube, 0.101, 64],
    [ring, cone, 0.0885, 2], // more pairs are as near as that of the pose before
  ] as const) {
    const trees = [treeOf(a), treeOf(b)] as const;
    const kept = new FacetQuery(...trees, capacity);
    let looked = 0;
    let afresh = 0;
    let touching = 0;
    for (let n = 0; n < 140; n++) {
      const lift = 0.012 * (1 - Math.cos(n / 12)) * Math.sign(low);
      const way = poseOf(
        [1e-3 * Math.sin(n / 9), 0, low + lift],
        [0, 0, b === cube ? 0 : 1e-3 * n],
      );
      const pose = n % 57 === 56 ? randomPose(random, 0.2) : way;
      placeBoth(kept, pose, ORIGIN);
      const count = kept.collect(cell(2e-3));
      const pushed = kept.refused;
      const first = kept.distances[0];
      kept.followNearest();
      assert.deepEqual([kept.count, kept.refused], [count, pushed], `pose ${n}`);
      if (count > 0) assert.equal(kept.distances[0], first);
      const fresh = new FacetQuery(...trees, 1);
      placeBoth(fresh, pose, ORIGIN);
      fresh.findNearest();
      assert.deepEqual(kept.nearest, fresh.nearest, `pose ${n}`);
      assert.deepEqual(kept.nearestFacets, fresh.nearestFacets);
      assert.deepEqual(kept.nearestFeatures, fresh.nearestFeatures);
      if (count > 0) touching++;
      else {
        looked += kept.examined;
        afresh += fresh.examined;
      }
    }
    assert.ok(touching > 8 && touching < 110, `${touching} poses with contact`);
    if (capacity > 2) assert.ok(looked < 0.5 * afresh, `${looked} of ${afresh} pairs of nodes`);
  }
});

/** The table of cube poses: pairs, and pairs that differ in their features. */
function cubePose(turn: readonly [number, number, number]): { pairs: number; distinct: number } {
  const cube = boxSurface([0.1, 0.1, 0.1]);
  const plane = {
    vertices: [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0],
    polygons: [[0, 1, 2, 3]],
  };
  const pose = poseOf([0, 0, 0], turn);
  const lowest = Math.min(
    ...placedPolygons(cube, pose)
      .flat()
      .map((p) => p[2]),
  );
  pose.state[2] = 5e-4 - lowest;
  const query = new FacetQuery(treeOf(cube), treeOf(plane), 64);
  placeBoth(query, pose, ORIGIN);
  query.collect(cell(1e-3));
  const features = new Set<string>();
  for (let k = 0; k < query.count; k++) features.add(`${query.featuresA[k]}/${query.featuresB[k]}`);
  return { pairs: query.count, distinct: features.size };
}

test('G1 to G3: a cube over a plane on a face, a corner and an edge has 5, 3, 4 pairs, 5, 1, 3 of them distinct', () => {
  assert.deepEqual(cubePose([0, 0, 0]), { pairs: 5, distinct: 5 });
  const part = 0.6 / Math.hypot(1, 0.6);
  assert.deepEqual(cubePose([part, 0.6 * part, 0]), { pairs: 3, distinct: 1 });
  assert.deepEqual(cubePose([0.5, 0, 0]), { pairs: 4, distinct: 3 });
});

test('the ring on its cone has 1536 pairs, 1008 of them distinct, for features and for positions within 1e-7 m', () => {
  const ring = torusSurface(0.05, 0.018, 192, 60);
  const cone = frustumSurface(0.045, 0.015, 0.18, 48);
  const query = new FacetQuery(treeOf(ring), treeOf(cone), 4096);
  const pitch = (2 * Math.PI) / 192;
  const counts = (z: number, yaw: number): readonly [number, number, number] => {
    placeBoth(query, poseOf([0, 0, z], [0, 0, yaw * pitch]), ORIGIN);
    query.collect(cell(2e-3));
    const features = new Set<string>();
    const places: number[] = [];
    for (let k = 0; k < query.count; k++) {
      features.add(`${query.featuresA[k]}/${query.featuresB[k]}`);
      const near = (from: number): boolean =>
        [0, 1, 2].every(
          (a) =>
            Math.abs(query.pointsA[3 * from + a] - query.pointsA[3 * k + a]) < 1e-7 &&
            Math.abs(query.pointsB[3 * from + a] - query.pointsB[3 * k + a]) < 1e-7,
        );
      if (!places.some(near)) places.push(k);
    }
    return [query.count, features.size, places.length];
  };
  assert.deepEqual(counts(0.089830422, 0.3), [1536, 1008, 1008]);
  assert.ok(Math.abs(Math.min(...query.distances.subarray(0, 1536)) - 1.714024e-3) < 5e-10);
  const yaws = [0, 1 / 8, 1 / 4, 3 / 8, 1 / 2].map((yaw) => counts(0.089823, yaw));
  assert.deepEqual(
    yaws.map(([pairs]) => pairs),
    [1440, 1584, 1584, 1536, 1536],
  );
  assert.deepEqual(
    yaws.map(([, distinct]) => distinct),
    [768, 1056, 1056, 1008, 1008],
  );
  assert.deepEqual(
    yaws.map(([, , places]) => places),
    [768, 1056, 1056, 1008, 1008],
  );
});

test('linked doughnuts keep the distance that was computed for their facets by other means', () => {
  const turn = poseOf([0.055, 0.004, 0.003], [(80 * Math.PI) / 180, 0, 0]);
  const expected = [
    [24, 12, 11.71355317e-3],
    [48, 24, 11.91794009e-3],
  ];
  for (const [around, across, distance] of expected) {
    const a = torusSurface(0.05, 0.012, around, across);
    const b = placedSurface(torusSurface(0.04, 0.01, around, across), turn.rotation, turn.state);
    const query = new FacetQuery(treeOf(a), treeOf(b), 1024);
    placeBoth(query, ORIGIN, ORIGIN);
    query.findNearest();
    assert.ok(Math.abs(query.nearest[DISTANCE] - distance) < 5e-12, `${query.nearest[DISTANCE]}`);
    assert.equal(query.classify(cell(0.02)), PoseClass.contact);
  }
});
