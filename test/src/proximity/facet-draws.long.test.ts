/** Facets of 10³ random pairs of bodies: the tree against brute force, classification against winding numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { FacetQuery } from '../../../src/proximity/facet-query.ts';
import { DISTANCE } from '../../../src/proximity/witness-slots.ts';
import {
  allDistances,
  placeBoth,
  plainClass,
  randomScene,
  treeOf,
} from '../../../server/validation/faceted-bodies.ts';

const cell = (value: number): Float64Array => Float64Array.of(value);

test('10³ random pairs of bodies: all pairs within the limit and the nearest one are those of brute force to 1e-12', () => {
  const random = new Random(71);
  let within = 0;
  let cutting = 0;
  for (let n = 0; n < 1000; n++) {
    const scene = randomScene(random, 1.3);
    const query = new FacetQuery(treeOf(scene.a), treeOf(scene.b), 4096);
    placeBoth(query, scene.poseA, scene.poseB);
    const truth = allDistances(scene);
    const limit = 0.3;
    query.collect(cell(limit));
    const found = new Map<string, number>();
    for (let k = 0; k < query.count; k++)
      found.set(`${query.facetsA[k]}/${query.facetsB[k]}`, query.distances[k]);
    truth.forEach((row, i) => {
      row.forEach((d, j) => {
        const got = found.get(`${i}/${j}`);
        if (Math.abs(d - limit) > 1e-12) assert.equal(got !== undefined, d < limit, `${i}/${j}`);
        if (got !== undefined) assert.ok(Math.abs(got - d) < 1e-12, `pair ${i}/${j}: ${got}, ${d}`);
      });
    });
    query.findNearest();
    const least = Math.min(...truth.flat());
    assert.ok(Math.abs(query.nearest[DISTANCE] - least) < 1e-12);
    assert.equal(query.interferes(), least === 0);
    within += query.count;
    if (least === 0) cutting++;
  }
  assert.ok(within > 10_000 && cutting > 100 && cutting < 900, `${within} pairs, ${cutting} cut`);
});

test('classification of 10³ poses is that of winding numbers and of surfaces that cut each other', () => {
  const random = new Random(72);
  const seen = [0, 0, 0];
  let nested = 0;
  for (let n = 0; n < 1000; n++) {
    // every other time one small body, often inside the other one
    const scene = n % 2 === 0 ? randomScene(random, 1.3) : randomScene(random, 0.2, 0.2);
    const query = new FacetQuery(treeOf(scene.a), treeOf(scene.b), 1);
    placeBoth(query, scene.poseA, scene.poseB);
    const truth = plainClass(scene, 0.4);
    assert.equal(query.classify(cell(0.4)), truth.what, `pose ${n}`);
    seen[truth.what]++;
    if (truth.nested) nested++;
  }
  assert.ok(Math.min(...seen) > 50 && nested > 100, `${seen.join()}, ${nested} nested`);
});
