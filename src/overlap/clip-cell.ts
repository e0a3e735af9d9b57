/**
 * Closed surface of flat faces that planes cut one after the other: work space of the clipping.
 * docs/theory/clipping.md.
 *
 * The surface is a list of edges, each with its left and its right face. A plane keeps, drops or
 * shortens each edge once, so that the two faces at it agree to the last bit. Each cut face gets
 * one new edge, and the face of the plane gets the same edge reversed. The faces therefore stay
 * closed whatever the rounding, and no face needs its corners in order.
 */
import type { Polytope } from './polytope.ts';

/** What a cut did. */
export const CUT = {
  /** Nothing lies beyond the plane. */
  kept: 0,
  /** A part was cut off. */
  cut: 1,
  /** The cell is empty. */
  empty: 2,
  /** Rounding has torn the surface until it found no room: it is kept unchanged. A convex surface never gets here. */
  torn: 3,
} as const;

const facesOf = (polytope: Polytope, planes: number): number =>
  (polytope.planes.length >> 2) + planes;
/** Euler: a convex polytope with F faces has at most 3F − 6 edges; twice that, as new ones stand behind the old. */
const edgeRoomOf = (polytope: Polytope, planes: number): number =>
  2 * ((polytope.edges.length >> 2) + 3 * facesOf(polytope, planes));
/** At most 2F − 4 corners of three or more edges, those of the polytope, and the new ones of one cut. */
export const slotRoomOf = (polytope: Polytope, planes: number): number =>
  polytope.corners.length / 3 + 2 * facesOf(polytope, planes) + edgeRoomOf(polytope, planes);

/** Work space for any number of kernels in turn: no state from before `load` affects a cut. */
export class ClippedCell {
  /** Of each corner slot four numbers: coordinates, and the signed distance from the last plane that asked it. */
  points: Float64Array = new Float64Array(0);
  /** Slots in use. */
  live: Int32Array = new Int32Array(0);
  liveCount = 0;
  /** Edges as (from, to, left face, right face). Faces of the polytope come first, then those of the planes. */
  edges: Int32Array = new Int32Array(0);
  edgeCount = 0;
  /** 1 for a slot beyond the plane of the present cut, else 0. */
  #side: Uint8Array = new Uint8Array(0);
  /** Slots from here on were never used; unused slots below are on the stack `free`. */
  #top = 0;
  #free: Int32Array = new Int32Array(0);
  #freeCount = 0;
  /** Slots that the last cut dropped. */
  dropped: Int32Array = new Int32Array(0);
  droppedCount = 0;
  /** New corners of the last cut: inner, outer and own slot of each. */
  crossings: Int32Array = new Int32Array(0);
  crossingCount = 0;
  /** Per face: where its edges leave the kept side and where they return, −1 for none yet. */
  #leaves: Int32Array = new Int32Array(0);
  #enters: Int32Array = new Int32Array(0);
  /** Crossings of a face with more than two, which rounding can cause: face, slot, 1 when the edge leaves. */
  #spare: Int32Array = new Int32Array(0);
  #spareCount = 0;
  /** New edges of the present cut, behind the old ones. */
  #fresh = 0;
  /** Edges and slots for the present polytope. The limit is independent of other kernels, and so is the result. */
  #edgeRoom = 0;
  #slotRoom = 0;

  /** Reserves room for a polytope and so many planes. Allocates. */
  reserve(polytope: Polytope, planes: number): void {
    const faces = facesOf(polytope, planes);
    const edges = edgeRoomOf(polytope, planes);
    const slots = slotRoomOf(polytope, planes);
    if (this.#leaves.length < faces) {
      this.#leaves = new Int32Array(faces);
      this.#enters = new Int32Array(faces);
    }
    if (this.edges.length < 4 * edges) {
      this.edges = new Int32Array(4 * edges);
      this.#spare = new Int32Array(6 * edges);
      this.crossings = new Int32Array(3 * edges);
    }
    if (this.live.length < slots) {
      this.points = new Float64Array(4 * slots);
      this.live = new Int32Array(slots);
      this.#side = new Uint8Array(slots);
      this.#free = new Int32Array(slots);
      this.dropped = new Int32Array(slots);
    }
  }

  /** Puts the corners p of a polytope to R p + t; `pose` holds R row by row, then t. @alloc none */
  place(polytope: Polytope, pose: Float64Array): void {
    const { corners } = polytope;
    const { points } = this;
    const a = pose[0];
    const b = pose[1];
    const c = pose[2];
    const d = pose[3];
    const e = pose[4];
    const f = pose[5];
    const g = pose[6];
    const h = pose[7];
    const i = pose[8];
    const tx = pose[9];
    const ty = pose[10];
    const tz = pose[11];
    for (let v = 0, p = 0; v < corners.length; v += 3, p += 4) {
      const x = corners[v];
      const y = corners[v + 1];
      const z = corners[v + 2];
      points[p] = a * x + b * y + c * z + tx;
      points[p + 1] = d * x + e * y + f * z + ty;
      points[p + 2] = g * x + h * y + i * z + tz;
    }
  }

  /** Starts with a whole polytope, for at most the reserved number of planes, at a pose as of `place`. @alloc none */
  load(polytope: Polytope, planes: number, pose: Float64Array): void {
    const { corners, edges } = polytope;
    const { live } = this;
    const count = corners.length / 3;
    this.place(polytope, pose);
    for (let v = 0; v < count; v++) live[v] = v;
    this.liveCount = count;
    for (let k = 0; k < edges.length; k++) this.edges[k] = edges[k];
    this.edgeCount = edges.length >> 2;
    this.#top = count;
    this.#freeCount = 0;
    this.#edgeRoom = edgeRoomOf(polytope, planes);
    this.#slotRoom = slotRoomOf(polytope, planes);
    const faces = facesOf(polytope, planes);
    for (let f = 0; f < faces; f++) this.#leaves[f] = this.#enters[f] = -1;
  }

  /**
   * Computes a ball around `count` corners: centre and radius, four numbers. Corners stand at width · list[at] … in `points`: 4 for a list
   * of slots, 1 for one of places. @alloc none
   */
  enclose(list: Int32Array, at: number, count: number, width: number, ball: Float64Array): void {
    const { points } = this;
    const end = at + count;
    for (let k = 0; k < 3; k++) {
      let low = points[width * list[at] + k];
      let high = low;
      for (let n = at + 1; n < end; n++) {
        const value = points[width * list[n] + k];
        if (value < low) low = value;
        else if (value > high) high = value;
      }
      ball[k] = 0.5 * (low + high);
    }
    let most = 0;
    for (let n = at; n < end; n++) {
      const p = width * list[n];
      const x = points[p] - ball[0];
      const y = points[p + 1] - ball[1];
      const z = points[p + 2] - ball[2];
      const square = x * x + y * y + z * z;
      if (square > most) most = square;
    }
    ball[3] = Math.sqrt(most);
  }

  /**
   * Removes the part beyond the plane n·p = d at `planes[4 plane]`; the new face gets the number
   * `face`. @alloc none
   */
  cut(planes: Float64Array, plane: number, face: number): number {
    const { points, live, edges } = this;
    const side = this.#side;
    const { dropped } = this;
    const nx = planes[4 * plane];
    const ny = planes[4 * plane + 1];
    const nz = planes[4 * plane + 2];
    const d = planes[4 * plane + 3];
    const liveBefore = this.liveCount;
    let out = 0;
    for (let k = 0; k < liveBefore; k++) {
      const v = live[k];
      const p = 4 * v;
      const s = nx * points[p] + ny * points[p + 1] + nz * points[p + 2] - d;
      const is = Number(s > 0);
      points[p + 3] = s;
      side[v] = is;
      out += is;
    }
    this.crossingCount = 0;
    this.droppedCount = out;
    if (out === 0) return CUT.kept;
    if (out === liveBefore) return CUT.empty;
    const count = this.edgeCount;
    if (2 * count > this.#edgeRoom || this.#top + count > this.#slotRoom) return CUT.torn;
    // written to both lists and counted in one: a branch here could not be predicted
    let kept = 0;
    for (let k = 0; k < liveBefore; k++) {
      const v = live[k];
      live[kept] = v;
      dropped[k - kept] = v;
      kept += 1 - side[v];
    }
    this.liveCount = kept;
    this.#fresh = count;
    // the last edge replaces a removed one, so edges that the plane does not meet are only read
    let end = 4 * count;
    for (let e = 0; e < end; ) {
      const a = edges[e];
      const b = edges[e + 1];
      const where = side[a] + 2 * side[b];
      if (where !== 0) {
        if (where === 3) {
          end -= 4;
          edges[e] = edges[end];
          edges[e + 1] = edges[end + 1];
          edges[e + 2] = edges[end + 2];
          edges[e + 3] = edges[end + 3];
          continue;
        }
        const left = edges[e + 2];
        const right = edges[e + 3];
        if (where === 1) {
          const v = this.#cross(b, a);
          edges[e] = v;
          this.#enter(left, v, face);
          this.#leave(right, v, face);
        } else {
          const v = this.#cross(a, b);
          edges[e + 1] = v;
          this.#leave(left, v, face);
          this.#enter(right, v, face);
        }
      }
      e += 4;
    }
    if (this.#spareCount > 0) this.#pairSpare(face);
    const last = 4 * this.#fresh;
    for (let e = 4 * count; e < last; e++) edges[end++] = edges[e];
    this.edgeCount = end >> 2;
    for (let k = 0; k < out; k++) this.#free[this.#freeCount++] = dropped[k];
    return CUT.cut;
  }

  /** A new corner where the edge from slot `inside` to slot `outside` meets the plane. */
  #cross(inside: number, outside: number): number {
    const { points } = this;
    const a = 4 * inside;
    const b = 4 * outside;
    const s = points[a + 3];
    // s <= 0 < the other: the difference is not 0, and t lies in [0, 1]
    const t = s / (s - points[b + 3]);
    const v = this.#freeCount > 0 ? this.#free[--this.#freeCount] : this.#top++;
    points[4 * v] = points[a] + t * (points[b] - points[a]);
    points[4 * v + 1] = points[a + 1] + t * (points[b + 1] - points[a + 1]);
    points[4 * v + 2] = points[a + 2] + t * (points[b + 2] - points[a + 2]);
    this.live[this.liveCount++] = v;
    const c = 3 * this.crossingCount++;
    this.crossings[c] = inside;
    this.crossings[c + 1] = outside;
    this.crossings[c + 2] = v;
    return v;
  }

  #leave(face: number, slot: number, plane: number): void {
    const back = this.#enters[face];
    if (back >= 0) {
      this.#enters[face] = -1;
      this.#add(slot, back, face, plane);
    } else if (this.#leaves[face] < 0) this.#leaves[face] = slot;
    else this.#keep(face, slot, 1);
  }

  #enter(face: number, slot: number, plane: number): void {
    const left = this.#leaves[face];
    if (left >= 0) {
      this.#leaves[face] = -1;
      this.#add(left, slot, face, plane);
    } else if (this.#enters[face] < 0) this.#enters[face] = slot;
    else this.#keep(face, slot, 0);
  }

  #add(from: number, to: number, face: number, plane: number): void {
    const e = 4 * this.#fresh++;
    this.edges[e] = from;
    this.edges[e + 1] = to;
    this.edges[e + 2] = face;
    this.edges[e + 3] = plane;
  }

  #keep(face: number, slot: number, leaves: number): void {
    const k = 3 * this.#spareCount++;
    this.#spare[k] = face;
    this.#spare[k + 1] = slot;
    this.#spare[k + 2] = leaves;
  }

  /** Pairs the spare crossings. Any pairing closes the faces, because each is left as often as it is entered. */
  #pairSpare(plane: number): void {
    for (let before = 0; this.#spareCount !== before; ) {
      before = this.#spareCount;
      this.#spareCount = 0;
      for (let k = 0; k < before; k++) {
        const face = this.#spare[3 * k];
        const slot = this.#spare[3 * k + 1];
        if (this.#spare[3 * k + 2] === 1) this.#leave(face, slot, plane);
        else this.#enter(face, slot, plane);
      }
    }
    this.#spareCount = 0;
  }
}
