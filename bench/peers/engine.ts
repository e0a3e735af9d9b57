/** Interface of the benchmark to every engine: the same two scenes, one step, and the state of the moving body. */

/** Slots of `read`. */
export const POSITION = 0; //  3, centre of mass, m
export const ROTATION = 3; //  4, quaternion x, y, z, w
export const VELOCITY = 7; //  3, m/s
export const TURNING = 10; //  3, angular velocity, rad/s; the frame differs between engines, only its length is used
export const BODY = 13;

/** A scene that runs. */
export interface Running {
  step(): void;
  read(out: Float64Array): void;
  free(): void;
}

/** A ball dropped on a plane. */
export interface BallScene {
  readonly step: number;
  readonly gravity: number;
  readonly radius: number;
  readonly mass: number;
  /** Height of the lowest point at the start, m. */
  readonly drop: number;
  readonly restitution: number;
}

/** A box let go just above a plane; the slope is that of gravity against the normal. */
export interface BoxScene {
  readonly step: number;
  readonly gravity: number;
  /** Edge lengths, m. */
  readonly size: readonly [number, number, number];
  readonly mass: number;
  readonly drop: number;
  readonly friction: number;
  /** rad */
  readonly slope: number;
}

/** An engine. */
export interface Engine {
  readonly name: string;
  /** How contact is computed and set up. */
  readonly contact: string;
  ball(scene: BallScene): Running;
  box(scene: BoxScene): Running;
}

/** Gravity in the frame of the plane, m/s². */
export function gravityOf(scene: { gravity: number; slope?: number }): [number, number, number] {
  const slope = scene.slope ?? 0;
  return [scene.gravity * Math.sin(slope), 0, -scene.gravity * Math.cos(slope)];
}

/** Moments of inertia of a solid box, kg m². */
export function boxMoments({ size, mass }: BoxScene): [number, number, number] {
  const [a, b, c] = size.map((edge) => (mass * edge * edge) / 12);
  return [b + c, a + c, a + b];
}
