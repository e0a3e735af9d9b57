/**
 * Convex decomposition of a concave solid by cuts along planes, most hollow part first.
 *
 * A cut goes through an edge at which the surface bends inward, where possible along a face; of the planes tried the one that
 * leaves the least hollow volume (volume of the hull minus volume of the part) and the least inward bend is taken. A part whose hollows are shallow is
 * replaced by its hull. The hull of a part stays on the part's side of every cut, so hulls never share volume; what they add to
 * the solid is the hollow volume, which is bounded. A solid whose faces are planar is decomposed exactly.
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
  /** How deep a hollow may be filled, in the unit of the solid. */
  readonly depth: number;
  /** Most volume that all hulls together may add, part of the volume of the solid. */
  readonly volume: number;
  /** Most cells. */
  readonly cells: number;
  /** Told after each cut: cells so far, and hollow volume as part of the solid. */
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
  /** How deep the surface lies inside the hull at most. */
  readonly depth: number;
}

/** A part below this share of the whole is a splinter: the cut runs along a face that is there already. */
const SPLINTER = 1e-7;
/** Rounding of 32-bit corners may cost this part of the volume, more than any mesh that is not a film has lost. */
const LOST = 1e-4;
/** Weight of the inward bend beside the hollow volume, both as part of those before the cut. */
const BEND = 0.5;
/** Scores closer than this are equal: the first plane wins, whatever the rounding. */
const EQUAL = 1e-4;

/**
 * Decomposes a solid of about unit size.
 * @param original surface of the solid in double precision, of which the library may keep less
 * @throws BerthError when the limits are not reached with the most cells allowed
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

/** The part to cut next: the most hollow one of those that are too deep, or of all when the volume is not reached; -1 for none. */
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

/** Largest depth of the surface inside the hull, at corners, in the middle of inward edges and of triangles. */
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

/** The best two halves of a part, or null when no plane helps. */
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
    // rounding must not choose between equals
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

/** How much the surface bends inward: length times angle over all edges, unit of the solid. */
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
