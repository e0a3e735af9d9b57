/**
 * The hysteretic normal law of this project driven by a motion: kinematic replay of one contact (Gonthier 2007, 5.1.4). It is the law of contacts itself, which
 * takes its damping from the speed of the impact at onset, (3.19) to (3.25).
 */
import { HYSTERETIC_LAW } from '../contact/normal/hysteretic.ts';
import {
  DAMPING,
  DEPTH,
  ELASTIC,
  LEAST,
  NORMAL_RESULT,
  type NormalLaw,
} from '../contact/normal/normal-law.ts';

/** No speed of an impact is too small for its own damping. */
const SMALL_VELOCITY = 1e-9;
const NO_GEOMETRY = { effectiveRadius: 0 };

/** One contact, from its onset on. */
export class LawReplay {
  readonly #law: NormalLaw;
  readonly #result = new Float64Array(NORMAL_RESULT);

  /** @param speed - of the impact, m/s, > 0 */
  constructor(stiffness: number, exponent: number, restitution: number, speed: number) {
    const model = {
      kind: 'hysteretic',
      stiffness,
      exponent,
      restitution,
      smallVelocity: SMALL_VELOCITY,
      relaxationTime: 0,
    } as const;
    const { states, internals } = HYSTERETIC_LAW.size(model);
    const memory = {
      states: new Float64Array(states),
      rates: new Float64Array(states),
      internals: new Float64Array(internals),
    };
    this.#law = HYSTERETIC_LAW.make(model, memory, NO_GEOMETRY);
    this.#law.begin(-speed, 0, this.#result);
  }

  /** Normal force, N, with the lowest point `gap` above the plate, m, which grows by `rate`, m/s. */
  forceAt(gap: number, rate: number): number {
    if (gap >= 0) return 0;
    const result = this.#result;
    result[DEPTH] = -gap;
    this.#law.evaluate(result);
    return Math.max(result[LEAST], result[ELASTIC] - result[DAMPING] * rate);
  }
}
