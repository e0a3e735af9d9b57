/** The contact models that touch, so that a step costs what touches and not what could. */
import { OWN_COLUMNS } from '../math/columns.ts';
import { addressIn, type ContactLoops } from './contact-loops.ts';
import type { ContactModel } from './contact-model.ts';

/** A list of fixed capacity over all contact models of a system. */
export class ContactList {
  /** The first `count` touch, in the order of all. */
  readonly items: ContactModel[];
  /** Their indices among all. */
  readonly places: Int32Array;
  private readonly placesAt: number;
  count = 0;
  private readonly all: readonly ContactModel[];
  private readonly loops: ContactLoops | null;

  /** @param loops of the same contacts */
  constructor(all: readonly ContactModel[], loops: ContactLoops | null = null) {
    this.all = all;
    this.loops = loops;
    this.items = [...all];
    this.places = (loops?.memory ?? OWN_COLUMNS).integers(all.length).fill(-1);
    this.placesAt = addressIn(this.places);
  }

  /** Leaves out the contacts that are not marked, by their indices among all. @alloc none */
  keep(marks: Uint8Array): void {
    const { items, places, loops } = this;
    let n = 0;
    for (let k = 0; k < this.count; k++) {
      const place = places[k];
      if (marks[place] === 0) continue;
      items[n] = items[k];
      if (loops !== null) loops.current[n] = loops.current[k];
      places[n++] = place;
    }
    // what follows belongs to no list: the next one is found to be another
    for (let k = n; k < this.count; k++) places[k] = -1;
    this.count = n;
  }

  /** Collects what touches now. @alloc none */
  gather(): void {
    const { all, items, places, loops } = this;
    if (loops !== null) {
      const count = loops.gather(this.placesAt);
      this.count = count < 0 ? -1 - count : count;
      if (count < 0) for (let k = 0; k < this.count; k++) items[k] = all[places[k]];
      return;
    }
    let n = 0;
    for (let k = 0; k < all.length; k++) {
      if (!all[k].active) continue;
      places[n] = k;
      items[n++] = all[k];
    }
    this.count = n;
  }
}
