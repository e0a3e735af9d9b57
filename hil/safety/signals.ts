/**
 * What the safety machine is told and what it answers, once per tick: plain numbers in document units. The loop owns one
 * object of each class and fills the inputs in place; nothing is allocated per tick. Every default is the safe one; those of
 * running doubles are no whole numbers, so that V8 keeps them unboxed from the first tick.
 */

/** Inputs of one tick. Flags are 0 or 1. */
export class SafetyInputs {
  /** Time since the previous step of the machine, s; slipped periods included. */
  elapsed_s = 0.001;

  // robot link
  /** 0: no robot takes part (mode `simulation` without a transport), the link guards hold by construction. */
  linkRequired = 1;
  /** Phase of the session: 0 offline, 1 connecting, 2 syncing, 3 synced. */
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
  /** A limit is exceeded by the measured state in this tick. */
  forceExceeded = 0;
  velocityExceeded = 0;
  workspaceExceeded = 0;

  // loop and model
  /** The tool is in contact (model or measured, as the mode says). */
  contact = 0;
  modelNotFinite = 0;
  internalError = 0;
  /** FAULT_CODES index of the overrun limit that tripped in this tick, −1 none (`OverrunMonitor.update`). */
  overrunTrip = -1;

  // requests of this tick; `SafetyMachine.step` takes them and sets them back
  armRequest = 0;
  holdRequest = 0;
  resumeRequest = 0;
  /** −1 none, else stop category 0, 1 or 2. */
  stopRequest = -1;
  clearRequest = 0;
  shutdownRequest = 0;
}

/** Answer of one tick. */
export class SafetyOutputs {
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
