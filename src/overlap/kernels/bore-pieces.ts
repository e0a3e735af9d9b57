/**
 * A range of sections in pieces of the same number of arcs (bore-section.ts). A disc larger than the least radius of curvature R c of the
 * section of the bore may have two arcs in the wall, or all of its rim; smaller ones have one, and their range is one piece.
 */
import type { BorePart } from './bore-parts.ts';
import type { BoreSection } from './bore-section.ts';

/** Places at which the number of arcs is looked up, and halvings between two that differ. */
const LOOKS = 9;
const HALVINGS = 40;
/** Distance of the outermost of these places from the ends, as a part of the range. */
const ASIDE = 1e-6;

/** Pieces of one range. Allocates in its constructor only. */
export class BorePieces {
  /** In: from, to, and roots of the integrand at or beyond either end. */
  readonly range: Float64Array = new Float64Array(4);
  /** Out: the same of each piece. */
  readonly pieces: Float64Array = new Float64Array(4 * (LOOKS + 1));
  readonly count: Int32Array = new Int32Array(1);

  /** Takes the range as one piece. */
  keep(): void {
    this.count[0] = 0;
    this.#append(this.range[0], this.range[1], this.range[2], this.range[3]);
  }

  /** Divides the range. */
  divide(section: BoreSection, part: BorePart): void {
    const { range } = this;
    const from = range[0];
    const to = range[1];
    this.count[0] = 0;
    let start = from;
    let root = range[2];
    let last = from + ASIDE * (to - from);
    let arcs = arcsAt(section, part, last);
    for (let k = 1; k <= LOOKS; k++) {
      const at = from + (to - from) * (ASIDE + ((1 - 2 * ASIDE) * k) / LOOKS);
      const here = arcsAt(section, part, at);
      if (here !== arcs) {
        let low = last;
        let high = at;
        for (let h = 0; h < HALVINGS; h++) {
          const middle = 0.5 * (low + high);
          if (arcsAt(section, part, middle) === arcs) low = middle;
          else high = middle;
        }
        this.#append(start, low, root, low);
        start = root = low;
        arcs = here;
      }
      last = at;
    }
    this.#append(start, to, root, range[3]);
  }

  #append(from: number, to: number, rootFrom: number, rootTo: number): void {
    if (!(to > from)) return;
    const { pieces, count } = this;
    const at = 4 * count[0]++;
    pieces[at] = from;
    pieces[at + 1] = to;
    pieces[at + 2] = rootFrom;
    pieces[at + 3] = rootTo;
  }
}

/** Number of arcs of the section at w. */
function arcsAt(section: BoreSection, part: BorePart, w: number): number {
  part.place(section, w);
  section.locate();
  return section.findArcs();
}
