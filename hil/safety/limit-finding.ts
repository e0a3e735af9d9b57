/** What was beyond its limit when a fault of limits was raised: value, limit and axis, for the event. Raising is rare; nothing allocates. */
import { FaultCode } from '../contract/codes.ts';
import { LimitField } from '../contract/limit-fields.ts';
import { limitPlace, LimitQuantity, NO_AXIS } from '../contract/limit-words.ts';
import { FollowingSlot } from './following-error.ts';
import { type LimitMonitor, MEASURED_SPEED_MARGIN } from './limits.ts';
import { MotionSlot } from './measured-motion.ts';

/** State of the tick in which the fault is raised. */
export interface LimitEvidence {
  /** Newest measured motion, p(3) q(4) v(3) w(3), and wrench. */
  readonly measured: Float64Array;
  readonly measuredWrench: Float64Array;
  readonly limits: LimitMonitor;
  readonly watch: {
    readonly motion: { readonly figures: Float64Array };
    readonly following: { readonly figures: Float64Array };
  };
}

export class LimitFinding {
  /** [value, limit] of the newest finding. */
  readonly figures: Float64Array = new Float64Array(2);
  /** Value over limit of the present candidate. */
  readonly #share = new Float64Array(1);
  #place = 0;

  /** @returns quantity and axis as one number, 0 for a fault that is not of a limit @alloc none */
  find(code: number, tick: LimitEvidence): number {
    const { measured, measuredWrench, limits, watch } = tick;
    const { inForce } = limits;
    this.#place = 0;
    this.#share[0] = -1;
    if (code === FaultCode.FORCE_LIMIT) {
      this.#vector(LimitQuantity.force, measuredWrench, 0, inForce, LimitField.force_N, 1);
      this.#vector(LimitQuantity.moment, measuredWrench, 3, inForce, LimitField.moment_Nm, 1);
    } else if (code === FaultCode.VELOCITY_LIMIT) {
      const margin = MEASURED_SPEED_MARGIN;
      const [speed, turning] = SPEEDS;
      this.#vector(LimitQuantity.speed, measured, 7, inForce, speed, margin);
      this.#vector(LimitQuantity.turning, measured, 10, inForce, turning, margin);
      const { figures } = watch.motion;
      const { SPEED, ANGULAR_SPEED } = MotionSlot;
      this.#scalar(LimitQuantity['speed of the poses'], figures, SPEED, inForce, speed, margin);
      this.#scalar(
        LimitQuantity['turning of the poses'],
        figures,
        ANGULAR_SPEED,
        inForce,
        turning,
        margin,
      );
    } else if (code === FaultCode.WORKSPACE_LIMIT) {
      const axis = limits.workspace.findBreach(measured, this.figures);
      const { place } = LimitQuantity;
      const zone = LimitQuantity['keep-out zone'];
      this.#place = axis === NO_AXIS ? limitPlace(zone, NO_AXIS) : limitPlace(place, axis);
    } else if (code === FaultCode.FOLLOWING_ERROR) {
      const { figures } = watch.following;
      const { ERROR_m, LIMIT_m, ERROR_rad, LIMIT_rad } = FollowingSlot;
      const way = LimitQuantity['distance from the set-point'];
      this.#scalar(way, figures, ERROR_m, figures, LIMIT_m, 1);
      const angle = LimitQuantity['angle from the set-point'];
      this.#scalar(angle, figures, ERROR_rad, figures, LIMIT_rad, 1);
    }
    return this.#place;
  }

  /** Length of three numbers, and the axis of the largest. */
  #vector(
    quantity: number,
    values: Float64Array,
    at: number,
    limits: Float64Array,
    field: number,
    margin: number,
  ): void {
    const x = values[at];
    const y = values[at + 1];
    const z = values[at + 2];
    let axis = Math.abs(x) >= Math.abs(y) ? 0 : 1;
    if (Math.abs(z) > Math.abs(values[at + axis])) axis = 2;
    const length = Math.sqrt(x * x + y * y + z * z);
    const limit = limits[field] * margin;
    if (length / limit > this.#share[0]) this.#take(quantity, axis, length, limit);
  }

  #scalar(
    quantity: number,
    values: Float64Array,
    at: number,
    limits: Float64Array,
    field: number,
    margin: number,
  ): void {
    const limit = limits[field] * margin;
    if (values[at] / limit > this.#share[0]) this.#take(quantity, NO_AXIS, values[at], limit);
  }

  /** The quantity that is furthest beyond its limit is the finding. */
  #take(quantity: number, axis: number, value: number, limit: number): void {
    this.#share[0] = value / limit;
    this.figures[0] = value;
    this.figures[1] = limit;
    this.#place = limitPlace(quantity, axis);
  }
}

const SPEEDS = [LimitField.speed_mps, LimitField.angular_speed_radps] as const;
