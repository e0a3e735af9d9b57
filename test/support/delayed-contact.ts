/**
 * Independent of hil/energy: m x'' + d x' + F(t − T) = 0, F = max(0, k x + b x') while x > 0, integrated as a delay differential
 * equation by the method of steps. Classical Runge–Kutta of fixed step T/n on the grid of the delay, so that delayed values at the
 * ends of a step are grid points; the middle by cubic Hermite interpolation.
 */

/** A contact at speed 1 m/s: results are ratios. */
export interface DelayedContact {
  readonly mass: number;
  readonly stiffness: number;
  /** Damping of the contact, delayed like its force. */
  readonly contactDamping: number;
  /** Damping of the body, not delayed. */
  readonly damping: number;
  /** Delay T, s, > 0. */
  readonly delay: number;
}

/** Steps of a delay: the error of a step is below (wT/400)⁵, the force that sets in within a step of touch costs 1e-5 of e. */
const STEPS = 400;

/** Positions and velocities on the grid, from touch at x = 0, x' = 1. */
class Motion {
  readonly x: number[] = [0];
  readonly v: number[] = [1];
  readonly step: number;
  readonly lag: number;
  readonly #contact: DelayedContact;
  readonly #unilateral: boolean;

  constructor(contact: DelayedContact, unilateral: boolean, steps: number) {
    this.#contact = contact;
    this.#unilateral = unilateral;
    this.step = contact.delay / steps;
    this.lag = steps;
  }

  get last(): number {
    return this.x.length - 1;
  }

  #force(x: number, v: number): number {
    const { stiffness, contactDamping } = this.#contact;
    const f = stiffness * x + contactDamping * v;
    return this.#unilateral && (x <= 0 || f < 0) ? 0 : f;
  }

  /** Force felt at grid point i: 0 before touch. */
  felt(i: number): number {
    const at = i - this.lag;
    return at < 0 ? 0 : this.#force(this.x[at] ?? 0, this.v[at] ?? 0);
  }

  #feltBetween(i: number): number {
    const at = i - this.lag;
    if (at < 0) return 0;
    const h = this.step;
    const x0 = this.x[at];
    const x1 = this.x[at + 1];
    const v0 = this.v[at];
    const v1 = this.v[at + 1];
    const x = 0.5 * (x0 + x1) + (h / 8) * (v0 - v1);
    const v = (1.5 * (x1 - x0)) / h - 0.25 * (v0 + v1);
    return this.#force(x, v);
  }

  /** One step; the felt force does not depend on the present state, only the undelayed damping does. */
  advance(): void {
    const { mass, damping } = this.#contact;
    const h = this.step;
    const i = this.last;
    const x = this.x[i];
    const v = this.v[i];
    const f0 = this.felt(i);
    const fm = this.#feltBetween(i);
    const f1 = this.felt(i + 1);
    const a = (u: number, f: number): number => (-damping * u - f) / mass;
    const a1 = a(v, f0);
    const v2 = v + 0.5 * h * a1;
    const a2 = a(v2, fm);
    const v3 = v + 0.5 * h * a2;
    const a3 = a(v3, fm);
    const v4 = v + h * a3;
    const a4 = a(v4, f1);
    this.x.push(x + (h / 6) * (v + 2 * v2 + 2 * v3 + v4));
    this.v.push(v + (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4));
  }
}

/** Restitution of a free bounce: speed when the felt force has gone over speed at touch; 0 when it does not go within `periods`. */
export function bounce(contact: DelayedContact, periods = 4): number {
  const motion = new Motion(contact, true, STEPS);
  const natural = 2 * Math.PI * Math.sqrt(contact.mass / contact.stiffness);
  const most = (periods * natural + 4 * contact.delay) / motion.step;
  let felt = false;
  for (let i = 0; i < most; i++) {
    motion.advance();
    const f = motion.felt(motion.last);
    if (f > 0) felt = true;
    else if (felt) return Math.max(0, -(motion.v[motion.last] ?? 0));
  }
  return 0;
}

/** Factor by which the swing of a contact that is held (spring both ways) grows in a cycle, over `cycles` after the second. */
export function heldGrowth(contact: DelayedContact, cycles: number): number {
  const motion = new Motion(contact, false, 20);
  const peaks: number[] = [];
  while (peaks.length < cycles + 3) {
    motion.advance();
    const i = motion.last;
    const v0 = motion.v[i - 1];
    const v1 = motion.v[i];
    if (!(v0 > 0 && v1 <= 0)) continue;
    // top of the parabola through the end with slope v1
    const slope = (v1 - v0) / motion.step;
    peaks.push((motion.x[i] ?? 0) - (v1 * v1) / (2 * slope));
  }
  return ((peaks[cycles + 2] ?? NaN) / (peaks[2] ?? NaN)) ** (1 / cycles);
}

/** Overshoot of the rate loop x' = gain (1 − x(t − 1)) from 0, part of the step; `grows` when later swings are larger. */
export function rateLoop(gain: number): { overshoot: number; grows: boolean } {
  const h = 1 / STEPS;
  const x = [0];
  const at = (i: number): number => (i < 0 ? 0 : (x[i] ?? 0));
  for (let i = 0; i < 60 * STEPS; i++) {
    // x' depends on the past alone: Simpson's rule, the middle by linear interpolation of a smooth past
    const f = (j: number): number => gain * (1 - at(j));
    const middle = gain * (1 - 0.5 * (at(i - STEPS) + at(i + 1 - STEPS)));
    x.push(at(i) + (h / 6) * (f(i - STEPS) + 4 * middle + f(i + 1 - STEPS)));
  }
  const swing = (from: number, to: number): number => {
    let most = 0;
    for (let i = from * STEPS; i < to * STEPS; i++) most = Math.max(most, Math.abs(at(i) - 1));
    return most;
  };
  let top = -Infinity;
  for (const value of x) top = Math.max(top, value);
  return { overshoot: top - 1, grows: swing(50, 60) > swing(20, 30) };
}
