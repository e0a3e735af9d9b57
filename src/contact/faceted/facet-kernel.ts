/**
 * The walk along the front of two bodies of facets, and the sums over their contacts, by kernels in WebAssembly (src/kernels/facets.ts and
 * facet-contacts.ts), in a memory that holds front, facets, pairs and contacts: about 150 bytes a corner and 20 an entry of the front.
 */
import { KernelMemory } from '../../math/kernel-memory.ts';
import { FacetQuery, frontRoom } from '../../proximity/facet-query.ts';
import type { FacetTree } from '../../proximity/facet-tree.ts';
import { FACET_RESULT } from '../../proximity/witness-slots.ts';
import { addressIn, type ContactKernels } from '../contact-loops.ts';
import { POINT } from '../pair-slots.ts';
import { OF_CONTACT, PairColumns } from './pair-columns.ts';

/** Bytes of a double. */
const DOUBLE = 8;
/** Doubles that a facet, a corner, a pair and an entry of the front take at most, and the rest. */
const OF_FACET = 10;
const OF_CORNER = 16;
const OF_PAIR = 14;
const OF_ENTRY = 3;
const OTHERS = 300;
/** Doubles of a contact for its sums. */
const OF_SUMS = 5;
/** Numbers of a pose, of a twist and of a wrench. */
const POSE = 12;
const SIX = 6;

/** What the sums over contacts read and write: as in PlacesContact. */
export interface ContactSums {
  readonly elastic: Float64Array;
  readonly damping: Float64Array;
  readonly pushes: Float64Array;
  readonly loads: Float64Array;
  readonly slopes: Float64Array;
  /** (v, ω) at the point. */
  readonly twist: Float64Array;
  readonly least: Float64Array;
  readonly wrench: Float64Array;
  /** Sums over so many contacts. @alloc none */
  readonly run: (count: number) => void;
}

/** How much there may be. */
export interface FacetRoom {
  /** Pairs of the query, contacts, and slots of their table. */
  readonly capacity: number;
  readonly room: number;
  readonly slots: number;
  /** Whether contacts with equal features are one. */
  readonly drops: boolean;
}

/** Two bodies of facets in the memory of kernels. */
export class FacetKernel {
  /** Its front is followed by a kernel. */
  readonly query: FacetQuery;
  readonly columns: PairColumns;
  /** Gap, normal and point of the deepest contact of the last `take`. */
  readonly column: Float64Array;
  readonly sums: ContactSums;
  readonly #pose: Float64Array;
  readonly #refused: Int32Array;
  readonly #take: (pairs: number) => number;

  constructor(
    kernels: ContactKernels,
    treeA: FacetTree,
    treeB: FacetTree,
    { capacity, room, slots, drops }: FacetRoom,
    standoff: Float64Array,
  ) {
    let doubles = OTHERS + OF_PAIR * capacity + OF_ENTRY * frontRoom(treeA, treeB, capacity);
    for (const { facets } of [treeA, treeB])
      doubles += OF_FACET * facets.facetCount + OF_CORNER * facets.corners.length;
    const memory = new KernelMemory(DOUBLE * (doubles + (OF_CONTACT + OF_SUMS) * room));
    const query = new FacetQuery(treeA, treeB, capacity, memory);
    const exports = kernels.on(memory);
    const record = (fields: readonly (Float64Array | Int32Array | number)[]): number => {
      const at = memory.integers(fields.length);
      at.set(fields.map((field) => (typeof field === 'number' ? field : addressIn(field))));
      return addressIn(at);
    };
    const walk = recordWalk(memory, query, capacity, record);
    query.walk = (from) => exports.walkFront(walk, from);
    const columns = new PairColumns(room, slots, memory);
    const sizes = [treeA, treeB].map(({ facets }) => copyOf(memory, facets.sizes));
    this.query = query;
    this.columns = columns;
    this.column = memory.doubles(POINT + 3);
    this.#pose = memory.doubles(POSE);
    this.#refused = memory.integers(1);
    const contacts = record([
      query.facetsA,
      query.facetsB,
      query.featuresA,
      query.featuresB,
      query.distances,
      query.pointsA,
      query.pointsB,
      query.directions,
      ...sizes,
      this.#pose,
      copyOf(memory, standoff),
      columns.table,
      columns.taken,
      columns.places,
      columns.points,
      columns.normals,
      columns.depths,
      columns.sizes,
      columns.shares,
      columns.rows,
      columns.keysI,
      columns.keysJ,
      this.column,
      this.#refused,
      columns.table.length,
      room,
      Number(drops),
    ]);
    this.#take = (pairs) => exports.takeContacts(contacts, pairs);
    const sums = {
      elastic: memory.doubles(room),
      damping: memory.doubles(room),
      pushes: memory.doubles(room),
      loads: memory.doubles(room),
      slopes: memory.doubles(room),
      twist: memory.doubles(SIX),
      least: memory.doubles(1),
      wrench: memory.doubles(SIX),
    };
    const at = record([columns.rows, ...Object.values(sums)]);
    this.sums = {
      ...sums,
      run: (count) => {
        exports.sumContacts(at, count);
      },
    };
  }

  /** The contacts of the pairs of the query, with body j at such a pose; their number. @alloc none */
  take(rotation: Float64Array, state: Float64Array): number {
    const pose = this.#pose;
    for (let a = 0; a < 9; a++) pose[a] = rotation[a];
    for (let a = 0; a < 3; a++) pose[9 + a] = state[a];
    return this.#take(this.query.count);
  }

  /** Contacts of the last `take` that found no room. */
  get refused(): number {
    return this.#refused[0];
  }
}

function copyOf(memory: KernelMemory, of: Float64Array): Float64Array {
  const copy = memory.doubles(of.length);
  copy.set(of);
  return copy;
}

type Recorder = (fields: readonly (Float64Array | Int32Array | number)[]) => number;

/** The record of a walk along the front of a query; its address. */
function recordWalk(
  memory: KernelMemory,
  query: FacetQuery,
  capacity: number,
  record: Recorder,
): number {
  const { posed, front } = query;
  return record([
    recordSurface(memory, query.treeA, record),
    recordSurface(memory, query.treeB, record),
    posed.rotation,
    posed.origin,
    posed.placed,
    posed.placedAt,
    front.a,
    front.b,
    front.budgets,
    front.guesses,
    query.facetsA,
    query.facetsB,
    query.featuresA,
    query.featuresB,
    query.distances,
    query.pointsA,
    query.pointsB,
    query.directions,
    query.walkNumbers,
    query.walkCounts,
    memory.doubles(FACET_RESULT),
    memory.doubles(3),
    memory.integers(2),
    capacity,
  ]);
}

/** Copies the facets of a body into the memory; the address of their record. */
function recordSurface(
  memory: KernelMemory,
  { facets, facet }: FacetTree,
  record: Recorder,
): number {
  const column = (of: Float64Array): Float64Array => copyOf(memory, of);
  const list = (of: Int32Array): Int32Array => {
    const copy = memory.integers(of.length);
    copy.set(of);
    return copy;
  };
  return record([
    list(facets.first),
    list(facets.corners),
    list(facets.edges),
    column(facets.cornerPoints),
    column(facets.normals),
    column(facets.offsets),
    column(facets.sides),
    column(facets.inverseSquares),
    column(facets.sizes),
    facets.vertexCount,
    facets.edgeCount,
    list(facet),
  ]);
}
