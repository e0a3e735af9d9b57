/**
 * Sections of a part of a round body in a plate with a hole (plate-section.ts), summed over a range of its variable: Gauss nodes between the
 * places where their form changes (plate-panels.ts), in pieces of the same number of arcs (bore-pieces.ts).
 */
import { EndRule } from '../rays-rule.ts';
import type { BorePart } from './bore-parts.ts';
import { BorePieces } from './bore-pieces.ts';
import { BORE, type BoreSection, DISC } from './bore-section.ts';
import { CUT, EVENT, type EventList } from './plate-panels.ts';
import type { PlateSection } from './plate-section.ts';

/** Nodes of a panel up to this width in radii of its widest disc: a short one is nearly a polynomial. */
const NODES = [
  [1e-3, 4],
  [0.05, 6],
  [0.3, 8],
  [Infinity, 10],
] as const;

/** Sums over ranges, in those of a section. Allocates in its constructor only. */
export class PlateRange {
  /** From, to, and roots at or beyond both, of a range; changed by `add`. */
  readonly panel: Float64Array = new Float64Array(4);
  /** [place of the section that `addSection` takes, its weight]. */
  readonly node: Float64Array = new Float64Array(2);
  readonly #bore: BoreSection;
  readonly #section: PlateSection;
  readonly #cut: Float64Array;
  readonly #pieces = new BorePieces();
  readonly #rules = NODES.map(([, nodes]) => new EndRule(nodes));
  readonly #widths = Float64Array.from(NODES, ([width]) => width);

  constructor(section: PlateSection, cut: Float64Array) {
    this.#bore = section.bore;
    this.#section = section;
    this.#cut = cut;
  }

  /** Adds the range in `panel`, divided at the events. @alloc none */
  add(part: BorePart, events: EventList): void {
    const { places, kinds, count } = events;
    const { panel } = this;
    const to = panel[1];
    const first = panel[2];
    const last = panel[3];
    let from = panel[0];
    for (let n = 0; n <= count[0]; n++) {
      if (n < count[0] && kinds[n] === EVENT.root) continue;
      const at = n < count[0] ? Math.min(to, places[n]) : to;
      if (!(at > from)) continue;
      panel[0] = from;
      panel[1] = at;
      panel[2] = first;
      panel[3] = last;
      // the nearest roots at or beyond the ends
      for (let k = 0; k < count[0]; k++) {
        if (kinds[k] === EVENT.kink) continue;
        if (places[k] <= from && places[k] > panel[2]) panel[2] = places[k];
        if (places[k] >= at && places[k] < panel[3]) panel[3] = places[k];
      }
      this.#addPanel(part);
      from = at;
    }
  }

  /** Adds the section in `node`. @alloc none */
  addSection(part: BorePart): void {
    const section = this.#section;
    const { strip } = section;
    const bore = this.#bore;
    const { disc } = bore;
    const c = bore.pose[BORE.cosine];
    const s = bore.pose[BORE.sine];
    part.place(bore, this.node[0]);
    bore.locate();
    const z = disc[DISC.height];
    if (s > 0) {
      strip[0] = (this.#cut[CUT.low] - c * z) / s;
      strip[1] = (this.#cut[CUT.high] - c * z) / s;
    } else {
      strip[0] = -Infinity;
      strip[1] = Infinity;
    }
    section.add(this.node[1]);
  }

  /** Adds the panel, in pieces of the same number of arcs. */
  #addPanel(part: BorePart): void {
    const bore = this.#bore;
    const { disc, pose } = bore;
    const divided = this.#pieces;
    const { pieces } = divided;
    const { panel, node } = this;
    for (let k = 0; k < 4; k++) divided.range[k] = panel[k];
    part.place(bore, 0.5 * (panel[0] + panel[1]));
    if (this.#bore.pose[BORE.sine] > 0 && this.#isOutside()) return;
    part.place(bore, panel[0]);
    // a part whose discs grow thinner with its variable begins with the widest one
    const thickness = disc[DISC.thickness];
    let widest = disc[DISC.radius];
    part.place(bore, panel[1]);
    widest = Math.max(widest, disc[DISC.radius]);
    if (widest > pose[BORE.radius] * pose[BORE.cosine]) divided.divide(bore, part);
    else divided.keep();
    for (let m = 0; m < divided.count[0]; m++) {
      const width = ((pieces[4 * m + 1] - pieces[4 * m]) * thickness) / widest;
      let size = 0;
      while (width > this.#widths[size]) size++;
      const rule = this.#rules[size];
      for (let k = 0; k < 4; k++) rule.ends[k] = pieces[4 * m + k];
      rule.fill();
      for (let n = 0; n < rule.count; n++) {
        node[0] = rule.nodes[n];
        node[1] = rule.weights[n];
        this.addSection(part);
      }
    }
  }

  /** Whether the disc that was placed is beside the space between the faces. */
  #isOutside(): boolean {
    const { pose, disc } = this.#bore;
    const middle = pose[BORE.cosine] * disc[DISC.height];
    const away = pose[BORE.sine] * disc[DISC.radius];
    return middle + away < this.#cut[CUT.low] || middle - away > this.#cut[CUT.high];
  }
}
