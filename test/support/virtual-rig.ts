/**
 * The whole loop on the virtual clock: Loop, Tick, ServerSession, loopback link, emulated robot, operator commands. Nothing
 * depends on the machine's time, so every run repeats bit for bit.
 */
import { compileScenario } from '../../config/compile.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { loadScenario } from '../../config/scenario.ts';
import type { Settings } from '../../config/settings.ts';
import { VirtualClock } from '../../hil/clock.ts';
import { COMMAND_ARGUMENT, COMMAND_WIDTH, CommandKind, INJECTIONS } from '../../hil/commands.ts';
import { EVENT_WIDTH, EventKind } from '../../hil/events.ts';
import { EmulatedRobot } from '../../hil/emulator/robot.ts';
import {
  type EmulatorOptions,
  NO_IMPAIRMENT,
  defaultEmulatorOptions,
  scaleNoise,
} from '../../hil/emulator/options.ts';
import { type LoopbackEnd, makeLoopback } from '../../hil/links/loopback-link.ts';
import { InjectingLink } from '../../hil/links/injecting-link.ts';
import { Loop } from '../../hil/loop.ts';
import { makeSession, makeTaggingLink } from '../../hil/loop-session.ts';
import type { ServerSession } from '../../hil/protocol/server-session.ts';
import { RecordingLink } from '../../hil/recording/recording-link.ts';
import { makeTap } from '../../hil/recording/tap.ts';
import { RecordRing } from '../../hil/ring.ts';
import {
  FAULT_CODES,
  LOOP_MODES,
  SAFETY_STATES,
  type LoopModeName,
} from '../../hil/safety/codes.ts';
import { allocateShared, type SharedBuffers } from '../../hil/shared.ts';
import { Tick } from '../../hil/tick.ts';
import { TickTiming } from '../../hil/timing.ts';
import type { SystemModel } from '../../src/model.ts';
import { makeSystem, type System } from '../../src/system.ts';

/** One transition of the safety machine. */
export interface Transition {
  readonly tick: number;
  readonly from: string;
  readonly to: string;
  readonly cause: string | null;
}

/** Options of a rig. */
export interface RigOptions {
  readonly mode?: LoopModeName;
  /** Put the emulated robot on the link; false runs without a robot. */
  readonly robot?: boolean;
  readonly settings?: (settings: Settings) => void;
  readonly noise?: number;
  /** Key of the service's own emulated robot; none when left out. */
  readonly runKey?: string;
  /** What else is different about the emulated robot. */
  readonly emulator?: Partial<EmulatorOptions>;
  /** The half-sphere on the plate when left out. */
  readonly model?: SystemModel;
  /** Size of the recorder's ring, bytes; 0 or none: nothing is recorded. */
  readonly log?: number;
}

/** See above. */
export class VirtualRig {
  readonly clock = new VirtualClock();
  readonly timing = new TickTiming();
  readonly shared: SharedBuffers;
  readonly settings: Settings;
  readonly system: System;
  readonly tick: Tick;
  readonly loop: Loop;
  readonly session: ServerSession | null;
  readonly robot: EmulatedRobot | null;
  /** [server side, robot side]: faults of what each side sends. */
  readonly ends: readonly [LoopbackEnd, LoopbackEnd];
  readonly transitions: Transition[] = [];
  readonly answers: number[] = [];
  readonly overruns: { tick: number; slipped: number; cause: number }[] = [];
  readonly errors: unknown[] = [];
  /** Injected faults as they were told: name, 1 began 0 ended, amount. */
  readonly injected: [string, number, number][] = [];
  /** Whether the robot's controller runs. */
  robotOn = true;
  readonly #events: RecordRing;
  readonly #commands: RecordRing;
  #sequence = 0;

  constructor(options: RigOptions = {}) {
    this.shared = allocateShared(options.log ?? 0);
    const settings = structuredClone(loadSettings());
    settings.allow_fault_injection = true;
    settings.energy.permit = 'advisory'; // nobody is there to acknowledge
    options.settings?.(settings);
    this.settings = settings;
    const mode = options.mode ?? 'virtual';
    const model = options.model ?? compileScenario(loadScenario('half-sphere-on-plate'));
    const period_us = settings.loop.period_s * 1e6;
    this.ends = makeLoopback(this.clock, { seed: 7, latency_us: 0, period_us });
    const withRobot = options.robot ?? true;
    const runKey = options.runKey ?? '';
    const tagging = makeTaggingLink(this.ends[0], settings, runKey);
    const injector = withRobot ? new InjectingLink(tagging, settings.loop.period_s) : null;
    const tap = makeTap(this.shared, this.timing, settings.loop.period_s);
    const link = injector !== null && tap !== null ? new RecordingLink(injector, tap) : injector;
    this.session = withRobot ? makeSession(settings, tap, runKey) : null;
    if (this.session !== null) tagging.session = this.session.tags;
    this.system = makeSystem(model);
    this.tick = new Tick({
      system: this.system,
      mode: LOOP_MODES.indexOf(mode),
      session: this.session,
      link,
      injector,
      clock: this.clock,
      timing: this.timing,
      settings,
      shared: this.shared,
      tap,
      onError: (error) => this.errors.push(error),
    });
    this.loop = new Loop(this.clock, this.tick, this.timing, {
      period_s: settings.loop.period_s,
      stall_s: settings.loop.overrun_single_s,
    });
    const defaults = defaultEmulatorOptions(this.ends[1]);
    const body = model.bodies.find((b) => b.name === model.tool?.payload);
    this.robot = withRobot
      ? new EmulatedRobot({
          ...defaults,
          period_s: settings.loop.period_s,
          key: settings.robot.key,
          position: body?.position ?? [0, 0, 0],
          orientation: body?.orientation ?? [0, 0, 0, 1],
          noise: scaleNoise(defaults.noise, options.noise ?? 0),
          impairIn: NO_IMPAIRMENT,
          impairOut: NO_IMPAIRMENT,
          wall: mode === 'hardware' ? { model, payload: model.tool?.payload ?? '' } : null,
          ...options.emulator,
        })
      : null;
    this.#events = new RecordRing(this.shared.events, EVENT_WIDTH);
    this.#commands = new RecordRing(this.shared.commands, COMMAND_WIDTH);
    this.loop.start();
  }

  /** Name of the present state. */
  get state(): string {
    return SAFETY_STATES[this.tick.machine.state] ?? '';
  }

  /** Value of a counter slot. */
  counter(slot: number): number {
    return new Float64Array(this.shared.loopCounters)[slot] ?? NaN;
  }

  /** Run ticks; the robot's cycle comes half a period after the loop's. */
  run(ticks: number, each?: (tick: number) => void): void {
    for (let i = 0; i < ticks; i++) {
      each?.(i);
      this.loop.step();
      if (this.robotOn) this.robot?.step(this.settings.loop.period_s, this.clock.now_us());
      this.#drain();
    }
  }

  /** Run until a state is reached. @returns ticks taken, −1 when it is not reached */
  runUntil(state: string, most: number, each?: (tick: number) => void): number {
    for (let i = 0; i < most; i++) {
      if (this.state === state) return i;
      this.run(1, each);
    }
    return this.state === state ? most : -1;
  }

  /** Post a command as the main thread does. */
  command(kind: number, ...args: number[]): void {
    this.#post(this.clock.now_us(), kind, args);
  }

  #post(at_us: number, kind: number, args: readonly number[]): void {
    const record = new Float64Array(COMMAND_WIDTH);
    record[0] = kind;
    record[1] = 1;
    record[2] = at_us;
    args.forEach((value, i) => (record[COMMAND_ARGUMENT + i] = value));
    if (!this.#commands.push(record)) throw new Error('The command ring is full');
  }

  /** Post a command as the main thread did `age_s` ago, while the loop stood still. */
  lateCommand(age_s: number, kind: number, ...args: number[]): void {
    this.#post(this.clock.now_us() - age_s * 1e6, kind, args);
  }

  /** One hand-controller input; axis 2 is vertical. */
  input(vertical: number, deadman: 0 | 1): void {
    this.command(CommandKind.INPUT, 0, 0, vertical, 0, 0, 0, deadman, 1, 0, ++this.#sequence, 0);
  }

  /** One hand-controller input on all six axes, coarse gear, base frame. */
  inputAxes(axes: readonly number[], deadman: 0 | 1): void {
    this.command(CommandKind.INPUT, ...axes, deadman, 1, 0, ++this.#sequence, 0);
  }

  /** Neutral sticks, the deadman pressed anew, and ARM with the next tick. */
  requestArm(): void {
    if (this.runUntil('MONITOR_READY', 6000) < 0) throw new Error(`Not ready: ${this.state}`);
    this.command(CommandKind.AUTHORITY, 1);
    this.input(0, 0);
    this.run(2);
    this.input(0, 1);
    this.run(1);
    this.command(CommandKind.ARM);
  }

  /** Bring the rig to ACTIVE_FREE with neutral sticks and the deadman pressed. */
  activate(): void {
    this.requestArm();
    const reached = this.runUntil('ACTIVE_FREE', 500, () => this.input(0, 1));
    if (reached < 0) throw new Error(`Not active: ${this.state}, answers ${this.answers.join()}`);
  }

  #drain(): void {
    const e = new Float64Array(EVENT_WIDTH);
    while (this.#events.pop(e)) {
      const [kind = 0, tick = 0, , a = 0, b = 0, c = 0] = e;
      if (kind === EventKind.TRANSITION) {
        const from = SAFETY_STATES[a] ?? '';
        const to = SAFETY_STATES[b] ?? '';
        this.transitions.push({ tick, from, to, cause: FAULT_CODES[c] ?? null });
      } else if (kind === EventKind.ANSWER) this.answers.push(b);
      else if (kind === EventKind.INJECTED) this.injected.push([INJECTIONS[a] ?? '', b, c]);
      else if (kind === EventKind.OVERRUN) this.overruns.push({ tick, slipped: a, cause: b });
    }
  }
}
