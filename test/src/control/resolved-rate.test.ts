/** Resolved-rate motion of arms of six and seven joints: exact where it can be, bounded where it cannot, within every limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_RESOLVED_RATE, ResolvedRate } from '../../../src/control/resolved-rate.ts';
import { ArmStatus } from '../../../src/model/arm-spec.ts';
import type { TreeArm } from '../../../src/control/tree-arm.ts';
import type { ResolvedRateModel } from '../../../src/model/control-spec.ts';
import { Random } from '../../../src/math/random.ts';
import type { TreeModel } from '../../../src/model/tree-model.ts';
import { makeArm, SEVEN_JOINTS, SIX_JOINTS } from '../../fixtures/rigid-arms.ts';

const LENGTH = { seven: 15, six: 2.5 };

function modelOf(
  arm: TreeArm,
  length: number,
  changes: Partial<ResolvedRateModel> = {},
): ResolvedRateModel {
  return {
    ...DEFAULT_RESOLVED_RATE,
    lower: [...arm.lower],
    upper: [...arm.upper],
    rateLimit: [...arm.rateLimit],
    length,
    ...changes,
  };
}

/** An arm that integrates its joint rates. */
class Moving {
  readonly arm: TreeArm;
  readonly rate: ResolvedRate;
  readonly q: Float64Array;

  constructor(model: TreeModel, q: readonly number[], changes: Partial<ResolvedRateModel> = {}) {
    this.arm = makeArm(model);
    const length = model === SEVEN_JOINTS ? LENGTH.seven : LENGTH.six;
    this.rate = new ResolvedRate(modelOf(this.arm, length, changes));
    this.q = Float64Array.from(q);
  }

  compute(twist: readonly number[]): void {
    this.arm.evaluate(this.q);
    this.rate.position.set(this.q);
    this.rate.jacobian.set(this.arm.jacobian);
    this.rate.twist.set(twist);
    this.rate.compute();
  }

  step(twist: readonly number[], h: number): void {
    this.compute(twist);
    for (let j = 0; j < this.q.length; j++) this.q[j] += h * this.rate.rates[j];
  }

  /** Twist that the rates give. */
  twist(): number[] {
    const n = this.q.length;
    return [0, 1, 2, 3, 4, 5].map((a) => {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += this.arm.jacobian[a * n + j] * this.rate.rates[j];
      return sum;
    });
  }
}

const MIDDLE_SEVEN = [0.2, 0.3, -0.6, 1.4, -0.5, 0.4, 0.1];
const MIDDLE_SIX = [0.3, 0.2, 0.5, 0.4, 0.7, 0.2];

test('away from limits the twist is the commanded one, and rates are exact', () => {
  const random = new Random(2);
  for (const [model, middle] of [
    [SEVEN_JOINTS, MIDDLE_SEVEN],
    [SIX_JOINTS, MIDDLE_SIX],
  ] as const) {
    const moving = new Moving(model, middle);
    for (let round = 0; round < 50; round++) {
      const twist = Array.from({ length: 6 }, () => 1e-3 * random.gaussian());
      moving.compute(twist);
      assert.equal(moving.rate.status, ArmStatus.NOMINAL, `condition ${moving.rate.condition}`);
      assert.equal(moving.rate.scale, 1);
      assert.equal(moving.rate.limitingJoint, -1);
      for (const [a, x] of moving.twist().entries()) {
        // a condition below 17 and some tens of roundings of 1e-2
        assert.ok(Math.abs(x - twist[a]) < 1e-15, `${model.name}: ${x} for ${twist[a]}`);
      }
    }
  }
});

test('too fast a command is scaled as a whole: same direction, one joint at its limit', () => {
  const random = new Random(3);
  for (const [model, middle] of [
    [SEVEN_JOINTS, MIDDLE_SEVEN],
    [SIX_JOINTS, MIDDLE_SIX],
  ] as const) {
    const moving = new Moving(model, middle);
    for (let round = 0; round < 50; round++) {
      const twist = Array.from({ length: 6 }, () => 5 * random.gaussian());
      moving.compute(twist);
      const { rate } = moving;
      assert.equal(rate.status, ArmStatus.RATE_LIMITED);
      assert.ok(rate.scale > 0 && rate.scale < 1);
      for (const [a, x] of moving.twist().entries()) {
        assert.ok(Math.abs(x - rate.scale * twist[a]) < 1e-12, `direction, axis ${a}`);
      }
      const used = rate.rates.map((x, j) => Math.abs(x) / moving.arm.rateLimit[j]);
      assert.ok(Math.max(...used) <= 1 + 1e-12, `${Math.max(...used)} of the rate limit`);
      assert.ok(Math.max(...used) > 1 - 1e-12, 'no joint is at its limit');
    }
  }
});

test('an arm without a command rests, also a redundant one near its limits', () => {
  const moving = new Moving(SEVEN_JOINTS, [4.5, 0.3, -0.6, 1.4, -0.5, 0.4, 0.1]);
  moving.compute([0, 0, 0, 0, 0, 0]);
  assert.ok(moving.rate.rates.every((x) => x === 0));
});

test('the condition number along the motion rises as the differences of two poses say', () => {
  const random = new Random(6);
  let towards = 0;
  let away = 0;
  for (let round = 0; round < 400; round++) {
    const q = MIDDLE_SIX.map((x) => x + 0.5 * random.gaussian());
    const moving = new Moving(SIX_JOINTS, q, {
      conditionSlow: 1,
      conditionStop: 1e9,
      rateLimit: q.map(() => 1e9),
      lower: q.map(() => -99),
      upper: q.map(() => 99),
    });
    moving.compute(Array.from({ length: 6 }, () => 1e-3 * random.gaussian()));
    const { status, condition } = moving.rate;
    // scaling as a whole does not change the way that it goes
    const along = Float64Array.from(moving.rate.rates);
    for (let j = 0; j < 6; j++) moving.q[j] += 1e-3 * along[j];
    moving.compute([1e-3, 0, 0, 0, 0, 0]);
    const change = moving.rate.condition / condition - 1;
    if (Math.abs(change) < 1e-8 || status === ArmStatus.AT_JOINT_LIMIT) continue;
    if (change > 0) towards++;
    else away++;
    assert.equal(
      status,
      change > 0 ? ArmStatus.NEAR_SINGULARITY : ArmStatus.LEAVING_SINGULARITY,
      `condition ${condition} changes by ${change}`,
    );
  }
  assert.ok(towards > 50 && away > 50, `${towards} towards, ${away} away`);
});

test('driven outwards into the stretched arm: slows, stops, rates stay bounded; comes back faster', () => {
  for (const [model, start] of [
    [SIX_JOINTS, [0, 0.3, 0.9, 0.3, 0.6, 0]],
    [SEVEN_JOINTS, [0.2, 0.3, -0.6, 1.2, -0.5, 0.6, 0.1]],
  ] as const) {
    const free = { lower: start.map(() => -20), upper: start.map(() => 20) };
    const moving = new Moving(model, start, free);
    const { rate } = moving;
    moving.arm.evaluate(moving.q);
    const out = moving.arm.pose.slice(0, 3);
    const size = Math.sqrt(out.reduce((sum, x) => sum + x * x, 0));
    const speed = model === SIX_JOINTS ? 0.05 : 0.2;
    const outwards = [...out.map((x) => (speed * x) / size), 0, 0, 0];
    let slowed = 0;
    let before = 1;
    let rising = 0;
    for (let n = 0; n < 20_000 && rate.status !== ArmStatus.AT_SINGULARITY; n++) {
      moving.step(outwards, 0.01);
      if (rate.status === ArmStatus.NEAR_SINGULARITY) {
        slowed++;
        if (rate.scale > before + 1e-3) rising++;
      }
      before = rate.scale;
      for (let j = 0; j < moving.q.length; j++) {
        assert.ok(Math.abs(rate.rates[j]) <= moving.arm.rateLimit[j] * (1 + 1e-12));
      }
      if (rate.condition > 29.5) break;
    }
    assert.ok(
      slowed > 10,
      `${model.name}: slowed in ${slowed} steps, status ${rate.status}, condition ${rate.condition}`,
    );
    assert.ok(rate.condition > 28 && rate.condition < 30.5, `condition ${rate.condition}`);
    assert.ok(rate.scale < 0.12, `part of the command: ${rate.scale}`);
    assert.equal(rising, 0, 'slows steadily');
    const inwards = outwards.map((x) => -x);
    moving.compute(inwards);
    assert.equal(rate.status, ArmStatus.LEAVING_SINGULARITY);
    assert.ok(rate.scale > 0.3, `way out at ${rate.scale}`);
    for (let n = 0; n < 20_000 && rate.condition > 17; n++) moving.step(inwards, 0.01);
    assert.ok(rate.condition < 17.5, `condition ${rate.condition} on the way back`);
  }
});

test('at and through the singularity itself rates are bounded and finite', () => {
  // wrist axes in line, elbow stretched, all zero: no rank; with the stop far away only the damping is left
  const random = new Random(12);
  for (const model of [SIX_JOINTS, SEVEN_JOINTS]) {
    const n = model.links.length;
    for (let round = 0; round < 200; round++) {
      const near = 10 ** (-12 * random.uniform());
      const q = Array.from({ length: n }, () => (round === 0 ? 0 : near * random.gaussian()));
      const moving = new Moving(model, q);
      const twist = Array.from({ length: 6 }, () => 0.05 * random.gaussian());
      moving.compute(twist);
      for (let j = 0; j < n; j++) {
        const rate = moving.rate.rates[j];
        assert.ok(Math.abs(rate) <= moving.arm.rateLimit[j] * (1 + 1e-12), `joint ${j}: ${rate}`);
      }
    }
  }
});

test('tracking a path past a singularity stays bounded and close', () => {
  // the wrist of the six-joint arm passes through the line of its axes, led back to the path by its error
  const moving = new Moving(SIX_JOINTS, [0, 0.3, 0.9, 0.05, 0.35, 0], {
    conditionSlow: 1e6,
    conditionStop: 2e6,
  });
  const damped = new Moving(SIX_JOINTS, [0, 0.3, 0.9, 0.05, 0.35, 0], {
    conditionSlow: 29,
    conditionStop: 30,
  });
  let largest = 0;
  let undamped = 0;
  let condition = 0;
  for (let n = 0; n < 1000; n++) {
    // turns about y: the pitch of the wrist goes through zero
    for (const one of [moving, damped]) one.step([0, 0, 0, 0, -0.06, 0.004], 0.01);
    condition = Math.max(condition, damped.rate.condition);
    largest = Math.max(largest, ...damped.rate.rates.map(Math.abs));
    undamped = Math.max(undamped, ...moving.rate.rates.map(Math.abs));
  }
  assert.ok(condition > 29, `condition ${condition}: the path does not meet the singularity`);
  // 30 times the gain of the best direction at the very most: σ_max of this arm is about 2
  assert.ok(largest < (0.06 * 30) / 1.5, `largest rate ${largest}`);
  assert.ok(undamped > largest, `${undamped} without a stop, ${largest} with it`);
});

test('a joint limit is approached, never passed, and the arm stops there', () => {
  const moving = new Moving(SIX_JOINTS, [1.4, 0.3, 0.9, 0.3, 0.6, 0]);
  const { rate, arm } = moving;
  let near = 0;
  for (let n = 0; n < 3000; n++) {
    // about the swing axis of the base
    arm.evaluate(moving.q);
    const [x, y] = arm.pose;
    moving.step([-0.1 * y, 0.1 * x, 0, 0, 0, 0.1], 0.01);
    if (rate.status === ArmStatus.NEAR_JOINT_LIMIT) near++;
    assert.ok(moving.q[0] <= 1.6 - 0.02 + 1e-12, `joint 1 at ${moving.q[0]}`);
  }
  assert.ok(near > 50, `${near} steps near the limit`);
  assert.ok(moving.q[0] > 1.579, `joint 1 at ${moving.q[0]}`);
  assert.equal(rate.limitingJoint, 0);
  assert.ok(rate.scale < 1e-3, `part of the command: ${rate.scale}`);
  // exactly at the margin, and beyond it
  for (const beyond of [1.58, 1.59, 1.7]) {
    moving.q[0] = beyond;
    arm.evaluate(moving.q);
    const [x, y] = arm.pose;
    moving.compute([-0.1 * y, 0.1 * x, 0, 0, 0, 0.1]);
    assert.equal(rate.status, ArmStatus.AT_JOINT_LIMIT);
    assert.ok(rate.rates.every((r) => r === 0));
    moving.compute([0.1 * y, -0.1 * x, 0, 0, 0, -0.1]);
    assert.equal(rate.scale, 1, 'the way back is free');
  }
});

test('a redundant arm goes on with the same twist when one joint is at its limit', () => {
  let went = 0;
  const random = new Random(17);
  for (let joint = 0; joint < 7; joint++) {
    for (const end of [-1, 1]) {
      const q = MIDDLE_SEVEN.slice();
      const lower = q.map((x, j) => (j === joint && end < 0 ? x - 0.01 : -4.7));
      const upper = q.map((x, j) => (j === joint && end > 0 ? x + 0.01 : 4.7));
      const moving = new Moving(SEVEN_JOINTS, q, { lower, upper });
      const twist = Array.from({ length: 6 }, () => 1e-3 * random.gaussian());
      moving.compute(twist);
      const { rate } = moving;
      assert.ok(end * rate.rates[joint] <= 0, `joint ${joint} moves beyond its limit`);
      for (const [a, x] of moving.twist().entries()) {
        assert.ok(Math.abs(x - rate.scale * twist[a]) < 1e-15, `direction, axis ${a}`);
      }
      if (rate.scale === 1) went++;
    }
  }
  assert.ok(went >= 12, `${went} of 14 go on`);
});

test('self-motion keeps a redundant arm off its limits, and its end where it is led', () => {
  const run = (limitAvoidance: number): { nearest: number; drift: number } => {
    const q = [0.2, 0.3, -0.6, 1.4, -0.5, 0.4, 0.1];
    const lower = q.map((x) => x - 1.6);
    const upper = q.map((x) => x + 1.6);
    lower[0] = q[0] - 0.2;
    upper[0] = q[0] + 3;
    const moving = new Moving(SEVEN_JOINTS, q, { lower, upper, limitAvoidance });
    moving.arm.evaluate(moving.q);
    const start = moving.arm.pose.slice();
    for (let n = 0; n < 4000; n++)
      moving.step([0.2 * Math.cos(n / 200), 0, 0.2 * Math.sin(n / 200), 0, 0, 0], 0.01);
    moving.arm.evaluate(moving.q);
    const nearest = Math.min(
      ...moving.q.map((x, j) => Math.min(upper[j] - x, x - lower[j]) / (upper[j] - lower[j])),
    );
    // twists that sum to a known move: ∫ cos, ∫ sin over 4000 steps
    let [x, z] = [0, 0];
    for (let n = 0; n < 4000; n++) {
      x += 0.01 * 0.2 * Math.cos(n / 200);
      z += 0.01 * 0.2 * Math.sin(n / 200);
    }
    const dx = moving.arm.pose[0] - start[0] - x;
    const dz = moving.arm.pose[2] - start[2] - z;
    return { nearest, drift: Math.sqrt(dx * dx + dz * dz) };
  };
  const idle = run(0);
  const active = run(0.5);
  assert.ok(active.nearest > idle.nearest + 0.01, `${active.nearest} beside ${idle.nearest}`);
  // explicit Euler: ½ q̇² h t of curvature times 15 m, with rates of 0.01 rad/s
  assert.ok(active.drift < 1e-3, `drift ${active.drift} m`);
});

test('arms that it cannot lead are refused by name', () => {
  const arm = makeArm(SIX_JOINTS);
  const good = modelOf(arm, 2.5);
  const bad: [Partial<ResolvedRateModel>, RegExp][] = [
    [{ rateLimit: [1, 1, 1] }, /6 … 8 joints, got 3/],
    [{ lower: [0] }, /6 values of `lower`, got 1/],
    [{ rateLimit: [1, 1, 0, 1, 1, 1] }, /`rateLimit\[2\]` .* > 0, got 0/],
    [{ upper: good.lower }, /`upper\[0\]`/],
    [{ length: 0 }, /`length`/],
    [{ conditionStop: 10 }, /`conditionStop`/],
    [{ limitAvoidance: 2 }, /`limitAvoidance` .* 0 … 1, got 2/],
    [{ limitTime: 0 }, /`limitTime`/],
  ];
  for (const [changes, message] of bad) {
    assert.throws(() => new ResolvedRate({ ...good, ...changes }), message);
  }
});
