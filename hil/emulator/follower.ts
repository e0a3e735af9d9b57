/**
 * Arm without joints: its tool follows the reference by the law of tracking-law.ts. In a limited
 * step it has a constant acceleration.
 */
import { length3 } from '../../src/math/vec3.ts';
import { rotateBy } from './rotation.ts';
import { Motion, type ToolCarrier } from './tool-motion.ts';
import { TrackingLaw, type TrackingLimits } from './tracking-law.ts';

/** Emulated arm without joints. */
export class Follower implements ToolCarrier {
  readonly tool: Motion = new Motion();
  readonly reference: Motion = new Motion();
  /** Load on the tool; it has no effect, because the servos are stiffer than any contact. */
  readonly load: Float64Array = new Float64Array(6);
  readonly fault: number = 0;
  readonly #law: TrackingLaw;
  readonly #period: number;

  constructor(bandwidth_Hz: number, damping: number, period_s: number, limits: TrackingLimits) {
    this.#period = period_s;
    this.#law = new TrackingLaw(bandwidth_Hz, damping, period_s, limits);
  }

  get limited(): number {
    return this.#law.limited;
  }

  place(position: ArrayLike<number>, orientation: ArrayLike<number>): void {
    for (let i = 0; i < 3; i++) this.tool.position[i] = position[i];
    for (let i = 0; i < 4; i++) this.tool.orientation[i] = orientation[i];
    this.tool.twist.fill(0);
    this.reference.restAt(this.tool);
  }

  follow(): void {
    const h = this.#period;
    const { position: p, orientation: q, twist: v } = this.tool;
    const { position: pr, orientation: qr, twist: vr } = this.reference;
    const law = this.#law;
    const { error: e, next } = law;
    law.compute(this.tool, this.reference);
    for (let i = 0; i < 3; i++) {
      const end = pr[i] + h * vr[i];
      p[i] = law.limitedLinear ? p[i] + 0.5 * h * (v[i] + next[i]) : end + e[i];
      pr[i] = end;
    }
    if (law.limitedAngular) {
      const a = 0.5 * h;
      rotateBy(a * (v[3] + next[3]), a * (v[4] + next[4]), a * (v[5] + next[5]), q, q);
    }
    rotateBy(h * vr[3], h * vr[4], h * vr[5], qr, qr);
    if (!law.limitedAngular) rotateBy(e[3], e[4], e[5], qr, q);
    for (let i = 0; i < 6; i++) v[i] = next[i];
  }

  /** Moves the tool to the reference, without dynamics and limits. */
  beAtReference(): void {
    this.tool.copy(this.reference);
  }

  brake(deceleration: number, angularDeceleration: number): boolean {
    const h = this.#period;
    const { position, orientation, twist: v } = this.tool;
    const speed = length3(v, 0);
    const spin = length3(v, 3);
    // a remainder of rounding is no further step
    const least = deceleration * h * (1 + 1e-9);
    const leastSpin = angularDeceleration * h * (1 + 1e-9);
    const keep = speed > least ? 1 - (deceleration * h) / speed : 0;
    const keepSpin = spin > leastSpin ? 1 - (angularDeceleration * h) / spin : 0;
    // the last, partial step: v²/2a of travel instead of h v/2
    const travel = keep > 0 ? 0.5 * (1 + keep) * h : (0.5 * speed) / deceleration;
    const turn = keepSpin > 0 ? 0.5 * (1 + keepSpin) * h : (0.5 * spin) / angularDeceleration;
    for (let i = 0; i < 3; i++) position[i] = position[i] + travel * v[i];
    rotateBy(turn * v[3], turn * v[4], turn * v[5], orientation, orientation);
    for (let i = 0; i < 3; i++) {
      v[i] = v[i] * keep;
      v[i + 3] = v[i + 3] * keepSpin;
    }
    this.reference.restAt(this.tool);
    return keep === 0 && keepSpin === 0;
  }
}
