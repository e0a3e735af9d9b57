/** Systems with contacts of free form: the bowl, energy, state. Border and closed-form pairs: `berth validate freeform-surfaces`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSystem } from '../../../src/index.ts';
import type { System } from '../../../src/index.ts';
import { inBowl, offPlate, ringInBowl } from '../../fixtures/freeform-models.ts';
import { INCLINE_BRISTLE } from '../../fixtures/models.ts';

function bodyOf(system: System): Float64Array {
  const row = new Float64Array(13);
  system.readBody(0, row, 0);
  return row;
}

/** 1e6 N/m^1.5 without losses. */
const LOSSLESS = {
  kind: 'hysteretic',
  stiffness: 1e6,
  exponent: 1.5,
  restitution: 1,
  smallVelocity: 1e-3,
  relaxationTime: 0,
} as const;

test('a ball on a circle in a bowl, without friction, has the period of the conical pendulum', () => {
  // L = 0.4 m at 30°: 5.321563 rad/s, 1.180703 s, 11.32761 N/kg; a stiff contact takes δ/L of it, 1.3e-3 of 1e6 N/m^1.5
  const omega = 5.321563;
  const model = inBowl({
    velocity: [0, omega * 0.2, 0],
    integrator: 'rk4',
    step: 1e-4,
    contact: {
      normalLaw: { ...LOSSLESS, stiffness: 1e10 },
    },
  });
  const depth = (11.32761 / 1e10) ** (2 / 3);
  const z = -(0.4 + depth) * Math.cos(Math.PI / 6);
  const [ball, ground] = model.bodies;
  const at = [(0.4 + depth) * 0.5, 0, z] as const;
  const system = makeSystem({ ...model, bodies: [{ ...ball, position: at }, ground] });
  for (let k = 0; k < 2952; k++) system.step(1e-4); // a quarter of the period is 0.29517575 s
  const row = bodyOf(system);
  const angle = Math.atan2(row[1], row[0]);
  assert.ok(Math.abs(angle - omega * 0.2952) < 2e-5, `${angle}`);
  assert.ok(Math.abs(row[2] - z) < 1e-6, `height ${row[2]} and ${z}`);
});

test('a contact without losses keeps the energy of a ball in a bowl', () => {
  const system = makeSystem(
    inBowl({
      velocity: [0.1, 0.6, 0],
      integrator: 'rk4',
      step: 2e-5,
      contact: {
        normalLaw: LOSSLESS,
      },
    }),
  );
  const row = new Float64Array(40);
  const energy = (): number => {
    const b = bodyOf(system);
    system.readContact(0, row, 0);
    const kinetic = 0.5 * (b[7] ** 2 + b[8] ** 2 + b[9] ** 2);
    const spin = 0.002 * (b[10] ** 2 + b[11] ** 2 + b[12] ** 2);
    return kinetic + spin + 9.81 * b[2] + 0.4 * 1e6 * row[1] ** 2.5;
  };
  const start = energy();
  for (let k = 0; k < 5000; k++) system.step(2e-5);
  assert.ok(Math.abs(energy() - start) < 1e-7, `${energy() - start} J`); // RK4 through touches, of 0.2 J in motion
});

test('a system keeps nothing of free form beside its state', () => {
  for (const model of [
    ringInBowl(),
    inBowl({ contact: { frictionLaw: INCLINE_BRISTLE } }),
    offPlate(),
  ]) {
    const [one, other, strayed] = [makeSystem(model), makeSystem(model), makeSystem(model)];
    const state = new Float64Array(one.state.length);
    const start = one.state.slice();
    for (let k = 0; k < 120; k++) {
      one.snapshot(state);
      other.restore(state);
      strayed.restore(start);
      strayed.step(1e-3);
      strayed.restore(state);
      for (const system of [one, other, strayed]) system.step(1e-3);
      assert.equal(other.hash(), one.hash(), `step ${k}`);
      assert.equal(strayed.hash(), one.hash(), `step ${k}, strayed`);
    }
  }
});
