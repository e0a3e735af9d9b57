/**
 * Points with an area on a surface, to take integrals over it by. It allocates and is for construction. docs/theory/sampled.md.
 *
 * Triangles larger than a* = area/count are halved across their longest edge. What is smaller is put together with its neighbours up to a*: pieces
 * whose normals have the same largest component with the same sign are split at the median of their area along the longest axis of the box
 * of their centroids, ties by their order, until a part has no more than a*. A sample is the centroid of a part with its area, so that a
 * linear function has its exact integral whatever the triangles are. Between `count` and about twice as many samples result.
 *
 * Samples stand in the order of that tree. Its nodes down to LEAF samples have a sphere each; the highest nodes with no more than
 * area/patches are the patches.
 */
import { BerthError } from '../base/errors.ts';
import { doubleArea, type TriangleMesh } from './triangle-mesh.ts';

/** Samples with their tree, in flat arrays; lengths in metres. */
export interface SurfaceSamples {
  /** x, y, z of each sample. */
  readonly points: Float64Array;
  /** Area of each, m². */
  readonly areas: Float64Array;
  /** Nodes in the order of a descent: sphere (x, y, z, radius) over their samples. */
  readonly spheres: Float64Array;
  /** First sample of a node and the one behind its last; the next node that is not below it; patch of its samples, −1 above the patches. */
  readonly firsts: Int32Array;
  readonly ends: Int32Array;
  readonly skips: Int32Array;
  readonly patches: Int32Array;
  readonly patchCount: number;
  /** Largest distance of a sample from the origin, m. */
  readonly reach: number;
}

/** Most samples of a leaf of the tree. */
const LEAF = 8;
/** Numbers of a piece: centroid, area. */
const PIECE = 4;
const SIDES = 6;

/** Places samples on a surface. @throws BerthError for a surface without area */
export function surfaceSamples(
  mesh: TriangleMesh,
  count: number,
  patches: number,
  name: string,
): SurfaceSamples {
  const groups = piecesOf(mesh, count, name);
  const total = groups.area;
  const most = total / count;
  const tree = new TreeBuilder();
  for (const pieces of groups.sides) {
    if (pieces.length === 0) continue;
    const order = Int32Array.from({ length: pieces.length / PIECE }, (_, k) => k);
    tree.add(Float64Array.from(pieces), order, most, total / patches);
  }
  return tree.result();
}

/** Pieces of all triangles, no larger than area/count, by the side to which they look. */
function piecesOf(
  mesh: TriangleMesh,
  count: number,
  name: string,
): { readonly sides: readonly number[][]; readonly area: number } {
  const triangles = mesh.triangles.length / 3;
  let total = 0;
  for (let k = 0; k < triangles; k++) total += lengthOf(doubleArea(mesh, k)) / 2;
  if (!(total > 0 && total < Infinity)) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${name} to be a surface with an area, got ${total} m^2`,
      { field: name },
    );
  }
  const sides = Array.from({ length: SIDES }, (): number[] => []);
  const most = total / count;
  const split = (
    out: number[],
    a: readonly number[],
    b: readonly number[],
    c: readonly number[],
    area: number,
  ): void => {
    if (area <= most) {
      for (let d = 0; d < 3; d++) out.push((a[d] + b[d] + c[d]) / 3);
      out.push(area);
      return;
    }
    const ab = squareOf(a, b);
    const bc = squareOf(b, c);
    const ca = squareOf(c, a);
    // turned until the longest edge is that from the first corner to the second one
    const [p, q, r] = ab >= bc && ab >= ca ? [a, b, c] : bc >= ca ? [b, c, a] : [c, a, b];
    const middle = p.map((x, d) => (x + q[d]) / 2);
    split(out, p, middle, r, area / 2);
    split(out, middle, q, r, area / 2);
  };
  for (let k = 0; k < triangles; k++) {
    const n = doubleArea(mesh, k);
    const area = lengthOf(n) / 2;
    if (!(area > 0)) continue;
    const corners = [0, 1, 2].map((c) => {
      const o = 3 * mesh.triangles[3 * k + c];
      return [mesh.vertices[o], mesh.vertices[o + 1], mesh.vertices[o + 2]];
    });
    split(sides[sideOf(n)], corners[0], corners[1], corners[2], area);
  }
  return { sides, area: total };
}

const lengthOf = (n: readonly number[]): number =>
  Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);

function squareOf(a: readonly number[], b: readonly number[]): number {
  const [x, y, z] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  return x * x + y * y + z * z;
}

/** Axis of the largest component, and its sign. */
function sideOf(n: readonly number[]): number {
  let axis = 0;
  for (let a = 1; a < 3; a++) if (Math.abs(n[a]) > Math.abs(n[axis])) axis = a;
  return 2 * axis + (n[axis] < 0 ? 1 : 0);
}

/** Collects samples and nodes. */
class TreeBuilder {
  private readonly points: number[] = [];
  private readonly areas: number[] = [];
  private readonly nodes: {
    sphere: number[];
    first: number;
    end: number;
    skip: number;
    patch: number;
  }[] = [];
  private patchCount = 0;

  /** The tree over the pieces of one side; `order` is sorted on the way. */
  add(pieces: Float64Array, order: Int32Array, most: number, ofPatch: number): void {
    this.node(pieces, order, most, ofPatch, -1);
  }

  private node(
    pieces: Float64Array,
    order: Int32Array,
    most: number,
    ofPatch: number,
    above: number,
  ): void {
    let area = 0;
    for (const k of order) area += pieces[PIECE * k + 3];
    const lone = area <= most || order.length === 1;
    const patch = above < 0 && (area <= ofPatch || lone) ? this.patchCount++ : above;
    const first = this.areas.length;
    // a node for itself; one of few samples keeps none below it
    const at = this.nodes.length;
    const node = { sphere: [0, 0, 0, 0], first, end: first, skip: 0, patch };
    this.nodes.push(node);
    if (lone) this.sample(pieces, order, area);
    else {
      const cut = cutOf(pieces, order, area);
      this.node(pieces, order.subarray(0, cut), most, ofPatch, patch);
      this.node(pieces, order.subarray(cut), most, ofPatch, patch);
    }
    node.end = this.areas.length;
    if (patch >= 0 && node.end - first <= LEAF) this.nodes.length = at + 1;
    node.skip = this.nodes.length;
    node.sphere = this.sphere(first, node.end);
  }

  private sample(pieces: Float64Array, order: Int32Array, area: number): void {
    for (let a = 0; a < 3; a++) {
      let sum = 0;
      for (const k of order) sum += pieces[PIECE * k + 3] * pieces[PIECE * k + a];
      this.points.push(sum / area);
    }
    this.areas.push(area);
  }

  /** Sphere about the middle of the box of samples. */
  private sphere(first: number, end: number): number[] {
    const middle = [0, 1, 2].map((a) => {
      let low = Infinity;
      let high = -Infinity;
      for (let s = first; s < end; s++) {
        low = Math.min(low, this.points[3 * s + a]);
        high = Math.max(high, this.points[3 * s + a]);
      }
      return (low + high) / 2;
    });
    let square = 0;
    for (let s = first; s < end; s++)
      square = Math.max(square, squareOf(middle, this.points.slice(3 * s, 3 * s + 3)));
    return [...middle, Math.sqrt(square) * (1 + 1e-12)];
  }

  result(): SurfaceSamples {
    const { points, areas, nodes, patchCount } = this;
    let reach = 0;
    for (let s = 0; s < areas.length; s++)
      reach = Math.max(reach, lengthOf(points.slice(3 * s, 3 * s + 3)));
    return {
      points: Float64Array.from(points),
      areas: Float64Array.from(areas),
      spheres: Float64Array.from(nodes.flatMap(({ sphere }) => sphere)),
      firsts: Int32Array.from(nodes, ({ first }) => first),
      ends: Int32Array.from(nodes, ({ end }) => end),
      skips: Int32Array.from(nodes, ({ skip }) => skip),
      patches: Int32Array.from(nodes, ({ patch }) => patch),
      patchCount,
      reach,
    };
  }
}

/** Sorts pieces along the longest axis of the box of their centroids; number of those up to the median of the area. */
function cutOf(pieces: Float64Array, order: Int32Array, area: number): number {
  let axis = 0;
  let longest = -1;
  for (let a = 0; a < 3; a++) {
    let low = Infinity;
    let high = -Infinity;
    for (const k of order) {
      low = Math.min(low, pieces[PIECE * k + a]);
      high = Math.max(high, pieces[PIECE * k + a]);
    }
    if (high - low <= longest) continue;
    longest = high - low;
    axis = a;
  }
  order.sort((p, q) => pieces[PIECE * p + axis] - pieces[PIECE * q + axis] || p - q);
  let sum = 0;
  let cut = 0;
  while (cut < order.length - 1 && sum + pieces[PIECE * order[cut] + 3] <= area / 2)
    sum += pieces[PIECE * order[cut++] + 3];
  return Math.max(1, cut);
}
