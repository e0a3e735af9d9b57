/** The poses that a pair was computed for: places once found stand for the same two poses again. */
import type { PosedBody } from './contact-body.ts';

/** Numbers of a pose: p(3) q(4). */
const POSE = 7;

/** Poses of the bodies i and j of a pair. */
export class LastPoses {
  /** That of i, then of j; NaN before the first. */
  private readonly pose: Float64Array = new Float64Array(2 * POSE).fill(Number.NaN);

  /** Keeps the present poses. @returns whether they are those kept before, to the last bit @alloc none */
  keep(i: PosedBody, j: PosedBody): boolean {
    const { pose } = this;
    let same = true;
    for (let a = 0; a < POSE; a++) {
      if (pose[a] === i.state[a] && pose[POSE + a] === j.state[a]) continue;
      same = false;
      pose[a] = i.state[a];
      pose[POSE + a] = j.state[a];
    }
    return same;
  }

  /** Whether all numbers kept are finite. @alloc none */
  isFinite(): boolean {
    const { pose } = this;
    let sum = 0;
    for (let a = 0; a < pose.length; a++) sum += pose[a] - pose[a];
    return sum === 0;
  }
}
