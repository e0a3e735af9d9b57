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
/** Random pairs, and samples of a motion. */
const PAIRS = 24;
const SAMPLES = 250;
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

/** Least of the samples, then by thirds around it. */
function sampled(moving: SweptFacets, still: FacetQuery): number {
  let at = 0;
  let least = Infinity;
  for (let n = 0; n <= SAMPLES; n++) {
    const d = distanceAt(moving, still, n / SAMPLES);
    if (d < least) [least, at] = [d, n / SAMPLES];
  }
  let low = Math.max(0, at - 1 / SAMPLES);
  let high = Math.min(1, at + 1 / SAMPLES);
  for (let n = 0; n < 60; n++) {
    const third = (high - low) / 3;
    if (distanceAt(moving, still, low + third) < distanceAt(moving, still, high - third))
      high -= third;
    else low += third;
  }
  return Math.min(least, distanceAt(moving, still, low));
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

/** B10 and B11: largest difference to samples of translations; largest bound less samples of turns; both by the turn. */
function randomPairs(): { exact: number; above: number; turns: number[]; margins: number[] } {
  const random = new Random(1998);
  const vector = (size: number): Vector => [
    size * (2 * random.uniform() - 1),
    size * (2 * random.uniform() - 1),
    size * (2 * random.uniform() - 1),
  ];
  let exact = 0;
  let above = -Infinity;
  const turns: number[] = [];
  const margins: number[] = [];
  for (let n = 0; n < PAIRS; n++) {
    const a = treeOf(randomHull(random));
    const b = treeOf(randomHull(random));
    const moving = new SweptFacets(a, b);
    const still = new FacetQuery(a, b, 1);
    const q = Array.from({ length: 4 }, () => random.gaussian());
    const length = Math.hypot(...q);
    const turn = n % 2 === 0 ? STILL : vector(0.69);
    const from = vector(0.4);
    send(
      moving.pathA,
      from,
      vector(0.5),
      turn,
      q.map((x) => x / length),
    );
    send(moving.pathB, vector(0.05), STILL);
    moving.measureSwept();
    const truth = sampled(moving, still);
    const [bound] = moving.swept;
    if (n % 2 === 0) exact = Math.max(exact, Math.abs(bound - truth));
    else {
      above = Math.max(above, bound - truth);
      turns.push(moving.pathA.rates[TURN]);
      margins.push(truth - bound);
    }
  }
  return { exact, above, turns, margins };
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
    'A triangle that jumps over a plate in one step, a rod that turns past a pin, a cube that flies 10 m through a plate of 1 mm, and random convex bodies: the least distance on the way and the first touch, beside samples of the motion.',
  equation:
    'Distance of two facets that translate is convex in time: its least value lies between tangents. With a turn θ: distance >= distance(hull of start and end) − ρ(1 − cos(θ/2)). Touch: s advances by (d − d_s)/μ, μ = |v·n| + |ω|ρ.',
  tolerances:
    'Figure 2: rounding. Rod: the touch is one within 1e-9 of the sizes, so the angle is within 1e-9 × 0.21 m / 0.13 m/rad and half a digit. Random translations 1e-9 m: what the search by thirds finds. The bound may not be above the least sample by more than rounding.',
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
    const { exact, above, turns, margins } = randomPairs();
    figures.push(
      atMost(`${PAIRS / 2} translations: |swept − samples|`, 'm', exact, 1e-9),
      atMost(`${PAIRS / 2} turns: bound above the samples`, 'm', Math.max(0, above), 1e-15),
    );
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
          title: 'Random convex bodies that turn: least sample less the bound',
          xLabel: 'turn, rad',
          yLabel: 'margin, m',
          curves: [{ name: 'margin', x: turns, y: margins, kind: 'points' }],
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
