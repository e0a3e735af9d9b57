/**
 * The contact step that is stable at 1 ms: implicit in the two velocities that matter, the normal rate (damping) and the
 * slip (bristle), with the elastic force at the start of the step. `Gonthier 2007, 7.3`, docs/theory/implicit-step.md.
 *
 *   normal:      v_n' = (v_n* + h W_n f_el) / (1 + h W_n B),  f_n = max(f_min, f_el − B v_n')
 *   tangential:  (1 + h f_n W_t (…)) v_t' = v_t* − …, see BristleFriction.solve
 *
 * Contacts that share a body, or whose point makes pushing turn into sliding, are solved one after the other in their
 * fixed order, several sweeps, each with the impulses of the others in place.
 */
import type { ContactModel } from '../contact/contact-model.ts';
import { DAMPING, ELASTIC, LEAST } from '../contact/normal/normal-law.ts';
import { LOAD, NORMAL, RATE, STEP } from '../contact/pair.ts';

/** Fixes elastic force, damping and friction coefficients at the start of the step. @alloc none */
export function prepareImplicit(contact: ContactModel, timing: Float64Array): void {
  contact.mobility[STEP] = timing[0];
  contact.computeElastic();
  contact.friction.prepare(contact.kinematics, timing);
  contact.force[0] = 0;
  contact.force[1] = 0;
  contact.force[2] = 0;
  if (!contact.rolling.active) return;
  contact.rolling.torque.fill(0);
  contact.computeSpinMobility();
}

/** Solves one contact against the present velocities and applies its impulse; h as prepared. @alloc none */
export function solveImplicit(contact: ContactModel): void {
  const h = contact.mobility[STEP];
  const push = contact.impulseForce;
  for (let a = 0; a < 3; a++) push[a] = -contact.force[a];
  contact.applyImpulse();
  if (contact.rolling.active) contact.unroll();
  contact.measureVelocity();
  const k = contact.kinematics;
  const elastic = contact.normal[ELASTIC];
  const damping = contact.normal[DAMPING];
  const gain = h * contact.mobility[3];
  const rate = (k[RATE] + gain * elastic) / (1 + gain * damping);
  let f = elastic - damping * rate;
  const least = contact.normal[LEAST];
  if (!(f > least)) f = least;
  contact.flags[1] = f;
  contact.mobility[LOAD] = f > 0 ? f : 0;
  for (let a = 0; a < 3; a++) push[a] = f * k[NORMAL + a];
  contact.applyImpulse();
  contact.measureVelocity();
  contact.friction.solve(k, contact.basis, contact.mobility);
  for (let a = 0; a < 3; a++) push[a] = contact.friction.force[a];
  contact.applyImpulse();
  if (contact.rolling.active) contact.roll();
  contact.combine();
}
