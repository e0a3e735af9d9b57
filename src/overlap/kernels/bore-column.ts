/** Column of sums about a point of the overlap: V, centroid, second moments about it, and the vector area as it is. */
import { COLUMN } from '../kernel.ts';
import { BORE_SUM } from './bore-section.ts';

/** Writes the sums to `local`, in the axes of the sections; the volume must be above 0. @alloc none */
export function writeSums(sums: Float64Array, reference: Float64Array, local: Float64Array): void {
  const volume = sums[BORE_SUM.volume];
  const f = BORE_SUM.first;
  const s = BORE_SUM.second;
  const u = sums[f] / volume;
  const v = sums[f + 1] / volume;
  const z = sums[f + 2] / volume;
  local[COLUMN.volume] = volume;
  local[COLUMN.centroid] = reference[0] + u;
  local[COLUMN.centroid + 1] = reference[1] + v;
  local[COLUMN.centroid + 2] = reference[2] + z;
  local[COLUMN.second] = sums[s] - sums[f] * u;
  local[COLUMN.second + 1] = sums[s + 1] - sums[f + 1] * v;
  local[COLUMN.second + 2] = sums[s + 2] - sums[f + 2] * z;
  local[COLUMN.second + 3] = sums[s + 3] - sums[f] * v;
  local[COLUMN.second + 4] = sums[s + 4] - sums[f] * z;
  local[COLUMN.second + 5] = sums[s + 5] - sums[f + 1] * z;
  const x = sums[BORE_SUM.area];
  const y = sums[BORE_SUM.area + 1];
  const w = sums[BORE_SUM.area + 2];
  local[COLUMN.area] = Math.sqrt(x * x + y * y + w * w);
  local[COLUMN.vectorArea] = x;
  local[COLUMN.vectorArea + 1] = y;
  local[COLUMN.vectorArea + 2] = w;
}
