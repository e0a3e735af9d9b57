/**
 * Sums over the samples of a body that are inside of a distance field, patch by patch. docs/theory/sampled.md.
 *
 * In the grid of the field, lengths in cells, a sample with area w lies at u and has the depth δ = max(0, −φ(u)) and the gradient g = ∇φ(u). A patch has
 *
 *   G = Σ w δ g     H = Σ w δ u × g     C = Σ w δ u     L = Σ w δ     W = Σ w |g|²     E = Σ w δ²/2     A = Σ w over samples with δ > 0
 *
 * G and H are minus the derivatives of E by a motion of the samples: forces k (G, H) have the potential k E.
 */
import { ballBound, FieldPlace, FieldValue, GRADIENT, VALUE } from '../../proximity/field-value.ts';
import type { DistanceField } from '../../shapes/distance-field.ts';
import type { SurfaceSamples } from '../../shapes/surface-samples.ts';
import type { SampleKernel } from './sample-kernel.ts';
import { BOUND, DROWNED, LEAST, READ, SAMPLE, SUMS, WHOLE } from './sample-slots.ts';

/** The sums of one pair. */
export class SampleSums {
  /** SUMS numbers for each patch, and WHOLE of all. */
  sums: Float64Array;
  whole: Float64Array = new Float64Array(WHOLE);
  /** Rows (M, t) of u = M s + t, 3 × 4. */
  map: Float64Array = new Float64Array(12);
  readonly value: FieldValue;
  private readonly samples: SurfaceSamples;
  private readonly field: DistanceField;
  /** Radius of each node, in cells. */
  private readonly radii: Float64Array;
  /** Place of the last sample or node, in cells. */
  readonly at: Float64Array = new Float64Array(3);
  /** [height up to which the field is known, in cells] */
  private readonly far: Float64Array;
  private readonly bound: Float64Array = new Float64Array(1);
  private kernel: SampleKernel | null = null;

  constructor(samples: SurfaceSamples, field: DistanceField) {
    this.samples = samples;
    this.field = field;
    this.value = new FieldValue(field);
    this.sums = new Float64Array(SUMS * samples.patchCount);
    this.far = Float64Array.of(field.band / field.cell);
    const cell = field.cell * field.scale;
    this.radii = Float64Array.from(samples.firsts, (_, n) => samples.spheres[4 * n + 3] / cell);
  }

  /** From now on a kernel takes the sums, with the same bits. */
  follow(kernel: SampleKernel): void {
    this.sums = kernel.sums;
    this.whole = kernel.whole;
    this.map = kernel.map;
    this.kernel = kernel;
  }

  /** Sums for the present `map`. @alloc none */
  run(): void {
    if (this.kernel !== null) {
      this.kernel.run();
      return;
    }
    const { sums, whole, samples, bound, at } = this;
    const { skips, firsts, ends, patches, spheres } = samples;
    sums.fill(0);
    whole[LEAST] = Infinity;
    whole[SAMPLE] = -1;
    whole[BOUND] = Infinity;
    whole[DROWNED] = 0;
    whole[READ] = 0;
    const far = this.far[0];
    let node = 0;
    while (node < skips.length) {
      this.place(spheres, 4 * node);
      ballBound(this.field, at, 0, this.radii, node, bound);
      // what cannot push is read for the gap as far as the field goes
      if (bound[0] > 0 && (bound[0] >= whole[LEAST] || bound[0] >= far)) {
        if (bound[0] < whole[BOUND]) whole[BOUND] = bound[0];
        node = skips[node];
        continue;
      }
      node++;
      if (skips[node - 1] !== node) continue;
      for (let s = firsts[node - 1]; s < ends[node - 1]; s++) this.add(s, SUMS * patches[node - 1]);
    }
  }

  /** at := M x + t of x = points[o..]. */
  place(points: Float64Array, o: number): void {
    const { map: m, at } = this;
    const x = points[o];
    const y = points[o + 1];
    const z = points[o + 2];
    at[0] = m[0] * x + m[1] * y + m[2] * z + m[3];
    at[1] = m[4] * x + m[5] * y + m[6] * z + m[7];
    at[2] = m[8] * x + m[9] * y + m[10] * z + m[11];
  }

  /** Reads the field at a sample. @alloc none */
  read(s: number): number {
    this.place(this.samples.points, 3 * s);
    return this.value.read(this.at, 0);
  }

  private add(s: number, o: number): void {
    const { sums, whole, at, value } = this;
    whole[READ]++;
    const where = this.read(s);
    if (where === FieldPlace.outside) {
      if (this.far[0] < whole[BOUND]) whole[BOUND] = this.far[0];
      return;
    }
    if (where === FieldPlace.inside) {
      whole[DROWNED]++;
      return;
    }
    const r = value.result;
    const phi = r[VALUE];
    if (phi < whole[LEAST]) {
      whole[LEAST] = phi;
      whole[SAMPLE] = s;
    }
    if (phi < -this.far[0]) whole[DROWNED]++;
    if (!(phi < 0)) return;
    const gx = r[GRADIENT];
    const gy = r[GRADIENT + 1];
    const gz = r[GRADIENT + 2];
    const w = this.samples.areas[s];
    const f = -w * phi;
    sums[o] += f * gx;
    sums[o + 1] += f * gy;
    sums[o + 2] += f * gz;
    sums[o + 3] += f * (at[1] * gz - at[2] * gy);
    sums[o + 4] += f * (at[2] * gx - at[0] * gz);
    sums[o + 5] += f * (at[0] * gy - at[1] * gx);
    sums[o + 6] += f * at[0];
    sums[o + 7] += f * at[1];
    sums[o + 8] += f * at[2];
    sums[o + 9] += f;
    sums[o + 10] += w * (gx * gx + gy * gy + gz * gz);
    sums[o + 11] -= 0.5 * f * phi;
    sums[o + 12] += w;
    if (-phi > sums[o + 13]) sums[o + 13] = -phi;
  }
}
