/**
 * The sides of the faces of an overlap of a polytope and a round body, in the frame of the body: what edges have between the two ends of the
 * body, and the sides in the planes of the ends that join them. Each is met with the quadric (round-quadric.ts) once, for both of its faces.
 */
import type { Polytope } from '../polytope.ts';
import { QUADRIC, QUADRIC_SIZE } from './round-quadric.ts';

/** Half a chord, in parts of the radius, below which a side only grazes the quadric: its square. */
const GRAZING = 1e-16;

/** What of a side is inside the quadric. */
export const PART = 1;
export const FROM_CROSSING = 2;
export const TO_CROSSING = 4;

/** Work space for any number of kernels in turn; written before it is read. */
export class RoundSides {
  /** Points: corners, crossings of edges with the ends, crossings of sides with the quadric, and room for others from `free` on. */
  points: Float64Array = new Float64Array(0);
  /** 1 or −1 when a corner is beyond the high or the low end. */
  end: Int8Array = new Int8Array(0);
  /** Ends of a side: edges of the polytope, then those in the ends of the body. −1 when nothing is left. */
  first: Int32Array = new Int32Array(0);
  last: Int32Array = new Int32Array(0);
  /** Its part in the quadric: ends, and what they are. */
  from: Int32Array = new Int32Array(0);
  to: Int32Array = new Int32Array(0);
  part: Uint8Array = new Uint8Array(0);
  cornerCount = 0;
  edgeCount = 0;
  count = 0;
  free = 0;
  /** 1 when a point is in the quadric. */
  #inside = new Uint8Array(0);
  #crossings = 0;
  #quadric: Float64Array = new Float64Array(QUADRIC_SIZE);
  /** Vector of a side, and how far to go along it. */
  readonly #step = new Float64Array(4);

  /** Makes room for a polytope and more points. Allocates. */
  reserve(polytope: Polytope, more: number): void {
    const corners = polytope.corners.length / 3;
    const edges = polytope.edges.length / 4;
    const sides = 3 * edges;
    const points = corners + 2 * edges + 2 * sides + more;
    if (points > this.#inside.length) {
      this.points = new Float64Array(3 * points);
      this.#inside = new Uint8Array(points);
    }
    if (corners > this.end.length) this.end = new Int8Array(corners);
    if (sides <= this.first.length) return;
    this.first = new Int32Array(sides);
    this.last = new Int32Array(sides);
    this.from = new Int32Array(sides);
    this.to = new Int32Array(sides);
    this.part = new Uint8Array(sides);
  }

  /** Computes the edges of the polytope at `pose` in the body; false when all corners are beyond one end. @alloc none */
  cut(polytope: Polytope, pose: Float64Array, quadric: Float64Array): boolean {
    this.#quadric = quadric;
    if (!this.#place(polytope, pose)) return false;
    this.#cutEdges(polytope.edges);
    return true;
  }

  /** Adds a side in an end, between two crossings of edges with it. @returns its number @alloc none */
  join(from: number, to: number): number {
    const side = this.count++;
    this.first[side] = from;
    this.last[side] = to;
    this.#cutSide(side);
    return side;
  }

  /** Corners in the frame of the body; false when all are beyond one end. */
  #place({ corners, edges }: Polytope, pose: Float64Array): boolean {
    const { points } = this;
    const q = this.#quadric;
    const low = q[QUADRIC.low];
    const high = q[QUADRIC.high];
    const shift = q[QUADRIC.height];
    const count = corners.length / 3;
    let above = 0;
    let below = 0;
    for (let v = 0; v < count; v++) {
      const k = 3 * v;
      const x = corners[k];
      const y = corners[k + 1];
      const z = corners[k + 2];
      points[k] = pose[0] * x + pose[1] * y + pose[2] * z + pose[9];
      points[k + 1] = pose[3] * x + pose[4] * y + pose[5] * z + pose[10];
      const height = pose[6] * x + pose[7] * y + pose[8] * z + pose[11];
      points[k + 2] = height - shift;
      const end = height > high ? 1 : height < low ? -1 : 0;
      this.end[v] = end;
      // a polytope that ends in the plane between a cylinder and half a ball is in one of them alone, face and all
      if (height >= high) above++;
      if (height <= low) below++;
      this.#classify(v);
    }
    this.cornerCount = count;
    this.edgeCount = edges.length >> 2;
    this.#crossings = count + 2 * this.edgeCount;
    this.free = this.#crossings + 6 * this.edgeCount;
    return above < count && below < count;
  }

  #classify(p: number): void {
    const { points } = this;
    const q = this.#quadric;
    const x = points[3 * p];
    const y = points[3 * p + 1];
    const z = points[3 * p + 2];
    const r = q[QUADRIC.radius] - q[QUADRIC.slope] * z;
    this.#inside[p] = Number(x * x + y * y + q[QUADRIC.ball] * z * z - r * r <= 0);
  }

  /** What edges have between the ends, and what of that is in the quadric. */
  #cutEdges(edges: Int32Array): void {
    const end = this.end;
    const first = this.first;
    const last = this.last;
    const count = this.edgeCount;
    for (let e = 0; e < count; e++) {
      const a = edges[4 * e];
      const b = edges[4 * e + 1];
      this.part[e] = 0;
      if (end[a] !== 0 && end[a] === end[b]) {
        first[e] = -1;
        continue;
      }
      first[e] = end[a] === 0 ? a : this.#crossEnd(e, a, b, end[a]);
      last[e] = end[b] === 0 ? b : this.#crossEnd(e, a, b, end[b]);
      this.#cutSide(e);
    }
    this.count = count;
  }

  /** Point where edge e from corner a to b meets an end. */
  #crossEnd(e: number, a: number, b: number, end: number): number {
    const { points } = this;
    const q = this.#quadric;
    const z = (end > 0 ? q[QUADRIC.high] : q[QUADRIC.low]) - q[QUADRIC.height];
    const i = 3 * a;
    const j = 3 * b;
    const t = (z - points[i + 2]) / (points[j + 2] - points[i + 2]);
    const p = this.cornerCount + 2 * e + (end > 0 ? 1 : 0);
    points[3 * p] = points[i] + t * (points[j] - points[i]);
    points[3 * p + 1] = points[i + 1] + t * (points[j + 1] - points[i + 1]);
    points[3 * p + 2] = z;
    this.#classify(p);
    return p;
  }

  /** Computes which part of a side is in the quadric. */
  #cutSide(side: number): void {
    const { points } = this;
    const q = this.#quadric;
    const a = this.first[side];
    const b = this.last[side];
    const fromInside = this.#inside[a] === 1;
    const toInside = this.#inside[b] === 1;
    this.from[side] = a;
    this.to[side] = b;
    if (fromInside && toInside) {
      this.part[side] = PART;
      return;
    }
    // from the inner end outwards; from either when both are out
    const start = 3 * (toInside ? b : a);
    const stop = 3 * (toInside ? a : b);
    const x = points[start];
    const y = points[start + 1];
    const z = points[start + 2];
    const dx = points[stop] - x;
    const dy = points[stop + 1] - y;
    const dz = points[stop + 2] - z;
    const step = this.#step;
    step[0] = dx;
    step[1] = dy;
    step[2] = dz;
    const r = q[QUADRIC.radius] - q[QUADRIC.slope] * z;
    const square =
      dx * dx + dy * dy + (q[QUADRIC.ball] - q[QUADRIC.slope] * q[QUADRIC.slope]) * dz * dz;
    const half = x * dx + y * dy + (q[QUADRIC.ball] * z + q[QUADRIC.slope] * r) * dz;
    const rest = x * x + y * y + q[QUADRIC.ball] * z * z - r * r;
    this.part[side] = 0;
    const crossing = this.#crossings + 2 * side;
    if (fromInside || toInside) {
      const root = Math.sqrt(Math.max(half * half - square * rest, 0));
      const t = half > 0 ? -rest / (half + root) : (root - half) / square;
      step[3] = t < 1 ? t : 1;
      this.#along(crossing, start);
      if (toInside) {
        this.from[side] = crossing;
        this.part[side] = PART + FROM_CROSSING;
      } else {
        this.to[side] = crossing;
        this.part[side] = PART + TO_CROSSING;
      }
      return;
    }
    if (!(half < 0 && square + half > 0)) return;
    const inside = half * half - square * rest;
    // grazing: half the chord, squared, is inside/square
    if (!(inside > GRAZING * q[QUADRIC.radius] * q[QUADRIC.radius] * square)) return;
    const root = Math.sqrt(inside);
    step[3] = rest / (root - half);
    this.#along(crossing, start);
    step[3] = (root - half) / square;
    this.#along(crossing + 1, start);
    this.from[side] = crossing;
    this.to[side] = crossing + 1;
    this.part[side] = PART + FROM_CROSSING + TO_CROSSING;
  }

  #along(p: number, start: number): void {
    const { points } = this;
    const step = this.#step;
    for (let k = 0; k < 3; k++) points[3 * p + k] = points[start + k] + step[3] * step[k];
  }
}
