/**
 * What the emulated tool touches, so that `hardware` mode measures a contact: the contacts of a scenario, evaluated by the same
 * contact models as everywhere, at the true motion of the tool. The robot decides where the tool is; nothing pushes it back
 * (its position control is stiff beside the contact), so only the wrench comes out.
 */
import type { BodyModel, SystemModel } from '../../src/model.ts';
import { makeSystem, type System } from '../../src/system.ts';

/** The model without its arm and command: the tool prescribed, everything else as it is. */
function withoutArm(model: SystemModel, payload: string): SystemModel {
  const arm = model.tool?.arm;
  const bodies: BodyModel[] = model.bodies
    .filter((body) => body.name !== arm)
    .map((body) => (body.name === payload ? { ...body, motion: 'prescribed' } : body));
  return { ...model, bodies, tool: null, command: [] };
}

/** The contact wrench on the tool, at the tool point (the payload's body origin), in the base frame. */
export class Wall {
  readonly wrench = new Float64Array(6);
  /** Steps in which the model gave no finite result; the wrench is then zero. */
  failures = 0;
  readonly #system: System;
  readonly #body: number;
  readonly #motion = new Float64Array(13);

  constructor(model: SystemModel, payload: string) {
    this.#system = makeSystem(withoutArm(model, payload));
    this.#body = this.#system.bodyIndex(payload);
  }

  /** Contact at this motion; the states of friction and impact advance by one period. */
  step(
    position: Float64Array,
    orientation: Float64Array,
    twist: Float64Array,
    period_s: number,
  ): void {
    const motion = this.#motion;
    for (let i = 0; i < 3; i++) motion[i] = position[i];
    for (let i = 0; i < 4; i++) motion[3 + i] = orientation[i];
    for (let i = 0; i < 6; i++) motion[7 + i] = twist[i];
    this.#system.setBodyMotion(this.#body, motion, 0);
    if (this.#system.step(period_s) !== 0) {
      this.failures++;
      this.wrench.fill(0);
      return;
    }
    this.#system.contactWrench(this.#body, position[0], position[1], position[2], this.wrench, 0);
  }
}
