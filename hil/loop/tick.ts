/**
 * One tick: newest robot STATE → operator commands → safety machine → model step → limits → SETPOINT → row and counters.
 *
 * The machine decides before the model steps, from the contact of the step before, so that model time freezes in the very
 * tick in which the fourth STATE is missing and a released deadman is zero twist in the next set-point. Knows nothing of
 * threads; everything that runs here neither allocates nor waits.
 */
import { type System, ToolPort } from '../../src/system/system.ts';
import type { Settings } from '../../config/settings.ts';
import type { Clock } from '../os/clock.ts';
import { FrameErrorIndex, LOOP_STAGES, Stage } from '../contract/counters.ts';
import { EnergyStage } from '../energy/energy-stage.ts';
import { EventKind } from '../contract/events.ts';
import { ForceAge } from './force-age.ts';
import { resetAfterTransition } from '../operator/reset-after-transition.ts';
import { InjectionKind } from '../contract/injections.ts';
import type { InjectingLink } from '../faults/injecting-link.ts';
import { LinkRow } from '../telemetry/link-row.ts';
import type { Link } from '../contract/link.ts';
import { LoopCounters, LoopSlot } from '../memory/loop-counters.ts';
import { LoopEvents } from '../telemetry/loop-events.ts';
import { OperatorPort } from '../operator/operator-port.ts';
import type { RecordingTap } from '../telemetry/tap.ts';
import { SetpointFrame } from '../protocol/frames.ts';
import { Phase } from '../contract/phase.ts';
import { SessionCount, type ServerSession } from '../protocol/server-session.ts';
import { CtlMode, FaultCode, LoopMode, SafetyState } from '../contract/codes.ts';
import { Column } from '../contract/columns.ts';
import { LimitMonitor } from '../safety/limits.ts';
import { SafetyInputs, SafetyMachine, SafetyOutputs } from '../safety/machine.ts';
import { OverrunMonitor } from '../safety/overrun.ts';
import { RobotWatch } from './robot-watch.ts';
import { setpointTtl_ms } from '../safety/setpoint-life.ts';
import { SceneRecord } from '../telemetry/scene-record.ts';
import { SetpointBounds } from './setpoint-bounds.ts';
import { SessionCounters } from '../telemetry/session-counters.ts';
import type { SharedBuffers } from '../memory/shared.ts';
import { TickRecord } from '../telemetry/tick-record.ts';
import { TickState } from './tick-state.ts';
import type { TickTiming } from '../contract/timing.ts';
import type { TickBody } from './loop.ts';
import { LimitField } from '../contract/limit-fields.ts';

const AT_REST = new Float64Array(6);
const INVALID_STATES = SessionCount.ERRORS + FrameErrorIndex.value;
// Slots of what a tick has seen before: counts told of so far, and marks.
const SEEN_INVALID = 0;
const SEEN_LINK_UP = 1;
const SEEN_INPUTS = 2;
const THROW_NEXT = 3;
/** The session has not told a pose yet: the workspace is about the first. */
const CENTER_DUE = 4;
const SEEN_CLOCK_STEPS = 5;
const SEEN_SLOTS = 6;

/** What a tick is made of. `session` and `link` are null without a robot. */
export interface TickParts {
  readonly system: System;
  /** Index in LOOP_MODES. */
  readonly mode: number;
  readonly session: ServerSession | null;
  readonly link: Link | null;
  readonly injector: InjectingLink | null;
  readonly clock: Clock;
  readonly timing: TickTiming;
  readonly settings: Settings;
  readonly shared: SharedBuffers;
  /** Null when nothing is recorded. */
  readonly tap: RecordingTap | null;
  /** Told of an error that was caught at the loop's edge. */
  readonly onError: (error: unknown) => void;
}

/** Runs once per period. */
export class Tick implements TickBody {
  readonly system: System;
  readonly machine: SafetyMachine;
  readonly overrun: OverrunMonitor;
  readonly limits: LimitMonitor;
  readonly inputs: SafetyInputs = new SafetyInputs();
  readonly outputs: SafetyOutputs = new SafetyOutputs();
  readonly operator: OperatorPort;
  readonly record: TickRecord;
  readonly scene: SceneRecord;
  readonly energy: EnergyStage;
  readonly watch: RobotWatch;
  readonly events: LoopEvents;
  readonly frame: SetpointFrame = new SetpointFrame();
  /** Everything that the next tick depends on. */
  readonly state: TickState;
  /** Pose and twist sent last: p(3), q(4), v(3), w(3). */
  readonly setpoint: Float64Array = new Float64Array(13);
  readonly measured: Float64Array = new Float64Array(13);
  readonly measuredWrench: Float64Array = new Float64Array(6);
  /** Set to have the next tick begin a category-1 stop for good. */
  shutdownAsked = false;
  /** Recording is required, and the recorder is lost. */
  recorderLost = false;
  readonly #mode: number;
  readonly #tool: ToolPort;
  readonly #hasTool: boolean;
  readonly #session: ServerSession | null;
  readonly #link: Link | null;
  readonly #injector: InjectingLink | null;
  readonly #clock: Clock;
  readonly #timing: TickTiming;
  readonly #counters: LoopCounters;
  readonly #sessionCounters: SessionCounters;
  readonly #linkRow: LinkRow;
  readonly #onError: (error: unknown) => void;
  readonly #period_s: number;
  /** With which the simulated arm follows its command. */
  readonly #lag_s: number;
  readonly #stages = new Float64Array(LOOP_STAGES.length);
  readonly #now_us = new Float64Array(2); // now, end of the previous stage
  readonly #seen = new Float64Array(SEEN_SLOTS);
  readonly #tap: RecordingTap | null;
  readonly #forceAge = new ForceAge();
  readonly #bounds: SetpointBounds;
  // how far the present tick has come: what is done is not done again after an error
  #decided = false;
  #bounded = false;
  #sent = false;
  #written = false;

  constructor(parts: TickParts) {
    const { system, settings, shared, timing, mode, tap } = parts;
    this.system = system;
    system.useSchedule = false;
    this.#mode = mode;
    this.#hasTool = system.tool !== null;
    this.#tool = system.tool ?? new ToolPort();
    this.#lag_s = system.model.tool?.lag ?? 0;
    this.#tool.mode = mode;
    this.#session = parts.session;
    this.#link = parts.link;
    this.#injector = parts.injector;
    this.#clock = parts.clock;
    this.#timing = timing;
    this.#onError = parts.onError;
    this.#tap = tap;
    this.#period_s = settings.loop.period_s;
    this.events = new LoopEvents(shared.events, timing, tap);
    this.#counters = new LoopCounters(shared.loopCounters);
    this.#sessionCounters = new SessionCounters(this.#counters);
    this.#linkRow = new LinkRow(parts, this.#counters, this.#sessionCounters);
    this.record = new TickRecord(
      shared.telemetry,
      this.#counters,
      this.events,
      timing,
      system,
      tap,
    );
    this.scene = new SceneRecord(shared.scene, settings.loop.period_s, tap);
    this.energy = new EnergyStage(system, parts.session, mode, settings);
    this.limits = new LimitMonitor(settings.limits, settings.loop.period_s);
    this.watch = new RobotWatch(parts.session, settings, this.#counters.slots);
    const { events, energy } = this;
    const limits = this.limits.inForce;
    this.operator = new OperatorPort({ ...parts, events, energy, limits });
    this.#bounds = new SetpointBounds(system, this.limits, energy, settings.loop.period_s);
    this.machine = new SafetyMachine({ inputTimeout_s: settings.operator.input_timeout_s });
    this.overrun = new OverrunMonitor({
      consecutive: settings.loop.overrun_consecutive,
      bucket: settings.loop.overrun_bucket,
      single_s: settings.loop.overrun_single_s,
    });
    this.inputs.linkRequired = parts.session === null ? 0 : 1;
    parts.injector?.attach(this.operator.faults);
    this.#startPose();
    this.record.safety(mode, this.machine, this.outputs);
    this.#adoptLimits(this.limits.inForce);
    this.state = this.#gatherState();
    if (tap !== null) tap.attach(this.state);
  }

  #gatherState(): TickState {
    const { system, setpoint, measured, measuredWrench, inputs, outputs, operator } = this;
    const { machine, overrun, limits, record, scene, energy, watch } = this;
    const own = { setpoint, measured, measuredWrench, seen: this.#seen };
    const parts = { inputs, outputs, operator, machine, overrun, limits, record, scene, energy };
    const { accommodation } = system;
    const [session, forceAge, bounds] = [this.#session, this.#forceAge, this.#bounds];
    const last = { accommodation, session, forceAge, watch, bounds };
    return new TickState(system, this.#tool, own, { ...parts, ...last });
  }

  /** Set-point and measured pose begin at the payload; the workspace cube is about it. */
  #startPose(): void {
    const payload = this.system.model.tool?.payload;
    if (payload === undefined) this.setpoint[6] = 1;
    else this.system.readBody(this.system.bodyIndex(payload), this.setpoint, 0);
    for (let i = 7; i < 13; i++) this.setpoint[i] = 0;
    this.measured.set(this.setpoint);
    this.#tool.measuredMotion.set(this.setpoint);
    this.limits.setCenter(this.setpoint[0], this.setpoint[1], this.setpoint[2]);
    this.#bounds.begin(this.setpoint);
  }

  run(): void {
    this.#decided = false;
    this.#bounded = false;
    this.#sent = false;
    this.#written = false;
    if (this.#tap !== null) this.#tap.begin();
    this.#now_us[0] = this.#timing.wake_us;
    this.#now_us[1] = this.#timing.wake_us;
    this.inputs.internalError = 0;
    this.#receive();
    this.#stage(Stage.rx);
    this.operator.take(this.machine, this.inputs, this.measured, this.#period_s);
    this.#inject();
    this.#stage(Stage.operator);
    this.#guard();
    this.#stage(Stage.safety);
    this.#prepareStep();
    this.#stage(Stage.compensate);
    const failed = this.#step();
    this.#stage(Stage.step);
    this.#finishStep(failed);
    this.#stage(Stage.guard);
    this.#setWrench(this.#tool.modelWrench);
    this.#sendSetpoint();
    this.#stage(Stage.tx);
    this.#record();
  }

  /** An error escaped from `run`: latch it and ask the robot to stop, whatever else fails. One set-point a tick at most. */
  fail(error: unknown): void {
    this.#onError(error);
    if (!this.#attempt(() => this.#latch())) {
      this.machine.forceStop(this.outputs);
      this.#attempt(() => this.#noteTransition());
    }
    if (!this.#sent) {
      if (!this.#bounded) this.#attempt(() => this.#bounds.stop(this.setpoint, false));
      this.#attempt(() => this.#setWrench(AT_REST)); // the frame may hold that of any tick
      this.#attempt(() => this.#sendSetpoint());
    }
    if (!this.#written) this.#attempt(() => this.#record());
    this.#attempt(() => this.#closeTap());
  }

  #attempt(part: () => void): boolean {
    try {
      part();
      return true;
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }

  #latch(): void {
    const { inputs } = this;
    const { elapsed_s } = inputs;
    inputs.internalError = 1;
    if (this.#decided) inputs.elapsed_s = 0; // the time of this tick has been counted
    this.machine.step(inputs, this.outputs);
    inputs.elapsed_s = elapsed_s; // a tick that fails before it knows its own takes the one before
    this.#noteTransition();
  }

  #closeTap(): void {
    if (this.#tap !== null && this.#tap.open) this.#tap.end(this.shutdownAsked, this.recorderLost);
  }

  /** Whether a stop has come to its end: nothing of ours moves any more. */
  get atRest(): boolean {
    const state = this.machine.state;
    return state !== SafetyState.STOPPING && this.inputs.setpointStopped === 1;
  }

  /** Durations of the stages, s: the newest of each. */
  get stages(): Float64Array {
    return this.#stages;
  }

  /** After `state` was loaded with the counters that belong to it: what the session has counted is in them. */
  followSession(): void {
    if (this.#session !== null) this.#sessionCounters.follow(this.#session);
  }

  /** Close a stage: its duration goes to `#stages`. */
  #stage(stage: number): void {
    this.#clock.sample();
    const now = this.#clock.time_us[0];
    this.#stages[stage] = (now - this.#now_us[1]) * 1e-6;
    this.#now_us[1] = now;
    this.#now_us[0] = now;
  }

  /** Newest STATE of the robot into `measured`; without a robot the set-point stands for it. */
  #receive(): void {
    const session = this.#session;
    const inputs = this.inputs;
    const measured = this.measured;
    if (session === null || this.#link === null) {
      for (let i = 0; i < 13; i++) measured[i] = this.setpoint[i];
      const wrench = this.#tool.modelWrench;
      for (let i = 0; i < 6; i++) this.measuredWrench[i] = wrench[i];
      inputs.stateFresh = 1;
      return;
    }
    session.now_us[0] = this.#timing.wake_us;
    if (this.#injector !== null) this.#injector.now_us[0] = this.#timing.wake_us;
    session.poll(this.#link);
    const state = session.state;
    inputs.linkPhase = session.phase;
    inputs.stateFresh = session.fresh ? 1 : 0;
    inputs.lostInRow = session.lostInRow;
    const invalid = session.counts[INVALID_STATES];
    inputs.invalidInRow = session.fresh
      ? 0
      : inputs.invalidInRow + invalid - this.#seen[SEEN_INVALID];
    this.#seen[SEEN_INVALID] = invalid;
    inputs.quality = session.quality;
    inputs.offsetKnown = session.offsetKnown ? 1 : 0;
    inputs.robotSafety = session.words.safety;
    inputs.robotArmed = session.armed;
    if (session.fresh) {
      for (let i = 0; i < 3; i++) measured[i] = state.position[i];
      for (let i = 0; i < 4; i++) measured[3 + i] = state.orientation[i];
      for (let i = 0; i < 6; i++) measured[7 + i] = state.twist[i];
      for (let i = 0; i < 6; i++) this.measuredWrench[i] = state.wrench[i];
    }
    if (this.#mode === LoopMode.HARDWARE) this.#forceAge.refuse(session, inputs);
    const steps = session.counts[SessionCount.CLOCK_STEPS];
    if (steps !== this.#seen[SEEN_CLOCK_STEPS]) {
      this.#seen[SEEN_CLOCK_STEPS] = steps;
      this.events.detail[0] = session.clockStep_s;
      this.events.write(EventKind.CLOCK_STEP, steps, 0);
    }
    const up = session.phase === Phase.SYNCED ? 1 : 0;
    if (up !== this.#seen[SEEN_LINK_UP]) {
      this.#seen[SEEN_LINK_UP] = up;
      this.events.write(EventKind.LINK, up, session.rejectCode);
      if (up === 1) this.#adoptLimits(session.limits);
      this.#seen[CENTER_DUE] = this.limits.aboutSession || !this.#hasTool ? up : 0;
    }
    if (session.fresh && this.#seen[CENTER_DUE] === 1) {
      this.#seen[CENTER_DUE] = 0;
      const outside = (this.machine.faultBits >>> FaultCode.WORKSPACE_LIMIT) & 1; // CLEAR asks for a tool that is inside
      if (outside === 0) this.limits.setCenter(measured[0], measured[1], measured[2]);
    }
  }

  #adoptLimits(limits: Float64Array): void {
    this.limits.adopt(limits);
    this.#counters.slots.set(limits, LoopSlot.LIMITS);
    this.system.accommodation?.narrow(
      limits.subarray(LimitField.force_N, LimitField.moment_Nm + 1),
    );
  }

  #inject(): void {
    if (this.#seen[THROW_NEXT] === 1) {
      this.#seen[THROW_NEXT] = 0;
      throw new Error('Injected fault: loop_error');
    }
    const { amounts } = this.operator.faults;
    const timing = this.#timing;
    if (amounts[InjectionKind.loop_error] > 0) this.#seen[THROW_NEXT] = 1;
    const late_s = amounts[InjectionKind.late_wake_s];
    if (late_s > 0) timing.injectedLateness_us = late_s * 1e6;
    const stall_s = amounts[InjectionKind.worker_stall_s];
    if (stall_s > 0) timing.injectedStall_s = stall_s;
    this.#clock.shift_us[0] = amounts[InjectionKind.clock_jump_s] * 1e6;
  }

  /** Limits on what is measured, overruns, then the safety machine. */
  #guard(): void {
    const inputs = this.inputs;
    const timing = this.#timing;
    inputs.elapsed_s = (1 + timing.slipped) * this.#period_s;
    this.energy.observe(inputs);
    this.limits.checkMeasured(this.measured, this.measuredWrench, inputs);
    this.limits.compare(this.setpoint, this.measured, inputs);
    if (!this.#bounds.rests) inputs.setpointStopped = 0; // its pose may stand a step later than its twist
    this.watch.observe(this);
    inputs.contact = this.#inContact() ? 1 : 0;
    this.overrun.overrun_s[0] = timing.rawLateness_us / 1e6; // a division, so that 25 ms is 25 ms exactly
    inputs.overrunTrip = this.overrun.update(timing.cause >= 0, timing.cause);
    if (this.shutdownAsked) inputs.shutdownRequest = 1;
    inputs.recorderLost = this.recorderLost ? 1 : 0;
    this.machine.step(inputs, this.outputs);
    this.#decided = true;
    inputs.modelNotFinite = 0;
    inputs.energyCreated = 0;
    // before an ARM of the same tick, which the robot then refuses
    if (this.operator.tare === 1) this.#tare();
    this.#noteTransition();
  }

  #inContact(): boolean {
    if (this.#mode !== LoopMode.HARDWARE) return this.record.active > 0;
    const { state } = this.machine;
    const pressed = state === SafetyState.ACTIVE_CONTACT || state === SafetyState.HOLD;
    return this.energy.energy.isTouched(this.measuredWrench, pressed && this.inputs.contact === 1);
  }

  /** Events, counters and requests to the robot that follow from the machine's answer. */
  #noteTransition(): void {
    const outputs = this.outputs;
    const slots = this.#counters.slots;
    const arming = this.machine.state === SafetyState.ARMING;
    if (arming || outputs.entered >= 0 || outputs.cleared === 1) this.#reportToRobot(); // first, whatever fails behind it
    for (let bits = outputs.raisedBits, code = 0; bits !== 0; bits >>>= 1, code++) {
      if ((bits & 1) === 0) continue;
      slots[LoopSlot.FAULTS + code]++;
      this.events.write(EventKind.FAULT, code, 0);
    }
    if (outputs.cleared === 1) this.overrun.reset();
    if (outputs.entered < 0) return;
    slots[LoopSlot.TRANSITIONS + outputs.entered]++;
    this.events.detail[0] = outputs.cause;
    this.events.write(EventKind.TRANSITION, outputs.from, outputs.entered);
    if (outputs.entered === SafetyState.ARMING) this.overrun.reset();
    resetAfterTransition(outputs, this.operator.mode, this.system.accommodation);
  }

  #tare(): void {
    const session = this.#session;
    if (session === null || this.#link === null) return;
    session.now_us[0] = this.#timing.wake_us;
    session.sendTare(this.#link);
  }

  #reportToRobot(): void {
    const session = this.#session;
    const link = this.#link;
    if (session === null || link === null || session.phase !== Phase.SYNCED) return;
    const outputs = this.outputs;
    session.now_us[0] = this.#timing.wake_us;
    if (outputs.entered === SafetyState.ARMING) session.sendArm(link);
    else if (this.machine.state === SafetyState.ARMING) session.repeatArm(link);
    if (outputs.entered === SafetyState.STOPPING || outputs.entered === SafetyState.ESTOP) {
      session.sendStop(link, outputs.stopCategory);
    }
    if (outputs.cleared === 1) session.sendClear(link);
  }

  /** What the model is to step with; what makes good for the delay of the force. */
  #prepareStep(): void {
    const outputs = this.outputs;
    const tool = this.#tool;
    const { accommodation, arm, model } = this.system;
    if (accommodation !== null && model.tool !== null)
      this.limits.boundSpeeds(accommodation.speeds, model.tool);
    this.operator.mode.drive(this.operator.hand, outputs.commandScale);
    this.limits.slowAtWalls(tool.command, arm === null ? tool.setpoint : arm.ledTip, this.#lag_s);
    for (let i = 0; i < 6; i++) tool.measuredWrench[i] = this.measuredWrench[i];
    for (let i = 0; i < 13; i++) tool.measuredMotion[i] = this.measured[i];
    tool.motion = outputs.toolMotion;
    tool.deceleration = this.limits.inForce[LimitField.acceleration_mps2];
    if (outputs.freezeModel === 0) this.energy.beforeStep(this.inputs.stateFresh);
  }

  /** Model step under the machine's answer. @returns whether it failed */
  #step(): boolean {
    const slots = this.#counters.slots;
    if (this.outputs.freezeModel === 1) {
      slots[LoopSlot.SIM_FROZEN] += this.#period_s;
      return false;
    }
    const failed = this.system.step(this.#period_s) !== 0;
    if (failed) this.inputs.modelNotFinite = 1;
    slots[LoopSlot.SIM_TIME] += this.#period_s;
    if (this.system.substepBoundHit) slots[LoopSlot.SUBSTEP_BOUND]++;
    slots[LoopSlot.PAIRS_REFUSED] = this.system.exhaustedPairs;
    this.record.contacts(this.system);
    return failed;
  }

  /** Audit and guard; the set-point of this tick within its limits. */
  #finishStep(failed: boolean): void {
    const { setpoint, outputs, inputs } = this;
    const tool = this.#tool;
    const frozen = outputs.freezeModel === 1;
    if (!frozen && !this.#hasTool) return;
    const stepped = !frozen && !failed;
    if (stepped) this.energy.afterStep(inputs);
    this.#bounds.finish(setpoint, outputs, stepped);
    this.energy.remember(tool.setpoint);
    this.#bounded = true;
    inputs.setpointLimited = this.#bounds.lasts ? 1 : 0;
  }

  /** Force and moment set-point of the frame, or the limits at which the robot is to stop. */
  #setWrench(wanted: Float64Array): void {
    const { wrench } = this.frame;
    if (this.#mode === LoopMode.VIRTUAL) {
      for (let i = 0; i < 6; i++) wrench[i] = wanted[i];
      this.limits.clampWrench(wrench);
    } else this.limits.abortWrench(wrench);
  }

  /** The set-point as it is, with the wrench that the frame holds. */
  #sendSetpoint(): void {
    const { frame, setpoint, outputs } = this;
    for (let i = 0; i < 3; i++) frame.position[i] = setpoint[i];
    for (let i = 0; i < 4; i++) frame.orientation[i] = setpoint[3 + i];
    for (let i = 0; i < 6; i++) frame.twist[i] = setpoint[7 + i];
    frame.mode = outputs.ctlMode;
    frame.stopCategory = outputs.stopCategory < 0 ? 0 : outputs.stopCategory;
    frame.ttl_ms = setpointTtl_ms(outputs.ctlMode === CtlMode.CONTACT, this.#period_s);
    const session = this.#session;
    const link = this.#link;
    if (session === null || link === null || session.phase !== Phase.SYNCED) return;
    this.#clock.sample();
    const now = this.#clock.time_us[0];
    session.now_us[0] = now;
    if (this.#tap !== null) this.#tap.transmit_us[0] = now;
    this.#sent = true;
    session.sendSetpoint(link, frame);
    this.watch.sent(frame, outputs.toolMotion, this.machine.state);
    if (session.fresh) {
      this.#counters.value[0] = (now - session.receivedAt_us) * 1e-6;
      this.#counters.observeLatency(LoopSlot.STATE_TO_SETPOINT);
    }
  }

  #record(): void {
    const record = this.record;
    const row = record.row;
    const system = this.system;
    record.energy(system);
    row[Column.sim_time_s] = system.time;
    record.safety(this.#mode, this.machine, this.outputs);
    row[Column.substeps] = system.substeps;
    row[Column.substep_bound_hit] = system.substepBoundHit ? 1 : 0;
    this.#linkRow.write(row);
    const tool = this.#tool;
    const slots = this.#counters.slots;
    record.operator(this.operator, tool.command);
    slots[LoopSlot.INPUTS] += this.operator.inputs - this.#seen[SEEN_INPUTS];
    this.#seen[SEEN_INPUTS] = this.operator.inputs;
    if (system.accommodation !== null) record.accommodation(system.accommodation);
    record.motion(this.setpoint, this.measured);
    record.wrenches(this.frame.wrench, this.measuredWrench, tool.modelWrench);
    const wrench = this.#mode === LoopMode.HARDWARE ? this.measuredWrench : tool.modelWrench;
    for (let i = 0; i < 6; i++) slots[LoopSlot.CONTACT_FORCE + i] = wrench[i];
    // recording and margin are of the tick before: this one has not ended yet
    this.energy.record(row, this.#counters);
    this.#bounds.record(row, slots);
    record.timing(this.#stages, this.#now_us);
    this.#timing.io_us = 1e6 * (this.#stages[Stage.rx] + this.#stages[Stage.tx]);
    this.#written = true;
    record.push();
    this.scene.tick(system);
    if (this.#tap !== null) this.#tap.end(this.shutdownAsked, this.recorderLost);
    this.#stage(Stage.record);
    this.#timing.work_us = this.#now_us[0] - this.#timing.wake_us - this.#timing.io_us;
  }

  /** Whether the newest set-point asked the robot to stop. */
  get stopping(): boolean {
    return this.outputs.ctlMode === CtlMode.STOP;
  }
}
