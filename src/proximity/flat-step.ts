/**
 * The step of two features that have no curvature against each other, as of two flat faces, of which Newton's equations give none: f goes
 * where the gap falls most, as far as a step may be, and the face g follows below it. Parallel features stay where they are: each of their
 * places is as near as the others.
 */
import { BY_U, BY_V } from '../shapes/surfaces/surface.ts';
import type { FeaturePoint } from './feature-point.ts';

/** Slope of the gap below which two features are parallel. */
const PARALLEL = 1e-10;

/** Way of f over its surface, and of what g is to follow. */
const way: Float64Array = new Float64Array(3);
const solved: Float64Array = new Float64Array(2);

/**
 * Fills `change`, columns in the order i, j; false for a vertex.
 * @param sign 1 where f is of body i, −1 where it is of j
 * @param d I − J, m @param n outward normal of g @param most [length of a step, m]
 * @alloc none
 */
export function writeFlatStep(
  change: Float64Array,
  f: FeaturePoint,
  g: FeaturePoint,
  sign: 1 | -1,
  d: Float64Array,
  n: Float64Array,
  most: Float64Array,
): boolean {
  const count = f.kind;
  if (count === 0) return false;
  for (let a = 0; a < 3; a++) way[a] = -n[a];
  project(f.out, count, way);
  let square = 0;
  for (let a = 0; a < 3; a++) {
    way[a] = solved[0] * f.out[BY_U + a] + (count > 1 ? solved[1] * f.out[BY_V + a] : 0);
    square += way[a] * way[a];
  }
  const scale = square > PARALLEL * PARALLEL ? most[0] / Math.sqrt(square) : 0;
  const ofF = sign > 0 ? 0 : 2;
  for (let c = 0; c < count; c++) change[ofF + c] = scale * solved[c];
  for (let a = 0; a < 3; a++) way[a] = scale * way[a] + sign * d[a];
  project(g.out, 2, way);
  const ofG = sign > 0 ? count : 0;
  for (let c = 0; c < 2; c++) change[ofG + c] = solved[c];
  return true;
}

/** solved := parameters of the part of `vector` in the tangents, of which there are one or two. */
function project(s: Float64Array, count: number, vector: Float64Array): void {
  let uu = 0;
  let uv = 0;
  let vv = 0;
  let u = 0;
  let v = 0;
  for (let a = 0; a < 3; a++) {
    uu += s[BY_U + a] * s[BY_U + a];
    u += s[BY_U + a] * vector[a];
    if (count === 1) continue;
    uv += s[BY_U + a] * s[BY_V + a];
    vv += s[BY_V + a] * s[BY_V + a];
    v += s[BY_V + a] * vector[a];
  }
  const determinant = uu * vv - uv * uv;
  solved[0] = count === 1 ? u / uu : (vv * u - uv * v) / determinant;
  solved[1] = count === 1 ? 0 : (uu * v - uv * u) / determinant;
}
