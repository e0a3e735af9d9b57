/** Volumetric laws on memory of their own, and the columns they read. */
import { TangentialBristle } from '../../src/contact/friction/tangential-bristle.ts';
import { VolumetricLaw } from '../../src/contact/normal/volumetric.ts';
import {
  GYRATION,
  KINEMATICS,
  LOAD,
  MOBILITY,
  NORMAL,
  SLIP,
  SPIN,
} from '../../src/contact/pair.ts';
import type { VolumetricBristleModel, VolumetricLawModel } from '../../src/volumetric-spec.ts';

/** Parameters of the volumetric pins of the sheet, section 10. */
export const FRICTION: VolumetricBristleModel = {
  kind: 'volumetric-bristle',
  stiction: 0.08,
  coulomb: 0.05,
  bristleStiffness: 1e5,
  bristleDamping: Math.sqrt(1e5),
  viscousDamping: 0,
  stribeckVelocity: 1e-3,
  dwellTime: 0.3,
  velocityTolerance: 1e-5,
  startsSticking: false,
};

export function frictionLaw(model: VolumetricBristleModel): TangentialBristle {
  return new TangentialBristle(model, {
    states: new Float64Array(5),
    rates: new Float64Array(5),
    internals: new Float64Array(0),
  });
}

export function normalLaw(model: VolumetricLawModel): VolumetricLaw {
  const states = model.relaxationTime > 0 ? 2 : 1;
  return new VolumetricLaw(model, {
    states: new Float64Array(states),
    rates: new Float64Array(states),
    internals: new Float64Array(1),
  });
}

/** A kinematics column with the normal along z. */
export function kinematicsOf(
  slip: readonly [number, number],
  spin: number,
  radius: number,
): Float64Array {
  const k = new Float64Array(KINEMATICS);
  k[NORMAL + 2] = 1;
  k[SLIP] = slip[0];
  k[SLIP + 1] = slip[1];
  k[SPIN + 2] = spin;
  k[GYRATION] = radius;
  return k;
}

/** A mobility column with a normal force, N. */
export function loadOf(force: number): Float64Array {
  const mobility = new Float64Array(MOBILITY);
  mobility[LOAD] = force;
  return mobility;
}
