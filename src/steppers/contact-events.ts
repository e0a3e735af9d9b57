/**
 * Start and end of contacts as events of integration. The margin of a contact that is apart is its gap, that of one that touches
 * is minus its gap. An event is located just behind the root, so that no margin starts on it: a contact begins with gap <= 0 by
 * rounding alone and ends with gap >= 0. `Modia3D: zero-crossing functions z1, z2`.
 */
import { GAP, RATE } from '../contact/pair.ts';
import type { Dynamics } from '../dynamics.ts';
import type { EventSource } from '../integrate/event-location.ts';

/** Contact phase w_c h of the first step after touch. */
const FIRST_PHASE = 0.05;

/** The contacts of a system. */
export class ContactEvents implements EventSource {
  readonly margins: Float64Array;
  readonly marginRates: Float64Array;
  private readonly dynamics: Dynamics;
  /** [1 s]: the phase of a contact per second is its frequency. */
  private readonly second: Float64Array = Float64Array.of(1);
  /** Highest contact frequency of the contacts that began last, rad/s. */
  private readonly frequency: Float64Array = new Float64Array(1);

  constructor(dynamics: Dynamics) {
    this.dynamics = dynamics;
    this.margins = new Float64Array(dynamics.contacts.length);
    this.marginRates = new Float64Array(dynamics.contacts.length);
  }

  measure(): void {
    const { contacts } = this.dynamics;
    this.dynamics.place();
    for (let k = 0; k < contacts.length; k++) {
      const contact = contacts[k];
      contact.measure();
      const sign = contact.active ? -1 : 1;
      this.margins[k] = sign * contact.kinematics[GAP];
      this.marginRates[k] = sign * contact.kinematics[RATE];
    }
  }

  happen(first: number): void {
    const { contacts } = this.dynamics;
    this.frequency[0] = 0;
    for (let k = 0; k < contacts.length; k++) {
      if (k !== first && !(this.margins[k] < 0)) continue;
      const contact = contacts[k];
      if (contact.active) contact.end();
      else {
        contact.begin(contact.kinematics[RATE], 0);
        contact.computeElastic();
        this.dynamics.ledger.addFound(contact, first < 0 && this.dynamics.clock[0] === 0);
        contact.computeMobility();
        contact.computePhase(this.second);
        if (contact.phase[0] > this.frequency[0]) this.frequency[0] = contact.phase[0];
      }
    }
  }

  isSmooth(event: number): boolean {
    return !this.dynamics.contacts[event].active; // a contact that touches is cut off beyond its end
  }

  limitStep(limit: Float64Array): void {
    limit[0] = this.frequency[0] > 0 ? FIRST_PHASE / this.frequency[0] : Infinity;
  }
}
