/**
 * How far a round body is from the wall of a plate with a hole: R less the largest distance from the axis of the hole that the body has
 * between two heights. A distance from a line is convex, so that the largest one is at an extreme point of what lies there: on the rim of a flat
 * end, as far as it lies between the heights, on the ellipse of the body's wall at a height (leaning-part.ts), as far as it lies
 * between the ends, or on the ball of a capsule: at the height of its middle or at the nearest one. Rim and ellipse are arcs of
 *
 *   q(ψ) = (c r cos ψ − k)² + (r sin ψ − v_0)² − R²                                                                    (1)
 *
 * An end is cut by lines of cos ψ. Of the two points at a cosine the one on the side of ψ* is farther out, and there q rises to ψ* and falls
 * from it: on an arc without ψ* it is largest at the end that is nearer. An ellipse is cut by lines of sin ψ. On the half with ψ* it
 * falls towards one pole; towards the other it may rise again to a second top, where with σ = −sin ψ away from ψ*
 *
 *   e(ψ) = s² r − |v_0|/σ − c |k|/cos ψ = 0                                                                           (2)
 *
 * has its root nearer to the pole. e is concave and falls there, so that Newton's method from beyond does not pass it.
 */
import type { ConePart } from './bore-parts.ts';
import { BORE, BoreSection, DISC } from './bore-section.ts';
import { LeaningPart } from './leaning-part.ts';
import { CUT } from './plate-panels.ts';

const MOST_STEPS = 60;
/** Chords by which the bound of a gap is sought: one is enough where the clearance is linear. */
const CHORDS = 2;
/** Least step of the root (2), rad: q is stationary there. */
const STILL = 1e-8;

/** Clearances of one body and one plate. Allocates in its constructor only. */
export abstract class PlateClearance {
  /** Distance from the space between the faces, m: in. */
  readonly far: Float64Array = new Float64Array(1);
  /** [R − the largest distance within `far`, m; ∞ where the body has nothing there]: out. */
  readonly wall: Float64Array = new Float64Array(1);
  protected readonly bore: BoreSection;
  protected readonly cut: Float64Array;
  /** Lowest and highest height that is taken, m. */
  protected readonly heights: Float64Array = new Float64Array(2);
  readonly #section = new BoreSection();
  readonly #leaning = new LeaningPart();
  /** [Largest q so far, m²]. */
  readonly #most = new Float64Array(1);
  /** Lowest and highest coordinate that an arc may have, and coordinates at which q is taken. */
  readonly #arc = new Float64Array(4);
  /** z of both ends of the wall. */
  readonly #ends: Float64Array;

  constructor(bore: BoreSection, cut: Float64Array, ends: Float64Array) {
    this.bore = bore;
    this.cut = cut;
    this.#ends = ends;
  }

  /** Takes the pose of the hole and the faces. @alloc none */
  place(): void {
    this.#leaning.set(this.bore, this.cut, this.#section);
  }

  /** Clearance of what is within `far` of the space between the faces. @alloc none */
  measure(): void {
    const { bore, heights } = this;
    const most = this.#most;
    heights[0] = this.cut[CUT.low] - this.far[0];
    heights[1] = this.cut[CUT.high] + this.far[0];
    most[0] = -Infinity;
    this.tryEnds();
    for (let side = 0; side < 2; side++) {
      this.#leaning.place(this.#section, heights[side]);
      if (bore.pose[BORE.sine] > 0) this.#tryHeight(side);
      else this.#tryStraight(side);
    }
    const radius = bore.pose[BORE.radius];
    const root = Math.sqrt(Math.max(0, radius * radius + most[0]));
    this.wall[0] = most[0] > -Infinity ? -most[0] / (root + radius) : Infinity;
  }

  /**
   * Largest bound min(h, clearance within h) of the distance, by chords; the clearance within far[0] was measured and is more than that.
   * @alloc none
   */
  bound(): number {
    const { far, wall } = this;
    let low = far[0];
    let wallLow = wall[0];
    let high = wallLow;
    far[0] = high;
    this.measure();
    let wallHigh = wall[0];
    if (wallHigh >= high) return high;
    for (let n = 0; n < CHORDS && high > low; n++) {
      const fall = (wallLow - wallHigh) / (high - low);
      const h = (wallLow + fall * low) / (1 + fall);
      far[0] = h;
      this.measure();
      if (wall[0] >= h) {
        low = h;
        wallLow = wall[0];
      } else {
        high = h;
        wallHigh = wall[0];
      }
    }
    return Math.max(low, wallHigh);
  }

  /** Takes what the ends have between the heights. */
  protected abstract tryEnds(): void;

  /** Takes the ball about z on the axis of the body, as far as it is between the heights. */
  protected tryBall(z: number, radius: number): void {
    const { heights } = this;
    const { pose } = this.bore;
    const at = pose[BORE.cosine] * z;
    const off = Math.max(0, heights[0] - at, at - heights[1]);
    if (off > radius) return;
    const x = -pose[BORE.sine] * z - pose[BORE.along];
    const y = pose[BORE.across];
    const bore = pose[BORE.radius];
    const distance = Math.sqrt(x * x + y * y) + Math.sqrt((radius - off) * (radius + off));
    this.#most[0] = Math.max(this.#most[0], (distance - bore) * (distance + bore));
  }

  /** Takes the rim of the disc that is placed, as far as it is between the heights. */
  protected tryRim(): void {
    const { bore } = this;
    const { pose, disc, deepest } = bore;
    const low = this.heights[0];
    const high = this.heights[1];
    const arc = this.#arc;
    const middle = pose[BORE.cosine] * disc[DISC.height];
    const reach = pose[BORE.sine] * disc[DISC.radius];
    if (middle + reach < low || middle - reach > high) return;
    bore.locate();
    const at = reach > 0 ? deepest[0] : 0;
    arc[0] = reach > 0 ? (low - middle) / reach : -1;
    arc[1] = reach > 0 ? (high - middle) / reach : 1;
    if (at >= arc[0] && at <= arc[1]) {
      this.#most[0] = Math.max(this.#most[0], disc[DISC.excess]);
      return;
    }
    const cos = at < arc[0] ? arc[0] : arc[1];
    const sin = Math.sqrt(Math.max(0, 1 - cos * cos));
    this.#take(bore, cos, deepest[1] < 0 ? -sin : sin);
  }

  /** The ellipse at a height, between the ends. */
  #tryHeight(side: number): void {
    const { bore } = this;
    const ends = this.#ends;
    const height = this.heights[side];
    const section = this.#section;
    const { pose, disc, deepest } = section;
    const arc = this.#arc;
    const r = disc[DISC.radius];
    if (!(r > 0)) return;
    const s = bore.pose[BORE.sine];
    const base = bore.pose[BORE.cosine] * height;
    const x = bore.pose[BORE.along] - pose[BORE.across];
    section.locate();
    // mirrored so that ψ* has a sine above 0
    const sign = deepest[1] < 0 ? -1 : 1;
    const one = (sign * ((base - ends[0]) / s - x)) / r;
    const other = (sign * ((base - ends[1]) / s - x)) / r;
    arc[0] = Math.min(one, other);
    arc[1] = Math.max(one, other);
    if (arc[0] > 1 || arc[1] < -1) return;
    const at = sign * deepest[1];
    if (at >= arc[0] && at <= arc[1]) {
      this.#most[0] = Math.max(this.#most[0], disc[DISC.excess]);
      return;
    }
    let count = 0;
    if (at < arc[0]) arc[2 + count++] = arc[0];
    else {
      // a second top, or an end of the arc
      arc[2 + count++] = arc[1];
      const top = this.#secondTop(section);
      if (top < arc[1]) arc[2 + count++] = Math.max(top, arc[0]);
    }
    for (let n = 0; n < count; n++) {
      const sin = Math.max(-1, arc[2 + n]);
      const cos = Math.sqrt(Math.max(0, 1 - sin * sin));
      this.#take(section, deepest[0] < 0 ? -cos : cos, sign * sin);
    }
  }

  /** Sine of the second top, mirrored; 1 where there is none. */
  #secondTop(section: BoreSection): number {
    const { pose, disc } = section;
    const r = disc[DISC.radius];
    const bend = pose[BORE.sine] * pose[BORE.sine] * r;
    const y = Math.abs(pose[BORE.across]);
    const x = pose[BORE.cosine] * Math.abs(pose[BORE.along] + pose[BORE.sine] * disc[DISC.height]);
    if (!(x + y < bend)) return 1;
    let cos = x / bend;
    let sin = Math.sqrt(1 - cos * cos);
    for (let n = 0; n < MOST_STEPS && cos > 0; n++) {
      const value = bend - y / sin - x / cos;
      const slope = (y * cos) / (sin * sin) - (x * sin) / (cos * cos);
      if (!(slope < 0)) return 1;
      const half = (0.5 * value) / slope;
      const scale = 1 / (1 + half * half);
      const next = (cos * (1 - half * half) + 2 * half * sin) * scale;
      sin = (sin * (1 - half * half) - 2 * half * cos) * scale;
      cos = next;
      if (!(sin > 0)) return 1;
      if (half < STILL) break;
    }
    return -sin;
  }

  /** The same of a body along the hole. */
  #tryStraight(side: number): void {
    const height = this.heights[side];
    if (height < this.#ends[0] || height > this.#ends[1]) return;
    this.#section.locate();
    this.#most[0] = Math.max(this.#most[0], this.#section.disc[DISC.excess]);
  }

  #take(section: BoreSection, cos: number, sin: number): void {
    const { pose, disc } = section;
    const r = disc[DISC.radius];
    const k = pose[BORE.along] + pose[BORE.sine] * disc[DISC.height];
    const x = pose[BORE.cosine] * r * cos - k;
    const y = r * sin - pose[BORE.across];
    const distance = Math.sqrt(x * x + y * y);
    const radius = pose[BORE.radius];
    this.#most[0] = Math.max(this.#most[0], (distance - radius) * (distance + radius));
  }
}

/** A body with flat ends. */
export class FlatClearance extends PlateClearance {
  readonly #body: ConePart;
  readonly #at: Float64Array;

  constructor(bore: BoreSection, cut: Float64Array, ends: Float64Array, body: ConePart) {
    super(bore, cut, ends);
    this.#body = body;
    this.#at = ends;
  }

  protected override tryEnds(): void {
    for (let end = 0; end < 2; end++) {
      this.#body.place(this.bore, this.#at[end]);
      this.tryRim();
    }
  }
}

/** A capsule: a ball at either end. */
export class CapsuleClearance extends PlateClearance {
  readonly #at: Float64Array;

  constructor(bore: BoreSection, cut: Float64Array, ends: Float64Array) {
    super(bore, cut, ends);
    this.#at = ends;
  }

  protected override tryEnds(): void {
    for (let end = 0; end < 2; end++) this.tryBall(this.#at[end], this.cut[CUT.radius]);
  }
}
