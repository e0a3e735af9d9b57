/**
 * Computed torque: joints follow a path in q. Errors decay like those of unit masses on springs and
 * dampers. `Luh, Walker & Paul 1980`, IEEE Trans. Automatic Control 25, 468–474.
 *
 *   τ = M(q) (q̈_d + K_d (q̇_d − q̇) + K_p (q_d − q)) + bias,   so   ë + K_d ė + K_p e = 0
 */

import type { ComputedTorqueModel } from '../model/control-spec.ts';

/** Computed-torque controller in joint space. Fill the references, call `compute`, read `torque`. */
export class ComputedTorque {
  readonly position: Float64Array;
  readonly rate: Float64Array;
  readonly acceleration: Float64Array;
  readonly torque: Float64Array;
  private readonly n: number;
  /** [K_p, K_d]. */
  readonly gains: Float64Array;
  private readonly demand: Float64Array;

  constructor(joints: number, model: ComputedTorqueModel) {
    this.n = joints;
    const { frequency, damping } = model;
    this.gains = Float64Array.of(frequency * frequency, 2 * damping * frequency);
    this.position = new Float64Array(joints);
    this.rate = new Float64Array(joints);
    this.acceleration = new Float64Array(joints);
    this.torque = new Float64Array(joints);
    this.demand = new Float64Array(joints);
  }

  /** Computes the torques for M (n × n) and the bias (n) at the measured q and u, with M u' + bias = τ. @alloc none */
  compute(mass: Float64Array, bias: Float64Array, q: Float64Array, u: Float64Array): void {
    const { n, gains, demand, torque } = this;
    for (let j = 0; j < n; j++) {
      demand[j] =
        this.acceleration[j] +
        gains[1] * (this.rate[j] - u[j]) +
        gains[0] * (this.position[j] - q[j]);
    }
    for (let i = 0; i < n; i++) {
      let sum = bias[i];
      for (let j = 0; j < n; j++) sum += mass[i * n + j] * demand[j];
      torque[i] = sum;
    }
  }
}
