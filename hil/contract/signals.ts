/**
 * What the safety machine is told and what it answers, once per tick: plain numbers in document units. The loop owns one
 * object of each class and fills the inputs in place; nothing is allocated per tick. Every default is the safe one; those of
 * running doubles are no whole numbers, so that V8 keeps them unboxed from the first tick.
 */
import type { Stateful } from './stateful.ts';

/** Inputs of one tick. Flags are 0 or 1. */
export class SafetyInputs implements Stateful {
  /** Time since the previous step of the machine, s; slipped periods included. */
  elapsed_s = 0.001;

  // robot link
  /** 0: no robot takes part (mode `simulation` without a transport), the link guards hold by construction. */
  linkRequired = 1;
  /** One of `Phase` (contract/phase.ts). */
  linkPhase = 0;
  /** A new STATE was accepted in this tick. */
  stateFresh = 0;
  /** Ticks in a row without a fresh STATE, this tick included. */
  lostInRow = 0;
  /** STATE frames in a row rejected for a value (not finite, no unit quaternion, jump) since the newest accepted one. */
  invalidInRow = 0;
  /** Index in LINK_QUALITIES. */
  quality = 0;
  /** The clock offset of the robot is known. */
  offsetKnown = 0;
  /** Safety field of STATE: 0 normal, 1 protective stop, 2 emergency stop, 3 reduced. */
  robotSafety = 0;
  /** What its fault bits and its own state ask for: 0 nothing, 1 hold, 2 stop. */
  robotFault = 0;

  // operator
  /** Session number of the holder of authority, 0 nobody. */
  authority = 0;
  deadman = 0;
  /** Age of the newest operator input, s. */
  inputAge_s = 1e9 + 0.5;
  /** All shaped axes are inside the dead-band. */
  sticksNeutral = 0;

  // measured values and set-point
  /** Distance and angle between set-point and measured pose, m and rad. */
  poseError_m = 1e9 + 0.5;
  poseError_rad = 1e9 + 0.5;
  /** The set-point does not move. */
  setpointStopped = 1;
  /** The robot measures itself at rest. */
  robotStandstill = 0;
  /** 1: the robot has said yes to the newest ARM, or needs none; −1: it has refused it; 0: no answer yet. */
  robotArmed = 0;
  /** A limit is exceeded by the measured state in this tick. */
  forceExceeded = 0;
  velocityExceeded = 0;
  workspaceExceeded = 0;
  /** The measured pose is further from the set-point that the robot applies than is allowed: 1 hold, 2 stop. */
  followingError = 0;
  /** The robot applies no newer set-points, or too old ones: 1 hold, 2 stop. */
  echoLost = 0;
  /** The told twist has not been that of the poses for a while. */
  twistMismatch = 0;
  /** In a HOLD: the robot has rested for a while, by twist and poses, near enough to where the hold began. */
  robotSettled = 0;

  // loop and model
  /** The tool is in contact (model or measured, as the mode says). */
  contact = 0;
  modelNotFinite = 0;
  internalError = 0;
  /** FAULT_CODES index of the overrun limit that tripped in this tick, −1 none (`OverrunMonitor.update`). */
  overrunTrip = -1;
  /** Recording is required and the recorder shows no life, or loses records. */
  recorderLost = 0;
  /** A contact created more energy than is allowed: set for one tick. */
  energyCreated = 0;
  /** The contact permit must be acknowledged before the arm may move. */
  permitNeeded = 0;
  /** The permit that the arm moves under has been missing for a while. */
  permitLost = 0;
  /** The limits of set-points have been taking from the motion for a while. */
  setpointLimited = 0;

  // requests of this tick; `SafetyMachine.step` takes them and sets them back
  armRequest = 0;
  holdRequest = 0;
  resumeRequest = 0;
  /** −1 none, else stop category 0, 1 or 2. */
  stopRequest = -1;
  clearRequest = 0;
  shutdownRequest = 0;

  readonly stateLength: number = 41;

  saveState(into: Float64Array, at: number): void {
    into[at] = this.elapsed_s;
    into[at + 1] = this.linkRequired;
    into[at + 2] = this.linkPhase;
    into[at + 3] = this.stateFresh;
    into[at + 4] = this.lostInRow;
    into[at + 5] = this.invalidInRow;
    into[at + 6] = this.quality;
    into[at + 7] = this.offsetKnown;
    into[at + 8] = this.robotSafety;
    into[at + 9] = this.authority;
    into[at + 10] = this.deadman;
    into[at + 11] = this.inputAge_s;
    into[at + 12] = this.sticksNeutral;
    into[at + 13] = this.poseError_m;
    into[at + 14] = this.poseError_rad;
    into[at + 15] = this.setpointStopped;
    into[at + 16] = this.robotStandstill;
    into[at + 17] = this.forceExceeded;
    into[at + 18] = this.velocityExceeded;
    into[at + 19] = this.workspaceExceeded;
    into[at + 20] = this.contact;
    into[at + 21] = this.modelNotFinite;
    into[at + 22] = this.internalError;
    into[at + 23] = this.overrunTrip;
    into[at + 24] = this.armRequest;
    into[at + 25] = this.holdRequest;
    into[at + 26] = this.resumeRequest;
    into[at + 27] = this.stopRequest;
    into[at + 28] = this.clearRequest;
    into[at + 29] = this.shutdownRequest;
    into[at + 30] = this.recorderLost;
    into[at + 31] = this.energyCreated;
    into[at + 32] = this.permitNeeded;
    into[at + 33] = this.permitLost;
    into[at + 34] = this.robotArmed;
    into[at + 35] = this.followingError;
    into[at + 36] = this.echoLost;
    into[at + 37] = this.twistMismatch;
    into[at + 38] = this.robotSettled;
    into[at + 39] = this.setpointLimited;
    into[at + 40] = this.robotFault;
  }

  loadState(from: Float64Array, at: number): void {
    this.elapsed_s = from[at];
    this.linkRequired = from[at + 1];
    this.linkPhase = from[at + 2];
    this.stateFresh = from[at + 3];
    this.lostInRow = from[at + 4];
    this.invalidInRow = from[at + 5];
    this.quality = from[at + 6];
    this.offsetKnown = from[at + 7];
    this.robotSafety = from[at + 8];
    this.authority = from[at + 9];
    this.deadman = from[at + 10];
    this.inputAge_s = from[at + 11];
    this.sticksNeutral = from[at + 12];
    this.poseError_m = from[at + 13];
    this.poseError_rad = from[at + 14];
    this.setpointStopped = from[at + 15];
    this.robotStandstill = from[at + 16];
    this.forceExceeded = from[at + 17];
    this.velocityExceeded = from[at + 18];
    this.workspaceExceeded = from[at + 19];
    this.contact = from[at + 20];
    this.modelNotFinite = from[at + 21];
    this.internalError = from[at + 22];
    this.overrunTrip = from[at + 23];
    this.armRequest = from[at + 24];
    this.holdRequest = from[at + 25];
    this.resumeRequest = from[at + 26];
    this.stopRequest = from[at + 27];
    this.clearRequest = from[at + 28];
    this.shutdownRequest = from[at + 29];
    this.recorderLost = from[at + 30];
    this.energyCreated = from[at + 31];
    this.permitNeeded = from[at + 32];
    this.permitLost = from[at + 33];
    this.robotArmed = from[at + 34];
    this.followingError = from[at + 35];
    this.echoLost = from[at + 36];
    this.twistMismatch = from[at + 37];
    this.robotSettled = from[at + 38];
    this.setpointLimited = from[at + 39];
    this.robotFault = from[at + 40];
  }
}

/** Answer of one tick. */
export class SafetyOutputs implements Stateful {
  /** Index in CTL_MODES for the SETPOINT frame. */
  ctlMode = 0;
  /** Category for control mode `stop`, −1 otherwise. */
  stopCategory = -1;
  /** Motion of the simulated arm: 0 follow the measured pose, 1 accommodate, 2 brake to rest. */
  toolMotion = 2;
  /** Model time stands still in this tick. */
  freezeModel = 1;
  /** Factor on the operator's command: 1 only while ACTIVE. */
  commandScale = 0;
  /** State entered in this tick, −1 when the state stayed. */
  entered = -1;
  /** State before this tick. */
  from = 0;
  /** FAULT_CODES index that caused the transition, −1 none. */
  cause = -1;
  /** Fault and hold bits raised in this tick that were not set before. */
  raisedBits = 0;
  /** Latched faults were cleared in this tick: reset the monitors, send CLEAR to the robot. */
  cleared = 0;

  readonly stateLength: number = 10;

  saveState(into: Float64Array, at: number): void {
    into[at] = this.ctlMode;
    into[at + 1] = this.stopCategory;
    into[at + 2] = this.toolMotion;
    into[at + 3] = this.freezeModel;
    into[at + 4] = this.commandScale;
    into[at + 5] = this.entered;
    into[at + 6] = this.from;
    into[at + 7] = this.cause;
    into[at + 8] = this.raisedBits;
    into[at + 9] = this.cleared;
  }

  loadState(from: Float64Array, at: number): void {
    this.ctlMode = from[at];
    this.stopCategory = from[at + 1];
    this.toolMotion = from[at + 2];
    this.freezeModel = from[at + 3];
    this.commandScale = from[at + 4];
    this.entered = from[at + 5];
    this.from = from[at + 6];
    this.cause = from[at + 7];
    this.raisedBits = from[at + 8];
    this.cleared = from[at + 9];
  }
}

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
