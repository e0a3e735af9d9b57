/** Motion of the tool of the emulated robot and of its reference: world frame, at the tool point. */

/** Pose and twist. */
export class Motion {
  readonly position: Float64Array = new Float64Array(3);
  readonly orientation: Float64Array = Float64Array.of(0, 0, 0, 1);
  /** Linear, angular. */
  readonly twist: Float64Array = new Float64Array(6);

  /** Copies pose and twist of another motion. */
  copy(other: Motion): void {
    for (let i = 0; i < 3; i++) this.position[i] = other.position[i];
    for (let i = 0; i < 4; i++) this.orientation[i] = other.orientation[i];
    for (let i = 0; i < 6; i++) this.twist[i] = other.twist[i];
  }

  /** Copies the pose of another motion, at rest. */
  restAt(other: Motion): void {
    this.copy(other);
    this.twist.fill(0);
  }
}

/** Carrier of the tool: an arm that follows a reference, or brakes. One step per cycle of its controller. */
export interface ToolCarrier {
  /** True motion of the tool. */
  readonly tool: Motion;
  readonly reference: Motion;
  /** Steps in which a limit acted. */
  readonly limited: number;
  /** Bits of ROBOT_FAULTS that the arm detects; 0 for none. */
  readonly fault: number;
  /** Force and moment on the tool at the tool point, world, for the next step. */
  readonly load: Float64Array;
  /** Steps towards the reference, which then advances along its twist. */
  follow(): void;
  /** Steps a braking to rest, m/s² and rad/s²; the pose at rest is held. @returns true at rest */
  brake(deceleration: number, angularDeceleration: number): boolean;
}
