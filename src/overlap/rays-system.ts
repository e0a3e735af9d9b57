/**
 * What a pair of cells is made of, for the search of break points: all surfaces in axes (u, v, w), pairs of surfaces that may meet, and
 * the test whether a point is on the overlap. Two balls meet in the plane of their circle, which stands in for one of them.
 */
import { RayCoefficients } from '../shapes/ray-coefficients.ts';
import type { RayTable } from '../shapes/ray-intervals.ts';
import { ELLIPSOID, PLANE, ROUND, type RaySurface } from '../shapes/ray-surfaces.ts';

/** How far outside a point may be and still count as on the overlap, part of the size of the smaller cell. */
export const SLACK = 1e-9;

const isBall = ({ kind, axis }: RaySurface): boolean =>
  kind === ROUND && axis.every((n) => n === 0);

/** Surfaces of a pair of cells and where they can meet. */
export class RaySystem {
  readonly table: RayTable;
  readonly coefficients: RayCoefficients;
  /** Number of surfaces, planes of circles after the others. */
  readonly size: number;
  readonly plane: Int8Array;
  /** Pairs: both planes; first a plane; both quadrics. */
  readonly planePairs: Int32Array;
  readonly mixedPairs: Int32Array;
  readonly quadricPairs: Int32Array;
  /** Three surfaces, the first two planes. */
  readonly triples: Int32Array;
  readonly quadrics: Int32Array;
  /** Kind of each quadric for its extremes: 1 ball or ellipsoid, 2 cylinder or cone. */
  readonly extremes: Int8Array;
  /** Whether there are edges whose extremes have no closed form. */
  readonly searching: boolean;
  /** Largest q of a point that counts as inside. */
  readonly slack: Float64Array;
  /** Pieces of the common primitives, as ranges. */
  readonly pieceStart: Int32Array;
  readonly surfaceStart: Int32Array;
  readonly members: Int32Array;
  readonly commonCount: number;
  private readonly circles: Int32Array;

  /** `extent`: size of the smaller cell, m. Allocates. */
  constructor(table: RayTable, extent: number) {
    this.table = table;
    const { surfaces, primitives } = table;
    const owner = surfaces.map((_, s) =>
      primitives.findIndex(({ first, count }) => s >= first && s < first + count),
    );
    const circles: [number, number][] = [];
    const flat: [number, number][] = [];
    const mixed: [number, number][] = [];
    const curved: [number, number][] = [];
    const edges = new Set(primitives.flatMap((one) => one.edges.map(([a, b]) => `${a} ${b}`)));
    const isEdge = (a: number, b: number): boolean =>
      owner[a] !== owner[b] || edges.has(`${a} ${b}`) || edges.has(`${b} ${a}`);
    const isPlane = (s: number): boolean => s >= surfaces.length || surfaces[s].kind === PLANE;
    for (let a = 0; a < surfaces.length; a++) {
      for (let b = a + 1; b < surfaces.length; b++) {
        if (!isEdge(a, b)) continue;
        if (isPlane(a) && isPlane(b)) flat.push([a, b]);
        else if (isPlane(a)) mixed.push([a, b]);
        else if (isPlane(b)) mixed.push([b, a]);
        else if (isBall(surfaces[a]) && isBall(surfaces[b])) circles.push([a, b]);
        else curved.push([a, b]);
      }
    }
    const triples: [number, number, number][] = [];
    for (const [a, b] of flat) {
      for (let c = 0; c < surfaces.length; c++) {
        const counted = isPlane(c) && c < b;
        if (c !== a && c !== b && !counted && isEdge(a, c) && isEdge(b, c)) triples.push([a, b, c]);
      }
    }
    circles.forEach(([a, b], k) => {
      const circle = surfaces.length + k;
      mixed.push([circle, a]);
      for (let c = 0; c < surfaces.length; c++) {
        if (isPlane(c) && isEdge(a, c) && isEdge(b, c)) triples.push([circle, c, a]);
      }
    });
    const curvedOwners = new Set(
      surfaces.flatMap(({ kind }, s) => (kind === PLANE ? [] : [owner[s]])),
    );
    this.searching = curved.length > 0 || curvedOwners.size > 2;
    this.size = surfaces.length + circles.length;
    this.coefficients = new RayCoefficients(table, circles.length);
    this.plane = Int8Array.from({ length: this.size }, (_, s) => (isPlane(s) ? 1 : 0));
    this.planePairs = Int32Array.from(flat.flat());
    this.mixedPairs = Int32Array.from(mixed.flat());
    this.quadricPairs = Int32Array.from(curved.flat());
    this.triples = Int32Array.from(triples.flat());
    this.circles = Int32Array.from(circles.flat());
    this.quadrics = Int32Array.from(surfaces.flatMap(({ kind }, s) => (kind === PLANE ? [] : [s])));
    this.extremes = Int8Array.from(surfaces, (one) =>
      one.kind === ELLIPSOID || isBall(one) ? 1 : one.kind === PLANE ? 0 : 2,
    );
    this.slack = Float64Array.from({ length: this.size }, (_, s) =>
      isPlane(s) ? SLACK * extent : SLACK * extent * 2 * surfaces[s].radius,
    );
    const pieceStart = [0];
    const surfaceStart = [0];
    const members: number[] = [];
    const common = primitives.filter(({ removed }) => !removed);
    for (const { pieces } of common) {
      for (const piece of pieces) {
        members.push(...piece);
        surfaceStart.push(members.length);
      }
      pieceStart.push(surfaceStart.length - 1);
    }
    this.commonCount = common.length;
    this.pieceStart = Int32Array.from(pieceStart);
    this.surfaceStart = Int32Array.from(surfaceStart);
    this.members = Int32Array.from(members);
  }

  /** Planes of circles, after the surfaces of both cells have been placed. @alloc none */
  placeCircles(): void {
    const { linear, constant, center } = this.coefficients;
    const base = this.size - this.circles.length / 2;
    for (let k = 0; k < this.circles.length; k += 2) {
      const a = this.circles[k];
      const b = this.circles[k + 1];
      const s = base + k / 2;
      let square = 0;
      for (let axis = 0; axis < 3; axis++) {
        const n = 2 * (linear[3 * a + axis] - linear[3 * b + axis]);
        square += n * n;
      }
      const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
      for (let axis = 0; axis < 3; axis++) {
        const n = scale * (linear[3 * a + axis] - linear[3 * b + axis]);
        linear[3 * s + axis] = n;
        center[3 * s + axis] = 2 * n;
      }
      constant[s] = scale * (constant[a] - constant[b]);
    }
  }

  /** Is the point on the overlap of the common primitives, but for the surfaces in `but`? @alloc none */
  holds(point: Float64Array, but: Int32Array): boolean {
    const { matrix, linear, constant } = this.coefficients;
    const x = point[0];
    const y = point[1];
    const z = point[2];
    for (let p = 0; p < this.commonCount; p++) {
      let any = false;
      for (let piece = this.pieceStart[p]; piece < this.pieceStart[p + 1] && !any; piece++) {
        any = true;
        for (let k = this.surfaceStart[piece]; k < this.surfaceStart[piece + 1]; k++) {
          const s = this.members[k];
          if (s === but[0] || s === but[1] || s === but[2]) continue;
          const v = 3 * s;
          let q = 2 * (linear[v] * x + linear[v + 1] * y + linear[v + 2] * z) + constant[s];
          if (this.plane[s] === 0) {
            const m = 6 * s;
            q +=
              x * (matrix[m] * x + 2 * (matrix[m + 3] * y + matrix[m + 4] * z)) +
              y * (matrix[m + 1] * y + 2 * matrix[m + 5] * z) +
              matrix[m + 2] * z * z;
          }
          if (!(q <= this.slack[s])) {
            any = false;
            break;
          }
        }
      }
      if (!any) return false;
    }
    return true;
  }
}
