/** The payload on the emulated force sensor that the bench does not compensate, against closed forms and a free body of this project. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawTruth } from '../../../hil/emulator/bench-truth.ts';
import { defaultEmulatorOptions, scaleNoise } from '../../../hil/emulator/options.ts';
import { ResidualPayload } from '../../../hil/emulator/residual-payload.ts';
import { EmulatedRobot } from '../../../hil/emulator/robot.ts';
import { VirtualClock } from '../../../hil/os/clock.ts';
import { makeLoopback } from '../../../hil/links/loopback-link.ts';
import { inertiaFault } from '../../../config/robot-checks.ts';
import {
  CENTER,
  INERTIA,
  MASS,
  measured,
  shaken,
  turn,
} from '../../../server/validation/payload-bench.ts';

const PERIOD_s = 1e-3;
const G = 9.80665;
const UPRIGHT = Float64Array.of(0, 0, 0, 1);
const STILL = new Float64Array(6);
const NONE = new Float64Array(6);
const body = {
  mass_kg: 0.5,
  center_m: [0.1, 0, 0.2],
  inertia_kgm2: [0.01, 0.02, 0.03, 0, 0, 0],
} as const;

const near = (actual: Float64Array, wanted: readonly number[], error = 1e-12): void => {
  for (const [i, one] of wanted.entries())
    assert.ok(
      Math.abs(actual[i] - one) <= error,
      `${[...actual].join(' ')} for ${wanted.join(' ')}`,
    );
};

test('at rest: the weight and its moment, whatever the orientation, beside the contact', () => {
  const payload = new ResidualPayload(body, PERIOD_s, STILL);
  payload.addLoad(UPRIGHT, STILL, Float64Array.of(1, 2, 3, 4, 5, 6));
  // c × (0, 0, −m g) = (0, m g c_x, 0)
  near(payload.wrench, [1, 2, 3 - 0.5 * G, 4, 5 + 0.05 * G, 6]);
  // a quarter turn about y: the centre comes to (0.2, 0, −0.1)
  payload.addLoad(Float64Array.of(0, Math.SQRT1_2, 0, Math.SQRT1_2), STILL, NONE);
  near(payload.wrench, [0, 0, -0.5 * G, 0, 0.1 * G, 0]);
});

test('a steady spin pulls outwards, and a product of inertia turns', () => {
  const spin = Float64Array.of(0, 0, 0, 0, 0, 3);
  const skew = { ...body, inertia_kgm2: [0.02, 0.02, 0.02, 0, 0.005, 0] as const };
  const payload = new ResidualPayload(skew, PERIOD_s, spin);
  payload.addLoad(UPRIGHT, spin, NONE);
  // −w × (w × c) = w² c_x along x; τ = c × f − w × I w, I w = (0.005, 0, 0.02) · 3
  const [fx, fz] = [0.5 * 9 * 0.1, -0.5 * G];
  near(payload.wrench, [fx, 0, fz, 0, 0.2 * fx - 0.1 * fz - 9 * 0.005, 0]);
});

test('a change of twist in a cycle is felt as inertia', () => {
  const payload = new ResidualPayload(body, PERIOD_s, STILL);
  // 2 m/s² along z, 5 rad/s² about y
  payload.addLoad(UPRIGHT, Float64Array.of(0, 0, 2e-3, 0, 5e-3, 0), NONE);
  const [fx, fz] = [-0.5 * 5 * 0.2, 0.5 * (-G - 2 + 5 * 0.1)];
  near(payload.wrench, [fx, 0, fz, 0, 0.2 * fx - 0.1 * fz - 0.02 * 5, 0], 1e-4);
});

test('what a free body of this project needs to move so is what the payload puts on the sensor', () => {
  const motion = shaken(2000, 1, 1);
  const data = measured(motion, 1, [1, 1, 1, 1, 1, 1], 0);
  const known = { mass_kg: MASS, center_m: CENTER, inertia_kgm2: INERTIA };
  const at = (columns: readonly Float64Array[], i: number): Float64Array =>
    Float64Array.from(columns, (column) => column[i]);
  const step = data.time[1] - data.time[0];
  const payload = new ResidualPayload(known, step, at(data.twist, 0));
  const inBase = (i: number): number[] =>
    [11, 14].flatMap((from) => turn(motion.rotations[i], motion.rows[i].slice(from, from + 3)));
  const worst = [0, 0];
  const most = [0, 0];
  for (let i = 1; i < motion.rows.length; i++) {
    const spin = data.twist.slice(3).map((column) => column[i]);
    const turned = data.twist.slice(3).map((column) => (column[i] - column[i - 1]) / step);
    most[0] = Math.max(most[0], Math.hypot(...spin));
    most[1] = Math.max(most[1], Math.hypot(...turned));
    payload.addLoad(at(data.orientation, i), at(data.twist, i), NONE);
    const [before, now] = [inBase(i - 1), inBase(i)];
    for (let c = 0; c < 6; c++) {
      // a mean of a cycle is that of its middle
      const error = Math.abs(payload.wrench[c] - 0.5 * (before[c] + now[c]));
      const kind = c < 3 ? 0 : 1;
      worst[kind] = Math.max(worst[kind], error);
    }
  }
  // the centre turns by w h/2 from the middle of a cycle to its end, and so does the inertia
  const [lag, reach] = [0.5 * step * most[0], Math.hypot(...CENTER)];
  const pull = most[1] + most[0] ** 2;
  assert.ok(worst[0] < 2 * lag * MASS * reach * pull, worst.join(' '));
  assert.ok(
    worst[1] < lag * (reach * MASS * (G + 3) + 2 * pull * (MASS * reach ** 2 + 0.6)),
    worst.join(' '),
  );
});

test('the sensor of a robot feels it before its bias; without one nothing changes', () => {
  const at = (payload: typeof body | null): Float64Array => {
    const [, end] = makeLoopback(new VirtualClock(), { seed: 7, latency_us: 0, period_us: 1000 });
    const usual = defaultEmulatorOptions(end);
    const options = { ...usual, noise: scaleNoise(usual.noise, 0), payload };
    return new EmulatedRobot(options).sensors.wrench;
  };
  near(at(body), [0, 0, -0.5 * G, 0, 0.05 * G, 0]);
  near(at(null), [0, 0, 0, 0, 0, 0], 0);
});

test('a drawn payload is a body, and rests within the dead-bands of the half-sphere', () => {
  for (let seed = 0; seed < 200; seed++) {
    const { payload, sensor } = drawTruth(seed);
    assert.equal(inertiaFault(payload.inertia_kgm2), null);
    const weight = payload.mass_kg * G;
    const [x, y] = payload.center_m;
    assert.ok(Math.hypot(sensor.bias[0], sensor.bias[1], sensor.bias[2] - weight) < 10);
    assert.ok(
      Math.hypot(sensor.bias[3] - weight * y, sensor.bias[4] + weight * x, sensor.bias[5]) < 1,
    );
  }
});
