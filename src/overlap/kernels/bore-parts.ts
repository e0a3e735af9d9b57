/**
 * Parts of a round body along its axis, and which of their sections lie in the wall of a bore (round-bore.ts): the discs of a cone, and of
 * a half ball. The variable w of a cone is z, that of a half ball the angle χ from its base, z = z_c ± r sin χ.
 */
import { ANGLE, sinCos } from '../../math/elementary/circular.ts';
import { asin } from '../../math/elementary/inverse-circular.ts';
import { BORE, type BoreSection, DISC } from './bore-section.ts';

/** A part of a round body. */
export interface BorePart {
  /** Height of the middle of a ball. */
  readonly center: Float64Array;
  /** [R less the largest distance of a point of the part from the axis of the bore, m]. */
  readonly gap: Float64Array;
  /** [1 where all that the ball has in the wall is on this side of its base: the ball itself is taken, and no range]. */
  readonly isBall: Int32Array;
  /** From, to, and roots of the integrand at or beyond either end, of each range. */
  readonly ranges: Float64Array;
  /** [number of ranges]. */
  readonly count: Int32Array;
  /** Fills the section at w, without locating it. */
  place(section: BoreSection, w: number): void;
  /** Computes `gap`. */
  measure(section: BoreSection): void;
  /** Puts the reference of the sums on the deepest point; after `measure`. */
  refer(section: BoreSection): void;
  /** Finds the ranges. */
  findRanges(section: BoreSection): void;
}

const MOST_STEPS = 60;
/** Relative error of the end of a range: it ends with a root of order three halves. */
const ROUGH = 1e-11;
/** Part of a range that is next to the least excess. */
const NEXT = 0.15;
/** Halvings that find the least excess: the sums are divided there, and need no more than a thousandth of the way. */
const HALVINGS = 12;
const QUARTER = 0.5 * Math.PI;
/** Distance of a root from a range, in its lengths, beyond which ten nodes leave 2e-9 of it. */
const NEAR = 0.1;

/** Excess d² − R² as a distance. */
function distanceOf(excess: number, bore: number): number {
  return excess / (Math.sqrt(bore * bore + excess) + bore);
}

/** Sections whose middle and radius are linear in w, so that their excess is convex, from w = `span[0]` to `span[1]`. */
export abstract class LinearPart implements BorePart {
  readonly center: Float64Array = new Float64Array(1);
  readonly gap: Float64Array = new Float64Array(1);
  readonly isBall: Int32Array = new Int32Array(1);
  readonly ranges: Float64Array = new Float64Array(16);
  readonly count: Int32Array = new Int32Array(1);
  /** Between which w the sections are clear of the wall; ∞ and −∞ where there is none. */
  readonly clear: Float64Array = new Float64Array(2);
  protected readonly span: Float64Array = new Float64Array(2);
  /** [end of the last search, 1 where it is a root]. */
  readonly #found = new Float64Array(2);

  abstract place(section: BoreSection, w: number): void;

  measure(section: BoreSection): void {
    const { span } = this;
    this.place(section, span[0]);
    section.locate();
    const low = section.disc[DISC.excess];
    this.place(section, span[1]);
    section.locate();
    const high = section.disc[DISC.excess];
    this.gap[0] = -distanceOf(Math.max(low, high), section.pose[BORE.radius]);
    if (low > high) {
      this.place(section, span[0]);
      section.locate();
    }
  }

  refer(section: BoreSection): void {
    section.refer();
  }

  findRanges(section: BoreSection): void {
    const { count, clear } = this;
    const { disc } = section;
    const low = this.span[0];
    const high = this.span[1];
    count[0] = 0;
    clear[0] = low;
    clear[1] = high;
    this.place(section, low);
    section.locate();
    const atLow = disc[DISC.excess];
    const slopeLow = disc[DISC.excessRate];
    this.place(section, high);
    section.locate();
    const atHigh = disc[DISC.excess];
    const slopeHigh = disc[DISC.excessRate];
    if (!(atLow > 0) && !(atHigh > 0)) return;
    if (atLow > 0) {
      this.#search(section, low, high);
      if (this.#found[1] === 1) {
        const end = this.#found[0];
        clear[0] = end;
        if (!(atHigh > 0)) {
          this.#append(low, end, -Infinity, end);
          return;
        }
        this.#search(section, high, low);
        clear[1] = this.#found[0];
        this.#appendTwo(low, end, this.#found[0], high);
        return;
      }
      clear[0] = Infinity;
      clear[1] = -Infinity;
      // all of it: the root that is nearest lies beyond the shallower end, or there is none, and the least excess lies between
      if (slopeLow >= 0) this.#append(low, high, low - atLow / slopeLow, Infinity);
      else if (slopeHigh <= 0) this.#append(low, high, -Infinity, high - atHigh / slopeHigh);
      else {
        const least = this.#narrow(section);
        this.#appendTwo(low, least, least, high);
      }
      return;
    }
    this.#search(section, high, low);
    clear[1] = this.#found[0];
    this.#append(this.#found[0], high, this.#found[0], Infinity);
  }

  #append(from: number, to: number, rootFrom: number, rootTo: number): void {
    const { ranges, count } = this;
    const at = 4 * count[0]++;
    ranges[at] = from;
    ranges[at + 1] = to;
    ranges[at + 2] = rootFrom;
    ranges[at + 3] = rootTo;
  }

  /** Both sides of a least excess: where their roots are near each other, or nearly roots, the part next to them is a range of its own. */
  #appendTwo(low: number, end: number, start: number, high: number): void {
    const apart = start - end;
    const one = apart < end - low ? end - NEXT * (end - low) : low;
    const two = apart < high - start ? start + NEXT * (high - start) : high;
    if (one > low) this.#append(low, one, -Infinity, end);
    this.#append(one, end, -Infinity, end);
    this.#append(start, two, start, Infinity);
    if (two < high) this.#append(two, high, start, Infinity);
  }

  /** Newton's method on the convex excess from an end where it is above 0 towards another place. */
  #search(section: BoreSection, from: number, to: number): void {
    const { disc } = section;
    const found = this.#found;
    const sense = to > from ? 1 : -1;
    const length = (to - from) * sense;
    found[0] = from;
    found[1] = 0;
    for (let n = 0; n < MOST_STEPS; n++) {
      this.place(section, found[0]);
      section.locate();
      const excess = disc[DISC.excess];
      const slope = disc[DISC.excessRate];
      // past the least excess, which is above 0
      if (!(sense * slope < 0)) return;
      const next = found[0] - excess / slope;
      if (sense * (next - to) >= 0) {
        found[0] = to;
        return;
      }
      const step = sense * (next - found[0]);
      found[0] = next;
      if (step < ROUGH * length) break;
    }
    found[1] = 1;
  }

  /** Place of the least excess between the ends, where the slopes there have different signs: halvings. */
  #narrow(section: BoreSection): number {
    const { disc } = section;
    let low = this.span[0];
    let high = this.span[1];
    for (let n = 0; n < HALVINGS; n++) {
      const middle = 0.5 * (low + high);
      this.place(section, middle);
      section.locate();
      if (disc[DISC.excessRate] > 0) high = middle;
      else low = middle;
    }
    return 0.5 * (low + high);
  }
}

/** Discs from z = `low` to `high`, whose radius is linear in z. */
export class ConePart extends LinearPart {
  /** Radius at low, its slope. */
  readonly #size: Float64Array;

  constructor(low: number, high: number, radiusLow: number, radiusHigh: number) {
    super();
    this.span[0] = low;
    this.span[1] = high;
    this.#size = Float64Array.of(radiusLow, (radiusHigh - radiusLow) / (high - low));
  }

  place(section: BoreSection, w: number): void {
    const size = this.#size;
    const { disc } = section;
    disc[DISC.height] = w;
    disc[DISC.radius] = size[0] + size[1] * (w - this.span[0]);
    disc[DISC.heightRate] = 1;
    disc[DISC.radiusRate] = size[1];
    disc[DISC.thickness] = 1;
  }
}

/** Half a ball on the end of a body: side 1 above its base, −1 below. */
export class BallPart implements BorePart {
  readonly center: Float64Array;
  readonly gap: Float64Array = new Float64Array(1);
  readonly isBall: Int32Array = new Int32Array(1);
  readonly ranges: Float64Array = new Float64Array(4);
  readonly count: Int32Array = new Int32Array(1);
  /** radius, side. */
  readonly #size: Float64Array;
  /** From the axis of the bore to the middle of the ball, as a unit vector along (c t − s a) and n. */
  readonly #away = new Float64Array(2);
  /** [first guess of a search, then its root]. */
  readonly #found = new Float64Array(1);

  constructor(center: number, radius: number, side: 1 | -1) {
    this.center = Float64Array.of(center);
    this.#size = Float64Array.of(radius, side);
  }

  place(section: BoreSection, w: number): void {
    const { disc } = section;
    const r = this.#size[0];
    const side = this.#size[1];
    ANGLE[0] = w;
    const turn = sinCos();
    disc[DISC.height] = this.center[0] + side * r * turn[0];
    disc[DISC.radius] = r * turn[1];
    disc[DISC.heightRate] = side * r * turn[1];
    disc[DISC.radiusRate] = -r * turn[0];
    disc[DISC.thickness] = r * turn[1];
  }

  measure(section: BoreSection): void {
    const { pose } = section;
    const x = -(pose[BORE.along] + pose[BORE.sine] * this.center[0]);
    const y = -pose[BORE.across];
    const distance = Math.sqrt(x * x + y * y);
    this.#away[0] = distance > 0 ? x / distance : 1;
    this.#away[1] = distance > 0 ? y / distance : 0;
    this.gap[0] = pose[BORE.radius] - this.#size[0] - distance;
  }

  refer(section: BoreSection): void {
    const { reference, pose } = section;
    const r = this.#size[0];
    reference[0] = r * pose[BORE.cosine] * this.#away[0];
    reference[1] = r * this.#away[1];
    reference[2] = this.center[0] - r * pose[BORE.sine] * this.#away[0];
  }

  findRanges(section: BoreSection): void {
    const { ranges, count, isBall } = this;
    const { disc, pose } = section;
    count[0] = isBall[0] = 0;
    if (!(this.gap[0] < 0)) return;
    // sin χ of the deepest point, on this side of the base or on the base
    const up = -this.#size[1] * pose[BORE.sine] * this.#away[0];
    const deepest = asin(up < 1 ? (up > -1 ? up : -1) : 1);
    const top = deepest > 0 ? deepest : 0;
    this.place(section, top);
    section.locate();
    const most = disc[DISC.excess];
    if (!(most > 0)) return;
    this.place(section, 0);
    section.locate();
    if (!(disc[DISC.excess] > 0)) {
      isBall[0] = 1;
      return;
    }
    this.place(section, QUARTER);
    section.locate();
    count[0] = 1;
    ranges[0] = 0;
    ranges[1] = QUARTER;
    ranges[2] = -Infinity;
    ranges[3] = Infinity;
    const atPole = disc[DISC.excess];
    if (atPole > 0) return;
    // as if the excess fell with the square of the angle from its top
    this.#found[0] = top + (QUARTER - top) * Math.sqrt(most / (most - atPole));
    this.#search(section, top, QUARTER);
    const end = this.#found[0];
    ranges[1] = ranges[3] = end;
    // the other root of a whole ball, below the base, is nearly as far from the deepest point; it counts when near
    const other = 2 * deepest - end;
    if (other < -NEAR * end) return;
    this.place(section, -QUARTER);
    section.locate();
    if (disc[DISC.excess] > 0) return;
    this.#found[0] = other;
    this.#search(section, deepest < 0 ? deepest : 0, -QUARTER);
    ranges[2] = this.#found[0];
  }

  /** Root of the excess between a place where it is above 0 and one where it is not, by Newton's method in a bracket. */
  #search(section: BoreSection, inside: number, outside: number): void {
    const { disc } = section;
    let low = inside;
    let high = outside;
    let at = this.#found[0];
    if (!((at - low) * (at - high) < 0)) at = 0.5 * (low + high);
    for (let n = 0; n < MOST_STEPS; n++) {
      this.place(section, at);
      section.locate();
      if (disc[DISC.excess] > 0) low = at;
      else high = at;
      let next = at - disc[DISC.excess] / disc[DISC.excessRate];
      if (!((next - low) * (next - high) < 0)) next = 0.5 * (low + high);
      const step = Math.abs(next - at);
      at = next;
      if (step < ROUGH) break;
    }
    this.#found[0] = at;
  }
}
