/**
 * What the hand controllers do to the arm: rate, position or single joint. Changed by the holder of authority while nothing is flown;
 * docs/hand-controllers.md, Modes.
 *
 * rate      stick = twist of the tool.
 * position  stick = way from the clutch point, which is where the deadman was pressed: full stick is what full rate covers in
 *           RANGE_s. The command is v = k (target − p), no faster than rate mode. Release the deadman, centre, press: a new clutch point.
 *           p is where the servos lead the tip, so that links that swing do not close a loop through the command.
 * joint     one axis of the stick = rate of one joint, as fast as the tool may go in rate mode; the others hold, and nothing accommodates.
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import { FmaSlot } from '../../src/control/fma.ts';
import type { HandController } from '../../src/control/hand-controller.ts';
import { computePoseError } from '../../src/control/pose-error.ts';
import { advanceQuaternion, rotationOf } from '../../src/math/quaternion.ts';
import type { System } from '../../src/system/system.ts';
import { CommandResult, HandModeArgument, HandModeIndex, RANGE_s } from '../contract/commands.ts';
import { Gear, HandFrame } from '../../src/control/hand-controller.ts';

const { OK, NOT_ALLOWED, NO_JOINT, IN_CONTACT } = CommandResult;
/** Gain of position mode, 1/s: below the servos of slow joints (2 rad/s), which then do not overshoot. */
export const POSITION_GAIN = 0.5;

const POSE = 7;
const AXES = 6;
/** Numbers of a mode and what they begin with. */
const FIELDS = { mode: HandModeIndex.RATE, joint: -1, axis: -1, axesBefore: 0, engaged: 0 };

/** Full-stick speeds in coarse gear, m/s and rad/s, and what vernier leaves of them. */
export interface HandSpeeds {
  readonly coarse_speed_mps: number;
  readonly coarse_angular_speed_radps: number;
  readonly vernier_ratio: number;
}

/** Mode of the hand controllers: rate, position or single joint. */
export class HandMode {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  /** Index in HAND_MODES. */
  declare mode: number;
  /** Joint and axis of single-joint mode, −1 in the others. */
  declare joint: number;
  declare axis: number;
  readonly #system: System;
  readonly #ratio: number;
  /** Full-stick speeds in coarse gear, linear and angular. */
  readonly #full: Float64Array;
  /** Largest speeds of the tip while a single joint turns it, linear and angular, before the limits in force. */
  readonly #single = new Float64Array(2);
  /** Bits of the axes that accommodated before single-joint mode. */
  declare private axesBefore: number;
  /** 1 while there is a clutch point. */
  declare private engaged: number;
  /** Part of full speed in the gear of the clutch. */
  readonly #gear: Float64Array;
  readonly #clutch: Float64Array;
  /** Orientation of the frame that the stick moved in at the clutch. */
  readonly #frame: Float64Array;
  readonly #turn = new Float64Array(9);
  readonly #target = new Float64Array(POSE);
  readonly #offset = new Float64Array(AXES);
  readonly #error = new Float64Array(AXES);
  readonly #one = Float64Array.of(1);
  readonly #setting = new Float64Array(11);

  constructor(system: System, speeds: HandSpeeds, arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.cells = arena.fields(FIELDS);
    this.#gear = arena.add('gear', 1).fill(1);
    this.#clutch = arena.add('clutch', POSE);
    this.#clutch[POSE - 1] = 1;
    this.#frame = arena.add('frame', 4);
    this.#frame[3] = 1;
    this.#system = system;
    this.#ratio = speeds.vernier_ratio;
    const full = Float64Array.of(speeds.coarse_speed_mps, speeds.coarse_angular_speed_radps);
    this.#full = full;
    if (system.arm === null) return;
    // a tip that swings about its mean stays within the limits, as it does in rate mode
    const { bounds } = system.arm.single;
    for (let half = 0; half < 2; half++) this.#single[half] = Math.min(bounds[half], full[half]);
    bounds.set(this.#single);
  }

  /** Whether one joint is turned by itself, and nothing accommodates. */
  get single(): boolean {
    return this.mode === HandModeIndex.JOINT;
  }

  /** Take arguments of HAND_MODE at `at`. The machine has allowed it. @returns index in COMMAND_RESULTS @alloc none */
  change(values: Float64Array, at: number, contact: number): number {
    const { arm, tool } = this.#system;
    const mode = values[at + HandModeArgument.mode];
    if (tool === null) return NOT_ALLOWED;
    if (mode === HandModeIndex.JOINT) {
      const joint = values[at + HandModeArgument.joint];
      const axis = values[at + HandModeArgument.axis];
      if (arm === null || !arm.drives(joint)) return NO_JOINT;
      if (!(axis >= 0 && axis < AXES && Math.floor(axis) === axis)) return NOT_ALLOWED;
      if (contact === 1) return IN_CONTACT;
      this.#stiffen();
      this.mode = HandModeIndex.JOINT;
      this.joint = joint | 0;
      this.axis = axis | 0;
      return OK;
    }
    if (mode !== HandModeIndex.RATE && mode !== HandModeIndex.POSITION) return NOT_ALLOWED;
    this.reset();
    this.mode = mode | 0;
    return OK;
  }

  /** Back to rate mode, with the accommodation of before. @alloc none */
  reset(): void {
    if (this.mode === HandModeIndex.JOINT) this.#setAxes(this.axesBefore);
    this.mode = HandModeIndex.RATE;
    this.engaged = 0;
    this.joint = -1;
    this.axis = -1;
  }

  /**
   * Command of this tick into the tool port.
   * @param flown 1 when the arm follows the hand controllers, else 0
   * @alloc none
   */
  drive(hand: HandController, flown: number): void {
    const { tool } = this.#system;
    if (tool === null) return;
    const { command } = tool;
    tool.joint = this.joint;
    for (let a = 0; a < AXES; a++) command[a] = hand.twist[a] * flown;
    if (this.mode === HandModeIndex.RATE) return;
    if (this.mode === HandModeIndex.JOINT) {
      for (let a = 0; a < AXES; a++) command[a] = 0;
      this.#boundSingle();
      const gear = hand.gear === Gear.COARSE ? 1 : this.#ratio;
      tool.jointLevel[0] = hand.levels[this.axis] * gear * hand.fade[0] * flown;
      return;
    }
    const engaged = this.engaged;
    this.engaged = flown;
    if (flown === 0) return; // the command is zero already
    if (engaged === 0) this.#engage(hand);
    this.#aim(hand);
    for (let half = 0; half < 2; half++) {
      const at = 3 * half;
      const most = this.#full[half] * this.#gear[0];
      let square = 0.0;
      for (let a = at; a < at + 3; a++) {
        command[a] = POSITION_GAIN * this.#error[a];
        square += command[a] * command[a];
      }
      const speed = Math.sqrt(square);
      const share = (hand.fade[0] * most) / (speed > most ? speed : most);
      for (let a = at; a < at + 3; a++) command[a] *= share;
    }
  }

  #boundSingle(): void {
    const { arm, accommodation } = this.#system;
    if (arm === null || accommodation === null) return;
    const { bounds } = arm.single;
    const { speeds } = accommodation;
    for (let i = 0; i < 2; i++) bounds[i] = Math.min(this.#single[i], speeds[i]);
  }

  /** Where the servos lead the tip. */
  #led(): Float64Array {
    const { arm, tool } = this.#system;
    return arm === null ? tool!.setpoint : arm.ledTip;
  }

  /** The clutch point is here, and the stick moves in the frame and gear of now. */
  #engage(hand: HandController): void {
    const led = this.#led();
    const frame = this.#frame;
    for (let a = 0; a < POSE; a++) this.#clutch[a] = led[a];
    for (let a = 0; a < 4; a++) {
      if (hand.frame === HandFrame.TOOL) frame[a] = led[3 + a];
      else if (hand.frame === HandFrame.CAMERA) frame[a] = hand.camera[a];
      else frame[a] = a === 3 ? 1 : 0;
    }
    this.#gear[0] = hand.gear === Gear.COARSE ? 1 : this.#ratio;
  }

  /** Way and turn from where the tip is led to where the stick has it, into `#error`. */
  #aim(hand: HandController): void {
    const { levels } = hand;
    const offset = this.#offset;
    const turn = this.#turn;
    rotationOf(turn, this.#frame, 0);
    for (let half = 0; half < 2; half++) {
      const at = 3 * half;
      const x = levels[at];
      const y = levels[at + 1];
      const z = levels[at + 2];
      const length = Math.sqrt(x * x + y * y + z * z);
      const range = (RANGE_s * this.#full[half] * this.#gear[0]) / (length > 1 ? length : 1);
      for (let a = 0; a < 3; a++) {
        offset[at + a] = range * (turn[3 * a] * x + turn[3 * a + 1] * y + turn[3 * a + 2] * z);
      }
    }
    const target = this.#target;
    for (let a = 0; a < POSE; a++) target[a] = this.#clutch[a] + (a < 3 ? offset[a] : 0);
    advanceQuaternion(target, 3, target, 3, offset, 3, this.#one);
    computePoseError(this.#error, target, 0, this.#led(), 0);
  }

  /** Nothing accommodates; what did before is kept. */
  #stiffen(): void {
    const fma = this.#system.accommodation;
    if (fma === null || this.mode === HandModeIndex.JOINT) return;
    let bits = 0;
    for (let a = 0; a < AXES; a++) if (fma.target[FmaSlot.AXES + a] === 1) bits |= 1 << a;
    this.axesBefore = bits;
    this.#setAxes(0);
  }

  #setAxes(bits: number): void {
    const setting = this.#setting;
    for (let i = 1; i < setting.length; i++) setting[i] = NaN;
    setting[0] = bits;
    this.#system.accommodation?.change(setting, 0);
  }
}

defineFields(HandMode, FIELDS);
