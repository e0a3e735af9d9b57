/** Payload and sensor found from motions of a free body of this project, with the noise of the bench. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  identifyPayload,
  type PayloadChoice,
  type PayloadData,
} from '../../../src/identify/payload.ts';
import {
  CENTER,
  GAIN,
  GRAVITY,
  MASS,
  measured,
  shaken,
  TARE,
  TRUTH,
} from '../../../server/validation/payload-bench.ts';

const CHOICE: PayloadChoice = {
  gravity: GRAVITY,
  mass: null,
  center: null,
  tared: false,
  confidence: 0.95,
};
const ONES = [1, 1, 1, 1, 1, 1];

/** Estimates by their names; those that are known, that miss the truth, and that are not known. */
function judge(t: TestContext, data: PayloadData, choice: PayloadChoice) {
  const { identification, turned } = identifyPayload(data, choice);
  const missed: string[] = [];
  const unknown = new Map<string, readonly string[]>();
  for (const { parameter, status, value, low, high, combination } of identification.estimates) {
    const { name } = parameter;
    const truth = TRUTH.get(name)!;
    t.diagnostic(`${name} ${value} [${low}, ${high}] of ${truth}, ${status}`);
    if (status !== 'identified')
      unknown.set(
        name,
        combination.map((one) => one.name),
      );
    else if (truth < low || truth > high) missed.push(name);
  }
  return { identification, turned, missed, unknown };
}

test('mass, centre, inertia and bias of a body that is turned and shaken', (t) => {
  const data = measured(shaken(10_000, 1, 1), 1, ONES);
  const { identification, missed, unknown } = judge(t, data, CHOICE);
  // 95 % of 16
  assert.ok(missed.length <= 2, missed.join(' '));
  assert.equal(unknown.size, 0);
  const { low, high } = identification.estimates[0];
  assert.ok(high / low < 1.001);
});

test('without noise: what differences and means leave out is small', (t) => {
  const data = measured(shaken(10_000, 1, 1), 1, ONES, 0);
  const { identification } = judge(t, data, CHOICE);
  for (const { parameter, value } of identification.estimates) {
    const truth = TRUTH.get(parameter.name)!;
    assert.ok(Math.abs(value - truth) < 1e-3 * Math.max(0.1, Math.abs(truth)), parameter.name);
  }
});

test('a known mass gives gains of the force, a known centre those of the moment', (t) => {
  const data = measured(shaken(10_000, 1, 1), 2, GAIN);
  const { missed, unknown } = judge(t, data, { ...CHOICE, mass: MASS, center: CENTER });
  assert.ok(missed.length <= 2, missed.join(' '));
  assert.equal(unknown.size, 0);
  const force = measured(shaken(10_000, 1, 1), 3, [...GAIN.slice(0, 3), 1, 1, 1]);
  const alone = judge(t, force, { ...CHOICE, mass: MASS });
  assert.ok(alone.missed.length <= 2, alone.missed.join(' '));
  assert.equal(alone.unknown.size, 0);
});

test('a common gain is a factor on mass and inertia, and leaves the centre', (t) => {
  const data = measured(shaken(10_000, 1, 1), 4, Array(6).fill(1.02) as number[]);
  const [mass, x, y, z] = judge(t, data, CHOICE).identification.values;
  assert.ok(Math.abs(mass / (1.02 * MASS) - 1) < 5e-4);
  for (const [k, one] of [x, y, z].entries()) assert.ok(Math.abs(one - CENTER[k]) < 1e-4);
});

test('a payload that keeps its orientation at rest: mass and centre only with bias, no inertia', (t) => {
  const { unknown, turned } = judge(t, measured(shaken(4000, 0, 0), 5, ONES), CHOICE);
  assert.ok(turned < 1e-6);
  assert.ok(unknown.get('mass')!.includes('bias_force_z'));
  for (const name of ['center_x', 'center_y', 'bias_moment_x', 'bias_moment_y'])
    assert.ok(unknown.get(name)!.length > 1, name);
  for (const name of ['center_z', 'inertia_xx', 'inertia_yz', 'bias_force_z'])
    assert.ok(unknown.has(name), name);
  for (const name of ['bias_force_x', 'bias_force_y', 'bias_moment_z'])
    assert.ok(!unknown.has(name), name);
});

test('shaken without a turn: the mass is known, the inertia has no effect', (t) => {
  const { unknown, missed } = judge(t, measured(shaken(8000, 1, 0), 6, ONES), CHOICE);
  assert.ok(!unknown.has('mass'));
  assert.ok(missed.length <= 2, missed.join(' '));
  for (const name of ['inertia_xx', 'inertia_yy', 'inertia_zz']) assert.ok(unknown.has(name), name);
});

test('tared in the base frame: the mass from acceleration alone, centre and inertia, and what the tare took', (t) => {
  const data = measured(shaken(10_000, 1, 1), 8, ONES, 1, TARE);
  const { identification, missed, unknown } = judge(t, data, { ...CHOICE, tared: true });
  // 95 % of 22
  assert.ok(missed.length <= 3, missed.join(' '));
  assert.equal(unknown.size, 0);
  // m a of 35 N on some seconds of 1 N: ± 1 N / (rms of 2.4 m/s² √10000)
  const { low, high } = identification.estimates[0];
  assert.ok(high / low < 1.005, `${low} ${high}`);
});

test('tared without noise: what differences and means leave out is small', (t) => {
  const data = measured(shaken(10_000, 1, 1), 8, ONES, 0, TARE);
  const { identification } = judge(t, data, { ...CHOICE, tared: true });
  for (const { parameter, value } of identification.estimates) {
    const truth = TRUTH.get(parameter.name)!;
    assert.ok(Math.abs(value - truth) < 1e-3 * Math.max(0.1, Math.abs(truth)), parameter.name);
  }
});

test('tared and not turned: biases only with the tare, the mass all the same', (t) => {
  const data = measured(shaken(8000, 1, 0), 9, ONES, 1, TARE);
  const { unknown, missed } = judge(t, data, { ...CHOICE, tared: true });
  assert.ok(!unknown.has('mass'));
  assert.ok(missed.length <= 2, missed.join(' '));
  for (const kind of ['force', 'moment'])
    for (const axis of ['x', 'y', 'z'])
      assert.ok(unknown.get(`bias_${kind}_${axis}`)!.includes(`tare_${kind}_${axis}`), axis);
});

test('tared and at rest: mass, bias and what the tare took of the weight only together', (t) => {
  const data = measured(shaken(4000, 0, 0), 10, ONES, 1, TARE);
  const { unknown } = judge(t, data, { ...CHOICE, tared: true });
  assert.deepEqual(
    ['mass', 'bias_force_z', 'tare_force_z'].filter((name) => !unknown.has(name)),
    [],
  );
  assert.ok(unknown.get('tare_force_z')!.length > 1);
});

test('times that do not rise and too few rows are refused', () => {
  const data = measured(shaken(100, 1, 1), 7, ONES);
  const time = data.time.slice();
  time[50] = time[49];
  assert.throws(
    () => identifyPayload({ ...data, time }, CHOICE),
    /time: .* s follows .* s; allowed: rising times/,
  );
  const few = measured(shaken(50, 1, 1), 7, ONES);
  assert.throws(() => identifyPayload(few, CHOICE), /time: 50 rows; allowed: 80 or more/);
});
