/** Facets that move: least distance on the way, first touch, bound of a turning body. `LaFarge & Lewis 1998`. */
import { BodyPath, TURN } from '../../../src/proximity/body-path.ts';
import { FacetQuery } from '../../../src/proximity/facet-query.ts';
import { DISTANCE } from '../../../src/proximity/witness-slots.ts';
import { type FacetTree, makeFacetTree } from '../../../src/proximity/facet-tree.ts';
import { SweptFacets, TOUCH_PART } from '../../../src/proximity/swept-facets.ts';
import { Random } from '../../../src/math/random.ts';
import { rotationOf } from '../../../src/math/quaternion.ts';
import { convexHull } from '../../../src/shapes/convex-hull.ts';
import { boxSurface } from '../../../src/shapes/faceted-shapes.ts';
import { type FacetedSurface, makeFacets } from '../../../src/shapes/facets.ts';
import { atMost, closedForm, type Figure, independent, type ValidationCase } from '../case.ts';
import { referenceRows } from '../reference-data.ts';

const ONE = Float64Array.of(1);
const STILL = [0, 0, 0] as const;
/** Random translations and turns, and samples of a turn. */
const TRANSLATIONS = 400;
const TURNS = 100;
const SAMPLES = 64;
/** A search by the golden section: 50 cuts leave 4e-11 of the interval. */
const CUTS = 50;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
type Vector = readonly [number, number, number];

const treeOf = (surface: FacetedSurface): FacetTree =>
  makeFacetTree(makeFacets(surface, 'surface'));

/** Starts a path at a place along a travel, m, with a turn, rad; q: its orientation. */
function send(
  path: BodyPath,
  place: Vector,
  travel: Vector,
  turn: Vector = STILL,
  q: readonly number[] = [0, 0, 0, 1],
): void {
  const state = Float64Array.of(...place, ...q, ...travel, ...turn);
  const rotation = new Float64Array(9);
  rotationOf(rotation, state, 3);
  path.follow(state, rotation, ONE);
}

/** Distance at a part of the step, by the query of bodies at rest. */
function distanceAt(moving: SweptFacets, still: FacetQuery, part: number): number {
  const { pathA, pathB } = moving;
  const s = Float64Array.of(part);
  pathA.place(s);
  pathB.place(s);
  still.place(pathA.rotation, pathA.state, pathB.rotation, pathB.state);
  still.findNearest();
  return still.nearest[DISTANCE];
}

/** Least distance between two parts of the step, where it falls and then rises: one query a cut. */
function leastBetween(moving: SweptFacets, still: FacetQuery, from: number, to: number): number {
  let [low, high] = [from, to];
  const inside = (part: number): number => low + part * (high - low);
  let [left, right] = [inside(1 - GOLDEN), inside(GOLDEN)];
  let [atLeft, atRight] = [left, right].map((part) => distanceAt(moving, still, part));
  for (let n = 0; n < CUTS; n++) {
    if (atLeft < atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = inside(1 - GOLDEN);
      atLeft = distanceAt(moving, still, left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = inside(GOLDEN);
      atRight = distanceAt(moving, still, right);
    }
  }
  return Math.min(atLeft, atRight, ...[from, to].map((part) => distanceAt(moving, still, part)));
}

/** Least of the samples of a turn, and around it. */
function leastOfTurn(moving: SweptFacets, still: FacetQuery): number {
  const samples = Array.from({ length: SAMPLES + 1 }, (_, n) =>
    distanceAt(moving, still, n / SAMPLES),
  );
  const at = samples.indexOf(Math.min(...samples));
  const part = (n: number): number => Math.max(0, Math.min(1, n / SAMPLES));
  return leastBetween(moving, still, part(at - 1), part(at + 1));
}

/** Hull of eight random points. */
function randomHull(random: Random): FacetedSurface {
  const points = Array.from(
    { length: 8 },
    () => [random.gaussian(), random.gaussian(), random.gaussian()] as const,
  );
  const hull = convexHull(points.map(([x, y, z]) => [0.05 * x, 0.05 * y, 0.05 * z] as const));
  return {
    vertices: hull.points.flatMap((point) => [...point]),
    polygons: hull.faces.map((triangle) => [...triangle]),
  };
}

/** A random convex body on a path past another one that stands still. */
function randomPair(
  random: Random,
  turn: Vector,
): { moving: SweptFacets; still: FacetQuery; bound: number } {
  const [a, b] = [treeOf(randomHull(random)), treeOf(randomHull(random))];
  const moving = new SweptFacets(a, b);
  const q = Array.from({ length: 4 }, () => random.gaussian());
  const length = Math.hypot(...q);
  const place = randomVector(random, 0.4);
  send(
    moving.pathA,
    place,
    randomVector(random, 0.5),
    turn,
    q.map((x) => x / length),
  );
  send(moving.pathB, randomVector(random, 0.05), STILL);
  moving.measureSwept();
  return { moving, still: new FacetQuery(a, b, 1), bound: moving.swept[0] };
}

const randomVector = (random: Random, size: number): Vector => [
  size * (2 * random.uniform() - 1),
  size * (2 * random.uniform() - 1),
  size * (2 * random.uniform() - 1),
];

/** B10: swept distances of translations, and the least ones of queries on the way, m. */
function translations(): { swept: number[]; searched: number[] } {
  const random = new Random(1998);
  const swept: number[] = [];
  const searched: number[] = [];
  for (let n = 0; n < TRANSLATIONS; n++) {
    const { moving, still, bound } = randomPair(random, STILL);
    swept.push(bound);
    searched.push(leastBetween(moving, still, 0, 1));
  }
  return { swept, searched };
}

/** B11: least distance on the way less the bound, m, over the turn, rad. */
function turns(): { angles: number[]; margins: number[] } {
  const random = new Random(1999);
  const angles: number[] = [];
  const margins: number[] = [];
  for (let n = 0; n < TURNS; n++) {
    const { moving, still, bound } = randomPair(random, randomVector(random, 0.69));
    angles.push(moving.pathA.rates[TURN]);
    margins.push(leastOfTurn(moving, still) - bound);
  }
  return { angles, margins };
}

/** A rod turns past a pin. */
function rod(): { moving: SweptFacets; still: FacetQuery } {
  const box = boxSurface([0.2, 4e-3, 4e-3]);
  const a = treeOf({ ...box, vertices: box.vertices.map((x, k) => (k % 3 === 0 ? x + 0.1 : x)) });
  const b = treeOf(boxSurface([4e-3, 4e-3, 4e-3]));
  const moving = new SweptFacets(a, b);
  const at = 0.15 * Math.SQRT1_2;
  send(moving.pathA, STILL, STILL, [0, 0, Math.PI / 2]);
  send(moving.pathB, [at, at, 0], STILL);
  return { moving, still: new FacetQuery(a, b, 1) };
}

/** The triangle of figure 2 jumps over a plate whose middle is at y, m. */
function figure2(y: number): { moving: SweptFacets; still: FacetQuery } {
  const a = treeOf({
    vertices: [-6e-3, -5e-3, 0, -6e-3, 5e-3, 0, -4e-3, 0, 8e-3],
    polygons: [[0, 1, 2]],
  });
  const b = treeOf(boxSurface([1e-3, 0.04, 0.04]));
  const moving = new SweptFacets(a, b);
  send(moving.pathA, STILL, [0.01, 0, 0]);
  send(moving.pathB, [0, y, 0], STILL);
  return { moving, still: new FacetQuery(a, b, 1) };
}

export const sweptDistanceCase: ValidationCase = {
  name: 'swept-distance',
  title: 'Facets that move: least distance on the way and first touch',
  source: 'LaFarge & Lewis 1998 (Sandia), figure 2; B10, B11, B18',
  description:
    'A triangle that jumps over a plate in one step, a rod that turns past a pin, a cube that flies 10 m through a plate of 1 mm, 400 random convex bodies that translate and 100 that turn by up to 1.2 rad: the least distance on the way and the first touch, beside a search with queries of bodies at rest.',
  equation:
    'Distance of two facets that translate is convex in time: its least value lies between tangents. With a turn θ: distance >= distance(hull of start and end) − ρ(1 − cos(θ/2)). Touch: s advances by (d − d_s)/μ, μ = |v·n| + |ω|ρ.',
  tolerances:
    'Figure 2: rounding. Rod: the touch is one within 1e-9 of the sizes, so the angle is within 1e-9 × 0.21 m / 0.13 m/rad and half a digit. Random translations 1e-9 m: the distance is convex in time, and 50 cuts of the golden section leave 4e-11 of 0.9 m. The bound may not be above the least distance by more than rounding.',
  run() {
    const figures: Figure[] = [];
    const rows = referenceRows('sandia-faceted', 'swept', ['aside', 'start', 'end', 'swept']);
    const ends = rows.map(({ aside, start, end, swept }) => {
      const { moving, still } = figure2(1e-3 * aside);
      const name = aside === 0 ? 'figure 2' : `plate ${aside} mm aside`;
      const at = (part: number): number => 1e3 * distanceAt(moving, still, part);
      moving.measureSwept();
      figures.push(
        independent(`${name}: start`, 'mm', at(0), start, 1e-12),
        independent(`${name}: end`, 'mm', at(1), end, 1e-12),
        independent(`${name}: swept distance`, 'mm', 1e3 * moving.swept[0], swept, 1e-12),
      );
      return { moving, still };
    });
    const parts = Array.from({ length: 201 }, (_, n) => n / 200);
    const jumps = ends.map(({ moving, still }) =>
      parts.map((part) => 1e3 * distanceAt(moving, still, part)),
    );
    const { moving, still } = rod();
    const [kept] = referenceRows('sandia-faceted', 'rod', ['ends', 'bound', 'angle']);
    moving.findTouch(Float64Array.of(1e-3));
    const angle = (moving.touch[TOUCH_PART] * Math.PI) / 2;
    const { queries } = moving;
    moving.measureSwept();
    figures.push(
      independent(
        'rod: distance at the end',
        'mm',
        1e3 * distanceAt(moving, still, 1),
        kept.ends,
        5e-4,
      ),
      independent('rod: bound of the whole motion', 'mm', 1e3 * moving.swept[0], kept.bound, 0.05),
      independent('rod: first touch', 'rad', angle, kept.angle, 6e-8),
      closedForm('rod: first touch', 'rad', angle, touchAngle(), 2e-9),
      atMost('rod: queries', '1', queries, 38),
    );
    const cube = new SweptFacets(
      treeOf(boxSurface([0.02, 0.02, 0.02])),
      treeOf(boxSurface([1, 1, 1e-3])),
    );
    send(cube.pathA, [0, 0, 4], [0, 0, -10]);
    send(cube.pathB, STILL, STILL);
    cube.findTouch(Float64Array.of(0));
    figures.push(
      closedForm(
        'cube through a plate, 10 m a step: first touch',
        '1',
        cube.touch[TOUCH_PART],
        0.39895,
        4e-10,
      ),
    );
    const { swept, searched } = translations();
    const turned = turns();
    figures.push(
      independent(
        `${TRANSLATIONS} translations: largest |swept − search on the way|`,
        'm',
        swept.reduce((most, d, n) => Math.max(most, Math.abs(d - searched[n])), 0),
        0,
        1e-9,
      ),
      atMost(
        `${TURNS} turns of up to 1.2 rad: bound above the least distance`,
        'm',
        Math.max(0, ...turned.margins.map((margin) => -margin)),
        1e-15,
      ),
    );
    const order = swept.map((_, n) => n).sort((p, q) => searched[p] - searched[q]);
    const marks = order.map((_, n) => n).filter((n) => n % 10 === 0);
    const angles = parts.map((part) => (part * Math.PI) / 2);
    return {
      figures,
      plots: [
        {
          title: 'The triangle of figure 2 jumps over the plate: 3.5 mm at both ends',
          xLabel: 'part of the step, 1',
          yLabel: 'distance, mm',
          curves: rows.map(({ aside }, k) => ({
            name: aside === 0 ? 'over the plate' : `plate ${aside} mm aside`,
            x: parts,
            y: jumps[k],
          })),
        },
        {
          title: 'Rod past a pin',
          xLabel: 'angle, rad',
          yLabel: 'distance, mm',
          curves: [
            {
              name: 'distance',
              x: angles,
              y: parts.map((part) => 1e3 * distanceAt(moving, still, part)),
            },
            { name: 'first touch at the standoff', x: [angle], y: [1], kind: 'points' },
          ],
        },
        {
          title: 'Random convex bodies that translate, in order of their least distance',
          xLabel: 'pair, 1',
          yLabel: 'distance, m',
          curves: [
            { name: 'swept', x: order.map((_, n) => n), y: order.map((n) => swept[n]) },
            {
              name: 'search on the way',
              x: marks,
              y: marks.map((n) => searched[order[n]]),
              kind: 'points',
            },
          ],
        },
        {
          title: 'Random convex bodies that turn: least distance on the way less the bound',
          xLabel: 'turn, rad',
          yLabel: 'margin, m',
          curves: [{ name: 'margin', x: turned.angles, y: turned.margins, kind: 'points' }],
        },
      ],
    };
  },
};

/** Angle at which the corner of the pin nearest to the rod is 2 mm and the standoff from its axis. */
function touchAngle(): number {
  const at = 0.15 * Math.SQRT1_2;
  return Math.atan2(at - 2e-3, at + 2e-3) - Math.asin(3e-3 / Math.hypot(at - 2e-3, at + 2e-3));
}
