/** Directions as people write them: any length above zero, normalised on load. */
import { BerthError } from '../src/base/errors.ts';

/** The vector at length one. @throws BerthError naming the field when its length is zero */
export function unit<V extends readonly number[]>(vector: V, field: string): V {
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  if (!(length > 0)) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `${field} is [${vector.join(', ')}]; allowed: a direction of length above zero`,
      { field },
    );
  }
  return vector.map((x) => x / length) as unknown as V;
}
