/** Bristle stiffness from pushes of the bristle law of this project, with the noise of a bench. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContactReadout, CONTACT_READOUT } from '../../../src/contact/contact-readout.ts';
import { identifyPreSliding, type PreSlidingData } from '../../../src/identify/pre-sliding.ts';
import { Random } from '../../../src/math/random.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { strokes, STROKE_TRUTH } from '../../fixtures/stroke-bench.ts';
import { body, contact, INCLINE_BRISTLE, system } from '../../fixtures/models.ts';

const STEP_s = 1e-3;
const RADIUS = 0.1;
const DEPTH = 1e-3;
/** 0.15 over 1e4 1/m: 15 µm to breakaway. */
const TRUTH = { bristleStiffness: 1e4, limit: 0.15 };
const NOISE = { travel: 1e-7, force: 0.5 };

/** To and fro by `reach`, m, four times at 50 µm/s, far below the Stribeck speed. */
function push(reach: number, seed: number, noise = NOISE): PreSlidingData {
  const random = new Random(seed);
  const slider = makeSystem(
    system({
      bodies: [
        body('plate', 'fixed'),
        body('ball', 'prescribed', { position: [0, 0, RADIUS - DEPTH] }),
      ],
      contacts: [
        contact('ball', 'plate', {
          frictionLaw: {
            ...INCLINE_BRISTLE,
            bristleStiffness: TRUTH.bristleStiffness,
            bristleDamping: 4,
            coulomb: TRUTH.limit,
            stiction: TRUTH.limit,
            dwellTime: 0,
            stribeckVelocity: 0.1,
            velocityTolerance: 1e-3,
          },
        }),
      ],
    }),
  );
  const readout = new Float64Array(CONTACT_READOUT.length);
  const motion = new Float64Array(13);
  motion.set([0, 0, RADIUS - DEPTH, 0, 0, 0, 1]);
  const columns: [number[], number[], number[]] = [[], [], []];
  const speed = 5e-5;
  const quarter = Math.round(reach / speed / STEP_s);
  for (let n = 0; n < 16 * quarter; n++) {
    const forth = n % (4 * quarter) < quarter || n % (4 * quarter) >= 3 * quarter;
    motion[7] = forth ? speed : -speed;
    slider.setBodyMotion(1, motion, 0);
    assert.equal(slider.step(STEP_s), 0);
    motion[0] += motion[7] * STEP_s;
    slider.readContact(0, readout, 0);
    columns[0].push(motion[0] + 3e-4 + noise.travel * random.gaussian());
    columns[1].push(readout[ContactReadout.normalForce] + noise.force * random.gaussian());
    columns[2].push(-readout[ContactReadout.ft_x] + noise.force * random.gaussian());
  }
  const [travel, force, friction] = columns.map((column) => Float64Array.from(column));
  return { travel, force, friction };
}

test('pushes that slide at their ends give stiffness and breakaway', (t) => {
  const { identification, slid, way, leastWay } = identifyPreSliding(push(3e-5, 1), 0.95);
  const [stiffness, , limit] = identification.estimates;
  t.diagnostic(
    `${stiffness.value} [${stiffness.low}, ${stiffness.high}], ${limit.value} [${limit.low}, ${limit.high}]`,
  );
  assert.ok(slid && way > leastWay);
  // σ₁ z' of 4 s/m at 50 µm/s jumps by 4e-4 of 0.3 where a stroke turns, and means of 5 ms round its corner by as much
  assert.ok(Math.abs(stiffness.value / TRUTH.bristleStiffness - 1) < 0.01);
  assert.ok(Math.abs(limit.value - TRUTH.limit) < 0.0015);
});

test('pushes that stick give the stiffness, and say that they hold no breakaway', () => {
  const { identification, slid } = identifyPreSliding(push(1e-5, 2), 0.95);
  const [stiffness] = identification.estimates;
  assert.ok(!slid && identification.estimates.length === 2);
  assert.equal(stiffness.status, 'identified');
  assert.ok(Math.abs(stiffness.value / TRUTH.bristleStiffness - 1) < 0.015);
});

test('a way within the noise of the travel is told', () => {
  const { way, leastWay } = identifyPreSliding(push(3e-5, 3, { travel: 3e-6, force: 0.5 }), 0.95);
  assert.ok(way < leastWay);
});

test('no load and no push are refused by name', () => {
  const data = push(1e-5, 4);
  assert.throws(
    () => identifyPreSliding({ ...data, force: data.force.map(() => 0) }, 0.95),
    /^BerthError: force: is 0.00 N in mean 1; allowed: a load above 10 times its noise/,
  );
  const still = data.friction.map((_, i) => 1e-3 * Math.sin(i));
  assert.throws(
    () => identifyPreSliding({ ...data, friction: still }, 0.95),
    /^BerthError: friction: there is no push in the data/,
  );
});

test('strokes with speeds give stiffness and damping; a time between force and travel goes to the damping', () => {
  const data = strokes(5);
  const { identification, rate } = identifyPreSliding(data, 0.95);
  const [stiffness, , damping] = identification.estimates;
  assert.ok(Math.abs(stiffness.value / STROKE_TRUTH.stiffness - 1) < 0.02);
  // ± 8 % by the interval of 8 s of strokes
  assert.ok(damping.low < STROKE_TRUTH.damping && STROKE_TRUTH.damping < damping.high);
  assert.ok(damping.high - damping.low < 0.2 * STROKE_TRUTH.damping);
  assert.ok(rate !== null && Math.abs(rate.rms / 5e-4 - 1) < 0.02 && rate.noise < 2e-5);
  // the travel of 2 ms later: σ₀ δ = 1 s/m less
  const late = { ...data, travel: data.travel.map((x, i) => x + 2e-3 * data.speed[i]) };
  const found = identifyPreSliding(late, 0.95).identification.estimates[2];
  assert.ok(Math.abs(damping.value - found.value - 1) < 0.05, `${damping.value} ${found.value}`);
});

test('strokes at 5 µm/s hold no damping: its interval has none in it', () => {
  const [, , damping] = identifyPreSliding(strokes(6, 5e-6, 1), 0.95).identification.estimates;
  assert.ok(damping.status !== 'identified' || damping.low < 0);
});
