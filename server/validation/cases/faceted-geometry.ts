/** Facets of bodies that are not convex: pairs within a standoff, tie rule, nearest pair. `LaFarge & Lewis 1998`. */
import { Random } from '../../../src/math/random.ts';
import { FacetQuery } from '../../../src/proximity/facet-query.ts';
import { DISTANCE } from '../../../src/proximity/witness-slots.ts';
import {
  boxSurface,
  frustumSurface,
  placedSurface,
  torusSurface,
} from '../../../src/shapes/faceted-shapes.ts';
import type { FacetedSurface } from '../../../src/shapes/facets.ts';
import { atMost, type Figure, independent, type ValidationCase } from '../case.ts';
import {
  pairsWithin,
  type Placed,
  placeBoth,
  poseOf,
  type Scene,
  treeOf,
} from '../faceted-bodies.ts';
import type { Point } from '../plain-triangles.ts';
import { referenceRows } from '../reference-data.ts';

const DEGREE = Math.PI / 180;
/** Standoff of the ring and of the cubes, m. */
const RING_STANDOFF = 2e-3;
const CUBE_STANDOFF = 1e-3;
/** Height of the ring at rest, m. */
const REST_HEIGHT = 0.089823;
/** Closest points nearer than this are one, m. */
const PLACE = 1e-7;
/** Pairs of facets of the linked tori within 1 mm more than their distance, by all pairs: the two coarser ones. */
const NEAR_PAIRS = [48, 367];
/** Random poses of the ring on the cone: turned by any yaw and tilted by up to 0.1 rad, moved by up to 2 mm. */
const RING_POSES = 2;
/** B9, B17: distances by the tree beside those of all facets, m. */
const SAME = 1e-12;
/** Weight of the ring, N. */
const WEIGHT = 0.08 * 9.81;
/** Pairs of a query within its limit, and those that differ in their features. */
function count(
  query: FacetQuery,
  pose: Placed,
  standoff: number,
): { pairs: number; distinct: Set<string> } {
  placeBoth(query, pose, poseOf([0, 0, 0]));
  query.collect(Float64Array.of(standoff));
  const distinct = new Set<string>();
  for (let k = 0; k < query.count; k++) distinct.add(`${query.featuresA[k]}/${query.featuresB[k]}`);
  return { pairs: query.count, distinct };
}

function cubes(): Figure[] {
  const cube = boxSurface([0.1, 0.1, 0.1]);
  const plane = {
    vertices: [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0],
    polygons: [[0, 1, 2, 3]],
  };
  const slant = 0.6 / Math.sqrt(1.36);
  const turns: readonly (readonly [string, Point])[] = [
    ['a face', [0, 0, 0]],
    ['a corner', [slant, 0.6 * slant, 0]],
    ['an edge', [0.5, 0, 0]],
  ];
  const rows = referenceRows('sandia-faceted', 'cube', ['pairs', 'distinct']);
  return turns.flatMap(([name, turn], k) => {
    const placed = poseOf([0, 0, 0], turn);
    const { vertices } = placedSurface(cube, placed.rotation, placed.state);
    const lowest = Math.min(...vertices.filter((_, at) => at % 3 === 2));
    placed.state[2] = 5e-4 - lowest;
    const query = new FacetQuery(treeOf(cube), treeOf(plane), 64);
    const { pairs, distinct } = count(query, placed, CUBE_STANDOFF);
    return [
      independent(`cube on ${name}: pairs`, '1', pairs, rows[k].pairs, 0),
      independent(`cube on ${name}: distinct`, '1', distinct.size, rows[k].distinct, 0),
    ];
  });
}

/** Pairs whose closest points lie more than 1e-7 m from those of all earlier ones. */
function distinctPlaces(query: FacetQuery): number {
  const { pointsA, pointsB } = query;
  const kept: number[] = [];
  for (let k = 0; k < query.count; k++) {
    const apart = (points: Float64Array, from: number): boolean =>
      [0, 1, 2].some((a) => Math.abs(points[3 * from + a] - points[3 * k + a]) >= PLACE);
    if (kept.every((from) => apart(pointsA, from) || apart(pointsB, from))) kept.push(k);
  }
  return kept.length;
}

/** Σ δ n_z over all pairs and over distinct ones, m. */
function lift(query: FacetQuery): readonly [number, number] {
  const sums = [0, 0];
  const seen = new Set<string>();
  for (let k = 0; k < query.count; k++) {
    const feature = `${query.featuresA[k]}/${query.featuresB[k]}`;
    const up = (RING_STANDOFF - query.distances[k]) * query.directions[3 * k + 2];
    sums[0] += up;
    if (!seen.has(feature)) sums[1] += up;
    seen.add(feature);
  }
  return [sums[0], sums[1]];
}

/** Pairs of the last query beside those of all facets: largest difference of a distance, m, and pairs of one of both alone. */
function besideAll(query: FacetQuery, scene: Scene, limit: number): readonly [number, number] {
  const all = pairsWithin(scene, limit);
  let difference = 0;
  let shared = 0;
  for (let k = 0; k < query.count; k++) {
    const truth = all.get(`${query.facetsA[k]}/${query.facetsB[k]}`);
    if (truth === undefined) continue;
    shared++;
    difference = Math.max(difference, Math.abs(query.distances[k] - truth));
  }
  return [difference, query.count + all.size - 2 * shared];
}

/** B9: the ring on the cone at random poses. */
function ringPoses(query: FacetQuery, ring: FacetedSurface, cone: FacetedSurface): Figure[] {
  const random = new Random(9);
  const within = (size: number): number => size * (2 * random.uniform() - 1);
  let [difference, alone, pairs] = [0, 0, 0];
  for (let n = 0; n < RING_POSES; n++) {
    const place: Point = [within(2e-3), within(2e-3), 0.0898 + within(2e-3)];
    const poseA = poseOf(place, [within(0.1), within(0.1), within(Math.PI)]);
    pairs += count(query, poseA, RING_STANDOFF).pairs;
    const scene = { a: ring, b: cone, poseA, poseB: poseOf([0, 0, 0]) };
    const [off, one] = besideAll(query, scene, RING_STANDOFF);
    difference = Math.max(difference, off);
    alone += one;
  }
  const name = `ring at ${RING_POSES} random poses, ${pairs} pairs`;
  return [
    independent(`${name}: pairs that only tree or all facets have`, '1', alone, 0, 0),
    independent(`${name}: difference of a distance`, 'm', difference, 0, SAME),
  ];
}

export const facetedGeometryCase: ValidationCase = {
  name: 'faceted-geometry',
  title: 'Facets of bodies that are not convex: pairs within a standoff',
  source: 'LaFarge & Lewis 1998 (Sandia); B8, B9, B17, B20',
  description:
    'Cubes over a plane, a torus around a cone frustum and two linked tori: pairs of facets within the standoff by the hull tree, pairs that differ in their features, and in their places within 1e-7 m; the least distance. Pairs and distances of the ring at random poses and of the tori also by all pairs of facets whose boxes are within the limit.',
  equation:
    'd = least of corner over face, face over corner, edge over edge; where the closest set is not a point, its centroid; the features of both sides name the pair.',
  tolerances:
    'Counts are exact. Least distance of the ring 5e-10 m, its stiffness 5e-4 N/m: half a unit of the last digit. Doughnuts 5e-9 mm: digits. Beside all facets the pairs are the same, and distances within 1e-12 m (B9, B17). Their distance to the smooth one is a bound: it falls as the square of the facets.',
  run() {
    const figures: Figure[] = cubes();
    const ring = torusSurface(0.05, 0.018, 192, 60);
    const cone = frustumSurface(0.045, 0.015, 0.18, 48);
    const query = new FacetQuery(treeOf(ring), treeOf(cone), 4096);
    const pitch = (360 / 192) * DEGREE;
    const rows = referenceRows('sandia-faceted', 'ring', ['height', 'yaw', 'pairs', 'distinct']);
    const [kept] = referenceRows('sandia-faceted', 'ring-pose', [
      'distance',
      'stiffnessAll',
      'stiffnessDistinct',
    ]);
    rows.forEach((row, k) => {
      const { pairs, distinct } = count(
        query,
        poseOf([0, 0, row.height], [0, 0, row.yaw * pitch]),
        RING_STANDOFF,
      );
      const name = `ring at ${row.height} m, yaw ${row.yaw} facets`;
      figures.push(
        independent(`${name}: pairs`, '1', pairs, row.pairs, 0),
        independent(`${name}: distinct`, '1', distinct.size, row.distinct, 0),
        independent(`${name}: distinct by place`, '1', distinctPlaces(query), distinct.size, 0),
      );
      if (k > 0) return;
      const [all, some] = lift(query);
      query.findNearest();
      const least = query.nearest[DISTANCE];
      figures.push(
        independent('ring: least distance', 'm', least, kept.distance, 5e-10),
        independent('ring: stiffness, all', 'N/m', WEIGHT / all, kept.stiffnessAll, 5e-4),
        independent(
          'ring: stiffness, distinct',
          'N/m',
          WEIGHT / some,
          kept.stiffnessDistinct,
          5e-4,
        ),
      );
    });
    figures.push(...ringPoses(query, ring, cone));
    const yaws = Array.from({ length: 65 }, (_, k) => k / 64);
    const atRest = rows.filter(({ height }) => height === REST_HEIGHT);
    const turned = yaws.map((yaw) =>
      count(query, poseOf([0, 0, REST_HEIGHT], [0, 0, yaw * pitch]), RING_STANDOFF),
    );
    const doughnuts = referenceRows('sandia-faceted', 'doughnuts', [
      'around',
      'across',
      'distance',
    ]);
    const [smooth] = referenceRows('sandia-faceted', 'doughnuts-smooth', ['distance']);
    const gaps = doughnuts.map(({ around, across, distance }, k) => {
      const { least, pairs, difference, alone } = linked(around, across);
      const name = `doughnuts of ${around} × ${across} facets`;
      figures.push(
        independent(`${name}: distance`, 'mm', least, distance, 5e-9),
        atMost(
          `${name}: |distance − smooth| over (π/${across})²`,
          'mm',
          Math.abs(least - smooth.distance) / (Math.PI / across) ** 2,
          22,
        ),
      );
      if (k < NEAR_PAIRS.length)
        figures.push(independent(`${name}: pairs, 1 mm farther`, '1', pairs, NEAR_PAIRS[k], 0));
      figures.push(
        independent(`${name}: pairs that only tree or all facets have`, '1', alone, 0, 0),
        independent(`${name}: difference of a distance`, 'm', difference, 0, SAME),
      );
      return Math.abs(least - smooth.distance);
    });
    const numbers = doughnuts.map(({ across }) => across);
    return {
      figures,
      plots: [
        {
          title: 'Pairs of the ring on the cone while it turns by one facet',
          xLabel: 'yaw, facets',
          yLabel: 'pairs, 1',
          curves: [
            { name: 'all', x: yaws, y: turned.map(({ pairs }) => pairs) },
            { name: 'distinct', x: yaws, y: turned.map(({ distinct }) => distinct.size) },
            {
              name: 'reference',
              x: atRest.flatMap(({ yaw }) => [yaw, yaw]),
              y: atRest.flatMap(({ pairs, distinct }) => [pairs, distinct]),
              kind: 'points',
            },
          ],
        },
        {
          title: 'Linked doughnuts: distance beside that of round ones',
          xLabel: 'facets across, 1',
          yLabel: '|distance − smooth|, mm',
          xScale: 'log',
          yScale: 'log',
          curves: [
            { name: 'computed', x: numbers, y: gaps },
            {
              name: 'square of the facets',
              x: numbers,
              y: numbers.map((n) => gaps[0] * (numbers[0] / n) ** 2),
              kind: 'bound',
            },
          ],
        },
      ],
    };
  },
};

/** The linked tori of round bodies at 80°. */
function doughnutScene(around: number, across: number): Scene {
  return {
    a: torusSurface(0.05, 0.012, around, across),
    b: torusSurface(0.04, 0.01, around, across),
    poseA: poseOf([0, 0, 0]),
    poseB: poseOf([0.055, 0.004, 0.003], [80 * DEGREE, 0, 0]),
  };
}

/** Their least distance, mm, the pairs within 1 mm more, and these beside those of all facets. */
function linked(
  around: number,
  across: number,
): { least: number; pairs: number; difference: number; alone: number } {
  const scene = doughnutScene(around, across);
  const query = new FacetQuery(treeOf(scene.a), treeOf(scene.b), 4096);
  placeBoth(query, scene.poseA, scene.poseB);
  query.findNearest();
  const limit = query.nearest[DISTANCE] + 1e-3;
  const least = 1e3 * query.nearest[DISTANCE];
  query.collect(Float64Array.of(limit));
  const [difference, alone] = besideAll(query, scene, limit);
  return { least, pairs: query.count, difference, alone };
}
