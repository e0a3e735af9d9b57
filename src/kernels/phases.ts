/**
 * The phases of a step over all contacts that touch: one call each. What a phase does with one contact stands in contact.ts; sums are
 * those of src/system/energy-ledger.ts, in the order of the contacts.
 */
import { NORMAL, RATE, SPIN, VELOCITY, ARM_I, ARM_J } from '../contact/pair-slots';
import { BRISTLE_LOOP } from '../contact/loop-kinds';
import { BRISTLE, STORED } from '../contact/normal/normal-slots';
import { advanceBristle } from './bristle';
import { Doubles, Integers } from './columns';
import {
  computeElastic,
  computePhase,
  isActive,
  measureVelocity,
  prepareContact,
  solveImposed,
} from './contact';
import { Contacts } from './newton';
import { advanceNormal } from './normal-law';
import { writeReadout } from './readout';
import { Body, Contact } from './records';

/** The contacts that touch: their places and addresses; their number, or −1 less it when the list is another one than before. */
export function gather(contacts: Contacts, count: i32, places: Integers, current: Integers): i32 {
  let n = 0;
  let changed = false;
  for (let c = 0; c < count; c++) {
    const contact = contacts[c];
    if (!isActive(contact)) continue;
    if (places[n] != c) changed = true;
    places[n] = c;
    current[n] = <i32>changetype<usize>(contact);
    n++;
  }
  return changed ? -1 - n : n;
}

/** Read-outs of contacts. */
export function writeReadouts(contacts: Contacts, count: i32): void {
  for (let c = 0; c < count; c++) writeReadout(contacts[c]);
}

/** Sub-steps that a step of timing[0] needs for each of the contacts. */
export function computePhases(contacts: Contacts, count: i32, timing: Doubles): void {
  const dt = timing[0];
  for (let c = 0; c < count; c++) computePhase(contacts[c], dt);
}

/** What the contacts take from the start of a step of timing[0]. */
export function prepareContacts(contacts: Contacts, count: i32, timing: Doubles): void {
  const h = timing[0];
  for (let c = 0; c < count; c++) prepareContact(contacts[c], h);
}

/** The wrenches of the contacts whose bodies do not yield; the number of the others. */
export function solveImposedContacts(contacts: Contacts, count: i32): i32 {
  let others = 0;
  for (let c = 0; c < count; c++) {
    const contact = contacts[c];
    if (contact.i.yields != 0 || contact.j.yields != 0) others++;
    else solveImposed(contact);
  }
  return others;
}

/** sums[0] −= the power that contacts give to bodies, sums[1] += that of bodies with imposed motion, W, of a sub-step. */
export function accountContacts(contacts: Contacts, count: i32, sums: Doubles): void {
  for (let c = 0; c < count; c++) {
    const contact = contacts[c];
    if (contact.i.yields != 0 || contact.j.yields != 0) measureVelocity(contact);
    const f = contact.force;
    const v = contact.oldVelocity;
    const n = contact.kinematics;
    sums[0] =
      sums[0] -
      0.5 *
        (f[0] * (v[0] + n[VELOCITY]) +
          f[1] * (v[1] + n[VELOCITY + 1]) +
          f[2] * (v[2] + n[VELOCITY + 2]));
    if (contact.turns != 0) {
      const t = contact.torque;
      for (let a = 0; a < 3; a++) sums[0] = sums[0] - 0.5 * t[a] * (v[3 + a] + n[SPIN + a]);
    }
    if (contact.j.yields == 0) addPointPower(contact, contact.j, ARM_J, 1.0, sums);
    if (contact.i.yields == 0) addPointPower(contact, contact.i, ARM_I, -1.0, sums);
  }
}

function addPointPower(contact: Contact, body: Body, arm: i32, sign: f64, sums: Doubles): void {
  const f = contact.force;
  const t = contact.torque;
  const x = body.state;
  const k = contact.kinematics;
  sums[1] =
    sums[1] +
    sign *
      (f[0] * (x[7] + x[11] * k[arm + 2] - x[12] * k[arm + 1]) +
        f[1] * (x[8] + x[12] * k[arm] - x[10] * k[arm + 2]) +
        f[2] * (x[9] + x[10] * k[arm + 1] - x[11] * k[arm]) +
        t[0] * x[10] +
        t[1] * x[11] +
        t[2] * x[12]);
}

/** States of the laws to the end of a sub-step of timing[0]. */
export function advanceContacts(contacts: Contacts, count: i32, timing: Doubles): void {
  const h = timing[0];
  for (let c = 0; c < count; c++) {
    const contact = contacts[c];
    const k = contact.kinematics;
    const v = contact.oldVelocity;
    advanceNormal(
      contact.normalLaw,
      h,
      0.5 * (k[RATE] + v[0] * k[NORMAL] + v[1] * k[NORMAL + 1] + v[2] * k[NORMAL + 2]),
    );
    if (contact.friction.kind == BRISTLE_LOOP) advanceBristle(contact.friction, h);
  }
}

/** sums[0] := energy in the springs, sums[1] := energy in the bristles at the present gaps, J. */
export function storeEnergies(contacts: Contacts, count: i32, sums: Doubles): void {
  let elastic = 0.0;
  let bristle = 0.0;
  for (let c = 0; c < count; c++) {
    const contact = contacts[c];
    computeElastic(contact);
    const active = isActive(contact);
    contact.stored[0] = active ? contact.normal[STORED] : 0.0;
    contact.stored[1] = active ? contact.normal[BRISTLE] : 0.0;
    elastic += contact.stored[0];
    bristle += contact.stored[1];
  }
  sums[0] = elastic;
  sums[1] = bristle;
}
