/**
 * Groups of contacts that must be solved together: those that share a body which yields, over any number of contacts and bodies. Links of
 * one tree count as one. Contacts between bodies that do not yield are in no island.
 */
import { type Columns, OWN_COLUMNS } from '../math/columns.ts';
import type { ContactBody } from '../contact/contact-body.ts';
import type { ContactList } from '../contact/contact-list.ts';
import type { ContactModel } from '../contact/contact-model.ts';

/** No part, no contact, no island. */
const NONE = -1;

/** The islands of the contacts that touch. */
export class ContactIslands {
  /** Bodies and links of the system, and how many of them yield to a contact that is declared. */
  readonly parts: readonly ContactBody[];
  readonly yielding: number;
  /** Contacts of the island of the last `take`, in their order, and their indices in the system. */
  readonly contacts: ContactModel[];
  readonly contactPlaces: Int32Array;
  contactCount = 0;
  /** Its parts. */
  readonly partPlaces: Int32Array;
  partCount = 0;
  /** Index among the parts of the island, by part. */
  readonly localOf: Int32Array;
  /** Parts of body i and j, by contact of the system; NONE where it does not yield. */
  readonly partI: Int32Array;
  readonly partJ: Int32Array;
  private readonly all: readonly ContactModel[];
  /** Part that stands for its assembly when no contact joins it to others, and for its island after `find`. */
  private readonly home: Int32Array;
  private readonly root: Int32Array;
  private readonly headOf: Int32Array;
  private readonly tailOf: Int32Array;
  private readonly next: Int32Array;
  /** Roots of the islands. */
  private readonly islands: Int32Array;

  constructor(
    all: readonly ContactModel[],
    parts: readonly ContactBody[],
    columns: Columns = OWN_COLUMNS,
  ) {
    this.all = all;
    this.parts = parts;
    const placeOf = (body: ContactBody): number => (body.yields ? parts.indexOf(body) : NONE);
    this.partI = columns.integers(all.length);
    this.partJ = columns.integers(all.length);
    for (const [c, { i, j }] of all.entries()) {
      this.partI[c] = placeOf(i);
      this.partJ[c] = placeOf(j);
    }
    this.yielding = new Set([...this.partI, ...this.partJ].filter((part) => part !== NONE)).size;
    this.home = Int32Array.from(parts, (part, p) =>
      part.assembly === null ? p : parts.findIndex(({ assembly }) => assembly === part.assembly),
    );
    this.contacts = [...all];
    this.contactPlaces = columns.integers(all.length);
    this.partPlaces = columns.integers(parts.length);
    this.localOf = columns.integers(parts.length);
    this.root = new Int32Array(parts.length);
    this.headOf = new Int32Array(parts.length);
    this.tailOf = new Int32Array(parts.length);
    this.islands = new Int32Array(parts.length);
    this.next = new Int32Array(all.length);
  }

  /** Finds the islands of the contacts that touch; their number. @alloc none */
  find(list: ContactList): number {
    const { root, home, headOf, tailOf, next, islands, partI, partJ } = this;
    for (let p = 0; p < root.length; p++) {
      root[p] = home[p];
      headOf[p] = NONE;
    }
    const { places, count } = list;
    for (let n = 0; n < count; n++) {
      const i = partI[places[n]];
      const j = partJ[places[n]];
      if (i !== NONE && j !== NONE) this.join(i, j);
    }
    let found = 0;
    for (let n = 0; n < count; n++) {
      const contact = places[n];
      const part = partI[contact] === NONE ? partJ[contact] : partI[contact];
      if (part === NONE) continue;
      const island = this.rootOf(part);
      next[contact] = NONE;
      if (headOf[island] === NONE) {
        headOf[island] = contact;
        islands[found++] = island;
      } else next[tailOf[island]] = contact;
      tailOf[island] = contact;
    }
    return found;
  }

  /** Contacts and parts of an island. @alloc none */
  take(island: number): void {
    const { all, contacts, contactPlaces, partPlaces, localOf, next, partI, partJ } = this;
    localOf.fill(NONE);
    this.contactCount = 0;
    this.partCount = 0;
    for (let c = this.headOf[this.islands[island]]; c !== NONE; c = next[c]) {
      contactPlaces[this.contactCount] = c;
      contacts[this.contactCount++] = all[c];
      for (let side = 0; side < 2; side++) {
        const part = side === 0 ? partI[c] : partJ[c];
        if (part === NONE || localOf[part] !== NONE) continue;
        localOf[part] = this.partCount;
        partPlaces[this.partCount++] = part;
      }
    }
  }

  /** Whether every contact of the island has a slope. @alloc none */
  get isSloped(): boolean {
    for (let c = 0; c < this.contactCount; c++) if (!this.contacts[c].sloped) return false;
    return true;
  }

  private rootOf(part: number): number {
    const { root } = this;
    let p = part;
    while (root[p] !== p) {
      root[p] = root[root[p]];
      p = root[p];
    }
    return p;
  }

  private join(a: number, b: number): void {
    const p = this.rootOf(a);
    const q = this.rootOf(b);
    if (p < q) this.root[q] = p;
    else this.root[p] = q;
  }
}
