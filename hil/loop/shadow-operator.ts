/**
 * The operator of a warm-up: takes authority, arms, presses the tool in and out with the stick, lets the deadman go and resumes, again
 * and again. Without it the shadow would only monitor, and the code of armed ticks would be compiled, and compiled again, in the
 * first seconds of the first flight.
 */
import {
  COMMAND_ARGUMENT,
  COMMAND_WIDTH,
  CommandColumn,
  CommandKind,
} from '../contract/commands.ts';
import { SAFETY_STATES } from '../contract/codes.ts';
import { RecordRing } from '../memory/ring.ts';
import type { SharedBuffers } from '../memory/shared.ts';

/** Ticks from one input to the next, and of one way of the stick. */
const INPUT_TICKS = 5;
const STROKE_TICKS = 200;
/** Inputs of a flight, and without the deadman at its end. */
const FLIGHT_INPUTS = 300;
const REST_INPUTS = 30;
/** Of the full stick: a tick of the shadow takes a small part of a period, so its tool is that much faster by the clock. */
const RATE = 0.02;
/** Session that holds authority. */
const HOLDER = 1;

/** Sends commands into the ring of a shadow service. */
export class ShadowOperator {
  readonly #commands: RecordRing;
  readonly #record = new Float64Array(COMMAND_WIDTH);
  /** Direction of the stick, unit. */
  readonly #axis: readonly number[];
  #inputs = 0;
  #sequence = 0;

  constructor(shared: SharedBuffers, axis: readonly number[]) {
    this.#commands = new RecordRing(shared.commands, COMMAND_WIDTH);
    this.#axis = axis;
  }

  #send(now_us: number, kind: number, args: readonly number[]): void {
    const record = this.#record.fill(0);
    record[CommandColumn.kind] = kind;
    record[CommandColumn.received_us] = now_us;
    record.set(args, COMMAND_ARGUMENT);
    this.#commands.push(record);
  }

  /** Coarse gear, base frame. */
  #input(now_us: number, rate: number, deadman: 0 | 1): void {
    const [x, y, z] = this.#axis;
    const axes = [rate * x, rate * y, rate * z, 0, 0, 0];
    this.#send(now_us, CommandKind.INPUT, [...axes, deadman, 1, 0, ++this.#sequence, 0]);
  }

  /**
   * What the operator does in a tick.
   * @param state index in SAFETY_STATES
   */
  step(tick: number, now_us: number, state: number): void {
    if (tick % INPUT_TICKS !== 0) return;
    const name = SAFETY_STATES[state];
    const n = this.#inputs++ % (FLIGHT_INPUTS + REST_INPUTS);
    if (n >= FLIGHT_INPUTS) {
      this.#input(now_us, 0, 0);
      return;
    }
    if (name === 'ACTIVE_FREE' || name === 'ACTIVE_CONTACT') {
      // in for one stroke, out for half of one
      const inwards = tick % STROKE_TICKS < (2 * STROKE_TICKS) / 3;
      this.#input(now_us, inwards ? RATE : -RATE, 1);
      return;
    }
    this.#input(now_us, 0, 1);
    if (name === 'FAULT') this.#send(now_us, CommandKind.CLEAR, []);
    if (name === 'HOLD') this.#send(now_us, CommandKind.RESUME, []);
    if (name !== 'MONITOR_READY') return;
    this.#send(now_us, CommandKind.AUTHORITY, [HOLDER]);
    this.#send(now_us, CommandKind.PERMIT, [1]);
    this.#send(now_us, CommandKind.ARM, []);
  }
}
