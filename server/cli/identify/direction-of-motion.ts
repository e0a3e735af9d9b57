/** The line along which a tool moved on its plate. */

/**
 * Unit vector of the longest spread of the places under load, each weighted by the square of its load; its larger component is positive.
 * For a spread p of the places along the line and a noise σ of each it is off by about σ/(p √n), which shows in the second order.
 */
export function directionOfMotion(
  u: readonly number[],
  v: readonly number[],
  load: readonly number[],
): readonly [number, number] {
  let [sum, mu, mv] = [0, 0, 0];
  const weights = load.map((one) => Math.max(0, one) ** 2);
  for (const [i, weight] of weights.entries()) {
    sum += weight;
    mu += weight * u[i];
    mv += weight * v[i];
  }
  if (!(sum > 0)) return [1, 0];
  let [uu, uv, vv] = [0, 0, 0];
  for (const [i, weight] of weights.entries()) {
    const [du, dv] = [u[i] - mu / sum, v[i] - mv / sum];
    uu += weight * du * du;
    uv += weight * du * dv;
    vv += weight * dv * dv;
  }
  const angle = 0.5 * Math.atan2(2 * uv, uu - vv);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const sign = (Math.abs(c) >= Math.abs(s) ? c : s) < 0 ? -1 : 1;
  return [sign * c, sign * s];
}
