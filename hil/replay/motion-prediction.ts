/**
 * How long a recording is evidence for a changed model. The simulated arm is led by the recorded commands from a tick on, and by the contact of the
 * model at its own pose instead of the recorded force. While it stays with the recorded set-point, the robot would have been where it was
 * measured, and what was measured there counts. Once it is elsewhere, the recording is of another motion.
 *
 * Each time the arm comes to move it begins from the recorded set-point. The robot has no part in it: its following error is in both.
 */
import { contactKernels } from '../../config/contact-kernels.ts';
import { LoopMode, ToolMotion } from '../../src/control/tool-port.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { makeSystem, type System } from '../../src/system/system.ts';
import { SafetyState } from '../contract/codes.ts';
import { Column } from '../contract/columns.ts';

const { ACTIVE_FREE, ACTIVE_CONTACT } = SafetyState;
/** Numbers of a motion: p(3), q(4), v(3), w(3). */
const MOTION = 13;

/** Predicts the set-point. Pass the ticks of a replay of the contact in order. */
export class MotionPrediction {
  /** Ticks that were predicted. */
  ticks = 0;
  /** Largest distance of both set-points, m. */
  largest_m = 0;
  /** First tick beyond the bound and its time, s; −1 for none. */
  first = -1;
  first_s = 0;
  readonly bound_m: number;
  readonly #from: number;
  readonly #period_s: number;
  readonly #system: System;
  readonly #arm: number;
  #last = -1;

  /**
   * @param bound_m distance beyond which the recording is no evidence
   * @param from first tick with the changed model
   * @throws BerthError for an arm with joints: what they do is not part of the recorded set-point
   */
  constructor(model: SystemModel, period_s: number, bound_m: number, from: number) {
    const { tool } = model;
    if (tool === null || tool.robot !== undefined) {
      throw new BerthError(
        'BERTH_UNSUPPORTED',
        '--bound: the arm of the scenario has joints, whose motion is not predicted; allowed: a scenario whose arm is an accommodated body',
        { field: '--bound' },
      );
    }
    this.bound_m = bound_m;
    this.#from = from;
    this.#period_s = period_s;
    this.#system = makeSystem(model, contactKernels());
    this.#system.useSchedule = false;
    const port = this.#system.tool!;
    port.mode = LoopMode.SIMULATION;
    port.motion = ToolMotion.ACCOMMODATE;
    const slice = this.#system.slices.find(({ name }) => name === `body ${tool.arm}`);
    this.#arm = slice!.start;
  }

  /** Takes a tick. @param state state of the system of the replay after it */
  take(row: Float64Array, state: Float64Array): void {
    const tick = row[Column.tick];
    const safety = row[Column.safety_state];
    const moves = safety === ACTIVE_FREE || safety === ACTIVE_CONTACT;
    if (!moves || tick < this.#from) {
      this.#last = -1;
      return;
    }
    if (this.#last !== tick - 1) this.#begin(row, state);
    else this.#step(row);
    this.#last = tick;
  }

  #begin(row: Float64Array, state: Float64Array): void {
    const start = state.slice();
    for (let a = 0; a < MOTION; a++) start[this.#arm + a] = row[Column.setpoint_p_x_m + a];
    this.#system.restore(start);
  }

  #step(row: Float64Array): void {
    const port = this.#system.tool!;
    for (let a = 0; a < 6; a++) port.command[a] = row[Column.command_v_x_mps + a];
    this.#system.step(this.#period_s);
    this.ticks++;
    let square = 0;
    for (let a = 0; a < 3; a++) {
      const apart = port.setpoint[a] - row[Column.setpoint_p_x_m + a];
      square += apart * apart;
    }
    const distance = Math.sqrt(square);
    if (distance > this.largest_m) this.largest_m = distance;
    if (this.first >= 0 || distance <= this.bound_m) return;
    this.first = row[Column.tick];
    this.first_s = row[Column.sim_time_s];
  }
}
