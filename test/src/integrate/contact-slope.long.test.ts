/** The slope that Newton's method takes of a contact is the derivative of its wrench, for every combination of laws. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContactModel } from '../../../src/contact/contact-model.ts';
import { ARM_I } from '../../../src/contact/pair.ts';
import { Random } from '../../../src/index.ts';
import { prepareImplicit } from '../../../src/integrate/implicit-contact.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import { beginContact, compatibleCombinations, randomScene } from '../../fixtures/samples.ts';

const COMPATIBLE = compatibleCombinations();
const TIMING = Float64Array.of(1e-3);
/** Speeds about which friction and rolling resistance change: below, within and above their tolerances. */
const SPEEDS = [1e-5, 1e-3, 0.03, 0.5];

/** Force and torque with the twist of body i changed by `by` along axis `axis` (3 to 5: turned about the contact point). */
function wrench(contact: ContactModel, twist: Float64Array, axis: number, by: number): number[] {
  const { state } = contact.i;
  const k = contact.kinematics;
  for (let a = 0; a < 6; a++) state[7 + a] = twist[a];
  state[7 + axis] += by;
  if (axis >= 3) {
    const w = [0, 1, 2].map((a) => (a === axis - 3 ? by : 0));
    for (let a = 0; a < 3; a++) {
      const [b, c] = [(a + 1) % 3, (a + 2) % 3];
      state[7 + a] -= w[b] * k[ARM_I + c] - w[c] * k[ARM_I + b];
    }
  }
  contact.respond();
  return [...contact.force, ...contact.torque];
}

test('K is −∂(F, τ)/∂(v, w) of every combination, stuck and sliding, turning and not', () => {
  const random = new Random(11);
  let most = 0;
  let compared = 0;
  for (const combination of COMPATIBLE) {
    for (const speed of SPEEDS) {
      const scene = { integrator: 'implicit-contact', approach: speed, freeJ: true } as const;
      const dynamics = new Dynamics(
        randomScene(combination, random, { ...scene, gap: -1e-4, gravity: 0 }),
      );
      const contact = beginContact(dynamics, -0.5);
      const { state } = contact.i;
      // relative twist of the chosen size, bent bristles
      for (let a = 0; a < 6; a++) {
        const scale = a < 3 ? speed : 10 * speed;
        state[7 + a] = contact.j.state[7 + a] + scale * (2 * random.uniform() - 1);
      }
      contact.measure();
      for (let s = 0; s < contact.friction.states.length; s++) {
        contact.friction.states[s] = 1e-5 * random.uniform();
      }
      prepareImplicit(contact, TIMING);
      const twist = state.slice(7, 13);
      wrench(contact, twist, 0, 0);
      const slope = new Float64Array(36);
      contact.computeSlope(slope, false);
      const largest = (of: Float64Array): number => Math.max(1e-12, ...of.map(Math.abs));
      const sizes = [largest(contact.force), largest(contact.torque)];
      for (let axis = 0; axis < 6; axis++) {
        // twice the fourth-order quotient; where two steps disagree the laws have a kink between them
        const quotients = [1e-4, 2e-4].map((part) => {
          const h = part * (axis < 3 ? speed : 10 * speed);
          const at = (by: number): number[] => wrench(contact, twist, axis, by);
          const [a, b, c, d] = [at(-2 * h), at(-h), at(h), at(2 * h)];
          return a.map((value, row) => (value - d[row] + 8 * (c[row] - b[row])) / (12 * h));
        });
        for (let row = 0; row < 6; row++) {
          const [fine, coarse] = quotients.map((quotient) => quotient[row]);
          const scale = Math.abs(fine) + sizes[row < 3 ? 0 : 1];
          if (Math.abs(fine - coarse) > 1e-8 * scale) continue;
          compared++;
          const error = Math.abs(slope[6 * row + axis] + fine) / scale;
          most = Math.max(most, error);
          assert.ok(
            error < 1e-6,
            `${combination.name}, ${speed} m/s, row ${row} axis ${axis}: ${slope[6 * row + axis]}, quotient ${-fine}`,
          );
        }
      }
    }
  }
  assert.ok(compared > 0.9 * COMPATIBLE.length * SPEEDS.length * 36, `${compared} compared`);
  assert.ok(most > 0);
});
