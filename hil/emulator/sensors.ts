/**
 * Sensors of the robot: Gaussian noise and encoder steps on its true motion and contact. Each cycle
 * draws the same number of random values, so that a seed always gives the same noise. The reported
 * wrench is the sensor's wrench less its tare, a mean over TARE_SAMPLES cycles.
 */
import type { Random } from '../../src/math/random.ts';
import { rotateBy } from './rotation.ts';
import type { RobotNoise } from './options.ts';

function quantise(value: number, step: number): number {
  return step > 0 ? Math.round(value / step) * step : value;
}

/** Cycles of a tare: the noise of its mean is a tenth of that of a sample. */
export const TARE_SAMPLES = 100;

export class Sensors {
  readonly position = new Float64Array(3);
  readonly orientation = new Float64Array(4);
  readonly twist = new Float64Array(6);
  readonly wrench = new Float64Array(6);
  readonly #noise: RobotNoise;
  readonly #random: Random;
  /** Tare, subtracted from the sensor's wrench. */
  readonly #tare = new Float64Array(6);
  readonly #sum = new Float64Array(6);
  /** Remaining cycles of a tare, 0 for none. */
  #left = 0;

  constructor(noise: RobotNoise, random: Random) {
    this.#noise = noise;
    this.#random = random;
  }

  /** Whether a tare is in progress: the tool must not move. */
  get taring(): boolean {
    return this.#left > 0;
  }

  /** Starts a tare: the wrench at rest becomes zero. */
  tare(): void {
    this.#left = TARE_SAMPLES;
    this.#sum.fill(0);
  }

  #average(): void {
    for (let i = 0; i < 6; i++) this.#sum[i] += this.wrench[i];
    if (--this.#left > 0) return;
    // the samples were reduced by the previous tare
    for (let i = 0; i < 6; i++) this.#tare[i] += this.#sum[i] / TARE_SAMPLES;
  }

  measure(
    position: Float64Array,
    orientation: Float64Array,
    twist: Float64Array,
    wrench: Float64Array,
  ): void {
    const noise = this.#noise;
    const random = this.#random;
    for (let i = 0; i < 3; i++) {
      const value = position[i] + noise.position_m * random.gaussian();
      this.position[i] = quantise(value, noise.position_step_m);
    }
    // a small rotation about the true orientation, in encoder steps
    const step = noise.angle_step_rad;
    const rx = quantise(noise.angle_rad * random.gaussian(), step);
    const ry = quantise(noise.angle_rad * random.gaussian(), step);
    const rz = quantise(noise.angle_rad * random.gaussian(), step);
    rotateBy(rx, ry, rz, orientation, this.orientation);
    for (let i = 0; i < 3; i++) {
      this.twist[i] = twist[i] + noise.velocity_mps * random.gaussian();
      this.wrench[i] = wrench[i] - this.#tare[i] + noise.force_N * random.gaussian();
    }
    for (let i = 3; i < 6; i++) {
      this.twist[i] = twist[i] + noise.angular_velocity_radps * random.gaussian();
      this.wrench[i] = wrench[i] - this.#tare[i] + noise.moment_Nm * random.gaussian();
    }
    if (this.#left > 0) this.#average();
  }
}
