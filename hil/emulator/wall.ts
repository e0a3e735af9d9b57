/**
 * Contact of the emulated tool, so that `hardware` mode measures one: the contacts of a scenario,
 * evaluated by the library's contact models at the true motion of the tool. The position control of
 * the robot is stiff against the contact, so the contact does not move the tool and only the wrench
 * results. It is the wrench at exactly the given pose.
 *
 * A plate that yields is moved by minus the force on the tool over its stiffness, T w' = F/K − w: a spring with a dashpot, in series with the contact.
 */
import { exp } from '../../src/math/elementary/exponential.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { ShadowContact } from '../contract/shadow-contact.ts';

/** T. An explicit step is stable while the slope of the contact is below K (2/share − 1), 9 K at 1 kHz. */
const PLATE_TIME_s = 5e-3;

/** Contact wrench on the tool, at the tool point (the payload's body origin), in the base frame. */
export class Wall {
  readonly #contact: ShadowContact;
  readonly #motion = new Float64Array(13);
  /** How far the plate has given way, m. */
  readonly #away = new Float64Array(3);
  /** K, 1 − e^(−t/T) of a period t, and t. */
  readonly #plate: Float64Array;

  /** @param stiffness - of the plate in every direction, N/m; null for one that does not yield */
  constructor(
    model: SystemModel,
    payload: string,
    period_s: number,
    stiffness: number | null = null,
  ) {
    this.#contact = new ShadowContact(model, payload, period_s);
    const share = 1 - exp(-period_s / PLATE_TIME_s);
    this.#plate = Float64Array.of(stiffness ?? Infinity, share, period_s);
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
    const plate = this.#plate;
    for (let i = 0; i < 4; i++) motion[3 + i] = orientation[i];
    for (let i = 0; i < 6; i++) motion[7 + i] = twist[i];
    for (let i = 0; i < 3; i++) {
      const change = plate[1] * (this.wrench[i] / plate[0] - this.#away[i]);
      this.#away[i] += change;
      motion[i] = position[i] + this.#away[i];
      motion[7 + i] += change / plate[2];
    }
    this.#contact.step(motion);
  }
}
