/** Bristle stiffness and damping from a block of this project that swings on its bristles after a tap. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyRingDown, type RingDownData } from '../../../src/identify/ring-down.ts';
import { Random } from '../../../src/math/random.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { body, contact, INCLINE_BRISTLE, system } from '../../fixtures/models.ts';

const G = 9.81;
/** Implicit steps are of the first order: the damping ratio is off by ω h/2, 0.8 % of 0.23, the frequency by ζ ω h/2, 4e-4. */
const STEP_s = 2e-5;
const EVERY = 50;
const TRUTH = { bristleStiffness: 3000, bristleDamping: 8 };

/** A ball that does not turn, at rest under gravity, tapped to 1 mm/s: it swings by 6 µm. */
function tap(seed: number, noise: number, gravity = G): RingDownData {
  const random = new Random(seed);
  const mass = 2;
  const stiffness = 1e7;
  const slider = makeSystem(
    system({
      gravity: [0, 0, -gravity],
      step: STEP_s,
      bodies: [
        body('plate', 'fixed'),
        body('ball', 'dynamic', {
          mass,
          position: [0, 0, 0.1 - (mass * gravity) / stiffness],
          velocity: [1e-3, 0, 0],
          rotationLocked: true,
        }),
      ],
      contacts: [
        contact('ball', 'plate', {
          normalLaw: {
            kind: 'hysteretic',
            stiffness,
            exponent: 1,
            restitution: 0.5,
            smallVelocity: 1e-3,
            relaxationTime: 0,
          },
          frictionLaw: {
            ...INCLINE_BRISTLE,
            ...TRUTH,
            coulomb: 0.3,
            stiction: 0.3,
            dwellTime: 0,
            stribeckVelocity: 1,
            velocityTolerance: 0.01,
          },
        }),
      ],
    }),
  );
  const state = new Float64Array(13);
  const time: number[] = [];
  const travel: number[] = [];
  for (let n = 0; n < 20_000; n++) {
    slider.readBody(1, state, 0);
    if (n % EVERY === 0) {
      time.push(n * STEP_s);
      travel.push(state[0] + 0.02 + noise * random.gaussian());
    }
    assert.equal(slider.step(STEP_s), 0);
  }
  return { time: Float64Array.from(time), travel: Float64Array.from(travel) };
}

test('a swing gives σ₀ = ω²/g and σ₁ = 2ζω/g with the natural frequency', (t) => {
  const data = tap(1, 2e-8);
  const { identification, frequency, damping } = identifyRingDown(data, {
    loadPerMass: G,
    confidence: 0.95,
  });
  const [stiffness, drag] = identification.estimates;
  t.diagnostic(
    `${frequency} rad/s, ${damping}; ${stiffness.value} [${stiffness.low}, ${stiffness.high}], ${drag.value} [${drag.low}, ${drag.high}]`,
  );
  const omega = Math.sqrt(G * TRUTH.bristleStiffness);
  assert.ok(Math.abs(frequency / omega - 1) < 2e-3);
  for (const [{ value, low, high }, truth, off] of [
    [stiffness, TRUTH.bristleStiffness, 0.001],
    [drag, TRUTH.bristleDamping, 0.008],
  ] as const)
    assert.ok(Math.abs(value / truth - 1) < off + (high - low) / truth, `${value}`);
});

test('load over mass is what turns the frequency into a stiffness', () => {
  const data = tap(2, 2e-8, 3);
  const { identification } = identifyRingDown(data, { loadPerMass: 3, confidence: 0.95 });
  assert.ok(Math.abs(identification.values[0] / TRUTH.bristleStiffness - 1) < 0.01);
});

test('noise is no swing, and times have to rise', () => {
  const data = tap(3, 2e-8);
  const random = new Random(5);
  const travel = data.travel.map(() => 1e-6 * random.gaussian());
  const choice = { loadPerMass: G, confidence: 0.95 };
  assert.throws(
    () => identifyRingDown({ ...data, travel }, choice),
    /^BerthError: travel: there is no swing in the data/,
  );
  const time = data.time.slice();
  time[7] = time[6];
  assert.throws(
    () => identifyRingDown({ ...data, time }, choice),
    /^BerthError: time: 0.006 s follows 0.006 s; allowed: rising times/,
  );
});
