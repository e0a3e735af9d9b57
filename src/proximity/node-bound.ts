/**
 * A lower bound of the distance of two nodes of facet trees: that of their spheres, and of the boxes that lie with them along the axes of
 * both. docs/theory/faceted.md.
 */
import type { FacetTree } from './facet-tree.ts';
import type { PosedFacet } from './posed-facet.ts';

/** Bounds of the nodes of two trees. */
export class NodeBound {
  /** [the bound, m] */
  readonly bound: Float64Array = new Float64Array(1);
  private readonly a: FacetTree;
  private readonly b: FacetTree;
  /** Where A stands. */
  private readonly posed: PosedFacet;

  /** Axes (9) and middle (3) of the box of a node of A, frame of B, m; that node, and the pose. */
  private readonly box: Float64Array = new Float64Array(12);
  private placed = -1;
  private pose = 0;

  constructor(a: FacetTree, b: FacetTree, posed: PosedFacet) {
    this.a = a;
    this.b = b;
    this.posed = posed;
  }

  /** Bound of node i of A and node j of B; it may stop at enough[0]. @alloc none */
  compute(i: number, j: number, enough: Float64Array): void {
    this.compareSpheres(i, j);
    if (this.bound[0] < enough[0]) this.compareBoxes(i, j);
  }

  private compareSpheres(i: number, j: number): void {
    const { a, b } = this;
    const { rotation: r, origin: o } = this.posed;
    const p = a.centers[3 * i];
    const q = a.centers[3 * i + 1];
    const s = a.centers[3 * i + 2];
    const x = r[0] * p + r[1] * q + r[2] * s + o[0] - b.centers[3 * j];
    const y = r[3] * p + r[4] * q + r[5] * s + o[1] - b.centers[3 * j + 1];
    const z = r[6] * p + r[7] * q + r[8] * s + o[2] - b.centers[3 * j + 2];
    this.bound[0] = Math.sqrt(x * x + y * y + z * z) - a.radii[i] - b.radii[j];
  }

  /** The box of node i of A in the frame of B. */
  private placeBox(i: number): void {
    if (this.placed === i && this.pose === this.posed.pose) return;
    this.placed = i;
    this.pose = this.posed.pose;
    const { boxAxes, boxCenters } = this.a;
    const { rotation: r, origin } = this.posed;
    const { box } = this;
    for (let a = 0; a < 9; a += 3) {
      const x = boxAxes[9 * i + a];
      const y = boxAxes[9 * i + a + 1];
      const z = boxAxes[9 * i + a + 2];
      box[a] = r[0] * x + r[1] * y + r[2] * z;
      box[a + 1] = r[3] * x + r[4] * y + r[5] * z;
      box[a + 2] = r[6] * x + r[7] * y + r[8] * z;
    }
    const x = boxCenters[3 * i];
    const y = boxCenters[3 * i + 1];
    const z = boxCenters[3 * i + 2];
    box[9] = r[0] * x + r[1] * y + r[2] * z + origin[0];
    box[10] = r[3] * x + r[4] * y + r[5] * z + origin[1];
    box[11] = r[6] * x + r[7] * y + r[8] * z + origin[2];
  }

  /** Along the axes of both boxes. */
  private compareBoxes(i: number, j: number): void {
    const { a, b, box, bound } = this;
    this.placeBox(i);
    const { boxAxes: q } = b;
    const o = 9 * j;
    const dx = box[9] - b.boxCenters[3 * j];
    const dy = box[10] - b.boxCenters[3 * j + 1];
    const dz = box[11] - b.boxCenters[3 * j + 2];
    let best = bound[0];
    // reach of the box of B along the axes of that of A
    let overX = a.boxHalves[3 * i];
    let overY = a.boxHalves[3 * i + 1];
    let overZ = a.boxHalves[3 * i + 2];
    for (let k = 0; k < 3; k++) {
      const x = q[o + 3 * k];
      const y = q[o + 3 * k + 1];
      const z = q[o + 3 * k + 2];
      const half = b.boxHalves[3 * j + k];
      const cx = Math.abs(x * box[0] + y * box[1] + z * box[2]);
      const cy = Math.abs(x * box[3] + y * box[4] + z * box[5]);
      const cz = Math.abs(x * box[6] + y * box[7] + z * box[8]);
      const reach =
        cx * a.boxHalves[3 * i] + cy * a.boxHalves[3 * i + 1] + cz * a.boxHalves[3 * i + 2];
      const along = Math.abs(x * dx + y * dy + z * dz) - half - reach;
      if (along > best) best = along;
      overX += half * cx;
      overY += half * cy;
      overZ += half * cz;
    }
    const alongX = Math.abs(box[0] * dx + box[1] * dy + box[2] * dz) - overX;
    const alongY = Math.abs(box[3] * dx + box[4] * dy + box[5] * dz) - overY;
    const alongZ = Math.abs(box[6] * dx + box[7] * dy + box[8] * dz) - overZ;
    if (alongX > best) best = alongX;
    if (alongY > best) best = alongY;
    if (alongZ > best) best = alongZ;
    bound[0] = best;
  }
}
