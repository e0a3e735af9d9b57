/** Progress of an insertion: depth, tilt and offset of the payload relative to its seat. */
import { type Insertion, POSE } from './description.ts';

export interface InsertionFigures {
  /** Distance past the mouth, m; negative before it. */
  readonly depth_m: number;
  readonly tilt_rad: number;
  /** Distance from the axis of insertion, m. */
  readonly aside_m: number;
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, axis) => sum + value * b[axis], 0);

/** @param poses 7 numbers per body; `payload` is the index of the payload */
export function insertionFigures(
  insertion: Insertion,
  poses: readonly number[],
  payload: number,
): InsertionFigures {
  const at = POSE * payload;
  const away = insertion.seated_position_m.map((seat, axis) => poses[at + axis] - seat);
  const along = dot(away, insertion.direction);
  const turn = Math.abs(dot(insertion.seated_orientation, poses.slice(at + 3, at + POSE)));
  return {
    depth_m: insertion.depth_m + along,
    tilt_rad: 2 * Math.acos(Math.min(1, turn)),
    aside_m: Math.sqrt(Math.max(0, dot(away, away) - along * along)),
  };
}
