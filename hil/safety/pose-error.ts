/** Distance and angle between two poses, by columns of arrays: p (3), then quaternion (4), wherever they lie. */
import { atan2 } from '../../src/math/elementary/inverse-circular.ts';

/**
 * Distance (m) and angle (rad) of two poses. Four times the angle of the half chords |q − p| and |q + p| keeps its precision at small
 * angles, where acos(dot) loses it.
 * @param out [distance, angle]; an array because a double answer may be boxed
 * @alloc none
 */
export function poseError(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  out: Float64Array,
): void {
  const x = a[i] - b[j];
  const y = a[i + 1] - b[j + 1];
  const z = a[i + 2] - b[j + 2];
  out[0] = Math.sqrt(x * x + y * y + z * z);
  let dot = 0;
  for (let k = 3; k < 7; k++) dot += a[i + k] * b[j + k];
  const sign = dot < 0 ? -1 : 1;
  let plus = 0;
  let minus = 0;
  for (let k = 3; k < 7; k++) {
    const d = a[i + k] - sign * b[j + k];
    const s = a[i + k] + sign * b[j + k];
    minus += d * d;
    plus += s * s;
  }
  out[1] = 4 * atan2(Math.sqrt(minus), Math.sqrt(plus));
}
