/**
 * Rational B-spline surfaces against openNURBS, by its package `rhino3dm`: points, first and pure second derivatives of a thousand random
 * surfaces to 1e-12. Derivatives are those of its iso-curves, as it has none of surfaces. Where the package is not installed, there is
 * nothing to compare with.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../../src/math/random.ts';
import { makeSurface } from '../../../../src/shapes/surfaces/make-surface.ts';
import { BY_U, BY_UU, BY_V, BY_VV } from '../../../../src/shapes/surfaces/surface.ts';
import { randomSurface } from '../../../../server/validation/surface-samples.ts';

interface List<T> {
  set(at: number, value: T): void;
}
interface OpenNurbsCurve {
  derivativeAt(t: number, count: number): number[][];
  delete(): void;
}
interface OpenNurbsSurface {
  points(): { set(i: number, j: number, homogeneous: number[]): void };
  knotsU(): List<number>;
  knotsV(): List<number>;
  pointAt(u: number, v: number): number[];
  isoCurve(direction: 0 | 1, constant: number): OpenNurbsCurve;
  delete(): void;
}
interface OpenNurbs {
  readonly NurbsSurface: {
    create(
      dimension: number,
      rational: boolean,
      orderU: number,
      orderV: number,
      countU: number,
      countV: number,
    ): OpenNurbsSurface;
  };
}

/** Null where the package is not there. */
async function openNurbs(): Promise<OpenNurbs | null> {
  const name = 'rhino3dm';
  try {
    const { default: start } = (await import(name)) as { default: () => Promise<OpenNurbs> };
    return await start();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

const other = await openNurbs();

test('a thousand random rational surfaces are those of openNURBS to 1e-12', {
  skip: other === null,
}, (t) => {
  assert.ok(other !== null);
  const random = new Random(3);
  const out = new Float64Array(18);
  let worst = 0;
  for (let n = 0; n < 1000; n++) {
    const shape = randomSurface(random);
    const { degreeU, degreeV, knotsU, knotsV, points, weights = [] } = shape;
    const [countU, countV] = [points.length, points[0].length];
    const its = other.NurbsSurface.create(3, true, degreeU + 1, degreeV + 1, countU, countV);
    const net = its.points();
    points.forEach((line, i) => {
      line.forEach(([x, y, z], j) => {
        const w = weights[i][j];
        net.set(i, j, [w * x, w * y, w * z, w]);
      });
    });
    // openNURBS leaves out the first and the last knot
    knotsU.slice(1, -1).forEach((knot, k) => its.knotsU().set(k, knot));
    knotsV.slice(1, -1).forEach((knot, k) => its.knotsV().set(k, knot));
    const ours = makeSurface({ shape });
    for (let k = 0; k < 4; k++) {
      const [u, v] = [knotsU, knotsV].map((knots) => random.uniform() * knots[knots.length - 1]);
      ours.evaluate(Float64Array.of(u, v), out);
      const [alongU, alongV] = [its.isoCurve(0, v), its.isoCurve(1, u)];
      const compare = (from: number, its: readonly number[], what: string): void => {
        // of the size of the surface, 1 m, or of the derivative
        const size = Math.max(1, Math.hypot(...its));
        for (let a = 0; a < 3; a++) {
          const error = Math.abs(out[from + a] - its[a]) / size;
          worst = Math.max(worst, error);
          assert.ok(error < 1e-12, `${what} of surface ${n} at ${u}, ${v}: ${error}`);
        }
      };
      compare(0, its.pointAt(u, v), 'point');
      const [, byU, byUU] = alongU.derivativeAt(u, 2);
      const [, byV, byVV] = alongV.derivativeAt(v, 2);
      compare(BY_U, byU, 'S_u');
      compare(BY_V, byV, 'S_v');
      compare(BY_UU, byUU, 'S_uu');
      compare(BY_VV, byVV, 'S_vv');
      alongU.delete();
      alongV.delete();
    }
    its.delete();
  }
  assert.ok(worst > 0, 'two codes differ in the last bits');
  t.diagnostic(`largest relative difference ${worst}`);
});
