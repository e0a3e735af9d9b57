/** Breakaways of the bristle law of this project, slid, rested and drawn with a slow ramp. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContactReadout, CONTACT_READOUT } from '../../../src/contact/contact-readout.ts';
import { type BreakawayData, identifyBreakaway } from '../../../src/identify/breakaway.ts';
import { Random } from '../../../src/math/random.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { body, contact, INCLINE_BRISTLE, system } from '../../fixtures/models.ts';

const STEP_s = 1e-3;
const RESTS_s = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2];
/** Below the Stribeck speed by so much that the contact does not lose its dwell: exp(−(0.05)²) = 0.9975. */
const DRAWN_mps = 5e-5;
const DRAW_s = 0.06;
/** Of each rest. */
const REPEATS = 3;
const RADIUS = 0.1;
const TRUTH = { coulomb: 0.1, stiction: 0.16, dwellTime: 0.4 };

/** Largest friction number after a rest, with the noise of 1 N at 400 N. */
function breakaways(seed: number): BreakawayData {
  const random = new Random(seed);
  const model = system({
    bodies: [
      body('plate', 'fixed'),
      body('ball', 'prescribed', { position: [0, 0, RADIUS - 1e-3] }),
    ],
    contacts: [
      contact('ball', 'plate', {
        frictionLaw: {
          ...INCLINE_BRISTLE,
          ...TRUTH,
          stribeckVelocity: 1e-3,
          velocityTolerance: 1e-5,
        },
      }),
    ],
  });
  const readout = new Float64Array(CONTACT_READOUT.length);
  const motion = new Float64Array(13);
  motion.set([0, 0, RADIUS - 1e-3, 0, 0, 0, 1]);
  const dwell: number[] = [];
  const peaks = RESTS_s.map((rest) => {
    const slider = makeSystem(model);
    let [peak, when] = [0, 0];
    const lead = (speed: number, time: number): void => {
      motion[7] = speed;
      slider.setBodyMotion(1, motion, 0);
      peak = 0;
      for (let n = 1; n <= Math.round(time / STEP_s); n++) {
        assert.equal(slider.step(STEP_s), 0);
        slider.readContact(0, readout, 0);
        motion[0] += speed * STEP_s;
        const ratio = -readout[ContactReadout.ft_x] / readout[ContactReadout.normalForce];
        if (ratio > peak) [peak, when] = [ratio, n * STEP_s];
      }
    };
    lead(0.02, 0.1);
    lead(0, rest);
    lead(DRAWN_mps, DRAW_s);
    dwell.push(rest + when);
    return peak;
  });
  const each = Array.from({ length: REPEATS * peaks.length }, (_, i) => i % peaks.length);
  return {
    dwell: Float64Array.from(each, (i) => dwell[i]),
    force: Float64Array.from(each, () => 400 + random.gaussian()),
    friction: Float64Array.from(each, (i) => 400 * peaks[i] + random.gaussian()),
  };
}

test('eight rests, three times each, give stiction and Coulomb friction within 0.005, the dwell time within its interval', (t) => {
  const { identification } = identifyBreakaway(breakaways(1), 0.95);
  const [coulomb, rise, time] = identification.estimates;
  t.diagnostic(
    identification.estimates.map(({ value, low, high }) => `${value} [${low}, ${high}]`).join('; '),
  );
  assert.ok(Math.abs(coulomb.value - TRUTH.coulomb) < 0.005);
  assert.ok(Math.abs(coulomb.value + rise.value - TRUTH.stiction) < 0.005);
  assert.ok(time.low < TRUTH.dwellTime && TRUTH.dwellTime < time.high && time.high < 2 * time.low);
});

test('rests that are all long say nothing of the dwell time, and too few of nothing', () => {
  const data = breakaways(2);
  const long = {
    ...data,
    dwell: data.dwell.map((rest, i) => 100 + i + rest),
    friction: data.force.map((f, i) => 0.16 * f + (i % 2)),
  };
  const { estimates } = identifyBreakaway(long, 0.95).identification;
  assert.notEqual(estimates[2].status, 'identified');
  const few = (values: Float64Array): Float64Array => values.slice(0, 3);
  const [dwell, force, friction] = [data.dwell, data.force, data.friction].map(few);
  assert.throws(
    () => identifyBreakaway({ dwell, force, friction }, 0.95),
    /dwell: 3 different rests/,
  );
  assert.throws(
    () => identifyBreakaway({ ...data, force: data.force.map((f) => -f) }, 0.95),
    /force: is -\S+ in row 1; allowed: above 0/,
  );
});
