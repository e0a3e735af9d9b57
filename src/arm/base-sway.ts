/**
 * Prescribed harmonic motion of a base along the world axes and about one axis, from its pose at
 * time zero. With s_i(t) = sin(w_i t + f_i) − sin f_i
 *
 *   p = p_0 + Σ a_i s_i e_i,   R = Rot(n, A s(t)) R_0
 *
 * Velocity and acceleration are the exact derivatives; about one axis the angular velocity is A s'
 * n, its derivative A s'' n.
 */
import type { BaseSwayModel } from '../model/arm-spec.ts';
import { multiplyQuaternion } from '../math/quaternion.ts';
import { ANGLE, sin, sinCos } from '../math/elementary/circular.ts';

/** Number of wave components: three translations and one rotation. */
const WAYS = 4;
const MOTION = 13;

/** Base with a prescribed harmonic motion. `compute` fills pose, twist and acceleration. */
export class BaseSway {
  /** p(3) q(4) v(3) w(3), world. */
  readonly state: Float64Array = new Float64Array(MOTION);
  /** Linear acceleration of the origin, then angular acceleration. */
  readonly acceleration: Float64Array = new Float64Array(6);
  private readonly amplitude: Float64Array;
  private readonly rate: Float64Array;
  private readonly phase: Float64Array;
  private readonly axis: Float64Array;
  /** Pose at time zero. */
  private readonly start: Float64Array;
  private readonly turn = new Float64Array(4);
  /** Value, rate and second derivative of one component. */
  private readonly wave = new Float64Array(3);

  /** @param start pose at time zero, p(3) q(4); further values are ignored */
  constructor(model: BaseSwayModel, start: ArrayLike<number>) {
    const { amplitude, rate, phase, turn } = model;
    this.amplitude = Float64Array.of(...amplitude, turn.amplitude);
    this.rate = Float64Array.of(...rate, turn.rate);
    this.phase = Float64Array.of(...phase, turn.phase);
    this.axis = Float64Array.from(turn.axis);
    this.start = Float64Array.from({ length: 7 }, (_, a) => start[a]);
    this.compute(new Float64Array(1));
  }

  /** Computes the motion at time[0], s. @alloc none */
  compute(time: Float64Array): void {
    const { state, acceleration, axis, start, turn, wave } = this;
    for (let i = 0; i < WAYS; i++) {
      this.computeWave(i, time);
      if (i < 3) {
        state[i] = start[i] + wave[0];
        state[7 + i] = wave[1];
        acceleration[i] = wave[2];
        continue;
      }
      ANGLE[0] = 0.5 * wave[0];
      const half = sinCos();
      const k = half[0];
      turn[3] = half[1];
      for (let a = 0; a < 3; a++) {
        turn[a] = k * axis[a];
        state[10 + a] = wave[1] * axis[a];
        acceleration[3 + a] = wave[2] * axis[a];
      }
      multiplyQuaternion(state, 3, turn, 0, start, 3);
    }
  }

  /** Subtracts from `twist` the velocity of the base at the point `at`; p(3) stands first. @alloc none */
  subtractTwist(twist: Float64Array, at: Float64Array): void {
    const s = this.state;
    const x = at[0] - s[0];
    const y = at[1] - s[1];
    const z = at[2] - s[2];
    twist[0] -= s[7] + s[11] * z - s[12] * y;
    twist[1] -= s[8] + s[12] * x - s[10] * z;
    twist[2] -= s[9] + s[10] * y - s[11] * x;
    for (let a = 3; a < 6; a++) twist[a] -= s[7 + a];
  }

  private computeWave(i: number, time: Float64Array): void {
    const { wave } = this;
    const w = this.rate[i];
    const angle = w * time[0] + this.phase[i];
    const a = this.amplitude[i];
    const start = sin(this.phase[i]);
    ANGLE[0] = angle;
    const now = sinCos();
    wave[0] = a * (now[0] - start);
    wave[1] = a * w * now[1];
    wave[2] = -a * w * w * now[0];
  }
}
