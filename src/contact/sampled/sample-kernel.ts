/**
 * The sums over samples by a kernel in WebAssembly (src/kernels/samples.ts), in a memory that holds the samples and the field: 4 bytes a
 * coefficient and about 50 a sample, 270 MB for the largest field. Systems of one model share it; each run of the sums begins anew.
 */
import { KernelMemory } from '../../math/kernel-memory.ts';
import type { DistanceField } from '../../shapes/distance-field.ts';
import type { SurfaceSamples } from '../../shapes/surface-samples.ts';
import { addressIn, type ContactKernels } from '../contact-loops.ts';
import { BLOCK, BLOCK_VALUES } from '../../shapes/field-blocks.ts';
import { CHUNK, PLACED_DOUBLES, SUMS, WHOLE } from './sample-slots.ts';

/** Bytes of a double and of a float or whole number; those that rows of four may read beyond the last coefficient, in floats. */
const DOUBLE = 8;
const SINGLE = 4;
const BEYOND = 4;
/** Words of 4 bytes of the marks of a block. */
const MARKS = (BLOCK * BLOCK) / 4;
/** Arrays, each of which may leave 8 bytes; numbers of the map. */
const ARRAYS = 20;
const MAP = 12;

/** Those that were made, by samples and field. */
const made = new WeakMap<SurfaceSamples, WeakMap<DistanceField, SampleKernel>>();

/** The kernel for samples in a field: that of before for the same ones. */
export function sampleKernel(
  kernels: ContactKernels,
  samples: SurfaceSamples,
  field: DistanceField,
): SampleKernel {
  let ofSamples = made.get(samples);
  if (ofSamples === undefined) {
    ofSamples = new WeakMap();
    made.set(samples, ofSamples);
  }
  let kernel = ofSamples.get(field);
  if (kernel === undefined) {
    kernel = new SampleKernel(kernels, samples, field);
    ofSamples.set(field, kernel);
  }
  return kernel;
}

/** The sums of samples in a field. */
export class SampleKernel {
  /** As in SampleSums. */
  readonly sums: Float64Array;
  readonly whole: Float64Array;
  readonly map: Float64Array;
  /** Bytes of its memory. */
  readonly size: number;
  readonly #exports: ReturnType<ContactKernels['on']>;
  readonly #record: number;

  constructor(kernels: ContactKernels, samples: SurfaceSamples, field: DistanceField) {
    const { points, areas, spheres, firsts, ends, skips, patches, patchCount } = samples;
    const { blocks, middles, values, counts, cell, band, scale } = field;
    const doubles =
      points.length + areas.length + spheres.length + firsts.length + SUMS * patchCount;
    const kept = values.length / BLOCK_VALUES;
    const singles = 4 * firsts.length + 2 * blocks.length + values.length + BEYOND + MARKS * kept;
    const memory = new KernelMemory(
      DOUBLE * (doubles + WHOLE + MAP + CHUNK * PLACED_DOUBLES + ARRAYS * 2) + SINGLE * singles,
    );
    this.size = memory.size;
    const column = (of: Float64Array): number => {
      const copy = memory.doubles(of.length);
      copy.set(of);
      return addressIn(copy);
    };
    const list = (of: Int32Array): number => {
      const copy = memory.integers(of.length);
      copy.set(of);
      return addressIn(copy);
    };
    const floats = (of: Float32Array, beyond: number): number => {
      const copy = memory.floats(of.length + beyond);
      copy.set(of);
      return copy.byteOffset;
    };
    this.map = memory.doubles(MAP);
    this.sums = memory.doubles(SUMS * patchCount);
    this.whole = memory.doubles(WHOLE);
    const width = cell * scale;
    const record = [
      addressIn(this.map),
      addressIn(this.sums),
      addressIn(this.whole),
      column(Float64Array.of(band / cell)),
      column(points),
      column(areas),
      column(spheres),
      column(Float64Array.from(firsts, (_, n) => spheres[4 * n + 3] / width)),
      list(firsts),
      list(ends),
      list(skips),
      list(patches),
      list(blocks),
      floats(middles, 0),
      floats(values, BEYOND),
      addressIn(memory.integers(MARKS * kept)),
      addressIn(memory.doubles(CHUNK * PLACED_DOUBLES)),
      kept,
      firsts.length,
      patchCount,
      ...counts,
    ];
    const fields = memory.integers(record.length);
    fields.set(record);
    this.#record = addressIn(fields);
    const exports = kernels.on(memory);
    exports.markPositive(this.#record);
    this.#exports = exports;
  }

  /** Sums for the present `map`. @alloc none */
  run(): void {
    this.#exports.sumSamples(this.#record);
  }
}
