/** Where the contacts of two bodies of facets lie: by themselves, or in a memory that a kernel reads as well. */
import type { Columns } from '../../math/columns.ts';

/** Doubles that the columns of a contact take at most. */
export const OF_CONTACT = 24;

/** As in Places, for so many contacts. */
export class PairColumns {
  readonly points: Float64Array;
  readonly normals: Float64Array;
  readonly depths: Float64Array;
  readonly rows: Float64Array;
  readonly shares: Float64Array;
  readonly keysI: Int32Array;
  readonly keysJ: Int32Array;
  readonly sizes: Float64Array;
  readonly places: Float64Array;
  /** Pairs of the query that are contacts. */
  readonly taken: Int32Array;
  /** Hash table of feature pairs, or nearest pair by facet: index + 1 into `taken`. */
  readonly table: Int32Array;

  /** @param slots of the table; null: a power of two, twice the room or more */
  constructor(room: number, slots: number | null, columns: Columns) {
    this.points = columns.doubles(3 * room);
    this.places = columns.doubles(3 * room);
    this.normals = columns.doubles(3 * room);
    this.depths = columns.doubles(room);
    this.rows = columns.doubles(6 * room);
    this.shares = columns.doubles(room);
    this.sizes = columns.doubles(room);
    this.keysI = columns.integers(room);
    this.keysJ = columns.integers(room);
    this.taken = columns.integers(room);
    let power = 16;
    while (power < 2 * room) power *= 2;
    this.table = columns.integers(slots ?? power);
  }
}
