/** Bodies of facets at poses: random surfaces that are not convex, where their corners are, and what brute force finds. */
import { rotationOf } from '../../src/math/quaternion.ts';
import type { Random } from '../../src/math/random.ts';
import { makeFacetTree, type FacetTree } from '../../src/proximity/facet-tree.ts';
import { type FacetQuery, PoseClass } from '../../src/proximity/facet-query.ts';
import { type FacetedSurface, makeFacets } from '../../src/shapes/facets.ts';
import { type Point, triangleTriangle, windingNumber } from './plain-triangles.ts';

/** A tree of a surface. */
export const treeOf = (surface: FacetedSurface): FacetTree =>
  makeFacetTree(makeFacets(surface, 'surface'));

/** A closed surface of triangles around the origin whose radius varies at random: not convex. */
export function starSurface(random: Random, around: number, rings: number): FacetedSurface {
  const vertices: number[] = [];
  const put = (azimuth: number, height: number): void => {
    const radius = 0.5 + 0.5 * random.uniform();
    const across = Math.sqrt(1 - height * height);
    vertices.push(
      radius * across * Math.cos(azimuth),
      radius * across * Math.sin(azimuth),
      radius * height,
    );
  };
  put(0, -1);
  for (let m = 1; m <= rings; m++) {
    for (let k = 0; k < around; k++) put((2 * Math.PI * k) / around, (2 * m) / (rings + 1) - 1);
  }
  put(0, 1);
  const at = (k: number, m: number): number => 1 + (m - 1) * around + (k % around);
  const last = 1 + rings * around;
  const polygons: number[][] = [];
  for (let k = 0; k < around; k++) {
    polygons.push([0, at(k + 1, 1), at(k, 1)], [last, at(k, rings), at(k + 1, rings)]);
    for (let m = 1; m < rings; m++) {
      polygons.push([at(k, m), at(k + 1, m), at(k + 1, m + 1)]);
      polygons.push([at(k, m), at(k + 1, m + 1), at(k, m + 1)]);
    }
  }
  return { vertices, polygons };
}

/** Where a body stands: rotation row by row, position first in the state. */
export interface Placed {
  readonly rotation: Float64Array;
  readonly state: Float64Array;
}

/** A pose from a position and a rotation vector, rad. */
export function poseOf(position: Point, turn: Point = [0, 0, 0]): Placed {
  const angle = Math.hypot(...turn);
  const part = angle > 0 ? Math.sin(angle / 2) / angle : 0;
  const q = [turn[0] * part, turn[1] * part, turn[2] * part, Math.cos(angle / 2)];
  const state = Float64Array.of(...position, ...q);
  const rotation = new Float64Array(9);
  rotationOf(rotation, state, 3);
  return { rotation, state };
}

/** A pose with a random orientation, the position at random within `reach`. */
export function randomPose(random: Random, reach: number): Placed {
  const q = [random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian()];
  const length = Math.hypot(...q);
  const place = (): number => reach * (2 * random.uniform() - 1);
  const state = Float64Array.of(place(), place(), place(), ...q.map((x) => x / length));
  const rotation = new Float64Array(9);
  rotationOf(rotation, state, 3);
  return { rotation, state };
}

/** Places both bodies of a query. */
export function placeBoth(query: FacetQuery, a: Placed, b: Placed): void {
  query.place(a.rotation, a.state, b.rotation, b.state);
}

/** A point of the body in the world. */
export function toWorld({ rotation: r, state: p }: Placed, x: ArrayLike<number>, at = 0): Point {
  const row = (k: number): number =>
    r[3 * k] * x[at] + r[3 * k + 1] * x[at + 1] + r[3 * k + 2] * x[at + 2] + p[k];
  return [row(0), row(1), row(2)];
}

/** Corners of every polygon in the world. */
export function placedPolygons(surface: FacetedSurface, pose: Placed): Point[][] {
  return surface.polygons.map((polygon) =>
    polygon.map((k) => toWorld(pose, surface.vertices, 3 * k)),
  );
}

/** Two bodies of triangles, each at a pose. */
export interface Scene {
  readonly a: FacetedSurface;
  readonly b: FacetedSurface;
  readonly poseA: Placed;
  readonly poseB: Placed;
}

/** Two random bodies with places at random within `reach`; the first is larger by `scale`. */
export function randomScene(random: Random, reach: number, scale = 1): Scene {
  const star = (): FacetedSurface =>
    starSurface(random, 3 + Math.floor(4 * random.uniform()), 1 + Math.floor(2 * random.uniform()));
  const { vertices, polygons } = star();
  return {
    a: { vertices: vertices.map((x) => scale * x), polygons },
    b: star(),
    poseA: randomPose(random, reach),
    poseB: randomPose(random, reach),
  };
}

/** Distance of every facet of the first body from every one of the second: the least of their triangles. */
export function allDistances({ a, b, poseA, poseB }: Scene): number[][] {
  const s = placedPolygons(a, poseA).map(fan);
  const t = placedPolygons(b, poseB).map(fan);
  return s.map((p) => t.map((q) => leastOf(p, q)));
}

/** Pairs of facets nearer than the limit, m, by all pairs of facets whose boxes are: distances by `a/b`. */
export function pairsWithin({ a, b, poseA, poseB }: Scene, limit: number): Map<string, number> {
  const placed = (surface: FacetedSurface, pose: Placed): BoxedFacet[] =>
    placedPolygons(surface, pose).map((corners) => ({
      triangles: fan(corners),
      low: [0, 1, 2].map((k) => Math.min(...corners.map((x) => x[k]))),
      high: [0, 1, 2].map((k) => Math.max(...corners.map((x) => x[k]))),
    }));
  const facetsB = placed(b, poseB);
  const found = new Map<string, number>();
  placed(a, poseA).forEach((one, i) => {
    facetsB.forEach((other, j) => {
      if (boxGap(one, other) >= limit) return;
      const d = leastOf(one.triangles, other.triangles);
      if (d < limit) found.set(`${i}/${j}`, d);
    });
  });
  return found;
}

/** A placed facet: its triangles and its box along the axes of the world. */
interface BoxedFacet {
  readonly triangles: readonly Point[][];
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** Largest gap of two boxes along an axis: no more than the distance of what is in them. */
function boxGap(a: BoxedFacet, b: BoxedFacet): number {
  let gap = -Infinity;
  for (let k = 0; k < 3; k++) gap = Math.max(gap, a.low[k] - b.high[k], b.low[k] - a.high[k]);
  return gap;
}

/** Least distance of two sets of triangles. */
function leastOf(p: readonly Point[][], q: readonly Point[][]): number {
  return p.reduce(
    (d, one) => q.reduce((e, other) => Math.min(e, triangleTriangle(one, other)), d),
    Infinity,
  );
}

/** Triangles of a convex polygon. */
const fan = (polygon: readonly Point[]): Point[][] =>
  polygon.slice(2).map((c, k) => [polygon[0], polygon[k + 1], c]);

/** The class of a scene by all distances and by winding numbers, and whether one body is inside the other without a cut. */
export function plainClass(scene: Scene, limit: number): { what: number; nested: boolean } {
  const s = placedPolygons(scene.a, scene.poseA);
  const t = placedPolygons(scene.b, scene.poseB);
  const least = Math.min(...allDistances(scene).flat());
  const inside = windingNumber(s[0][0], t) > 0.5 || windingNumber(t[0][0], s) > 0.5;
  if (least === 0 || inside) return { what: PoseClass.penetrating, nested: least > 0 };
  return { what: least < limit ? PoseClass.contact : PoseClass.free, nested: false };
}
