/**
 * How the outward normal n of a surface turns, and its curvature, from what `Surface.evaluate` wrote and n:
 *
 *   n_u = (N_u − n (n·N_u))/(N·n)  with N = S_u × S_v and N_u = S_uu × S_v + S_u × S_uv; v alike
 *   B = E⁻ᵀ L E⁻¹  with L = −n·S_ab and E = Tᵀ (S_u, S_v) for two unit tangents T: convex positive, 1/m
 */
import { BY_U, BY_UU, BY_UV, BY_V, BY_VV } from './surface.ts';

/** out[o … o + 5] := n_u and n_v. @alloc none */
export function writeNormalRates(
  out: Float64Array,
  o: number,
  s: Float64Array,
  n: Float64Array,
): void {
  let length = 0.0;
  for (let a = 0; a < 3; a++) {
    const b = a === 2 ? 0 : a + 1;
    const c = a === 0 ? 2 : a - 1;
    length += (s[BY_U + b] * s[BY_V + c] - s[BY_U + c] * s[BY_V + b]) * n[a];
    out[o + a] =
      s[BY_UU + b] * s[BY_V + c] -
      s[BY_UU + c] * s[BY_V + b] +
      (s[BY_U + b] * s[BY_UV + c] - s[BY_U + c] * s[BY_UV + b]);
    out[o + 3 + a] =
      s[BY_UV + b] * s[BY_V + c] -
      s[BY_UV + c] * s[BY_V + b] +
      (s[BY_U + b] * s[BY_VV + c] - s[BY_U + c] * s[BY_VV + b]);
  }
  for (let k = o; k < o + 6; k += 3) {
    const along = out[k] * n[0] + out[k + 1] * n[1] + out[k + 2] * n[2];
    for (let a = 0; a < 3; a++) out[k + a] = (out[k + a] - along * n[a]) / length;
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
