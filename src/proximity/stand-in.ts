/**
 * Gap and normal of a place that Newton does not find, as where two flat faces or parallel edges lie in each other: those of the points that
 * the features have, right to the size of a cell. Points that are apart by more than that along the face have their distance as the gap.
 * docs/theory/freeform.md
 */
import { type FeatureSolver, GAP_FOUND, NORMAL_FOUND } from './feature-solver.ts';
import { EDGE } from './surface-body.ts';

/** Length below which two points have no direction between them, m. */
const SAME = 1e-12;
/** Cosine of the angle to the outward normals within which edges are in each other. */
const INWARD = 0.5;

/** The stand-in of one pair of bodies. */
export class StandIn {
  private readonly solver: FeatureSolver;
  /** [square of the way along a face up to which its points are beside each other, m²] */
  private readonly reach: Float64Array;
  private readonly d: Float64Array = new Float64Array(3);

  /** @param reach size of the cells of both bodies, m */
  constructor(solver: FeatureSolver, reach: number) {
    this.solver = solver;
    this.reach = Float64Array.of(reach * reach);
  }

  /** Gap and normal at the present features and parameters into the result of the solver; false where they are not beside each other. @alloc none */
  measure(): boolean {
    const { solver, d } = this;
    const { i, j, result } = solver;
    const regular = solver.refresh();
    for (let a = 0; a < 3; a++) d[a] = i.out[a] - j.out[a];
    const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (!regular) {
      this.measureApart(Math.sqrt(square));
      return square <= this.reach[0];
    }
    const along = result[GAP_FOUND] + i.body.radius[0] + j.body.radius[0];
    if (square - along * along <= this.reach[0]) return true;
    this.measureApart(Math.sqrt(square));
    return false;
  }

  /** By the way between the points. */
  private measureApart(length: number): void {
    const { solver, d } = this;
    const { i, j, result } = solver;
    let outward = 0;
    let size = 0;
    for (let a = 0; a < 3; a++) {
      const x = j.normal[a] - i.normal[a];
      outward += x * d[a];
      size += x * x;
    }
    size = Math.sqrt(size);
    // edges side by side are in each other where the way between them is against their outward normals
    const edges = i.kind === EDGE && j.kind === EDGE;
    const sign = edges && outward < -INWARD * size * length ? -1 : 1;
    for (let a = 0; a < 3; a++) {
      const n = size > 0 ? (j.normal[a] - i.normal[a]) / size : a === 2 ? 1 : 0;
      result[NORMAL_FOUND + a] = length > SAME ? (sign * d[a]) / length : n;
    }
    result[GAP_FOUND] = sign * length - i.body.radius[0] - j.body.radius[0];
  }
}
