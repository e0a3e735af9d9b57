/**
 * Sections of the wall of a round body along the faces of a plate with a hole: at the height ζ over the origin of the body an ellipse,
 * beside the circle of the hole.
 *
 * Axes (v, x, ζ): v across body and hole, x along c t − s a, ζ along the hole (plate-panels.ts). There the wall of the body is
 * A (x − x_0)² + v² = A r², A = c² − κ² s², and both its middle and its size are linear in ζ,
 *
 *   r = (c ρ + κ ζ)/A,   x_0 = −s (c (1 + κ²) ζ + κ ρ)/A                                                              (1)
 *
 * With u = v/√A this is a disc, and the hole an ellipse squeezed by √A: a section of BoreSection, whose k stays v_0 and whose second
 * coordinate of the middle is m_0 − x_0. Its excess is convex in ζ, as that of discs along the body is in z.
 */
import { LinearPart } from './bore-parts.ts';
import { BORE, type BoreSection, DISC } from './bore-section.ts';
import { CUT } from './plate-panels.ts';

/** Sections (1); w is ζ. Fill by `set`. Allocates in its constructor only. */
export class LeaningPart extends LinearPart {
  /** r and m_0 − x_0 at ζ = 0, and their slopes. */
  readonly #line = new Float64Array(4);
  /** Point from which moments are taken: u, x − m_0, ζ. */
  readonly from: Float64Array = new Float64Array(3);

  /** Wall of the body of `bore` between two heights in `span`; `section` gets the hole as it is in its axes. */
  set(bore: BoreSection, cut: Float64Array, section: BoreSection): void {
    const c = bore.pose[BORE.cosine];
    const s = bore.pose[BORE.sine];
    const slope = cut[CUT.slope];
    const line = this.#line;
    const a = c * c - slope * slope * s * s;
    line[0] = (c * cut[CUT.radius]) / a;
    line[1] = slope / a;
    line[2] = bore.pose[BORE.along] + (s * slope * cut[CUT.radius]) / a;
    line[3] = (s * c * (1 + slope * slope)) / a;
    const { pose } = section;
    pose[BORE.cosine] = Math.sqrt(a);
    pose[BORE.sine] = Math.sqrt(Math.max(0, 1 - a));
    pose[BORE.along] = bore.pose[BORE.across];
    pose[BORE.radius] = bore.pose[BORE.radius];
    // the reference of the sums, in these axes
    const u = bore.reference[0];
    const z = bore.reference[2];
    this.from[0] = bore.reference[1] / pose[BORE.cosine];
    this.from[1] = c * u - s * z - bore.pose[BORE.along];
    this.from[2] = c * z + s * u;
  }

  between(low: number, high: number): void {
    this.span[0] = low;
    this.span[1] = high;
  }

  place(section: BoreSection, w: number): void {
    const line = this.#line;
    const { from } = this;
    const { disc, pose, reference } = section;
    const across = line[2] + line[3] * w;
    disc[DISC.height] = 0;
    disc[DISC.radius] = line[0] + line[1] * w;
    disc[DISC.heightRate] = 0;
    disc[DISC.radiusRate] = line[1];
    disc[DISC.acrossRate] = line[3];
    disc[DISC.thickness] = 1;
    pose[BORE.across] = across;
    reference[0] = from[0];
    reference[1] = from[1] + across;
    reference[2] = from[2] - w;
  }
}
