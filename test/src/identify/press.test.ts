/** The press against closed forms with seeded noise: springs in series, and the exponent of Hertz. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyPress, type PressResult } from '../../../src/identify/press.ts';
import { Random } from '../../../src/math/random.ts';

const SAMPLES = 4000;
const HEIGHT = -12e-6;

/** A press to `depth` and back with 2 µm and 1 N of noise. */
function press(
  depth: number,
  law: (depth: number) => number,
  exponent: number | null,
  seed: number,
): PressResult {
  const random = new Random(seed);
  const place = new Float64Array(SAMPLES);
  const force = new Float64Array(SAMPLES);
  for (let i = 0; i < SAMPLES; i++) {
    const gap = 5e-6 - (depth + 5e-6) * (1 - Math.abs((2 * i) / SAMPLES - 1));
    place[i] = HEIGHT + gap + 2e-6 * random.gaussian();
    force[i] = law(Math.max(0, -gap)) + random.gaussian();
  }
  return identifyPress({ place, force }, { exponent, confidence: 0.95 });
}

test('a contact of 1.87e6 N/m on a plate of 1e7 N/m is found as the series of both, 1.58e6 N/m', () => {
  const series = 1 / (1 / 1.87e6 + 1 / 1e7);
  const result = press(80e-6, (depth) => series * depth, 1, 3);
  assert.ok(Math.abs(result.stiffness / 1.58e6 - 1) < 0.01, String(result.stiffness));
  const [{ low, high }] = result.identification.estimates;
  assert.ok(low < series && series < high, `${low} ${high}`);
  assert.ok(result.tangent < result.resolved);
});

test('a free exponent comes out as that of Hertz, within its interval', () => {
  const result = press(135e-6, (depth) => 2.5413e8 * depth * Math.sqrt(depth), null, 5);
  const exponent = result.identification.estimates[2];
  assert.equal(exponent.status, 'identified');
  assert.ok(exponent.low < 1.5 && 1.5 < exponent.high && exponent.high - exponent.low < 0.05);
  assert.ok(Math.abs(result.height - HEIGHT) < 1e-6);
  assert.ok(Math.abs(result.tangent / 4.43e6 - 1) < 0.02, String(result.tangent));
});

test('a place that rises with the force is refused', () => {
  const place = Float64Array.from({ length: 400 }, (_, i) => 1e-7 * i);
  const force = place.map((z, i) => 1e6 * z + (i % 2 === 0 ? 0.01 : -0.01));
  assert.throws(
    () => identifyPress({ place, force }, { exponent: 1.5, confidence: 0.95 }),
    /place: the force does not grow as the place falls/,
  );
});
