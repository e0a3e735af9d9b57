/** No friction: the law that adds nothing. */
import type { FrictionlessModel } from '../../model/contact-spec.ts';
import { OWN_COLUMNS } from '../../math/columns.ts';
import { type LawDefinition, type LawLoop, type LawMemory, NO_MEMORY } from '../component.ts';
import { FRICTIONLESS_LOOP } from '../loop-kinds.ts';
import { type FrictionLaw, NO_TORQUE, SLOPE } from './friction-law.ts';

/** Frictionless contact. */
export class Frictionless implements FrictionLaw {
  readonly states: Float64Array = new Float64Array(0);
  readonly rates: Float64Array = new Float64Array(0);
  readonly force: Float64Array;
  readonly loop: LawLoop;
  readonly spins: boolean = false;
  readonly torque: Float64Array = NO_TORQUE;

  constructor({ columns = OWN_COLUMNS }: LawMemory) {
    this.force = columns.doubles(3);
    this.loop = { kind: FRICTIONLESS_LOOP, force: this.force };
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

  prepare(): void {
    return;
  }

  solve(): void {
    return;
  }

  solveSpin(): void {
    return;
  }

  widen(): void {
    return;
  }

  respond(): void {
    return;
  }

  computeSlope(_kinematics: Float64Array, slope: Float64Array): void {
    for (let a = 0; a < SLOPE; a++) slope[a] = 0;
  }

  advance(): void {
    return;
  }

  computeStored(): void {
    return;
  }

  read(): void {
    return;
  }
}

export const FRICTIONLESS: LawDefinition<FrictionlessModel, FrictionLaw> = {
  needs: [],
  absent: true,
  check: () => undefined,
  size: () => NO_MEMORY,
  make: (_model, memory) => new Frictionless(memory),
  loops: true,
};
