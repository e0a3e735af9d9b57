/**
 * Inputs and outputs of the safety machine, once per tick: plain numbers in document units. The loop owns one
 * object of each class and fills the inputs in place; nothing is allocated per tick. Every default is the safe one.
 */
import { ToolMotion } from '../../src/control/tool-port.ts';
import { defineFields, StateArena } from '../../src/math/state-arena.ts';

/** Inputs in the order of the saved state, and what they begin with. */
const INPUTS = {
  elapsed_s: 0.001,
  linkRequired: 1,
  linkPhase: 0,
  stateFresh: 0,
  lostInRow: 0,
  invalidInRow: 0,
  quality: 0,
  offsetKnown: 0,
  robotSafety: 0,
  authority: 0,
  deadman: 0,
  inputAge_s: 1e9,
  sticksNeutral: 0,
  poseError_m: 1e9,
  poseError_rad: 1e9,
  setpointStopped: 1,
  robotStandstill: 0,
  forceExceeded: 0,
  velocityExceeded: 0,
  workspaceExceeded: 0,
  contact: 0,
  modelNotFinite: 0,
  internalError: 0,
  overrunTrip: -1,
  armRequest: 0,
  holdRequest: 0,
  resumeRequest: 0,
  stopRequest: -1,
  clearRequest: 0,
  shutdownRequest: 0,
  recorderLost: 0,
  energyCreated: 0,
  permitNeeded: 0,
  permitLost: 0,
  robotArmed: 0,
  followingError: 0,
  echoLost: 0,
  twistMismatch: 0,
  robotSettled: 0,
  setpointLimited: 0,
  robotFault: 0,
  contactCrossed: 0,
} as const;

/** Inputs of one tick. Flags are 0 or 1. */
export class SafetyInputs {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  /** Time since the previous step of the machine, s; slipped periods included. */
  declare elapsed_s: number;

  // robot link
  /** 0: no robot takes part (mode `simulation` without a transport), the link guards hold by construction. */
  declare linkRequired: number;
  /** One of `Phase` (contract/phase.ts). */
  declare linkPhase: number;
  /** A new STATE was accepted in this tick. */
  declare stateFresh: number;
  /** Ticks in a row without a fresh STATE, this tick included. */
  declare lostInRow: number;
  /** STATE frames in a row rejected for a value (not finite, no unit quaternion, jump) since the newest accepted one. */
  declare invalidInRow: number;
  /** Index in LINK_QUALITIES. */
  declare quality: number;
  /** The clock offset of the robot is known. */
  declare offsetKnown: number;
  /** Safety field of STATE: 0 normal, 1 protective stop, 2 emergency stop, 3 reduced. */
  declare robotSafety: number;
  /** What its fault bits and its own state ask for: 0 nothing, 1 hold, 2 stop. */
  declare robotFault: number;

  // operator
  /** Session number of the holder of authority, 0 none. */
  declare authority: number;
  declare deadman: number;
  /** Age of the newest operator input, s. */
  declare inputAge_s: number;
  /** All shaped axes are inside the dead-band. */
  declare sticksNeutral: number;

  // measured values and set-point
  /** Distance and angle between set-point and measured pose, m and rad. */
  declare poseError_m: number;
  declare poseError_rad: number;
  /** The set-point does not move. */
  declare setpointStopped: number;
  /** The robot measures itself at rest. */
  declare robotStandstill: number;
  /** 1: the robot has accepted the newest ARM, or needs none; −1: it has refused it; 0: no answer yet. */
  declare robotArmed: number;
  /** A limit is exceeded by the measured state in this tick. */
  declare forceExceeded: number;
  declare velocityExceeded: number;
  declare workspaceExceeded: number;
  /** The measured pose is further from the set-point that the robot applies than is allowed: 1 hold, 2 stop. */
  declare followingError: number;
  /** The robot applies no newer set-points, or too old ones: 1 hold, 2 stop. */
  declare echoLost: number;
  /** The reported twist has not been that of the poses for a while. */
  declare twistMismatch: number;
  /** In a HOLD: the robot has rested for a while, by twist and poses, near enough to where the hold began. */
  declare robotSettled: number;

  // loop and model
  /** The tool is in contact (model or measured, by the mode). */
  declare contact: number;
  declare modelNotFinite: number;
  declare internalError: number;
  /** FAULT_CODES index of the overrun limit that tripped in this tick, −1 none (`OverrunMonitor.update`). */
  declare overrunTrip: number;
  /** Recording is required and the recorder shows no life, or loses records. */
  declare recorderLost: number;
  /** Bodies of a contact moved through each other: set for one tick. */
  declare contactCrossed: number;
  /** A contact created more energy than is allowed: set for one tick. */
  declare energyCreated: number;
  /** The contact permit must be acknowledged before the arm may move. */
  declare permitNeeded: number;
  /** The permit that the arm moves under has been missing for a while. */
  declare permitLost: number;
  /** The limits of set-points have been taking from the motion for a while. */
  declare setpointLimited: number;

  // requests of this tick; `SafetyMachine.step` takes them and sets them back
  declare armRequest: number;
  declare holdRequest: number;
  declare resumeRequest: number;
  /** −1 none, else stop category 0, 1 or 2. */
  declare stopRequest: number;
  declare clearRequest: number;
  declare shutdownRequest: number;

  constructor(arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.cells = arena.fields(INPUTS);
  }
}

defineFields(SafetyInputs, INPUTS);

/** The same of the answer. */
const OUTPUTS = {
  ctlMode: 0,
  stopCategory: -1,
  toolMotion: ToolMotion.BRAKE,
  freezeModel: 1,
  commandScale: 0,
  entered: -1,
  from: 0,
  cause: -1,
  raisedBits: 0,
  cleared: 0,
} as const;

/** Answer of one tick. */
export class SafetyOutputs {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  /** Index in CTL_MODES for the SETPOINT frame. */
  declare ctlMode: number;
  /** Category for control mode `stop`, −1 otherwise. */
  declare stopCategory: number;
  /** Motion of the simulated arm, one of `ToolMotion`. */
  declare toolMotion: number;
  /** Model time stands still in this tick. */
  declare freezeModel: number;
  /** Factor on the operator's command: 1 only while ACTIVE. */
  declare commandScale: number;
  /** State entered in this tick, −1 when the state stayed. */
  declare entered: number;
  /** State before this tick. */
  declare from: number;
  /** FAULT_CODES index that caused the transition, −1 none. */
  declare cause: number;
  /** Fault and hold bits raised in this tick that were not set before. */
  declare raisedBits: number;
  /** Latched faults were cleared in this tick: reset the monitors, send CLEAR to the robot. */
  declare cleared: number;

  constructor(arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.cells = arena.fields(OUTPUTS);
  }
}

defineFields(SafetyOutputs, OUTPUTS);

/** Times and counts of the guards, with the defaults of docs/safety.md. */
export class SafetyOptions {
  /** Operator input older than this is stale, s. */
  inputTimeout_s = 0.1;
  /** STATE missing so many ticks in a row: model frozen, HOLD. */
  missingToHold = 4;
  /** STATE missing so many ticks in a row: STOPPING. */
  missingToStop = 20;
  /** Time at quality GOOD or better before MONITOR_READY, s. */
  goodTime_s = 1;
  /** Time at quality POOR that leads to HOLD, s. */
  poorTime_s = 0.1;
  /** Largest mismatch of set-point and measured pose when motion begins, m and rad. */
  poseTolerance_m = 0.0005;
  poseTolerance_rad = (0.1 * Math.PI) / 180;
  /** Frames in a row within the tolerance before ACTIVE. */
  alignedFrames = 50;
  /** Longest stay in ARMING, s. */
  armingTime_s = 2;
  /** Time within which a HOLD must have brought the set-point to rest, s. */
  holdTime_s = 0.1;
  /** Ticks in a row above the force or moment limit. */
  forceTicks = 3;
  /** Longest wait in STOPPING for the robot to report rest, s. */
  stoppingTime_s = 1;
}
