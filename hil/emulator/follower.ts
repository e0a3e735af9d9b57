/**
 * How the emulated arm follows a moving reference: second order about the reference, its twist as feed-forward,
 *
 *   x'' = w² (x_r − x) + 2 ζ w (v_r − x'),   w = 2π · bandwidth,
 *
 * in position and, by rotation vector, in orientation. The reference moves at constant twist within a step, so the error
 * e = x − x_r obeys e'' + 2 ζ w e' + w² e = 0 exactly and is advanced with the closed-form transition matrix: no step size is
 * too long for it. Acceleration and speed are limited by length; a limited step takes the constant acceleration it is left with.
 */
import { length3 } from '../../src/math/vec3.ts';

/** Closed-form transition of e'' + 2ζw e' + w²e = 0 over `h`, row by row into `out`(4). */
export function errorTransition(w: number, zeta: number, h: number, out: Float64Array): void {
  const decay = Math.exp(-zeta * w * h);
  let c: number; // the solution that starts at 1 with slope ζw·0, and the one with unit slope
  let s: number;
  if (zeta < 1) {
    const wd = w * Math.sqrt(1 - zeta * zeta);
    c = Math.cos(wd * h);
    s = Math.sin(wd * h) / wd;
  } else if (zeta > 1) {
    const wd = w * Math.sqrt(zeta * zeta - 1);
    c = Math.cosh(wd * h);
    s = Math.sinh(wd * h) / wd;
  } else {
    c = 1;
    s = h;
  }
  out[0] = decay * (c + zeta * w * s);
  out[1] = decay * s;
  out[2] = -decay * w * w * s;
  out[3] = decay * (c - zeta * w * s);
}

/** Rotation vector (world) of the unit quaternion at `a` in `from`, short way round, into `out` at `at`. */
export function rotationVector(q: Float64Array, out: Float64Array, at: number): void {
  const sign = q[3] < 0 ? -1 : 1;
  const x = q[0] * sign;
  const y = q[1] * sign;
  const z = q[2] * sign;
  const s = Math.sqrt(x * x + y * y + z * z);
  // angle/s tends to 2 for small angles; atan2 keeps both ends exact
  const scale = s < 1e-12 ? 2 : (2 * Math.atan2(s, q[3] * sign)) / s;
  out[at] = x * scale;
  out[at + 1] = y * scale;
  out[at + 2] = z * scale;
}

/** out := exp(r) ⊗ q, renormalised; `r` a world rotation vector. `out` may be `q`. */
export function rotateBy(
  rx: number,
  ry: number,
  rz: number,
  q: Float64Array,
  out: Float64Array,
): void {
  const angle = Math.sqrt(rx * rx + ry * ry + rz * rz);
  const scale = angle < 1e-9 ? 0.5 : Math.sin(angle / 2) / angle;
  const ax = rx * scale;
  const ay = ry * scale;
  const az = rz * scale;
  const aw = Math.cos(angle / 2);
  const bx = q[0];
  const by = q[1];
  const bz = q[2];
  const bw = q[3];
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  const n = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[0] = x * n;
  out[1] = y * n;
  out[2] = z * n;
  out[3] = w * n;
}

/** Angle in radians between two unit quaternions. */
export function angleBetween(a: Float64Array, b: Float64Array): number {
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
  const y = a[3] * b[1] + a[0] * b[2] - a[1] * b[3] - a[2] * b[0];
  const z = a[3] * b[2] - a[0] * b[1] + a[1] * b[0] - a[2] * b[3];
  return 2 * Math.atan2(Math.sqrt(x * x + y * y + z * z), Math.abs(dot));
}

export interface FollowerLimits {
  readonly speed: number;
  readonly angularSpeed: number;
  readonly acceleration: number;
  readonly angularAcceleration: number;
}

/** The true motion of the tool and the reference it follows. */
export class Follower {
  /** True tool motion: position, orientation, twist (linear, angular), world. */
  readonly position = new Float64Array(3);
  readonly orientation = new Float64Array(4);
  readonly twist = new Float64Array(6);
  /** The reference now. */
  readonly referencePosition = new Float64Array(3);
  readonly referenceOrientation = new Float64Array(4);
  readonly referenceTwist = new Float64Array(6);
  /** Steps in which a limit acted. */
  limited = 0;

  readonly #transition = new Float64Array(4);
  readonly #speed: Float64Array; // limits: linear, angular
  readonly #acceleration: Float64Array;
  readonly #error = new Float64Array(6); // position and rotation error
  readonly #next = new Float64Array(6); // twist at the end of the step
  readonly #relative = new Float64Array(4);
  readonly #period: number;

  constructor(bandwidth_Hz: number, damping: number, period_s: number, limits: FollowerLimits) {
    this.#period = period_s;
    errorTransition(2 * Math.PI * bandwidth_Hz, damping, period_s, this.#transition);
    this.#speed = Float64Array.of(limits.speed, limits.angularSpeed);
    this.#acceleration = Float64Array.of(limits.acceleration, limits.angularAcceleration);
    this.orientation[3] = 1;
    this.referenceOrientation[3] = 1;
  }

  /** Put the tool and the reference at a pose, at rest. */
  place(position: ArrayLike<number>, orientation: ArrayLike<number>): void {
    for (let i = 0; i < 3; i++) this.position[i] = position[i];
    for (let i = 0; i < 4; i++) this.orientation[i] = orientation[i];
    this.twist.fill(0);
    this.#referToSelf();
  }

  /** One step towards the reference, which then moves on along its twist. */
  follow(): void {
    const h = this.#period;
    const f = this.#transition;
    const p = this.position;
    const pr = this.referencePosition;
    const v = this.twist;
    const vr = this.referenceTwist;
    const e = this.#error;
    const next = this.#next;
    this.#relativeRotation();
    for (let i = 0; i < 3; i++) e[i] = p[i] - pr[i];
    rotationVector(this.#relative, e, 3);
    for (let i = 0; i < 6; i++) {
      const rate = v[i] - vr[i];
      next[i] = vr[i] + f[2] * e[i] + f[3] * rate;
      e[i] = f[0] * e[i] + f[1] * rate;
    }
    const freeLinear = this.#limit(0);
    const freeAngular = this.#limit(3);
    for (let i = 0; i < 3; i++) {
      const end = pr[i] + h * vr[i];
      p[i] = freeLinear ? end + e[i] : p[i] + 0.5 * h * (v[i] + next[i]);
      pr[i] = end;
    }
    if (!freeAngular) {
      const a = 0.5 * h;
      rotateBy(
        a * (v[3] + next[3]),
        a * (v[4] + next[4]),
        a * (v[5] + next[5]),
        this.orientation,
        this.orientation,
      );
    }
    rotateBy(h * vr[3], h * vr[4], h * vr[5], this.referenceOrientation, this.referenceOrientation);
    if (freeAngular) rotateBy(e[3], e[4], e[5], this.referenceOrientation, this.orientation);
    for (let i = 0; i < 6; i++) v[i] = next[i];
  }

  /** One step of braking to rest at constant deceleration; the pose where it rests is held. @returns true at rest. */
  brake(deceleration: number, angularDeceleration: number): boolean {
    const h = this.#period;
    const v = this.twist;
    const speed = length3(v, 0);
    const spin = length3(v, 3);
    // a remainder of rounding is not a step more
    const least = deceleration * h * (1 + 1e-9);
    const leastSpin = angularDeceleration * h * (1 + 1e-9);
    const keep = speed > least ? 1 - (deceleration * h) / speed : 0;
    const keepSpin = spin > leastSpin ? 1 - (angularDeceleration * h) / spin : 0;
    // the last, partial step: v²/2a of travel instead of h v/2
    const travel = keep > 0 ? 0.5 * (1 + keep) * h : (0.5 * speed) / deceleration;
    const turn = keepSpin > 0 ? 0.5 * (1 + keepSpin) * h : (0.5 * spin) / angularDeceleration;
    for (let i = 0; i < 3; i++) this.position[i] = this.position[i] + travel * v[i];
    rotateBy(turn * v[3], turn * v[4], turn * v[5], this.orientation, this.orientation);
    for (let i = 0; i < 3; i++) {
      v[i] = v[i] * keep;
      v[i + 3] = v[i + 3] * keepSpin;
    }
    this.#referToSelf();
    return keep === 0 && keepSpin === 0;
  }

  /** Limit acceleration, then speed, of the three columns from `at`. @returns true when neither acted. */
  #limit(at: number): boolean {
    const h = this.#period;
    const v = this.twist;
    const next = this.#next;
    const kind = at === 0 ? 0 : 1;
    let free = true;
    const dx = next[at] - v[at];
    const dy = next[at + 1] - v[at + 1];
    const dz = next[at + 2] - v[at + 2];
    const change = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const most = this.#acceleration[kind] * h;
    if (change > most) {
      const scale = most / change;
      next[at] = v[at] + dx * scale;
      next[at + 1] = v[at + 1] + dy * scale;
      next[at + 2] = v[at + 2] + dz * scale;
      free = false;
    }
    const speed = length3(next, at);
    if (speed > this.#speed[kind]) {
      const scale = this.#speed[kind] / speed;
      for (let i = at; i < at + 3; i++) next[i] = next[i] * scale;
      free = false;
    }
    if (!free) this.limited++;
    return free;
  }

  /** relative := orientation ⊗ reference⁻¹ */
  #relativeRotation(): void {
    const a = this.orientation;
    const b = this.referenceOrientation;
    const r = this.#relative;
    r[0] = -a[3] * b[0] + a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
    r[1] = -a[3] * b[1] + a[0] * b[2] + a[1] * b[3] - a[2] * b[0];
    r[2] = -a[3] * b[2] - a[0] * b[1] + a[1] * b[0] + a[2] * b[3];
    r[3] = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }

  #referToSelf(): void {
    for (let i = 0; i < 3; i++) this.referencePosition[i] = this.position[i];
    for (let i = 0; i < 4; i++) this.referenceOrientation[i] = this.orientation[i];
    this.referenceTwist.fill(0);
  }
}
