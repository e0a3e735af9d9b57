/** Displacements under loads: K u = f, `Kim 1999, (2.48)` at rest. */
import { BerthError } from '../base/errors.ts';
import type { FemMatrices } from './assembly.ts';
import { SkylineFactors } from './skyline.ts';

/** A pivot below this part of its diagonal element means that the body can move as a whole. */
const LEAST_PIVOT = 1e-11;

/** Factors of the stiffness. @throws BerthError when the held components leave the body free to move */
export function staticFactors({
  stiffness,
  freedom,
  dimension,
}: Pick<FemMatrices, 'stiffness' | 'freedom' | 'dimension'>): SkylineFactors {
  const factors = new SkylineFactors(stiffness);
  const failed = factors.factor(stiffness, LEAST_PIVOT);
  if (failed < 0) return factors;
  const component = freedom.indexOf(failed);
  const node = Math.floor(component / dimension);
  const axis = 'xyz'[component % dimension];
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected held nodes that leave the body no motion as a whole, got one that moves node ${node} along ${axis}`,
    { field: 'held' },
  );
}
