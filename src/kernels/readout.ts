/** The read-out of a contact: `writeReadout` of src/contact/contact-model.ts and `read` of the friction laws. */
import { DEVELOPED, PARAMETERS_AT } from '../contact/drag-slots';
import { BRISTLE_LOOP, RATE_LOOP } from '../contact/loop-kinds';
import { STICK, TORSION } from '../contact/friction/bristle-slots';
import { IMPACT_SPEED } from '../contact/normal/normal-slots';
import { AREA, GAP, GYRATION, NORMAL, POINT, RATE, SLIP, VOLUME } from '../contact/pair-slots';
import {
  READ_ACTIVE,
  READ_AREA,
  READ_BRISTLE,
  READ_DWELL,
  READ_FORCE,
  READ_FRICTION,
  READ_GYRATION,
  READ_IMPACT,
  READ_NORMAL,
  READ_PENETRATION,
  READ_POINT,
  READ_RATE,
  READ_SLIP,
  READ_SPIN,
  READ_STICK,
  READ_TORQUE,
  READ_TORSION,
  READ_VOLUME,
} from '../contact/readout-slots';
import { Contact } from './records';

export function writeReadout(contact: Contact): void {
  const r = contact.readout;
  const k = contact.kinematics;
  const friction = contact.friction;
  const force = friction.force;
  const torque = contact.torque;
  r[READ_ACTIVE] = contact.flags[0];
  r[READ_PENETRATION] = Math.max(0.0, -k[GAP]);
  r[READ_RATE] = -k[RATE];
  r[READ_FORCE] = contact.flags[1];
  for (let a = 0; a < 3; a++) {
    r[READ_FRICTION + a] = force[a];
    r[READ_SLIP + a] = k[SLIP + a];
    r[READ_POINT + a] = k[POINT + a];
    r[READ_NORMAL + a] = k[NORMAL + a];
    r[READ_TORQUE + a] = torque[a];
  }
  if (friction.kind == BRISTLE_LOOP) {
    const x = friction.states;
    const s = friction.work[STICK];
    for (let a = 0; a < 3; a++) r[READ_BRISTLE + a] = x[a];
    r[READ_DWELL] = friction.dwell >= 0 ? x[friction.dwell] : s;
    r[READ_STICK] = s;
    if (friction.mark != 0) r[READ_TORSION] = x[TORSION];
  } else if (friction.kind == RATE_LOOP) {
    r[READ_STICK] = 1.0 - friction.work[PARAMETERS_AT + DEVELOPED];
  }
  r[READ_IMPACT] = contact.normalLaw.internals[IMPACT_SPEED];
  if (contact.pooled == 0) return;
  const t = friction.torque;
  r[READ_VOLUME] = k[VOLUME];
  r[READ_AREA] = k[AREA];
  r[READ_SPIN] = t[0] * k[NORMAL] + t[1] * k[NORMAL + 1] + t[2] * k[NORMAL + 2];
  r[READ_GYRATION] = k[GYRATION];
}
