/** Statistics of what the emulated robot measures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { DEFAULT_NOISE, scaleNoise } from '../../../hil/emulator/options.ts';
import { Sensors, TARE_SAMPLES } from '../../../hil/emulator/sensors.ts';

const N = 20_000;
const position = Float64Array.of(0.1, -0.2, 0.3);
const level = Float64Array.of(0, 0, 0, 1);
const twist = Float64Array.of(0.001, 0, 0, 0, 0, 0);
const wrench = Float64Array.of(0, 0, 30, 0.5, 0, 0);

test('noise has the standard deviations of the facility: 2 µm and 1 N', () => {
  const sensors = new Sensors(DEFAULT_NOISE, new Random(7));
  const sums = new Float64Array(19);
  const squares = new Float64Array(19);
  for (let n = 0; n < N; n++) {
    sensors.measure(position, level, twist, wrench);
    const errors = [
      ...sensors.position.map((v, i) => v - position[i]),
      ...sensors.twist.map((v, i) => v - twist[i]),
      ...sensors.wrench.map((v, i) => v - wrench[i]),
      ...sensors.orientation.map((v) => 2 * v).slice(0, 3),
    ];
    errors.forEach((e, i) => {
      sums[i] += e;
      squares[i] += e * e;
    });
  }
  const quantised = (deviation: number, step: number): number =>
    Math.sqrt(deviation ** 2 + step ** 2 / 12); // Sheppard: rounding adds step²/12
  const expected = [
    ...Array<number>(3).fill(quantised(2e-6, 5e-7)),
    ...Array<number>(6).fill(2e-5),
    ...Array<number>(3).fill(1),
    ...Array<number>(3).fill(0.1),
    ...Array<number>(3).fill(quantised(2e-6, 7.5e-7)),
  ];
  expected.forEach((deviation, i) => {
    const mean = sums[i] / N;
    const found = Math.sqrt(squares[i] / N - mean * mean);
    // 4.5 standard errors: of the mean s/√N, of the deviation s/√(2N); fails once in 1e4 seeds, and the seed is fixed
    assert.ok(Math.abs(mean) < (4.5 * deviation) / Math.sqrt(N), `mean of column ${i}: ${mean}`);
    assert.ok(
      Math.abs(found - deviation) < (4.5 * deviation) / Math.sqrt(2 * N),
      `deviation of column ${i}: ${found}, expected ${deviation}`,
    );
  });
});

test('positions come in encoder steps, and a factor of 0 measures exactly', () => {
  const sensors = new Sensors(DEFAULT_NOISE, new Random(1));
  sensors.measure(position, level, twist, wrench);
  for (const value of sensors.position) {
    const steps = value / DEFAULT_NOISE.position_step_m;
    assert.ok(Math.abs(steps - Math.round(steps)) < 1e-6);
  }
  const exact = new Sensors(scaleNoise(DEFAULT_NOISE, 0), new Random(1));
  exact.measure(position, level, twist, wrench);
  assert.deepEqual([...exact.position], [...position]);
  assert.deepEqual([...exact.orientation], [...level]);
  assert.deepEqual([...exact.wrench], [...wrench]);
});

test('a tare takes the mean wrench of its samples for zero, and adds to the tare of before', () => {
  const exact = new Sensors(scaleNoise(DEFAULT_NOISE, 0), new Random(1));
  const tare = (): void => {
    exact.tare();
    for (let n = 0; n < TARE_SAMPLES; n++) {
      assert.equal(exact.taring, true);
      exact.measure(position, level, twist, wrench);
    }
    assert.equal(exact.taring, false);
    exact.measure(position, level, twist, wrench);
    for (const value of exact.wrench) assert.ok(Math.abs(value) < 1e-12);
  };
  tare();
  tare();
  exact.measure(position, level, twist, new Float64Array(6));
  exact.wrench.forEach((value, i) => assert.ok(Math.abs(value + wrench[i]) < 1e-12));

  const noisy = new Sensors(DEFAULT_NOISE, new Random(3));
  noisy.tare();
  for (let n = 0; n < TARE_SAMPLES; n++) noisy.measure(position, level, twist, wrench);
  let sum = 0;
  for (let n = 0; n < N; n++) {
    noisy.measure(position, level, twist, wrench);
    sum += noisy.wrench[2];
  }
  // the error of a mean of 100 samples of 1 N is 0.1 N; five of them
  assert.ok(Math.abs(sum / N) < 0.5, `${sum / N} N left of 30 N`);
});
