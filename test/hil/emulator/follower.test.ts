/** Set-point tracking against the closed form of the second-order system, its limits, and braking. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Follower } from '../../../hil/emulator/follower.ts';
import { angleBetween, rotateBy } from '../../../hil/emulator/rotation.ts';

const H = 0.001;
const FREE = { speed: 1e9, angularSpeed: 1e9, acceleration: 1e9, angularAcceleration: 1e9 };

function make(bandwidth: number, damping: number, limits = FREE): Follower {
  const follower = new Follower(bandwidth, damping, H, limits);
  follower.place([0, 0, 0], [0, 0, 0, 1]);
  return follower;
}

/** Unit step response of x'' + 2ζw x' + w² x = w², from the roots of the characteristic polynomial. */
function stepResponse(w: number, zeta: number, t: number): number {
  if (zeta === 1) return 1 - Math.exp(-w * t) * (1 + w * t);
  if (zeta < 1) {
    const wd = w * Math.sqrt(1 - zeta * zeta);
    return 1 - Math.exp(-zeta * w * t) * (Math.cos(wd * t) + ((zeta * w) / wd) * Math.sin(wd * t));
  }
  const root = Math.sqrt(zeta * zeta - 1);
  const a = -w * (zeta - root);
  const b = -w * (zeta + root);
  return 1 + (b * Math.exp(a * t) - a * Math.exp(b * t)) / (a - b);
}

for (const [bandwidth, damping] of [
  [50, 1],
  [2, 0.5],
  [120, 0.3],
  [20, 2],
] as const) {
  test(`step response at ${bandwidth} Hz, damping ${damping}, follows the closed form`, () => {
    const follower = make(bandwidth, damping);
    const step = 1e-3;
    follower.reference.position[1] = step;
    rotateBy(0, 0, step, follower.reference.orientation, follower.reference.orientation);
    const w = 2 * Math.PI * bandwidth;
    for (let n = 1; n <= 300; n++) {
      follower.follow();
      const expected = step * stepResponse(w, damping, n * H);
      // rounding of 300 products of size 1e-3, nothing else: the step is exact
      assert.ok(Math.abs(follower.tool.position[1] - expected) < 1e-14, `position at step ${n}`);
      // the quaternion resolves the angle to about 1e-16 each cycle
      const angle = 2 * Math.asin(follower.tool.orientation[2]);
      assert.ok(Math.abs(angle - expected) < 1e-12, `angle at step ${n}`);
    }
    assert.equal(follower.limited, 0);
  });
}

test('a ramp with its twist as feed-forward is followed without lag', () => {
  const follower = make(50, 1);
  const speed = 0.05;
  follower.reference.twist[2] = speed;
  follower.reference.twist[3] = 0.2;
  let worst = 0;
  for (let n = 1; n <= 200; n++) {
    follower.follow();
    worst = Math.max(worst, Math.abs(follower.tool.position[2] - n * H * speed));
  }
  // the start from rest costs v/(w e); without feed-forward it would stay 2ζv/w = 318 µm
  const w = 2 * Math.PI * 50;
  assert.ok(worst <= speed / (w * Math.E) && worst > 0.9 * (speed / (w * Math.E)));
  assert.ok(Math.abs(follower.tool.position[2] - 200 * H * speed) < 1e-15);
  assert.ok(angleBetween(follower.tool.orientation, follower.reference.orientation) < 1e-12);
});

test('speed and acceleration stay within their limits, and the target is still reached', () => {
  const limits = { speed: 0.1, angularSpeed: 0.5, acceleration: 5, angularAcceleration: 20 };
  const follower = make(5, 1, limits);
  follower.reference.position.set([0.03, -0.02, 0.01]);
  rotateBy(0.2, -0.1, 0.05, follower.reference.orientation, follower.reference.orientation);
  const before = new Float64Array(6);
  const length = (a: Float64Array, at: number): number => Math.hypot(a[at], a[at + 1], a[at + 2]);
  let fastest = 0;
  for (let n = 0; n < 2000; n++) {
    before.set(follower.tool.twist);
    follower.follow();
    const change = follower.tool.twist.map((v, i) => v - before[i]);
    assert.ok(length(change, 0) <= limits.acceleration * H * (1 + 1e-9));
    assert.ok(length(change, 3) <= limits.angularAcceleration * H * (1 + 1e-9));
    assert.ok(length(follower.tool.twist, 0) <= limits.speed * (1 + 1e-12));
    assert.ok(length(follower.tool.twist, 3) <= limits.angularSpeed * (1 + 1e-12));
    fastest = Math.max(fastest, length(follower.tool.twist, 0));
  }
  assert.ok(follower.limited > 0 && fastest > 0.09, 'the limits must have been met');
  assert.ok(Math.abs(follower.tool.position[0] - 0.03) < 1e-9);
  assert.ok(angleBetween(follower.tool.orientation, follower.reference.orientation) < 1e-9);
});

test('braking takes v/a and v²/2a, and the pose where it ends is held', () => {
  const follower = make(50, 1);
  follower.tool.twist.set([0.06, 0, 0.08, 0, 0.5, 0]);
  let cycles = 1;
  while (!follower.brake(5, 20)) cycles++;
  assert.equal(cycles, 25); // 0.1 m/s at 5 m/s² is 20 ms, 0.5 rad/s at 20 rad/s² is 25 ms
  const travel = Math.hypot(follower.tool.position[0], follower.tool.position[2]);
  assert.ok(Math.abs(travel - (0.1 * 0.1) / 10) < 1e-12, `travel ${travel}`);
  const angle = angleBetween(follower.tool.orientation, Float64Array.of(0, 0, 0, 1));
  assert.ok(Math.abs(angle - (0.5 * 0.5) / 40) < 1e-12, `angle ${angle}`);
  const held = follower.tool.position[0];
  for (let n = 0; n < 10; n++) follower.follow();
  assert.equal(follower.tool.position[0], held);
});
