/**
 * Binary tree over the facets of a body in flat arrays. A leaf is a facet; an inner node wraps what is below it in a sphere, a box of the
 * body's axes and, where there are few enough, the extreme vertices of its convex hull. Facets are split at the median of their centroids
 * along the longest axis of the box of the centroids, ties by their index. F facets make 2 F − 1 nodes. It allocates and is for
 * construction. `LaFarge & Lewis 1998`; docs/theory/faceted.md.
 */
import { SymmetricEigen } from '../math/symmetric-eigen.ts';
import type { Facets } from '../shapes/facets.ts';

/** Most vertices of a node that keeps them; larger ones are asked for their boxes. */
const MOST_HULL = 64;

/** A tree; node 0 is its root. */
export interface FacetTree {
  readonly facets: Facets;
  /** Children, −1 for a leaf; facet of a leaf, −1 for an inner node. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly facet: Int32Array;
  /** Middle of the sphere (3), body frame, and its radius, m. */
  readonly centers: Float64Array;
  readonly radii: Float64Array;
  /** Largest distance of a vertex from the origin of the body, m. */
  readonly reaches: Float64Array;
  /** Half edges of the box about the middle of the sphere, m. */
  readonly halves: Float64Array;
  /** A box that lies with the node: its middle (3), its axes, one after the other (9), body frame, and its half edges (3), m. */
  readonly boxCenters: Float64Array;
  readonly boxAxes: Float64Array;
  readonly boxHalves: Float64Array;
  /** Vertices of node k that have all corners of its hull: hull[hullFirst[k]] to hull[hullFirst[k + 1] − 1]; none where there would be too many. */
  readonly hullFirst: Int32Array;
  readonly hull: Int32Array;
  readonly depth: number;
}

/** Builds the tree. */
export function makeFacetTree(facets: Facets): FacetTree {
  const nodes = 2 * facets.facetCount - 1;
  const tree = {
    facets,
    left: new Int32Array(nodes).fill(-1),
    right: new Int32Array(nodes).fill(-1),
    facet: new Int32Array(nodes).fill(-1),
    centers: new Float64Array(3 * nodes),
    radii: new Float64Array(nodes),
    reaches: new Float64Array(nodes),
    halves: new Float64Array(3 * nodes),
    boxCenters: new Float64Array(3 * nodes),
    boxAxes: new Float64Array(9 * nodes),
    boxHalves: new Float64Array(3 * nodes),
    hullFirst: new Int32Array(nodes + 1),
  };
  const hulls: Int32Array[] = [];
  const centroids = centroidsOf(facets);
  const fit = new BoxFit(facets.vertices);
  // vertices of the node that is measured, each once, and the last node that has had each
  const used = new Int32Array(facets.vertexCount);
  const usedBy = new Int32Array(facets.vertexCount).fill(-1);
  let next = 0;
  let depth = 0;

  const build = (members: Int32Array, level: number): number => {
    const node = next++;
    depth = Math.max(depth, level);
    measure(node, members);
    if (members.length === 1) {
      tree.facet[node] = members[0];
      return node;
    }
    const axis = longestAxis(centroids, members);
    const ordered = members.sort(
      (a, b) => centroids[3 * a + axis] - centroids[3 * b + axis] || a - b,
    );
    const half = ordered.length >> 1;
    tree.left[node] = build(ordered.slice(0, half), level + 1);
    tree.right[node] = build(ordered.slice(half), level + 1);
    return node;
  };

  const measure = (node: number, members: Int32Array): void => {
    let count = 0;
    for (let m = 0; m < members.length; m++) {
      const f = members[m];
      for (let c = facets.first[f]; c < facets.first[f + 1]; c++) {
        const k = facets.corners[c];
        if (usedBy[k] === node) continue;
        usedBy[k] = node;
        used[count++] = k;
      }
    }
    const v = facets.vertices;
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let n = 0; n < count; n++) {
        const along = v[3 * used[n] + axis];
        if (along < low) low = along;
        if (along > high) high = along;
      }
      const middle = low + 0.5 * (high - low);
      tree.centers[3 * node + axis] = middle;
      tree.halves[3 * node + axis] = Math.max(high - middle, middle - low);
    }
    let radius = 0;
    let reach = 0;
    for (let n = 0; n < count; n++) {
      let fromCenter = 0;
      let fromOrigin = 0;
      for (let a = 0; a < 3; a++) {
        const along = v[3 * used[n] + a];
        const beside = along - tree.centers[3 * node + a];
        fromCenter += beside * beside;
        fromOrigin += along * along;
      }
      radius = Math.max(radius, fromCenter);
      reach = Math.max(reach, fromOrigin);
    }
    tree.radii[node] = Math.sqrt(radius);
    tree.reaches[node] = Math.sqrt(reach);
    fit.measure(used, count, node, tree);
    hulls[node] = used.slice(0, count > MOST_HULL ? 0 : count);
  };

  build(
    Int32Array.from({ length: facets.facetCount }, (_, f) => f),
    1,
  );
  hulls.forEach((hull, node) => {
    tree.hullFirst[node + 1] = tree.hullFirst[node] + hull.length;
  });
  const hull = new Int32Array(tree.hullFirst[nodes]);
  hulls.forEach((vertices, node) => {
    hull.set(vertices, tree.hullFirst[node]);
  });
  return { ...tree, hull, depth };
}

/** Boxes along the principal axes of vertices. */
class BoxFit {
  private readonly vertices: Float64Array;
  private readonly eigen: SymmetricEigen = new SymmetricEigen();
  private readonly mean: Float64Array = new Float64Array(3);
  /** Sums of xx, yy, zz, xy, xz, yz about the mean. */
  private readonly spread: Float64Array = new Float64Array(6);
  private readonly one: Float64Array = Float64Array.of(1);

  constructor(vertices: Float64Array) {
    this.vertices = vertices;
  }

  /** The box of node `node` around the first `count` vertices of the list. */
  measure(
    used: Int32Array,
    count: number,
    node: number,
    tree: { boxCenters: Float64Array; boxAxes: Float64Array; boxHalves: Float64Array },
  ): void {
    const { vertices: v, mean, spread, eigen } = this;
    mean.fill(0);
    for (let n = 0; n < count; n++) for (let a = 0; a < 3; a++) mean[a] += v[3 * used[n] + a];
    for (let a = 0; a < 3; a++) mean[a] /= count;
    spread.fill(0);
    for (let n = 0; n < count; n++) {
      const o = 3 * used[n];
      const x = v[o] - mean[0];
      const y = v[o + 1] - mean[1];
      const z = v[o + 2] - mean[2];
      spread[0] += x * x;
      spread[1] += y * y;
      spread[2] += z * z;
      spread[3] += x * y;
      spread[4] += x * z;
      spread[5] += y * z;
    }
    eigen.decompose(spread, 0, this.one);
    const { vectors: axes } = eigen;
    for (let a = 0; a < 3; a++) {
      let low = Infinity;
      let high = -Infinity;
      const x = axes[3 * a];
      const y = axes[3 * a + 1];
      const z = axes[3 * a + 2];
      for (let n = 0; n < count; n++) {
        const o = 3 * used[n];
        const along = x * v[o] + y * v[o + 1] + z * v[o + 2];
        if (along < low) low = along;
        if (along > high) high = along;
      }
      const middle = low + 0.5 * (high - low);
      tree.boxHalves[3 * node + a] = Math.max(high - middle, middle - low);
      for (let b = 0; b < 3; b++) {
        tree.boxAxes[9 * node + 3 * a + b] = axes[3 * a + b];
        tree.boxCenters[3 * node + b] += middle * axes[3 * a + b];
      }
    }
  }
}

function centroidsOf({ vertices, first, corners, facetCount }: Facets): Float64Array {
  const centroids = new Float64Array(3 * facetCount);
  for (let f = 0; f < facetCount; f++) {
    const count = first[f + 1] - first[f];
    for (let c = first[f]; c < first[f + 1]; c++) {
      for (let a = 0; a < 3; a++) centroids[3 * f + a] += vertices[3 * corners[c] + a] / count;
    }
  }
  return centroids;
}

function longestAxis(centroids: Float64Array, members: Int32Array): number {
  let best = 0;
  let most = -1;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let m = 0; m < members.length; m++) {
      const value = centroids[3 * members[m] + axis];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > most) {
      most = high - low;
      best = axis;
    }
  }
  return best;
}
