/**
 * End of the tool's last motion, counted in the robot's own cycles. While the process is blocked,
 * the count pauses, and a stop can be judged exactly on a machine that stalls.
 */
import { length3 } from '../../src/math/vec3.ts';

/** End of one motion, as plain numbers that can be sent between threads. */
export interface StopReport {
  /** Cycle that found the tool at rest, and the cycle of the newest set-point. */
  readonly cycle: number;
  readonly setpoint_cycle: number;
  /** Greatest speed since that set-point, m/s. */
  readonly speed_mps: number;
  /** Index in MOTION_ENDS. */
  readonly end: number;
  /** Bits of ROBOT_FAULTS. */
  readonly fault: number;
  /** Position at rest, m. */
  readonly position_m: readonly [number, number, number];
}

/** Record of the last stop. Call `update` once per cycle, after the tool has moved. */
export class StopRecord {
  /** Motions that have come to rest so far. */
  stops = 0;
  #cycle = 0;
  #setpointCycle = 0;
  #restCycle = 0;
  #moving = false;
  readonly #speed = new Float64Array(1);

  /**
   * @param received whether a set-point arrived in this cycle
   * @param twist true twist of the tool
   */
  update(received: boolean, twist: Float64Array): void {
    const speed = length3(twist, 0);
    this.#cycle++;
    if (received) {
      this.#setpointCycle = this.#cycle;
      this.#speed[0] = 0;
    }
    if (speed > this.#speed[0]) this.#speed[0] = speed;
    const moving = speed > 0 || length3(twist, 3) > 0;
    if (this.#moving && !moving) {
      this.stops++;
      this.#restCycle = this.#cycle;
    }
    this.#moving = moving;
  }

  /** The newest stop; allocates. */
  report(end: number, fault: number, position: Float64Array): StopReport {
    return {
      cycle: this.#restCycle,
      setpoint_cycle: this.#setpointCycle,
      speed_mps: this.#speed[0],
      end,
      fault,
      position_m: [position[0], position[1], position[2]],
    };
  }
}
