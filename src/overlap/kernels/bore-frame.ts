/**
 * Axes of a round body and a bore: a along the body, t in the plane of both axes, n across (bore-section.ts), and the pose of the
 * bore in them. Bodies that are parallel to the bore take their own x for t.
 */
import { ORIGIN } from '../kernel.ts';
import { BORE } from './bore-section.ts';

/** Tilt below which a body is parallel to the bore: 1e-14 of its length in depth. */
const PARALLEL = 1e-14;

/**
 * Writes the axes t, n, a in the world and the origin of the body to `frame`, laid out as a placement, and the pose of the bore to `pose`.
 * @alloc none
 */
export function placeBore(
  i: Float64Array,
  j: Float64Array,
  frame: Float64Array,
  pose: Float64Array,
): void {
  const f = frame;
  const ax = i[2];
  const ay = i[5];
  const az = i[8];
  let cosine = ax * j[2] + ay * j[5] + az * j[8];
  // the bore has no sense along its axis
  const sense = cosine < 0 ? -1 : 1;
  cosine *= sense;
  let x = sense * j[2] - cosine * ax;
  let y = sense * j[5] - cosine * ay;
  let z = sense * j[8] - cosine * az;
  // once more, for orthogonality
  const rest = x * ax + y * ay + z * az;
  x -= rest * ax;
  y -= rest * ay;
  z -= rest * az;
  let sine = Math.sqrt(x * x + y * y + z * z);
  if (sine > PARALLEL) {
    x /= sine;
    y /= sine;
    z /= sine;
  } else {
    sine = 0;
    cosine = 1;
    x = i[0];
    y = i[3];
    z = i[6];
  }
  const nx = ay * z - az * y;
  const ny = az * x - ax * z;
  const nz = ax * y - ay * x;
  const ox = j[ORIGIN] - i[ORIGIN];
  const oy = j[ORIGIN + 1] - i[ORIGIN + 1];
  const oz = j[ORIGIN + 2] - i[ORIGIN + 2];
  pose[BORE.cosine] = cosine;
  pose[BORE.sine] = sine;
  pose[BORE.across] = ox * nx + oy * ny + oz * nz;
  // (b × n) is c t − s a
  pose[BORE.along] = cosine * (ox * x + oy * y + oz * z) - sine * (ox * ax + oy * ay + oz * az);
  pose[BORE.height] = cosine * (ox * ax + oy * ay + oz * az) + sine * (ox * x + oy * y + oz * z);
  pose[BORE.sense] = sense;
  f[0] = x;
  f[3] = y;
  f[6] = z;
  f[1] = nx;
  f[4] = ny;
  f[7] = nz;
  f[2] = ax;
  f[5] = ay;
  f[8] = az;
  for (let k = 0; k < 3; k++) f[ORIGIN + k] = i[ORIGIN + k];
}
