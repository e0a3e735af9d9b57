/** Errors of the emulated force sensor and of the plate, against closed forms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { drawTruth, inTruth } from '../../../hil/emulator/bench-truth.ts';
import { ForceSensor, type SensorErrors } from '../../../hil/emulator/force-sensor.ts';
import { Wall } from '../../../hil/emulator/wall.ts';

const PERIOD_s = 1e-3;
const UPRIGHT = new Float64Array([0, 0, 0, 1]);
const identity: number[] = Array.from({ length: 36 }, (_, at) => (at % 7 === 0 ? 1 : 0));
const right: SensorErrors = {
  gain: identity,
  bias: [0, 0, 0, 0, 0, 0],
  filter_s: 0,
  saturation_N: 600,
  saturation_Nm: 60,
};

test('gain, cross-talk and bias are those of the tool, whatever its orientation', () => {
  // z of the tool along x of the base: a quarter turn about y
  const turned = new Float64Array([0, Math.SQRT1_2, 0, Math.SQRT1_2]);
  const gain = identity.slice();
  gain[14] = 1.1; // force z
  gain[2] = 0.5; // force z shows in force x
  const sensor = new ForceSensor({ ...right, gain, bias: [0, 0, 2, 0, 0, 0.3] }, PERIOD_s);
  sensor.measure(turned, Float64Array.of(10, 0, 0, 0, 0, 0));
  // 10 N along z of the tool: 5 N along its x, which is −z of the base, and 11 + 2 N along x of the base
  for (const [i, wanted] of [13, 0, -5, 0.3, 0, 0].entries())
    assert.ok(Math.abs(sensor.wrench[i] - wanted) < 1e-12, sensor.wrench.join(' '));
});

test('the filter is of first order, and a component ends at its saturation', () => {
  const sensor = new ForceSensor({ ...right, filter_s: 2e-3 }, PERIOD_s);
  const step = Float64Array.of(0, 0, 1000, 0, 0, -100);
  for (let n = 1; n <= 12; n++) {
    sensor.measure(UPRIGHT, step);
    const wanted = 1000 * (1 - Math.exp(-n / 2));
    assert.ok(Math.abs(sensor.wrench[2] - Math.min(600, wanted)) < 1e-9);
    assert.equal(sensor.wrench[5], Math.max(-60, sensor.wrench[5]));
  }
  assert.deepEqual([sensor.wrench[2], sensor.wrench[5]], [600, -60]);
});

test('a plate in truth touches higher and pushes along its own normal', () => {
  const model = compileScenario(loadScenario('half-sphere-on-plate'));
  const truth = { ...drawTruth(3), height_m: 40e-6, tilt_x_rad: 0, tilt_y_rad: 0.01 };
  const wall = new Wall(inTruth(model, truth), 'half-sphere', PERIOD_s);
  const still = new Float64Array(6);
  wall.step(Float64Array.of(0, 0, 43e-6), UPRIGHT, still);
  assert.equal(wall.wrench[2], 0);
  wall.step(Float64Array.of(0, 0, 20e-6), UPRIGHT, still);
  const [x, , z] = wall.wrench;
  // 20 µm along the normal, and R (1 − cos α) = 2.5 µm more, as a sphere of 50 mm touches beside its lowest point
  const depth = 20e-6 * Math.cos(0.01) + 0.05 * (1 - Math.cos(0.01));
  assert.ok(Math.abs(z / (2.5413e8 * depth ** 1.5 * Math.cos(0.01)) - 1) < 1e-6, String(z));
  assert.ok(Math.abs(x / z - Math.tan(0.01)) < 1e-6, String(x / z));
});

test('a plate that yields is a spring in series: 1.87e6 N/m on 1e7 N/m are 1.58e6 N/m', () => {
  const linear = compileScenario(
    loadScenario('half-sphere-on-plate', [
      'contacts.0.normal_law={ kind: hysteretic-linear, stiffness_N_per_m: 1.87e6, restitution: 1 }',
    ]),
  );
  const wall = new Wall(linear, 'half-sphere', PERIOD_s, 1e7);
  const still = new Float64Array(6);
  const place = Float64Array.of(0, 0, -20e-6);
  wall.step(place, UPRIGHT, still);
  // before the plate gives way
  assert.ok(Math.abs(wall.wrench[2] / (1.87e6 * 20e-6) - 1) < 1e-6);
  for (let n = 0; n < 200; n++) wall.step(place, UPRIGHT, still);
  const series = 1 / (1 / 1.87e6 + 1 / 1e7);
  assert.ok(Math.abs(wall.wrench[2] / (series * 20e-6) - 1) < 1e-6, `${wall.wrench[2]}`);
});

test('a seed is a truth, another seed another one', () => {
  assert.deepEqual(drawTruth(5), drawTruth(5));
  assert.notDeepEqual(drawTruth(5), drawTruth(6));
  for (let seed = 0; seed < 50; seed++) {
    const { height_m, sensor } = drawTruth(seed);
    assert.ok(Math.abs(height_m) <= 50e-6);
    assert.ok(Math.abs(sensor.gain[0] - 1) <= 0.02 && Math.abs(sensor.gain[1]) <= 0.005);
  }
});
