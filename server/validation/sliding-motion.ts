/** A sliding contact of two bodies in motion: its row, how its feet run by differences, and by the equations of the source. `Tasora, (16)–(23), (Q*)`. */
import type { Constraint } from '../../src/constraints/constraint.ts';
import { makeConstraint } from '../../src/constraints/make-constraint.ts';
import { MovingSurface } from '../../src/constraints/moving-surface.ts';
import { advanceQuaternion } from '../../src/math/quaternion.ts';
import type { SlidingModel, SurfaceSpec, Triple } from '../../src/model/model.ts';
import { BODY_STATE, RigidBody } from '../../src/multibody/body.ts';
import { BY_U, BY_V } from '../../src/shapes/surfaces/surface.ts';
import { attitude, draws } from './constraint-motion.ts';
import { bodyModel } from './world-models.ts';

type Vector = readonly number[];
const UNIT_TIME = Float64Array.of(1);

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Vector, b: Vector): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
const sum = (...terms: readonly (readonly [number, Vector])[]): Vector =>
  [0, 1, 2].map((k) => terms.reduce((all, [factor, v]) => all + factor * v[k], 0));

/** x of A x = b by elimination with pivots, rows of four and their right side. */
function solved(rows: number[][]): number[] {
  for (let k = 0; k < 4; k++) {
    const best = rows.slice(k).reduce((p, row) => (Math.abs(row[k]) > Math.abs(p[k]) ? row : p));
    rows.splice(rows.indexOf(best), 1);
    rows.splice(k, 0, best);
    for (const row of rows) {
      if (row === best) continue;
      const factor = row[k] / best[k];
      for (let c = k; c < 5; c++) row[c] -= factor * best[c];
    }
  }
  return rows.map((row, k) => row[4] / row[k]);
}

/** A free body in a state p q v w. */
export function bodyIn(motion: Vector): RigidBody {
  const made = new RigidBody(
    bodyModel('', 'dynamic'),
    new Float64Array(BODY_STATE),
    new Float64Array(BODY_STATE),
  );
  made.state.set(motion);
  made.refresh();
  return made;
}

/** A sliding contact of two surfaces. */
export function slidingOf(
  first: SurfaceSpec,
  second: SurfaceSpec,
  start: SlidingModel['start'],
): SlidingModel {
  return {
    kind: 'sliding',
    name: 'touch',
    first: { body: 'a', surface: first },
    second: { body: 'b', surface: second },
    start,
  };
}

/** Gap, twelve numbers of J, and Q of a sliding contact of two bodies in states. @throws BerthError of a contact that is refused */
export function rowOf(model: SlidingModel, motions: readonly Vector[]): readonly number[] {
  const [a, b] = motions.map(bodyIn);
  const made = makeConstraint(model, a, b, new Float64Array(1), new Float64Array(4));
  const gap = new Float64Array(1);
  const jacobian = new Float64Array(12);
  const curvature = new Float64Array(1);
  made.writeGaps(gap, 0);
  made.writeRows(jacobian, new Float64Array(1), 0);
  made.writeCurvature(curvature, 0);
  return [...gap, ...jacobian, ...curvature];
}

/** A torus from outside on another one: four different curvatures, turned against each other. */
export const TORI: SlidingModel = slidingOf(
  { shape: { kind: 'torus', majorRadius: 0.3, minorRadius: 0.1 } },
  {
    shape: { kind: 'torus', majorRadius: 0.5, minorRadius: 0.2 },
    orientation: [0.6, 0, 0, 0.8],
  },
  [0, 0, 0, 0],
);

/** Two tori that touch and slide, roll and spin over each other at random, by parabolas in place and rotation vector. */
export class SlidingTori {
  readonly bodies: readonly RigidBody[];
  readonly row: Constraint;
  /** J at time 0. */
  readonly jacobian: Float64Array = new Float64Array(12);
  readonly velocity: number[];
  readonly acceleration: number[];
  /** Four parameters of the feet, of the present time. */
  readonly feet: Float64Array = new Float64Array(4);
  readonly #starts: readonly Float64Array[];
  readonly #gap: Float64Array = new Float64Array(1);

  constructor(seed: number) {
    const draw = draws(seed);
    const [x, y, z, w] = attitude(draw);
    // the first stands on the x axis of both, which the common attitude turns; half a turn about z shows the second its outside
    const far: Triple = [
      1.1 * (1 - 2 * (y * y + z * z)),
      1.1 * 2 * (x * y + z * w),
      1.1 * 2 * (x * z - y * w),
    ];
    const still = [0, 0, 0, 0, 0, 0];
    this.bodies = [
      bodyIn([...far, y, -x, w, -z, ...still]),
      bodyIn([0, 0, 0, x, y, z, w, ...still]),
    ];
    const [a, b] = this.bodies;
    this.row = makeConstraint(TORI, a, b, new Float64Array(1), this.feet);
    this.row.writeGaps(this.#gap, 0);
    this.row.writeRows(this.jacobian, new Float64Array(1), 0);
    for (let k = 0; k < 3; k++) a.state[k] -= this.#gap[0] * this.jacobian[k];
    this.row.writeRows(this.jacobian, new Float64Array(1), 0);
    this.velocity = draw(12);
    this.acceleration = draw(12);
    // on the row: the tangential velocities are free
    const along = dot(this.velocity, [...this.jacobian]);
    for (let k = 0; k < 3; k++) this.velocity[k] -= along * this.jacobian[k];
    this.#starts = this.bodies.map((one) => one.state.slice());
  }

  /** Puts the bodies where they are at a time, and gives the gap, m. */
  gapAt(t: number): number {
    this.bodies.forEach((one, k) => {
      const at = (a: number): number =>
        t * this.velocity[6 * k + a] + 0.5 * t * t * this.acceleration[6 * k + a];
      for (let a = 0; a < 3; a++) one.state[a] = this.#starts[k][a] + at(a);
      const way = Float64Array.of(at(3), at(4), at(5));
      advanceQuaternion(one.state, 3, this.#starts[k], 3, way, 0, UNIT_TIME);
      one.state.set(this.velocity.slice(6 * k, 6 * k + 6), 7);
      one.refresh();
    });
    this.row.writeGaps(this.#gap, 0);
    return this.#gap[0];
  }

  /** Rates of the parameters by differences of fourth order, and what J a − Q is above the second difference of the gap. */
  differences(h: number): { readonly rates: number[]; readonly second: number } {
    const at = [-2, -1, 0, 1, 2].map((k) => ({ gap: this.gapAt(k * h), feet: [...this.feet] }));
    const [p, q, , s, t] = at.map(({ feet }) => feet);
    const [a, b, c, d, e] = at.map(({ gap }) => gap);
    const second = (-a - e + 16 * (b + d) - 30 * c) / (12 * h * h);
    const expected = dot(this.acceleration, [...this.jacobian]) - this.curvature();
    return {
      rates: p.map((u, k) => (u - 8 * q[k] + 8 * s[k] - t[k]) / (12 * h)),
      second: expected - second,
    };
  }

  /** Q at time 0, m/s². */
  curvature(): number {
    const out = new Float64Array(1);
    this.gapAt(0);
    this.row.writeCurvature(out, 0);
    return out[0];
  }

  /**
   * Rates of the parameters by (23), Q with a = x_u u′ + x_v v′ and B a = n_u u′ + n_v v′, and what parameters that accelerate by
   * 1/s² would add to Q.
   */
  equations(): { readonly rates: number[]; readonly q: number; readonly tangential: number } {
    this.gapAt(0);
    const [one, two] = [TORI.first, TORI.second].map(({ surface }, b) => {
      const made = new MovingSurface(surface, this.bodies[b]);
      made.place(this.feet, 2 * b);
      made.placeRates();
      const vector = (from: Float64Array, at = 0): Vector => [...from.subarray(at, at + 3)];
      const w = this.velocity.slice(6 * b + 3, 6 * b + 6);
      const r = vector(made.lever);
      return {
        w,
        r,
        v: sum([1, this.velocity.slice(6 * b, 6 * b + 3)], [1, cross(w, r)]),
        n: vector(made.normal),
        by: [vector(made.world, BY_U), vector(made.world, BY_V)],
        turn: [vector(made.normalByU), vector(made.normalByV)],
      };
    });
    const apart = sum([1, one.v], [-1, two.v]);
    const turning = sum([1, cross(one.w, one.n)], [1, cross(two.w, two.n)]);
    const rates = solved(
      two.by.flatMap((tangent) => [
        [...one.by, ...two.by.map((x) => sum([-1, x])), sum([-1, apart])].map((x) =>
          dot(tangent, x),
        ),
        [...one.turn, ...two.turn, sum([-1, turning])].map((x) => dot(tangent, x)),
      ]),
    );
    const ofBody = (
      { w, r, by, turn }: typeof one,
      u: number,
      v: number,
    ): readonly [Vector, number] => {
      const a = sum([u, by[0]], [v, by[1]]);
      const bend = dot(a, sum([u, turn[0]], [v, turn[1]]));
      return [sum([1, cross(w, cross(w, r))], [2, cross(w, a)]), bend];
    };
    const [first, bend1] = ofBody(one, rates[0], rates[1]);
    const [second, bend2] = ofBody(two, rates[2], rates[3]);
    const tangential = [...one.by, ...two.by].map((x) => Math.abs(dot(two.n, x)));
    return {
      rates,
      q: -dot(two.n, sum([1, first], [-1, second])) - bend1 - bend2,
      tangential: Math.max(...tangential),
    };
  }
}
