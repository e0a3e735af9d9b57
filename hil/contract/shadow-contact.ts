/**
 * The contacts of a scenario without the arm: the tool is put somewhere, and only the wrench on it comes out. For a prediction of
 * the contact at a pose that the robot has not reached yet. All laws, friction and geometry are those of the scenario.
 */
import type { BodyModel, SystemModel } from '../../src/model/model.ts';
import type { StateArena } from '../../src/math/state-arena.ts';
import { makeSystem, type System } from '../../src/system/system.ts';
import { systemState } from './system-state.ts';

/** The model without its arm and command: the tool prescribed, everything else as it is. */
export function withoutArm(model: SystemModel, payload: string): SystemModel {
  const arm = model.tool?.arm;
  const bodies: BodyModel[] = model.bodies
    .filter((body) => body.name !== arm)
    .map((body) => (body.name === payload ? { ...body, motion: 'prescribed' } : body));
  return { ...model, bodies, tool: null, command: [] };
}

/** The contact wrench on the tool, at the tool point (the payload's body origin), in the base frame. */
export class ShadowContact {
  readonly arena: StateArena;
  readonly wrench: Float64Array = new Float64Array(6);
  /** Steps in which the model gave no finite result; the wrench is then zero. */
  failures = 0;
  readonly #system: System;
  readonly #body: number;
  readonly #period_s: number;

  constructor(model: SystemModel, payload: string, period_s: number) {
    this.#system = makeSystem(withoutArm(model, payload));
    this.#body = this.#system.bodyIndex(payload);
    this.#period_s = period_s;
    this.arena = systemState(this.#system);
  }

  /** Contact at this motion p(3), q(4), v(3), w(3); the states of friction and impact advance by one period. @alloc none */
  step(motion: Float64Array): void {
    const system = this.#system;
    system.setBodyMotion(this.#body, motion, 0);
    if (system.step(this.#period_s) !== 0) {
      this.failures++;
      for (let a = 0; a < 6; a++) this.wrench[a] = 0;
      return;
    }
    system.contactWrench(this.#body, motion[0], motion[1], motion[2], this.wrench, 0);
  }

  /** The same contact at another time: it began with one impact. @alloc none */
  shareImpacts(other: ShadowContact): void {
    this.#system.shareImpacts(other.#system);
  }
}
