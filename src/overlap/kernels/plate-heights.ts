/**
 * Sections along the faces of a plate with a hole (leaning-part.ts), of a round body whose flat ends are not among them. The faces are the
 * limits of the sum and no lines in its sections.
 *
 * Sections back in metres have v = √A u, so that dV = √A du dx dζ. The surface of the plate in the body is the wall of the hole, where n ds is
 * (dx, −dv), and the faces, whose vector areas are their sections.                                                     (1)
 *
 * Discs along the body and sections along the faces have the same two regions, if they have two: a line of the wall that leaves a
 * clear disc at a height meets the clear section on its other side within the hole, and the hole is convex.               (2)
 */
import { BORE, BORE_SUM, BoreSection, DISC } from './bore-section.ts';
import { BoreRanges, LEAST_INSIDE } from './bore-ranges.ts';
import { LeaningPart } from './leaning-part.ts';

/** Nodes of a range of sections, where it is the only one and where it is not. Of the volume of 1,711 wedged pegs they leave 2e-8 and 1e-7 at most. */
const NODES = 8;
const NODES_OF_MORE = 6;

/** Sums over the heights of one plate. `find` and then `add`. Allocates in its constructor only. */
export class PlateHeights {
  /** V and moments about the reference of the bore, in its axes, and the vector area of the plate in the body. */
  readonly sums: Float64Array = new Float64Array(BORE_SUM.area + 3);
  readonly #section = new BoreSection();
  readonly #part = new LeaningPart();
  readonly #one = new BoreRanges(this.#section, NODES);
  readonly #more = new BoreRanges(this.#section, NODES_OF_MORE);
  /** Heights between which sections may be, m. */
  readonly #span = new Float64Array(2);
  /** Areas of the sections at the faces, m², in the coordinates u, x. */
  readonly #faces = new Float64Array(2);

  /**
   * Finds the ranges of the heights in `span` that lie in the plate. @returns whether the axis of the body is well inside the hole there
   */
  find(bore: BoreSection, cut: Float64Array, span: Float64Array): boolean {
    const section = this.#section;
    const part = this.#part;
    const { disc } = section;
    part.set(bore, cut, section);
    part.between(span[0], span[1]);
    for (let side = 0; side < 2; side++) {
      this.#span[side] = span[side];
      part.place(section, span[side]);
      section.locate();
      const r = disc[DISC.radius];
      // γ is concave and r² convex, so that the ends have the least γ − LEAST_INSIDE r²
      if (!(disc[DISC.inside] >= LEAST_INSIDE * r * r)) return false;
    }
    part.findRanges(section);
    return true;
  }

  /** Whether there are sections clear of the wall between what is at the lower face and what is at the upper one. */
  get hasClear(): boolean {
    return this.#part.clear[0] <= this.#part.clear[1];
  }

  /**
   * Sums the ranges that were found: of both regions (sides 0 to 1), or of the one at the lower or at the upper face alone.
   */
  add(bore: BoreSection, firstSide: number, lastSide: number): void {
    const part = this.#part;
    const { count, ranges, clear } = part;
    let kept = 0;
    for (let n = 0; n < count[0]; n++) {
      const upper = clear[0] <= clear[1] && ranges[4 * n] >= clear[1];
      const side = upper ? 1 : 0;
      if (clear[0] <= clear[1] && (side < firstSide || side > lastSide)) continue;
      for (let k = 0; k < 4; k++) ranges[4 * kept + k] = ranges[4 * n + k];
      kept++;
    }
    count[0] = kept;
    for (let side = 0; side < 2; side++) {
      this.#faces[side] = 0;
      if (side >= firstSide && side <= lastSide) this.#addFace(side);
    }
    const section = this.#section;
    section.clear();
    part.place(section, this.#span[0]);
    let size = section.disc[DISC.radius];
    part.place(section, this.#span[1]);
    size = Math.max(size, section.disc[DISC.radius]);
    if (kept > 1) this.#more.add(part, size);
    else this.#one.add(part, size);
    this.#turn(bore);
  }

  /** Area of the section at a face. */
  #addFace(side: number): void {
    const section = this.#section;
    section.clear();
    this.#part.place(section, this.#span[side]);
    section.locate();
    if (!(section.disc[DISC.excess] > 0)) return;
    section.findArcs();
    section.add(1);
    this.#faces[side] = section.sums[BORE_SUM.volume];
  }

  /** Sums in metres and in the axes of the body: (1). */
  #turn(bore: BoreSection): void {
    const { sums } = this;
    const own = this.#section.sums;
    const faces = this.#faces;
    const c = bore.pose[BORE.cosine];
    const s = bore.pose[BORE.sine];
    const w = this.#section.pose[BORE.cosine];
    const f = BORE_SUM.first;
    const m = BORE_SUM.second;
    const a = BORE_SUM.area;
    sums[BORE_SUM.volume] = w * own[BORE_SUM.volume];
    const x = w * own[f + 1];
    const z = w * own[f + 2];
    sums[f] = c * x + s * z;
    sums[f + 1] = w * w * own[f];
    sums[f + 2] = c * z - s * x;
    const xx = w * own[m + 1];
    const zz = w * own[m + 2];
    const xv = w * w * own[m + 3];
    const vz = w * w * own[m + 4];
    const xz = w * own[m + 5];
    sums[m] = c * c * xx + 2 * c * s * xz + s * s * zz;
    sums[m + 1] = w * w * w * own[m];
    sums[m + 2] = c * c * zz - 2 * c * s * xz + s * s * xx;
    sums[m + 3] = c * xv + s * vz;
    sums[m + 4] = c * s * (zz - xx) + (c - s) * (c + s) * xz;
    sums[m + 5] = c * vz - s * xv;
    const out = w * own[a + 1];
    const up = w * (faces[1] - faces[0]);
    sums[a] = c * out + s * up;
    sums[a + 1] = own[a];
    sums[a + 2] = c * up - s * out;
  }
}
