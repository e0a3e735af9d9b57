/**
 * Where the sections of a round body in a plate with a hole change their form (plate-section.ts): the ends of the panels along z.
 *
 * With ρ + κ z the radius of the body, ζ = c z + s u and a face at ζ_f:
 *
 *   its line is tangent to the rim         z = (ζ_f ∓ s ρ)/(c ± s κ)                                                  (1)
 *   its line is tangent to the ellipse     z = c ζ_f − s (m_0 ± R)                                                    (2)
 *   rim, line and ellipse meet             where the face cuts wall of the body and hole: an ellipse and a circle      (3)
 *
 * In the face, x along c t − s a from under the origin of the body and v across, the wall of the body is the ellipse
 *
 *   A x² + 2 B x + v² + C = 0,   A = c² − κ² s²,   B = s (c ζ_f + κ g),   C = s² ζ_f² − g²,   g = ρ + κ c ζ_f            (4)
 *
 * and the circle has the middle (m_0, v_0). This is a disc and an ellipse once more, seen from the side of the disc: BoreSection finds
 * where they meet. At (1) and (2) the integrand has a root of order three halves, at (3) a kink.
 */
import { ANGLE, sinCos } from '../../math/elementary/circular.ts';
import { BORE, BoreSection, DISC } from './bore-section.ts';

/** Of each face 2 of (1), 2 of (2) and 4 of (3). */
const MOST_EVENTS = 16;

/** Slots of the body and the faces: ρ, κ, ζ of the lower and of the upper face. */
export const CUT = { radius: 0, slope: 1, low: 2, high: 3 } as const;

/**
 * A kink; a root of the integrand; and a tangent at a point that is no end of the part in the plate. That one ends no panel, but the points
 * where its line meets rim or ellipse have their root there, and come to the part in the plate soon after.
 */
export const EVENT = { kink: 0, end: 1, root: 2 } as const;

/** Events in their order. */
export class EventList {
  /** Places of the events by the variable of the sections, rising. */
  readonly places: Float64Array = new Float64Array(MOST_EVENTS);
  /** What they are: EVENT. */
  readonly kinds: Int32Array = new Int32Array(MOST_EVENTS);
  readonly count: Int32Array = new Int32Array(1);

  protected append(place: number, kind: number): void {
    const { places, kinds, count } = this;
    let at = count[0]++;
    while (at > 0 && places[at - 1] > place) {
      places[at] = places[at - 1];
      kinds[at] = kinds[at - 1];
      at--;
    }
    places[at] = place;
    kinds[at] = kind;
  }
}

/** Events of one body and one plate. Fill `cut`, then `find`. Allocates in its constructor only. */
export class PlatePanels extends EventList {
  readonly cut: Float64Array = new Float64Array(4);
  /** z between which sections meet the plate. */
  readonly reach: Float64Array = new Float64Array(2);
  readonly #face = new BoreSection();

  /** Finds `reach`. The angle to the hole must leave c − s |κ| > 0. */
  extend(bore: BoreSection): void {
    const { cut, reach } = this;
    const c = bore.pose[BORE.cosine];
    const s = bore.pose[BORE.sine];
    const away = s * cut[CUT.radius];
    const bend = s * cut[CUT.slope];
    reach[0] = (cut[CUT.low] - away) / (c + bend);
    reach[1] = (cut[CUT.high] + away) / (c - bend);
  }

  /** Finds the events of a body and the hole of `bore`. */
  find(bore: BoreSection): void {
    const { cut, count } = this;
    const { pose } = bore;
    const c = pose[BORE.cosine];
    const s = pose[BORE.sine];
    const away = s * cut[CUT.radius];
    const bend = s * cut[CUT.slope];
    count[0] = 0;
    if (s === 0) return;
    for (let side = CUT.low; side <= CUT.high; side++) {
      const height = cut[side];
      for (let sign = -1; sign <= 1; sign += 2) {
        this.#touchRim(bore, (height - sign * away) / (c + sign * bend), sign);
        this.#touchEllipse(bore, height, sign);
      }
      this.#meet(bore, height);
    }
  }

  /** Appends the section at z whose rim has a line as its tangent at u = ±r. */
  #touchRim(bore: BoreSection, z: number, sign: number): void {
    const { cut } = this;
    const { pose } = bore;
    const u = sign * (cut[CUT.radius] + cut[CUT.slope] * z);
    const x = pose[BORE.cosine] * u - pose[BORE.along] - pose[BORE.sine] * z;
    const y = pose[BORE.across];
    this.append(z, x * x + y * y > pose[BORE.radius] * pose[BORE.radius] ? EVENT.end : EVENT.root);
  }

  /** Appends the section whose ellipse has the line of the face at ζ as its tangent. */
  #touchEllipse(bore: BoreSection, height: number, sign: number): void {
    const { cut } = this;
    const { pose } = bore;
    const x = pose[BORE.along] + sign * pose[BORE.radius];
    const u = pose[BORE.cosine] * x + pose[BORE.sine] * height;
    const z = pose[BORE.cosine] * height - pose[BORE.sine] * x;
    const r = cut[CUT.radius] + cut[CUT.slope] * z;
    const y = pose[BORE.across];
    this.append(z, u * u + y * y < r * r ? EVENT.end : EVENT.root);
  }

  /** Appends where the face at ζ has rim and ellipse in one point: (3), (4). */
  #meet(bore: BoreSection, height: number): void {
    const { cut } = this;
    const { pose } = bore;
    const c = pose[BORE.cosine];
    const s = pose[BORE.sine];
    const slope = cut[CUT.slope];
    const g = cut[CUT.radius] + slope * c * height;
    const a = c * c - slope * slope * s * s;
    const b = s * (c * height + slope * g);
    const square = b * b - a * (s * s * height * height - g * g);
    if (!(square > 0)) return;
    const x = -b / a;
    const face = this.#face;
    face.pose[BORE.cosine] = Math.sqrt(a);
    face.pose[BORE.sine] = Math.sqrt(Math.max(0, 1 - a));
    face.pose[BORE.across] = pose[BORE.along] - x;
    face.pose[BORE.along] = pose[BORE.across];
    face.pose[BORE.radius] = pose[BORE.radius];
    const radius = Math.sqrt(square) / a;
    face.disc[DISC.height] = 0;
    face.disc[DISC.radius] = radius;
    face.locate();
    if (!(face.disc[DISC.excess] > 0)) return;
    face.findArcs();
    for (let n = 0; n < face.endCount[0]; n++) {
      ANGLE[0] = face.ends[n];
      const turn = sinCos();
      const sine = face.deepest[1] * turn[1] + face.deepest[0] * turn[0];
      this.append(c * height - s * (x + radius * sine), EVENT.kink);
    }
  }
}
