/**
 * How far a round body is from the wall of a plate with a hole: R less the largest distance from the axis of the hole that the body has
 * between two heights. A distance from a line is convex, so that the largest one is at an extreme point of what lies there: on the rim of a flat
 * end, as far as it lies between the heights, or on the ellipse of the body's wall at a height (leaning-part.ts), as far as it lies
 * between the ends. Both are arcs of
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
/** Least step of the root (2), rad: q is stationary there. */
const STILL = 1e-8;

/** Clearances of one body and one plate. Allocates in its constructor only. */
export class PlateClearance {
  /** [R − the largest distance, m; ∞ where the body has nothing between the heights]. */
  readonly wall: Float64Array = new Float64Array(1);
  readonly #section = new BoreSection();
  readonly #leaning = new LeaningPart();
  /** [Largest q so far, m²]. */
  readonly #most = new Float64Array(1);
  /** Lowest and highest coordinate that an arc may have, and coordinates at which q is taken. */
  readonly #arc = new Float64Array(4);

  /** Takes the pose of `bore` and the faces. */
  place(bore: BoreSection, cut: Float64Array): void {
    this.#leaning.set(bore, cut, this.#section);
  }

  /** Clearance of what `body` has within `far[0]` of the space between the faces; `ends` are the heights z of its ends. @alloc none */
  measure(
    bore: BoreSection,
    body: ConePart,
    cut: Float64Array,
    ends: Float64Array,
    far: Float64Array,
  ): void {
    const most = this.#most;
    const low = cut[CUT.low] - far[0];
    const high = cut[CUT.high] + far[0];
    most[0] = -Infinity;
    for (let end = 0; end < 2; end++) {
      body.place(bore, ends[end]);
      this.#tryEnd(bore, low, high);
    }
    if (bore.pose[BORE.sine] > 0) {
      this.#leaning.place(this.#section, low);
      this.#tryHeight(bore, low, ends);
      this.#leaning.place(this.#section, high);
      this.#tryHeight(bore, high, ends);
    } else this.#tryStraight(bore, low, high, ends);
    const radius = bore.pose[BORE.radius];
    const square = radius * radius + most[0];
    this.wall[0] =
      most[0] > -Infinity ? -most[0] / (Math.sqrt(Math.max(0, square)) + radius) : Infinity;
  }

  /** The rim of an end, between two heights. */
  #tryEnd(bore: BoreSection, low: number, high: number): void {
    const { pose, disc, deepest } = bore;
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
  #tryHeight(bore: BoreSection, height: number, ends: Float64Array): void {
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

  /** A body along the hole: its largest disc between the heights. */
  #tryStraight(bore: BoreSection, low: number, high: number, ends: Float64Array): void {
    const { disc } = this.#section;
    for (let n = 0; n < 2; n++) {
      const height = n === 0 ? low : high;
      if (height < ends[0] || height > ends[1]) continue;
      this.#leaning.place(this.#section, height);
      this.#section.locate();
      this.#most[0] = Math.max(this.#most[0], disc[DISC.excess]);
    }
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
