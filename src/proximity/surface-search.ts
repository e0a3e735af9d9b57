/**
 * The nearest, or deepest, place of two bodies of faces without a place to begin with: the least distance of points of cells bounds the
 * distance from above; pairs of cells that may come as near, and a cell's size farther, are seeds; Newton goes on from each of up to twelve.
 * What is not a seed is known to be farther than a bound, from which follows how far bodies may move before another place may be the nearest.
 * `docs/theory/freeform.md`
 */
import { multiply3 } from '../math/mat3.ts';
import { type FeatureSolver, GAP_FOUND } from './feature-solver.ts';
import type { FeaturePoint } from './feature-point.ts';
import type { SurfaceTree } from './surface-tree.ts';

/** Seeds, at most. */
const SEEDS = 12;
/** Visits of pairs of nodes, at most, of each of the two descents. */
const VISITS = 20_000;
/** Distance of two seeds over the radii of their cells within which they are one. */
const SAME = 1.2;
/** Distance of two places within which they are one, m. */
const MERGED = 1e-9;

/** Slots of `bound`. */
export const RESERVE = 0; // gap of the second best place, or what is known of it, less that of the best, m
const BEST = 1; //           least distance of two points, m
const BOUND = 2;

/** A search of one pair of bodies. */
export class SurfaceSearch {
  readonly bound: Float64Array = new Float64Array(BOUND);
  /** [pairs of nodes visited, places found] of the last search */
  readonly counts: Int32Array = new Int32Array(2);
  private readonly solver: FeatureSolver;
  private readonly treeI: SurfaceTree;
  private readonly treeJ: SurfaceTree;
  private readonly rotation: Float64Array;
  private readonly offset: Float64Array;
  private readonly stack: Int32Array;
  private readonly seeds: Int32Array = new Int32Array(2 * SEEDS);
  private readonly scores: Float64Array = new Float64Array(SEEDS);
  private readonly seedCount: Int32Array = new Int32Array(1);
  /** Middle and point of a node of i in the frame of j. */
  private readonly center: Float64Array = new Float64Array(3);
  /** [distance less radii, distance of points, score] */
  private readonly distances: Float64Array = new Float64Array(3);
  /** Best place: gap, parameters of i and j; places on both bodies of all that were found. */
  private readonly best: Float64Array = new Float64Array(5);
  private readonly found: Float64Array = new Float64Array(6 * SEEDS);
  private readonly features: Int32Array = new Int32Array(2);
  /** The two leaves whose points are nearest; −1 where the pose is no number. */
  private readonly nearest: Int32Array = new Int32Array(2);

  /**
   * @param rotation frame of i in that of j, nine numbers
   * @param offset its origin there, m
   */
  constructor(
    solver: FeatureSolver,
    treeI: SurfaceTree,
    treeJ: SurfaceTree,
    rotation: Float64Array,
    offset: Float64Array,
  ) {
    this.solver = solver;
    this.treeI = treeI;
    this.treeJ = treeJ;
    this.rotation = rotation;
    this.offset = offset;
    this.stack = new Int32Array(4 * (treeI.depth + treeJ.depth) + 8);
  }

  /** Puts both points of the solver at the nearest place; false where none is found. @alloc none */
  find(): boolean {
    const { solver, bound, best, found, features, seeds, counts } = this;
    const { i, j, result } = solver;
    bound[BEST] = Infinity;
    this.nearest.fill(-1);
    counts[0] = 0;
    counts[1] = 0;
    this.descend(false);
    this.seedCount[0] = 0;
    this.descend(true);
    const margin = Math.max(this.treeI.coarse, this.treeJ.coarse);
    const farthest = bound[BEST] + 2 * margin;
    const radii = i.body.radius[0] + j.body.radius[0];
    let second = bound[BEST] + margin - radii;
    best[0] = Infinity;
    const count = this.seedCount[0];
    for (let s = 0; s < count; s++) {
      place(i, this.treeI, seeds[2 * s]);
      place(j, this.treeJ, seeds[2 * s + 1]);
      if (!solver.solveFromSeed() || !solver.isNearest) continue;
      const gap = result[GAP_FOUND];
      if (Math.abs(gap + radii) > farthest) continue;
      if (!this.isNew()) continue;
      if (gap < best[0]) {
        if (best[0] < second) second = best[0];
        best[0] = gap;
        best[1] = i.q[0];
        best[2] = i.q[1];
        best[3] = j.q[0];
        best[4] = j.q[1];
        features[0] = i.feature[0];
        features[1] = j.feature[0];
      } else if (gap < second) second = gap;
      if (counts[1] < SEEDS) {
        for (let a = 0; a < 3; a++) {
          found[6 * counts[1] + a] = i.out[a];
          found[6 * counts[1] + 3 + a] = j.out[a];
        }
        counts[1]++;
      }
    }
    if (!(best[0] < Infinity)) return false;
    i.feature[0] = features[0];
    j.feature[0] = features[1];
    i.q[0] = best[1];
    i.q[1] = best[2];
    j.q[0] = best[3];
    j.q[1] = best[4];
    bound[RESERVE] = second > best[0] ? second - best[0] : 0;
    return solver.solve();
  }

  /** Puts both points at the cells of the last search that were nearest; false where there are none. @alloc none */
  placeNearest(): boolean {
    const { nearest, solver } = this;
    if (nearest[0] < 0) return false;
    place(solver.i, this.treeI, nearest[0]);
    place(solver.j, this.treeJ, nearest[1]);
    return true;
  }

  /** Whether the place of the solver is none of those found. */
  private isNew(): boolean {
    const { found, counts, solver } = this;
    const { i, j } = solver;
    for (let s = 0; s < counts[1]; s++) {
      let apart = 0;
      for (let a = 0; a < 3; a++) {
        const x = Math.abs(found[6 * s + a] - i.out[a]);
        const y = Math.abs(found[6 * s + 3 + a] - j.out[a]);
        if (x > apart) apart = x;
        if (y > apart) apart = y;
      }
      if (apart < MERGED) return false;
    }
    return true;
  }

  /** Descends both trees: for the least distance of points, or for the seeds. */
  private descend(collects: boolean): void {
    const { treeI, treeJ, stack, bound, distances, counts } = this;
    const margin = collects ? Math.max(treeI.coarse, treeJ.coarse) : 0;
    let top = 0;
    stack[top++] = 0;
    stack[top++] = 0;
    const limit = counts[0] + VISITS;
    while (top > 0 && counts[0] < limit) {
      const b = stack[--top];
      const a = stack[--top];
      counts[0]++;
      this.measure(a, b);
      if (distances[0] > bound[BEST] + margin) continue;
      const leafA = treeI.left[a] < 0;
      const leafB = treeJ.left[b] < 0;
      if (leafA && leafB) {
        if (collects) this.keep(a, b);
        else if (distances[1] < bound[BEST]) {
          bound[BEST] = distances[1];
          this.nearest[0] = a;
          this.nearest[1] = b;
        }
        continue;
      }
      const splitsA = !leafA && (leafB || treeI.radii[a] > treeJ.radii[b]);
      const a1 = splitsA ? treeI.left[a] : a;
      const b1 = splitsA ? b : treeJ.left[b];
      const a2 = splitsA ? treeI.right[a] : a;
      const b2 = splitsA ? b : treeJ.right[b];
      this.measure(a1, b1);
      const first = distances[0];
      this.measure(a2, b2);
      const nearer = first <= distances[0];
      // the nearer one on top
      stack[top++] = nearer ? a2 : a1;
      stack[top++] = nearer ? b2 : b1;
      stack[top++] = nearer ? a1 : a2;
      stack[top++] = nearer ? b1 : b2;
    }
  }

  /** `distances` of two nodes. */
  private measure(a: number, b: number): void {
    const { treeI, treeJ, center, offset, distances } = this;
    multiply3(center, 0, this.rotation, treeI.centers, 3 * a);
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const x = center[k] + offset[k] - treeJ.centers[3 * b + k];
      square += x * x;
    }
    distances[0] = Math.sqrt(square) - treeI.radii[a] - treeJ.radii[b];
    if (treeI.left[a] >= 0 || treeJ.left[b] >= 0) return;
    multiply3(center, 0, this.rotation, treeI.points, 3 * a);
    square = 0;
    for (let k = 0; k < 3; k++) {
      const x = center[k] + offset[k] - treeJ.points[3 * b + k];
      square += x * x;
    }
    distances[1] = Math.sqrt(square);
  }

  /** Takes a pair of leaves among the seeds, nearest points first; one that is beside a nearer one is left out. */
  private keep(a: number, b: number): void {
    const { treeI, treeJ, seeds, scores, distances, seedCount } = this;
    const score = distances[1];
    let count = seedCount[0];
    for (let s = 0; s < count; s++) {
      if (!near(treeI, a, seeds[2 * s]) || !near(treeJ, b, seeds[2 * s + 1])) continue;
      if (scores[s] <= score) return;
      // the nearer one takes its place
      count--;
      for (let k = s; k < count; k++) {
        scores[k] = scores[k + 1];
        seeds[2 * k] = seeds[2 * k + 2];
        seeds[2 * k + 1] = seeds[2 * k + 3];
      }
      s--;
    }
    let at = count;
    while (at > 0 && scores[at - 1] > score) at--;
    if (at < SEEDS) {
      const last = count < SEEDS ? count : SEEDS - 1;
      for (let k = last; k > at; k--) {
        scores[k] = scores[k - 1];
        seeds[2 * k] = seeds[2 * k - 2];
        seeds[2 * k + 1] = seeds[2 * k - 1];
      }
      scores[at] = score;
      seeds[2 * at] = a;
      seeds[2 * at + 1] = b;
      if (count < SEEDS) count++;
    }
    seedCount[0] = count;
  }
}

/** Whether two leaves of a tree are beside each other. */
function near(tree: SurfaceTree, a: number, b: number): boolean {
  const { centers, radii } = tree;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const x = centers[3 * a + k] - centers[3 * b + k];
    square += x * x;
  }
  const most = SAME * (radii[a] > radii[b] ? radii[a] : radii[b]);
  return square <= most * most;
}

/** Puts a point at that of a leaf. */
function place(point: FeaturePoint, tree: SurfaceTree, leaf: number): void {
  const face = tree.faces[leaf];
  point.feature[0] = face < 0 ? 0 : face;
  point.q[0] = tree.places[2 * leaf];
  point.q[1] = tree.places[2 * leaf + 1];
}
