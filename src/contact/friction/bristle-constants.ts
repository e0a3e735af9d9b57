/** The parameters of a bristle law as its kernel reads them. */
import type { Columns } from '../../math/columns.ts';
import type { BristleModel, VolumetricBristleModel } from '../../model/contact-spec.ts';
import {
  BRISTLE_CONSTANTS,
  BRISTLE_TIME,
  COULOMB,
  DAMPING,
  DWELL_TIME,
  INVERSE_STRIBECK,
  MOMENT_SCALE,
  STICTION,
  STIFFNESS,
  VISCOUS_DAMPING,
} from './bristle-slots.ts';

/** A column of them. */
export function bristleConstants(
  model: BristleModel | VolumetricBristleModel,
  columns: Columns,
): Float64Array {
  const column = columns.doubles(BRISTLE_CONSTANTS);
  column[COULOMB] = model.coulomb;
  column[STIFFNESS] = model.bristleStiffness;
  column[DAMPING] = model.bristleDamping;
  column[VISCOUS_DAMPING] = model.viscousDamping;
  column[BRISTLE_TIME] = model.bristleDamping / model.bristleStiffness;
  column[STICTION] = model.stiction;
  column[INVERSE_STRIBECK] = 1 / (model.stribeckVelocity * model.stribeckVelocity);
  column[DWELL_TIME] = model.dwellTime;
  column[MOMENT_SCALE] = model.kind === 'volumetric-bristle' ? (model.spinScale ?? 1) : 0;
  return column;
}
