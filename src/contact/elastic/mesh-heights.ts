/**
 * Heights of a point over a closed surface of triangles, convex or not: the distance from the nearest place, negative inside. Over an edge or a corner
 * the normal is the line from there, which turns from one facet to the next; on it, it is between them. @alloc none
 */
import { MeshDistance, NEAREST, SIGNED } from '../../proximity/mesh-distance.ts';
import type { TriangleMesh } from '../../shapes/triangle-mesh.ts';
import { Solid } from './solid-heights.ts';

/** Distance over the size of the mesh below which the line from the nearest place has too few digits for a normal. */
const BESIDE = 1e-9;

/** A closed surface. */
export class MeshHeights extends Solid {
  readonly #distance: MeshDistance;
  /** [BESIDE, m] */
  readonly #beside: Float64Array;

  constructor(mesh: TriangleMesh) {
    super();
    this.#distance = new MeshDistance(mesh);
    let size = 0;
    for (const x of mesh.vertices) size = Math.max(size, Math.abs(x));
    this.#beside = Float64Array.of(BESIDE * size);
  }

  measure(places: Float64Array, at: number): void {
    const { gap, normal } = this;
    const distance = this.#distance;
    distance.measureNext(places, at);
    const { result } = distance;
    gap[0] = result[SIGNED];
    if (distance.isOnFace || Math.abs(gap[0]) < this.#beside[0]) {
      distance.writeNormal(normal);
      return;
    }
    for (let a = 0; a < 3; a++) normal[a] = (places[at + a] - result[NEAREST + a]) / gap[0];
  }
}
