/**
 * Servos of the joints of an arm: each drives its rotor to a reference position and rate.
 * docs/theory/arm.md.
 *
 *   tau = Kp (q_d − q_m) + Kv (q'_d − q'_m),  Kp = I w²,  Kv = 2 z I w
 *   I: inertia that the joint moves at the start, rotor included
 *
 * The torque is constant over a step, and a rotor behind a soft joint is light. The law therefore
 * uses the rate at the end of the step, with rotor inertia J and spring torque T_s:
 *
 *   q'+ = q' + h (tau − T_s)/J,  q+ = q + h q'+
 *   tau = (Kp (q_d − q − h q') + Kv (q'_d − q') + a T_s)/(1 + a),  a = (h Kv + h² Kp)/J
 *
 * This is stable for every rotor inertia; at rest it is Kp (q_d − q_m) = T_s. The rotor drags along
 * a reference that the largest torque cannot hold.
 */
import type { ArmServoModel } from '../model/arm-spec.ts';

/** Servos of the joints of one arm. All arrays have one number per joint. */
export class JointServo {
  /** Reference positions q_d. They lie in the arena. */
  readonly reference: Float64Array;
  /** Reference rates q'_d. */
  readonly referenceRate: Float64Array;
  /** Torques of the last step. They lie in the arena. */
  readonly torque: Float64Array;
  /** 1 when a torque was at its limit in the last step. */
  saturated = 0;
  private readonly stiffness: Float64Array;
  private readonly damping: Float64Array;
  private readonly inertia: Float64Array;
  private readonly limit: Float64Array;

  /**
   * @param inertia inertia that each joint moves at the start, and that of its rotor alone, kg m²
   * @param limit largest torques, N m
   */
  constructor(
    models: readonly ArmServoModel[],
    inertia: { readonly moved: ArrayLike<number>; readonly rotor: ArrayLike<number> },
    limit: ArrayLike<number>,
    reference: Float64Array,
    torque: Float64Array,
  ) {
    this.reference = reference;
    this.torque = torque;
    this.referenceRate = new Float64Array(reference.length);
    this.stiffness = Float64Array.from(
      models,
      ({ bandwidth }, j) => inertia.moved[j] * bandwidth * bandwidth,
    );
    this.damping = Float64Array.from(
      models,
      ({ bandwidth, dampingRatio }, j) => 2 * dampingRatio * inertia.moved[j] * bandwidth,
    );
    this.inertia = Float64Array.from(inertia.rotor);
    this.limit = Float64Array.from(limit);
  }

  /**
   * Computes the torques from positions, rates and spring torques of the rotors, for a step of
   * timing[0]. @alloc none
   */
  compute(
    position: Float64Array,
    rate: Float64Array,
    spring: Float64Array,
    timing: Float64Array,
  ): void {
    const h = timing[0];
    const { reference, referenceRate, stiffness, damping, inertia, limit, torque } = this;
    this.saturated = 0;
    for (let j = 0; j < torque.length; j++) {
      const kp = stiffness[j];
      const kv = damping[j];
      const a = (h * kv + h * h * kp) / inertia[j];
      reference[j] += h * referenceRate[j];
      const pull =
        kp * (reference[j] - position[j] - h * rate[j]) + kv * (referenceRate[j] - rate[j]);
      const wanted = (pull + a * spring[j]) / (1 + a);
      const most = limit[j];
      if (wanted > most || wanted < -most) {
        torque[j] = wanted > 0 ? most : -most;
        this.saturated = 1;
        const reach = most / kp;
        if (reference[j] - position[j] > reach) reference[j] = position[j] + reach;
        else if (position[j] - reference[j] > reach) reference[j] = position[j] - reach;
      } else torque[j] = wanted;
    }
  }

  /** Sets the references so that the servos hold the spring torques at these positions. @alloc none */
  settle(position: Float64Array, spring: Float64Array): void {
    const { reference, referenceRate, stiffness, torque } = this;
    for (let j = 0; j < torque.length; j++) {
      reference[j] = position[j] + spring[j] / stiffness[j];
      referenceRate[j] = 0;
      torque[j] = spring[j];
    }
  }
}
