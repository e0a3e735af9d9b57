/**
 * The emulated ground robot: an arm that follows pose and twist set-points (second order, delayed,
 * limited). It measures its pose and the force on its tool with noise, and obeys the loss rules of
 * the robot end. It is pure and deterministic: time is an argument, noise comes from one seed,
 * frames pass through a `Link`. `process.ts` runs it on a thread, tests on a virtual clock.
 *
 *   receive → decide (guard.ts) → move (follower.ts, setpoint-stream.ts) → touch (wall.ts) → measure (sensors.ts) → send STATE
 */
import { Random } from '../../src/math/random.ts';
import { Phase } from '../contract/phase.ts';
import { SetpointFrame, StateFrame } from '../protocol/frames.ts';
import { TaggingLink } from '../links/tagging-link.ts';
import { Role } from '../protocol/endpoint.ts';
import { isPoseJump } from '../protocol/pose-jump.ts';
import { RobotSession } from '../protocol/robot-session.ts';
import { SafetyState } from '../contract/codes.ts';
import { Follower } from './follower.ts';
import { ForceDelay } from './force-delay.ts';
import { ForceSensor } from './force-sensor.ts';
import { GuardInputs, RobotAction, RobotGuard } from './guard.ts';
import { ImpairedLink } from './impaired-link.ts';
import type { EmulatorOptions } from './options.ts';
import { ResidualPayload } from './residual-payload.ts';
import { angleBetween } from './rotation.ts';
import { Sensors } from './sensors.ts';
import { JointArm, stepsPerCycle } from './joint-arm.ts';
import { copySetpoint, SetpointStream } from './setpoint-stream.ts';
import { StopRecord } from './stop-record.ts';
import type { Motion, ToolCarrier } from './tool-motion.ts';
import { Wall } from './wall.ts';

/**
 * Largest distance of a first set-point from the measured pose for a start of motion: 0.5 mm, 0.1°,
 * and almost no speed.
 */
const START_DISTANCE_M = 5e-4;
const START_ANGLE_RAD = (0.1 * Math.PI) / 180;
const START_SPEED_MPS = 5e-3;
const START_ANGULAR_SPEED_RADPS = 5e-2;
const BRAKE_FACTOR_EMERGENCY = 4;
const DELAY_SLOTS = 64;
/**
 * States in which ARM is accepted. They include the states after ARM, because an answer may be
 * lost, and those after a hold.
 */
const ARMABLE: readonly number[] = [
  SafetyState.MONITOR_READY,
  SafetyState.ARMING,
  SafetyState.HOLD,
];

function distance(a: Float64Array, b: Float64Array): number {
  const x = a[0] - b[0];
  const y = a[1] - b[1];
  const z = a[2] - b[2];
  return Math.sqrt(x * x + y * y + z * z);
}

function norm(a: Float64Array, at: number): number {
  return Math.sqrt(a[at] * a[at] + a[at + 1] * a[at + 1] + a[at + 2] * a[at + 2]);
}

/** The emulated ground robot. */
export class EmulatedRobot {
  readonly session: RobotSession;
  readonly link: ImpairedLink;
  /** Carrier of the tool, with the tool's true motion. */
  readonly carrier: ToolCarrier;
  readonly tool: Motion;
  readonly guard: RobotGuard;
  readonly sensors: Sensors;
  readonly wall: Wall | null;
  /** End of the last motion. */
  readonly stop = new StopRecord();
  /** STATE sent in the last cycle. */
  readonly state = new StateFrame();
  /** Cycles so far. */
  cycles = 0;
  /** Set-points refused because of a jump. */
  jumps = 0;
  readonly #options: EmulatorOptions;
  /** Line of the session: the link, with tags. */
  readonly #line: TaggingLink;
  readonly #inputs = new GuardInputs();
  readonly #noContact = new Float64Array(6);
  /** Set-points received and not yet applied: a ring, oldest at #first. */
  readonly #waiting: SetpointFrame[] = [];
  readonly #waitingLeft_s = new Float64Array(DELAY_SLOTS);
  readonly #waitingAge_us = new Float64Array(DELAY_SLOTS);
  #first = 0;
  #count = 0;
  /** The applied set-point. */
  readonly #current = new SetpointFrame();
  #currentAge_us = 0.5;
  /** Set-points as one motion for an ideal robot; null for a robot that follows them. */
  readonly #stream: SetpointStream | null;
  /** Carrier of an ideal robot; null for an arm that follows. */
  readonly #ideal: Follower | null;
  readonly #arrivedAt_us = new Float64Array(1);
  readonly #payload: ResidualPayload | null;
  readonly #forceDelay: ForceDelay;
  readonly #forceSensor: ForceSensor | null;
  readonly #forceAge_us: number;

  constructor(options: EmulatorOptions) {
    this.#options = options;
    const { limits, period_s, seed } = options;
    // separate random streams, so that the link does not affect the noise
    this.link = new ImpairedLink(
      options.link,
      options.impairIn,
      options.impairOut,
      new Random(seed ^ 0x5bd1e995),
    );
    this.#line = new TaggingLink(this.link, Role.ROBOT, [options.key]);
    this.session = new RobotSession({
      period_s,
      keyed: options.key !== '',
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
    this.#line.session = this.session.tags;
    const tracking = {
      speed: limits.speed_mps,
      angularSpeed: limits.angular_speed_radps,
      acceleration: limits.acceleration_mps2,
      angularAcceleration: limits.angular_acceleration_radps2,
    };
    const { bandwidth_Hz, damping, arm, position, orientation } = options;
    const ideal = options.tracking === 'ideal';
    let steps = 1;
    if (arm !== null && !ideal) {
      const place = [position, orientation] as const;
      const joints = new JointArm(arm, bandwidth_Hz, damping, period_s, tracking, ...place);
      joints.onStep = () => this.#loadArm();
      steps = stepsPerCycle(period_s);
      this.carrier = joints;
      this.#ideal = null;
    } else {
      const follower = new Follower(bandwidth_Hz, damping, period_s, tracking);
      follower.place(position, orientation);
      this.carrier = follower;
      this.#ideal = ideal ? follower : null;
    }
    this.tool = this.carrier.tool;
    this.guard = new RobotGuard(period_s, limits.force_N);
    this.sensors = new Sensors(options.noise, new Random(seed));
    const { wall } = options;
    this.wall =
      wall === null
        ? null
        : new Wall(wall.model, wall.payload, period_s / steps, wall.plateStiffness ?? null);
    for (let i = 0; i < DELAY_SLOTS; i++) this.#waiting.push(new SetpointFrame());
    this.#stream =
      options.tracking === 'ideal' ? new SetpointStream(options.delay_s, period_s) : null;
    this.#payload =
      options.payload === null
        ? null
        : new ResidualPayload(options.payload, period_s, this.tool.twist);
    this.#forceDelay = new ForceDelay(options.force_delay_s, period_s);
    this.#forceSensor = options.sensor === null ? null : new ForceSensor(options.sensor, period_s);
    this.#forceAge_us = Math.round(1e6 * (options.force_age_s ?? options.force_delay_s));
    this.#measure();
  }

  /** Force and moment of the contact on the tool, without noise. */
  get trueWrench(): Float64Array {
    return this.wall === null ? this.#noContact : this.wall.wrench;
  }

  /** Runs one cycle of `dt` (the period of the options) that starts at `now_us`. */
  step(dt: number, now_us: number): void {
    const { session, guard } = this;
    const inputs = this.#inputs;
    this.link.advance(now_us);
    session.armAllowed = ARMABLE.includes(guard.linkState) && inputs.atRest && !this.sensors.taring;
    session.now_us[0] = now_us;
    session.poll(this.#line);
    if (session.tareRequested && inputs.atRest && !guard.engaged) this.sensors.tare();
    session.tareRequested = false;
    inputs.silence_s += dt;
    this.#stream?.beginCycle();
    if (session.fresh) this.#receive(now_us);
    inputs.applied = this.#stream === null ? this.#nextDue(dt) : this.#play(this.#stream, now_us);
    this.#fillInputs();
    const before = guard.fault;
    guard.step(inputs);
    this.#reportFaults(guard.fault & ~before);
    this.#move();
    this.stop.update(session.fresh, this.tool.twist);
    // at the measured pose
    this.#touch();
    this.#measure();
    this.#fillState(now_us);
    session.sendState(this.#line, this.state);
    this.cycles++;
  }

  /** Takes a set-point, unless it is a jump, which counts as lost. */
  #receive(now_us: number): void {
    const setpoint = this.session.setpoint;
    const stream = this.#stream;
    const last = stream?.started === true ? stream.newest : this.carrier.reference;
    const { position, orientation } = setpoint;
    if (this.guard.engaged && isPoseJump(position, orientation, last.position, last.orientation)) {
      this.jumps++;
      return;
    }
    this.#inputs.silence_s = 0;
    if (stream !== null) {
      this.#arrivedAt_us[0] = now_us - this.session.cmdAge_us;
      stream.put(setpoint, this.#arrivedAt_us);
      return;
    }
    if (this.#count === DELAY_SLOTS) return;
    const slot = (this.#first + this.#count) % DELAY_SLOTS;
    copySetpoint(setpoint, this.#waiting[slot]);
    this.#waitingLeft_s[slot] = this.#options.delay_s;
    this.#waitingAge_us[slot] = this.session.cmdAge_us;
    this.#count++;
  }

  /** Applies the newest set-point whose delay is over. @returns whether there was one */
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

  /** Plays the set-points as one motion, a fixed time ago. @returns whether they reach that far */
  #play(stream: SetpointStream, now_us: number): boolean {
    if (this.session.phase !== Phase.SYNCED) stream.clear();
    const reached = stream.play();
    if (stream.started) {
      copySetpoint(stream.played, this.#current);
      this.#currentAge_us = now_us - stream.arrival_us[0];
    }
    return reached;
  }

  /** Sends a FAULT for each new bit. Every STATE contains the bit, too. */
  #reportFaults(bits: number): void {
    for (let code = 0; bits >>> code !== 0; code++) {
      if (((bits >>> code) & 1) === 1) this.session.sendFault(this.link, code, 0);
    }
  }

  #fillInputs(): void {
    const { session, tool } = this;
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
    inputs.atRest = norm(tool.twist, 0) === 0 && norm(tool.twist, 3) === 0;
    inputs.force_N = norm(this.sensors.wrench, 0);
    inputs.armFault = this.carrier.fault;
  }

  #touch(): void {
    const { position, orientation, twist } = this.tool;
    this.wall?.step(position, orientation, twist);
  }

  /** The load of the arm at the motion that it has in the middle of a cycle. */
  #loadArm(): void {
    this.#touch();
    for (let i = 0; i < 6; i++) this.carrier.load[i] = this.trueWrench[i];
  }

  #move(): void {
    const { carrier, guard } = this;
    const limits = this.#options.limits;
    const action = guard.action;
    for (let i = 0; i < 6; i++) carrier.load[i] = this.trueWrench[i];
    if (action === RobotAction.FOLLOW || action === RobotAction.COAST) {
      if (action === RobotAction.FOLLOW) {
        const { reference } = carrier;
        for (let i = 0; i < 3; i++) reference.position[i] = this.#current.position[i];
        for (let i = 0; i < 4; i++) reference.orientation[i] = this.#current.orientation[i];
        for (let i = 0; i < 6; i++) reference.twist[i] = this.#current.twist[i];
      }
      if (this.#ideal === null) carrier.follow();
      else this.#ideal.beAtReference();
      return;
    }
    const factor = action === RobotAction.EMERGENCY ? BRAKE_FACTOR_EMERGENCY : 1;
    carrier.brake(
      factor * limits.stop_deceleration_mps2,
      factor * limits.stop_angular_deceleration_radps2,
    );
  }

  #measure(): void {
    const { tool } = this;
    const payload = this.#payload;
    payload?.addLoad(tool.orientation, tool.twist, this.trueWrench);
    this.#forceDelay.put(payload === null ? this.trueWrench : payload.wrench);
    const { wrench } = this.#forceDelay;
    const sensor = this.#forceSensor;
    sensor?.measure(tool.orientation, wrench);
    const measured = sensor === null ? wrench : sensor.wrench;
    this.sensors.measure(tool.position, tool.orientation, tool.twist, measured);
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
    state.ftAge_us = this.#forceAge_us;
    state.tMeas_us = now_us;
  }
}
