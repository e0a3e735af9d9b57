/**
 * What the last clip of a pair of polytopes did, to be done again. From one step to the next the bodies hardly move: the same corners
 * lie beyond the same planes, so that the same edges are cut in the same order and the same edges are left. A replay computes the new
 * corners alone and asks nothing about edges and faces. docs/theory/clipping.md, Replay.
 *
 * Four things decide a clip: the planes that come near, which of them is the first, which others reach a ball around what the first
 * has left, and the side of each corner of each plane. A replay compares all of them. Either it gives the bits of a new clip, or a new clip is due. So a tape is no part of the state: it may
 * be empty or of any earlier pose.
 *
 * A clip that is recorded costs more. A tape therefore waits after each recording that no replay followed, for 1, 3, 7, … 63 clips.
 */
import { type Columns, OWN_COLUMNS } from '../math/columns.ts';
import { type ClippedCell, CUT } from './clip-cell.ts';
import { BALL_AT, CUT_HEAD, FIRST, LEFT, NEAR, REPLAYS, TAPE_HEAD } from './tape-slots.ts';

/** Where the next number goes in a tape without room. */
const NO_ROOM = 2 ** 30;
/** Longest wait, clips. */
const LONGEST_WAIT = 63;
/** Work space: a ball around what the first plane has left. */
const BALL = new Float64Array(4);

/** The tape of one pair, for any number of kernels in turns. */
export class ClipTape {
  /**
   * Near planes, in order. Then of each cut its head, its corners on this side, those beyond, and inner, outer and own place of new ones;
   * of a plane that the ball does not reach −1 less four times the plane. After the first cut the corners of the ball, if there is one, and
   * before them their number.
   */
  readonly list: Int32Array;
  /** Slots of tape-slots.ts. */
  readonly head: Int32Array;
  /** The kernel of the clip. */
  #kernel: object | null = null;
  /** Where the next number goes. */
  #end = 0;
  /** Clips to go until one is recorded, and how many there were to go the last time. */
  #wait = 0;
  #lastWait = 0;

  /** Where the list of what is left stands (ClipMoments). */
  get left(): number {
    return this.head[LEFT];
  }

  /** Room for so many numbers. A clip that takes more is made anew each time. Allocates. */
  constructor(room: number, columns: Columns = OWN_COLUMNS) {
    this.list = columns.integers(room);
    this.head = columns.integers(TAPE_HEAD);
    this.head[NEAR] = -1;
  }

  /** Whether the clip is one of this kernel with these near planes. If not, the tape is empty. @alloc none */
  fits(kernel: object, near: Int32Array, count: number, first: number): boolean {
    if (this.head[NEAR] < 0) return false;
    const { list } = this;
    let same = this.#kernel === kernel && this.head[NEAR] === count && this.head[FIRST] === first;
    for (let k = 0; k < count && same; k++) same = list[k] === near[k];
    if (!same) this.#drop();
    return same;
  }

  /**
   * Makes the cuts once more, with the corners of the polytope where `place` of the cell has put them.
   * @returns false where a corner lies on the other side: then the tape is empty @alloc none
   */
  replay(cell: ClippedCell, planes: Float64Array): boolean {
    const { list, left } = this;
    const { points } = cell;
    const ball = this.head[BALL_AT];
    let r = this.head[NEAR];
    while (r < left) {
      if (r === ball) {
        cell.enclose(list, r + 1, list[r], 1, BALL);
        r += 1 + list[r];
        if (r === left) break;
      }
      const clear = list[r] < 0;
      const p = clear ? -1 - list[r] : list[r];
      const nx = planes[p];
      const ny = planes[p + 1];
      const nz = planes[p + 2];
      const d = planes[p + 3];
      if (ball > 0 && r > ball) {
        if (nx * BALL[0] + ny * BALL[1] + nz * BALL[2] - d <= -BALL[3] !== clear)
          return this.#drop();
        if (clear) {
          r++;
          continue;
        }
      }
      const beyond = r + CUT_HEAD + list[r + 1];
      const corners = beyond + list[r + 2];
      const end = corners + 3 * list[r + 3];
      for (r += CUT_HEAD; r < beyond; r++) {
        const v = list[r];
        const s = nx * points[v] + ny * points[v + 1] + nz * points[v + 2] - d;
        if (s > 0) return this.#drop();
        points[v + 3] = s;
      }
      for (; r < corners; r++) {
        const v = list[r];
        const s = nx * points[v] + ny * points[v + 1] + nz * points[v + 2] - d;
        if (!(s > 0)) return this.#drop();
        points[v + 3] = s;
      }
      for (; r < end; r += 3) {
        const a = list[r];
        const b = list[r + 1];
        const v = list[r + 2];
        const s = points[a + 3];
        const t = s / (s - points[b + 3]);
        const x = points[a];
        const y = points[a + 1];
        const z = points[a + 2];
        points[v] = x + t * (points[b] - x);
        points[v + 1] = y + t * (points[b + 1] - y);
        points[v + 2] = z + t * (points[b + 2] - z);
      }
    }
    this.head[REPLAYS]++;
    return true;
  }

  /** Begins to record a clip. @returns false when none is to be recorded yet @alloc none */
  begin(kernel: object, near: Int32Array, count: number, first: number): boolean {
    if (this.#wait > 0) {
      this.#wait--;
      return false;
    }
    const { list } = this;
    this.#kernel = kernel;
    this.head[NEAR] = -1;
    this.head[FIRST] = first;
    this.head[BALL_AT] = 0;
    this.#end = count <= list.length ? count : NO_ROOM;
    if (count <= list.length) for (let k = 0; k < count; k++) list[k] = near[k];
    return true;
  }

  /** Records a cut that `cell` has just made and did not find empty. @alloc none */
  add(cell: ClippedCell, plane: number, outcome: number): void {
    const { list } = this;
    const { live, dropped, droppedCount: beyond, crossings, crossingCount } = cell;
    const inside = cell.liveCount - crossingCount;
    let r = this.#end;
    const end = r + CUT_HEAD + inside + beyond + 3 * crossingCount;
    this.#end = end;
    if (outcome === CUT.torn || !(end <= list.length)) {
      this.#end = NO_ROOM;
      return;
    }
    list[r++] = 4 * plane;
    list[r++] = inside;
    list[r++] = beyond;
    list[r++] = crossingCount;
    for (let k = 0; k < inside; k++) list[r++] = 4 * live[k];
    for (let k = 0; k < beyond; k++) list[r++] = 4 * dropped[k];
    for (let k = 0; k < 3 * crossingCount; k++) list[r++] = 4 * crossings[k];
  }

  /** Records the corners that the cell has left, for a ball around them. @alloc none */
  addBall(cell: ClippedCell): void {
    const { list } = this;
    const { live, liveCount } = cell;
    const at = this.#end;
    this.head[BALL_AT] = at;
    this.#end = at + 1 + liveCount;
    if (!(this.#end <= list.length)) return;
    list[at] = liveCount;
    for (let k = 0; k < liveCount; k++) list[at + 1 + k] = 4 * live[k];
  }

  /** Records a plane that the ball does not reach. @alloc none */
  addClear(plane: number): void {
    const at = this.#end++;
    if (at < this.list.length) this.list[at] = -1 - 4 * plane;
  }

  /** Ends the record with the list of what is left. The clip is kept if there was room. @alloc none */
  end(count: number, left: Int32Array, length: number): void {
    const { list } = this;
    const at = this.#end;
    if (!(at + length <= list.length)) {
      this.#drop();
      return;
    }
    for (let k = 0; k < length; k++) list[at + k] = left[k];
    this.head[LEFT] = at;
    this.head[NEAR] = count;
    this.head[REPLAYS] = 0;
  }

  /** Empties the tape. A clip that was never done again makes it wait. */
  #drop(): false {
    this.#lastWait = this.head[REPLAYS] > 0 ? 0 : Math.min(2 * this.#lastWait + 1, LONGEST_WAIT);
    this.#wait = this.#lastWait;
    this.head[NEAR] = -1;
    this.head[REPLAYS] = 0;
    return false;
  }
}
