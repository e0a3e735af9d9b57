/** Force and normal of a box that goes from a face over an edge to a corner, and over the edge of a step. `Gonthier 2007, 4.3.7`. */
import { rotationOf } from '../../../src/math/quaternion.ts';
import { ContactNormal } from '../../../src/overlap/contact-normal.ts';
import { COLUMN, COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import { makeKernel } from '../../../src/overlap/make-kernel.ts';
import type { NormalMethod } from '../../../src/model/volumetric-spec.ts';
import { atMost, curve, type Plot, type ValidationCase } from '../case.ts';

/** Side of the box, m; depth of its lowest corner below the top of the step, m; k_v, N/m³. */
const SIDE = 0.1;
const DEPTH = 2e-3;
const STIFFNESS = 1e9;
const DEGREE = Math.PI / 180;
/** Greatest tilts about x and about y, and how far the lowest corner passes beyond the edge of the step, m. */
const TILT_X = 20 * DEGREE;
const TILT_Y = 25 * DEGREE;
const BEYOND = 2e-3;
const UP = Float64Array.of(0, 0, 1);

/** C2 ramp from 0 to 1 between two values. */
function ramp(s: number, from: number, to: number): number {
  const x = Math.min(1, Math.max(0, (s - from) / (to - from)));
  return x * x * x * (10 - 15 * x + 6 * x * x);
}

interface Path {
  readonly s: number[];
  /** Force on the box, N; unit normal; volume, m³. */
  readonly force: number[][];
  readonly normal: number[][];
}

/** Force and normal at n + 1 places along the path. */
function follow(method: NormalMethod, n: number): Path {
  const kernel = makeKernel(
    { kind: 'box', size: [SIDE, SIDE, SIDE] },
    { kind: 'box', size: [1, 1, 1] },
    'auto',
  );
  const finder = new ContactNormal(method);
  const column = new Float64Array(COLUMN_SIZE);
  const box = new Float64Array(12);
  const previous = new Float64Array(3);
  // the step: top z = 0, edge y = 0
  const step = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -0.5, -0.5);
  const path: Path = { s: [], force: [], normal: [] };
  for (let k = 0; k <= n; k++) {
    const s = k / n;
    pose(box, s);
    kernel.compute(box, step, column);
    finder.find(column, previous, UP);
    previous.set(finder.normal);
    path.s.push(s);
    path.normal.push([...finder.normal]);
    path.force.push([...finder.normal].map((one) => STIFFNESS * column[COLUMN.volume] * one));
  }
  return path;
}

/** Flat at s = 0; tilted about x, then about y; the lowest corner at the depth DEPTH, moving over the edge towards the end. */
function pose(box: Float64Array, s: number): void {
  const a = 0.5 * TILT_X * ramp(s, 0, 0.4);
  const b = 0.5 * TILT_Y * ramp(s, 0.35, 0.75);
  // turned about y after x; a negative tilt about x lowers the side towards the edge of the step
  const [ca, sa, cb, sb] = [Math.cos(a), -Math.sin(a), Math.cos(b), Math.sin(b)];
  rotationOf(box, Float64Array.of(cb * sa, sb * ca, -sb * sa, cb * ca), 0);
  const half = SIDE / 2;
  const corner = [half, half, -half];
  const at = [0, 1, 2].map(
    (r) => box[3 * r] * corner[0] + box[3 * r + 1] * corner[1] + box[3 * r + 2] * corner[2],
  );
  const y = -0.03 + (0.03 + BEYOND) * ramp(s, 0.5, 1);
  box[9] = 0;
  box[10] = y - at[1];
  box[11] = -DEPTH - at[2];
}

/** Largest change from one place to the next. */
function largestStep(rows: readonly number[][]): number {
  let largest = 0;
  for (let k = 1; k < rows.length; k++) {
    largest = Math.max(largest, Math.hypot(...rows[k].map((value, a) => value - rows[k - 1][a])));
  }
  return largest;
}

const PLACES = 1000;
const METHODS: readonly (readonly [NormalMethod, string])[] = [
  ['principal-axis', 'principal axis'],
  ['vector-area', 'vector area'],
];
const AXES = ['x', 'y', 'z'];
/** From here on the box goes over to a corner; the force of the face is 500 times as large. */
const CORNER = 0.5;

export const smoothContactCase: ValidationCase = {
  name: 'smooth-contact',
  title: 'Box from face to edge to corner over a step: force and normal',
  source: 'Gonthier 2007, 4.3.7',
  description:
    'A box of 0.1 m lies 2 mm deep on a step, is tilted by 20° onto an edge, then by 25° onto a corner, and the corner moves over the edge of the step by 2 mm. 1000 and 4000 places along the path; both normals.',
  equation:
    'f = k_v V n; a function without jumps changes a quarter as much from place to place on four times as many places.',
  tolerances:
    'Largest step on 4000 places over that on 1000: 1/4 for a smooth curve, 1 for one with a jump; 0.4 leaves room for a bend between two places. The normal may turn by at most 0.05 from place to place: the path turns the box by 45° = 0.8.',
  run() {
    const runs = METHODS.map(([method, name]) => ({
      name,
      coarse: follow(method, PLACES),
      fine: follow(method, 4 * PLACES),
    }));
    const plot = (
      title: string,
      yLabel: string,
      from: number,
      rows: (path: Path) => readonly number[][],
    ): Plot => ({
      title,
      xLabel: 'along the path, 1',
      yLabel,
      curves: runs.flatMap(({ name, fine }) =>
        AXES.map((axis, a) => {
          const start = fine.s.findIndex((s) => s >= from);
          const y = rows(fine).map((row) => row[a]);
          return curve(`${name}, ${axis}`, fine.s.slice(start), y.slice(start));
        }),
      ),
    });
    return {
      figures: runs.flatMap(({ name, coarse, fine }) => [
        atMost(`${name}: largest step of the normal`, '1', largestStep(coarse.normal), 0.05),
        atMost(
          `${name}: the same on four times as many places, ratio`,
          '1',
          largestStep(fine.normal) / largestStep(coarse.normal),
          0.4,
        ),
        atMost(
          `${name}: largest step of the force on four times as many places, ratio`,
          '1',
          largestStep(fine.force) / largestStep(coarse.force),
          0.4,
        ),
      ]),
      plots: [
        plot('Normal along the path', 'component, 1', 0, ({ normal }) => normal),
        plot('Force on the box along the path', 'force, N', 0, ({ force }) => force),
        plot('Force on the box from the corner on', 'force, N', CORNER, ({ force }) => force),
      ],
    };
  },
};
