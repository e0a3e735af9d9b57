/** Vectors, rotations and frames of scripted flights: plain lists, quaternions (x, y, z, w). */

type Vector = readonly number[];

/** Scalar product of vectors of the same length. */
export const dot = (a: Vector, b: Vector): number =>
  a.reduce((sum, value, k) => sum + value * b[k], 0);
/** Length of a vector. */
export const norm = (v: Vector): number => Math.sqrt(dot(v, v));

const cross = (a: Vector, b: Vector): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The rotation `b` first, then `a`. */
export const multiply = ([a, b, c, d]: Vector, [x, y, z, w]: Vector): number[] => [
  d * x + a * w + b * z - c * y,
  d * y - a * z + b * w + c * x,
  d * z + a * y - b * x + c * w,
  d * w - a * x - b * y - c * z,
];

/** The opposite rotation. */
export const inverse = ([x, y, z, w]: Vector): number[] => [-x, -y, -z, w];

/** A vector turned by a unit quaternion. */
export const rotate = (q: Vector, [x, y, z]: Vector): number[] =>
  multiply(multiply(q, [x, y, z, 0]), inverse(q)).slice(0, 3);

/** Angle between two orientations, rad. */
export const angleBetween = (a: Vector, b: Vector): number =>
  2 * Math.acos(Math.min(1, Math.abs(dot(a, b))));

/** Rotation vector that leads from one orientation to another, rad, in the frame in which both are given. */
export function rotationTo(from: Vector, to: Vector): number[] {
  const [x, y, z, w] = multiply(to, inverse(from));
  const sine = norm([x, y, z]);
  if (sine < 1e-12) return [0, 0, 0];
  const angle = 2 * Math.atan2(sine, Math.abs(w)) * (w < 0 ? -1 : 1);
  return [x, y, z].map((part) => (part / sine) * angle);
}

/** A frame in the base frame: origin, m, and orientation. */
export interface Frame {
  readonly origin: Vector;
  readonly orientation: Vector;
}

/** The base frame itself. */
export const BASE: Frame = { origin: [0, 0, 0], orientation: [0, 0, 0, 1] };

/** A point of the base frame in a frame, m. */
export const pointIn = ({ origin, orientation }: Frame, point: Vector): number[] =>
  rotate(
    inverse(orientation),
    point.map((value, a) => value - origin[a]),
  );

/** A point of a frame in the base frame, m. */
export const pointOf = ({ origin, orientation }: Frame, point: Vector): number[] =>
  rotate(orientation, point).map((value, a) => value + origin[a]);

/** Orientation whose x points along a unit vector and whose y lies across it, level where it can. */
export function orientationAlong(x: Vector): number[] {
  const flat = Math.abs(x[2]) < 0.9 ? [-x[1], x[0], 0] : [0, -x[2], x[1]];
  const y = flat.map((value) => value / norm(flat));
  const z = cross(x, y);
  return quaternionOf(x, y, z);
}

/** Unit quaternion of a rotation matrix by its columns, by the largest of its parts. */
function quaternionOf(x: Vector, y: Vector, z: Vector): number[] {
  const squares = [
    1 + x[0] - y[1] - z[2],
    1 - x[0] + y[1] - z[2],
    1 - x[0] - y[1] + z[2],
    1 + x[0] + y[1] + z[2],
  ];
  const most = squares.indexOf(Math.max(...squares));
  const rows = [
    [squares[0], y[0] + x[1], z[0] + x[2], y[2] - z[1]],
    [y[0] + x[1], squares[1], z[1] + y[2], z[0] - x[2]],
    [z[0] + x[2], z[1] + y[2], squares[2], x[1] - y[0]],
    [y[2] - z[1], z[0] - x[2], x[1] - y[0], squares[3]],
  ];
  const row = rows[most];
  return row.map((part) => part / norm(row));
}
