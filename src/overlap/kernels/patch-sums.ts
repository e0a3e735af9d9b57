/** Sums over the flat faces of an overlap, and what their arcs mean for the curved surface between them. */
import type { ConicArcs } from './conic-arc.ts';

/** What sums over flat patches offer. */
export interface PatchSums {
  /** Clears the sums; moments are about this point. @alloc none */
  start(points: Float64Array, p: number): void;
  /** Adds a patch whose measure T × E points out of the overlap; `ofPolytope` when it is on a face of that. @alloc none */
  add(patch: Float64Array, ofPolytope: boolean): void;
  /** Adds what an arc of a face, just added, means for the curved surface. @alloc none */
  addRim(arcs: ConicArcs): void;
  /** The same for a whole section. @alloc none */
  addCircle(patch: Float64Array): void;
}
