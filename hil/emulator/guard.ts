/**
 * Decisions of the robot end in each cycle: whether it may move, and how it reacts when set-points
 * stop. Pure: numbers in, numbers out. Silence of the loop is safe here, whatever state the loop is
 * in.
 *
 * Loss rules (docs/emulator.md): one cycle without a set-point is bridged, because the two clocks
 * are not locked. After that the robot brakes in contact; in free motion it keeps its velocity for
 * at most 5 ms and then brakes. When the time to live ends, or 20 are missing in a row, it stops
 * (category 1) and waits for CLEAR and ARM. It never moves without ARM, from a first set-point away
 * from the tool, or on a restored connection.
 *
 * Time is counted in the robot's own cycles: the watchdog pauses with its process.
 */
import { Phase } from '../contract/phase.ts';
import { STOP_FAULTS } from '../contract/robot-faults.ts';
import { CtlMode, RobotSafety, SafetyState } from '../contract/codes.ts';
import { type CodeIndices, codesOf } from '../../src/base/name-indices.ts';

/** Action of the follower in this cycle. */
export const RobotAction = Object.freeze({ FOLLOW: 0, COAST: 1, BRAKE: 2, EMERGENCY: 3 });

/** Bits of STATE.fault that end a motion; this robot finds the first six. */
export { STOP_FAULTS as ROBOT_FAULTS };
export type RobotFaultName = (typeof STOP_FAULTS)[number];
export const RobotFault = Object.freeze(
  Object.fromEntries(STOP_FAULTS.map((name, index) => [name, 1 << index])),
) as { readonly [K in RobotFaultName]: number };

/** Cause that ended the following of set-points. Only append entries. */
export const MOTION_ENDS = [
  'silence', //   nothing yet, or set-points that ceased
  'hold',
  'stop_0', //  requested by the loop, by category
  'stop_1',
  'stop_2',
  'link_down',
  'fault',
] as const;
export const MotionEnd: CodeIndices<typeof MOTION_ENDS> = codesOf(MOTION_ENDS);

/** Faults of the connection. A new handshake clears them, because ARM is required again anyway. */
const LINK_FAULTS = RobotFault.TTL_EXPIRED | RobotFault.SETPOINTS_LOST;

const BRIDGED_CYCLES = 1;
const COAST_MOST_S = 0.005;
const LOST_MOST = 20;
const FORCE_SAMPLES = 3;
/** Time for which an emergency stop is reported after the tool came to rest, as if a person released the button. */
const EMERGENCY_HOLD_S = 0.5;

/** Inputs of the guard, written by the robot before each cycle. */
export class GuardInputs {
  phase = 0;
  armRequested = false;
  clearRequested = false;
  /** Category 0–2 of a STOP frame, −1 without one. */
  stopCategory = -1;
  /** A set-point took effect in this cycle; the fields below belong to it. */
  applied = false;
  mode = 0;
  setpointStopCategory = 1;
  ttl_s = 0.02;
  /** The set-point lies at the tool's pose, at rest. */
  matches = false;
  /** Time since the newest set-point was received, s. */
  silence_s = 0.5;
  lostInRow = 0;
  atRest = true;
  force_N = 0.5;
  /** Bits of ROBOT_FAULTS that the arm detected; 0 for none. */
  armFault = 0;
}

export class RobotGuard {
  /** Result of this cycle. */
  action: number = RobotAction.BRAKE;
  linkState: number = SafetyState.OFFLINE;
  safety: number = RobotSafety.NORMAL;
  fault = 0;
  /** ARM was accepted and has not been revoked. */
  armed = false;
  /** Set-points are being followed. */
  engaged = false;
  /** Cause of the end: index in MOTION_ENDS. */
  endedBy: number = MotionEnd.SILENCE;
  readonly #period_s: number;
  readonly #forceLimit_N: number;
  #phase = 0;
  #contact = false;
  #ttl_s = 0.02;
  #missing = 0;
  #stopping = false;
  #emergency = false;
  #emergencyLeft_s = 0.5;
  #held = false;
  #forceSamples = 0;
  /** Stop category of the set-point in force; −1 when it demands no stop. */
  #setpointStop = -1;

  constructor(period_s: number, forceLimit_N: number) {
    this.#period_s = period_s;
    this.#forceLimit_N = forceLimit_N;
  }

  step(inputs: GuardInputs): void {
    if (inputs.phase !== this.#phase) this.#changePhase(inputs.phase);
    if (inputs.clearRequested && inputs.atRest) {
      this.fault = 0;
      this.#emergency = false;
    }
    if (inputs.stopCategory >= 0)
      this.#stop(inputs.stopCategory, MotionEnd.STOP_0 + inputs.stopCategory);
    this.#forceSamples = inputs.force_N > this.#forceLimit_N ? this.#forceSamples + 1 : 0;
    if (this.#forceSamples >= FORCE_SAMPLES) this.#trip(RobotFault.FORCE_LIMIT);
    if (inputs.armFault !== 0 && this.engaged) this.#trip(inputs.armFault);
    if (this.#stopping && inputs.atRest) this.#stopping = false;
    if (inputs.armRequested && this.#mayArm(inputs)) {
      this.armed = true;
      this.engaged = false;
      this.#held = false;
    }
    if (inputs.applied) this.#apply(inputs);
    else if (this.engaged) this.#miss(inputs);
    if (!this.engaged) {
      this.action = this.#emergency && !inputs.atRest ? RobotAction.EMERGENCY : RobotAction.BRAKE;
    }
    this.#report(inputs);
  }

  #changePhase(phase: number): void {
    if (phase < Phase.SYNCED)
      this.#stop(1, MotionEnd.LINK_DOWN); // without a connection there is nothing to wait for
    else this.fault &= ~LINK_FAULTS;
    this.#phase = phase;
    this.armed = false;
    this.engaged = false;
    this.#held = false;
    this.#setpointStop = -1;
  }

  #mayArm(inputs: GuardInputs): boolean {
    return (
      this.#phase === Phase.SYNCED &&
      this.fault === 0 &&
      !this.#emergency &&
      !this.#stopping &&
      inputs.atRest
    );
  }

  #stop(category: number, end: number): void {
    if (this.engaged) this.endedBy = end;
    this.engaged = false;
    if (category === 2) {
      this.#held = true;
      return;
    }
    this.armed = false;
    this.#held = false;
    this.#stopping = true;
    if (category === 0) {
      this.#emergency = true;
      this.#emergencyLeft_s = EMERGENCY_HOLD_S;
    }
  }

  #trip(fault: number): void {
    this.fault |= fault;
    this.#stop(1, MotionEnd.FAULT);
  }

  #apply(inputs: GuardInputs): void {
    this.#missing = 0;
    this.#ttl_s = inputs.ttl_s;
    const mode = inputs.mode;
    // a stop repeated in every set-point is one stop: it must not undo a CLEAR that overtook the
    // last of them
    const stop = mode === CtlMode.STOP ? inputs.setpointStopCategory : -1;
    const again = stop === this.#setpointStop;
    this.#setpointStop = stop;
    if (stop >= 0) {
      if (!again) this.#stop(stop, MotionEnd.STOP_0 + stop);
    } else if (mode === CtlMode.TRACK || mode === CtlMode.CONTACT) {
      if (!this.armed) return;
      if (!this.engaged && !inputs.matches) {
        this.#trip(RobotFault.POSE_MISMATCH);
        return;
      }
      this.engaged = true;
      this.endedBy = MotionEnd.SILENCE;
      this.#held = false;
      this.#contact = mode === CtlMode.CONTACT;
      this.action = RobotAction.FOLLOW;
    } else {
      if (this.engaged) this.endedBy = MotionEnd.HOLD;
      if (this.engaged && mode === CtlMode.HOLD) this.#held = true;
      this.engaged = false;
    }
  }

  #miss(inputs: GuardInputs): void {
    this.#missing++;
    if (inputs.silence_s >= this.#ttl_s) {
      this.#trip(RobotFault.TTL_EXPIRED);
    } else if (this.#missing >= LOST_MOST || inputs.lostInRow >= LOST_MOST) {
      this.#trip(RobotFault.SETPOINTS_LOST);
    } else if (this.#missing <= BRIDGED_CYCLES) {
      this.action = RobotAction.COAST;
    } else if (this.#contact || this.#missing * this.#period_s > COAST_MOST_S) {
      this.action = RobotAction.BRAKE;
    } else {
      this.action = RobotAction.COAST;
    }
  }

  #report(inputs: GuardInputs): void {
    if (this.#emergency) {
      if (inputs.atRest && this.#emergencyLeft_s > 0) this.#emergencyLeft_s -= this.#period_s;
      this.linkState = SafetyState.ESTOP;
      this.safety = this.#emergencyLeft_s > 0 ? RobotSafety.EMERGENCY : RobotSafety.NORMAL;
      return;
    }
    this.safety = this.fault === 0 ? RobotSafety.NORMAL : RobotSafety.PROTECTIVE;
    if (this.#phase === Phase.OFFLINE) this.linkState = SafetyState.OFFLINE;
    else if (this.#phase === Phase.CONNECTING) this.linkState = SafetyState.CONNECTING;
    else if (this.#phase === Phase.SYNCING) this.linkState = SafetyState.SYNCED;
    else if (this.#stopping) this.linkState = SafetyState.STOPPING;
    else if (this.fault !== 0) this.linkState = SafetyState.FAULT;
    else if (this.engaged) {
      this.linkState = this.#contact ? SafetyState.ACTIVE_CONTACT : SafetyState.ACTIVE_FREE;
    } else if (this.#held) this.linkState = SafetyState.HOLD;
    else if (this.armed) this.linkState = SafetyState.ARMING;
    else this.linkState = SafetyState.MONITOR_READY;
  }
}
