/** The contact models that touch, so that a step costs what touches and not what could. */
import type { ContactModel } from './contact-model.ts';

/** A list of fixed capacity over all contact models of a system. */
export class ContactList {
  /** The first `count` touch, in the order of all. */
  readonly items: ContactModel[];
  /** Their indices among all. */
  readonly places: Int32Array;
  count = 0;
  private readonly all: readonly ContactModel[];

  constructor(all: readonly ContactModel[]) {
    this.all = all;
    this.items = [...all];
    this.places = new Int32Array(all.length);
  }

  /** Collects what touches now. @alloc none */
  gather(): void {
    const { all, items, places } = this;
    let n = 0;
    for (let k = 0; k < all.length; k++) {
      if (!all[k].active) continue;
      places[n] = k;
      items[n++] = all[k];
    }
    this.count = n;
  }
}
