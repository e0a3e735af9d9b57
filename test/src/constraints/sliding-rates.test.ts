/** How the points of a sliding contact run over their surfaces: `Tasora, (23)` against differences of the feet, and Q made of its rates. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeConstraint } from '../../../src/constraints/make-constraint.ts';
import { MovingSurface } from '../../../src/constraints/moving-surface.ts';
import { advanceQuaternion } from '../../../src/math/quaternion.ts';
import type { SlidingModel } from '../../../src/model/model.ts';
import { BODY_STATE, RigidBody } from '../../../src/multibody/body.ts';
import { BY_U, BY_V } from '../../../src/shapes/surfaces/surface.ts';
import { draws } from '../../../server/validation/constraint-motion.ts';
import { body } from '../../fixtures/models.ts';

type Vector = readonly number[];
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

const MODEL: SlidingModel = {
  kind: 'sliding',
  name: 'tori',
  first: { body: 'a', surface: { shape: { kind: 'torus', majorRadius: 0.3, minorRadius: 0.1 } } },
  second: {
    body: 'b',
    surface: {
      shape: { kind: 'torus', majorRadius: 0.5, minorRadius: 0.2 },
      orientation: [0.6, 0, 0, 0.8],
    },
  },
  start: [0, 0, 0, 0],
};

test('rates of the four parameters by (23) are those of the feet; with them Q is that of the curvatures (T4, T5)', () => {
  for (let seed = 1; seed <= 6; seed++) {
    const draw = draws(seed);
    const bodies = [
      { position: [1.1, 0, 0], orientation: [0, 0, 1, 0] } as const,
      { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const,
    ].map(
      (pose) =>
        new RigidBody(
          body('', 'dynamic', pose),
          new Float64Array(BODY_STATE),
          new Float64Array(BODY_STATE),
        ),
    );
    const parameters = new Float64Array(4);
    const row = makeConstraint(MODEL, bodies[0], bodies[1], new Float64Array(1), parameters);
    const gap = new Float64Array(1);
    row.writeGaps(gap, 0);
    assert.ok(Math.abs(gap[0]) < 1e-15, 'they touch');
    const jacobian = new Float64Array(12);
    row.writeRows(jacobian, new Float64Array(1), 0);
    const velocity = draw(12);
    const along = velocity.reduce((all, v, a) => all + v * jacobian[a], 0);
    for (let a = 0; a < 3; a++) velocity[a] -= along * jacobian[a];
    const starts = bodies.map((one) => one.state.slice());
    const feetAt = (t: number): number[] => {
      bodies.forEach((one, b) => {
        for (let a = 0; a < 3; a++) one.state[a] = starts[b][a] + t * velocity[6 * b + a];
        const spin = Float64Array.from(velocity.slice(6 * b + 3, 6 * b + 6));
        advanceQuaternion(one.state, 3, starts[b], 3, spin, 0, Float64Array.of(t));
        one.refresh();
      });
      row.writeGaps(gap, 0);
      return [...parameters];
    };
    const h = 1e-3; // h⁴ u⁽⁵⁾/30 ≈ 1e-10; feet within 1e-14: 1e-11
    const [p, q, s, t] = [-2, -1, 1, 2].map((k) => feetAt(k * h));
    const differences = p.map((u, k) => (u - 8 * q[k] + 8 * s[k] - t[k]) / (12 * h));
    feetAt(0);
    bodies.forEach((one, b) => {
      one.state.set(velocity.slice(6 * b, 6 * b + 6), 7);
    });
    const [one, two] = [MODEL.first, MODEL.second].map(({ surface }, b) => {
      const made = new MovingSurface(surface, bodies[b]);
      made.place(parameters, 2 * b);
      made.placeRates();
      const vector = (from: Float64Array, at = 0): Vector => [...from.subarray(at, at + 3)];
      const w = velocity.slice(6 * b + 3, 6 * b + 6);
      const r = vector(made.lever);
      return {
        w,
        r,
        v: sum([1, velocity.slice(6 * b, 6 * b + 3)], [1, cross(w, r)]),
        n: vector(made.normal),
        by: [vector(made.world, BY_U), vector(made.world, BY_V)],
        turn: [vector(made.normalByU), vector(made.normalByV)],
      };
    });
    const apart = sum([1, one.v], [-1, two.v]);
    const turning = sum([1, cross(one.w, one.n)], [1, cross(two.w, two.n)]);
    const rows = two.by.flatMap((tangent) => [
      [...one.by, ...two.by.map((x) => sum([-1, x])), sum([-1, apart])].map((x) => dot(tangent, x)),
      [...one.turn, ...two.turn, sum([-1, turning])].map((x) => dot(tangent, x)),
    ]);
    const rates = solved(rows);
    rates.forEach((rate, k) => {
      assert.ok(
        Math.abs(rate - differences[k]) < 1e-8,
        `seed ${seed}, ${k}: ${rate} ${differences[k]}`,
      );
    });
    // Q* with a = x_u u′ + x_v v′ and B a = n_u u′ + n_v v′
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
    const expected = -dot(two.n, sum([1, first], [-1, second])) - bend1 - bend2;
    const curvature = new Float64Array(1);
    row.writeCurvature(curvature, 0);
    assert.ok(
      Math.abs(curvature[0] - expected) < 1e-10,
      `seed ${seed}: ${curvature[0]} ${expected}`,
    );
  }
});
