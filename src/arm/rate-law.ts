/** Resolved-rate law: each servo follows the joint rate that the reference twist requires. docs/theory/arm.md. */
import type { ArmLaw, ArmView } from './arm-law.ts';

/** Resolved-rate control law of an arm. Its state is the references of the servos. */
export class RateLaw implements ArmLaw {
  limited = 0;
  private readonly view: ArmView;

  constructor(view: ArmView) {
    this.view = view;
  }

  /** @alloc none */
  compute(_wrench: Float64Array, timing: Float64Array): void {
    const { servo, resolver, reference, first, position, rate, spring } = this.view;
    resolver.resolve(reference, 7, timing);
    const { referenceRate } = servo;
    for (let j = 0; j < referenceRate.length; j++) {
      referenceRate[j] = j < first ? 0 : resolver.rates[j - first];
    }
    servo.compute(position, rate, spring, timing);
    this.limited = servo.saturated;
  }

  /** Does nothing: the arm settles its servos itself. */
  settle(): void {
    this.limited = 0;
  }
}
