/**
 * The model's compensation subtracts the contact at the measured pose from that at the pose of the
 * arm. A robot that stops in contact for lack of set-points shows no impact speed: both times of one contact have the faster impact.
 * Over the whole loop: shared-impact.long.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { ShadowContact } from '../../../hil/contract/shadow-contact.ts';

/** Force of the half-sphere at a height and a vertical speed. */
function press(contact: ShadowContact, z: number, v: number): number {
  const motion = new Float64Array(13);
  motion.set([0, 0, z, 0, 0, 0, 1, 0, 0, v]);
  contact.step(motion);
  return contact.wrench[2];
}

test('two times of one contact have the faster impact of the two', () => {
  const model = compileScenario(loadScenario('half-sphere-on-plate'));
  const payload = model.tool!.payload;
  const make = (): ShadowContact => new ShadowContact(model, payload, 1e-3);
  const [fast, slow, alone] = [make(), make(), make()];
  press(fast, 5e-6, -9.5e-3);
  press(fast, -5e-6, -9.5e-3);
  for (const contact of [slow, alone]) press(contact, -5e-6, 0);
  fast.shareImpacts(slow);
  const force = press(fast, -10e-6, -9.5e-3);
  assert.equal(press(slow, -10e-6, -9.5e-3), force);
  assert.ok(press(alone, -10e-6, -9.5e-3) > 2 * force, 'at rest it began with the largest damping');
  // apart, the other keeps its own
  press(fast, 1e-3, 0);
  slow.shareImpacts(fast);
  assert.equal(press(fast, 1e-3, 0), 0);
  assert.equal(press(slow, -10e-6, -9.5e-3), force);
});
