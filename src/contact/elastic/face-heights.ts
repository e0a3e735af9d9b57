/**
 * Heights of a point over the undeformed face of an elastic body: Delaunay's triangles of its points in the plane across their mean normal, each of them
 * flat. A triangle at the border goes on by half a side of what its points stand for; beside that there is no face.
 *
 * Weights say how the triangle follows its corners: they sum to one, and are linear, beyond the border too, so that a force that is shared by them
 * keeps its moment. @alloc none
 */
import { tangentBasis } from '../../math/vec3.ts';
import type { PatchModel } from '../../model/patch-spec.ts';
import { convexHull } from '../../shapes/convex-hull.ts';
import { Solid } from './solid-heights.ts';

/** Numbers of a triangle: origin in the plane (2), slopes of the last two weights (2 each), altitudes (3), normal (3), height of it over the origin. */
const NUMBERS = 13;
/** Height of the normal of a lower side of the points on a paraboloid; those of its border stand upright. */
const LOWER = -0.1;
/** Height that is above all points on it. */
const APEX = 4;

/** A face. */
export class FaceHeights extends Solid {
  /** Corners of the last triangle, and their weights. */
  readonly corners: Int32Array = new Int32Array(3);
  readonly weights: Float64Array = new Float64Array(3);
  readonly #triangles: Int32Array;
  readonly #numbers: Float64Array;
  /** Lines about the face: outward normal in the plane, height over the origin. */
  readonly #border: Float64Array;
  /** t1 and t2 of the plane. */
  readonly #plane: Float64Array = new Float64Array(6);
  /** Bins: low corner, bins per metre; how many; first triangle of each, and the triangles. */
  readonly #grid: Float64Array = new Float64Array(4);
  readonly #bins: Int32Array = new Int32Array(2);
  readonly #firsts: Int32Array;
  readonly #members: Int32Array;

  constructor({ points, normals, areas }: PatchModel) {
    super();
    tangentBasis(this.#plane, meanNormal(normals), 0);
    const flat = flattened(points, this.#plane);
    const triangles = delaunay(flat);
    this.#triangles = Int32Array.from(triangles.flat());
    this.#numbers = Float64Array.from(triangles.flatMap((one) => numbersOf(one, flat, points)));
    const spacing = Math.sqrt(areaOf(triangles, flat) / areas.length);
    const margins = areas.map((area) => (area > 0 ? Math.sqrt(area) : spacing) / 2);
    this.#border = Float64Array.from(borderOf(triangles, flat, margins));
    const [low, high] = [Math.min, Math.max].map((most) =>
      [0, 1].map((a) => most(...flat.map((place) => place[a]))),
    );
    const side = Math.max(1, Math.round(Math.sqrt(areas.length)));
    this.#bins.fill(side);
    for (const a of [0, 1]) {
      this.#grid[a] = low[a];
      this.#grid[2 + a] = side / (high[a] - low[a]);
    }
    const lists = this.#fillBins(triangles, flat, side);
    this.#members = Int32Array.from(lists.flat());
    let first = 0;
    this.#firsts = Int32Array.from([0, ...lists.map((list) => (first += list.length))]);
  }

  measure(places: Float64Array, at: number): void {
    const { gap, normal, corners, weights } = this;
    const t = this.#plane;
    const n = this.#numbers;
    const g = this.#grid;
    const x = places[at];
    const y = places[at + 1];
    const z = places[at + 2];
    const u = t[0] * x + t[1] * y + t[2] * z;
    const v = t[3] * x + t[4] * y + t[5] * z;
    const side = this.#bins[0];
    const column = Math.floor((u - g[0]) * g[2]);
    const row = Math.floor((v - g[1]) * g[3]);
    const bin =
      side * (row < 0 ? 0 : row < side ? row : side - 1) +
      (column < 0 ? 0 : column < side ? column : side - 1);
    // the triangle that the place is in, or is least outside of
    let best = 0;
    let least = Infinity;
    for (let m = this.#firsts[bin]; m < this.#firsts[bin + 1]; m++) {
      const o = NUMBERS * this.#members[m];
      const du = u - n[o];
      const dv = v - n[o + 1];
      const second = n[o + 2] * du + n[o + 3] * dv;
      const third = n[o + 4] * du + n[o + 5] * dv;
      const first = 1 - second - third;
      const beyond = Math.max(-first * n[o + 6], -second * n[o + 7], -third * n[o + 8]);
      if (!(beyond < least)) continue;
      least = beyond;
      best = this.#members[m];
      weights[0] = first;
      weights[1] = second;
      weights[2] = third;
    }
    const o = NUMBERS * best;
    for (let c = 0; c < 3; c++) {
      corners[c] = this.#triangles[3 * best + c];
      normal[c] = n[o + 9 + c];
    }
    gap[0] = n[o + 9] * x + n[o + 10] * y + n[o + 11] * z - n[o + 12];
    const border = this.#border;
    for (let e = 0; e < border.length; e += 3) {
      const beside = border[e] * u + border[e + 1] * v - border[e + 2];
      if (beside > 0 && beside > gap[0]) gap[0] = beside;
    }
  }

  /** Triangles whose box reaches into each bin, or the nearest one. */
  #fillBins(triangles: readonly Corners[], flat: readonly Place[], side: number): number[][] {
    const bin = (x: number, a: number): number =>
      Math.min(side - 1, Math.max(0, Math.floor((x - this.#grid[a]) * this.#grid[2 + a])));
    const lists = Array.from({ length: side * side }, (): number[] => []);
    const middles = triangles.map((corners) =>
      [0, 1].map((a) => corners.reduce((sum, c) => sum + flat[c][a] / 3, 0)),
    );
    for (const [k, corners] of triangles.entries()) {
      const [low, high] = [Math.min, Math.max].map((most) =>
        [0, 1].map((a) => bin(most(...corners.map((c) => flat[c][a])), a)),
      );
      for (let row = low[1]; row <= high[1]; row++)
        for (let column = low[0]; column <= high[0]; column++) lists[side * row + column].push(k);
    }
    return lists.map((list, at) => {
      if (list.length > 0) return list;
      const [u, v] = [at % side, Math.floor(at / side)].map(
        (k, a) => this.#grid[a] + (k + 0.5) / this.#grid[2 + a],
      );
      const far = middles.map(([x, y]) => (x - u) * (x - u) + (y - v) * (y - v));
      return [far.indexOf(Math.min(...far))];
    });
  }
}

type Place = readonly [number, number];
type Corners = readonly [number, number, number];

function meanNormal(normals: readonly number[]): Float64Array {
  const sum = Float64Array.of(0, 0, 0);
  for (const [k, x] of normals.entries()) sum[k % 3] += x;
  const size = Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  return sum.map((x) => x / size);
}

/** Where the points are in the plane of two vectors. */
function flattened(points: readonly number[], plane: Float64Array): Place[] {
  return Array.from({ length: points.length / 3 }, (_, p) => {
    const [u, v] = [0, 3].map((t) =>
      [0, 1, 2].reduce((sum, a) => sum + plane[t + a] * points[3 * p + a], 0),
    );
    return [u, v];
  });
}

/** Whether all normals of a face are within a right angle of their mean. For set-up. */
export function looksOneWay({ normals }: PatchModel): boolean {
  const mean = meanNormal(normals);
  for (let o = 0; o < normals.length; o += 3) {
    const along = normals[o] * mean[0] + normals[o + 1] * mean[1] + normals[o + 2] * mean[2];
    if (!(along > 0)) return false;
  }
  return true;
}

/** The triangles of a face, as three of its points each; none where these are on one line. For set-up. */
export function faceTriangles({ points, normals }: PatchModel): Corners[] {
  const plane = new Float64Array(6);
  tangentBasis(plane, meanNormal(normals), 0);
  return delaunay(flattened(points, plane));
}

const twiceArea = ([a, b, c]: Corners, flat: readonly Place[]): number =>
  (flat[b][0] - flat[a][0]) * (flat[c][1] - flat[a][1]) -
  (flat[b][1] - flat[a][1]) * (flat[c][0] - flat[a][0]);

/** The sides that one triangle alone has, each moved out by the larger margin of its ends. */
function borderOf(
  triangles: readonly Corners[],
  flat: readonly Place[],
  margins: readonly number[],
): number[] {
  const sides = triangles.flatMap(([a, b, c]) => [
    [a, b],
    [b, c],
    [c, a],
  ]);
  const known = new Set(sides.map((side) => side.join()));
  return sides.flatMap(([p, q]) => {
    if (known.has(`${q},${p}`)) return [];
    const [x, y] = [0, 1].map((a) => flat[q][a] - flat[p][a]);
    const length = Math.sqrt(x * x + y * y);
    const height = (y * flat[p][0] - x * flat[p][1]) / length;
    return [y / length, -x / length, height + Math.max(margins[p], margins[q])];
  });
}

const areaOf = (triangles: readonly Corners[], flat: readonly Place[]): number =>
  triangles.reduce((sum, one) => sum + Math.abs(twiceArea(one, flat)) / 2, 0);

/** Delaunay's triangles: the lower sides of the hull of the points on a paraboloid. */
function delaunay(flat: readonly Place[]): Corners[] {
  if (flat.length < 3) return [];
  const low = [0, 1].map((a) => Math.min(...flat.map((place) => place[a])));
  const size = Math.max(...flat.map(([x, y]) => Math.max(x - low[0], y - low[1])));
  const lifted = flat.map(([x, y]): readonly [number, number, number] => {
    const [u, v] = [(x - low[0]) / size, (y - low[1]) / size];
    return [u, v, u * u + v * v];
  });
  const hull = convexHull(lifted);
  // points on one circle are lifted to one plane: a place above their middle has them below
  const middle = [0, 1].map((a) => lifted.reduce((sum, p) => sum + p[a] / lifted.length, 0));
  const { points, faces } =
    hull.faces.length > 0 ? hull : convexHull([...lifted, [middle[0], middle[1], APEX]]);
  const numbers = points.map((point) =>
    lifted.findIndex((one) => one.every((x, a) => x === point[a])),
  );
  return faces.flatMap((face): Corners[] => {
    const [a, b, c] = face.map((corner) => points[corner]);
    const [p, q] = [b, c].map((end) => [0, 1, 2].map((k) => end[k] - a[k]));
    const normal = [
      p[1] * q[2] - p[2] * q[1],
      p[2] * q[0] - p[0] * q[2],
      p[0] * q[1] - p[1] * q[0],
    ];
    const length = Math.sqrt(normal.reduce((sum, x) => sum + x * x, 0));
    const [i, j, k] = face.map((corner) => numbers[corner]);
    return normal[2] < LOWER * length ? [[i, k, j]] : [];
  });
}

/** Numbers of one triangle, corners counter-clockwise in the plane. */
function numbersOf(corners: Corners, flat: readonly Place[], points: readonly number[]): number[] {
  const [a, b, c] = corners.map((corner) => flat[corner]);
  const twice = twiceArea(corners, flat);
  const slopes = [c[1] - a[1], a[0] - c[0], a[1] - b[1], b[0] - a[0]].map((x) => x / twice);
  const sides = [
    [b, c],
    [c, a],
    [a, b],
  ].map(([p, q]) => Math.sqrt((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1])));
  const [p, q, r] = corners.map((corner) => points.slice(3 * corner, 3 * corner + 3));
  const [u, v] = [q, r].map((end) => end.map((x, k) => x - p[k]));
  const across = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.sqrt(across.reduce((sum, x) => sum + x * x, 0));
  const normal = across.map((x) => x / length);
  const height = normal.reduce((sum, x, k) => sum + x * p[k], 0);
  return [...a, ...slopes, ...sides.map((side) => twice / side), ...normal, height];
}
