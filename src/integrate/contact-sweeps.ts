/**
 * Contacts one after the other, each solved with the impulses of the others in place (implicit-contact.ts), back and forth: the fallback
 * of the Newton step, and what it converges to when it goes on long enough. Eight sweeps are not converged; docs/theory/contact-step.md.
 */
import type { ContactModel } from '../contact/contact-model.ts';
import { prepareAlone, solveImplicit } from './implicit-contact.ts';

/** Least and most sweeps, and the solutions of a contact by which they end between the two: a tick must end. */
const LEAST_SWEEPS = 32;
const MOST_SWEEPS = 400;
const SOLUTIONS = 1000;
/** Squared relative change of the forces at which sweeps end. */
const SETTLED = 1e-18;

/** Solves contacts that have no force yet against the present velocities of their bodies, which get the impulses. @alloc none */
export function sweepContacts(contacts: readonly ContactModel[], count: number): void {
  for (let k = 0; k < count; k++) prepareAlone(contacts[k]);
  const most = Math.max(LEAST_SWEEPS, Math.min(MOST_SWEEPS, Math.floor(SOLUTIONS / count)));
  for (let sweep = 0; sweep < most; sweep++) {
    // pieces of a cut face are alike: going back and forth favours none of them
    for (let k = 0; k < count; k++) solveImplicit(contacts[sweep % 2 === 1 ? count - 1 - k : k]);
    if (haveSettled(contacts, count)) return;
  }
}

/** Whether the last sweep left the forces as they were, or without a number. */
function haveSettled(contacts: readonly ContactModel[], count: number): boolean {
  let change = 0.0;
  let size = 0.0;
  for (let k = 0; k < count; k++) {
    const { force, priorForce } = contacts[k];
    for (let a = 0; a < 3; a++) {
      const by = force[a] - priorForce[a];
      change += by * by;
      size += force[a] * force[a];
    }
  }
  return !(change > SETTLED * size);
}
