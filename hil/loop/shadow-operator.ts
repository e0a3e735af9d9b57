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
import { Gear, HandFrame } from '../../src/control/hand-controller.ts';
import { RecordRing } from '../memory/ring.ts';
import type { SharedBuffers } from '../memory/shared.ts';

/** Ticks from one input to the next, and of one way of the stick. */
const INPUT_TICKS = 5;
const STROKE_TICKS = 200;
/** Inputs of a flight, and without the deadman at its end. */
const FLIGHT_INPUTS = 300;
const REST_INPUTS = 30;
/** While nothing moves the deadman is let go once in so many inputs. */
const PRESS_INPUTS = 8;
/** Of the full stick. Once in so many inputs it is at its stop. */
const RATE = 0.2;
const FULL_INPUTS = 37;
const TURN = 0.08;
/** Sessions that hold authority by turns. */
const HOLDERS = 2;

/** Sends commands into the ring of a shadow service. */
export class ShadowOperator {
  readonly #commands: RecordRing;
  readonly #record = new Float64Array(COMMAND_WIDTH);
  /** Direction of the stick, unit. */
  readonly #axis: readonly number[];
  #holder = 1;
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

  /** Gear and frame change from flight to flight, with a hand that is never quite still. */
  #input(now_us: number, rate: number, deadman: 0 | 1): void {
    const [x, y, z] = this.#axis;
    const n = ++this.#sequence;
    const tremble = 1e-3 * ((n % 7) - 3);
    const flight = Math.floor(this.#inputs / (FLIGHT_INPUTS + REST_INPUTS));
    const gear = n % FULL_INPUTS < 3 ? Gear.VERNIER : Gear.COARSE;
    const frame = flight % 2 === 0 ? HandFrame.BASE : HandFrame.TOOL;
    const part = n % FULL_INPUTS === 0 ? 1.1 : Math.abs(rate);
    const size = rate < 0 ? -part : rate > 0 ? part : 0;
    // every second flight turns a little, too
    const turn = frame === HandFrame.TOOL && rate !== 0 ? TURN * Math.sign(rate) : tremble;
    const axes = [size * x, size * y, size * z, turn, tremble, -turn];
    const sendAge_s = 1e-3 * (n % 3);
    this.#send(now_us, CommandKind.INPUT, [...axes, deadman, gear, frame, n, sendAge_s]);
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
      if (n === FLIGHT_INPUTS + REST_INPUTS / 2) this.#holder = 1 + (this.#holder % HOLDERS);
      this.#send(now_us, CommandKind.AUTHORITY, [this.#holder]);
      return;
    }
    if (name === 'ACTIVE_FREE' || name === 'ACTIVE_CONTACT') {
      // in for one stroke, out for half of one
      const inwards = tick % STROKE_TICKS < (2 * STROKE_TICKS) / 3;
      this.#input(now_us, inwards ? RATE : -RATE, 1);
      return;
    }
    // what is asked for needs a deadman that was let go and is pressed
    const open = n % PRESS_INPUTS === 0 && name !== 'ARMING';
    this.#input(now_us, 0, open ? 0 : 1);
    if (name === 'FAULT') this.#send(now_us, CommandKind.CLEAR, []);
    if (name === 'HOLD') {
      // a delay may have taken it back
      this.#send(now_us, CommandKind.PERMIT, [1]);
      this.#send(now_us, CommandKind.RESUME, []);
    }
    if (name !== 'MONITOR_READY') return;
    this.#send(now_us, CommandKind.AUTHORITY, [this.#holder]);
    this.#send(now_us, CommandKind.PERMIT, [1]);
    this.#send(now_us, CommandKind.ARM, []);
  }
}
