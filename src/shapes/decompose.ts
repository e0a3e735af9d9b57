/**
 * Convex decomposition of a concave solid by planar cuts, most hollow part first.
 *
 * A cut goes through a reflex edge, where possible along a face. The cut with the least remaining
 * hollow volume (volume of the hull minus volume of the part) and reflex bend wins. The hull
 * replaces a part with shallow hollows. The hull of a part stays on the part's side of every cut,
 * so hulls never share volume. They add the hollow volume to the solid, which is bounded. The
 * decomposition of a solid with planar faces is exact.
 */
import { BerthError } from '../base/errors.ts';
import { cellCorners, over, type Side } from './decompose-cells.ts';
import { candidates, facePlanes, planeBetween } from './decompose-planes.ts';
import { CONVEX_TOLERANCE, hullVolume, reflexEdges } from './mesh-convexity.ts';
import type { Plane, Solid } from './solid.ts';
import type { TriangleMesh } from './triangle-mesh.ts';
import { acos } from '../math/elementary/inverse-circular.ts';

/** Limits of a decomposition, for a solid of unit size. */
export interface DecomposeOptions {
  /** Largest depth of a hollow that may be filled, in the unit of the solid. */
  readonly depth: number;
  /** Largest volume that all hulls together may add, relative to the volume of the solid. */
  readonly volume: number;
  /** Largest number of cells. */
  readonly cells: number;
  /** Called after each cut with the number of cells and the hollow volume relative to the solid. */
  readonly progress?: (cells: number, hollow: number) => void;
}

/** Cells of a decomposition, in the unit of the solid. */
export interface DecomposeResult {
  /** Corners of each cell. */
  readonly cells: readonly (readonly [number, number, number])[][];
  /** Sum of the volumes of the cells. */
  readonly volume: number;
}

interface Part {
  readonly solid: Solid;
  readonly sides: readonly Side[];
  /** Volume of the hull minus volume, >= 0. */
  readonly hollow: number;
  /** Largest depth of the surface inside the hull. */
  readonly depth: number;
}

/** Relative volume below which a part is a splinter: the cut runs along an existing face. */
const SPLINTER = 1e-7;
/** Relative volume that rounding of 32-bit corners may cost. Only films lose more. */
const LOST = 1e-4;
/** Weight of the reflex bend against the hollow volume, both relative to their values before the cut. */
const BEND = 0.5;
/** Difference of scores below which they are equal. The first plane then wins, whatever the rounding. */
const EQUAL = 1e-4;

/**
 * Decomposes a solid of about unit size.
 * @param original surface of the solid in double precision; the library may store less
 * @throws BerthError when the limits are not reached with the largest number of cells
 */
export function decompose(
  solid: Solid,
  original: TriangleMesh,
  options: DecomposeOptions,
  name: string,
): DecomposeResult {
  const faces = facePlanes(original);
  const least = options.volume * solid.volume;
  const parts: Part[] = [makePart(solid, [])];
  for (;;) {
    const hollow = parts.reduce((sum, part) => sum + part.hollow, 0);
    const worst = next(parts, options.depth, hollow > least);
    if (worst < 0) break;
    options.progress?.(parts.length, hollow / solid.volume);
    const halves = parts.length < options.cells ? cut(parts[worst], solid.volume, faces) : null;
    if (halves === null) throw tooMany(name, parts, hollow / solid.volume, options);
    parts.splice(worst, 1, ...halves);
  }
  const cells = parts
    .map((part) => cellCorners(part.solid.mesh, part.sides, faces))
    .filter((corners) => corners.length > 0);
  const volume = cells.reduce((sum, corners) => sum + hullVolume(corners), 0);
  const part = volume / solid.volume;
  if (part > 1 - LOST && part < 1 + options.volume + LOST) return { cells, volume };
  throw new BerthError(
    'BERTH_UNSUPPORTED',
    `Expected the cells of ${name} to have its volume, got ${part} of it; does its surface cross itself?`,
    { field: name },
  );
}

/**
 * Index of the part to cut next: the most hollow one of those too deep, or of all while the volume
 * is too large; -1 for none.
 */
function next(parts: readonly Part[], depth: number, all: boolean): number {
  let best = -1;
  parts.forEach((part, k) => {
    if (!(all || part.depth > depth) || part.hollow <= 0) return;
    if (best < 0 || part.hollow > parts[best].hollow) best = k;
  });
  return best;
}

function makePart(solid: Solid, sides: readonly Side[]): Part {
  const { mesh } = solid;
  const hollow = hollowOf(solid);
  // rounding of 32-bit corners moves a surface of unit size by less than this
  if (hollow < CONVEX_TOLERANCE) {
    const pieces = solid.pieces();
    if (pieces.length === 1 && reflexEdges(mesh, CONVEX_TOLERANCE).length === 0) {
      return { solid, sides, hollow: 0, depth: 0 };
    }
  }
  return { solid, sides, hollow: Math.max(hollow, Number.MIN_VALUE), depth: depthOf(solid) };
}

/** Largest depth of the surface inside the hull, sampled at corners and in the middle of reflex edges and triangles. */
function depthOf({ mesh, hull }: Solid): number {
  const planes = facePlanes(hull.mesh);
  const { vertices, triangles } = mesh;
  const points: number[][] = [];
  for (let i = 0; i < vertices.length; i += 3) points.push([...vertices.slice(i, i + 3)]);
  const middle = (corners: readonly number[][]): number[] =>
    [0, 1, 2].map((k) => corners.reduce((sum, p) => sum + p[k], 0) / corners.length);
  const centers = Array.from({ length: triangles.length / 3 }, (_, k) =>
    middle([...triangles.slice(3 * k, 3 * k + 3)].map((index) => points[index])),
  );
  const edges = reflexEdges(mesh, CONVEX_TOLERANCE).map(({ from, to }) =>
    middle([[...from], [...to]]),
  );
  let depth = 0;
  for (const point of [...points, ...centers, ...edges]) {
    let here = Infinity;
    for (const plane of planes) here = Math.min(here, -over(plane, point));
    depth = Math.max(depth, here);
  }
  return depth;
}

/** The best two halves of a part; null when no plane helps. */
function cut(part: Part, whole: number, faces: readonly Plane[]): Part[] | null {
  const pieces = part.solid.pieces();
  const between = pieces.length > 1 ? planeBetween(pieces, faces) : null;
  const planes = between === null ? candidates(part.solid, faces) : [{ plane: between, cost: 0 }];
  const bend = Math.max(bendOf(part.solid), Number.MIN_VALUE);
  let best: { plane: Plane; halves: readonly [Solid, Solid] } | null = null;
  let least = Infinity;
  for (const { plane, cost } of planes) {
    const [front, behind] = part.solid.split(plane);
    const useful =
      front !== null &&
      behind !== null &&
      Math.min(front.volume, behind.volume) >= SPLINTER * whole;
    const score = useful
      ? (hollowOf(front) + hollowOf(behind)) / part.hollow +
        (BEND * (bendOf(front) + bendOf(behind))) / bend +
        cost
      : Infinity;
    // rounding must not decide between equals
    if (useful && score < least - EQUAL) {
      for (const half of best?.halves ?? []) half.dispose();
      least = score;
      best = { plane, halves: [front, behind] };
    } else {
      front?.dispose();
      behind?.dispose();
    }
  }
  if (best === null) return null;
  const { plane, halves } = best;
  const [x, y, z] = plane.normal;
  const front: Side = { normal: [-x, -y, -z], offset: -plane.offset };
  return [makePart(halves[0], [...part.sides, front]), makePart(halves[1], [...part.sides, plane])];
}

/** Total reflex bend: length times angle over all reflex edges, in the unit of the solid. */
function bendOf({ mesh }: Solid): number {
  return reflexEdges(mesh, CONVEX_TOLERANCE).reduce((sum, { from, to, normals: [a, b] }) => {
    const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    const cosine = Math.min(1, Math.max(-1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]));
    return sum + Math.sqrt(x * x + y * y + z * z) * acos(cosine);
  }, 0);
}

function hollowOf(solid: Solid): number {
  return solid.hull.volume - solid.volume;
}

function tooMany(
  name: string,
  parts: readonly Part[],
  hollow: number,
  options: DecomposeOptions,
): BerthError {
  const depth = Math.max(...parts.map((part) => part.depth));
  const percent = (value: number): string => `${Number((100 * value).toPrecision(3))} %`;
  return new BerthError(
    'BERTH_UNSUPPORTED',
    `Expected ${name} to fall into at most ${options.cells} convex cells, but with ${parts.length} they still add ${percent(hollow)} of volume (allowed ${percent(options.volume)}) and fill hollows ${percent(depth)} of the size deep (allowed ${percent(options.depth)}); allow more cells, volume or depth`,
    { field: name },
  );
}
