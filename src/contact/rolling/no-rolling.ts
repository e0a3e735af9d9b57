/** No rolling resistance: the law that adds nothing. */
import type { NoRollingModel } from '../../model/contact-spec.ts';
import { OWN_COLUMNS } from '../../math/columns.ts';
import { type LawDefinition, type LawLoop, type LawMemory, NO_MEMORY } from '../component.ts';
import { FREE_LOOP } from '../loop-kinds.ts';
import type { RollingLaw } from './rolling-law.ts';

/** Free rolling. */
export class NoRolling implements RollingLaw {
  readonly active: boolean = false;
  readonly loaded: boolean = false;
  readonly torque: Float64Array;
  readonly loop: LawLoop;

  constructor({ columns = OWN_COLUMNS }: LawMemory) {
    this.torque = columns.doubles(3);
    this.loop = { kind: FREE_LOOP, torque: this.torque };
  }

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
  make: (_model, memory) => new NoRolling(memory),
  loops: true,
};
