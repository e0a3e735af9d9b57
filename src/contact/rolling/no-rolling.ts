/** No rolling resistance: the law that adds nothing. */
import type { NoRollingModel } from '../../model/contact-spec.ts';
import { type LawDefinition, NO_MEMORY } from '../component.ts';
import type { RollingLaw } from './rolling-law.ts';

/** Free rolling. */
export class NoRolling implements RollingLaw {
  readonly active: boolean = false;
  readonly loaded: boolean = false;
  readonly torque: Float64Array = new Float64Array(3);

  begin(): void {
    return;
  }

  end(): void {
    return;
  }

  evaluate(): void {
    return;
  }

  solve(): void {
    return;
  }

  widen(): void {
    return;
  }

  computeSlope(): void {
    return;
  }
}

export const NO_ROLLING: LawDefinition<NoRollingModel, RollingLaw> = {
  needs: [],
  check: () => undefined,
  size: () => NO_MEMORY,
  make: () => new NoRolling(),
};
