/**
 * The walk along the front of two bodies of facets by a kernel in WebAssembly (src/kernels/facets.ts), in a memory that holds front, facets and
 * pairs: about 150 bytes a corner and 20 an entry of the front.
 */
import { KernelMemory } from '../../math/kernel-memory.ts';
import { FacetQuery, frontRoom } from '../../proximity/facet-query.ts';
import type { FacetTree } from '../../proximity/facet-tree.ts';
import { FACET_RESULT } from '../../proximity/witness-slots.ts';
import { addressIn, type ContactKernels } from '../contact-loops.ts';

/** Bytes of a double. */
const DOUBLE = 8;
/** Doubles that a facet, a corner, a pair and an entry of the front take at most, and the rest. */
const OF_FACET = 8;
const OF_CORNER = 16;
const OF_PAIR = 14;
const OF_ENTRY = 3;
const OTHERS = 200;

/** A query on two bodies whose front a kernel follows. */
export function kernelQuery(
  kernels: ContactKernels,
  treeA: FacetTree,
  treeB: FacetTree,
  capacity: number,
): FacetQuery {
  let doubles = OTHERS + OF_PAIR * capacity + OF_ENTRY * frontRoom(treeA, treeB, capacity);
  for (const { facets } of [treeA, treeB])
    doubles += OF_FACET * facets.facetCount + OF_CORNER * facets.corners.length;
  const memory = new KernelMemory(DOUBLE * doubles);
  const query = new FacetQuery(treeA, treeB, capacity, memory);
  const { posed, front } = query;
  const record = (fields: readonly (Float64Array | Int32Array | number)[]): number => {
    const at = memory.integers(fields.length);
    at.set(fields.map((field) => (typeof field === 'number' ? field : addressIn(field))));
    return addressIn(at);
  };
  const at = record([
    recordSurface(memory, treeA, record),
    recordSurface(memory, treeB, record),
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
  const exports = kernels.on(memory);
  query.walk = (from) => exports.walkFront(at, from);
  return query;
}

/** Copies the facets of a body into the memory; the address of their record. */
function recordSurface(
  memory: KernelMemory,
  { facets, facet }: FacetTree,
  record: (fields: readonly (Float64Array | Int32Array | number)[]) => number,
): number {
  const column = (of: Float64Array): Float64Array => {
    const copy = memory.doubles(of.length);
    copy.set(of);
    return copy;
  };
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
