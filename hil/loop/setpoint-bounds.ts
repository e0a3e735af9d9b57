/**
 * What leaves keeps its limits, and the simulated side goes as what leaves. The set-point of a step goes through the limiter, and
 * what the limiter took is taken from the simulated arm in the same tick, so that the two do not part. The energy of that, and how
 * long it lasts, are reported.
 *
 * A set-point that leads the arm (energy/position-lead.ts) has a limiter of its own behind the arm's; it catches up with what it could not follow.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { type System, ToolPort } from '../../src/system/system.ts';
import { Column } from '../contract/columns.ts';
import type { EnergyStage } from '../energy/energy-stage.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import { CtlMode } from '../contract/codes.ts';
import { type LimitMonitor } from '../safety/limits.ts';
import type { SafetyOutputs } from '../contract/signals.ts';
import { ToolMotion } from '../../src/control/tool-port.ts';
import { CLAMP_KINDS } from '../contract/counters.ts';

const AT_REST = new Float64Array(6);
/**
 * Limiting that lasts is held, s. The longest change that a command may ask for, from full speed to full speed the other way, takes
 * twice the 50 ms in which everything comes to rest. Time without limiting is taken off again.
 */
const LASTING_s = 0.2;

/** What an arm that is braked was ahead by is taken back as far as the limits allow, until there is just time to come to rest in the 100 ms of a HOLD. */
const LEAD_s = 0.045;

/** Slots of the state. */
const Slot = Object.freeze({
  /** Time that the limiter has acted, less the time that it did not, s. */
  LIMITED_s: 0,
  /** 1: the leading set-point does not yet go as the arm's. */
  APART: 1,
  /** Energy that the limiter took from the arm since the start, J. */
  TAKEN_J: 2,
  /** 1: it acted in this tick. */
  ACTIVE: 3,
  /** Of the energy, what the counter has, J. */
  TOLD_J: 4,
  /** 1: in a HOLD, on the way to where the robot is. */
  ASTRAY: 5,
  /** Time since the arm is braked, s. */
  BRAKED_s: 6,
});
const { LIMITED_s, APART, TAKEN_J, ACTIVE, TOLD_J, ASTRAY, BRAKED_s } = Slot;

/** Limits of the set-point, applied to the simulated arm in the same tick. */
export class SetpointBounds {
  readonly arena: StateArena = new StateArena();
  readonly #slots: Float64Array = this.arena.table(Slot);
  /** How many clamps of each kind the counters have. */
  readonly #counted: Float64Array = this.arena.add('counted', CLAMP_KINDS.length);
  readonly #system: System;
  readonly #tool: ToolPort;
  readonly #limits: LimitMonitor;
  readonly #energy: EnergyStage;
  readonly #period_s: number;
  readonly #wanted = new Float64Array(13);
  readonly #taken = new Float64Array(1);

  constructor(system: System, limits: LimitMonitor, energy: EnergyStage, period_s: number) {
    this.#system = system;
    this.#tool = system.tool ?? new ToolPort();
    this.#limits = limits;
    this.#energy = energy;
    this.#period_s = period_s;
  }

  /** Whether what was sent last stands. @alloc none */
  get rests(): boolean {
    return this.#limits.led.rests;
  }

  /** Whether the limits have been taking from the motion for longer than any command takes. @alloc none */
  get lasts(): boolean {
    return this.#slots[LIMITED_s] >= LASTING_s;
  }

  /** Columns of the row, and counters, which take what has come since the last tick. @alloc none */
  record(row: Float64Array, counters: Float64Array): void {
    const slots = this.#slots;
    const { clamps } = this.#limits;
    row[Column.setpoint_limited] = slots[ACTIVE];
    row[Column.setpoint_taken_J] = slots[TAKEN_J];
    for (let i = 0; i < clamps.length; i++) {
      counters[LoopSlot.limit_clamps_total + i] += clamps[i] - this.#counted[i];
      this.#counted[i] = clamps[i];
    }
    counters[LoopSlot.setpoint_limited_seconds_total] += slots[ACTIVE] * this.#period_s;
    // a counter does not fall: what the arm was given for once is in the column
    const grown = slots[TAKEN_J] - slots[TOLD_J];
    if (!(grown > 0)) return;
    counters[LoopSlot.setpoint_limited_joules_total] += grown;
    slots[TOLD_J] = slots[TAKEN_J];
  }

  /** What is to be sent after a step, or after none. @alloc none */
  finish(setpoint: Float64Array, outputs: SafetyOutputs, stepped: boolean): void {
    const { toolMotion, ctlMode, freezeModel } = outputs;
    // frames that command nothing follow the measured pose
    if (toolMotion === ToolMotion.FOLLOW && ctlMode !== CtlMode.HOLD) this.rest(setpoint, stepped);
    // the state that a failed step came from may not be finite either
    else if (!stepped) this.stop(setpoint, freezeModel === 1);
    else this.limit(setpoint, toolMotion);
  }

  /** The set-point stands here. */
  begin(setpoint: Float64Array): void {
    this.#limits.limiter.reset(setpoint);
    this.#limits.led.reset(setpoint);
  }

  /** The robot is not to follow: where the arm is, at rest; the next motion begins there. @alloc none */
  rest(setpoint: Float64Array, stepped: boolean): void {
    const from = this.#tool.setpoint;
    if (stepped) {
      for (let i = 0; i < 7; i++) setpoint[i] = from[i];
      this.#energy.energy.positionLead.drop();
    } else this.#system.setArmTwist(AT_REST, 0);
    for (let i = 7; i < 13; i++) setpoint[i] = 0;
    this.begin(setpoint);
    this.#forget();
  }

  /** The model did not step: what is sent comes to rest the shortest way, and the arm with it where the model is sound. @alloc none */
  stop(setpoint: Float64Array, sound: boolean): void {
    const { led, limiter } = this.#limits;
    led.brake(setpoint);
    limiter.follow(led);
    this.#forget();
    if (!sound) return;
    this.#system.setArmTwist(AT_REST, 0);
    this.#system.holdArm(setpoint, this.#taken);
  }

  /**
   * The set-point of a step, and the arm with it.
   * @param setpoint out
   * @param motion of the tool: 0 follow, 1 accommodate, 2 brake
   * @returns whether it differs from that of the model
   * @alloc none
   */
  limit(setpoint: Float64Array, motion: number): boolean {
    const limits = this.#limits;
    const { limiter, led } = limits;
    const slots = this.#slots;
    const from = this.#tool.setpoint;
    const wanted = this.#wanted;
    for (let i = 0; i < 13; i++) wanted[i] = from[i];
    for (let i = 0; i < 13; i++) setpoint[i] = from[i];
    if (motion === ToolMotion.FOLLOW) slots[ASTRAY] = 1;
    else if (motion === ToolMotion.ACCOMMODATE) slots[ASTRAY] = 0;
    // a robot that came to rest elsewhere keeps its place: the set-point goes on until it is there
    const astray = slots[ASTRAY] === 1;
    let limited = limiter.limit(setpoint, motion === ToolMotion.BRAKE && !astray);
    if (!limited) slots[ASTRAY] = 0;
    else {
      limits.count(limiter);
      if (!astray) this.#take(wanted, setpoint);
    }
    this.#energy.lead(setpoint);
    if (this.#isLed(setpoint)) {
      const late = led.limit(setpoint, false);
      if (late) limits.count(led);
      limited = limited || late;
      // to go on as the arm's before it is together with it, in its rates as well, would be a jerk without a bound
      slots[APART] = led.goesAs(limiter) ? 0 : 1;
      if (late && motion === ToolMotion.BRAKE && slots[BRAKED_s] >= LEAD_s)
        this.#giveUpLead(setpoint);
    } else led.follow(limiter);
    slots[BRAKED_s] = motion === ToolMotion.BRAKE ? slots[BRAKED_s] + this.#period_s : 0;
    slots[ACTIVE] = limited ? 1 : 0;
    if (motion !== ToolMotion.ACCOMMODATE) slots[LIMITED_s] = 0;
    else if (limited) slots[LIMITED_s] += this.#period_s;
    else if (slots[LIMITED_s] > this.#period_s) slots[LIMITED_s] -= this.#period_s;
    else slots[LIMITED_s] = 0;
    return limited;
  }

  #isLed(setpoint: Float64Array): boolean {
    return this.#slots[APART] === 1 || !isSame(setpoint, this.#limits.limiter.sent);
  }

  /** The arm goes as what was sent; what it loses by that is counted: of one without joints, kinetic energy of its apparent inertia. */
  #take(wanted: Float64Array, sent: Float64Array): void {
    const system = this.#system;
    system.holdArm(sent, this.#taken);
    let energy = this.#taken[0];
    if (system.arm === null) {
      const { inverse } = this.#energy.prediction.inertia;
      for (let a = 0; a < 6; a++) {
        const square = wanted[7 + a] * wanted[7 + a] - sent[7 + a] * sent[7 + a];
        if (inverse[7 * a] > 0) energy += (0.5 * square) / inverse[7 * a];
      }
    }
    this.#slots[TAKEN_J] += energy;
  }

  /** The lead is not taken back in time for a HOLD: the arm goes where the set-point is, and both come to rest there. */
  #giveUpLead(setpoint: Float64Array): void {
    const { limiter, led } = this.#limits;
    limiter.follow(led);
    this.#system.holdArm(setpoint, this.#taken);
    this.#energy.energy.positionLead.drop();
    this.#slots[APART] = 0;
  }

  #forget(): void {
    this.#slots[LIMITED_s] = 0;
    this.#slots[APART] = 0;
    this.#slots[ASTRAY] = 0;
    this.#slots[ACTIVE] = 0;
  }
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < 13; i++) if (a[i] !== b[i]) return false;
  return true;
}
