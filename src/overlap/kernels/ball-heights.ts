/**
 * The ball of a capsule in a plate with a hole, where the plane of its base has nothing of the overlap: sections along the faces are discs of the radius
 * √(r² − (ζ − ζ_c)²) less the circle of the hole, at any tilt. ζ = ζ_c ± r sin χ for both halves about the middle.
 *
 * A section is outside of the hole all around from where its radius falls below the distance of the middle from the wall,
 * cos χ = (D − R)/r, where its area has a root.                                                                        (1)
 */
import { acos, asin } from '../../math/elementary/inverse-circular.ts';
import { BallPart } from './bore-parts.ts';
import { BORE, BORE_SUM, BoreSection } from './bore-section.ts';
import { CUT, EVENT, EventList } from './plate-panels.ts';
import { PlateRange } from './plate-range.ts';
import { PlateSection } from './plate-section.ts';

/** Slots of a second moment by a pair of axes of the sections: t, n, a. */
const S = BORE_SUM.second;

/** The event (1). */
class Leaving extends EventList {
  /** Finds it for a ball of the radius r, whose middle is D from the axis of the hole: both as quotients by r. */
  find(distance: number, hole: number): void {
    this.count[0] = 0;
    const cosine = distance - hole;
    if (cosine > 0 && cosine < 1) this.append(acos(cosine), EVENT.end);
  }
}

/** Sums over one ball. Allocates in its constructor only. */
export class BallHeights {
  /** V, moments about the reference of the bore and vector area of the ball in the plate, in the axes of the body. */
  readonly sums: Float64Array = new Float64Array(BORE_SUM.area + 3);
  readonly #cut: Float64Array;
  /** z of the middle in the body, radius. */
  readonly #ball: Float64Array;
  readonly #halves: readonly BallPart[];
  readonly #bore = new BoreSection();
  readonly #section = new PlateSection(this.#bore);
  readonly #range: PlateRange;
  readonly #events = new Leaving();

  constructor(cut: Float64Array, center: number, radius: number) {
    this.#cut = cut;
    this.#ball = Float64Array.of(center, radius);
    this.#halves = [new BallPart(0, radius, 1), new BallPart(0, radius, -1)];
    this.#range = new PlateRange(this.#section, cut);
  }

  /** Sums the ball of the body of `bore`. @alloc none */
  add(bore: BoreSection): void {
    const { pose, reference } = this.#bore;
    const section = this.#section;
    const ball = this.#ball;
    const cut = this.#cut;
    const { panel } = this.#range;
    const c = bore.pose[BORE.cosine];
    const s = bore.pose[BORE.sine];
    const radius = ball[1];
    const height = c * ball[0];
    // axes x, v, ζ, with x = 0 under the origin of the body
    pose[BORE.cosine] = 1;
    pose[BORE.sine] = 0;
    pose[BORE.radius] = bore.pose[BORE.radius];
    pose[BORE.along] = bore.pose[BORE.along] + s * ball[0];
    pose[BORE.across] = bore.pose[BORE.across];
    const u = bore.reference[0];
    const z = bore.reference[2];
    reference[0] = c * u - s * z + s * ball[0];
    reference[1] = bore.reference[1];
    reference[2] = c * z + s * u;
    section.clear();
    const x = pose[BORE.along];
    const y = pose[BORE.across];
    this.#events.find(Math.sqrt(x * x + y * y) / radius, pose[BORE.radius] / radius);
    for (let k = 0; k < 2; k++) {
      const half = this.#halves[k];
      half.center[0] = height;
      half.measure(this.#bore);
      half.findRanges(this.#bore);
      if (half.count[0] === 0) continue;
      for (let n = 0; n < 4; n++) panel[n] = half.ranges[n];
      const near = (k === 0 ? cut[CUT.low] - height : height - cut[CUT.high]) / radius;
      const far = (k === 0 ? cut[CUT.high] - height : height - cut[CUT.low]) / radius;
      if (near >= 1 || far <= 0) continue;
      if (near > 0) panel[0] = Math.max(panel[0], asin(near));
      if (far < 1 && asin(far) < panel[1]) panel[1] = asin(far);
      if (panel[1] > panel[0]) this.#range.add(half, this.#events);
    }
    this.#turn(c, s);
  }

  /** Sums in the axes of the body. */
  #turn(c: number, s: number): void {
    const { sums } = this;
    const own = this.#section.sums;
    sums[BORE_SUM.volume] = own[BORE_SUM.volume];
    for (let at = BORE_SUM.first; at <= BORE_SUM.area; at += BORE_SUM.area - BORE_SUM.first) {
      sums[at] = c * own[at] + s * own[at + 2];
      sums[at + 1] = own[at + 1];
      sums[at + 2] = c * own[at + 2] - s * own[at];
    }
    const xx = own[S];
    const zz = own[S + 2];
    const xz = own[S + 4];
    sums[S] = c * c * xx + 2 * c * s * xz + s * s * zz;
    sums[S + 1] = own[S + 1];
    sums[S + 2] = c * c * zz - 2 * c * s * xz + s * s * xx;
    sums[S + 3] = c * own[S + 3] + s * own[S + 5];
    sums[S + 4] = c * s * (zz - xx) + (c - s) * (c + s) * xz;
    sums[S + 5] = c * own[S + 5] - s * own[S + 3];
  }
}
