/**
 * The contact step that is stable at 1 ms: implicit in the two velocities that matter, the normal rate (damping) and the
 * slip (bristle), with the elastic force at the start of the step. It is this project's own: docs/theory/implicit-step.md.
 *
 *   normal:      v_n' = (v_n* + h W_n f_el) / (1 + h W_n B),  f_n = max(f_min, f_el − B v_n')
 *   tangential:  (1 + h f_n W_t (…)) v_t' = v_t* − …, see TangentialBristle.solve
 *
 * This is one contact by itself: for imposed motion of both bodies, and for the sweeps (contact-sweeps.ts) that stand behind Newton's
 * method (contact-newton.ts).
 */
import type { ContactModel } from '../contact/contact-model.ts';
import { DAMPING, ELASTIC, LEAST } from '../contact/normal/normal-law.ts';
import { LOAD, NORMAL, RATE, STEP } from '../contact/pair.ts';

/** Solutions of friction and rolling moment together, and the squared relative change at which they have settled. */
const ROLLING_PASSES = 5;
const SETTLED = 1e-16;

// slots of the coupling column: the moment that friction was solved with, the one of the pass before, what came out beyond it, and
// how that changed
const UNDER = 0;
const BEFORE = 3;
const RESIDUAL = 6;
const BEND = 9;

/** Fixes elastic force, damping and friction coefficients at the start of the step. @alloc none */
export function prepareImplicit(contact: ContactModel, timing: Float64Array): void {
  contact.mobility[STEP] = timing[0];
  contact.computeElastic();
  contact.stiffenAtRest();
  contact.friction.prepare(contact.kinematics, timing);
  contact.force[0] = 0;
  contact.force[1] = 0;
  contact.force[2] = 0;
  contact.friction.force.fill(0);
  if (!contact.turns) return;
  contact.rolling.torque.fill(0);
  if (contact.friction.spins) contact.friction.torque.fill(0);
}

/** How the bodies answer, for `solveImplicit`. @alloc none */
export function prepareAlone(contact: ContactModel): void {
  contact.computeMobility();
  if (contact.turns) contact.computeSpinMobility();
}

/**
 * Solves one contact against the present velocities and applies its impulse; both parts prepared. What it applied before is taken back part
 * by part: the normal force is solved with friction and moments in place, friction with the normal force and the moments. @alloc none
 */
export function solveImplicit(contact: ContactModel): void {
  if (contact.whole) {
    contact.solveWhole();
    return;
  }
  const h = contact.mobility[STEP];
  const push = contact.impulseForce;
  const before = contact.priorForce;
  const { friction, rolling } = contact;
  for (let a = 0; a < 3; a++) {
    before[a] = contact.force[a];
    push[a] = friction.force[a] - before[a];
  }
  contact.applyImpulse();
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
  // pieces that touch together are swept over again and again: that is alternation enough for friction and rolling moment
  const together = rolling.active && contact.share[0] <= 1;
  if (together) contact.removeRollingImpulse();
  for (let a = 0; a < 3; a++) push[a] = -friction.force[a];
  contact.applyImpulse();
  solveFriction(contact);
  if (friction.spins) {
    contact.removeSpinImpulse();
    contact.spin();
  }
  if (together) solveFrictionAndRolling(contact);
  else if (rolling.active) {
    contact.removeRollingImpulse();
    contact.roll();
  }
  contact.combine();
}

/** Solves friction against the present velocities and applies it. */
function solveFriction(contact: ContactModel): void {
  contact.measureVelocity();
  contact.friction.solve(contact.kinematics, contact.basis, contact.mobility);
  for (let a = 0; a < 3; a++) contact.impulseForce[a] = contact.friction.force[a];
  contact.applyImpulse();
}

/**
 * Friction is in place; adds the rolling moment and solves both again, each with the other in place, until the moment that friction
 * was solved with is the one that came out. Plain alternation gains 5/7 a pass for a ball; from the second pass on the moment is
 * extrapolated by the secant of the last two (exact when both laws are linear, near rest). The last word is the rolling law's.
 */
function solveFrictionAndRolling(contact: ContactModel): void {
  const torque = contact.rolling.torque;
  const c = contact.coupling;
  for (let a = 0; a < 3; a++) c[UNDER + a] = 0;
  contact.roll();
  for (let pass = 1; pass < ROLLING_PASSES; pass++) {
    let size = 0;
    let residual = 0;
    let top = 0;
    let bottom = 0;
    for (let a = 0; a < 3; a++) {
      const r = torque[a] - c[UNDER + a];
      const bend = r - c[RESIDUAL + a];
      size += torque[a] * torque[a];
      residual += r * r;
      top += r * bend;
      bottom += bend * bend;
      c[BEND + a] = bend;
    }
    if (!(residual > SETTLED * size)) return;
    const mix = pass > 1 && bottom > 0 ? top / bottom : 0;
    contact.removeRollingImpulse();
    for (let a = 0; a < 3; a++) {
      const r = torque[a] - c[UNDER + a];
      const step = c[UNDER + a] - c[BEFORE + a];
      c[BEFORE + a] = c[UNDER + a];
      c[RESIDUAL + a] = r;
      c[UNDER + a] = torque[a] - mix * (step + c[BEND + a]);
      torque[a] = c[UNDER + a];
    }
    contact.applyTorque();
    for (let a = 0; a < 3; a++) contact.impulseForce[a] = -contact.friction.force[a];
    contact.applyImpulse();
    solveFriction(contact);
    contact.removeRollingImpulse();
    contact.roll();
  }
}
