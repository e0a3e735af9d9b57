/** Restitution from impacts of the simulation of this project, at the noise of a bench: 2 µm and 1 N. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContactReadout, CONTACT_READOUT } from '../../../src/contact/contact-readout.ts';
import { type DropData, identifyDrop } from '../../../src/identify/drop.ts';
import { Random } from '../../../src/math/random.ts';
import type { HystereticModel } from '../../../src/model/model.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { body, contact, system } from '../../fixtures/models.ts';

const PERIOD_s = 1e-3;
const HEIGHT = 4e-6;
const pair = {
  kind: 'sphere-plane',
  radius: 0.05,
  center: [0, 0, 0.05],
  normal: [0, 0, 1],
  offset: 0,
} as const;
/** p q v w */
const motion = new Float64Array(13);
const half: HystereticModel = {
  kind: 'hysteretic',
  stiffness: 2.5413e8,
  exponent: 1.5,
  restitution: 0.85,
  smallVelocity: 1e-3,
  relaxationTime: 0,
};

interface Motion {
  readonly mass: number;
  readonly gravity: number;
  readonly gap: number;
  readonly speed: number;
  readonly samples: number;
}

/** A half-sphere that moves freely towards the plate, sampled at 1 kHz with noise; several one after another are one recording. */
function measure(motions: readonly Motion[], law: HystereticModel, seed: number): DropData {
  const random = new Random(seed);
  const [time, place, force]: number[][] = [[], [], []];
  const readout = new Float64Array(CONTACT_READOUT.length);
  for (const { mass, gravity, gap, speed, samples } of motions) {
    const ball = makeSystem(
      system({
        gravity: [0, 0, -gravity],
        bodies: [
          body('plate', 'fixed'),
          body('ball', 'dynamic', { mass, position: [0, 0, gap], velocity: [0, 0, -speed] }),
        ],
        contacts: [contact('ball', 'plate', { pair, normalLaw: law })],
        integrator: 'dormand-prince',
        step: PERIOD_s,
      }),
    );
    for (let i = 0; i < samples; i++) {
      ball.readContact(0, readout, 0);
      time.push(time.length * PERIOD_s);
      ball.readBody(1, motion, 0);
      place.push(motion[2] + HEIGHT + 2e-6 * random.gaussian());
      force.push(readout[ContactReadout.normalForce] + random.gaussian());
      assert.equal(ball.step(PERIOD_s), 0);
    }
  }
  return {
    time: Float64Array.from(time),
    place: Float64Array.from(place),
    force: Float64Array.from(force),
  };
}

/** A body of 100 kg in free space that taps: an arm as its drives leave it for the moment of a tap. */
const tap = (speed: number): Motion => ({
  mass: 100,
  gravity: 0,
  gap: 0.2 * speed,
  speed,
  samples: 450,
});

test('one tap at 2 mm/s gives the restitution within 0.02, four taps within 0.003', () => {
  const choice = { slope: false, exponent: 1.5, confidence: 0.95 };
  const one = identifyDrop(measure([tap(2e-3)], half, 1), choice);
  assert.ok(Math.abs(one.identification.values[0] - 0.85) < 0.02);
  const four = identifyDrop(measure([2e-3, 5e-3, 1e-2, 2e-2].map(tap), half, 1), choice);
  assert.equal(four.impacts.length, 4);
  assert.equal(four.unused, 0);
  const [{ value, low, high }] = four.identification.estimates;
  assert.ok(Math.abs(value - 0.85) < 0.003, String(value));
  assert.ok(low < 0.85 && 0.85 < high && high - low < 0.006, `${low} ${high}`);
});

test('a ball that bounces gives the slope over speed, without what gravity takes from each impact', (t) => {
  const slope = 0.3;
  const data = measure(
    [{ mass: 5, gravity: 9.81, gap: 0.02, speed: 0, samples: 900 }],
    { ...half, restitution: { slope } },
    2,
  );
  const { identification, impacts } = identifyDrop(data, {
    slope: true,
    exponent: 1.5,
    confidence: 0.95,
  });
  const [e, alpha] = identification.estimates;
  t.diagnostic(
    `e ${e.value} [${e.low}, ${e.high}], slope ${alpha.value} [${alpha.low}, ${alpha.high}]`,
  );
  assert.ok(e.low < 1 && 1 < e.high && Math.abs(e.value - 1) < 0.005);
  assert.ok(alpha.low < slope && slope < alpha.high && Math.abs(alpha.value - slope) < 0.02);
  // the ratio of the speeds alone is lower by 0.12 g T/v, more than its error
  const { speed, rebound, restitution, error } = impacts[4];
  assert.ok(restitution - rebound / speed > 4 * error);
  assert.ok(Math.abs(restitution - (1 - slope * speed)) < 3 * error);
});

test('data without an impact, or without different speeds, are refused', () => {
  const choice = { slope: false, exponent: 1.5, confidence: 0.95 };
  const quiet = measure([{ ...tap(2e-3), samples: 150 }], half, 3);
  assert.throws(() => identifyDrop(quiet, choice), /force: 1 parts of 12 samples or more have no/);
  const same = measure([tap(5e-3), tap(5e-3), tap(5e-3)], half, 4);
  assert.throws(
    () => identifyDrop(same, { ...choice, slope: true }),
    /place: 3 impacts from \S+ to \S+ m\/s hold no slope over speed/,
  );
  // pressed and held: no free motion after the touch
  const held = { ...quiet, force: quiet.force.map((f, i) => (i < 60 ? f : 30 + f)) };
  assert.throws(() => identifyDrop(held, choice), /no impact between two of them/);
});
