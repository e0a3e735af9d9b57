/**
 * Force and moment accommodation: the commanded twist is traded against the contact wrench, so that the steady contact
 * force is bounded and proportional to the commanded speed. docs/theory/force-moment-accommodation.md.
 *
 *   v_ref = v_cmd + dz(F)/g,  dz(F) = F max(|F| − b, 0)/|F|,  |v_ref| <= v_max;   v' = (v_ref − v)/T
 *
 * F is the contact force on the tool, so pushing into a wall at speed v rests at |F| = b + g |v|. `Gonthier 2007, 5.1.4`.
 */
import type { ToolModel } from '../model.ts';

/** Reference twist and its tracking. Twists lie in a body state at 7 (linear) and 10 (angular). */
export class Accommodation {
  /** v_ref of the last evaluation: linear, angular. */
  readonly reference: Float64Array = new Float64Array(6);
  private readonly model: ToolModel;
  /** [gain, dead-band, largest speed], linear then angular; in an array, because doubles given to a call may be allocated. */
  private readonly limits: Float64Array;

  constructor(model: ToolModel) {
    this.model = model;
    this.limits = Float64Array.of(
      model.forceGain,
      model.forceDeadband,
      model.maximumSpeed,
      model.momentGain,
      model.momentDeadband,
      model.maximumAngularSpeed,
    );
  }

  /** Fills `reference` from the command and the wrench on the tool. @alloc none */
  computeReference(command: Float64Array, wrench: Float64Array): void {
    this.group(0, command, wrench);
    this.group(3, command, wrench);
  }

  private group(at: number, command: Float64Array, wrench: Float64Array): void {
    const gain = this.limits[at];
    const deadband = this.limits[at + 1];
    const limit = this.limits[at + 2];
    const fx = wrench[at];
    const fy = wrench[at + 1];
    const fz = wrench[at + 2];
    const size = Math.sqrt(fx * fx + fy * fy + fz * fz);
    const k = size > deadband ? (1 - deadband / size) / gain : 0;
    const x = command[at] + k * fx;
    const y = command[at + 1] + k * fy;
    const z = command[at + 2] + k * fz;
    const speed = Math.sqrt(x * x + y * y + z * z);
    const scale = speed > limit ? limit / speed : 1;
    const r = this.reference;
    r[at] = x * scale;
    r[at + 1] = y * scale;
    r[at + 2] = z * scale;
  }

  /** The arm follows the reference for timing[0] (semi-implicit Euler; a lag shorter than h is reached at once). @alloc none */
  track(state: Float64Array, timing: Float64Array): void {
    const h = timing[0];
    const k = h < this.model.lag ? h / this.model.lag : 1;
    for (let a = 0; a < 6; a++) state[7 + a] += k * (this.reference[a] - state[7 + a]);
  }

  /** Rates of the twist, for Runge–Kutta. @alloc none */
  computeRates(state: Float64Array, rate: Float64Array): void {
    for (let a = 0; a < 6; a++) rate[7 + a] = (this.reference[a] - state[7 + a]) / this.model.lag;
  }

  /** Brings the twist to rest at a deceleration, m/s²; the angular one has the ratio of the largest speeds. @alloc none */
  brake(state: Float64Array, deceleration: number, timing: Float64Array): void {
    const h = timing[0];
    const angular = (deceleration * this.model.maximumAngularSpeed) / this.model.maximumSpeed;
    slow(state, 7, deceleration * h);
    slow(state, 10, angular * h);
  }
}

function slow(state: Float64Array, at: number, change: number): void {
  const x = state[at];
  const y = state[at + 1];
  const z = state[at + 2];
  const speed = Math.sqrt(x * x + y * y + z * z);
  const k = speed > change ? 1 - change / speed : 0;
  state[at] = x * k;
  state[at + 1] = y * k;
  state[at + 2] = z * k;
}
