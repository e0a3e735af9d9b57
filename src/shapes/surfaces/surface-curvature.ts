/**
 * How the outward normal n of a surface turns, and its curvature, from what `Surface.evaluate` wrote and n:
 *
 *   n_u = (N_u − n (n·N_u))/(N·n)  with N = S_u × S_v and N_u = S_uu × S_v + S_u × S_uv; v alike
 *   B = E⁻ᵀ L E⁻¹  with L = −n·S_ab and E = Tᵀ (S_u, S_v) for two unit tangents T: convex positive, 1/m
 */
import { BY_U, BY_UU, BY_UV, BY_V, BY_VV } from './surface.ts';

/**
 * Length by which curvatures of contacts are judged, m: below k_2 L = 1e-3 the place runs fast, below 1e-6 it is a line or an area. `Tasora, 10`
 */
export const CURVATURE_LENGTH = 0.01;

/** out[o … o + 5] := n_u and n_v. @alloc none */
export function writeNormalRates(
  out: Float64Array,
  o: number,
  s: Float64Array,
  n: Float64Array,
): void {
  const nx = n[0];
  const ny = n[1];
  const nz = n[2];
  const ux = s[BY_U];
  const uy = s[BY_U + 1];
  const uz = s[BY_U + 2];
  const vx = s[BY_V];
  const vy = s[BY_V + 1];
  const vz = s[BY_V + 2];
  const inverse =
    1 / ((uy * vz - uz * vy) * nx + (uz * vx - ux * vz) * ny + (ux * vy - uy * vx) * nz);
  // N_u of S_uu and S_uv, N_v of S_uv and S_vv
  let k = BY_UU;
  for (let at = o; at <= o + 3; at += 3) {
    const ax = s[k];
    const ay = s[k + 1];
    const az = s[k + 2];
    const bx = s[k + 3];
    const by = s[k + 4];
    const bz = s[k + 5];
    const x = ay * vz - az * vy + (uy * bz - uz * by);
    const y = az * vx - ax * vz + (uz * bx - ux * bz);
    const z = ax * vy - ay * vx + (ux * by - uy * bx);
    const along = x * nx + y * ny + z * nz;
    out[at] = (x - along * nx) * inverse;
    out[at + 1] = (y - along * ny) * inverse;
    out[at + 2] = (z - along * nz) * inverse;
    k = BY_UV;
  }
}

/** out := 11, 12, 22 of B in two unit tangents; not finite where S_u and S_v are parallel. @alloc none */
export function writeCurvature(
  out: Float64Array,
  s: Float64Array,
  n: Float64Array,
  tangents: Float64Array,
): void {
  let uu = 0.0;
  let uv = 0.0;
  let vv = 0.0;
  let u1 = 0.0;
  let u2 = 0.0;
  let v1 = 0.0;
  let v2 = 0.0;
  for (let a = 0; a < 3; a++) {
    uu -= n[a] * s[BY_UU + a];
    uv -= n[a] * s[BY_UV + a];
    vv -= n[a] * s[BY_VV + a];
    u1 += tangents[a] * s[BY_U + a];
    u2 += tangents[3 + a] * s[BY_U + a];
    v1 += tangents[a] * s[BY_V + a];
    v2 += tangents[3 + a] * s[BY_V + a];
  }
  const inverse = 1 / (u1 * v2 - v1 * u2);
  const squared = inverse * inverse;
  out[0] = (uu * v2 * v2 - 2 * uv * v2 * u2 + vv * u2 * u2) * squared;
  out[1] = (-uu * v1 * v2 + uv * (u1 * v2 + v1 * u2) - vv * u1 * u2) * squared;
  out[2] = (uu * v1 * v1 - 2 * uv * u1 * v1 + vv * u1 * u1) * squared;
}
