/**
 * The flat faces of the overlap of a polytope and a round body (round-quadric.ts), in the frame of the body.
 *
 * Each face of the polytope is walked once around, counter-clockwise from outside, along the sides of round-sides.ts. The sides in the ends
 * of the body, walked backwards, are the loops of the end faces. Where a loop leaves the quadric, an arc leads to the point at which it
 * comes back: the next one on the way around, so that no angle decides. A loop that stays outside has the whole section in it or nothing.
 *
 * A face is then a fan of triangles about one of its points and the segments of conic-arc.ts. They go as flat patches to the sums.
 */
import type { Polytope } from '../polytope.ts';
import { ARC, ConicArcs, KEPT_SIZE, raiseToArc } from './conic-arc.ts';
import type { PatchSums } from './patch-sums.ts';
import { QUADRIC, QUADRIC_SIZE } from './round-quadric.ts';
import { FROM_CROSSING, RoundSides, TO_CROSSING } from './round-sides.ts';
import type { WalkedPolytope } from './walked-polytope.ts';

const nothing = (): void => undefined;
const NOTHING: PatchSums = { start: nothing, add: nothing, addRim: nothing, addCircle: nothing };

/** What the middle of an arc may be outside, in parts of the radius: it is known to 1e-8 over the shortest chord. */
const SLACK = 1e-6;
/** Divisions of an arc in halves, and how many pieces of arcs there is room for beyond one for each end of each side. */
const MOST_DIVISIONS = 16;
const MORE_PIECES = 128;
/** Pieces and divisions of arcs for a polytope. The limit is independent of other kernels, and so is the result. */
const roomOf = ({ edges }: Polytope): number => 3 * edges.length + MORE_PIECES;

/** Work space for any number of kernels in turn; written before it is read. */
export class RoundFaces {
  /** Whether some patch was added. */
  any = false;
  readonly #arcs = new ConicArcs();
  readonly #sides = new RoundSides();
  /** Side in an end that comes to the crossing of an edge: where the loop of the end goes on. */
  #next = new Int32Array(0);
  /** 1 for sides in the high end, −1 in the low end, 0 when walked. */
  #plane = new Int8Array(0);
  /** Arcs and whole sections, for extents; pieces of arcs that there is room for. */
  #kept = new Float64Array(0);
  #keptCount = 0;
  #wholes = new Float64Array(0);
  #wholeCount = 0;
  #room = 0;
  /** Where middles of arcs and other points end; they start behind the crossings of sides. */
  #top = 0;
  readonly #normal = new Float64Array(3);
  readonly #pose = new Float64Array(12);
  #planes: Float64Array = new Float64Array(0);
  #faces = 0;
  #quadric: Float64Array = new Float64Array(QUADRIC_SIZE);
  #sums: PatchSums = NOTHING;
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
    const edges = polytope.edges.length / 4;
    const faces = polytope.planes.length / 4 + 2;
    const pieces = roomOf(polytope);
    this.#sides.reserve(polytope, pieces + 4 * faces + 1);
    if (KEPT_SIZE * pieces > this.#kept.length) this.#kept = new Float64Array(KEPT_SIZE * pieces);
    if (9 * faces > this.#wholes.length) this.#wholes = new Float64Array(9 * faces);
    if (3 * edges <= this.#next.length) return;
    this.#next = new Int32Array(3 * edges);
    this.#plane = new Int8Array(3 * edges);
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
    this.#room = roomOf(polytope);
    if (!this.#sides.cut(polytope, pose, quadric)) return;
    this.#top = this.#sides.free;
    for (let k = 0; k < 2 * this.#sides.edgeCount; k++) this.#next[k] = -1;
    const { loops, loopStart } = polytope;
    for (let f = 0; f < this.#faces; f++) {
      this.#walkFace(f, loops, sides, loopStart[f], loopStart[f + 1]);
    }
    this.#walkEnds();
  }

  #walkFace(face: number, loops: Int32Array, sides: Int32Array, begin: number, stop: number): void {
    const { first, last, end } = this.#sides;
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
    const side = this.#sides.join(from, to);
    const crossing = to - this.#sides.cornerCount;
    this.#plane[side] = (crossing & 1) === 1 ? 1 : -1;
    // from there the loop of the end comes back along it
    this.#next[crossing] = side;
    this.#walkSide(side, false);
  }

  /** Faces of the ends. */
  #walkEnds(): void {
    const plane = this.#plane;
    const next = this.#next;
    const n = this.#normal;
    const { first, edgeCount, count, cornerCount } = this.#sides;
    for (let k = edgeCount; k < count; k++) {
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
        side = next[first[side] - cornerCount];
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
    const sides = this.#sides;
    const part = sides.part[side];
    if (part === 0) {
      this.#turn(
        back ? sides.last[side] : sides.first[side],
        back ? sides.first[side] : sides.last[side],
      );
      return;
    }
    const from = back ? sides.to[side] : sides.from[side];
    const to = back ? sides.from[side] : sides.to[side];
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
    const { points } = this.#sides;
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
    if (this.#arcs.whole(this.#sides.points, this.#outside, this.#normal)) this.#addWhole();
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
    this.#arcs.triangle(this.#sides.points, anchor, from, to);
    this.#add();
  }

  #addArc(from: number, to: number): void {
    this.#addTriangle(from, to);
    this.#orient();
    this.#arcs.wide = false;
    this.#start(from);
    this.#addSegment(from, to, 0);
  }

  #addSegment(from: number, to: number, division: number): void {
    const arcs = this.#arcs;
    // a division takes a point and makes two pieces
    const last = division === MOST_DIVISIONS || this.#room < 4;
    let what = arcs.segment(this.#sides.points, from, to, this.#normal, last);
    if (what === ARC.wide && this.#holds(arcs.middle)) {
      arcs.wide = true;
      what = arcs.segment(this.#sides.points, from, to, this.#normal, last);
    }
    if (what === ARC.done) {
      if (this.#room-- > 0) arcs.keep(this.#kept, KEPT_SIZE * this.#keptCount++);
      this.#add();
      this.#sums.addRim(arcs);
    } else if (what === ARC.divide) {
      this.#room--;
      const middle = this.#top++;
      for (let k = 0; k < 3; k++) this.#sides.points[3 * middle + k] = arcs.middle[k];
      arcs.triangle(this.#sides.points, middle, to, from);
      this.#add();
      this.#addSegment(from, middle, division + 1);
      this.#addSegment(middle, to, division + 1);
    }
  }

  /**
   * Is a point in the polytope and between the ends? A side that grazes the quadric, in a face without width, would else make a whole
   * section.
   */
  #holds(point: Float64Array): boolean {
    const planes = this.#planes;
    const pose = this.#pose;
    const q = this.#quadric;
    const slack = SLACK * q[QUADRIC.radius];
    const height = point[2] + q[QUADRIC.height];
    if (height > q[QUADRIC.high] + slack || height < q[QUADRIC.low] - slack) return false;
    const x = point[0] - pose[9];
    const y = point[1] - pose[10];
    const z = height - pose[11];
    const px = pose[0] * x + pose[3] * y + pose[6] * z;
    const py = pose[1] * x + pose[4] * y + pose[7] * z;
    const pz = pose[2] * x + pose[5] * y + pose[8] * z;
    for (let f = 0; f < planes.length; f += 4) {
      const out = planes[f] * px + planes[f + 1] * py + planes[f + 2] * pz - planes[f + 3];
      if (out > slack) return false;
    }
    return true;
  }

  /** Four arcs between the ends of conjugate axes, of a cone, whose sums are not even around a section. */
  #addQuarters(): void {
    const { patch } = this.#arcs;
    const { points } = this.#sides;
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
    this.#arcs.wide = true;
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
      for (let k = 0; k < 3; k++) this.#sides.points[3 * p + k] = patch[k];
      this.#start(p);
    }
    this.#add();
    this.#sums.addCircle(patch);
  }

  #start(p: number): void {
    if (this.#started) return;
    this.#started = true;
    this.#sums.start(this.#sides.points, p);
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
    const { part, from, to, count, free } = this.#sides;
    for (let side = 0; side < count; side++) {
      if (part[side] === 0) continue;
      this.#raiseTo(from[side], axis, reach);
      this.#raiseTo(to[side], axis, reach);
    }
    for (let p = free; p < this.#top; p++) this.#raiseTo(p, axis, reach);
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
    const { points } = this.#sides;
    const at = axis[0] * points[3 * p] + axis[1] * points[3 * p + 1] + axis[2] * points[3 * p + 2];
    if (at > reach[0]) reach[0] = at;
    if (-at > reach[1]) reach[1] = -at;
  }

  /** Raises `out[0]` to the largest extent along an axis from one point of the overlap: for bounds of rounding. @alloc none */
  spread(out: Float64Array): void {
    const { points } = this.#sides;
    const w = this.#wholes;
    for (let o = 0; o < 9 * this.#wholeCount; o += 9) {
      for (let k = 3; k < 9; k++) if (Math.abs(w[o + k]) > out[0]) out[0] = Math.abs(w[o + k]);
    }
    const { part, from, to, count } = this.#sides;
    let origin = -1;
    for (let side = 0; side < count; side++) {
      if (part[side] === 0) continue;
      if (origin < 0) origin = 3 * from[side];
      for (let k = 0; k < 3; k++) {
        const one = Math.abs(points[3 * from[side] + k] - points[origin + k]);
        const other = Math.abs(points[3 * to[side] + k] - points[origin + k]);
        if (one > out[0]) out[0] = one;
        if (other > out[0]) out[0] = other;
      }
    }
  }
}
