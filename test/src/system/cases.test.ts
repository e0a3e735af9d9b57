/** Runs of the source: stick-slip, ball on an incline, loop with accommodation. `Gonthier 2007, 5.1.2, 5.1.3, 5.1.4`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSystem, Random } from '../../../src/index.ts';
import { bowdenLeben, halfSphere, incline } from '../../fixtures/models.ts';

function within(got: number, want: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(got - want) <= tolerance, `${what}: ${got}, expected ${want} ± ${tolerance}`);
}

test('stick-slip: turning points and force peaks at three belt speeds', () => {
  const cases = [
    [0.05, 30, 15.158, 27.035, 0.7554, 1.4955],
    [0.1, 16, 7.74, 14.851, 0.7644, 1.4455],
    [0.15, 12, 5.322, 10.915, 0.7774, 1.368],
  ] as const;
  for (const [speed, until, first, second, reach, peak2] of cases) {
    const run = makeSystem(bowdenLeben('implicit-contact', speed));
    const out = new Float64Array(40);
    const turns: number[][] = [];
    let peak = 0;
    let before = 1;
    for (let n = 0; n < until * 1000; n++) {
      run.step(1e-3);
      run.readContact(0, out, 0);
      assert.ok(Math.abs(out[4] - out[5]) < 1e-9, 'the force keeps to 45 degrees');
      peak = Math.max(peak, Math.sqrt(out[4] ** 2 + out[5] ** 2));
      run.readBody(0, out, 0);
      const r = (out[0] + out[1]) * Math.SQRT1_2;
      if (before > 0 && out[7] <= 0 && r > 0.6) turns.push([run.time, r, peak]);
      if (before * out[7] < 0) peak = 0;
      before = out[7];
    }
    within(turns[0][0], first, 0.02, `time of turn 1 at ${speed} m/s`);
    within(turns[0][1], reach, 0.002, 'reach');
    within(turns[0][2], 1.5, 0.001, 'force peak 1');
    within(turns[1][0], second, 0.02, 'time of turn 2');
    within(turns[1][2], peak2, 0.005, 'force peak 2');
  }
});

test('ball on an incline rolls at 5/7 g sin 20°: implicit step at 1 ms and Runge–Kutta', () => {
  for (const [integrator, h, reach] of [
    ['implicit-contact', 1e-3, 0.01], // one step of jitter in each of five impacts
    ['rk4', 5e-5, 1e-3],
  ] as const) {
    const run = makeSystem(incline(integrator));
    const out = new Float64Array(40);
    const c = Math.cos(Math.PI / 9);
    const s = Math.sin(Math.PI / 9);
    let early = 0;
    for (let n = 1; n <= Math.round(2.9 / h); n++) {
      run.step(h);
      if (n === Math.round(2 / h)) {
        run.readBody(0, out, 0);
        early = out[7] * c - out[9] * s;
      }
    }
    run.readBody(0, out, 0);
    const vx = out[7] * c - out[9] * s;
    within((vx - early) / 0.9, (5 / 7) * 9.81 * s, 0.002, 'acceleration');
    within(out[8], 0.35714, 1e-4, 'v_y');
    within(vx - 0.1 * out[11], 0, 1e-6, 'slip');
    within(out[0] * c - out[2] * s, 7.618, reach, 'x');
    run.readContact(0, out, 0);
    within(out[1], 6.9789e-4, 1e-6, 'static depth');
  }
});

test('the energy of the rolling ball never rises on the reference path', () => {
  const run = makeSystem(incline('rk4'));
  const out = new Float64Array(16);
  let before = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 30_000; n++) {
    run.step(4e-5);
    run.readEnergy(out, 0);
    const total = out[0] + out[1] + out[2] + out[3];
    assert.ok(total - before < 1e-6, `rise of ${total - before} J at ${run.time} s`);
    before = total;
  }
});

/** Peak and plateau of 3 s of pushing; `delayed` feeds the force back one step late, as a hardware loop does. */
function push(lag: number, delayed: boolean): { peak: number; force: number; depth: number } {
  const run = makeSystem(halfSphere(lag));
  const tool = run.tool!;
  const out = new Float64Array(40);
  const result = { peak: 0, force: 0, depth: 0 };
  for (let n = 0; n < 3500; n++) {
    if (delayed) {
      tool.mode = 2;
      tool.measuredWrench.set(tool.modelWrench);
      tool.measuredMotion.set(tool.setpoint);
    }
    run.step(1e-3);
    run.readContact(0, out, 0);
    result.peak = Math.max(result.peak, out[3]);
    if (n === 2990) {
      result.force = out[3];
      result.depth = out[1];
    }
  }
  assert.equal(out[3], 0, 'no force half a second after the retreat');
  return result;
}

test('loop with accommodation: 30 N plateau, 24.06 um, peaks of an independent run', () => {
  for (const [lag, delayed, peak] of [
    [5e-3, false, 31.6],
    [5e-3, true, 33.3],
    [20e-3, false, 50.4],
    [20e-3, true, 53.3],
    [79.6e-3, false, 86.4],
    [79.6e-3, true, 89.9],
  ] as const) {
    const got = push(lag, delayed);
    within(got.force, 30, 0.5, 'plateau');
    within(got.depth, 24.06e-6, 0.3e-6, 'depth');
    within(got.peak, peak, 0.03 * peak, `peak at lag ${lag}, delayed ${delayed}`);
  }
});

test('loop with 1 N force and 2 um position noise for 60 s: mean 30 N, rms 3.9 N, no growth', () => {
  const run = makeSystem(
    halfSphere(20e-3, { command: [{ time: 0, twist: [0, 0, -2e-3, 0, 0, 0] }] }),
  );
  const tool = run.tool!;
  const random = new Random(1);
  const out = new Float64Array(40);
  tool.mode = 2;
  const halves = [0, 0].map(() => ({ sum: 0, square: 0, n: 0 }));
  for (let n = 0; n < 60_000; n++) {
    tool.measuredMotion.set(tool.setpoint);
    tool.measuredMotion[2] += 2e-6 * random.gaussian();
    tool.measuredWrench.set(tool.modelWrench);
    tool.measuredWrench[2] += random.gaussian();
    run.step(1e-3);
    run.readContact(0, out, 0);
    if (n < 2000) continue;
    const half = halves[n < 31_000 ? 0 : 1];
    half.sum += out[3];
    half.square += (out[3] - 30) ** 2;
    half.n++;
  }
  for (const { sum, square, n } of halves) {
    within(sum / n, 30, 0.2, 'mean');
    within(Math.sqrt(square / n), 3.9, 0.5, 'rms');
  }
});
