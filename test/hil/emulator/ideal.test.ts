/** The ideal robot: exactly the set-points of a while ago, whatever happens to frames; a force sensor that answers late; a wall that answers at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeMassScenario } from '../../fixtures/free-mass.ts';
import { compileScenario } from '../../../config/compile.ts';
import { ForceDelay } from '../../../hil/emulator/force-delay.ts';
import { PhaseLock } from '../../../hil/emulator/phase-lock.ts';
import { SetpointStream } from '../../../hil/emulator/setpoint-stream.ts';
import { Wall } from '../../../hil/emulator/wall.ts';
import { SetpointFrame } from '../../../hil/protocol/frames.ts';
import { Random } from '../../../src/math/random.ts';
import { H } from '../../fixtures/emulator-bench.ts';

/** A motion whose straight pieces are known: corners at the periods. */
const TURN = 5e-4; // half the angle of a period, rad
const path = (n: number): number => 1e-3 * Math.sin(0.05 * n) + 2e-5 * n;

/**
 * Plays `cycles` cycles of the path; `comes` gives the set-points that arrive and their delay in
 * cycles. @returns worst error from cycle `from` on
 */
function play(
  delay_s: number,
  cycles: number,
  from: number,
  comes: (n: number) => number,
  sentLate_us: (n: number) => number = () => 0,
): number {
  const stream = new SetpointStream(delay_s, H);
  const frame = new SetpointFrame();
  const late: number[][] = Array.from({ length: cycles + 20 }, () => []);
  const back = delay_s / H;
  let worst = 0;
  let last = -1;
  for (let n = 0; n < cycles; n++) {
    const by = comes(n);
    if (by >= 0) late[n + by]?.push(n);
    stream.beginCycle();
    const newest = late[n]?.at(-1);
    if (newest !== undefined && newest > last) {
      last = newest;
      frame.seq = 2 * newest; // other frames have numbers, too
      frame.t_us = 5e6 + 1000 * newest + sentLate_us(newest);
      frame.position[2] = path(newest);
      frame.orientation[0] = Math.sin(TURN * newest);
      frame.orientation[3] = Math.cos(TURN * newest);
      stream.put(frame, Float64Array.of(0));
    }
    const played = stream.play();
    if (n < from) continue;
    assert.ok(played, `cycle ${n} has its pose`);
    const x = n - back;
    const low = Math.floor(x);
    const expected = path(low) + (x - low) * (path(low + 1) - path(low));
    worst = Math.max(worst, Math.abs((stream.played.position[2] ?? NaN) - expected));
    const angle = Math.atan2(
      stream.played.orientation[0] ?? NaN,
      stream.played.orientation[3] ?? NaN,
    );
    assert.ok(Math.abs(angle - TURN * x) < 1e-9, `turned by ${angle}, ${TURN * x} is right`);
  }
  return worst;
}

for (const delay_ms of [0, 1, 11.24, 108]) {
  test(`the tool is where the set-points were ${delay_ms} ms ago`, () => {
    // rounding of millimetres
    assert.ok(play(delay_ms / 1000, 400, 120, () => 0) < 1e-15);
  });
}

test('frames that tremble by less than the delay change nothing', () => {
  const random = new Random(3);
  const worst = play(
    0.005,
    600,
    100,
    () => (random.uniform() < 0.3 ? 1 + Math.floor(2 * random.uniform()) : 0),
    () => 600 * random.uniform(),
  );
  // a set-point overtaken within a cycle is bridged by a line: second difference / 8 of the path
  assert.ok(worst < (1e-3 * 0.05 ** 2 * 9) / 8, `worst ${worst} m`);
});

test('lost set-points are bridged between their neighbours', () => {
  const random = new Random(4);
  let inRow = 0;
  const comes = (): number => {
    inRow = random.uniform() < 0.1 && inRow < 3 ? inRow + 1 : 0;
    return inRow > 0 ? -1 : 0;
  };
  // three lost: a chord over four periods lies off by at most (4 h)² x'' / 8
  const worst = play(0.005, 2000, 100, comes);
  assert.ok(worst < (1e-3 * 0.05 ** 2 * 16) / 8, `worst ${worst} m`);
});

test('beyond the newest set-point nothing is extrapolated, and it says so', () => {
  const stream = new SetpointStream(0.002, H);
  const frame = new SetpointFrame();
  for (let n = 0; n < 10; n++) {
    stream.beginCycle();
    frame.t_us = 1000 * n;
    frame.position[0] = n;
    stream.put(frame, Float64Array.of(0));
    stream.play();
  }
  const seen: [boolean, number][] = [];
  for (let n = 10; n < 15; n++) {
    stream.beginCycle();
    seen.push([stream.play(), stream.played.position[0] ?? NaN]);
  }
  assert.deepEqual(seen, [
    [true, 8],
    [true, 9],
    [false, 9],
    [false, 9],
    [false, 9],
  ]);
});

test('the force sensor tells the force of a while ago, fractions of a period too', () => {
  for (const periods of [0, 1, 2.5, 10]) {
    const sensor = new ForceDelay(periods * H, H);
    for (let n = 0; n < 300; n++) {
      sensor.put(Float64Array.of(n, 2 * n, 0, 0, 0, -n));
      if (n < 20) continue;
      assert.ok(Math.abs((sensor.wrench[0] ?? NaN) - (n - periods)) < 1e-9);
      assert.ok(Math.abs((sensor.wrench[5] ?? NaN) + (n - periods)) < 1e-9);
    }
  }
});

test('the wall answers with the force at the pose that it is given: k x + b v, not a step on', () => {
  const k = 1e5;
  const b = 200;
  const row = {
    mass_kg: 100,
    stiffness_N_per_m: k,
    damping_Ns_per_m: b,
    delay_s: 0,
    restitution: 1,
  };
  const wall = new Wall(compileScenario(freeMassScenario(row)), 'buffer', H);
  const random = new Random(9);
  const upright = Float64Array.of(0, 0, 0, 1);
  for (let n = 0; n < 200; n++) {
    const z = 1e-3 * (random.uniform() - 0.7);
    const v = 0.05 * (random.uniform() - 0.5);
    wall.step(Float64Array.of(0, 0, z), upright, Float64Array.of(0, 0, v, 0, 0, 0));
    const expected = z < 0 ? Math.max(0, -k * z - b * v) : 0;
    // rounding of a force of 100 N over a lever of 50 mm of the sphere
    assert.ok(Math.abs((wall.wrench[2] ?? NaN) - expected) < 1e-9, `z ${z}, v ${v}`);
  }
});

test('the phase lock brings the fastest arrival to 0.85 of a period before the cycle, from anywhere', () => {
  for (let start = 0; start < 1000; start += 90) {
    const lock = new PhaseLock(H);
    const random = new Random(start + 1);
    let release = start; // of the robot's cycle; frames come at whole periods and up to 0.2 ms later
    let fastest = 0;
    for (let n = 0; n < 3000; n++) {
      const late = 200 * random.uniform();
      const waited = (((release - late) % 1000) + 1000) % 1000;
      release += lock.observe(waited);
      if (n > 2500) fastest = Math.max(fastest, waited);
    }
    assert.ok(Math.abs(fastest - 850) < 60, `from ${start} µs: ${fastest} µs before the cycle`);
  }
});
