/** The arm of joints follows by the law of the plain tool, yields to loads by its inertia, and stops at its limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Follower } from '../../../hil/emulator/follower.ts';
import { JointArm } from '../../../hil/emulator/joint-arm.ts';
import { RobotFault } from '../../../hil/emulator/guard.ts';
import { angleBetween, rotateBy } from '../../../hil/emulator/rotation.ts';
import { errorTransition } from '../../../hil/emulator/tracking-law.ts';
import { length3 } from '../../../src/math/vec3.ts';
import type { JointFrictionModel, TreeModel } from '../../../src/model/tree-model.ts';
import { halfSphere, RobotBench } from '../../fixtures/emulator-bench.ts';
import { groundArm } from './ground-arm.ts';

const H = 0.001;
const FREE = { speed: 1e9, angularSpeed: 1e9, acceleration: 1e9, angularAcceleration: 1e9 };
const START = [0.4, -0.2, 0.9] as const;
/** 0.3 rad about (1, 2, 2)/3. */
const TURN = [
  Math.sin(0.15) / 3,
  (2 * Math.sin(0.15)) / 3,
  (2 * Math.sin(0.15)) / 3,
  Math.cos(0.15),
] as const;

function make(model: TreeModel, bandwidth = 10, limits = FREE): JointArm {
  return new JointArm(model, bandwidth, 1, H, limits, START, TURN);
}

test('base and tool are placed so that the joints at home hold the tool at its start', () => {
  const arm = make(groundArm());
  for (let i = 0; i < 3; i++) assert.ok(Math.abs(arm.tool.position[i] - START[i]) < 1e-14);
  assert.ok(angleBetween(arm.tool.orientation, Float64Array.from(TURN)) < 1e-7);
  assert.deepEqual([...arm.tool.twist], [0, 0, 0, 0, 0, 0]);
});

test('without friction and load it follows as the plain tool does, gravity and all', () => {
  for (const bandwidth of [2, 10, 50]) {
    const arm = make(groundArm(), bandwidth);
    const plain = new Follower(bandwidth, 1, H, FREE);
    plain.place(START, TURN);
    for (const one of [arm, plain]) {
      one.reference.position[1] += 1e-3;
      rotateBy(0, 1e-3, 0, one.reference.orientation, one.reference.orientation);
      one.reference.twist[0] = 0.02;
    }
    let worst = 0;
    for (let n = 0; n < 400; n++) {
      arm.follow();
      plain.follow();
      for (let i = 0; i < 3; i++) {
        worst = Math.max(worst, Math.abs(arm.tool.position[i] - plain.tool.position[i]));
      }
    }
    // the acceleration is constant within a cycle instead of falling as the law's own does: (w h)²/12 of the way in each time constant
    const wh = 2 * Math.PI * bandwidth * H;
    const way = 1e-3 + 0.02 / (2 * Math.PI * bandwidth);
    assert.ok(worst < (wh * wh * way) / 4, `${bandwidth} Hz: ${worst} m`);
    assert.equal(arm.limited, 0);
  }
});

test('a load bends the servo by what its inertia and bandwidth say, and is brought back', () => {
  const arm = make(groundArm(), 10);
  const force = Float64Array.of(60, -40, 80, 0, 0, 0);
  arm.load.set(force);
  for (let n = 0; n < 1000; n++) arm.follow();
  // at rest the law demands a = f e/h of the tool and the load gives L F: e = −h L F/f, with L = J
  // M⁻¹ Jᵀ
  const f = new Float64Array(4);
  errorTransition(2 * Math.PI * 10, 1, H, f);
  const mobility = arm.mobility;
  for (let r = 0; r < 3; r++) {
    let accelerated = 0;
    for (let c = 0; c < 6; c++) accelerated += mobility[6 * r + c] * force[c];
    const expected = (-H * accelerated) / f[2];
    const error = arm.tool.position[r] - START[r];
    // the pose has moved by micrometres, and J with it; λ² is 1e-8 of J Jᵀ
    assert.ok(
      Math.abs(error - expected) < 1e-4 * Math.abs(expected) + 1e-12,
      `${error} m, expected ${expected} m`,
    );
  }
  arm.load.fill(0);
  for (let n = 0; n < 1000; n++) arm.follow();
  for (let i = 0; i < 3; i++) assert.ok(Math.abs(arm.tool.position[i] - START[i]) < 1e-9);
});

const FRICTION: JointFrictionModel = {
  stiction: 15,
  coulomb: 10,
  bristleStiffness: 1e5,
  bristleDamping: 300,
  viscous: 20,
  stribeckSpeed: 0.01,
  dwellTime: 0.05,
};

test('friction of the joints costs little accuracy, and none where the load is as large', () => {
  const arm = make(groundArm({ friction: FRICTION }), 50);
  const smooth = make(groundArm(), 50);
  let worst = 0;
  for (let n = 0; n < 2000; n++) {
    // 5 mm to and fro in 2 s
    const v = 5e-3 * Math.PI * Math.cos(Math.PI * n * H);
    for (const one of [arm, smooth]) {
      one.reference.twist[1] = v;
      one.follow();
    }
    worst = Math.max(worst, Math.abs(arm.tool.position[1] - smooth.tool.position[1]));
  }
  // what is left of 15 N m at most, on every joint, acts as a load: its error by the greatest mobility of the tool at a lever of 1 m
  assert.ok(worst > 1e-8 && worst < 1e-4, `${worst} m`);
});

test('rates and torques stay within their limits, all joints by the same part', () => {
  const arm = make(groundArm({ rateLimit: 0.05 }), 5);
  arm.reference.position[0] -= 0.3;
  let fastest = 0;
  let before = Float64Array.from(arm.angles);
  for (let n = 0; n < 1500; n++) {
    arm.follow();
    for (let k = 0; k < 6; k++)
      fastest = Math.max(fastest, Math.abs(arm.angles[k] - before[k]) / H);
    before = Float64Array.from(arm.angles);
  }
  assert.ok(fastest < 0.05 * (1 + 1e-3) && fastest > 0.049, `${fastest} rad/s`);
  assert.ok(arm.limited > 0);
  const weak = make(groundArm({ effortLimit: 1500 }), 50);
  weak.reference.position[2] += 0.05;
  for (let n = 0; n < 20; n++) {
    weak.follow();
    for (const torque of weak.torques) assert.ok(Math.abs(torque) <= 1500, `${torque} N m`);
  }
  assert.ok(weak.limited > 0);
});

test('brakes bring it to rest within v/a, and hold it', () => {
  const arm = make(groundArm({ friction: FRICTION }), 50);
  arm.reference.twist[0] = 0.1;
  for (let n = 0; n < 500; n++) arm.follow();
  assert.ok(Math.abs(length3(arm.tool.twist, 0) - 0.1) < 1e-3);
  const from = arm.tool.position[0];
  let cycles = 0;
  while (!arm.brake(5, 20)) cycles++;
  // 0.1/5 s; friction that the controller does not counter may end it a cycle earlier or later
  assert.ok(Math.abs(cycles * H - 0.02) <= 2 * H, `${cycles} cycles`);
  assert.ok(Math.abs(arm.tool.position[0] - from - 0.001) < 2e-4);
  assert.deepEqual([...arm.tool.twist], [0, 0, 0, 0, 0, 0]);
  const rest = Float64Array.from(arm.tool.position);
  arm.load.set([200, 200, -200, 0, 0, 0]);
  for (let n = 0; n < 100; n++) assert.equal(arm.brake(5, 20), true);
  assert.deepEqual(arm.tool.position, rest);
});

test('the end of a range and a singular pose are faults of the arm while it moves towards them', () => {
  const arm = make(groundArm({ range: 0.2 }), 5);
  arm.reference.twist[1] = 0.1;
  let n = 0;
  while (arm.fault === 0 && n++ < 10_000) arm.follow();
  assert.equal(arm.fault, RobotFault.JOINT_LIMIT);
  assert.ok(arm.angles.some((angle, k) => Math.abs(Math.abs(angle - arm.home[k]) - 0.18) < 1e-3));
  const far = make(groundArm(), 5);
  far.reference.twist[0] = 0.2;
  n = 0;
  while (far.fault === 0 && n++ < 20_000) far.follow();
  assert.equal(far.fault, RobotFault.SINGULARITY);
});

test('on the link: it is armed, presses with the force of the accommodation, and stops when set-points cease', () => {
  const bench = new RobotBench({
    arm: groundArm({ friction: FRICTION }),
    wall: halfSphere(),
    position: [0, 0, 1e-4],
  });
  bench.synchronise();
  bench.arm();
  bench.fly(2, -0.002, 49);
  bench.fly(2, -0.002, 10, 'contact');
  assert.ok(bench.robot.trueWrench[2] > 1, `in contact: ${bench.robot.trueWrench[2]} N`);
  bench.serving = false;
  bench.run(200);
  assert.equal(bench.speed, 0);
  assert.ok((bench.robot.guard.fault & RobotFault.TTL_EXPIRED) !== 0);
});

test('at a joint’s limit the robot stops for good and says so', () => {
  const bench = new RobotBench({ arm: groundArm({ range: 0.05 }) });
  bench.synchronise();
  bench.arm();
  bench.fly(1, 0.1, 1500);
  assert.ok((bench.session.state.fault & RobotFault.JOINT_LIMIT) !== 0);
  assert.equal(bench.speed, 0);
});
