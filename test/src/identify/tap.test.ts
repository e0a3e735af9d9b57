/** Restitution from taps of an arm under accommodation, which this project simulates, at the noise of a bench: 2 µm, 20 µm/s and 1 N. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContactReadout, CONTACT_READOUT } from '../../../src/contact/contact-readout.ts';
import type { Estimate } from '../../../src/identify/estimate.ts';
import { LawReplay } from '../../../src/identify/law-replay.ts';
import { MotionSpline } from '../../../src/identify/motion-spline.ts';
import { probeModel } from '../../../src/identify/probe.ts';
import { identifyTap, type TapResult } from '../../../src/identify/tap.ts';
import type { TapData } from '../../../src/identify/tap-contacts.ts';
import { Random } from '../../../src/math/random.ts';
import { makeSystem } from '../../../src/system/system.ts';
import {
  HEIGHT_m,
  ledTaps,
  measuredTaps,
  TRUTH,
} from '../../../server/validation/identification-bench.ts';

const CHOICE = { slope: false, exponent: 1.5, confidence: 0.95 } as const;
const SPEEDS = [0.003, 0.005, 0.008];

function estimate({ identification }: TapResult, name: string): Estimate {
  const found = identification.estimates.find(({ parameter }) => parameter.name === name);
  assert.ok(found !== undefined, name);
  assert.equal(found.status, 'identified', name);
  return found;
}

/** Asserts that the interval holds the truth, and is no longer than allowed. */
function holds(result: TapResult, name: string, truth: number, longest: number): void {
  const { value, low, high } = estimate(result, name);
  const words = `${name} ${value} [${low}, ${high}], truth ${truth}`;
  assert.ok(low <= truth && truth <= high, words);
  assert.ok(high - low < longest, words);
}

test('three taps of an arm that comes back by its drive: restitution, stiffness and height', () => {
  const data = measuredTaps(ledTaps({ speeds: SPEEDS }), 1);
  const result = identifyTap(data, CHOICE);
  assert.equal(result.taps.length, 3);
  holds(result, 'restitution', TRUTH.restitution, 0.02);
  holds(result, 'stiffness', TRUTH.stiffness, 0.03 * TRUTH.stiffness);
  holds(result, 'height', HEIGHT_m, 1e-6);
  for (const [k, { speed }] of result.taps.entries())
    assert.ok(Math.abs(speed / SPEEDS[k] - 1) < 0.02, `${speed}`);
  // the speeds before and after would say another thing: the drive draws the arm away at 10 mm/s
  const end = data.rate.subarray(280, 300).reduce((sum, v) => sum + v, 0) / 20;
  assert.ok(end / SPEEDS[0] > 2);
});

test('a sensor that lags by a delay or a filter does not become restitution', () => {
  const speeds = SPEEDS;
  const late = identifyTap(measuredTaps(ledTaps({ speeds, delay_s: 2e-3 }), 2), CHOICE);
  holds(late, 'restitution', TRUTH.restitution, 0.02);
  holds(late, 'lag', 2e-3, 2e-4);
  // p T/d is 60 s/m for 2 ms at 50 µm, beside an A of 25 s/m at 8 mm/s
  const filtered = identifyTap(measuredTaps(ledTaps({ speeds, filter_s: 1e-3 }), 2), CHOICE);
  holds(filtered, 'restitution', TRUTH.restitution, 0.025);
  assert.ok(Math.abs(estimate(filtered, 'lag').value - 1e-3) < 2e-4);
});

test('the slope over speed from four taps, and with one speed a refusal', () => {
  const slope = 20;
  const speeds = [0.003, 0.005, 0.008, 0.004];
  const data = measuredTaps(ledTaps({ speeds, restitution: { slope } }), 3);
  const result = identifyTap(data, { ...CHOICE, slope: true });
  holds(result, 'restitution', 1, 0.04);
  holds(result, 'slope', slope, 6);
  const same = measuredTaps(ledTaps({ speeds: [0.005, 0.005, 0.005] }), 4);
  assert.throws(
    () => identifyTap(same, { ...CHOICE, slope: true }),
    /rate: 3 taps from \S+ to \S+ m\/s hold no slope over speed; allowed: 3 or more/,
  );
});

test('a free exponent comes out as that of Hertz, and the restitution with it', () => {
  const data = measuredTaps(ledTaps({ speeds: SPEEDS }), 5);
  const result = identifyTap(data, { ...CHOICE, exponent: null });
  holds(result, 'exponent', 1.5, 0.1);
  holds(result, 'restitution', TRUTH.restitution, 0.03);
});

test('contacts with a gap are left out and counted: a period that is missing, and a state that was skipped', () => {
  const whole = measuredTaps(ledTaps({ speeds: SPEEDS }), 6);
  const without = (values: Float64Array, row: number): Float64Array =>
    values.filter((_, i) => i !== row);
  const drop = ({ time, place, rate, force }: TapData, row: number, shown: boolean): TapData => ({
    time: shown ? without(time, row) : time.subarray(0, time.length - 1),
    ...{ place: without(place, row), rate: without(rate, row), force: without(force, row) },
  });
  // on the way in; the time says it, or at 8 mm/s the place alone
  for (const [row, shown] of [
    [70, true],
    [670, false],
  ] as const) {
    const result = identifyTap(drop(whole, row, shown), CHOICE);
    assert.deepEqual([result.taps.length, result.gaps], [2, 1]);
    holds(result, 'restitution', TRUTH.restitution, 0.03);
  }
});

test('data without a tap are refused with what is wrong', () => {
  const data = measuredTaps(ledTaps({ speeds: [0.005] }), 7);
  const quiet = { ...data, force: data.force.map((_, i) => Math.sin(i) / 10) };
  assert.throws(
    () => identifyTap(quiet, CHOICE),
    /force: there is no touch, and none that counts; allowed: taps that/,
  );
  const wrong = { ...data, rate: data.rate.map((v) => -v) };
  assert.throws(
    () => identifyTap(wrong, CHOICE),
    /touches 1 with a gap, or a place that does not follow its rate/,
  );
  const pressed = measuredTaps(ledTaps({ speeds: [0.005] }), 7);
  const from = 90; // within the contact
  const cut = (values: Float64Array): Float64Array => values.subarray(from);
  const late = {
    ...{ time: cut(pressed.time), place: cut(pressed.place) },
    ...{ rate: cut(pressed.rate), force: cut(pressed.force) },
  };
  assert.throws(() => identifyTap(late, CHOICE), /touches 1 with a gap/);
});

test('the force of a replay is that of the contact of a system at the same motion', () => {
  const [stiffness, exponent, restitution, speed] = [2e8, 1.5, 0.7, 6e-3];
  const law = {
    kind: 'hysteretic',
    ...{ stiffness, exponent, restitution },
    ...{ smallVelocity: 1e-3, relaxationTime: 0 },
  } as const;
  const system = makeSystem(probeModel(law, { kind: 'none' }));
  const motion = new Float64Array(13);
  const row = new Float64Array(CONTACT_READOUT.length);
  motion[6] = 1;
  const forceOf = (gap: number, rate: number): number => {
    motion[2] = 0.05 + gap;
    motion[9] = rate;
    system.setBodyMotion(1, motion, 0);
    assert.equal(system.step(1e-9), 0);
    system.readContact(0, row, 0);
    return row[ContactReadout.normalForce];
  };
  forceOf(1e-6, -speed);
  forceOf(-1e-12, -speed); // the onset
  const replay = new LawReplay(stiffness, exponent, restitution, speed);
  for (const [gap, rate] of [
    [-5e-6, -6e-3],
    [-60e-6, -1e-3],
    [-61e-6, 0],
    [-40e-6, 4e-3],
    [-1e-6, 30e-3],
  ]) {
    const force = forceOf(gap, rate);
    assert.ok(Math.abs(replay.forceAt(gap, rate) - force) <= 1e-9 * (1 + force), `${gap} ${rate}`);
  }
  assert.equal(replay.forceAt(1e-6, -1e-3), 0);
});

test('a spline of place and speed: a polynomial of its degree comes back, and errors have the covariance that it says', () => {
  const period = 1e-3;
  const at = (t: number): number => 1e-3 * (t - 2 * t * t + 30 * t * t * t - 200 * t * t * t * t);
  const rateAt = (t: number): number => 1e-3 * (1 - 4 * t + 90 * t * t - 800 * t * t * t);
  const times = Float64Array.from({ length: 61 }, (_, i) => i * period);
  const exact = { place: times.map(at), rate: times.map(rateAt) };
  const noise = { place: 2e-6, rate: 2e-5 };
  const spline = new MotionSpline(exact, 0, 61, period, 3, noise);
  for (const x of [0, 0.4, 17, 33.3, 60]) {
    spline.at(x);
    assert.ok(Math.abs(spline.place - at(x * period)) < 1e-13, `${x}`);
    assert.ok(Math.abs(spline.rate - rateAt(x * period)) < 1e-11, `${x}`);
  }
  const { size, matrix } = spline.covariance();
  spline.at(30.5);
  const { first, ofPlace } = spline;
  let variance = 0;
  for (const [r, a] of ofPlace.entries())
    for (const [c, b] of ofPlace.entries())
      variance += a * b * matrix[(first + r) * size + first + c];
  const random = new Random(8);
  const seeds = 400;
  let squares = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const place = exact.place.map((z) => z + noise.place * random.gaussian());
    const rate = exact.rate.map((v) => v + noise.rate * random.gaussian());
    const one = new MotionSpline({ place, rate }, 0, 61, period, 3, noise);
    one.at(30.5);
    squares += (one.place - at(30.5 * period)) ** 2;
  }
  // the speed holds the shape, so that the places of all samples say where it lies
  assert.ok(Math.sqrt(variance) < 1.2 * (noise.place / Math.sqrt(61)));
  // relative standard deviation of a variance of 400 values: 7 %
  assert.ok(Math.abs(squares / seeds / variance - 1) < 0.21, `${squares / seeds / variance}`);
});

test('a bias of the force, and columns of few digits, do not become restitution', () => {
  const data = measuredTaps(ledTaps({ speeds: [0.003, 0.005, 0.008] }), 1);
  const choice = { slope: false, exponent: 1.5, confidence: 0.95 };
  const found = (changed: typeof data): number =>
    identifyTap(changed, choice).identification.values[2];
  const plain = found(data);
  for (const bias of [-20, -5, 7]) {
    const shifted = found({ ...data, force: data.force.map((one) => one + bias) });
    assert.ok(Math.abs(shifted - plain) < 1e-6, `${bias} N: ${shifted} ${plain}`);
  }
  const rounded = (column: Float64Array, digit: number): Float64Array =>
    column.map((one) => digit * Math.round(one / digit));
  for (const changed of [
    { ...data, place: rounded(data.place, 1e-6) },
    { ...data, force: rounded(data.force, 1) },
  ])
    assert.ok(Math.abs(found(changed) - TRUTH.restitution) < 0.02, `${found(changed)}`);
});
