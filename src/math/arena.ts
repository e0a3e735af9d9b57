/**
 * State arena: one Float64Array that holds all evolving state, divided into named slices. A system
 * has no other state, so snapshot, restore and hash are operations on one array.
 */
import { BerthError } from '../base/errors.ts';
import { type Columns, OWN_COLUMNS } from './columns.ts';

/** Position of a slice in the arena. */
export interface Slice {
  readonly name: string;
  readonly start: number;
  readonly length: number;
}

/** Plan of an arena: collects slices, then allocates them together, in the order of their addition. */
export class ArenaPlan {
  readonly slices: Slice[] = [];
  private readonly names = new Set<string>();
  private total = 0;

  /** Reserves a slice; `length` may be 0. */
  add(name: string, length: number): Slice {
    if (this.names.has(name)) {
      throw new BerthError('BERTH_DUPLICATE_NAME', `The state slice "${name}" is reserved twice`);
    }
    const slice = { name, start: this.total, length };
    this.slices.push(slice);
    this.names.add(name);
    this.total += length;
    return slice;
  }

  /** Number of values reserved so far. */
  get length(): number {
    return this.total;
  }
}

/** State memory of one system. */
export class Arena {
  readonly values: Float64Array;
  /** Where arrays that belong to the state are to lie. */
  readonly columns: Columns;
  /** The slices, in their order: together they are `values`. */
  readonly slices: readonly Slice[];
  private readonly words: Uint32Array;

  constructor(plan: ArenaPlan, columns: Columns = OWN_COLUMNS) {
    this.columns = columns;
    this.values = columns.doubles(plan.length);
    this.slices = plan.slices;
    const { buffer, byteOffset } = this.values;
    this.words = new Uint32Array(buffer, byteOffset, 2 * plan.length);
  }

  /** View of one slice. For construction only. */
  view(slice: Slice): Float64Array {
    return this.values.subarray(slice.start, slice.start + slice.length);
  }

  /** Copies the state into `into`. @alloc none */
  snapshot(into: Float64Array): void {
    into.set(this.values);
  }

  /** Copies a snapshot back. @alloc none */
  restore(from: Float64Array): void {
    this.values.set(from);
  }

  /** 64-bit FNV-1a over the bytes of the state (little-endian), 16 hex digits. */
  hash(): string {
    // the prime is 2^40 + 0x1b3; with the hash as four 16-bit limbs every product stays below 2^53
    let h0 = 0x2325;
    let h1 = 0x8422;
    let h2 = 0x9ce4;
    let h3 = 0xcbf2;
    for (const word of this.words) {
      for (let shift = 0; shift < 32; shift += 8) {
        h0 ^= (word >>> shift) & 0xff;
        const t0 = h0 * 0x1b3;
        const t1 = h1 * 0x1b3 + (t0 >>> 16);
        const t2 = h2 * 0x1b3 + h0 * 0x100 + (t1 >>> 16);
        const t3 = h3 * 0x1b3 + h1 * 0x100 + (t2 >>> 16);
        h0 = t0 & 0xffff;
        h1 = t1 & 0xffff;
        h2 = t2 & 0xffff;
        h3 = t3 & 0xffff;
      }
    }
    let text = '';
    for (const limb of [h3, h2, h1, h0]) text += limb.toString(16).padStart(4, '0');
    return text;
  }
}
