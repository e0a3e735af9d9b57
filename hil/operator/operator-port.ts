/**
 * The operator's side of a tick: takes every waiting command from the ring at once, keeps the newest hand-controller input,
 * turns requests into safety inputs and answers them.
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import {
  DEFAULT_HAND_CONTROLLER,
  Gear,
  HandController,
  HandFrame,
} from '../../src/control/hand-controller.ts';
import type { System } from '../../src/system/system.ts';
import type { Settings } from '../../config/settings.ts';
import {
  COMMAND_ARGUMENT,
  COMMAND_WIDTH,
  CommandColumn,
  CommandKind,
  CommandResult,
  InputArgument,
  marksOf,
  PermitState,
} from '../contract/commands.ts';
import { EventKind } from '../contract/events.ts';
import { FaultInjection } from '../faults/fault-injection.ts';
import { FmaRequest } from './fma-request.ts';
import { HandMode } from './hand-mode.ts';
import { InjectionKind } from '../contract/injections.ts';
import type { EnergyStage } from '../energy/energy-stage.ts';
import type { LoopEvents } from '../telemetry/loop-events.ts';
import type { RecordingTap } from '../telemetry/tap.ts';
import { RecordRing } from '../memory/ring.ts';
import type { SafetyMachine } from '../safety/machine.ts';
import type { SafetyInputs } from '../contract/signals.ts';
import type { SharedBuffers } from '../memory/shared.ts';
import type { TickTiming } from '../contract/timing.ts';

const { NOT_ALLOWED, NOT_READY, SINGLE_JOINT, TOO_LATE } = CommandResult;
const NEVER_s = 1e9;
/** After a second the sender gets the answer that the loop did not respond (runtime.ts): what is older is not done. µs */
const PATIENCE_us = 0.9e6;

/** Kinds that are refused when they are older than that. */
const EXPIRES = marksOf(({ expires }) => expires);
/** Largest error of the length of a quaternion that was rounded to single precision on its way. */
const UNIT_TOLERANCE = 1e-3;

/** What the port works with. */
export interface OperatorParts {
  readonly shared: SharedBuffers;
  readonly timing: TickTiming;
  readonly events: LoopEvents;
  readonly settings: Settings;
  readonly system: System;
  readonly tap: RecordingTap | null;
  readonly energy: EnergyStage | null;
  /** Limits in force, by LimitField. */
  readonly limits: Float64Array;
}

/** Numbers of the port and what they begin with. */
const FIELDS = {
  authority: 0,
  inputs: 0,
  inputTime_us: NaN,
  sequence: -1,
  tare: 0,
  refused: 0,
} as const;

/** Commands of one tick. */
export class OperatorPort {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  readonly hand: HandController;
  readonly mode: HandMode;
  /** Session number of the holder of authority, 0 none. */
  declare authority: number;
  /** Inputs taken so far. */
  declare inputs: number;
  /** Inputs not taken in this tick: overtaken, old when they were sent, or of a camera whose orientation is no unit quaternion. */
  declare refused: number;
  /** Set for one tick when a TARE was accepted. */
  declare tare: number;
  /** Faults injected on purpose. */
  readonly faults: FaultInjection;
  /** When the newest input was made, µs of the loop clock; NaN before the first. */
  declare private inputTime_us: number;
  declare private sequence: number;
  readonly #ring: RecordRing;
  readonly #record = new Float64Array(COMMAND_WIDTH);
  readonly #timing: TickTiming;
  readonly #events: LoopEvents;
  readonly #tap: RecordingTap | null;
  readonly #allowInjection: boolean;
  readonly #timeout_s: number;
  readonly #accommodation: System['accommodation'];
  readonly #fma: FmaRequest | null;
  readonly #energy: EnergyStage | null;

  constructor(parts: OperatorParts, arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.cells = arena.fields(FIELDS);
    const place = {
      hand: arena.part('hand'),
      faults: arena.part('faults'),
      mode: arena.part('mode'),
    };
    const { shared, timing, events, settings, system, tap, energy, limits } = parts;
    this.#tap = tap;
    this.#energy = energy;
    this.#ring = new RecordRing(shared.commands, COMMAND_WIDTH);
    this.#timing = timing;
    this.#events = events;
    this.#allowInjection = settings.allow_fault_injection;
    const { period_s } = settings.loop;
    this.faults = new FaultInjection(events, shared.loopCounters, period_s, place.faults);
    this.#timeout_s = settings.operator.input_timeout_s;
    const { tool } = system.model;
    this.#accommodation = system.accommodation;
    this.#fma = tool === null ? null : new FmaRequest(tool, limits);
    const { deadband, coarse_speed_mps, coarse_angular_speed_radps, vernier_ratio } =
      settings.operator;
    const options = {
      ...DEFAULT_HAND_CONTROLLER,
      deadband,
      coarse_speed_mps,
      coarse_angular_speed_radps,
      vernier_ratio,
      input_timeout_s: this.#timeout_s,
    };
    this.hand = new HandController(options, place.hand);
    this.mode = new HandMode(system, settings.operator, place.mode);
  }

  /** Take all waiting commands; `orientation` is the measured motion (frame `tool`). @alloc none */
  take(machine: SafetyMachine, inputs: SafetyInputs, motion: Float64Array, period_s: number): void {
    this.tare = 0;
    this.refused = 0;
    this.faults.advance();
    const record = this.#record;
    while (this.#ring.pop(record)) {
      if (this.#tap !== null) this.#tap.command(record);
      const kind = record[CommandColumn.kind] | 0;
      if (kind === CommandKind.INPUT) this.#input(record);
      else if (kind === CommandKind.AUTHORITY) this.#authority(record);
      else if (kind === CommandKind.INJECT) this.#inject(record);
      else this.#request(kind, record, machine, inputs);
    }
    this.#fill(inputs);
    this.hand.shape(period_s, motion, 3);
  }

  /** Age of the newest input, s. */
  #fill(inputs: SafetyInputs): void {
    const hand = this.hand;
    const age = (this.#timing.wake_us - this.inputTime_us) * 1e-6;
    // a moment ahead: it came while this tick began; further ahead: the clock has jumped, and its age is not known
    hand.age_s = age >= 0 ? age : age > -this.#timeout_s ? 0 : NEVER_s;
    inputs.authority = this.authority;
    inputs.deadman = hand.deadman;
    inputs.inputAge_s = hand.age_s;
    hand.updateNeutral();
    inputs.sticksNeutral = hand.neutral;
    // a command of this batch may have changed it
    if (this.#energy !== null) inputs.permitNeeded = this.#energy.permit.needed ? 1 : 0;
  }

  #input(record: Float64Array): void {
    const at = COMMAND_ARGUMENT;
    const sequence = record[at + InputArgument.sequence];
    const sendAge_s = record[at + InputArgument.send_age_s];
    // an input that was old when it was sent (a burst after a stall) or overtaken is no state of the hand now
    const amounts = this.faults.amounts;
    if (this.authority === 0 || amounts[InjectionKind.input_dropout_s] > 0) return;
    const old = sequence <= this.sequence || sendAge_s > this.#timeout_s;
    const hand = this.hand;
    const deadman = record[at + InputArgument.deadman] === 1 ? 1 : 0;
    const asked = record[at + InputArgument.frame];
    const other = asked === HandFrame.CAMERA ? HandFrame.CAMERA : HandFrame.BASE;
    const frame = asked === HandFrame.TOOL ? HandFrame.TOOL : other;
    // motion in a frame that is not known would go anywhere; letting go of the deadman needs no frame
    const unknown =
      !old && frame === HandFrame.CAMERA && !this.#takeCamera(record, at + InputArgument.camera_x);
    if (old || (unknown && deadman === 1)) {
      this.refused++;
      return;
    }
    // a hand controller that hangs: input goes on coming, with the sticks and the deadman of before
    if (amounts[InjectionKind.input_freeze_s] === 0) {
      for (let i = 0; i < 6; i++) hand.axes[i] = record[at + InputArgument.axis_x + i];
      hand.deadman = deadman;
      hand.gear = record[at + InputArgument.gear] === Gear.COARSE ? Gear.COARSE : Gear.VERNIER;
      hand.frame = frame;
    }
    this.sequence = sequence;
    this.inputTime_us = record[CommandColumn.received_us] - (sendAge_s > 0 ? sendAge_s * 1e6 : 0);
    this.inputs++;
  }

  /** @returns whether it is an orientation; it then is the camera's */
  #takeCamera(record: Float64Array, at: number): boolean {
    const x = record[at];
    const y = record[at + 1];
    const z = record[at + 2];
    const w = record[at + 3];
    const length = Math.sqrt(x * x + y * y + z * z + w * w);
    if (!(Math.abs(length - 1) <= UNIT_TOLERANCE)) return false;
    const camera = this.hand.camera;
    camera[0] = x / length;
    camera[1] = y / length;
    camera[2] = z / length;
    camera[3] = w / length;
    return true;
  }

  #authority(record: Float64Array): void {
    const holder = record[COMMAND_ARGUMENT] | 0;
    if (holder !== this.authority) this.#hand(holder);
  }

  /**
   * Authority goes to another holder, whose hand is not known yet. The new holder begins in rate mode and has acknowledged
   * nothing.
   */
  #hand(holder: number): void {
    this.mode.reset();
    this.#energy?.permit.withdraw();
    this.authority = holder;
    this.sequence = -1;
    this.inputTime_us = NaN;
    this.hand.axes.fill(0);
    this.hand.deadman = 0;
  }

  #inject(record: Float64Array): void {
    const id = record[CommandColumn.request] | 0;
    const kind = record[COMMAND_ARGUMENT] | 0;
    const done = this.#allowInjection && this.faults.inject(kind, record, COMMAND_ARGUMENT + 1);
    if (done && kind === InjectionKind.authority_loss) this.#hand(0);
    if (id > 0) this.#events.write(EventKind.ANSWER, id, done ? 0 : NOT_ALLOWED);
  }

  #request(kind: number, record: Float64Array, machine: SafetyMachine, inputs: SafetyInputs): void {
    this.#fill(inputs);
    // both times are in a recording, so that its replay judges alike
    const late =
      EXPIRES[kind] === 1 && this.#timing.wake_us - record[CommandColumn.received_us] > PATIENCE_us;
    let answer = late ? TOO_LATE : machine.judge(kind, inputs);
    if (answer === 0) answer = this.#do(kind, record, machine.state, inputs);
    const id = record[CommandColumn.request] | 0;
    if (id > 0) this.#events.write(EventKind.ANSWER, id, answer);
  }

  /** What each command does in a tick, once the machine accepts it. @returns index in COMMAND_RESULTS */
  #do(kind: number, record: Float64Array, state: number, inputs: SafetyInputs): number {
    switch (kind) {
      case CommandKind.ARM:
        inputs.armRequest = 1;
        break;
      case CommandKind.HOLD:
        inputs.holdRequest = 1;
        break;
      case CommandKind.RESUME:
        inputs.resumeRequest = 1;
        break;
      case CommandKind.CLEAR:
        inputs.clearRequest = 1;
        break;
      case CommandKind.SHUTDOWN:
        inputs.shutdownRequest = 1;
        break;
      case CommandKind.TARE:
        this.tare = 1;
        break;
      case CommandKind.STOP: {
        const category = record[COMMAND_ARGUMENT] | 0;
        // of several stops in one batch the most severe counts
        if (inputs.stopRequest < 0 || category < inputs.stopRequest) inputs.stopRequest = category;
        break;
      }
      case CommandKind.FMA:
        return this.#accommodate(record, state);
      case CommandKind.ENERGY:
        return this.#compensate(record);
      case CommandKind.PERMIT:
        return this.#permit(record);
      case CommandKind.HAND_MODE:
        return this.mode.change(record, COMMAND_ARGUMENT, inputs.contact);
    }
    return 0;
  }

  /** Take a new setting of the accommodation. @returns index in COMMAND_RESULTS */
  #accommodate(record: Float64Array, state: number): number {
    if (this.#fma === null || this.#accommodation === null) return NOT_ALLOWED;
    if (this.mode.single) return SINGLE_JOINT;
    const answer = this.#fma.judge(record, COMMAND_ARGUMENT, state);
    if (answer === 0) this.#accommodation.change(record, COMMAND_ARGUMENT);
    return answer;
  }

  /** Take a new choice of compensation and guard. @returns index in COMMAND_RESULTS */
  #compensate(record: Float64Array): number {
    return this.#energy === null ? NOT_ALLOWED : this.#energy.change(record, COMMAND_ARGUMENT);
  }

  /** Acknowledge the contact permit, or take that back. @returns index in COMMAND_RESULTS */
  #permit(record: Float64Array): number {
    if (this.#energy === null) return NOT_ALLOWED;
    // without a link there is no prediction that could be meant
    if (this.#energy.permit.state === PermitState.NONE) return NOT_READY;
    if (record[COMMAND_ARGUMENT] === 1) this.#energy.permit.acknowledge();
    else this.#energy.permit.withdraw();
    return 0;
  }
}

defineFields(OperatorPort, FIELDS);
