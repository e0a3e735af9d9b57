/**
 * Restitution that falls with speed, and elastic laws of any exponent: impacts against 1 − α v and the closed forms of depth and time,
 * rest against the weight, contradictions refused.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elasticDepth, impactDepth } from '../../../src/contact/normal/impact.ts';
import { dampingForRestitution } from '../../../src/contact/normal/damping-factor.ts';
import {
  checkModel,
  type HystereticModel,
  makeSystem,
  type SystemModel,
} from '../../../src/index.ts';
import { body, contact, system } from '../../fixtures/models.ts';

const MASS = 0.7;

const law = (parts: Partial<HystereticModel>): HystereticModel => ({
  kind: 'hysteretic',
  stiffness: 1e7,
  exponent: 1.5,
  restitution: { slope: 0.2 },
  smallVelocity: 1e-3,
  relaxationTime: 0,
  ...parts,
});

const ball = (normalLaw: HystereticModel, parts: Partial<SystemModel>): SystemModel =>
  system({
    bodies: [
      body('ball', 'dynamic', { mass: MASS, rotationLocked: true, position: [0, 0, 0.1] }),
      body('ground', 'fixed'),
    ],
    contacts: [contact('ball', 'ground', { normalLaw })],
    ...parts,
  });

/** Restitution and depth of an impact, error-controlled. */
function impact(normalLaw: HystereticModel, speed: number): { e: number; depth: number } {
  const { stiffness, exponent } = normalLaw;
  const size = elasticDepth({ mass: MASS, stiffness, exponent, speed, damping: 0 });
  const model = ball(normalLaw, {
    integrator: 'dormand-prince',
    step: size / speed / 40,
    relativeTolerance: 1e-11,
    absoluteTolerance: 1e-13 * Math.min(speed, size),
  });
  const run = makeSystem({
    ...model,
    bodies: [{ ...model.bodies[0], velocity: [0, 0, -speed] }, model.bodies[1]],
  });
  const row = new Float64Array(40);
  let depth = 0;
  for (let n = 0; n < 40_000; n++) {
    assert.equal(run.step(run.model.step), 0);
    run.readContact(0, row, 0);
    assert.ok(row[3] >= 0);
    depth = Math.max(depth, row[1]);
    if (n > 10 && row[0] === 0) break;
  }
  run.readBody(0, row, 0);
  return { e: row[9] / speed, depth };
}

test('an impact returns 1 − α v to 1e-6 at every speed and exponent', () => {
  for (const slope of [0.08, 0.32, 2]) {
    for (const alphaV of [1e-6, 1e-4, 1e-2, 0.3, 0.6, 0.95]) {
      const speed = alphaV / slope;
      const { e } = impact(law({ restitution: { slope } }), speed);
      assert.ok(Math.abs(e - (1 - alphaV)) < 1e-6, `α ${slope}, α v ${alphaV}: ${e}`);
    }
  }
  // so slow for its slope that the damping is at its limit
  assert.ok(Math.abs(impact(law({ restitution: { slope: 1e-6 } }), 1e-2).e - 1) < 1e-7);
  for (const exponent of [1, 1.2, 1.5, 2, 2.7, 3]) {
    const stiffness = 1e3 * 1e3 ** exponent;
    const { e } = impact(law({ exponent, stiffness }), 2);
    assert.ok(Math.abs(e - 0.6) < 1e-6, `p ${exponent}: ${e}`);
  }
  // beyond 0.99/α the restitution is 0.01; a slope of 0 is elastic
  assert.ok(Math.abs(impact(law({ restitution: { slope: 2 } }), 1).e - 0.01) < 1e-6);
  assert.ok(Math.abs(impact(law({ restitution: { slope: 0 } }), 1).e - 1) < 1e-9);
});

test('any exponent: depth of an impact and of rest', () => {
  for (const exponent of [1, 1.37, 1.5, 2.4, 3]) {
    const stiffness = 1e3 * 1e3 ** exponent;
    const { depth } = impact(law({ exponent, stiffness, restitution: 0.5 }), 1);
    const damping = dampingForRestitution(0.5);
    const closed = impactDepth({ mass: MASS, stiffness, exponent, speed: 1, damping });
    // 40 samples over the elastic depth: the deepest one is (π/80)²/2 off at most
    assert.ok(Math.abs(depth / closed - 1) < 1e-3, `p ${exponent}: ${depth} of ${closed} m`);
    const rest = makeSystem(
      ball(law({ exponent, stiffness, restitution: 0.3, smallVelocity: 0.1 }), {
        gravity: [0, 0, -9.81],
      }),
    );
    const row = new Float64Array(40);
    for (let n = 0; n < 20_000; n++) assert.equal(rest.step(1e-3), 0);
    rest.readContact(0, row, 0);
    const sag = ((MASS * 9.81) / stiffness) ** (1 / exponent);
    assert.ok(Math.abs(row[1] / sag - 1) < 1e-6, `p ${exponent}: rests ${row[1]} of ${sag} m deep`);
  }
});

test('what does not go together is refused', () => {
  const refuse = (parts: object, message: RegExp): void => {
    assert.throws(() => checkModel(ball(law(parts), {})), message);
  };
  refuse({ exponent: 0.9 }, /exponent in \[1, 3\], got 0.9/);
  refuse({ exponent: 3.1 }, /got 3.1/);
  refuse({ restitution: { slope: -1 } }, /restitution.slope .*got -1/);
  refuse({ restitution: {} }, /restitution.slope/);
  refuse({ restitution: null }, /restitution/);
  refuse({ damping: 'flores' }, /damping .*exact.*got "flores"/);
  checkModel(ball(law({ damping: 'exact' }), {}));
});
