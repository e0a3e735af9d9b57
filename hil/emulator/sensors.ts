/**
 * What the robot measures of its own true motion and contact: Gaussian noise, then the steps of the encoders. Always the same
 * number of draws a cycle, so that a seed gives the same noise whatever happens. The wrench is what the sensor feels less its
 * tare, a mean over TARE_SAMPLES cycles.
 */
import type { Random } from '../../src/math/random.ts';
import { rotateBy } from './rotation.ts';
import type { RobotNoise } from './options.ts';

function quantise(value: number, step: number): number {
  return step > 0 ? Math.round(value / step) * step : value;
}

/** Cycles that a tare takes: the noise of its mean is a tenth of that of a sample. */
export const TARE_SAMPLES = 100;

export class Sensors {
  readonly position = new Float64Array(3);
  readonly orientation = new Float64Array(4);
  readonly twist = new Float64Array(6);
  readonly wrench = new Float64Array(6);
  readonly #noise: RobotNoise;
  readonly #random: Random;
  /** What is subtracted from the felt wrench. */
  readonly #tare = new Float64Array(6);
  readonly #sum = new Float64Array(6);
  /** Cycles left of a tare under way, 0 none. */
  #left = 0;

  constructor(noise: RobotNoise, random: Random) {
    this.#noise = noise;
    this.#random = random;
  }

  /** Whether a tare is under way: the tool must not move. */
  get taring(): boolean {
    return this.#left > 0;
  }

  /** From now on, take what the sensor feels at rest for zero. */
  tare(): void {
    this.#left = TARE_SAMPLES;
    this.#sum.fill(0);
  }

  #average(): void {
    for (let i = 0; i < 6; i++) this.#sum[i] += this.wrench[i];
    if (--this.#left > 0) return;
    // the samples were less the tare of before
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
    // a small rotation about the true orientation, itself in encoder steps
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
