/** Contacts of a model ready for Newton's method, and how far their forces are from those of the laws. */
import type { SystemModel } from '../../../src/index.ts';
import { ContactNewton } from '../../../src/integrate/contact-newton.ts';
import { prepareImplicit } from '../../../src/integrate/implicit-contact.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';

export const STEP_s = 1e-3;
export const TIMING = Float64Array.of(STEP_s);

/** Contacts found and prepared at the present state; twists under gravity. */
export function begin(
  model: SystemModel,
  prepare: (dynamics: Dynamics) => void,
): [Dynamics, ContactNewton] {
  const dynamics = new Dynamics(model);
  prepare(dynamics);
  for (const mover of dynamics.moving) mover.prepare(TIMING);
  for (const point of dynamics.declared.points) {
    point.measure();
    point.detect();
  }
  dynamics.gather();
  for (const each of dynamics.current.items.slice(0, dynamics.current.count)) {
    prepareImplicit(each, TIMING);
  }
  const { contacts, parts, ledger } = dynamics;
  const newton = new ContactNewton(contacts, parts, ledger.oldTwists);
  ledger.rememberParts();
  dynamics.collectForces();
  for (const mover of dynamics.moving) {
    mover.applyForces(TIMING);
    mover.applyWrenches(TIMING);
  }
  return [dynamics, newton];
}

/** Largest difference of the forces from those of the laws at the present velocities, over the largest force. */
export function misfit(dynamics: Dynamics): number {
  let most = 0;
  let size = 1e-12;
  for (const each of dynamics.current.items.slice(0, dynamics.current.count)) {
    const before = [...each.force, ...each.torque];
    each.respond();
    [...each.force, ...each.torque].forEach((value, a) => {
      most = Math.max(most, Math.abs(value - before[a]));
      size = Math.max(size, Math.abs(value), Math.abs(each.normal[1]));
    });
  }
  return most / size;
}
