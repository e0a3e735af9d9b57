/** How the positions of a tree change: joints, modes and rotors by their rates, orientations by their angular velocities. */
import { advanceQuaternion, normalizeQuaternion } from '../../math/quaternion.ts';
import { FREE, SPHERICAL, type TreeLink } from './tree-link.ts';

/** out := rates of change of the positions `q` at the rates `u`. @alloc none */
export function computePositionRates(
  links: readonly TreeLink[],
  q: Float64Array,
  u: Float64Array,
  out: Float64Array,
): void {
  for (let i = 0; i < links.length; i++) {
    const { kind, places } = links[i];
    const { position, rate, modePosition, modeRate, modes, rotorPosition, rotorRate } = places;
    for (let k = 0; k < modes[0] + modes[1]; k++) out[modePosition + k] = u[modeRate + k];
    if (rotorRate >= 0) out[rotorPosition] = u[rotorRate];
    if (kind < SPHERICAL) {
      for (let k = 0; k < places.freedoms; k++) out[position + k] = u[rate + k];
      continue;
    }
    let o = position;
    let k = rate;
    if (kind === FREE) {
      for (let e = 0; e < 3; e++) out[o + e] = u[k + e];
      o += 3;
      k += 3;
    }
    // q' = (w, 0) q / 2
    out[o] = 0.5 * (u[k] * q[o + 3] + u[k + 1] * q[o + 2] - u[k + 2] * q[o + 1]);
    out[o + 1] = 0.5 * (u[k + 1] * q[o + 3] + u[k + 2] * q[o] - u[k] * q[o + 2]);
    out[o + 2] = 0.5 * (u[k + 2] * q[o + 3] + u[k] * q[o + 1] - u[k + 1] * q[o]);
    out[o + 3] = -0.5 * (u[k] * q[o] + u[k + 1] * q[o + 1] + u[k + 2] * q[o + 2]);
  }
}

/** Moves the positions `q` on by timing[0] with the rates `u`; orientations by the exponential map. @alloc none */
export function advancePositions(
  links: readonly TreeLink[],
  q: Float64Array,
  u: Float64Array,
  timing: Float64Array,
): void {
  const h = timing[0];
  for (let i = 0; i < links.length; i++) {
    const { kind, places } = links[i];
    const { position, rate, modePosition, modeRate, modes, rotorPosition, rotorRate } = places;
    for (let k = 0; k < modes[0] + modes[1]; k++) q[modePosition + k] += h * u[modeRate + k];
    if (rotorRate >= 0) q[rotorPosition] += h * u[rotorRate];
    if (kind === FREE) {
      for (let e = 0; e < 3; e++) q[position + e] += h * u[rate + e];
      advanceQuaternion(q, position + 3, q, position + 3, u, rate + 3, timing);
    } else if (kind === SPHERICAL) {
      advanceQuaternion(q, position, q, position, u, rate, timing);
    } else {
      for (let k = 0; k < places.freedoms; k++) q[position + k] += h * u[rate + k];
    }
  }
}

/** Scales the orientations among the positions to unit length. @alloc none */
export function normalizePositions(links: readonly TreeLink[], q: Float64Array): void {
  for (let i = 0; i < links.length; i++) {
    const { kind, places } = links[i];
    if (kind === FREE) normalizeQuaternion(q, places.position + 3);
    else if (kind === SPHERICAL) normalizeQuaternion(q, places.position);
  }
}
