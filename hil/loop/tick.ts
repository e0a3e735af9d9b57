/**
 * One tick: its stages, each of them timed. They run on what they share (tick-context.ts), have no access to threads, and neither
 * allocate nor wait.
 */
import { CtlMode, SafetyState } from '../contract/codes.ts';
import type { TickBody } from './loop.ts';
import { CommandStage } from './stage-command.ts';
import { FinishStage } from './stage-finish.ts';
import { GuardStage } from './stage-guard.ts';
import { PrepareStage } from './stage-prepare.ts';
import { ReceiveStage } from './stage-receive.ts';
import { RecordStage } from './stage-record.ts';
import { StepStage } from './stage-step.ts';
import { TransmitStage } from './stage-transmit.ts';
import { TickContext, type TickParts, type TickStage } from './tick-context.ts';
import { TickState } from './tick-state.ts';

/** Runs once per period. */
export class Tick extends TickContext implements TickBody {
  /** Everything that the next tick depends on. */
  readonly state: TickState;
  readonly #receive = new ReceiveStage(this);
  readonly #guard = new GuardStage(this);
  readonly #transmit = new TransmitStage(this);
  readonly #record = new RecordStage(this);
  /** In the order in which they run. */
  readonly stages: readonly TickStage[] = [
    this.#receive,
    new CommandStage(this),
    this.#guard,
    new PrepareStage(this),
    new StepStage(this),
    new FinishStage(this),
    this.#transmit,
    this.#record,
  ];
  readonly #onError: (error: unknown) => void;

  constructor(parts: TickParts) {
    super(parts);
    this.#onError = parts.onError;
    this.#startPose();
    this.record.safety(this.mode, this.machine, this.outputs);
    this.#receive.adoptLimits(this.limits.inForce);
    this.state = this.#gatherState();
    if (this.tap !== null) this.tap.attach(this.state);
  }

  #gatherState(): TickState {
    const { system, setpoint, measured, measuredWrench, inputs, outputs, operator } = this;
    const { machine, overrun, limits, record, scene, energy, watch, session, bounds, seen } = this;
    const own = { setpoint, measured, measuredWrench, seen };
    const parts = { inputs, outputs, operator, machine, overrun, limits, record, scene, energy };
    const { accommodation } = system;
    const { forceAge } = this.#receive;
    const last = { accommodation, session, forceAge, watch, bounds };
    return new TickState(system, this.tool, own, { ...parts, ...last });
  }

  /** Set-point and measured pose begin at the payload; the workspace cube is about it. */
  #startPose(): void {
    const { system, setpoint, measured, tool, limits } = this;
    const payload = system.model.tool?.payload;
    if (payload === undefined) setpoint[6] = 1;
    else system.readBody(system.bodyIndex(payload), setpoint, 0);
    for (let i = 7; i < 13; i++) setpoint[i] = 0;
    measured.set(setpoint);
    tool.measuredMotion.set(setpoint);
    limits.setCenter(setpoint[0], setpoint[1], setpoint[2]);
    this.bounds.begin(setpoint);
  }

  run(): void {
    this.#begin();
    for (let i = 0; i < this.stages.length; i++) this.#time(this.stages[i]);
    this.#end();
  }

  #begin(): void {
    const { progress, tap, timer, timing, inputs } = this;
    progress.decided = false;
    progress.failed = false;
    progress.stepped = false;
    progress.bounded = false;
    progress.sent = false;
    progress.written = false;
    if (tap !== null) tap.begin();
    timer.now_us[0] = timing.wake_us;
    inputs.internalError = 0;
  }

  #time(stage: TickStage): void {
    stage.run();
    this.timer.close(stage.timed);
  }

  #end(): void {
    const { timing, timer } = this;
    timing.work_us = timer.now_us[0] - timing.wake_us - timing.io_us;
  }

  /** An error escaped from `run`: latch it and ask the robot to stop, whatever else fails. One set-point a tick at most. */
  fail(error: unknown): void {
    const { progress, setpoint } = this;
    this.#onError(error);
    if (!this.#attempt(() => this.#guard.latch())) {
      this.machine.forceStop(this.outputs);
      this.#attempt(() => this.#guard.noteTransition());
    }
    if (!progress.sent) {
      if (!progress.bounded) this.#attempt(() => this.bounds.stop(setpoint, false));
      this.#attempt(() => this.#transmit.clearWrench());
      this.#attempt(() => this.#transmit.send());
    }
    if (!progress.written) {
      this.#attempt(() => {
        this.#time(this.#record);
        this.#end();
      });
    }
    this.#attempt(() => this.#record.closeTap());
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

  /** Whether a stop has come to its end: the arm does not move any more. */
  get atRest(): boolean {
    const state = this.machine.state;
    return state !== SafetyState.STOPPING && this.inputs.setpointStopped === 1;
  }

  /** Whether the newest set-point asked the robot to stop. */
  get stopping(): boolean {
    return this.outputs.ctlMode === CtlMode.STOP;
  }

  /** After `state` was loaded with the counters that belong to it: what the session has counted is in them. */
  followSession(): void {
    this.#record.followSession();
  }
}
