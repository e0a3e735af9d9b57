/**
 * Errors of a real force sensor, in its own frame, which is that of the tool: first-order filter, gain with cross-talk, bias, saturation.
 *
 *   x' = (w − x)/T,  y = clamp(G x + b)
 */
import { exp } from '../../src/math/elementary/exponential.ts';
import { rotationOf } from '../../src/math/quaternion.ts';

/** What is wrong with a sensor. Wrenches are force, then moment, in the frame of the tool. */
export interface SensorErrors {
  /** G, 6×6 row by row: measured over true, 1 on the diagonal for a sensor that is right. */
  readonly gain: readonly number[];
  /** b, N and N m. */
  readonly bias: readonly number[];
  /** T, s; 0 for none. */
  readonly filter_s: number;
  /** Largest amount of a component, N and N m. */
  readonly saturation_N: number;
  readonly saturation_Nm: number;
}

/** The sensor. */
export class ForceSensor {
  /** As measured, base frame. */
  readonly wrench = new Float64Array(6);
  readonly #errors: SensorErrors;
  readonly #gain: Float64Array;
  readonly #share: Float64Array;
  readonly #rotation = new Float64Array(9);
  readonly #filtered = new Float64Array(6);
  readonly #own = new Float64Array(6);

  constructor(errors: SensorErrors, period_s: number) {
    this.#errors = errors;
    this.#gain = Float64Array.from(errors.gain);
    this.#share = Float64Array.of(errors.filter_s > 0 ? 1 - exp(-period_s / errors.filter_s) : 1);
  }

  /** Measures a wrench of the base frame on a tool of this orientation. Call once per cycle. @alloc none */
  measure(orientation: Float64Array, wrench: Float64Array): void {
    const r = this.#rotation;
    const x = this.#filtered;
    const y = this.#own;
    const share = this.#share[0];
    rotationOf(r, orientation, 0);
    for (let part = 0; part < 6; part += 3) {
      for (let a = 0; a < 3; a++) {
        const own = r[a] * wrench[part] + r[3 + a] * wrench[part + 1] + r[6 + a] * wrench[part + 2];
        x[part + a] += share * (own - x[part + a]);
      }
    }
    const { bias, saturation_N, saturation_Nm } = this.#errors;
    for (let i = 0; i < 6; i++) {
      let value = bias[i];
      for (let j = 0; j < 6; j++) value += this.#gain[6 * i + j] * x[j];
      const most = i < 3 ? saturation_N : saturation_Nm;
      y[i] = value > most ? most : value < -most ? -most : value;
    }
    for (let part = 0; part < 6; part += 3) {
      for (let a = 0; a < 3; a++) {
        this.wrench[part + a] =
          r[3 * a] * y[part] + r[3 * a + 1] * y[part + 1] + r[3 * a + 2] * y[part + 2];
      }
    }
  }
}
