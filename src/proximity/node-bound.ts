/**
 * A lower bound of the distance of two nodes of facet trees: that of their spheres, of their boxes along the axes of both, and of their hulls
 * by the search of Gilbert, Johnson and Keerthi. Every direction u that the search asks gives one, the least u·(x − y) over both hulls, so
 * that it may stop anywhere and never claims too much. docs/theory/faceted.md.
 */
import type { FacetTree } from './facet-tree.ts';
import type { PosedFacet } from './posed-facet.ts';
import { Simplex } from './simplex.ts';

/** Most support points of a search. */
const MOST_SUPPORTS = 12;
/** Distance of the hulls less the bound, over the distance, at which more support points gain nothing. */
const CLOSE = 1e-3;

/** Bounds of the nodes of two trees. */
export class NodeBound {
  /** [the bound, m] */
  readonly bound: Float64Array = new Float64Array(1);
  private readonly a: FacetTree;
  private readonly b: FacetTree;
  /** Where A stands. */
  private readonly posed: PosedFacet;
  private readonly simplex: Simplex = new Simplex();
  /** Middle of the node of A less that of B, frame of B, m. */
  private readonly between: Float64Array = new Float64Array(3);

  constructor(a: FacetTree, b: FacetTree, posed: PosedFacet) {
    this.a = a;
    this.b = b;
    this.posed = posed;
  }

  /** Bound of node i of A and node j of B; the search ends at enough[0]. @alloc none */
  compute(i: number, j: number, enough: Float64Array): void {
    this.compareSpheres(i, j);
    if (this.bound[0] >= enough[0]) return;
    this.compareBoxes(i, j);
    if (this.bound[0] >= enough[0]) return;
    const { a, b } = this;
    if (a.facet[i] >= 0 && b.facet[j] >= 0) return; // their exact distance costs less
    if (a.hullFirst[i + 1] === a.hullFirst[i] || b.hullFirst[j + 1] === b.hullFirst[j]) return;
    this.compareHulls(i, j, enough);
  }

  private compareSpheres(i: number, j: number): void {
    const { a, b, between } = this;
    const { rotation: r, origin } = this.posed;
    const x = a.centers[3 * i];
    const y = a.centers[3 * i + 1];
    const z = a.centers[3 * i + 2];
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const at =
        r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + origin[k] - b.centers[3 * j + k];
      between[k] = at;
      square += at * at;
    }
    this.bound[0] = Math.sqrt(square) - a.radii[i] - b.radii[j];
  }

  private compareBoxes(i: number, j: number): void {
    const { a, b, between, bound } = this;
    const { rotation: r } = this.posed;
    let best = bound[0];
    for (let k = 0; k < 3; k++) {
      let ownB = b.halves[3 * j + k];
      let ownA = a.halves[3 * i + k];
      let along = 0;
      for (let m = 0; m < 3; m++) {
        ownB += Math.abs(r[3 * k + m]) * a.halves[3 * i + m];
        ownA += Math.abs(r[3 * m + k]) * b.halves[3 * j + m];
        along += r[3 * m + k] * between[m];
      }
      const alongB = Math.abs(between[k]) - ownB;
      const alongA = Math.abs(along) - ownA;
      if (alongB > best) best = alongB;
      if (alongA > best) best = alongA;
    }
    bound[0] = best;
  }

  private compareHulls(i: number, j: number, enough: Float64Array): void {
    const { simplex, between, bound } = this;
    const { normal, distance } = simplex;
    const { w } = simplex.vertices;
    const length = Math.sqrt(
      between[0] * between[0] + between[1] * between[1] + between[2] * between[2],
    );
    normal[0] = length > 0 ? between[0] / length : 0;
    normal[1] = length > 0 ? between[1] / length : 0;
    normal[2] = length > 0 ? between[2] / length : 1;
    simplex.count = 0;
    for (let k = 0; k < MOST_SUPPORTS; k++) {
      const at = simplex.count;
      this.support(i, j, at);
      const low = normal[0] * w[3 * at] + normal[1] * w[3 * at + 1] + normal[2] * w[3 * at + 2];
      if (low > bound[0]) bound[0] = low;
      if (bound[0] >= enough[0]) return;
      if (at === 0) simplex.start();
      else {
        if (distance[0] - low <= CLOSE * distance[0]) return;
        simplex.count = at + 1;
        if (simplex.reduce() || !simplex.improved) return;
      }
      if (!(distance[0] > 0)) return;
    }
  }

  /** The point of A − B that is lowest along the normal, into vertex `at` of the simplex. */
  private support(i: number, j: number, at: number): void {
    const { a, b, simplex } = this;
    const { rotation: r, origin } = this.posed;
    const { normal: n } = simplex;
    const { w } = simplex.vertices;
    const v = a.facets.vertices;
    const nx = r[0] * n[0] + r[3] * n[1] + r[6] * n[2];
    const ny = r[1] * n[0] + r[4] * n[1] + r[7] * n[2];
    const nz = r[2] * n[0] + r[5] * n[1] + r[8] * n[2];
    let least = Infinity;
    let p = 0;
    for (let k = a.hullFirst[i]; k < a.hullFirst[i + 1]; k++) {
      const o = 3 * a.hull[k];
      const h = nx * v[o] + ny * v[o + 1] + nz * v[o + 2];
      if (h < least) {
        least = h;
        p = o;
      }
    }
    const u = b.facets.vertices;
    let most = -Infinity;
    let q = 0;
    for (let k = b.hullFirst[j]; k < b.hullFirst[j + 1]; k++) {
      const o = 3 * b.hull[k];
      const h = n[0] * u[o] + n[1] * u[o + 1] + n[2] * u[o + 2];
      if (h > most) {
        most = h;
        q = o;
      }
    }
    for (let k = 0; k < 3; k++) {
      w[3 * at + k] =
        r[3 * k] * v[p] + r[3 * k + 1] * v[p + 1] + r[3 * k + 2] * v[p + 2] + origin[k] - u[q + k];
    }
  }
}
