/**
 * The sections of a part that lie in the wall of a bore (bore-section.ts), summed over its ranges (bore-parts.ts): Gauss nodes between
 * the roots of the integrand, in pieces of the same number of arcs (bore-pieces.ts). Sections need the axis of the part inside the bore, by
 * γ >= LEAST_INSIDE r²: the way along a ray has a root of γ.
 */
import { EndRule } from '../rays-rule.ts';
import type { BorePart } from './bore-parts.ts';
import { BorePieces } from './bore-pieces.ts';
import { BORE, type BoreSection, DISC } from './bore-section.ts';

/** Part of r² by which the axis is inside the bore at least. */
export const LEAST_INSIDE = 0.1;

/** Sums over ranges, in those of a section. Allocates in its constructor only. */
export class BoreRanges {
  /** [1 where a section had its axis too near the wall]; who sums sets it to 0. */
  readonly doubt: Int32Array = new Int32Array(1);
  readonly #section: BoreSection;
  readonly #pieces = new BorePieces();
  readonly #rule: EndRule;

  /** Sums of `section`, with so many nodes a range. */
  constructor(section: BoreSection, nodes: number) {
    this.#section = section;
    this.#rule = new EndRule(nodes);
  }

  /** Adds the ranges of a part, whose largest disc has the radius `size`. @alloc none */
  add(part: BorePart, size: number): void {
    const { pose } = this.#section;
    const thick = size > pose[BORE.radius] * pose[BORE.cosine];
    const { ranges, count } = part;
    const divided = this.#pieces;
    const { range, pieces } = divided;
    for (let n = 0; n < count[0]; n++) {
      for (let k = 0; k < 4; k++) range[k] = ranges[4 * n + k];
      if (thick) divided.divide(this.#section, part);
      else divided.keep();
      for (let m = 0; m < divided.count[0]; m++) {
        this.#addRange(
          part,
          pieces[4 * m],
          pieces[4 * m + 1],
          pieces[4 * m + 2],
          pieces[4 * m + 3],
        );
      }
    }
  }

  /** Adds the sections from `from` to `to`, with roots of the integrand at or beyond the ends. */
  #addRange(part: BorePart, from: number, to: number, rootFrom: number, rootTo: number): void {
    const rule = this.#rule;
    const section = this.#section;
    const disc = section.disc;
    rule.ends[0] = from;
    rule.ends[1] = to;
    rule.ends[2] = rootFrom;
    rule.ends[3] = rootTo;
    rule.fill();
    for (let n = 0; n < rule.count; n++) {
      part.place(section, rule.nodes[n]);
      section.locate();
      if (disc[DISC.excess] <= 0) continue;
      const r = disc[DISC.radius];
      if (disc[DISC.inside] < LEAST_INSIDE * r * r) this.doubt[0] = 1;
      section.findArcs();
      section.add(rule.weights[n] * disc[DISC.thickness]);
    }
  }
}
