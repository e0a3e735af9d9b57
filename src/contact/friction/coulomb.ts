/**
 * Coulomb friction of the points of an elastic face, without smoothing: a point holds up to μ_s f_n, then slides with μ_d f_n against its slip.
 * Stick needs no velocity window, since the body gives way along its tangents. The solver of the patch
 * (elastic/patch-friction-solver.ts) finds the forces; this is their sum.
 */
import type { CoulombModel } from '../../model/contact-spec.ts';
import { notNegative, range } from '../../base/parameter-checks.ts';
import { type LawDefinition, type LawMemory, NO_MEMORY } from '../component.ts';
import type { FrictionLaw } from './friction-law.ts';
import { Frictionless } from './frictionless.ts';

/** Sum over the points: `force`, and the moment of all their forces about the point of the contact in `torque`. */
export class PatchFriction extends Frictionless {
  override readonly spins: boolean = true;
  override readonly torque: Float64Array;

  constructor(memory: LawMemory) {
    super(memory);
    this.torque = new Float64Array(3);
  }

  override end(): void {
    this.force.fill(0);
    this.torque.fill(0);
  }
}

export const COULOMB_FRICTION: LawDefinition<CoulombModel, FrictionLaw> = {
  needs: ['compliance'],
  check(model, field) {
    const { stiction, coulomb } = model;
    notNegative(`${field}.coulomb`, coulomb);
    range(`${field}.stiction`, stiction, stiction >= coulomb, `>= coulomb (${coulomb})`);
  },
  size: () => NO_MEMORY,
  make: (_, memory) => new PatchFriction(memory),
};
