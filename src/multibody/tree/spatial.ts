/**
 * Spatial vectors about one point fixed in space for the instant, world axes: a motion is (velocity of the body's point that is there,
 * angular velocity), a force (force, moment about the point). Inertias are ten numbers: mass, first moment (x, y, z), second moments
 * (xx, yy, zz, xy, xz, yz as in an inertia matrix). `Featherstone 2008, 2`. Nothing here allocates.
 */

/** Length of an inertia. */
export const INERTIA = 10;

/** out := I x, the momentum of an inertia in the motion x. */
export function applyInertia(
  out: Float64Array,
  o: number,
  inertia: Float64Array,
  x: Float64Array,
  i: number,
): void {
  const m = inertia[0];
  const hx = inertia[1];
  const hy = inertia[2];
  const hz = inertia[3];
  const vx = x[i];
  const vy = x[i + 1];
  const vz = x[i + 2];
  const wx = x[i + 3];
  const wy = x[i + 4];
  const wz = x[i + 5];
  out[o] = m * vx + wy * hz - wz * hy;
  out[o + 1] = m * vy + wz * hx - wx * hz;
  out[o + 2] = m * vz + wx * hy - wy * hx;
  out[o + 3] = hy * vz - hz * vy + inertia[4] * wx + inertia[7] * wy + inertia[8] * wz;
  out[o + 4] = hz * vx - hx * vz + inertia[7] * wx + inertia[5] * wy + inertia[9] * wz;
  out[o + 5] = hx * vy - hy * vx + inertia[8] * wx + inertia[9] * wy + inertia[6] * wz;
}

/** out := I a + v ×* I v, the force that an inertia takes with the motion v and the acceleration a. */
export function balanceForce(
  out: Float64Array,
  inertia: Float64Array,
  a: Float64Array,
  v: Float64Array,
): void {
  const m = inertia[0];
  const hx = inertia[1];
  const hy = inertia[2];
  const hz = inertia[3];
  const xx = inertia[4];
  const yy = inertia[5];
  const zz = inertia[6];
  const xy = inertia[7];
  const xz = inertia[8];
  const yz = inertia[9];
  const vx = v[0];
  const vy = v[1];
  const vz = v[2];
  const wx = v[3];
  const wy = v[4];
  const wz = v[5];
  // momentum
  const px = m * vx + wy * hz - wz * hy;
  const py = m * vy + wz * hx - wx * hz;
  const pz = m * vz + wx * hy - wy * hx;
  const lx = hy * vz - hz * vy + xx * wx + xy * wy + xz * wz;
  const ly = hz * vx - hx * vz + xy * wx + yy * wy + yz * wz;
  const lz = hx * vy - hy * vx + xz * wx + yz * wy + zz * wz;
  const ax = a[0];
  const ay = a[1];
  const az = a[2];
  const bx = a[3];
  const by = a[4];
  const bz = a[5];
  out[0] = m * ax + by * hz - bz * hy + (wy * pz - wz * py);
  out[1] = m * ay + bz * hx - bx * hz + (wz * px - wx * pz);
  out[2] = m * az + bx * hy - by * hx + (wx * py - wy * px);
  out[3] =
    hy * az - hz * ay + xx * bx + xy * by + xz * bz + (wy * lz - wz * ly + vy * pz - vz * py);
  out[4] =
    hz * ax - hx * az + xy * bx + yy * by + yz * bz + (wz * lx - wx * lz + vz * px - vx * pz);
  out[5] =
    hx * ay - hy * ax + xz * bx + yz * by + zz * bz + (wx * ly - wy * lx + vx * py - vy * px);
}

/** out := v × x for motions: how x, fixed in a body that moves with v, changes. `out` may be neither. */
export function crossMotion(
  out: Float64Array,
  o: number,
  v: Float64Array,
  x: Float64Array,
  i: number,
): void {
  const wx = v[3];
  const wy = v[4];
  const wz = v[5];
  out[o] = wy * x[i + 2] - wz * x[i + 1] + v[1] * x[i + 5] - v[2] * x[i + 4];
  out[o + 1] = wz * x[i] - wx * x[i + 2] + v[2] * x[i + 3] - v[0] * x[i + 5];
  out[o + 2] = wx * x[i + 1] - wy * x[i] + v[0] * x[i + 4] - v[1] * x[i + 3];
  out[o + 3] = wy * x[i + 5] - wz * x[i + 4];
  out[o + 4] = wz * x[i + 3] - wx * x[i + 5];
  out[o + 5] = wx * x[i + 4] - wy * x[i + 3];
}

/** out += v ×* p: how the momentum p, fixed in a body that moves with v, changes. */
export function addCrossForce(out: Float64Array, v: Float64Array, p: Float64Array): void {
  const wx = v[3];
  const wy = v[4];
  const wz = v[5];
  out[0] += wy * p[2] - wz * p[1];
  out[1] += wz * p[0] - wx * p[2];
  out[2] += wx * p[1] - wy * p[0];
  out[3] += wy * p[5] - wz * p[4] + v[1] * p[2] - v[2] * p[1];
  out[4] += wz * p[3] - wx * p[5] + v[2] * p[0] - v[0] * p[2];
  out[5] += wx * p[4] - wy * p[3] + v[0] * p[1] - v[1] * p[0];
}

/**
 * out := the inertia about `origin`, world axes, of a body with `mass[0]`, first moment `moment` and inertia matrix `tensor` about its own
 * frame, in the axes of that frame, which is turned by `rotation` and stands at `position`.
 */
export function placeInertia(
  out: Float64Array,
  mass: Float64Array,
  moment: Float64Array,
  tensor: Float64Array,
  rotation: Float64Array,
  position: Float64Array,
  origin: Float64Array,
): void {
  const m = mass[0];
  const r = rotation;
  const x = position[0] - origin[0];
  const y = position[1] - origin[1];
  const z = position[2] - origin[2];
  const cx = r[0] * moment[0] + r[1] * moment[1] + r[2] * moment[2];
  const cy = r[3] * moment[0] + r[4] * moment[1] + r[5] * moment[2];
  const cz = r[6] * moment[0] + r[7] * moment[1] + r[8] * moment[2];
  out[0] = m;
  out[1] = cx + m * x;
  out[2] = cy + m * y;
  out[3] = cz + m * z;
  // rotated tensor, row by row
  const ax = r[0] * tensor[0] + r[1] * tensor[3] + r[2] * tensor[6];
  const ay = r[0] * tensor[1] + r[1] * tensor[4] + r[2] * tensor[7];
  const az = r[0] * tensor[2] + r[1] * tensor[5] + r[2] * tensor[8];
  const bx = r[3] * tensor[0] + r[4] * tensor[3] + r[5] * tensor[6];
  const by = r[3] * tensor[1] + r[4] * tensor[4] + r[5] * tensor[7];
  const bz = r[3] * tensor[2] + r[4] * tensor[5] + r[5] * tensor[8];
  const dx = r[6] * tensor[0] + r[7] * tensor[3] + r[8] * tensor[6];
  const dy = r[6] * tensor[1] + r[7] * tensor[4] + r[8] * tensor[7];
  const dz = r[6] * tensor[2] + r[7] * tensor[5] + r[8] * tensor[8];
  const xx = x * (2 * cx + m * x);
  const yy = y * (2 * cy + m * y);
  const zz = z * (2 * cz + m * z);
  out[4] = ax * r[0] + ay * r[1] + az * r[2] + yy + zz;
  out[5] = bx * r[3] + by * r[4] + bz * r[5] + xx + zz;
  out[6] = dx * r[6] + dy * r[7] + dz * r[8] + xx + yy;
  out[7] = ax * r[3] + ay * r[4] + az * r[5] - x * cy - y * cx - m * x * y;
  out[8] = ax * r[6] + ay * r[7] + az * r[8] - x * cz - z * cx - m * x * z;
  out[9] = bx * r[6] + by * r[7] + bz * r[8] - y * cz - z * cy - m * y * z;
}
