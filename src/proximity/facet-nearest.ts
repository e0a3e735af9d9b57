/**
 * The nearest pair of facets of two bodies by a search of their trees from the roots: depth first, without memory but for the nearest pair
 * of before, whose distance is a good first bound. docs/theory/faceted.md.
 */
import type { FacetDistance } from './facet-distance.ts';
import type { FacetTree } from './facet-tree.ts';
import type { NodeBound } from './node-bound.ts';
import { DISTANCE, FACET_RESULT } from './witness-slots.ts';

/** A search for the nearest pair. */
export class FacetNearest {
  /** Slots of witness-slots.ts, facets and features of what was found last. */
  readonly result: Float64Array = new Float64Array(FACET_RESULT);
  readonly facets: Int32Array = new Int32Array(2);
  readonly features: Int32Array = new Int32Array(2);
  /** Pairs of nodes and of facets that the last search examined. */
  examined = 0;
  private readonly treeA: FacetTree;
  private readonly treeB: FacetTree;
  private readonly distance: FacetDistance;
  private readonly bounds: NodeBound;
  /** [what bounds of nodes may be wrong by, m] */
  private readonly slack: Float64Array;
  /** [what is not farther is of interest, m] and [bound at which a search of hulls may end, m] */
  private readonly limit: Float64Array = new Float64Array(1);
  private readonly enough: Float64Array = new Float64Array(1);
  private readonly stackA: Int32Array;
  private readonly stackB: Int32Array;
  private readonly stackBounds: Float64Array;

  constructor(
    treeA: FacetTree,
    treeB: FacetTree,
    distance: FacetDistance,
    bounds: NodeBound,
    slack: Float64Array,
  ) {
    this.treeA = treeA;
    this.treeB = treeB;
    this.distance = distance;
    this.bounds = bounds;
    this.slack = slack;
    const deep = treeA.depth + treeB.depth + 2;
    this.stackA = new Int32Array(deep);
    this.stackB = new Int32Array(deep);
    this.stackBounds = new Float64Array(deep);
  }

  /** The nearest pair of facets, the first in their order where several are. @alloc none */
  find(): void {
    this.tryFirst();
    this.search();
  }

  /** The same, but a pair that cuts each other wherever one does. @alloc none */
  findCut(): void {
    this.result[DISTANCE] = Infinity;
    this.limit[0] = Number.MIN_VALUE;
    this.examined = 0;
    this.search();
  }

  /** Only the pair of before. @alloc none */
  tryFirst(): void {
    this.result[DISTANCE] = Infinity;
    this.limit[0] = Infinity;
    this.examined = 0;
    this.consider(this.facets[0], this.facets[1]);
  }

  /** Depth first, the nearer child first; what cannot be below the least distance so far is left out. */
  private search(): void {
    const { treeA, treeB, stackA, stackB, stackBounds, bounds, enough, slack, limit } = this;
    let top = 0;
    stackA[0] = 0;
    stackB[0] = 0;
    stackBounds[0] = -Infinity;
    while (top >= 0) {
      const p = stackA[top];
      const q = stackB[top];
      const bound = stackBounds[top];
      top--;
      if (bound > limit[0] + slack[0]) continue;
      const f = treeA.facet[p];
      const g = treeB.facet[q];
      if (f >= 0 && g >= 0) {
        this.consider(f, g);
        continue;
      }
      enough[0] = limit[0] + 2 * slack[0];
      const splitA = f < 0 && (g >= 0 || treeA.radii[p] >= treeB.radii[q]);
      const leftA = splitA ? treeA.left[p] : p;
      const rightA = splitA ? treeA.right[p] : p;
      const leftB = splitA ? q : treeB.left[q];
      const rightB = splitA ? q : treeB.right[q];
      bounds.compute(leftA, leftB, enough);
      const near = bounds.bound[0];
      bounds.compute(rightA, rightB, enough);
      const far = bounds.bound[0];
      this.examined += 2;
      const swap = far < near;
      top += 2;
      stackA[top - 1] = swap ? leftA : rightA;
      stackB[top - 1] = swap ? leftB : rightB;
      stackBounds[top - 1] = swap ? near : far;
      stackA[top] = swap ? rightA : leftA;
      stackB[top] = swap ? rightB : leftB;
      stackBounds[top] = swap ? far : near;
    }
  }

  /** Takes a pair of facets when it is nearer, or as near and earlier. */
  private consider(f: number, g: number): void {
    const { distance, result, facets, features, limit, enough } = this;
    enough[0] = limit[0] + this.slack[0];
    distance.compute(f, g, enough);
    const d = distance.result[DISTANCE];
    if (!(d < enough[0]) || !(d <= result[DISTANCE])) return;
    if (d === result[DISTANCE]) {
      const later = f - facets[0] || g - facets[1];
      if (later >= 0) return;
    }
    for (let a = 0; a < FACET_RESULT; a++) result[a] = distance.result[a];
    for (let a = 0; a < 2; a++) features[a] = distance.features[a];
    facets[0] = f;
    facets[1] = g;
    if (d < limit[0]) limit[0] = d;
  }
}
