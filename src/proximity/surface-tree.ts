/**
 * Cells of the parameters of all faces of a body, each in a sphere, and a binary tree of them: four to a knot span, 15° of an angle. A sphere
 * holds its cell by the derivatives to the second order at nine places, of which the second ones count twice for what they may be between.
 * It allocates and is for construction. docs/theory/freeform.md
 */
import { BY_U, BY_UU, BY_UV, BY_V, BY_VV, SURFACE_SLOTS } from '../shapes/surfaces/surface.ts';
import type { SurfaceSide, SurfaceSpec } from '../shapes/surfaces/surface-spec.ts';
import type { TrimRegion } from '../shapes/surfaces/trim-region.ts';
import type { Face, SurfaceBody } from './surface-body.ts';

/** Cells of a knot span, and of a direction that has none. */
const OF_SPAN = 4;
const OF_LENGTH = 8;
/** Cells of a full turn. */
const OF_TURN = 24;
/** Most cells of one direction of a face. */
const MOST = 256;
/** Places of a cell along each parameter at which it is asked whether it is there, and what its derivatives are. */
const INSIDE = 5;
const PLACES = 3;

/** A tree; node 0 is its root, a leaf has left −1. */
export interface SurfaceTree {
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Middle (3), body frame, and radius of each sphere, m. */
  readonly centers: Float64Array;
  readonly radii: Float64Array;
  /** Of a leaf: its face, −1 of a ball, and u, v of a place of it that is there, with that place (3). */
  readonly faces: Int32Array;
  readonly places: Float64Array;
  readonly points: Float64Array;
  /** Largest radius of a leaf, m. */
  readonly coarse: number;
  /** Farthest point of a sphere from the origin of the body, m. */
  readonly reach: number;
  readonly depth: number;
}

interface Cell {
  readonly face: number;
  readonly center: readonly number[];
  readonly radius: number;
  readonly at: readonly [number, number];
  readonly point: readonly number[];
}

/** Builds the tree of the body of a side. */
export function makeSurfaceTree(side: SurfaceSide, body: SurfaceBody): SurfaceTree {
  const cells: readonly Cell[] =
    side.kind === 'ball'
      ? [{ face: -1, center: side.center, radius: 0, at: [0, 0], point: side.center }]
      : side.faces.flatMap((spec, f) => cellsOf(spec, body.faces[f], f));
  const nodes = 2 * cells.length - 1;
  const tree = {
    left: new Int32Array(nodes).fill(-1),
    right: new Int32Array(nodes).fill(-1),
    centers: new Float64Array(3 * nodes),
    radii: new Float64Array(nodes),
    faces: new Int32Array(nodes).fill(-1),
    places: new Float64Array(2 * nodes),
    points: new Float64Array(3 * nodes),
  };
  let next = 0;
  let depth = 0;
  const build = (members: readonly Cell[], level: number): number => {
    const node = next++;
    depth = Math.max(depth, level);
    if (members.length === 1) {
      const [cell] = members;
      tree.centers.set(cell.center, 3 * node);
      tree.radii[node] = cell.radius;
      tree.faces[node] = cell.face;
      tree.places.set(cell.at, 2 * node);
      tree.points.set(cell.point, 3 * node);
      return node;
    }
    const low = [0, 1, 2].map((a) => Math.min(...members.map(({ center }) => center[a])));
    const high = [0, 1, 2].map((a) => Math.max(...members.map(({ center }) => center[a])));
    const sizes = high.map((x, a) => x - low[a]);
    const axis = sizes.indexOf(Math.max(...sizes));
    const middle = high.map((x, a) => 0.5 * (x + low[a]));
    tree.centers.set(middle, 3 * node);
    tree.radii[node] = Math.max(
      ...members.map(({ center, radius }) => distance(center, middle) + radius),
    );
    const ordered = members.toSorted((a, b) => a.center[axis] - b.center[axis]);
    const half = ordered.length >> 1;
    tree.left[node] = build(ordered.slice(0, half), level + 1);
    tree.right[node] = build(ordered.slice(half), level + 1);
    return node;
  };
  build(cells, 1);
  return {
    ...tree,
    coarse: Math.max(...cells.map(({ radius }) => radius)),
    reach: Math.max(...cells.map(({ center, radius }) => distance(center, [0, 0, 0]) + radius)),
    depth,
  };
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Borders between cells along one parameter. */
function dividersOf(spec: SurfaceSpec, direction: 0 | 1, range: Float64Array): readonly number[] {
  const [low, high] = [range[2 * direction], range[2 * direction + 1]];
  const { shape } = spec;
  if (shape.kind === 'nurbs') {
    const knots = direction === 0 ? shape.knotsU : shape.knotsV;
    const inner = knots.filter((knot, k) => knot > low && knot < high && knot !== knots[k - 1]);
    const ends = [low, ...inner, high];
    const of = Math.max(1, Math.min(OF_SPAN, Math.floor(MOST / (ends.length - 1))));
    return ends.flatMap((end, k) =>
      k === 0
        ? [end]
        : Array.from({ length: of }, (_, c) => ends[k - 1] + ((c + 1) / of) * (end - ends[k - 1])),
    );
  }
  const angular = isAngle(spec, direction);
  const count = angular ? Math.ceil((OF_TURN * (high - low)) / (2 * Math.PI)) : OF_LENGTH;
  return Array.from({ length: count + 1 }, (_, k) => low + (k / count) * (high - low));
}

function isAngle({ shape }: SurfaceSpec, direction: 0 | 1): boolean {
  switch (shape.kind) {
    case 'sphere':
    case 'torus':
      return true;
    case 'cylinder':
    case 'cone':
      return direction === 0;
    case 'extrusion':
      return direction === 0 && shape.curve.kind === 'circle';
    case 'revolution':
      return direction === 0 || shape.curve.kind === 'circle';
    default:
      return false;
  }
}

function cellsOf(spec: SurfaceSpec, { surface, region }: Face, face: number): Cell[] {
  const alongU = dividersOf(spec, 0, region.range);
  const alongV = dividersOf(spec, 1, region.range);
  const out = new Float64Array(SURFACE_SLOTS);
  const at = new Float64Array(2);
  const cells: Cell[] = [];
  for (let i = 1; i < alongU.length; i++) {
    for (let k = 1; k < alongV.length; k++) {
      const box = [alongU[i - 1], alongU[i], alongV[k - 1], alongV[k]] as const;
      const place = placeIn(region, box);
      if (place === null) continue;
      const [halfU, halfV] = [0.5 * (box[1] - box[0]), 0.5 * (box[3] - box[2])];
      const most = [0, 0, 0];
      for (let p = 0; p < PLACES * PLACES; p++) {
        at[0] = box[0] + ((p % PLACES) / (PLACES - 1)) * 2 * halfU;
        at[1] = box[2] + (Math.floor(p / PLACES) / (PLACES - 1)) * 2 * halfV;
        surface.evaluate(at, out);
        [BY_UU, BY_UV, BY_VV].forEach((slot, d) => {
          most[d] = Math.max(most[d], lengthAt(out, slot));
        });
      }
      at[0] = box[0] + halfU;
      at[1] = box[2] + halfV;
      surface.evaluate(at, out);
      const center = [...out.subarray(0, 3)];
      const corner = cornerReach(out, halfU, halfV);
      const bend = most[0] * halfU * halfU + 2 * most[1] * halfU * halfV + most[2] * halfV * halfV;
      at.set(place);
      surface.evaluate(at, out);
      const radius = corner + bend; // ½ of the second order, doubled
      cells.push({ face, center, radius, at: place, point: [...out.subarray(0, 3)] });
    }
  }
  return cells;
}

const lengthAt = (values: Float64Array, slot: number): number =>
  distance(values.subarray(slot, slot + 3), [0, 0, 0]);

/** Farthest corner of the tangent parallelogram of a cell from its middle, m. */
function cornerReach(s: Float64Array, halfU: number, halfV: number): number {
  return Math.max(
    ...[-1, 1].map((sign) =>
      distance(
        [0, 1, 2].map((a) => s[BY_U + a] * halfU + sign * s[BY_V + a] * halfV),
        [0, 0, 0],
      ),
    ),
  );
}

/** A place of a cell that is there, near its middle; one on the border where that crosses it alone; null for a cell that is cut off. */
function placeIn(
  region: TrimRegion,
  box: readonly [number, number, number, number],
): readonly [number, number] | null {
  const [lowU, highU, lowV, highV] = box;
  const parts = [0.5, 0.3, 0.7, 0.02, 0.98].slice(0, INSIDE);
  for (const part of parts) {
    for (const other of parts) {
      const at = [lowU + part * (highU - lowU), lowV + other * (highV - lowV)] as const;
      if (region.contains(Float64Array.from(at))) return at;
    }
  }
  for (const { a, b } of region.border) {
    const crosses =
      Math.min(a[0], b[0]) <= highU &&
      Math.max(a[0], b[0]) >= lowU &&
      Math.min(a[1], b[1]) <= highV &&
      Math.max(a[1], b[1]) >= lowV;
    if (crosses) return [0.5 * (lowU + highU), 0.5 * (lowV + highV)];
  }
  return null;
}
