/**
 * The motion of a body over one step, as a function of the part s of the step, 0 to 1. It turns by the angle θ about a fixed axis u at a constant
 * rate. Its origin moves by the travel d on a straight line, or along the screw through both poses:
 *
 *   R(s) = exp(s θ [u]×) R₀            x(s) = x₀ + s d                                               (line)
 *                                       x(s) = x₀ + s (u·d) u + sin(sθ) w + (1 − cos(sθ)) u × w       (screw)
 *
 * The screw has w = u × (x₀ − c) for a point c of its axis. Its end is x₀ + d, so that, with d⊥ the part of d across u,
 *
 *   w = ½ (d⊥ cot(θ/2) − u × d⊥)
 *
 * The velocity of the origin, per step, is d within |w| θ²/2, and its acceleration is at most |w| θ². Units: m, rad.
 */
import { ANGLE, sinCos } from '../math/elementary/circular.ts';
import { atan2 } from '../math/elementary/inverse-circular.ts';

/** Turn below which a screw is a straight line, rad: its bow is below |d| θ/8. */
const STRAIGHT = 1e-9;

/** Slots of `rates`. */
export const TURN = 0; //   θ, rad
export const BEND = 1; //   |w| θ², m
const RATES = 2;

/** A body on its way; `state`, `rotation` and `velocity` are those of the last `place`. */
export class BodyPath {
  /** Origin, world, m. */
  readonly state: Float64Array = new Float64Array(3);
  readonly rotation: Float64Array = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  /** dx/ds, world, m, and θ u, rad. */
  readonly velocity: Float64Array = new Float64Array(3);
  readonly spin: Float64Array = new Float64Array(3);
  /** d, world, m. */
  readonly travel: Float64Array = new Float64Array(3);
  readonly rates: Float64Array = new Float64Array(RATES);
  private readonly start: Float64Array = new Float64Array(3);
  private readonly startRotation: Float64Array = new Float64Array(9);
  private readonly axis: Float64Array = Float64Array.of(0, 0, 1);
  /** w and u × w, m. */
  private readonly lever: Float64Array = new Float64Array(6);
  /** Quaternion of the turn. */
  private readonly turn: Float64Array = new Float64Array(4);

  /** From a pose, p(3) …, at the twist v(3), w(3) in state[7..12] for time[0], s. @alloc none */
  follow(state: Float64Array, rotation: Float64Array, time: Float64Array): void {
    const { axis, travel, rates } = this;
    this.begin(state, rotation);
    const h = time[0];
    let square = 0;
    for (let a = 0; a < 3; a++) {
      travel[a] = h * state[7 + a];
      square += state[10 + a] * state[10 + a];
    }
    const rate = Math.sqrt(square);
    rates[TURN] = h * rate;
    for (let a = 0; a < 3 && rate > 0; a++) axis[a] = state[10 + a] / rate;
    this.lever.fill(0);
    rates[BEND] = 0;
  }

  /** From the pose `from` to the pose `to`, p(3) q(4) each, the shorter way round; along their screw or on a straight line. @alloc none */
  join(from: Float64Array, rotation: Float64Array, to: Float64Array, screw: boolean): void {
    const { axis, travel, rates, turn: q } = this;
    this.begin(from, rotation);
    for (let a = 0; a < 3; a++) travel[a] = to[a] - from[a];
    // to · from⁻¹
    const x = -from[3];
    const y = -from[4];
    const z = -from[5];
    const w = from[6];
    q[0] = to[6] * x + to[3] * w + to[4] * z - to[5] * y;
    q[1] = to[6] * y - to[3] * z + to[4] * w + to[5] * x;
    q[2] = to[6] * z + to[3] * y - to[4] * x + to[5] * w;
    q[3] = to[6] * w - to[3] * x - to[4] * y - to[5] * z;
    const sign = q[3] < 0 ? -1 : 1;
    const sine = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    rates[TURN] = 2 * atan2(sine, sign * q[3]);
    for (let a = 0; a < 3 && sine > 0; a++) axis[a] = (sign * q[a]) / sine;
    this.lever.fill(0);
    rates[BEND] = 0;
    if (screw && rates[TURN] > STRAIGHT) this.bend(sine, sign * q[3]);
  }

  private begin(state: Float64Array, rotation: Float64Array): void {
    for (let a = 0; a < 3; a++) this.start[a] = state[a];
    for (let a = 0; a < 9; a++) this.startRotation[a] = rotation[a];
  }

  /** The lever of the screw; sine and cosine of half the turn. */
  private bend(sine: number, cosine: number): void {
    const { axis: u, travel: d, lever, rates } = this;
    const along = u[0] * d[0] + u[1] * d[1] + u[2] * d[2];
    const cotangent = cosine / sine;
    let square = 0;
    for (let a = 0; a < 3; a++) {
      const b = (a + 1) % 3;
      const c = (a + 2) % 3;
      lever[a] = 0.5 * (cotangent * (d[a] - along * u[a]) - (u[b] * d[c] - u[c] * d[b]));
      square += lever[a] * lever[a];
    }
    for (let a = 0; a < 3; a++) {
      const b = (a + 1) % 3;
      const c = (a + 2) % 3;
      lever[3 + a] = u[b] * lever[c] - u[c] * lever[b];
    }
    rates[BEND] = Math.sqrt(square) * rates[TURN] * rates[TURN];
  }

  /** Puts the body at the part s[0] of its way. @alloc none */
  place(s: Float64Array): void {
    const { start, startRotation: r, rotation, state, axis: u, travel: d, lever, rates } = this;
    const { velocity, spin } = this;
    ANGLE[0] = 0.5 * s[0] * rates[TURN];
    const half = sinCos();
    const sine = 2 * half[0] * half[1];
    const rest = 2 * half[0] * half[0]; // 1 − cos
    const bent = rates[BEND] > 0;
    const along = u[0] * d[0] + u[1] * d[1] + u[2] * d[2];
    for (let a = 0; a < 3; a++) {
      const way = bent ? along * u[a] : d[a];
      state[a] = start[a] + s[0] * way + sine * lever[a] + rest * lever[3 + a];
      spin[a] = rates[TURN] * u[a];
      velocity[a] = way + rates[TURN] * ((1 - rest) * lever[a] + sine * lever[3 + a]);
    }
    for (let k = 0; k < 3; k++) {
      const x = r[k];
      const y = r[3 + k];
      const z = r[6 + k];
      const ux = u[1] * z - u[2] * y;
      const uy = u[2] * x - u[0] * z;
      const uz = u[0] * y - u[1] * x;
      rotation[k] = x + sine * ux + rest * (u[1] * uz - u[2] * uy);
      rotation[3 + k] = y + sine * uy + rest * (u[2] * ux - u[0] * uz);
      rotation[6 + k] = z + sine * uz + rest * (u[0] * uy - u[1] * ux);
    }
  }
}
