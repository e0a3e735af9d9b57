/** What the stages of a tick share: the parts of the loop, what came in, what goes out, and how far the present tick has come. */
import { type System, ToolPort } from '../../src/system/system.ts';
import type { Settings } from '../../config/settings.ts';
import type { Clock } from '../os/clock.ts';
import { EnergyStage } from '../energy/energy-stage.ts';
import type { InjectingLink } from '../faults/injecting-link.ts';
import type { Link } from '../contract/link.ts';
import { LoopCounters } from '../memory/loop-counters.ts';
import { LoopEvents } from '../telemetry/loop-events.ts';
import { OperatorPort } from '../operator/operator-port.ts';
import type { RecordingTap } from '../telemetry/tap.ts';
import { SetpointFrame } from '../protocol/frames.ts';
import type { ServerSession } from '../protocol/server-session.ts';
import { LimitMonitor } from '../safety/limits.ts';
import { SafetyInputs, SafetyMachine, SafetyOutputs } from '../safety/machine.ts';
import { OverrunMonitor } from '../safety/overrun.ts';
import { RobotWatch } from './robot-watch.ts';
import { SceneRecord } from '../telemetry/scene-record.ts';
import { SetpointBounds } from './setpoint-bounds.ts';
import { StageTimer } from './stage-timer.ts';
import type { SharedBuffers } from '../memory/shared.ts';
import { TickRecord } from '../telemetry/tick-record.ts';
import type { TickTiming } from '../contract/timing.ts';

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
  /** Receives each error that was caught at the loop's edge. */
  readonly onError: (error: unknown) => void;
}

/** One part of a tick, timed by itself. What it keeps is its own, or a slot of Seen when the next tick depends on it. */
export interface TickStage {
  /** Index in LOOP_STAGES, under which its duration is counted. */
  readonly timed: number;
  /** @alloc none */
  run(): void;
}

/** Slots of what the stages have seen before, in the order of a saved state: counts so far, and marks. */
export const Seen = Object.freeze({
  /** Invalid STATEs counted (receive). */
  INVALID: 0,
  /** 1: the session was synchronised (receive). */
  LINK_UP: 1,
  /** Inputs counted (record). */
  INPUTS: 2,
  /** 1: the next tick throws on purpose (command). */
  THROW_NEXT: 3,
  /** 1: the session has not received a pose yet; the workspace is about the first (receive). */
  CENTER_DUE: 4,
  /** Steps of the robot's clock counted (receive). */
  CLOCK_STEPS: 5,
});
const SEEN_SLOTS = 6;

/** How far the present tick has come: what is done is not done again after an error. */
export interface TickProgress {
  decided: boolean;
  /** The model step did not succeed. */
  failed: boolean;
  /** The model has advanced: its contacts are to be told. */
  stepped: boolean;
  bounded: boolean;
  sent: boolean;
  written: boolean;
}

/** What the stages of a tick share. */
export class TickContext {
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
  /** Pose and twist sent last: p(3), q(4), v(3), w(3). */
  readonly setpoint: Float64Array = new Float64Array(13);
  readonly measured: Float64Array = new Float64Array(13);
  readonly measuredWrench: Float64Array = new Float64Array(6);
  /** By Seen. */
  readonly seen: Float64Array = new Float64Array(SEEN_SLOTS);
  /** Set to have the next tick begin a category-1 stop for good. */
  shutdownAsked = false;
  /** Recording is required, and the recorder is lost. */
  recorderLost = false;
  /** Index in LOOP_MODES. */
  readonly mode: number;
  /** That of the system, or one that nothing follows. */
  readonly tool: ToolPort;
  readonly hasTool: boolean;
  readonly session: ServerSession | null;
  readonly link: Link | null;
  readonly injector: InjectingLink | null;
  readonly clock: Clock;
  readonly timing: TickTiming;
  readonly timer: StageTimer;
  readonly counters: LoopCounters;
  readonly period_s: number;
  readonly tap: RecordingTap | null;
  readonly bounds: SetpointBounds;
  readonly progress: TickProgress = {
    decided: false,
    failed: false,
    stepped: false,
    bounded: false,
    sent: false,
    written: false,
  };

  constructor(parts: TickParts) {
    const { system, settings, shared, timing, mode, tap } = parts;
    this.system = system;
    system.useSchedule = false;
    this.mode = mode;
    this.hasTool = system.tool !== null;
    this.tool = system.tool ?? new ToolPort();
    this.tool.mode = mode;
    this.session = parts.session;
    this.link = parts.link;
    this.injector = parts.injector;
    this.clock = parts.clock;
    this.timing = timing;
    this.timer = new StageTimer(parts.clock);
    this.tap = tap;
    this.period_s = settings.loop.period_s;
    this.events = new LoopEvents(shared.events, timing, tap);
    this.counters = new LoopCounters(shared.loopCounters);
    this.record = new TickRecord(shared.telemetry, this.counters, this.events, timing, system, tap);
    this.scene = new SceneRecord(shared.scene, settings.loop.period_s, tap);
    this.energy = new EnergyStage(system, parts.session, mode, settings);
    this.limits = new LimitMonitor(settings.limits, settings.loop.period_s);
    this.watch = new RobotWatch(parts.session, settings, this.counters.slots);
    const { events, energy } = this;
    const limits = this.limits.inForce;
    this.operator = new OperatorPort({ ...parts, events, energy, limits });
    this.bounds = new SetpointBounds(system, this.limits, energy, settings.loop.period_s);
    this.machine = new SafetyMachine({ inputTimeout_s: settings.operator.input_timeout_s });
    this.overrun = new OverrunMonitor({
      consecutive: settings.loop.overrun_consecutive,
      bucket: settings.loop.overrun_bucket,
      single_s: settings.loop.overrun_single_s,
    });
    this.inputs.linkRequired = parts.session === null ? 0 : 1;
    parts.injector?.attach(this.operator.faults);
  }
}
