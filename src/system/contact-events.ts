/**
 * Start and end of contacts as events of integration. The margin of a contact that is apart is its gap, that of one that touches
 * is minus its gap. An event is located just behind the root, so that no margin starts on it: a contact begins with gap <= 0 by
 * rounding alone and ends with gap >= 0. `Modia3D: zero-crossing functions z1, z2`.
 *
 * A volumetric contact has the margins of its sub-models that touch, and one for the first touch of any other pair of its cells.
 */
import { TOUCH_MARGIN, TOUCH_RATE } from '../contact/cellular/cell-contact.ts';
import { GAP, RATE } from '../contact/pair.ts';
import type { Dynamics } from './dynamics.ts';
import type { EventSource } from '../integrate/event-location.ts';

/** First step after touch, over the longest sub-step that the fixed step would make there. */
const FIRST_PART = 0.25;
/** Margin of a sub-model that has no pair, m: nothing happens to it. */
const FREE = 1;

/** The contacts of a system. */
export class ContactEvents implements EventSource {
  readonly margins: Float64Array;
  readonly marginRates: Float64Array;
  private readonly dynamics: Dynamics;
  /** Index of the first touch of the first volumetric contact. */
  private readonly first: number;
  /** Index of the first sub-model of each volumetric contact. */
  private readonly offsets: Int32Array;
  /** [1 s]: the phase of a contact per second is its frequency. */
  private readonly second: Float64Array = Float64Array.of(1);
  /** Highest contact frequency of the contacts that began last, rad/s. */
  private readonly frequency: Float64Array = new Float64Array(1);

  constructor(dynamics: Dynamics) {
    this.dynamics = dynamics;
    const { models, groups } = dynamics.declared;
    this.first = models.length;
    this.offsets = Int32Array.from(groups, ({ slots }) => models.indexOf(slots[0].model));
    this.margins = new Float64Array(models.length + groups.length);
    this.marginRates = new Float64Array(models.length + groups.length);
  }

  measure(): void {
    const { declared, contacts } = this.dynamics;
    const { groups } = declared;
    this.dynamics.place();
    for (let k = 0; k < contacts.length; k++) {
      const contact = contacts[k];
      if (contact.pooled && !contact.active) {
        this.margins[k] = FREE;
        this.marginRates[k] = 0;
        continue;
      }
      contact.measure();
      const sign = contact.active ? -1 : 1;
      this.margins[k] = sign * contact.kinematics[GAP];
      this.marginRates[k] = sign * contact.kinematics[RATE];
    }
    for (let g = 0; g < groups.length; g++) {
      groups[g].measureTouch();
      this.margins[this.first + g] = groups[g].touch[TOUCH_MARGIN];
      this.marginRates[this.first + g] = groups[g].touch[TOUCH_RATE];
    }
  }

  happen(first: number): void {
    const { contacts, declared } = this.dynamics;
    const { groups } = declared;
    for (let k = 0; k < contacts.length; k++) {
      const contact = contacts[k];
      contact.fresh = false;
      if (contact.pooled || (k !== first && !(this.margins[k] < 0))) continue;
      if (contact.active) contact.end();
      else {
        contact.begin(contact.kinematics[RATE], 0);
        contact.fresh = true;
      }
    }
    for (let g = 0; g < groups.length; g++) {
      const { slots } = groups[g];
      for (let s = 0; s < slots.length; s++) {
        const k = this.offsets[g] + s;
        if (!slots[s].model.active || (k !== first && !(this.margins[k] < 0))) continue;
        groups[g].release(s);
      }
      const at = this.first + g;
      if (at === first || this.margins[at] < 0) groups[g].beginTouching();
    }
    this.beginFresh(first < 0 && this.dynamics.clock[0] === 0);
  }

  isSmooth(event: number): boolean {
    // a contact that touches is cut off beyond its end
    return event >= this.first || !this.dynamics.contacts[event].active;
  }

  limitStep(limit: Float64Array): void {
    limit[0] = this.frequency[0] > 0 ? FIRST_PART / this.frequency[0] : Infinity;
  }

  /** Energy, friction and frequency of the contacts that began. */
  private beginFresh(atStart: boolean): void {
    const { dynamics } = this;
    this.frequency[0] = 0;
    dynamics.gather();
    const { items, count } = dynamics.current;
    for (let k = 0; k < count; k++) {
      const contact = items[k];
      if (!contact.fresh) continue;
      contact.computeElastic();
      dynamics.ledger.addFound(contact, atStart);
      contact.computePhase(this.second);
      if (contact.phase[0] > this.frequency[0]) this.frequency[0] = contact.phase[0];
    }
  }
}
