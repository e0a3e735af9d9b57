/**
 * Tracking law of the emulated arm: second order about the moving reference, with its twist as
 * feed-forward,
 *
 *   x'' = w² (x_r − x) + 2 ζ w (v_r − x'),   w = 2π · bandwidth,
 *
 * in position and, by rotation vector, in orientation. The reference has a constant twist within a
 * step. The error e = x − x_r then obeys e'' + 2 ζ w e' + w² e = 0 exactly, and the closed-form
 * transition matrix advances it for any step size. Acceleration and speed are limited by length.
 */
import { length3 } from '../../src/math/vec3.ts';
import { rotationVector } from './rotation.ts';
import type { Motion } from './tool-motion.ts';
import { ANGLE, sinCos } from '../../src/math/elementary/circular.ts';
import { exp } from '../../src/math/elementary/exponential.ts';
import { cosh, sinh } from '../../src/math/elementary/hyperbolic.ts';

/** Closed-form transition of e'' + 2ζw e' + w²e = 0 over `h`, row by row into `out`(4). */
export function errorTransition(w: number, zeta: number, h: number, out: Float64Array): void {
  const decay = exp(-zeta * w * h);
  let c: number; // the solution that starts at 1 with slope ζw·0, and the one with unit slope
  let s: number;
  if (zeta < 1) {
    const wd = w * Math.sqrt(1 - zeta * zeta);
    ANGLE[0] = wd * h;
    const turn = sinCos();
    c = turn[1];
    s = turn[0] / wd;
  } else if (zeta > 1) {
    const wd = w * Math.sqrt(zeta * zeta - 1);
    c = cosh(wd * h);
    s = sinh(wd * h) / wd;
  } else {
    c = 1;
    s = h;
  }
  out[0] = decay * (c + zeta * w * s);
  out[1] = decay * s;
  out[2] = -decay * w * w * s;
  out[3] = decay * (c - zeta * w * s);
}

export interface TrackingLimits {
  readonly speed: number;
  readonly angularSpeed: number;
  readonly acceleration: number;
  readonly angularAcceleration: number;
}

/** Tracking law: motion of a tool over one period. */
export class TrackingLaw {
  /** Position and rotation error at the end of the step, when no limit acts. */
  readonly error: Float64Array = new Float64Array(6);
  /** Twist at the end of the step. */
  readonly next: Float64Array = new Float64Array(6);
  /** Whether a limit acted on the linear and on the angular part. */
  limitedLinear = false;
  limitedAngular = false;
  /** Steps in which a limit acted. */
  limited = 0;

  readonly #transition = new Float64Array(4);
  readonly #speed: Float64Array; // limits: linear, angular
  readonly #acceleration: Float64Array;
  readonly #relative = new Float64Array(4);
  readonly #period: number;

  constructor(bandwidth_Hz: number, damping: number, period_s: number, limits: TrackingLimits) {
    this.#period = period_s;
    errorTransition(2 * Math.PI * bandwidth_Hz, damping, period_s, this.#transition);
    this.#speed = Float64Array.of(limits.speed, limits.angularSpeed);
    this.#acceleration = Float64Array.of(limits.acceleration, limits.angularAcceleration);
  }

  /** Computes `next` and `error` from the motions of the tool and its reference. */
  compute(tool: Motion, reference: Motion): void {
    const f = this.#transition;
    const p = tool.position;
    const pr = reference.position;
    const v = tool.twist;
    const vr = reference.twist;
    const e = this.error;
    const next = this.next;
    this.#relativeRotation(tool.orientation, reference.orientation);
    for (let i = 0; i < 3; i++) e[i] = p[i] - pr[i];
    rotationVector(this.#relative, e, 3);
    for (let i = 0; i < 6; i++) {
      const rate = v[i] - vr[i];
      next[i] = vr[i] + f[2] * e[i] + f[3] * rate;
      e[i] = f[0] * e[i] + f[1] * rate;
    }
    this.limitedLinear = !this.#limit(v, 0);
    this.limitedAngular = !this.#limit(v, 3);
  }

  /** Limits acceleration, then speed, of the three columns from `at`. @returns true when neither acted */
  #limit(v: Float64Array, at: number): boolean {
    const h = this.#period;
    const next = this.next;
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
  #relativeRotation(a: Float64Array, b: Float64Array): void {
    const r = this.#relative;
    r[0] = -a[3] * b[0] + a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
    r[1] = -a[3] * b[1] + a[0] * b[2] + a[1] * b[3] - a[2] * b[0];
    r[2] = -a[3] * b[2] - a[0] * b[1] + a[1] * b[0] + a[2] * b[3];
    r[3] = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
}
