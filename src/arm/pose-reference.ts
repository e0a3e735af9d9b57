/**
 * Reference pose of the tool point for a law in the task space: commanded, on a path, or relative
 * to a moving body.
 *
 *   x_ref = x_p + R_p (x_0 + ∫ R_pᵀ v_cmd dt + x_{r/p}(t) + x_c d)      `Kim 1999, (6.7)`, in axes that turn with the body
 *
 * x_{r/p} is the path (6.8), x_c the correction (6.9) along d. The body is free: gravity and the
 * force of the tool accelerate it. Joint limits slow the command and the clock of the path.
 */
import type { ArmImpedance } from '../model/arm-spec.ts';
import { CycloidalPath } from '../control/cycloidal-path.ts';
import { ForceCorrection } from '../control/force-correction.ts';
import { advanceQuaternion, multiplyQuaternion, rotationOf } from '../math/quaternion.ts';
import type { RigidBody } from '../multibody/body.ts';
import { addRotated3, rotate3, unrotate3 } from '../math/vec3.ts';

const POSE = 7;
/**
 * Offsets in the memory: clock of the path, time of the next correction, correction, pose relative
 * to the target, last commanded twist.
 */
const CLOCK = 0;
const NEXT = 1;
const OFFSET = 2;
const PLACE = 3;
const PRIOR = PLACE + POSE;
/** Number of arena values of a reference. */
export const REFERENCE_MEMORY: number = PRIOR + 6;
/** Tolerance for the rounding of a summed time, s. */
const TICK = 5e-10;

/** Least stiffness along the direction of the correction, N/m. It allows for rounding. */
const LEAST_STIFFNESS = 1e-9;

/** State of a body at the origin of the world, for a reference without a target. */
const WORLD = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);

/** Reference pose of a law in the task space. Call `evaluate`, `slow`, read pose, twist and acceleration, then `advance`. */
export class PoseReference {
  /** Reference pose p(3) q(4), twist and its derivative, world frame. */
  readonly pose: Float64Array = new Float64Array(POSE);
  readonly twist: Float64Array = new Float64Array(6);
  readonly acceleration: Float64Array = new Float64Array(6);
  /** Twist and acceleration of the target. They are not slowed. */
  private readonly carried = new Float64Array(6);
  private readonly carriedRate = new Float64Array(6);
  private readonly target: RigidBody | null;
  private readonly body: Float64Array;
  private readonly tool: Float64Array;
  private readonly gravity: ArrayLike<number>;
  private readonly memory: Float64Array;
  private readonly path: CycloidalPath | null;
  private readonly correction: ForceCorrection | null;
  private readonly repeated: boolean;
  private readonly start: number;
  private readonly pause: number;
  private readonly direction: Float64Array;
  /** Stiffness of the impedance in the rows of `axes`, N/m, and along the direction of the correction. */
  private readonly stiffness: Float64Array;
  private readonly axes: Uint8Array;
  private readonly along = new Float64Array(1);
  private readonly desired = new Float64Array(1);
  private readonly actual = new Float64Array(1);
  private readonly clock = new Float64Array(1);
  private readonly rotation = new Float64Array(9);
  private readonly local = new Float64Array(3);
  private readonly arm = new Float64Array(3);
  private readonly turn = new Float64Array(3);
  private readonly lever = new Float64Array(3);
  /** Angular momentum of the target. */
  private readonly spin = new Float64Array(3);
  /** Part of command and path that is executed. */
  private readonly scale = Float64Array.of(1);
  private readonly back = new Float64Array(4);

  /**
   * @param axes rows of the task among the six of a twist
   * @param tool state of the body on which the wrench acts, at its origin
   * @param memory REFERENCE_MEMORY values of the arena
   */
  constructor(
    { rows, path, correction }: ArmImpedance,
    axes: Uint8Array,
    target: RigidBody | null,
    tool: Float64Array,
    gravity: ArrayLike<number>,
    memory: Float64Array,
  ) {
    this.stiffness = Float64Array.from(rows.stiffness);
    this.axes = axes;
    this.target = target;
    this.body = target === null ? WORLD : target.state;
    this.tool = tool;
    this.gravity = gravity;
    this.memory = memory;
    this.path = path === null ? null : new CycloidalPath(path);
    this.start = correction?.start ?? 0;
    this.repeated = correction?.kind === 'repeated';
    this.pause = correction?.time ?? 0;
    this.direction = Float64Array.from(correction?.direction ?? [0, 0, 0]);
    this.desired[0] = correction?.force ?? 0;
    this.correction =
      correction === null
        ? null
        : new ForceCorrection(this.along, correction.time, memory.subarray(OFFSET, OFFSET + 1));
    memory[NEXT] = this.start + this.pause;
  }

  /** Computes pose, twist and acceleration for the commanded twist at `at` and the wrench on the tool. @alloc none */
  evaluate(command: Float64Array, at: number, wrench: Float64Array, timing: Float64Array): void {
    const { body, memory, pose, twist, acceleration, carried, carriedRate } = this;
    const { rotation, arm, turn, path } = this;
    rotationOf(rotation, body, 3);
    this.computeToolForce(wrench);
    this.locate();
    for (let a = 0; a < 3; a++) pose[a] = body[a] + arm[a];
    multiplyQuaternion(pose, 3, body, 3, memory, PLACE + 3);
    this.carry(wrench);
    for (let a = 0; a < 6; a++) {
      twist[a] = command[at + a];
      acceleration[a] = (command[at + a] - memory[PRIOR + a]) / timing[0];
      memory[PRIOR + a] = command[at + a];
    }
    if (path !== null) {
      rotate3(turn, 0, rotation, path.velocity, 0);
      addRotated3(acceleration, 0, rotation, path.acceleration, 0);
      for (let a = 0; a < 3; a++) {
        const b = (a + 1) % 3;
        const c = (a + 2) % 3;
        twist[a] += turn[a];
        acceleration[a] += 2 * (body[10 + b] * turn[c] - body[10 + c] * turn[b]);
      }
    }
    for (let a = 0; a < 6; a++) {
      twist[a] += carried[a];
      acceleration[a] += carriedRate[a];
    }
  }

  /** Scales command and path by readout[at]. @alloc none */
  slow(readout: Float64Array, at: number): void {
    const { twist, acceleration, carried, carriedRate, scale } = this;
    const part = readout[at];
    scale[0] = part;
    if (part === 1) return;
    for (let a = 0; a < 6; a++) {
      twist[a] = carried[a] + part * (twist[a] - carried[a]);
      acceleration[a] = carriedRate[a] + part * (acceleration[a] - carriedRate[a]);
    }
  }

  /**
   * Advances the clock, and the pose by command and correction. With `held` 1 the pose stays,
   * because a torque is at its limit. @alloc none
   */
  advance(timing: Float64Array, held: number): void {
    const { memory, rotation, turn, clock, local } = this;
    const h = timing[0] * this.scale[0];
    clock[0] = h;
    if (held === 0) this.correct(clock);
    memory[CLOCK] += h;
    if (held === 1) return;
    unrotate3(local, 0, rotation, memory, PRIOR);
    unrotate3(turn, 0, rotation, memory, PRIOR + 3);
    for (let a = 0; a < 3; a++) memory[PLACE + a] += h * local[a];
    if (turn[0] !== 0 || turn[1] !== 0 || turn[2] !== 0) {
      advanceQuaternion(memory, PLACE + 3, memory, PLACE + 3, turn, 0, clock);
    }
  }

  /** Sets the reference to this pose, at rest relative to the target. Path and correction go on from it. @alloc none */
  settle(pose: Float64Array): void {
    const { body, memory, rotation, back, turn, arm } = this;
    rotationOf(rotation, body, 3);
    for (let a = 0; a < 3; a++) memory[PLACE + a] = 0;
    this.locate();
    for (let a = 0; a < 3; a++) turn[a] = pose[a] - body[a] - arm[a];
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) memory[PLACE + a] += rotation[3 * b + a] * turn[b];
      back[a] = -body[3 + a];
    }
    back[3] = body[6];
    multiplyQuaternion(memory, PLACE + 3, back, 0, pose, 3);
    for (let a = 0; a < 6; a++) memory[PRIOR + a] = 0;
  }

  /** Computes the force of the tool along the direction of the correction, and the stiffness in that direction. */
  private computeToolForce(wrench: Float64Array): void {
    const { rotation, direction, actual, along, axes, stiffness, turn } = this;
    if (this.correction === null) return;
    actual[0] = 0;
    along[0] = 0;
    rotate3(turn, 0, rotation, direction, 0);
    for (let a = 0; a < 3; a++) actual[0] -= turn[a] * wrench[a];
    for (let r = 0; r < axes.length; r++) {
      const a = axes[r];
      if (a < 3) along[0] += stiffness[r] * turn[a] * turn[a];
    }
  }

  /** Applies (6.9) where the stiffness along the direction is above LEAST_STIFFNESS. */
  private correct(timing: Float64Array): void {
    const { correction, memory, desired, actual } = this;
    if (correction === null || !(memory[CLOCK] >= this.start - TICK)) return;
    if (!(this.along[0] > LEAST_STIFFNESS)) return;
    if (!this.repeated) correction.integrate(desired, actual, timing);
    else if (memory[CLOCK] >= memory[NEXT] - TICK) {
      memory[NEXT] += this.pause;
      correction.apply(desired, actual);
    }
  }

  /** Evaluates the path; arm := vector from the target to the reference, world. */
  private locate(): void {
    const { memory, local, path, clock, direction, rotation, arm } = this;
    for (let a = 0; a < 3; a++) local[a] = memory[PLACE + a] + memory[OFFSET] * direction[a];
    if (path !== null) {
      clock[0] = memory[CLOCK];
      path.evaluate(clock);
      for (let a = 0; a < 3; a++) local[a] += path.position[a];
    }
    rotate3(arm, 0, rotation, local, 0);
  }

  /** Computes the motion of the target at the reference point: a = a_p + α × r + ω × (ω × r). */
  private carry(wrench: Float64Array): void {
    const { target, body, tool, carried, carriedRate, arm, turn, lever, spin } = this;
    if (target === null) return;
    const { inverseMass, inverseInertia, inertia } = target;
    for (let a = 0; a < 3; a++) lever[a] = tool[a] - body[a];
    // force and moment of the tool on the target, about the target's centre
    for (let a = 0; a < 3; a++) {
      const b = (a + 1) % 3;
      const c = (a + 2) % 3;
      turn[a] = -wrench[3 + a] - lever[b] * wrench[c] + lever[c] * wrench[b];
      carried[3 + a] = body[10 + a];
      carried[a] = body[7 + a] + body[10 + b] * arm[c] - body[10 + c] * arm[b];
      spin[a] =
        inertia[3 * a] * body[10] + inertia[3 * a + 1] * body[11] + inertia[3 * a + 2] * body[12];
    }
    for (let a = 0; a < 3; a++) {
      const b = (a + 1) % 3;
      const c = (a + 2) % 3;
      turn[a] -= body[10 + b] * spin[c] - body[10 + c] * spin[b];
    }
    for (let a = 0; a < 3; a++) {
      const m = inverseInertia;
      carriedRate[3 + a] = m[3 * a] * turn[0] + m[3 * a + 1] * turn[1] + m[3 * a + 2] * turn[2];
    }
    for (let a = 0; a < 3; a++) {
      const b = (a + 1) % 3;
      const c = (a + 2) % 3;
      const free = inverseMass > 0 ? this.gravity[a] : 0;
      carriedRate[a] =
        free -
        inverseMass * wrench[a] +
        carriedRate[3 + b] * arm[c] -
        carriedRate[3 + c] * arm[b] +
        body[10 + b] * (carried[c] - body[7 + c]) -
        body[10 + c] * (carried[b] - body[7 + b]);
    }
  }
}
