/**
 * The points of an elastic face on body i, undeformed, against a half-space of body j, or a shape: the gap is that of the point that is nearest, or deepest.
 */
import { BerthError } from '../../base/errors.ts';
import {
  expect,
  finite,
  list,
  notNegative,
  plain,
  positive,
  range,
  unit,
} from '../../base/parameter-checks.ts';
import type { Triple } from '../../base/tuples.ts';
import { factorCholesky } from '../../math/cholesky.ts';
import { addRotated3, copy3, rotate3, unrotate3 } from '../../math/vec3.ts';
import type { PatchModel, PatchPairModel } from '../../model/contact-spec.ts';
import type { TriangleMesh } from '../../shapes/triangle-mesh.ts';
import { surfaceTriangles } from '../../shapes/facets.ts';
import type { PosedBody } from '../contact-body.ts';
import { type ContactPair, GAP, NORMAL, type PairDefinition, POINT } from '../pair.ts';
import { halfSpace } from '../pairs/pair-shapes.ts';
import { patchSurface } from './patch-surface.ts';
import { checkTarget, makeTarget, shapesOf, surfaceOf } from './patch-target.ts';
import type { Solid } from './solid-heights.ts';

/** Part of a diagonal element of C below which a pivot is none. */
const LEAST_PIVOT = 1e-13;
/** Deflection over the longest side of the face up to which the body counts as linear. */
const MOST_DEFLECTION = 0.1;

/** The pair. */
export class PatchPlane implements ContactPair {
  /** Null for the half-space. */
  readonly target: Solid | null;
  readonly usesFallback = false;
  readonly offset: number;
  readonly normal: Float64Array;
  private readonly points: Float64Array;
  /** Normal in the frame of body i; [least height over it, place of that point]. */
  private readonly along: Float64Array = new Float64Array(3);
  private readonly place: Float64Array = new Float64Array(3);

  constructor(model: PatchPairModel) {
    this.offset = model.offset;
    this.normal = Float64Array.from(model.normal);
    this.points = Float64Array.from(model.patch.points);
    this.target = model.target === undefined ? null : makeTarget(model.target);
  }

  /** @alloc none */
  compute(i: PosedBody, j: PosedBody, kinematics: Float64Array): void {
    const { points, along } = this;
    if (this.target !== null) {
      this.computeOnTarget(i, j, kinematics, this.target);
      return;
    }
    rotate3(kinematics, NORMAL, j.rotation, this.normal, 0);
    unrotate3(along, 0, i.rotation, kinematics, NORMAL);
    let least = Infinity;
    let at = 0;
    for (let p = 0; p < points.length; p += 3) {
      const height = points[p] * along[0] + points[p + 1] * along[1] + points[p + 2] * along[2];
      if (height >= least) continue;
      least = height;
      at = p;
    }
    copy3(kinematics, POINT, i.state, 0);
    addRotated3(kinematics, POINT, i.rotation, points, at);
    const { state } = j;
    kinematics[GAP] =
      (kinematics[POINT] - state[0]) * kinematics[NORMAL] +
      (kinematics[POINT + 1] - state[1]) * kinematics[NORMAL + 1] +
      (kinematics[POINT + 2] - state[2]) * kinematics[NORMAL + 2] -
      this.offset;
  }

  /** The point that is nearest to the shape, or deepest in it. */
  private computeOnTarget(
    i: PosedBody,
    j: PosedBody,
    kinematics: Float64Array,
    target: Solid,
  ): void {
    const { points, along, place } = this;
    const { gap, normal } = target;
    let least = Infinity;
    for (let p = 0; p < points.length; p += 3) {
      copy3(along, 0, i.state, 0);
      addRotated3(along, 0, i.rotation, points, p);
      for (let a = 0; a < 3; a++) along[a] -= j.state[a];
      unrotate3(place, 0, j.rotation, along, 0);
      target.measure(place, 0);
      if (gap[0] >= least) continue;
      least = gap[0];
      rotate3(kinematics, NORMAL, j.rotation, normal, 0);
      for (let a = 0; a < 3; a++) kinematics[POINT + a] = along[a] + j.state[a];
    }
    kinematics[GAP] = least;
  }
}

/** @throws BerthError naming what is wrong with the numbers of a face */
function checkPatch(patch: PatchModel, field: string): void {
  plain(field, patch);
  const { points, normals, areas, compliance, modes } = patch;
  list(`${field}.areas`, areas);
  list(`${field}.modes`, modes);
  const count = areas.length;
  expect(`${field}.areas`, areas, count >= 1, 'to have a point at least');
  finite(`${field}.areas`, areas, count);
  for (const area of areas) notNegative(`${field}.areas`, area);
  const n = 3 * count;
  finite(`${field}.points`, points, n);
  finite(`${field}.normals`, normals, n);
  finite(`${field}.compliance`, compliance, n * n);
  for (let e = 0; e < n * n; e++) {
    const across = compliance[n * (e % n) + Math.floor(e / n)];
    range(`${field}.compliance`, compliance[e], compliance[e] === across, 'to be symmetric');
  }
  const factors = new Float64Array(n * n);
  const pivot = Float64Array.of(LEAST_PIVOT);
  if (factorCholesky(factors, Float64Array.from(compliance), n, pivot) === 0) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected ${field}.compliance to be positive definite, got a matrix that is not`,
      { field: `${field}.compliance` },
    );
  }
  for (const [k, { frequency, damping, shape }] of modes.entries()) {
    positive(`${field}.modes[${k}].frequency`, frequency);
    const part = damping >= 0 && damping < 1;
    range(`${field}.modes[${k}].damping`, damping, part, 'to lie from 0 to 1');
    finite(`${field}.modes[${k}].shape`, shape, n);
  }
}

/** Longest side of the box around the points, m; infinite for one point. */
function longestSide({ points }: PatchModel): number {
  const sides = [0, 1, 2].map((axis) => {
    const values = points.filter((_, k) => k % 3 === axis);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  });
  const longest = Math.max(...sides);
  return longest > 0 ? longest : Infinity;
}

const drawn = (patch: PatchModel): TriangleMesh =>
  surfaceTriangles(patchSurface(patch, longestSide(patch)));

export const PATCH: PairDefinition<PatchPairModel> = {
  step: 'face',
  supplies: ['compliance'],
  spread: true,
  endless: true,
  check(model, field) {
    checkPatch(model.patch, `${field}.patch`);
    finite(`${field}.normal`, model.normal, 3);
    unit(`${field}.normal`, model.normal);
    range(`${field}.offset`, model.offset, true, 'to be finite');
    if (model.target?.kind === 'face') checkPatch(model.target.patch, `${field}.target.patch`);
    if (model.target !== undefined) checkTarget(model.target, `${field}.target`);
  },
  effectiveRadius: () => 0,
  mostDepth: ({ patch }) => MOST_DEFLECTION * longestSide(patch),
  isEccentric: () => true,
  make: (model) => new PatchPlane(model),
  shapes({ normal, offset, target }) {
    if (target !== undefined) return { i: [], j: shapesOf(target) };
    const [x, y, z] = normal;
    const point: Triple = [x * offset, y * offset, z * offset];
    return { i: [], j: [halfSpace(normal, point)] };
  },
  surfaces: ({ patch, target }) => ({
    i: drawn(patch),
    ...(target?.kind === 'surface' ? { j: surfaceOf(target) } : {}),
    ...(target?.kind === 'face' ? { j: drawn(target.patch) } : {}),
  }),
};
