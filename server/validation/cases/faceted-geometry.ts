/** Facets of bodies that are not convex: pairs within a standoff, tie rule, nearest pair. `LaFarge & Lewis 1998`. */
import { FacetQuery } from '../../../src/proximity/facet-query.ts';
import { DISTANCE } from '../../../src/proximity/witness-slots.ts';
import {
  boxSurface,
  frustumSurface,
  placedSurface,
  torusSurface,
} from '../../../src/shapes/faceted-shapes.ts';
import { atMost, type Figure, independent, type ValidationCase } from '../case.ts';
import {
  allDistances,
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
/** Closest points nearer than this are one, m. */
const PLACE = 1e-7;
/** Pairs of facets of the linked tori within 1 mm more than their distance, by all pairs: the two coarser ones. */
const NEAR_PAIRS = [48, 367];
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

export const facetedGeometryCase: ValidationCase = {
  name: 'faceted-geometry',
  title: 'Facets of bodies that are not convex: pairs within a standoff',
  source: 'LaFarge & Lewis 1998 (Sandia); B8, B17, B20',
  description:
    'Cubes over a plane, a torus around a cone frustum and two linked tori: pairs of facets within the standoff by the hull tree, pairs that differ in their features, and in their places within 1e-7 m; the least distance.',
  equation:
    'd = least of corner over face, face over corner, edge over edge; where the closest set is not a point, its centroid; the features of both sides name the pair.',
  tolerances:
    'Counts are exact. Least distance of the ring 5e-10 m, its stiffness 5e-4 N/m: half a unit of the last digit. Doughnuts 5e-9 mm: digits; 1e-12 m beside all facets (B17). Their distance to the smooth one is a bound: it falls as the square of the facets.',
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
    const yaws = Array.from({ length: 65 }, (_, k) => k / 64);
    const turned = yaws.map((yaw) =>
      count(query, poseOf([0, 0, 0.089823], [0, 0, yaw * pitch]), RING_STANDOFF),
    );
    const doughnuts = referenceRows('sandia-faceted', 'doughnuts', [
      'around',
      'across',
      'distance',
    ]);
    const [smooth] = referenceRows('sandia-faceted', 'doughnuts-smooth', ['distance']);
    const gaps = doughnuts.map(({ around, across, distance }, k) => {
      const { least, pairs } = linked(around, across);
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
      if (k === 0) {
        const plain = 1e3 * Math.min(...allDistances(doughnutScene(around, across)).flat());
        figures.push(
          independent(`${name}: distance less that of all facets`, 'mm', least - plain, 0, 1e-9),
        );
      }
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
              x: rows.flatMap(({ yaw }) => [yaw, yaw]),
              y: rows.flatMap(({ pairs, distinct }) => [pairs, distinct]),
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

/** Their least distance, mm, and the pairs within 1 mm more. */
function linked(around: number, across: number): { least: number; pairs: number } {
  const { a, b, poseA, poseB } = doughnutScene(around, across);
  const query = new FacetQuery(treeOf(a), treeOf(b), 4096);
  placeBoth(query, poseA, poseB);
  query.findNearest();
  const least = query.nearest[DISTANCE];
  query.collect(Float64Array.of(least + 1e-3));
  return { least: 1e3 * least, pairs: query.count };
}
