/**
 * The safety machine: derives conditions from the inputs and a few timers, reads the transition table, latches causes and
 * outputs what the tick may do. One step per tick, before the model steps, so that the model freezes in the very tick in which
 * STATE is missing for the fourth time.
 *
 * The machine guards motion of the simulated side and asks the robot to stop; it is not a safety device (docs/safety.md).
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import { Phase } from '../contract/phase.ts';
import {
  CtlMode,
  FaultCode,
  LinkQuality,
  RobotSafety,
  SAFETY_STATES,
  SafetyState,
} from '../contract/codes.ts';
import { type SafetyInputs, SafetyOptions, type SafetyOutputs } from '../contract/signals.ts';
import { HAND_CAUSES, isAligned, isRobotNormal, judgeRequest } from './requests.ts';
import {
  Condition,
  CONDITIONS,
  holdCauseBits,
  nextRow,
  rowCauseIndex,
  rowLatches,
  rowTarget,
  stopCauseBits,
} from './transitions.ts';
import { ToolMotion } from '../../src/control/tool-port.ts';

export { SafetyInputs, SafetyOptions, SafetyOutputs } from '../contract/signals.ts';

const { OFFLINE, MONITOR_WAIT, MONITOR_READY, ARMING, ACTIVE_FREE, ACTIVE_CONTACT } = SafetyState;
const { HOLD, STOPPING, FAULT, ESTOP } = SafetyState;

/** What the tick does in each state: control mode, stop category, tool motion, command factor. */
const stateOutputs = (
  select: (name: (typeof SAFETY_STATES)[number]) => number,
): Readonly<Int32Array> => Int32Array.from(SAFETY_STATES, select);
const CTL_MODE_OF = stateOutputs((name) => {
  if (name === 'ARMING' || name === 'HOLD') return CtlMode.HOLD;
  if (name === 'ACTIVE_FREE') return CtlMode.TRACK;
  if (name === 'ACTIVE_CONTACT') return CtlMode.CONTACT;
  if (name === 'STOPPING' || name === 'FAULT' || name === 'ESTOP') return CtlMode.STOP;
  return CtlMode.IDLE;
});
const STOP_CATEGORY_OF = stateOutputs((name) => {
  if (name === 'STOPPING' || name === 'FAULT') return 1;
  return name === 'ESTOP' ? 0 : -1;
});
const TOOL_MOTION_OF = stateOutputs((name) => {
  if (name === 'ACTIVE_FREE' || name === 'ACTIVE_CONTACT') return ToolMotion.ACCOMMODATE;
  const brakes = name === 'ARMING' || name === 'HOLD' || name === 'STOPPING';
  return brakes ? ToolMotion.BRAKE : ToolMotion.FOLLOW;
});

/** Latched faults under which the model must not step. */
const MODEL_FAULTS = (1 << FaultCode.MODEL_NOT_FINITE) | (1 << FaultCode.INTERNAL_ERROR);

/** Sums of periods fall short of the time they stand for by rounding; no share of `elapsed_s`, which is long after a stall. */
const ROUNDING_s = 1e-6;

/** Slots of the machine's memory: timers in seconds, counts in ticks, marks 0 or 1. */
const Memory = Object.freeze({
  GOOD_s: 0,
  POOR_s: 1,
  STATE_s: 2, //      time in the present state, model time only
  FORCE_TICKS: 3,
  ALIGNED_FRAMES: 4,
  HOLDER: 5, //       holder of authority that motion belongs to
  RELEASED: 6, //     deadman of the holder seen released with neutral sticks since the last motion
  RESUME_ASKED: 7,
  HELD: 8, //         the set-point has come to rest in this HOLD
});

/** What the machine shows of itself, and what it begins with. */
const FIELDS = { state: OFFLINE, faultBits: 0, holdBits: 0 };

/** Whether model time stands still because STATE is missing. Pure. @alloc none */
export function isModelFrozen(inputs: SafetyInputs, options: SafetyOptions): boolean {
  return (
    inputs.linkRequired === 1 &&
    (inputs.linkPhase < Phase.SYNCED || inputs.lostInRow >= options.missingToHold)
  );
}

/** Holds the state of safety; everything it decides comes from `nextRow`. */
export class SafetyMachine {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  /** Index in SAFETY_STATES. */
  declare state: number;
  /** Latched faults, one bit per FAULT_CODES entry, until CLEAR. */
  declare faultBits: number;
  /** Causes of the present (or last) HOLD. */
  declare holdBits: number;
  readonly options: SafetyOptions;
  readonly #memory: Float64Array;
  /** Of the last tick: requests are judged by them. */
  readonly #conditions = new Uint8Array(CONDITIONS.length);

  constructor(options: Partial<SafetyOptions> = {}, arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.cells = arena.fields(FIELDS);
    this.#memory = arena.table(Memory);
    arena.adopt('conditions', this.#conditions);
    this.options = Object.assign(new SafetyOptions(), options);
  }

  /** Answer to a request; when it is 0 the caller sets the request in the inputs of this tick. @alloc none */
  judge(kind: number, inputs: SafetyInputs): number {
    const m = this.#memory;
    // judged for the current authority holder, whose authority may have come in this tick
    const released = m[Memory.RELEASED] === 1 && m[Memory.HOLDER] === inputs.authority;
    return judgeRequest(
      this.state,
      this.faultBits,
      kind,
      inputs,
      released,
      holdCauseBits(this.#conditions) | stopCauseBits(this.#conditions),
      this.options,
    );
  }

  /** One tick. Takes the requests out of the inputs. @alloc none */
  step(inputs: SafetyInputs, outputs: SafetyOutputs): void {
    const from = this.state;
    const faultsBefore = this.faultBits;
    const holdsBefore = from === HOLD ? this.holdBits : 0;
    this.#updateTimers(inputs);
    this.#fillConditions(inputs);
    const conditions = this.#conditions;
    const row = nextRow(from, conditions);
    outputs.from = from;
    outputs.entered = -1;
    outputs.cause = -1;
    outputs.cleared = 0;
    if (row >= 0) {
      const cause = rowCauseIndex(row);
      this.state = rowTarget(row);
      outputs.entered = this.state;
      outputs.cause = cause;
      if (rowLatches(row)) this.faultBits |= 1 << cause;
      this.#enter(from, inputs);
    }
    if (conditions[Condition.CLEAR] === 1 && mayClear(from, this.state)) {
      this.faultBits = 0;
      outputs.cleared = 1;
    }
    this.#latchPresentCauses(row >= 0);
    const holdsNow = this.state === HOLD ? this.holdBits : 0;
    const abortedArming =
      from === ARMING && this.state === MONITOR_WAIT && outputs.cause >= 0 ? 1 << outputs.cause : 0;
    outputs.raisedBits =
      (this.faultBits & ~faultsBefore) | (holdsNow & ~holdsBefore) | abortedArming;
    this.#fillOutputs(inputs, outputs);
    takeRequests(inputs);
  }

  /** After an error in `step` itself: a stop of category 1, whatever the inputs are. @alloc none */
  forceStop(outputs: SafetyOutputs): void {
    const from = this.state;
    const latched = 1 << FaultCode.INTERNAL_ERROR;
    outputs.from = from;
    outputs.entered = -1;
    outputs.cause = -1;
    outputs.cleared = 0;
    outputs.raisedBits = latched & ~this.faultBits;
    this.faultBits |= latched;
    if (from !== FAULT && from !== ESTOP && from !== STOPPING) {
      this.state = STOPPING;
      outputs.entered = STOPPING;
      outputs.cause = FaultCode.INTERNAL_ERROR;
      this.#memory[Memory.STATE_s] = 0;
      this.#memory[Memory.RELEASED] = 0;
    }
    outputs.ctlMode = CTL_MODE_OF[this.state];
    outputs.stopCategory = STOP_CATEGORY_OF[this.state];
    outputs.commandScale = 0;
    outputs.freezeModel = 1;
    outputs.toolMotion = ToolMotion.FOLLOW;
  }

  #updateTimers(inputs: SafetyInputs): void {
    const m = this.#memory;
    const linked = inputs.linkRequired === 0;
    const elapsed = inputs.elapsed_s;
    const good = linked || inputs.quality >= LinkQuality.GOOD;
    const poor = !linked && inputs.quality < LinkQuality.FAIR;
    m[Memory.GOOD_s] = good ? m[Memory.GOOD_s] + elapsed : 0;
    m[Memory.POOR_s] = poor ? m[Memory.POOR_s] + elapsed : 0;
    // A frozen model cannot brake: its time does not count against the time to hold.
    const frozen = this.state === HOLD && isModelFrozen(inputs, this.options);
    if (!frozen) m[Memory.STATE_s] += elapsed;
    m[Memory.FORCE_TICKS] = inputs.forceExceeded === 1 ? m[Memory.FORCE_TICKS] + 1 : 0;

    // Authority that changes hands at rest belongs to the new holder, who must press anew, and resume a HOLD by RESUME.
    if (!isMoving(this.state) && inputs.authority !== m[Memory.HOLDER]) {
      m[Memory.HOLDER] = inputs.authority;
      m[Memory.RELEASED] = 0;
      m[Memory.RESUME_ASKED] = 0;
      if (this.state === HOLD) this.holdBits |= 1 << FaultCode.AUTHORITY_CHANGED;
    }
    if (isHandOpen(inputs, this.options)) m[Memory.RELEASED] = 1;
    if (inputs.setpointStopped === 1) m[Memory.HELD] = 1;

    if (this.state !== ARMING) m[Memory.ALIGNED_FRAMES] = 0;
    else if (inputs.stateFresh === 1 || linked) {
      const zeroTwist = inputs.setpointStopped === 1 && inputs.sticksNeutral === 1;
      const follows = linked || inputs.robotArmed === 1;
      const aligned = zeroTwist && follows && isAligned(inputs, this.options);
      m[Memory.ALIGNED_FRAMES] = aligned ? m[Memory.ALIGNED_FRAMES] + 1 : 0;
    }
  }

  #fillConditions(inputs: SafetyInputs): void {
    const c = this.#conditions;
    const m = this.#memory;
    const o = this.options;
    const required = inputs.linkRequired === 1;
    const synced = !required || inputs.linkPhase >= Phase.SYNCED;
    const missing = required && inputs.lostInRow >= o.missingToHold;
    const stop = inputs.stopRequest;
    c[Condition.LINK_DOWN] = flag(required && inputs.linkPhase <= Phase.OFFLINE);
    c[Condition.LINK_UP] = flag(!required || inputs.linkPhase > Phase.OFFLINE);
    c[Condition.LINK_SYNCED] = flag(synced);
    c[Condition.LINK_BROKEN] = flag(!synced);
    c[Condition.STATE_PRESENT] = flag(!required || inputs.stateFresh === 1);
    c[Condition.ROBOT_EMERGENCY] = flag(
      synced && required && inputs.robotSafety === RobotSafety.EMERGENCY,
    );
    c[Condition.ROBOT_PROTECTIVE] = flag(
      synced && required && inputs.robotSafety === RobotSafety.PROTECTIVE,
    );
    c[Condition.ROBOT_FAULT_STOP] = flag(inputs.robotFault >= 2);
    c[Condition.ROBOT_FAULT_HOLD] = flag(inputs.robotFault >= 1);
    c[Condition.ROBOT_NORMAL] = flag(isRobotNormal(inputs, o));
    c[Condition.STOP_CATEGORY_0] = flag(stop === 0);
    c[Condition.STOP_CATEGORY_1] = flag(stop === 1);
    c[Condition.STOP_CATEGORY_2] = flag(stop >= 2);
    c[Condition.HOLD_ASKED] = flag(inputs.holdRequest === 1);
    c[Condition.SHUTDOWN] = flag(inputs.shutdownRequest === 1);
    c[Condition.INTERNAL_ERROR] = flag(inputs.internalError === 1);
    c[Condition.MODEL_NOT_FINITE] = flag(inputs.modelNotFinite === 1);
    c[Condition.LINK_LOST] = flag(required && inputs.lostInRow >= o.missingToStop);
    c[Condition.STATE_INVALID] = flag(missing && inputs.invalidInRow >= o.missingToHold);
    c[Condition.STATE_MISSING] = flag(missing && inputs.invalidInRow < o.missingToHold);
    c[Condition.QUALITY_LOW] = flag(m[Memory.POOR_s] >= o.poorTime_s - ROUNDING_s);
    c[Condition.OVERRUN_CONSECUTIVE] = flag(inputs.overrunTrip === FaultCode.OVERRUN_CONSECUTIVE);
    c[Condition.OVERRUN_BUCKET] = flag(inputs.overrunTrip === FaultCode.OVERRUN_BUCKET);
    c[Condition.OVERRUN_SINGLE] = flag(inputs.overrunTrip === FaultCode.OVERRUN_SINGLE);
    c[Condition.INPUT_STALE] = flag(inputs.inputAge_s > o.inputTimeout_s);
    c[Condition.DEADMAN_RELEASED] = flag(inputs.deadman !== 1);
    c[Condition.AUTHORITY_CHANGED] = flag(
      inputs.authority === 0 || inputs.authority !== m[Memory.HOLDER],
    );
    c[Condition.FORCE_LIMIT] = flag(m[Memory.FORCE_TICKS] >= o.forceTicks);
    c[Condition.VELOCITY_LIMIT] = flag(inputs.velocityExceeded === 1);
    c[Condition.WORKSPACE_LIMIT] = flag(inputs.workspaceExceeded === 1);
    c[Condition.FOLLOWING_STOP] = flag(inputs.followingError >= 2);
    c[Condition.FOLLOWING_HOLD] = flag(inputs.followingError >= 1);
    c[Condition.ECHO_STOP] = flag(inputs.echoLost >= 2);
    c[Condition.ECHO_HOLD] = flag(inputs.echoLost >= 1);
    c[Condition.TWIST_MISMATCH] = flag(inputs.twistMismatch === 1);
    c[Condition.RECORDER_LOST] = flag(inputs.recorderLost === 1);
    c[Condition.ENERGY_CREATED] = flag(inputs.energyCreated === 1);
    c[Condition.CONTACT_CROSSED] = flag(inputs.contactCrossed === 1);
    c[Condition.PERMIT_LOST] = flag(inputs.permitLost === 1);
    c[Condition.SETPOINT_LIMITED] = flag(inputs.setpointLimited === 1);
    const time = m[Memory.STATE_s] + ROUNDING_s;
    c[Condition.HOLD_TIMEOUT] = flag(m[Memory.HELD] === 0 && time >= o.holdTime_s);
    const armingOver = time >= o.armingTime_s;
    const refused = inputs.robotArmed < 0 || (armingOver && inputs.robotArmed === 0);
    c[Condition.NOT_ARMED] = flag(required && refused);
    c[Condition.ARMING_TIMEOUT] = flag(armingOver);
    c[Condition.STOPPING_TIMEOUT] = flag(time >= o.stoppingTime_s);
    c[Condition.CONTACT] = flag(inputs.contact === 1);
    c[Condition.FREE] = flag(inputs.contact !== 1);
    c[Condition.HELD] = m[Memory.HELD];
    // A model that may not step cannot bring its set-point to rest: the robot's own report decides.
    const standing = inputs.setpointStopped === 1 || (this.faultBits & MODEL_FAULTS) !== 0;
    const robotRests = inputs.stateFresh === 1 && inputs.robotStandstill === 1;
    c[Condition.AT_REST] = flag(standing && (!required || robotRests));
    c[Condition.ALIGNED] = flag(m[Memory.ALIGNED_FRAMES] >= o.alignedFrames);
    this.#fillRequests(inputs, missing);
  }

  #fillRequests(inputs: SafetyInputs, missing: boolean): void {
    const c = this.#conditions;
    const m = this.#memory;
    const o = this.options;
    const required = inputs.linkRequired === 1;
    const outside =
      inputs.forceExceeded === 1 || inputs.velocityExceeded === 1 || inputs.workspaceExceeded === 1;
    const operational =
      !required ||
      (inputs.linkPhase >= Phase.SYNCED &&
        inputs.robotFault === 0 &&
        (inputs.robotSafety === RobotSafety.NORMAL || inputs.robotSafety === RobotSafety.REDUCED));
    const ready =
      operational &&
      !missing &&
      !outside &&
      inputs.recorderLost !== 1 &&
      this.faultBits === 0 &&
      (!required || inputs.offsetKnown === 1) &&
      m[Memory.GOOD_s] >= o.goodTime_s - ROUNDING_s;
    c[Condition.READY] = flag(ready);
    c[Condition.NOT_READY] = flag(!ready);
    const hands =
      inputs.authority !== 0 &&
      inputs.deadman === 1 &&
      inputs.inputAge_s <= o.inputTimeout_s &&
      m[Memory.RELEASED] === 1;
    c[Condition.ARM] = flag(
      inputs.armRequest === 1 &&
        hands &&
        inputs.sticksNeutral === 1 &&
        inputs.permitNeeded !== 1 &&
        inputs.stopRequest < 0 &&
        inputs.holdRequest === 0,
    );

    if (this.state === HOLD && inputs.resumeRequest === 1) m[Memory.RESUME_ASKED] = 1;
    const causes = holdCauseBits(c) | stopCauseBits(c);
    if ((causes & ~HAND_CAUSES) !== 0) m[Memory.RESUME_ASKED] = 0;
    const asked = m[Memory.RESUME_ASKED] === 1 || (this.holdBits & ~HAND_CAUSES) === 0;
    c[Condition.RESUME] = flag(
      asked &&
        hands &&
        operational &&
        causes === 0 &&
        inputs.permitNeeded !== 1 &&
        this.faultBits === 0 &&
        inputs.sticksNeutral === 1 &&
        inputs.setpointStopped === 1 &&
        m[Memory.HELD] === 1 &&
        isAligned(inputs, o),
    );
    // A cause that is still there wins over the wish to clear it.
    c[Condition.CLEAR] = flag(
      inputs.clearRequest === 1 &&
        inputs.stopRequest < 0 &&
        inputs.shutdownRequest === 0 &&
        inputs.internalError === 0 &&
        inputs.modelNotFinite === 0,
    );
  }

  /** Marks that begin anew with a state. */
  #enter(from: number, inputs: SafetyInputs): void {
    const m = this.#memory;
    const to = this.state;
    m[Memory.STATE_s] = 0;
    m[Memory.ALIGNED_FRAMES] = 0;
    if (to === HOLD) {
      m[Memory.HELD] = 0;
      m[Memory.RESUME_ASKED] = 0;
      this.holdBits = 0;
    }
    // Whatever ended a motion, the deadman must be let go and pressed again before the next.
    const ended = (isMoving(from) || from === HOLD) && !isMoving(to);
    if (ended) m[Memory.RELEASED] = flag(isHandOpen(inputs, this.options));
    if (ended || to === ARMING) m[Memory.HOLDER] = inputs.authority;
    if (to === MONITOR_WAIT || (from === HOLD && isMoving(to))) this.holdBits = 0;
  }

  /** Every cause that is present joins, so that none hides behind another. */
  #latchPresentCauses(entered: boolean): void {
    const state = this.state;
    const c = this.#conditions;
    // In a HOLD the operator lets go of the deadman to press it anew: that is no further cause.
    if (state === HOLD) this.holdBits |= holdCauseBits(c) & (entered ? -1 : ~HAND_CAUSES);
    if (state === STOPPING) this.faultBits |= stopCauseBits(c);
    if (state === FAULT || state === ESTOP) this.faultBits |= stopCauseBits(c) & MODEL_FAULTS;
    if (state !== ESTOP) return;
    if (c[Condition.ROBOT_EMERGENCY] === 1) this.faultBits |= 1 << FaultCode.ROBOT_EMERGENCY_STOP;
    if (c[Condition.STOP_CATEGORY_0] === 1) this.faultBits |= 1 << FaultCode.OPERATOR_STOP;
  }

  #fillOutputs(inputs: SafetyInputs, outputs: SafetyOutputs): void {
    const state = this.state;
    outputs.ctlMode = CTL_MODE_OF[state];
    outputs.stopCategory = STOP_CATEGORY_OF[state];
    outputs.commandScale = state === ACTIVE_FREE || state === ACTIVE_CONTACT ? 1 : 0;
    const broken = (this.faultBits & MODEL_FAULTS) !== 0;
    const frozen = isModelFrozen(inputs, this.options) || broken;
    outputs.freezeModel = frozen ? 1 : 0;
    let motion = TOOL_MOTION_OF[state];
    // nothing to follow: stand still
    if (inputs.linkRequired === 0 && motion === ToolMotion.FOLLOW) motion = ToolMotion.BRAKE;
    // A robot that rests a little elsewhere keeps its place: the set-point goes there, without speed, before any resume. Never
    // while it moves, and never further than a following error from where the hold began (following-error.ts).
    const elsewhere =
      state === HOLD &&
      inputs.linkRequired === 1 &&
      inputs.stateFresh === 1 &&
      inputs.robotSettled === 1 &&
      this.#memory[Memory.HELD] === 1 &&
      !isAligned(inputs, this.options);
    outputs.toolMotion = elsewhere ? ToolMotion.FOLLOW : motion;
  }
}

defineFields(SafetyMachine, FIELDS);

function flag(value: boolean): number {
  return value ? 1 : 0;
}

/** ARMING and ACTIVE: set-points may begin to move. */
function isMoving(state: number): boolean {
  return state === ARMING || state === ACTIVE_FREE || state === ACTIVE_CONTACT;
}

/** Whether the holder's hand is there, with deadman and sticks released; false before its first input. */
function isHandOpen(inputs: SafetyInputs, options: SafetyOptions): boolean {
  return (
    inputs.authority !== 0 &&
    inputs.inputAge_s <= options.inputTimeout_s &&
    inputs.deadman === 0 &&
    inputs.sticksNeutral === 1
  );
}

/** CLEAR takes the latched faults away where it leaves FAULT, ESTOP or HOLD, and where nothing moves. */
function mayClear(from: number, to: number): boolean {
  if (from === FAULT || from === ESTOP || from === HOLD) return to === MONITOR_WAIT;
  return from <= MONITOR_READY && to <= MONITOR_READY;
}

function takeRequests(inputs: SafetyInputs): void {
  inputs.armRequest = 0;
  inputs.holdRequest = 0;
  inputs.resumeRequest = 0;
  inputs.stopRequest = -1;
  inputs.clearRequest = 0;
  inputs.shutdownRequest = 0;
}
