/**
 * Queries on the facets of two bodies: all pairs nearer than a limit, the nearest pair, whether the surfaces cut each other, and whether one
 * body is inside the other. `LaFarge & Lewis 1998`; docs/theory/faceted.md.
 *
 * Pairs of nodes make a tree of their own: the pair of the roots, and below a pair those with the children of its larger node. It does not
 * depend on the pose, and pairs are found in its order, so that a sum over them is the same to the last bit whatever was asked before.
 *
 * The front is where the last descent stopped. A pair of nodes on it keeps the bound L of its distance; since then no distance of it has
 * fallen by more than the motion |Δx| + ρ |ΔR| of A, seen from B. Only where L less that motion is below the limit is the pair examined
 * again. Pairs within the limit always are, so that the answer is that of a search without memory. They are tried with the corners and
 * edges that had their closest points before (facet-witness.ts).
 */
import { type Columns, OWN_COLUMNS } from '../math/columns.ts';
import { FacetDistance } from './facet-distance.ts';
import { FacetFront } from './facet-front.ts';
import { FacetNearest } from './facet-nearest.ts';
import type { FacetTree } from './facet-tree.ts';
import { NodeBound } from './node-bound.ts';
import type { PosedFacet } from './posed-facet.ts';
import {
  COUNTS,
  DIRECTION,
  DISTANCE,
  EXAMINED,
  FOUND,
  LEAST,
  LENGTH,
  LIMIT as WALK_LIMIT,
  MOVED as WALK_MOVED,
  NO_GUESS,
  POINT_A,
  POINT_B,
  POSE,
  REFUSED,
  SCALE,
  WALK,
} from './witness-slots.ts';

/** What a body is to the other one. */
export const PoseClass = {
  /** Farther apart than the limit. */
  free: 0,
  /** Nearer, and outside of each other. */
  contact: 1,
  /** The surfaces cut each other, or one is inside the other. */
  penetrating: 2,
} as const;

/** Part of the extents that bounds of nodes may be wrong by: their hulls leave out what stands out by 1e-10 of a node. */
const SLACK = 1e-9;
/** Entries of a front at most. */
const MOST_FRONT = 1 << 17;
/** A front this much longer than after its making is made anew. */
const GROWN = 2;
const SPARE = 64;

// slots of the scalars
const LIMIT = 0; //   m
const ENOUGH = 1; //  bound at which a search of hulls may end, m
const MOVED = 2; //   sum of the steps of A, frame of B, m
const BUDGET = 3; //  of an entry of the front, m
const SCALARS = 4;

/** Entries for which the front of a query has room. */
export function frontRoom(treeA: FacetTree, treeB: FacetTree, capacity: number): number {
  const nodes = treeA.left.length + treeB.left.length;
  return Math.min(MOST_FRONT, 8 * (nodes + capacity));
}

/** Goes along the front of a query from an entry on, as `repeat` does; the first entry that needs a search, or the length of the front. */
export type FrontWalk = (from: number) => number;

/** The queries on two bodies A and B. Results are in the frame of B. */
export class FacetQuery {
  readonly treeA: FacetTree;
  readonly treeB: FacetTree;
  /** Pairs of the last `collect`: facets, features, distance, points (3 each) and direction from B to A (3). */
  count = 0;
  readonly facetsA: Int32Array;
  readonly facetsB: Int32Array;
  readonly featuresA: Int32Array;
  readonly featuresB: Int32Array;
  readonly distances: Float64Array;
  readonly pointsA: Float64Array;
  readonly pointsB: Float64Array;
  readonly directions: Float64Array;
  /** Pairs that found no place. */
  refused = 0;
  /** Slots of the result of witness-slots.ts, facets and features of the last `findNearest`. */
  readonly nearest: Float64Array;
  readonly nearestFacets: Int32Array;
  readonly nearestFeatures: Int32Array;
  /** Pairs of nodes and of facets that the last query examined. */
  examined = 0;
  private readonly distance: FacetDistance;
  private readonly bounds: NodeBound;
  private readonly least: FacetNearest;
  private readonly scalars: Float64Array = new Float64Array(SCALARS);
  private readonly limit: Float64Array;
  private readonly enough: Float64Array;
  private readonly slack: Float64Array;
  private readonly stackA: Int32Array;
  private readonly stackB: Int32Array;
  readonly front: FacetFront;
  /** Numbers and counts of a walk by a kernel. */
  readonly walkNumbers: Float64Array;
  readonly walkCounts: Int32Array;
  /** A kernel that goes along the front; null: none does. */
  walk: FrontWalk | null = null;
  private readonly budget: Float64Array;
  /** Length of the front when it was made from the roots; 0: it has to be. */
  private made = 0;
  /** Whether the last `collect` made it. */
  private fresh = false;
  /** Number of the pose at which `nearestFacets` were the nearest ones. */
  private nearestPose = -1;
  private readonly lastRotation: Float64Array = new Float64Array(9);
  private readonly lastOrigin: Float64Array = new Float64Array(3);

  /**
   * @param capacity - most pairs of `collect`
   * @param columns - where front and pairs lie
   */
  constructor(
    treeA: FacetTree,
    treeB: FacetTree,
    capacity: number,
    columns: Columns = OWN_COLUMNS,
  ) {
    this.treeA = treeA;
    this.treeB = treeB;
    this.facetsA = columns.integers(capacity);
    this.facetsB = columns.integers(capacity);
    this.featuresA = columns.integers(capacity);
    this.featuresB = columns.integers(capacity);
    this.distances = columns.doubles(capacity);
    this.pointsA = columns.doubles(3 * capacity);
    this.pointsB = columns.doubles(3 * capacity);
    this.directions = columns.doubles(3 * capacity);
    this.walkNumbers = columns.doubles(WALK);
    this.walkCounts = columns.integers(COUNTS);
    this.distance = new FacetDistance(treeA.facets, treeB.facets, columns);
    this.bounds = new NodeBound(treeA, treeB, this.distance.posed);
    this.limit = this.scalars.subarray(LIMIT, LIMIT + 1);
    this.budget = this.scalars.subarray(BUDGET, BUDGET + 1);
    this.enough = this.scalars.subarray(ENOUGH, ENOUGH + 1);
    this.slack = Float64Array.of(SLACK * (treeA.facets.extent + treeB.facets.extent));
    this.least = new FacetNearest(treeA, treeB, this.distance, this.bounds, this.slack);
    this.nearest = this.least.result;
    this.nearestFacets = this.least.facets;
    this.nearestFeatures = this.least.features;
    const deep = treeA.depth + treeB.depth + 2;
    this.stackA = new Int32Array(deep);
    this.stackB = new Int32Array(deep);
    this.front = new FacetFront(frontRoom(treeA, treeB, capacity), columns);
  }

  /** A at its pose in the frame of B. */
  get posed(): PosedFacet {
    return this.distance.posed;
  }

  /** The pose of A and of B: rotations row by row, origins as positions[0..2] of the states. @alloc none */
  place(
    rotationA: Float64Array,
    stateA: Float64Array,
    rotationB: Float64Array,
    stateB: Float64Array,
  ): void {
    const { posed } = this.distance;
    const { rotation: r, origin: o } = posed;
    const { lastRotation, lastOrigin, scalars } = this;
    const x = stateA[0] - stateB[0];
    const y = stateA[1] - stateB[1];
    const z = stateA[2] - stateB[2];
    let step = 0;
    let turn = 0;
    for (let row = 0; row < 3; row++) {
      const p = rotationB[row];
      const q = rotationB[3 + row];
      const s = rotationB[6 + row];
      o[row] = p * x + q * y + s * z;
      step += (o[row] - lastOrigin[row]) * (o[row] - lastOrigin[row]);
      lastOrigin[row] = o[row];
      for (let c = 0; c < 3; c++) {
        const at = 3 * row + c;
        r[at] = p * rotationA[c] + q * rotationA[3 + c] + s * rotationA[6 + c];
        turn += (r[at] - lastRotation[at]) * (r[at] - lastRotation[at]);
        lastRotation[at] = r[at];
      }
    }
    posed.move();
    scalars[MOVED] += Math.sqrt(step) + this.treeA.reaches[0] * Math.sqrt(0.5 * turn);
  }

  /** All pairs of facets nearer than limit[0]; their number, at most the capacity. @alloc none */
  collect(limit: Float64Array): number {
    const { scalars, slack } = this;
    scalars[LIMIT] = limit[0];
    scalars[ENOUGH] = 2 * limit[0] + slack[0];
    this.count = 0;
    this.refused = 0;
    this.examined = 0;
    const { front } = this;
    front.begin();
    this.fresh = this.made === 0 || front.count > GROWN * this.made + SPARE;
    if (!this.fresh) this.followFront();
    else {
      scalars[MOVED] = 0;
      this.descend(0, 0);
      front.takeAll();
      this.made = front.count;
    }
    if (front.overflowed) this.made = 0;
    return this.count;
  }

  private followFront(): void {
    const { scalars, front } = this;
    const { budgets, count } = front;
    const least = scalars[LIMIT] + this.slack[0] + scalars[MOVED];
    if (this.walk !== null) this.followWalk(this.walk);
    else for (let n = 0; n < count; n++) if (!(budgets[n] >= least)) this.examine(n);
    front.merge();
  }

  /** The same where a kernel takes what needs no search. */
  private followWalk(walk: FrontWalk): void {
    const { walkNumbers: numbers, walkCounts: counts, scalars, front } = this;
    const { count } = front;
    numbers[WALK_LIMIT] = scalars[LIMIT];
    numbers[LEAST] = scalars[LIMIT] + this.slack[0] + scalars[MOVED];
    numbers[WALK_MOVED] = scalars[MOVED];
    numbers[SCALE] = this.treeA.facets.extent + this.treeB.facets.extent + this.posed.reach[0];
    counts[LENGTH] = count;
    counts[POSE] = this.posed.pose;
    for (let n = 0; n < count; n++) {
      counts[FOUND] = this.count;
      counts[REFUSED] = this.refused;
      counts[EXAMINED] = this.examined;
      n = walk(n);
      this.count = counts[FOUND];
      this.refused = counts[REFUSED];
      this.examined = counts[EXAMINED];
      if (n < count) this.examine(n);
    }
  }

  /** Entry n of the front may be within the limit. */
  private examine(n: number): void {
    const { front } = this;
    if (front.guesses[n] === NO_GUESS) {
      this.descend(front.a[n], front.b[n]);
      front.settle(n);
    } else this.repeat(n);
  }

  /** Entry n of the front, two facets of which the closest corners and edges of before are known. */
  private repeat(n: number): void {
    const { front, distance, limit } = this;
    const { result } = distance;
    const f = this.treeA.facet[front.a[n]];
    const g = this.treeB.facet[front.b[n]];
    this.examined++;
    distance.repeat(f, g, limit, front.guesses[n]);
    front.budgets[n] = result[DISTANCE] + this.scalars[MOVED];
    front.guesses[n] = distance.guess;
    if (result[DISTANCE] < limit[0]) this.take(f, g);
  }

  /** A pair of nodes whose distance is not below bound[0] ends the descent. */
  private add(i: number, j: number, bound: Float64Array, guess: number): void {
    this.scalars[BUDGET] = bound[0] + this.scalars[MOVED];
    this.front.add(i, j, this.budget, guess);
  }

  /** Everything below a pair of nodes, in the order of the tree of pairs. */
  private descend(i: number, j: number): void {
    const { treeA, treeB, stackA, stackB, bounds, enough, slack, distance, limit } = this;
    const least = limit[0] + slack[0];
    let top = 0;
    stackA[0] = i;
    stackB[0] = j;
    while (top >= 0) {
      const p = stackA[top];
      const q = stackB[top];
      top--;
      this.examined++;
      bounds.compute(p, q, enough);
      if (bounds.bound[0] >= least) {
        this.add(p, q, bounds.bound, NO_GUESS);
        continue;
      }
      const f = treeA.facet[p];
      const g = treeB.facet[q];
      if (f >= 0 && g >= 0) {
        distance.compute(f, g, limit);
        this.add(p, q, distance.result, distance.guess);
        if (distance.result[DISTANCE] < limit[0]) this.take(f, g);
        continue;
      }
      top += 2;
      if (f < 0 && (g >= 0 || treeA.radii[p] >= treeB.radii[q])) {
        stackA[top - 1] = treeA.right[p];
        stackA[top] = treeA.left[p];
        stackB[top - 1] = q;
        stackB[top] = q;
      } else {
        stackA[top - 1] = p;
        stackA[top] = p;
        stackB[top - 1] = treeB.right[q];
        stackB[top] = treeB.left[q];
      }
    }
  }

  private take(f: number, g: number): void {
    const { result, features } = this.distance;
    const at = this.count;
    if (at === this.facetsA.length) {
      this.refused++;
      return;
    }
    this.count++;
    this.facetsA[at] = f;
    this.facetsB[at] = g;
    this.featuresA[at] = features[0];
    this.featuresB[at] = features[1];
    this.distances[at] = result[DISTANCE];
    const { pointsA, pointsB, directions } = this;
    const o = 3 * at;
    pointsA[o] = result[POINT_A];
    pointsA[o + 1] = result[POINT_A + 1];
    pointsA[o + 2] = result[POINT_A + 2];
    pointsB[o] = result[POINT_B];
    pointsB[o + 1] = result[POINT_B + 1];
    pointsB[o + 2] = result[POINT_B + 2];
    directions[o] = result[DIRECTION];
    directions[o + 1] = result[DIRECTION + 1];
    directions[o + 2] = result[DIRECTION + 2];
  }

  /** The nearest pair of facets, the first in their order where several are, into `nearest` and its facets. @alloc none */
  findNearest(): void {
    this.least.find();
    this.examined = this.least.examined;
    this.nearestPose = this.posed.pose;
  }

  /**
   * The same after a `collect` at this pose: among its pairs, or along its front where the nearest pair of the pose before is known. The
   * answer has the same bits. @alloc none
   */
  followNearest(): void {
    const isKnown = this.made > 0 && this.nearestPose === this.posed.pose - 1;
    if (this.count > 0 && this.refused === 0) this.takeNearest();
    else if (this.count === 0 && isKnown) this.nearestOnFront();
    else this.findNearest();
  }

  /** All pairs that are not farther than the nearest one of the pose before are on the front, as within a limit. */
  private nearestOnFront(): void {
    const { least, slack, front, scalars } = this;
    least.tryFirst();
    this.examined = 1;
    scalars[LIMIT] = least.result[DISTANCE] + slack[0];
    scalars[ENOUGH] = 2 * scalars[LIMIT] + slack[0];
    front.begin();
    this.followFront();
    if (front.overflowed) this.made = 0;
    else if (this.fresh) this.made = front.count;
    if (this.refused > 0) this.findNearest();
    else this.takeNearest();
    this.count = 0;
    this.refused = 0;
  }

  /** The nearest of the pairs within the limit, the first in the order of facets where several are. */
  private takeNearest(): void {
    const { nearest, nearestFacets, nearestFeatures, distances, facetsA, facetsB } = this;
    let k = 0;
    for (let c = 1; c < this.count; c++) {
      const farther = distances[c] - distances[k];
      if (farther > 0) continue;
      if (farther < 0 || (facetsA[c] - facetsA[k] || facetsB[c] - facetsB[k]) < 0) k = c;
    }
    nearest[DISTANCE] = distances[k];
    for (let a = 0; a < 3; a++) {
      nearest[POINT_A + a] = this.pointsA[3 * k + a];
      nearest[POINT_B + a] = this.pointsB[3 * k + a];
      nearest[DIRECTION + a] = this.directions[3 * k + a];
    }
    nearestFacets[0] = facetsA[k];
    nearestFacets[1] = facetsB[k];
    nearestFeatures[0] = this.featuresA[k];
    nearestFeatures[1] = this.featuresB[k];
    this.nearestPose = this.posed.pose;
  }

  /** Whether the surfaces cut each other. @alloc none */
  interferes(): boolean {
    this.least.findCut();
    this.examined = this.least.examined;
    return this.nearest[DISTANCE] === 0;
  }

  /** PoseClass of the bodies for a limit: by the nearest pair, and the pseudo-normals of its features. Both surfaces are closed. @alloc none */
  classify(limit: Float64Array): number {
    this.findNearest();
    return this.classOfNearest(limit);
  }

  /** The same after a `collect` at this pose. @alloc none */
  classifyNext(limit: Float64Array): number {
    this.followNearest();
    return this.classOfNearest(limit);
  }

  private classOfNearest(limit: Float64Array): number {
    const { nearest, nearestFeatures: f } = this;
    if (nearest[DISTANCE] === 0) return PoseClass.penetrating;
    if (this.isInside(f[0], f[1], nearest, DIRECTION)) return PoseClass.penetrating;
    return nearest[DISTANCE] < limit[0] ? PoseClass.contact : PoseClass.free;
  }

  /** Whether the nearest of the pairs of the last `collect` cuts or lies inside: false without a pair. Both surfaces are closed. @alloc none */
  penetrates(): boolean {
    const { distances, featuresA, featuresB } = this;
    if (this.count === 0) return false;
    let least = 0;
    for (let k = 1; k < this.count; k++) if (distances[k] < distances[least]) least = k;
    if (distances[least] === 0) return true;
    return this.isInside(featuresA[least], featuresB[least], this.directions, 3 * least);
  }

  /** Whether a direction from B to A runs against the pseudo-normal of a feature. */
  private isInside(
    featureA: number,
    featureB: number,
    direction: Float64Array,
    at: number,
  ): boolean {
    const { rotation: r } = this.distance.posed;
    const n = this.treeA.facets.pseudoNormals;
    const m = this.treeB.facets.pseudoNormals;
    const p = 3 * featureA;
    const q = 3 * featureB;
    let ofA = 0;
    let ofB = 0;
    for (let a = 0; a < 3; a++) {
      const d = direction[at + a];
      ofA -= d * (r[3 * a] * n[p] + r[3 * a + 1] * n[p + 1] + r[3 * a + 2] * n[p + 2]);
      ofB += d * m[q + a];
    }
    return ofA < 0 || ofB < 0;
  }
}
