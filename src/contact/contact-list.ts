/** The contact models that touch, so that a step costs what touches and not what could. */
import type { ContactModel } from './contact-model.ts';

/** A list of fixed capacity over all contact models of a system. */
export class ContactList {
  /** The first `count` touch, in the order of all. */
  readonly items: ContactModel[];
  count = 0;
  private readonly all: readonly ContactModel[];

  constructor(all: readonly ContactModel[]) {
    this.all = all;
    this.items = [...all];
  }

  /** Collects what touches now. @alloc none */
  gather(): void {
    const { all, items } = this;
    let n = 0;
    for (let k = 0; k < all.length; k++) if (all[k].active) items[n++] = all[k];
    this.count = n;
  }
}
