/**
 * The emulated ground robot: an arm that follows pose and twist set-points (second order, delayed, limited), measures its pose and
 * the force on its tool with noise, and obeys the loss rules of the robot end. Pure and deterministic: time comes in as an
 * argument, randomness from one seed, frames through a `Link`. `process.ts` gives it a thread, tests a virtual clock.
 *
 * One cycle: receive → decide (guard.ts) → move (follower.ts) → touch (wall.ts) → measure (sensors.ts) → send STATE.
 */
import { Random } from '../../src/math/random.ts';
import { SetpointFrame, StateFrame } from '../protocol/frames.ts';
import { RobotSession } from '../protocol/robot-session.ts';
import { SafetyState } from '../safety/codes.ts';
import { angleBetween, Follower } from './follower.ts';
import { GuardInputs, RobotAction, RobotGuard } from './guard.ts';
import { ImpairedLink } from './impaired-link.ts';
import type { EmulatorOptions } from './options.ts';
import { Sensors } from './sensors.ts';
import { StopRecord } from './stop-record.ts';
import { Wall } from './wall.ts';

/** A first set-point this near to the measured pose may start motion: 0.5 mm, 0.1°, and next to no speed. */
const START_DISTANCE_M = 5e-4;
const START_ANGLE_RAD = (0.1 * Math.PI) / 180;
const START_SPEED_MPS = 5e-3;
const START_ANGULAR_SPEED_RADPS = 5e-2;
/** A set-point this far from the last one is not a motion: refused, as if it had not come. */
const JUMP_MOST_M = 0.01;
const BRAKE_FACTOR_EMERGENCY = 4;
const DELAY_SLOTS = 64;

function copySetpoint(from: SetpointFrame, to: SetpointFrame): void {
  to.seq = from.seq;
  to.t_us = from.t_us;
  to.mode = from.mode;
  to.stopCategory = from.stopCategory;
  to.ttl_ms = from.ttl_ms;
  for (let i = 0; i < 3; i++) to.position[i] = from.position[i];
  for (let i = 0; i < 4; i++) to.orientation[i] = from.orientation[i];
  for (let i = 0; i < 6; i++) to.twist[i] = from.twist[i];
}

function distance(a: Float64Array, b: Float64Array): number {
  const x = a[0] - b[0];
  const y = a[1] - b[1];
  const z = a[2] - b[2];
  return Math.sqrt(x * x + y * y + z * z);
}

function norm(a: Float64Array, at: number): number {
  return Math.sqrt(a[at] * a[at] + a[at + 1] * a[at + 1] + a[at + 2] * a[at + 2]);
}

/** See above. */
export class EmulatedRobot {
  readonly session: RobotSession;
  readonly link: ImpairedLink;
  readonly follower: Follower;
  readonly guard: RobotGuard;
  readonly sensors: Sensors;
  readonly wall: Wall | null;
  /** How the last motion ended. */
  readonly stop = new StopRecord();
  /** What the last cycle sent. */
  readonly state = new StateFrame();
  /** Cycles so far. */
  cycles = 0;
  /** Set-points refused because they jumped. */
  jumps = 0;
  readonly #options: EmulatorOptions;
  readonly #inputs = new GuardInputs();
  readonly #noContact = new Float64Array(6);
  /** Set-points received and not yet in force: a ring, oldest at #first. */
  readonly #waiting: SetpointFrame[] = [];
  readonly #waitingLeft_s = new Float64Array(DELAY_SLOTS);
  readonly #waitingAge_us = new Float64Array(DELAY_SLOTS);
  #first = 0;
  #count = 0;
  /** The set-point in force. */
  readonly #current = new SetpointFrame();
  #currentAge_us = 0.5;

  constructor(options: EmulatorOptions) {
    this.#options = options;
    const { limits, period_s, seed } = options;
    // separate streams: what the link does must not change the noise
    this.link = new ImpairedLink(
      options.link,
      options.impairIn,
      options.impairOut,
      new Random(seed ^ 0x5bd1e995),
    );
    this.session = new RobotSession({
      period_s,
      key: options.key,
      device: 'berth-emulator',
      firmware: '1',
      limits: {
        speed_mps: limits.speed_mps,
        angular_speed_radps: limits.angular_speed_radps,
        acceleration_mps2: limits.acceleration_mps2,
        force_N: limits.force_N,
        moment_Nm: limits.moment_Nm,
        workspace_m: limits.workspace_m,
      },
    });
    this.follower = new Follower(options.bandwidth_Hz, options.damping, period_s, {
      speed: limits.speed_mps,
      angularSpeed: limits.angular_speed_radps,
      acceleration: limits.acceleration_mps2,
      angularAcceleration: limits.angular_acceleration_radps2,
    });
    this.follower.place(options.position, options.orientation);
    this.guard = new RobotGuard(period_s, limits.force_N);
    this.sensors = new Sensors(options.noise, new Random(seed));
    this.wall = options.wall === null ? null : new Wall(options.wall.model, options.wall.payload);
    for (let i = 0; i < DELAY_SLOTS; i++) this.#waiting.push(new SetpointFrame());
    this.#measure();
  }

  /** Force and moment of the contact on the tool, without noise. */
  get trueWrench(): Float64Array {
    return this.wall === null ? this.#noContact : this.wall.wrench;
  }

  /** One cycle of `dt` (the period of the options) that begins at `now_us`. */
  step(dt: number, now_us: number): void {
    const { session, guard } = this;
    const inputs = this.#inputs;
    this.link.advance(now_us);
    session.armAllowed = guard.linkState === SafetyState.MONITOR_READY && inputs.atRest;
    session.now_us[0] = now_us;
    session.poll(this.link);
    inputs.silence_s += dt;
    if (session.fresh) this.#receive();
    inputs.applied = this.#nextDue(dt);
    this.#fillInputs();
    guard.step(inputs);
    this.#move();
    this.stop.update(session.fresh, this.follower.twist);
    // at the pose that is measured: force and pose are one sample
    this.wall?.step(
      this.follower.position,
      this.follower.orientation,
      this.follower.twist,
      this.#options.period_s,
    );
    this.#measure();
    this.#fillState(now_us);
    session.sendState(this.link, this.state);
    this.cycles++;
  }

  /** Take a set-point in unless it is a jump. */
  #receive(): void {
    const setpoint = this.session.setpoint;
    if (
      this.guard.engaged &&
      distance(setpoint.position, this.follower.referencePosition) > JUMP_MOST_M
    ) {
      this.jumps++;
      return;
    }
    this.#inputs.silence_s = 0;
    if (this.#count === DELAY_SLOTS) return;
    const slot = (this.#first + this.#count) % DELAY_SLOTS;
    copySetpoint(setpoint, this.#waiting[slot]);
    this.#waitingLeft_s[slot] = this.#options.delay_s;
    this.#waitingAge_us[slot] = this.session.cmdAge_us;
    this.#count++;
  }

  /** Put the newest set-point whose delay is over into force. @returns whether there was one. */
  #nextDue(dt: number): boolean {
    for (let i = 0; i < this.#count; i++) {
      this.#waitingLeft_s[(this.#first + i) % DELAY_SLOTS] -= dt;
    }
    let applied = false;
    // half a cycle of tolerance: a delay of whole cycles must not depend on rounding
    while (this.#count > 0 && this.#waitingLeft_s[this.#first] < -0.5 * dt) {
      copySetpoint(this.#waiting[this.#first], this.#current);
      this.#currentAge_us = this.#waitingAge_us[this.#first] + 1e6 * this.#options.delay_s;
      this.#first = (this.#first + 1) % DELAY_SLOTS;
      this.#count--;
      applied = true;
    }
    return applied;
  }

  #fillInputs(): void {
    const { session, follower } = this;
    const inputs = this.#inputs;
    const current = this.#current;
    inputs.phase = session.phase;
    inputs.armRequested = session.armed;
    inputs.clearRequested = session.clearRequested;
    inputs.stopCategory = session.stopRequested;
    session.armed = false;
    session.clearRequested = false;
    session.stopRequested = -1;
    inputs.lostInRow = session.lostInRow;
    inputs.mode = current.mode;
    inputs.setpointStopCategory = current.stopCategory;
    inputs.ttl_s = current.ttl_ms * 1e-3;
    inputs.matches =
      distance(current.position, this.sensors.position) <= START_DISTANCE_M &&
      angleBetween(current.orientation, this.sensors.orientation) <= START_ANGLE_RAD &&
      norm(current.twist, 0) <= START_SPEED_MPS &&
      norm(current.twist, 3) <= START_ANGULAR_SPEED_RADPS;
    inputs.atRest = norm(follower.twist, 0) === 0 && norm(follower.twist, 3) === 0;
    inputs.force_N = norm(this.sensors.wrench, 0);
  }

  #move(): void {
    const { follower, guard } = this;
    const limits = this.#options.limits;
    const action = guard.action;
    if (action === RobotAction.FOLLOW || action === RobotAction.COAST) {
      if (action === RobotAction.FOLLOW) {
        for (let i = 0; i < 3; i++) follower.referencePosition[i] = this.#current.position[i];
        for (let i = 0; i < 4; i++) follower.referenceOrientation[i] = this.#current.orientation[i];
        for (let i = 0; i < 6; i++) follower.referenceTwist[i] = this.#current.twist[i];
      }
      follower.follow();
      return;
    }
    const factor = action === RobotAction.EMERGENCY ? BRAKE_FACTOR_EMERGENCY : 1;
    follower.brake(
      factor * limits.stop_deceleration_mps2,
      factor * limits.stop_angular_deceleration_radps2,
    );
  }

  #measure(): void {
    const { follower } = this;
    this.sensors.measure(follower.position, follower.orientation, follower.twist, this.trueWrench);
  }

  #fillState(now_us: number): void {
    const { state, sensors, guard, session } = this;
    for (let i = 0; i < 3; i++) state.position[i] = sensors.position[i];
    for (let i = 0; i < 4; i++) state.orientation[i] = sensors.orientation[i];
    for (let i = 0; i < 6; i++) {
      state.twist[i] = sensors.twist[i];
      state.wrench[i] = sensors.wrench[i];
    }
    state.linkState = guard.linkState;
    state.safety = guard.safety;
    state.fault = guard.fault;
    state.ctlMode = this.#current.mode;
    state.echoSeq = this.#current.seq;
    state.cmdAge_us = Math.min(65_535, Math.round(this.#currentAge_us));
    state.lostInRow = session.lostInRow;
    state.ftAge_us = 0; // force and pose are one sample
    state.tMeas_us = now_us;
  }
}
