/** Exact shares of slip and spin: limits, bounds, a potential, and a body that slides and spins to rest with them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  contensouShares,
  contensouTable,
  SHARES,
  takeShares,
} from '../../../src/contact/friction/contensou.ts';
import { makeSystem, type SystemModel } from '../../../src/index.ts';
import { NewtonCount } from '../../../src/integrate/contact-newton.ts';
import { hasLoops } from '../../../src/system/contact-memory.ts';
import { BRISTLE, cell, floor, scene } from '../../fixtures/volumetric-models.ts';
import { body } from '../../fixtures/models.ts';

const R = 1 / Math.sqrt(3);

function shares(slip: number, edge: number): [number, number] {
  SHARES[0] = slip;
  SHARES[1] = edge;
  takeShares(contensouTable());
  return [SHARES[0], SHARES[1]];
}

test('limits: pure slide, pure spin with the mean radius 8/15 a, fast slide as a/(6 u)', () => {
  assert.deepEqual(contensouShares(Number.POSITIVE_INFINITY), { force: 1, moment: 0 });
  const spin = contensouShares(0);
  assert.ok(Math.abs(spin.force) < 1e-15 && Math.abs(spin.moment - 8 / 15) < 1e-15);
  const fast = contensouShares(1e3);
  assert.ok(Math.abs(1e3 * fast.moment - 1 / 6) < 1e-6 && Math.abs(fast.force - 1) < 1e-6);
  const [force, moment] = shares(1, 0);
  assert.ok(Math.abs(force - 1) < 1e-12 && Math.abs(moment) < 1e-6);
  // both formulas meet at the rim
  const [inner, outer] = [1 - 1e-9, 1 + 1e-9].map(contensouShares);
  assert.ok(Math.abs(inner.force - outer.force) < 1e-8);
  assert.ok(Math.abs(inner.moment - outer.moment) < 1e-8);
});

test('the table is within 1e-6 of the integrals, and never creates work', () => {
  for (let n = 1; n < 1000; n++) {
    const x = n / 1000;
    const { force, moment } = contensouShares((R * x) / (1 - x));
    const [f, m] = shares(x, 1 - x);
    assert.ok(Math.abs(f - force) < 1e-6 && Math.abs(m - moment / R) < 2e-6, `${x}: ${f}, ${m}`);
    assert.ok(f * x + m * (1 - x) > 0.5);
  }
});

test('force and moment are the gradient of the mean slip speed: ∂F/∂(rω) = ∂C_w/∂v', () => {
  const h = 1e-5;
  for (const [v, w] of [
    [1, 0.3],
    [0.4, 1],
    [2, 2],
    [0.1, 3],
  ]) {
    const [at, from] = [contensouShares((R * v) / (w + h)), contensouShares((R * v) / (w - h))];
    const [up, down] = [contensouShares((R * (v + h)) / w), contensouShares((R * (v - h)) / w)];
    const ofSpin = (at.force - from.force) / (2 * h);
    const ofSlip = (up.moment - down.moment) / R / (2 * h);
    assert.ok(Math.abs(ofSpin - ofSlip) < 1e-7, `${v} ${w}: ${ofSpin}, ${ofSlip}`);
  }
});

function curling(contensou: 'ellipse' | 'paraboloid', more: Partial<SystemModel>): SystemModel {
  const stone = body('stone', 'dynamic', {
    mass: 2,
    inertia: [8e-3, 8e-3, 8e-3, 0, 0, 0],
    rotationLocked: false,
    position: [0, 0, 0.0992],
    velocity: [0.3, 0, 0],
    angularVelocity: [0, 0, 20],
    cells: [cell('ball', { kind: 'sphere', radius: 0.1 })],
  });
  const friction = { ...BRISTLE, dwellTime: 0, stiction: 0.12, contensou } as typeof BRISTLE;
  return scene(stone, floor(), { friction, more });
}

test('a ball that slides and spins: the implicit step follows the explicit one, energy falls, no kernel runs it', () => {
  const model = curling('paraboloid', {});
  assert.equal(hasLoops(model), false);
  assert.equal(hasLoops(curling('ellipse', {})), true);
  const end = (one: SystemModel, steps: number): Float64Array => {
    const run = makeSystem(one);
    const out = new Float64Array(13);
    const energy = new Float64Array(8);
    let before = Number.POSITIVE_INFINITY;
    for (let n = 0; n < steps; n++) {
      assert.equal(run.step(one.step), 0);
      run.readEnergy(energy, 0);
      const whole = energy[0] + energy[1] + energy[2] + energy[3];
      assert.ok(whole <= before + 1e-9 * Math.abs(before), `step ${n}: ${whole} J after ${before}`);
      before = whole;
    }
    // Newton's method converges with the slope of the ellipse
    assert.equal(run.solverCounts?.[NewtonCount.swept] ?? 0, 0);
    run.readBody(0, out, 0);
    return out;
  };
  const implicit = end({ ...model, step: 2.5e-4 }, 800);
  const explicit = end(curling('paraboloid', { integrator: 'rk4', step: 5e-5 }), 4000);
  for (const a of [7, 11, 12]) {
    // first order in the step: 0.2 % of the change
    assert.ok(Math.abs(implicit[a] - explicit[a]) < 5e-3 * Math.max(0.05, Math.abs(explicit[a])));
  }
  // with less moment than the ellipse gives it, the spin lasts longer
  const ellipse = end({ ...curling('ellipse', {}), step: 2.5e-4 }, 800);
  assert.ok(implicit[12] > ellipse[12], `${implicit[12]} > ${ellipse[12]} rad/s`);
});
