/**
 * Contact of the emulated tool, so that `hardware` mode measures one: the contacts of a scenario,
 * evaluated by the library's contact models at the true motion of the tool. The position control of
 * the robot is stiff against the contact, so the contact does not move the tool and only the wrench
 * results. It is the wrench at exactly the given pose.
 */
import type { SystemModel } from '../../src/model/model.ts';
import { ShadowContact } from '../contract/shadow-contact.ts';

/** Contact wrench on the tool, at the tool point (the payload's body origin), in the base frame. */
export class Wall {
  readonly #contact: ShadowContact;
  readonly #motion = new Float64Array(13);

  constructor(model: SystemModel, payload: string, period_s: number) {
    this.#contact = new ShadowContact(model, payload, period_s);
  }

  get wrench(): Float64Array {
    return this.#contact.wrench;
  }

  /** Steps without a finite result of the model; the wrench is then zero. */
  get failures(): number {
    return this.#contact.failures;
  }

  /** Computes the contact at this motion; the states of friction and impact advance by one period. */
  step(position: Float64Array, orientation: Float64Array, twist: Float64Array): void {
    const motion = this.#motion;
    for (let i = 0; i < 3; i++) motion[i] = position[i];
    for (let i = 0; i < 4; i++) motion[3 + i] = orientation[i];
    for (let i = 0; i < 6; i++) motion[7 + i] = twist[i];
    this.#contact.step(motion);
  }
}
