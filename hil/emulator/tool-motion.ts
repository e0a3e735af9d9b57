/** Motion of the tool of the emulated robot, and of the reference that it is to follow: world frame, at the tool point. */

/** Pose and twist. */
export class Motion {
  readonly position: Float64Array = new Float64Array(3);
  readonly orientation: Float64Array = Float64Array.of(0, 0, 0, 1);
  /** Linear, angular. */
  readonly twist: Float64Array = new Float64Array(6);

  /** Be where another is, with its twist. */
  copy(other: Motion): void {
    for (let i = 0; i < 3; i++) this.position[i] = other.position[i];
    for (let i = 0; i < 4; i++) this.orientation[i] = other.orientation[i];
    for (let i = 0; i < 6; i++) this.twist[i] = other.twist[i];
  }

  /** Be at the pose of another, at rest. */
  restAt(other: Motion): void {
    this.copy(other);
    this.twist.fill(0);
  }
}

/** What carries the tool: an arm that follows a reference, or brakes. One step a cycle of its controller. */
export interface ToolCarrier {
  /** True motion of the tool. */
  readonly tool: Motion;
  readonly reference: Motion;
  /** Steps in which a limit acted. */
  readonly limited: number;
  /** Bits of ROBOT_FAULTS that the arm itself finds; 0 none. */
  readonly fault: number;
  /** Force and moment on the tool at the tool point, world: what the arm is to bear in the next step. */
  readonly load: Float64Array;
  /** One step towards the reference, which then moves on along its twist. */
  follow(): void;
  /** One step of braking to rest, m/s² and rad/s²; the pose where it rests is held. @returns true at rest */
  brake(deceleration: number, angularDeceleration: number): boolean;
}
