/** Which dispersion matters, by few runs: elementary effects of Morris. */
import { expect } from '../base/parameter-checks.ts';
import { Random } from '../math/random.ts';
import type { Design } from './designs.ts';
import { type Interval, percentiles } from './intervals.ts';

/** Elementary effects of one dispersion: mean, mean size, and spread. */
export interface MorrisEffect {
  readonly mean: number;
  readonly meanSize: number;
  readonly deviation: number;
  readonly meanSizeInterval: Interval;
}

/**
 * Effects per unit of the cube from the values at the points of `morrisDesign` (Morris 1991; mean size by Campolongo et al. 2007), with the percentile
 * interval of a bootstrap over the trajectories. A trajectory with a value that is not finite is left out.
 * @throws BerthError when no trajectory is left
 */
export function morrisEffects(
  design: Design,
  values: Float64Array,
  resamples: number,
  confidence: number,
  seed: number,
): MorrisEffect[] {
  const { count, dimensions: d, points } = design;
  expect('values', values.length, values.length === count, `to be ${count} values`);
  /** Of each trajectory the effect of each dispersion. */
  const trajectories: Float64Array[] = [];
  for (let start = 0; start < count; start += d + 1) {
    if (!values.subarray(start, start + d + 1).every(Number.isFinite)) continue;
    const effects = new Float64Array(d);
    for (let i = start + 1; i <= start + d; i++) {
      for (let j = 0; j < d; j++) {
        const step = points[d * i + j] - points[d * (i - 1) + j];
        if (step !== 0) effects[j] = (values[i] - values[i - 1]) / step;
      }
    }
    trajectories.push(effects);
  }
  const n = trajectories.length;
  expect('values', n, n > 0, 'to have one trajectory with all values');
  const random = new Random(seed);
  const sizes = Array.from({ length: d }, () => new Float64Array(resamples));
  for (let r = 0; r < resamples; r++) {
    for (let i = 0; i < n; i++) {
      const effects = trajectories[Math.floor(random.uniform() * n)];
      for (let j = 0; j < d; j++) sizes[j][r] += Math.abs(effects[j]) / n;
    }
  }
  return sizes.map((resampled, j) => {
    const mean = trajectories.reduce((sum, effects) => sum + effects[j], 0) / n;
    const square = trajectories.reduce(
      (sum, effects) => sum + (effects[j] - mean) * (effects[j] - mean),
      0,
    );
    return {
      mean,
      meanSize: trajectories.reduce((sum, effects) => sum + Math.abs(effects[j]), 0) / n,
      deviation: n > 1 ? Math.sqrt(square / (n - 1)) : 0,
      meanSizeInterval: percentiles(resampled, confidence),
    };
  });
}
