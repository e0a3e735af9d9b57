/**
 * The operator's side of a tick: takes every waiting command from the ring at once, keeps the newest hand-controller input,
 * turns requests into safety inputs and answers them.
 */
import { DEFAULT_HAND_CONTROLLER, HandController } from '../src/control/hand-controller.ts';
import type { Settings } from '../config/settings.ts';
import { COMMAND_ARGUMENT, COMMAND_RESULTS, COMMAND_WIDTH, CommandKind } from './commands.ts';
import { EventKind } from './events.ts';
import type { LoopEvents } from './loop-events.ts';
import { RecordRing } from './ring.ts';
import type { SafetyMachine } from './safety/machine.ts';
import type { SafetyInputs } from './safety/signals.ts';
import type { TickTiming } from './timing.ts';

const NOT_ALLOWED = COMMAND_RESULTS.indexOf('not_allowed');
const NEVER_s = 1e9;

/** Commands of one tick. */
export class OperatorPort {
  readonly hand: HandController;
  /** Session number of the holder of authority, 0 nobody. */
  authority = 0;
  /** Inputs taken so far. */
  inputs = 0;
  /** Set for one tick when an ARM was accepted. */
  armed = 0;
  /** Kind and amount of an injected fault, −1 none; taken by the tick. */
  injection = -1;
  readonly injectedAmount: Float64Array = new Float64Array(1);
  /** When the newest input was made, µs of the loop clock; NaN before the first. */
  readonly #inputTime_us = Float64Array.of(NaN);
  #sequence = -1;
  readonly #ring: RecordRing;
  readonly #record = new Float64Array(COMMAND_WIDTH);
  readonly #timing: TickTiming;
  readonly #events: LoopEvents;
  readonly #allowInjection: boolean;
  readonly #timeout_s: number;

  constructor(
    commands: SharedArrayBuffer,
    timing: TickTiming,
    events: LoopEvents,
    settings: Settings,
  ) {
    this.#ring = new RecordRing(commands, COMMAND_WIDTH);
    this.#timing = timing;
    this.#events = events;
    this.#allowInjection = settings.allow_fault_injection;
    this.#timeout_s = settings.operator.input_timeout_s;
    const { deadband, coarse_speed_mps, coarse_angular_speed_radps, vernier_ratio } =
      settings.operator;
    this.hand = new HandController({
      ...DEFAULT_HAND_CONTROLLER,
      deadband,
      coarse_speed_mps,
      coarse_angular_speed_radps,
      vernier_ratio,
      input_timeout_s: this.#timeout_s,
    });
  }

  /** Take all waiting commands; `orientation` is the measured motion (frame `tool`). @alloc none */
  take(machine: SafetyMachine, inputs: SafetyInputs, motion: Float64Array, period_s: number): void {
    this.armed = 0;
    this.injection = -1;
    const record = this.#record;
    while (this.#ring.pop(record)) {
      const kind = record[0] | 0;
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
    const age = (this.#timing.wake_us - this.#inputTime_us[0]) * 1e-6;
    hand.age_s = age >= 0 ? age : age < 0 ? 0 : NEVER_s;
    inputs.authority = this.authority;
    inputs.deadman = hand.deadman;
    inputs.inputAge_s = hand.age_s;
    hand.updateNeutral();
    inputs.sticksNeutral = hand.neutral;
  }

  #input(record: Float64Array): void {
    const at = COMMAND_ARGUMENT;
    const sequence = record[at + 9];
    const sendAge_s = record[at + 10];
    // an input that was old when it was sent (a burst after a stall) or overtaken says nothing about the hand now
    if (this.authority === 0 || sequence <= this.#sequence || sendAge_s > this.#timeout_s) return;
    const hand = this.hand;
    for (let i = 0; i < 6; i++) hand.axes[i] = record[at + i];
    hand.deadman = record[at + 6] === 1 ? 1 : 0;
    hand.gear = record[at + 7] === 1 ? 1 : 0;
    hand.frame = record[at + 8] === 1 ? 1 : 0;
    this.#sequence = sequence;
    this.#inputTime_us[0] = record[2] - (sendAge_s > 0 ? sendAge_s * 1e6 : 0);
    this.inputs++;
  }

  #authority(record: Float64Array): void {
    const holder = record[COMMAND_ARGUMENT] | 0;
    if (holder === this.authority) return;
    this.authority = holder;
    this.#sequence = -1;
    this.#inputTime_us[0] = NaN;
    this.hand.axes.fill(0);
    this.hand.deadman = 0;
  }

  #inject(record: Float64Array): void {
    const id = record[1] | 0;
    if (this.#allowInjection) {
      this.injection = record[COMMAND_ARGUMENT] | 0;
      this.injectedAmount[0] = record[COMMAND_ARGUMENT + 1];
    }
    if (id > 0) this.#events.write(EventKind.ANSWER, id, this.#allowInjection ? 0 : NOT_ALLOWED);
  }

  #request(kind: number, record: Float64Array, machine: SafetyMachine, inputs: SafetyInputs): void {
    this.#fill(inputs);
    const answer = machine.judge(kind, inputs);
    const id = record[1] | 0;
    if (id > 0) this.#events.write(EventKind.ANSWER, id, answer);
    if (answer !== 0) return;
    if (kind === CommandKind.ARM) {
      inputs.armRequest = 1;
      this.armed = 1;
    } else if (kind === CommandKind.HOLD) inputs.holdRequest = 1;
    else if (kind === CommandKind.RESUME) inputs.resumeRequest = 1;
    else if (kind === CommandKind.CLEAR) inputs.clearRequest = 1;
    else if (kind === CommandKind.SHUTDOWN) inputs.shutdownRequest = 1;
    else if (kind === CommandKind.STOP) {
      const category = record[COMMAND_ARGUMENT] | 0;
      // of several stops in one batch the most severe counts
      if (inputs.stopRequest < 0 || category < inputs.stopRequest) inputs.stopRequest = category;
    }
  }
}
