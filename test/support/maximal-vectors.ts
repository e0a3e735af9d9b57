/** Three-vectors and rotation matrices as plain arrays, for accounts of mechanics that share no code with the library. */

export type Vector = readonly number[];
export type Matrix = readonly Vector[];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const apply = (m: Matrix, v: Vector): Vector => [dot(m[0], v), dot(m[1], v), dot(m[2], v)];
export const transpose = (m: Matrix): Matrix => [0, 1, 2].map((i) => [m[0][i], m[1][i], m[2][i]]);
export const times = (a: Matrix, b: Matrix): Matrix => {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => dot(row, column)));
};

/** A vector of length one along another. */
export function unit(v: Vector): Vector {
  return scale(v, 1 / Math.sqrt(dot(v, v)));
}

/** Rotation matrix of the quaternion (x, y, z, w), taken at length one. */
export function rotation(quaternion: Vector): Matrix {
  const length = Math.sqrt(quaternion.reduce((sum, c) => sum + c * c, 0));
  const [x, y, z, w] = quaternion.map((c) => c / length);
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

/** Rodrigues: I + sin a [k]× + (1 − cos a) [k]×². */
export function turn([x, y, z]: Vector, angle: number): Matrix {
  const s = Math.sin(angle);
  const c = 1 - Math.cos(angle);
  return [
    [1 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y],
    [c * x * y + s * z, 1 - c * (x * x + z * z), c * y * z - s * x],
    [c * x * z - s * y, c * y * z + s * x, 1 - c * (x * x + y * y)],
  ];
}

/** R I Rᵀ of (Ixx, Iyy, Izz, Ixy, Ixz, Iyz). */
export function turnedInertia(r: Matrix, [xx, yy, zz, xy, xz, yz]: Vector): Matrix {
  const body = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  return times(times(r, body), transpose(r));
}
