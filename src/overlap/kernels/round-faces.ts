/**
 * The flat faces of the overlap of a polytope and a round body (round-quadric.ts), in the frame of the body.
 *
 * Each face of the polytope is walked once around, counter-clockwise from outside. What its loop has between the two ends of the body
 * is joined by straight sides in the planes of the ends; these sides, walked backwards, are the loops of the end faces. Each side is
 * met with the quadric once, for both of its faces. Where a loop leaves the quadric, an arc leads to the point at which it comes back:
 * the next one on the way around, so that no angle decides. A loop that stays outside has the whole section in it or nothing.
 *
 * A face is then a fan of triangles about one of its points and the segments of conic-arc.ts. They go as flat patches to the sums.
 */
import type { Polytope } from '../polytope.ts';
import { ARC, ConicArcs, KEPT_SIZE, raiseToArc } from './conic-arc.ts';
import type { PatchSums } from './patch-sums.ts';
import { QUADRIC } from './round-quadric.ts';
import type { WalkedPolytope } from './walked-polytope.ts';

const nothing = (): void => undefined;
const NOTHING: PatchSums = { start: nothing, add: nothing, addRim: nothing, addCircle: nothing };

/** Half a chord, in parts of the radius, below which a side only grazes the quadric: its square. */
const GRAZING = 1e-16;
/** Divisions of an arc in halves, and how many pieces of arcs there is room for beyond one for each end of each side. */
const MOST_DIVISIONS = 16;
const MORE_PIECES = 128;

/** What of a side is inside the quadric. */
const PART = 1;
const FROM_CROSSING = 2;
const TO_CROSSING = 4;

/** Work space for any number of kernels in turn; written before it is read. */
export class RoundFaces {
  /** Points: corners, then crossings of edges with the ends, those of sides with the quadric, and middles of arcs. */
  points: Float64Array = new Float64Array(0);
  /** Whether some patch was added. */
  any = false;
  readonly #arcs = new ConicArcs();
  /** 1 when a point is in the quadric; 1 or −1 when a corner is beyond the high or the low end. */
  #inside = new Uint8Array(0);
  #end = new Int8Array(0);
  /** Sides: edges of the polytope, then those in the ends. Ends −1 when nothing is left; part in the quadric. */
  #first = new Int32Array(0);
  #last = new Int32Array(0);
  #from = new Int32Array(0);
  #to = new Int32Array(0);
  #part = new Uint8Array(0);
  /** Side of an end that comes to the crossing of an edge: where the loop of the end goes on. */
  #next = new Int32Array(0);
  /** 1 for sides in the high end, −1 in the low end, 0 when walked. */
  #plane = new Int8Array(0);
  #kept = new Float64Array(0);
  #keptCount = 0;
  #wholes = new Float64Array(0);
  #wholeCount = 0;
  #sideCount = 0;
  #edgeCount = 0;
  #cornerCount = 0;
  #crossings = 0;
  /** Where middles of arcs and other points start, and end. */
  #middles = 0;
  #top = 0;
  readonly #normal = new Float64Array(3);
  readonly #pose = new Float64Array(12);
  #planes: Float64Array = new Float64Array(0);
  #faces = 0;
  #quadric: Float64Array = new Float64Array(5);
  #sums: PatchSums = NOTHING;
  /** Vector of a side, and how far to go along it. */
  readonly #step = new Float64Array(4);
  #face = 0;
  #hasNormal = false;
  #started = false;
  /** Of the loop being walked: a point of the face, where it left the quadric, where it first came in. */
  #anchor = -1;
  #exit = -1;
  #entry = -1;
  /** Sides outside that turn left and right about the axis; a point of the last one. */
  #left = 0;
  #right = 0;
  #outside = -1;

  /** Makes room for a polytope. Allocates. */
  reserve(polytope: Polytope): void {
    const corners = polytope.corners.length / 3;
    const edges = polytope.edges.length / 4;
    const faces = polytope.planes.length / 4 + 2;
    const sides = 3 * edges;
    const pieces = 4 * sides + MORE_PIECES;
    const points = corners + 2 * edges + 2 * sides + pieces + 4 * faces + 1;
    if (points > this.#inside.length) {
      this.points = new Float64Array(3 * points);
      this.#inside = new Uint8Array(points);
    }
    if (KEPT_SIZE * pieces > this.#kept.length) this.#kept = new Float64Array(KEPT_SIZE * pieces);
    if (corners > this.#end.length) this.#end = new Int8Array(corners);
    if (sides > this.#first.length) {
      this.#first = new Int32Array(sides);
      this.#last = new Int32Array(sides);
      this.#from = new Int32Array(sides);
      this.#to = new Int32Array(sides);
      this.#part = new Uint8Array(sides);
      this.#next = new Int32Array(sides);
      this.#plane = new Int8Array(sides);
    }
    if (9 * faces > this.#wholes.length) this.#wholes = new Float64Array(9 * faces);
  }

  /** Walks all faces of the polytope at `pose` in the frame of the body and hands their patches to the sums. @alloc none */
  walk(
    quadric: Float64Array,
    { polytope, sides }: WalkedPolytope,
    pose: Float64Array,
    sums: PatchSums,
  ): void {
    this.#quadric = quadric;
    this.#arcs.use(quadric);
    for (let k = 0; k < 12; k++) this.#pose[k] = pose[k];
    this.#planes = polytope.planes;
    this.#faces = polytope.planes.length >> 2;
    this.#sums = sums;
    this.any = false;
    this.#started = false;
    this.#keptCount = 0;
    this.#wholeCount = 0;
    if (!this.#place(polytope)) return;
    this.#cutEdges(polytope.edges);
    const { loops, loopStart } = polytope;
    for (let f = 0; f < this.#faces; f++) {
      this.#walkFace(f, loops, sides, loopStart[f], loopStart[f + 1]);
    }
    this.#walkEnds();
  }

  /** Corners in the frame of the body; false when all are beyond one end. */
  #place({ corners, edges }: Polytope): boolean {
    const { points } = this;
    const pose = this.#pose;
    const low = this.#quadric[QUADRIC.low];
    const high = this.#quadric[QUADRIC.high];
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
      points[k + 2] = height;
      const end = height > high ? 1 : height < low ? -1 : 0;
      this.#end[v] = end;
      if (end > 0) above++;
      else if (end < 0) below++;
      this.#classify(v);
    }
    this.#cornerCount = count;
    this.#edgeCount = edges.length >> 2;
    this.#crossings = count + 2 * this.#edgeCount;
    this.#middles = this.#crossings + 6 * this.#edgeCount;
    this.#top = this.#middles;
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
    const end = this.#end;
    const first = this.#first;
    const last = this.#last;
    const next = this.#next;
    const count = this.#edgeCount;
    for (let e = 0; e < count; e++) {
      const a = edges[4 * e];
      const b = edges[4 * e + 1];
      next[2 * e] = -1;
      next[2 * e + 1] = -1;
      this.#part[e] = 0;
      if (end[a] !== 0 && end[a] === end[b]) {
        first[e] = -1;
        continue;
      }
      first[e] = end[a] === 0 ? a : this.#crossEnd(e, a, b, end[a]);
      last[e] = end[b] === 0 ? b : this.#crossEnd(e, a, b, end[b]);
      this.#cutSide(e);
    }
    this.#sideCount = count;
  }

  /** Point where edge e from corner a to b meets an end. */
  #crossEnd(e: number, a: number, b: number, end: number): number {
    const { points } = this;
    const z = end > 0 ? this.#quadric[QUADRIC.high] : this.#quadric[QUADRIC.low];
    const i = 3 * a;
    const j = 3 * b;
    const t = (z - points[i + 2]) / (points[j + 2] - points[i + 2]);
    const p = this.#cornerCount + 2 * e + (end > 0 ? 1 : 0);
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
    const a = this.#first[side];
    const b = this.#last[side];
    const fromInside = this.#inside[a] === 1;
    const toInside = this.#inside[b] === 1;
    this.#from[side] = a;
    this.#to[side] = b;
    if (fromInside && toInside) {
      this.#part[side] = PART;
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
    this.#part[side] = 0;
    const crossing = this.#crossings + 2 * side;
    if (fromInside || toInside) {
      const root = Math.sqrt(Math.max(half * half - square * rest, 0));
      const t = half > 0 ? -rest / (half + root) : (root - half) / square;
      step[3] = t < 1 ? t : 1;
      this.#along(crossing, start);
      if (toInside) {
        this.#from[side] = crossing;
        this.#part[side] = PART + FROM_CROSSING;
      } else {
        this.#to[side] = crossing;
        this.#part[side] = PART + TO_CROSSING;
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
    this.#from[side] = crossing;
    this.#to[side] = crossing + 1;
    this.#part[side] = PART + FROM_CROSSING + TO_CROSSING;
  }

  #along(p: number, start: number): void {
    const { points } = this;
    const step = this.#step;
    for (let k = 0; k < 3; k++) points[3 * p + k] = points[start + k] + step[3] * step[k];
  }

  #walkFace(face: number, loops: Int32Array, sides: Int32Array, begin: number, stop: number): void {
    const first = this.#first;
    const last = this.#last;
    const end = this.#end;
    this.#face = face;
    this.#hasNormal = false;
    this.#beginLoop();
    let left = -1;
    let open = -1;
    for (let h = begin; h < stop; h++) {
      const side = sides[h] >> 1;
      if (first[side] < 0) continue;
      const back = (sides[h] & 1) === 1;
      const v = loops[h];
      const w = loops[h + 1 < stop ? h + 1 : begin];
      if (end[v] !== 0) {
        const start = back ? last[side] : first[side];
        if (left >= 0) this.#joinInEnd(left, start);
        else open = start;
        left = -1;
      }
      this.#walkSide(side, back);
      if (end[w] !== 0) left = back ? first[side] : last[side];
    }
    if (left >= 0 && open >= 0) this.#joinInEnd(left, open);
    this.#endLoop();
  }

  /** Side in an end between two crossings of edges. */
  #joinInEnd(from: number, to: number): void {
    const side = this.#sideCount++;
    const crossing = to - this.#cornerCount;
    this.#first[side] = from;
    this.#last[side] = to;
    this.#plane[side] = (crossing & 1) === 1 ? 1 : -1;
    // from there the loop of the end comes back along it
    this.#next[crossing] = side;
    this.#cutSide(side);
    this.#walkSide(side, false);
  }

  /** Faces of the ends. */
  #walkEnds(): void {
    const plane = this.#plane;
    const next = this.#next;
    const n = this.#normal;
    for (let k = this.#edgeCount; k < this.#sideCount; k++) {
      if (plane[k] === 0) continue;
      n[0] = 0;
      n[1] = 0;
      n[2] = plane[k];
      this.#face = this.#faces;
      this.#hasNormal = true;
      this.#beginLoop();
      for (let side = k; side >= 0 && plane[side] !== 0; ) {
        plane[side] = 0;
        this.#walkSide(side, true);
        side = next[this.#first[side] - this.#cornerCount];
      }
      this.#endLoop();
    }
  }

  #beginLoop(): void {
    this.#anchor = -1;
    this.#exit = -1;
    this.#entry = -1;
    this.#left = 0;
    this.#right = 0;
    this.#outside = -1;
  }

  #walkSide(side: number, back: boolean): void {
    const part = this.#part[side];
    if (part === 0) {
      this.#turn(
        back ? this.#last[side] : this.#first[side],
        back ? this.#first[side] : this.#last[side],
      );
      return;
    }
    const from = back ? this.#to[side] : this.#from[side];
    const to = back ? this.#from[side] : this.#to[side];
    if (this.#anchor < 0) this.#anchor = from;
    if ((part & (back ? TO_CROSSING : FROM_CROSSING)) !== 0) {
      if (this.#exit >= 0) this.#addArc(this.#exit, from);
      else this.#entry = from;
      this.#exit = -1;
    }
    this.#addTriangle(from, to);
    if ((part & (back ? FROM_CROSSING : TO_CROSSING)) !== 0) this.#exit = to;
  }

  /** A side outside the quadric: on which hand it has the middle of the section. */
  #turn(a: number, b: number): void {
    const { points } = this;
    const i = 3 * a;
    const j = 3 * b;
    let turn = points[i] * points[j + 1] - points[i + 1] * points[j];
    if (this.#quadric[QUADRIC.ball] > 0) {
      this.#orient();
      const n = this.#normal;
      const x = points[i + 1] * points[j + 2] - points[i + 2] * points[j + 1];
      const y = points[i + 2] * points[j] - points[i] * points[j + 2];
      turn = n[0] * x + n[1] * y + n[2] * turn;
    }
    if (turn >= 0) this.#left++;
    if (turn <= 0) this.#right++;
    this.#outside = a;
  }

  #endLoop(): void {
    if (this.#exit >= 0 && this.#entry >= 0) this.#addArc(this.#exit, this.#entry);
    if (this.#anchor >= 0 || this.#outside < 0) return;
    if (this.#left > 0 && this.#right > 0) return;
    this.#orient();
    if (this.#arcs.whole(this.points, this.#outside, this.#normal)) this.#addWhole();
  }

  /** Normal of the face in the frame of the body. */
  #orient(): void {
    if (this.#hasNormal) return;
    const planes = this.#planes;
    const pose = this.#pose;
    const n = this.#normal;
    const f = 4 * this.#face;
    const x = planes[f];
    const y = planes[f + 1];
    const z = planes[f + 2];
    n[0] = pose[0] * x + pose[1] * y + pose[2] * z;
    n[1] = pose[3] * x + pose[4] * y + pose[5] * z;
    n[2] = pose[6] * x + pose[7] * y + pose[8] * z;
    this.#hasNormal = true;
  }

  #addTriangle(from: number, to: number): void {
    const anchor = this.#anchor;
    if (anchor === from || anchor === to) return;
    this.#start(anchor);
    this.#arcs.triangle(this.points, anchor, from, to);
    this.#add();
  }

  #addArc(from: number, to: number): void {
    this.#addTriangle(from, to);
    this.#orient();
    this.#start(from);
    this.#addSegment(from, to, 0);
  }

  #addSegment(from: number, to: number, division: number): void {
    const arcs = this.#arcs;
    const room = this.#kept.length - KEPT_SIZE * (this.#keptCount + 2) > 0;
    const last = division === MOST_DIVISIONS || !room;
    const what = arcs.segment(this.points, from, to, this.#normal, last);
    if (what === ARC.done) {
      if (room) arcs.keep(this.#kept, KEPT_SIZE * this.#keptCount++);
      this.#add();
      this.#sums.addRim(arcs);
    } else if (what === ARC.divide) {
      const middle = this.#top++;
      for (let k = 0; k < 3; k++) this.points[3 * middle + k] = arcs.middle[k];
      arcs.triangle(this.points, middle, to, from);
      this.#add();
      this.#addSegment(from, middle, division + 1);
      this.#addSegment(middle, to, division + 1);
    }
  }

  /** Four arcs between the ends of conjugate axes, of a cone, whose sums are not even around a section. */
  #addQuarters(): void {
    const { patch } = this.#arcs;
    const { points } = this;
    const p = this.#top;
    this.#top += 4;
    for (let k = 0; k < 3; k++) {
      const middle = patch[k];
      points[3 * p + k] = middle + patch[3 + k];
      points[3 * p + 3 + k] = middle + patch[6 + k];
      points[3 * p + 6 + k] = middle - patch[3 + k];
      points[3 * p + 9 + k] = middle - patch[6 + k];
    }
    this.#anchor = p;
    this.#addTriangle(p + 1, p + 2);
    this.#addTriangle(p + 2, p + 3);
    for (let n = 0; n < 4; n++) this.#addSegment(p + n, p + ((n + 1) & 3), 0);
  }

  #addWhole(): void {
    const { patch } = this.#arcs;
    const o = 9 * this.#wholeCount++;
    for (let k = 0; k < 9; k++) this.#wholes[o + k] = patch[k];
    if (this.#quadric[QUADRIC.slope] > 0) {
      this.#addQuarters();
      return;
    }
    if (!this.#started) {
      const p = this.#top++;
      for (let k = 0; k < 3; k++) this.points[3 * p + k] = patch[k];
      this.#start(p);
    }
    this.#add();
    this.#sums.addCircle(patch);
  }

  #start(p: number): void {
    if (this.#started) return;
    this.#started = true;
    this.#sums.start(this.points, p);
  }

  #add(): void {
    this.any = true;
    this.#sums.add(this.#arcs.patch, this.#face < this.#faces);
  }

  /**
   * Raises `reach[0]` and `reach[1]` to the largest distances of the overlap along the unit vector `axis` and against it, from the origin of
   * the body. @alloc none
   */
  reach(axis: Float64Array, reach: Float64Array): void {
    for (let side = 0; side < this.#sideCount; side++) {
      if (this.#part[side] === 0) continue;
      this.#raiseTo(this.#from[side], axis, reach);
      this.#raiseTo(this.#to[side], axis, reach);
    }
    for (let p = this.#middles; p < this.#top; p++) this.#raiseTo(p, axis, reach);
    for (let k = 0; k < this.#keptCount; k++) raiseToArc(this.#kept, KEPT_SIZE * k, axis, reach);
    const w = this.#wholes;
    for (let o = 0; o < 9 * this.#wholeCount; o += 9) {
      const along = axis[0] * w[o + 3] + axis[1] * w[o + 4] + axis[2] * w[o + 5];
      const across = axis[0] * w[o + 6] + axis[1] * w[o + 7] + axis[2] * w[o + 8];
      const at = axis[0] * w[o] + axis[1] * w[o + 1] + axis[2] * w[o + 2];
      const far = Math.sqrt(along * along + across * across);
      if (far + at > reach[0]) reach[0] = far + at;
      if (far - at > reach[1]) reach[1] = far - at;
    }
  }

  #raiseTo(p: number, axis: Float64Array, reach: Float64Array): void {
    const { points } = this;
    const at = axis[0] * points[3 * p] + axis[1] * points[3 * p + 1] + axis[2] * points[3 * p + 2];
    if (at > reach[0]) reach[0] = at;
    if (-at > reach[1]) reach[1] = -at;
  }

  /** Raises `out[0]` to the largest extent along an axis from one point of the overlap: for bounds of rounding. @alloc none */
  spread(out: Float64Array): void {
    const { points } = this;
    const w = this.#wholes;
    for (let o = 0; o < 9 * this.#wholeCount; o += 9) {
      for (let k = 3; k < 9; k++) if (Math.abs(w[o + k]) > out[0]) out[0] = Math.abs(w[o + k]);
    }
    let origin = -1;
    for (let side = 0; side < this.#sideCount; side++) {
      if (this.#part[side] === 0) continue;
      if (origin < 0) origin = 3 * this.#from[side];
      for (let k = 0; k < 3; k++) {
        const from = Math.abs(points[3 * this.#from[side] + k] - points[origin + k]);
        const to = Math.abs(points[3 * this.#to[side] + k] - points[origin + k]);
        if (from > out[0]) out[0] = from;
        if (to > out[0]) out[0] = to;
      }
    }
  }
}
