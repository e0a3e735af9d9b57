/** Facets of random bodies that are not convex: distances, pairs and classes of poses beside brute force. `LaFarge & Lewis 1998`. */
import { Random } from '../../../src/math/random.ts';
import { FacetQuery, PoseClass } from '../../../src/proximity/facet-query.ts';
import { DISTANCE } from '../../../src/proximity/witness-slots.ts';
import { atMost, type Figure, independent, type ValidationCase } from '../case.ts';
import {
  allDistances,
  placeBoth,
  placedPolygons,
  plainClass,
  randomPose,
  randomScene,
  treeOf,
} from '../faceted-bodies.ts';
import { triangleTriangle } from '../plain-triangles.ts';

const DRAWS = 1000;
/** Pairs of facets nearer than this are asked for, m; bodies are 1 to 2 m. */
const LIMIT = 0.3;
/** Standoff of the classes, m. */
const STANDOFF = 0.4;
const ROUNDING = 1e-12;
/** Bins of the distance of the middles. */
const BINS = 12;
const FARTHEST = 2.4;

const cell = (value: number): Float64Array => Float64Array.of(value);
const largest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);

/** Random triangles: every other pair in one plane, a third of those at the same height of it. */
function trianglePairs(): { errors: number[]; flat: number[] } {
  const random = new Random(81);
  const errors: number[] = [];
  const flat: number[] = [];
  for (let n = 0; n < DRAWS; n++) {
    const planar = n % 2 === 0;
    const corners = (height: number): number[] =>
      [0, 1, 2].flatMap(() => [
        2 * random.uniform() - 1,
        2 * random.uniform() - 1,
        planar ? height : 2 * random.uniform() - 1,
      ]);
    const pose = randomPose(random, 1);
    const [a, b] = [0, n % 3 === 0 ? 0 : 0.1 * random.uniform()].map((height) => ({
      vertices: corners(height),
      polygons: [[0, 1, 2]],
    }));
    const query = new FacetQuery(treeOf(a), treeOf(b), 1);
    placeBoth(query, pose, pose);
    query.findNearest();
    const [[s], [t]] = [placedPolygons(a, pose), placedPolygons(b, pose)];
    const error = Math.abs(query.nearest[DISTANCE] - triangleTriangle(s, t));
    (planar ? flat : errors).push(error);
  }
  return { errors, flat };
}

interface Bodies {
  readonly errors: number[];
  readonly nearest: { readonly tree: number; readonly all: number }[];
  /** Pairs of facets within the limit, by the tree and by all distances. */
  readonly pairs: number;
  readonly plainPairs: number;
  /** Pairs that one of both has and the other has not, but for those at the limit within rounding. */
  readonly different: number;
  readonly cutting: number;
  readonly interfering: number;
}

function randomBodies(): Bodies {
  const random = new Random(71);
  const errors: number[] = [];
  const nearest: Bodies['nearest'] = [];
  let [pairs, plainPairs, different, cutting, interfering] = [0, 0, 0, 0, 0];
  for (let n = 0; n < DRAWS; n++) {
    const scene = randomScene(random, 1.3);
    const query = new FacetQuery(treeOf(scene.a), treeOf(scene.b), 4096);
    placeBoth(query, scene.poseA, scene.poseB);
    query.collect(cell(LIMIT));
    const found = new Map<string, number>();
    for (let k = 0; k < query.count; k++)
      found.set(`${query.facetsA[k]}/${query.facetsB[k]}`, query.distances[k]);
    const all = allDistances(scene);
    all.forEach((row, i) => {
      row.forEach((d, j) => {
        const got = found.get(`${i}/${j}`);
        if (d < LIMIT) plainPairs++;
        if (got !== undefined) errors.push(Math.abs(got - d));
        if (Math.abs(d - LIMIT) > ROUNDING && (got !== undefined) !== d < LIMIT) different++;
      });
    });
    query.findNearest();
    const least = Math.min(...all.flat());
    nearest.push({ tree: query.nearest[DISTANCE], all: least });
    if (query.interferes()) interfering++;
    if (least === 0) cutting++;
    pairs += query.count;
  }
  return { errors, nearest, pairs, plainPairs, different, cutting, interfering };
}

interface Classes {
  /** Poses of each class, by the tree and by winding numbers, and by the bin of the distance of the middles. */
  readonly tree: number[][];
  readonly plain: number[][];
  readonly wrong: number;
  readonly nested: number;
}

function classes(): Classes {
  const random = new Random(72);
  const bins = (): number[][] => [0, 1, 2].map(() => new Array<number>(BINS).fill(0));
  const [tree, plain] = [bins(), bins()];
  let [wrong, nested] = [0, 0];
  for (let n = 0; n < DRAWS; n++) {
    // every other time one small body, often inside the other one
    const scene = n % 2 === 0 ? randomScene(random, 1.3) : randomScene(random, 0.2, 0.2);
    const query = new FacetQuery(treeOf(scene.a), treeOf(scene.b), 1);
    placeBoth(query, scene.poseA, scene.poseB);
    const got = query.classify(cell(STANDOFF));
    const truth = plainClass(scene, STANDOFF);
    const [p, q] = [scene.poseA.state, scene.poseB.state];
    const apart = Math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2);
    const bin = Math.min(BINS - 1, Math.floor((apart / FARTHEST) * BINS));
    tree[got][bin]++;
    plain[truth.what][bin]++;
    if (got !== truth.what) wrong++;
    if (truth.nested) nested++;
  }
  return { tree, plain, wrong, nested };
}

const NAMES = ['free', 'contact', 'penetrating'] as const;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

export const facetedDrawsCase: ValidationCase = {
  name: 'faceted-draws',
  title: 'Facets of random bodies: tree beside brute force',
  source: 'LaFarge & Lewis 1998 (Sandia); B7, B9, B24',
  description:
    '1000 random pairs of triangles, half of them parallel or in one plane; 1000 random pairs of bodies that are not convex, of 6 to 24 triangles each: distances by the hull tree and exact leaf distance beside all corners, faces and edges of all triangles; 1000 poses, half of them of a small body often inside the other one: the class beside winding numbers and surfaces that cut.',
  equation:
    'free: d ≥ d_s; contact: 0 < d < d_s and no body inside; penetrating: d = 0 or |winding number| = 1 of a corner.',
  tolerances:
    'Distances 1e-12 m (B7): 2 m times rounding times the condition of edges that are nearly parallel. Pairs and classes exact (B9, B24); a pair within 1e-12 m of the limit may be on either side.',
  run() {
    const triangles = trianglePairs();
    const bodies = randomBodies();
    const found = classes();
    const off = bodies.nearest.map(({ tree, all }) => Math.abs(tree - all));
    const figures: Figure[] = [
      independent('pairs of triangles: difference', 'm', largest(triangles.errors), 0, ROUNDING),
      independent(
        'parallel or coplanar triangles: difference',
        'm',
        largest(triangles.flat),
        0,
        ROUNDING,
      ),
      independent('pairs of facets: difference', 'm', largest(bodies.errors), 0, ROUNDING),
      independent('nearest pairs: difference', 'm', largest(off), 0, ROUNDING),
      independent('pairs of facets within 0.3 m', '1', bodies.pairs, bodies.plainPairs, 0),
      independent('pairs that tree and brute force do not share', '1', bodies.different, 0, 0),
      independent('bodies that cut each other', '1', bodies.interfering, bodies.cutting, 0),
      independent('poses of another class', '1', found.wrong, 0, 0),
      ...NAMES.map((name, k) =>
        independent(`poses: ${name}`, '1', sum(found.tree[k]), sum(found.plain[k]), 0),
      ),
      atMost(
        'part of the poses without a body inside the other',
        '1',
        1 - found.nested / DRAWS,
        0.9,
      ),
    ];
    const sorted = [...bodies.nearest].sort((p, q) => p.all - q.all);
    const marks = sorted.map((_, k) => k).filter((k) => k % 25 === 0);
    const middles = Array.from({ length: BINS }, (_, k) => ((k + 0.5) * FARTHEST) / BINS);
    return {
      figures,
      plots: [
        {
          title: 'Least distance of 1000 random pairs of bodies, in order',
          xLabel: 'pair, 1',
          yLabel: 'distance, m',
          curves: [
            { name: 'hull tree', x: sorted.map((_, k) => k), y: sorted.map(({ tree }) => tree) },
            {
              name: 'all triangles',
              x: marks,
              y: marks.map((k) => sorted[k].all),
              kind: 'points',
            },
          ],
        },
        {
          title: 'Classes of 1000 poses over the distance of the middles',
          xLabel: 'distance of the middles, m',
          yLabel: 'poses, 1',
          curves: NAMES.flatMap((name, k) => [
            { name, x: middles, y: found.tree[PoseClass[name]] },
            {
              name: `${name}, by winding numbers`,
              x: middles,
              y: found.plain[k],
              kind: 'points' as const,
            },
          ]),
        },
      ],
    };
  },
};
