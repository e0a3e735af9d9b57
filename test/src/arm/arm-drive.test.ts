/** The articulated arm in a step: what bends, what rests, what follows. docs/theory/arm.md. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { ARM_READOUT, ARM_STATUSES, JOINT_READOUT } from '../../../src/model/arm-spec.ts';
import { computePoseError } from '../../../src/control/pose-error.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';
import type { JointFrictionModel } from '../../../src/model/tree-model.ts';
import { ARM_FRICTION, armSystem } from '../../fixtures/arm-models.ts';

const STEP_s = 0.001;
const SIMULATION = 0;
const HARDWARE = 2;
const FOLLOW = 0;
const ACCOMMODATE = 1;
const BRAKE = 2;
const column = (name: (typeof ARM_READOUT)[number]): number => ARM_READOUT.indexOf(name);

/** An arm in `hardware` mode without an operator; its measured pose is its own. */
function make(friction?: JointFrictionModel): System {
  const system = makeSystem(armSystem(2, friction));
  system.useSchedule = false;
  const tool = system.tool!;
  tool.mode = HARDWARE;
  tool.measuredMotion.set(system.arm!.tip);
  return system;
}

function run(system: System, steps: number, each?: (step: number) => void): void {
  for (let i = 0; i < steps; i++) {
    each?.(i);
    assert.equal(system.step(STEP_s), 0, `step ${i} is finite`);
  }
}

const told = (system: System): Float64Array => {
  const out = new Float64Array(ARM_READOUT.length);
  system.arm!.readArm(out, 0);
  return out;
};

/** Bent at rest by a wrench, while it follows: seven times the time of its mean. */
function bent(wrench: readonly number[]): System {
  const system = make();
  system.tool!.motion = FOLLOW;
  system.tool!.measuredWrench.set(wrench);
  run(system, 5000);
  return system;
}

describe('flexibility', () => {
  const push = [0, 0, -30, 0, 0, 0];
  const one = bent(push);
  const deflection = Array.from(told(one).slice(column('deflectionX'), column('deflectionX') + 3));

  test('half the work of a slow push is in beams and gears (Clapeyron)', () => {
    const energy = new Float64Array(3);
    one.arm!.tree.computeEnergy(energy);
    const work = -30 * deflection[2];
    // the tip turns by mrad: of second order in the bending is what is left out of either side
    const turn = told(one)[column('deflectionAngle')];
    assert.ok(work > 0.01, `the tip gives way: ${work} J`);
    assert.ok(
      Math.abs(energy[1] / (0.5 * work) - 1) < 10 * turn + 1e-3,
      `strain ${energy[1]} J, half the work ${0.5 * work} J, turn ${turn}`,
    );
  });

  test('what a push along one axis does along another, a push there does here (Maxwell)', () => {
    const other = bent([0, 30, 0, 0, 0, 0]);
    const [, , along] = told(other).slice(column('deflectionX'));
    assert.ok(Math.abs(deflection[1]) > 1e-5, `${deflection[1]}`);
    assert.ok(Math.abs(along / -deflection[1] - 1) < 0.02, `${along} and ${deflection[1]}`);
  });

  test('the wrench still on, the arm begins to accommodate without a step of its set-point', () => {
    const before = Float64Array.from(one.tool!.setpoint);
    one.tool!.motion = ACCOMMODATE;
    one.accommodation!.change(Float64Array.of(0, 0, 0, 0, 0, 0, 0, NaN, NaN, NaN, NaN), 0);
    run(one, 1000);
    const error = new Float64Array(6);
    computePoseError(error, one.tool!.setpoint, 0, before, 0);
    const way = Math.hypot(error[0], error[1], error[2]);
    // during the half second of the change it accommodates less and less: 20 N over 1e4 N s/m for a quarter of a second is 0.5 mm
    assert.ok(way < 0.6e-3, `${way} m`);
  });
});

test('an arm of the Dextre class pressed on a wall rests at dead-band plus gain times speed', () => {
  const model = compileScenario(loadScenario('dextre-battery-box'));
  const system = makeSystem({ ...model, contacts: [] });
  system.useSchedule = false;
  const tool = system.tool!;
  tool.mode = HARDWARE;
  const start = Float64Array.from(system.arm!.tip);
  let force = 0;
  run(system, 15_000, (i) => {
    tool.command[0] = i < 10_000 ? 2e-3 : 0;
    force = Math.min(0, -5e4 * (system.arm!.tip[0] - start[0]));
    tool.measuredWrench[0] = force;
    // 10 N and 1e4 N s/m, exact at rest: the arm of some 4 kN/m goes there with 0.4 1/s, so e^-4 of the way is left
    if (i === 9_999) assert.ok(Math.abs(-force / 30 - 1) < 0.03, `${force} N`);
  });
  assert.ok(Math.abs(-force / 10 - 1) < 0.4, `let go it eases to the dead-band: ${force} N`);
});

test('a stop comes to rest at its deceleration, for good, and the arm goes on from there', () => {
  const system = make();
  const tool = system.tool!;
  tool.deceleration = 0.5;
  run(system, 3000, () => (tool.command[1] = 0.05));
  const speed = Math.hypot(...tool.setpoint.slice(7, 10));
  // the flexible tip swings about the speed of the joints
  assert.ok(Math.abs(speed / 0.05 - 1) < 0.5, `${speed} m/s`);
  tool.motion = BRAKE;
  const steps = Math.ceil(speed / (0.5 * STEP_s)) + 1;
  run(system, steps);
  assert.equal(Math.hypot(...tool.setpoint.slice(7)), 0);
  run(system, 100);
  assert.equal(told(system)[column('brake')], 1);
  const rest = Float64Array.from(tool.setpoint);
  run(system, 500);
  assert.deepEqual(tool.setpoint, rest, 'it stands still');
  tool.motion = ACCOMMODATE;
  tool.command.fill(0);
  run(system, 1000);
  const error = new Float64Array(6);
  computePoseError(error, tool.setpoint, 0, rest, 0);
  // the inverse kinematics of the stop leaves less than this, and nothing moves the arm
  assert.ok(Math.hypot(...error) < 1e-5, `${Math.hypot(...error)}`);
});

describe('following', () => {
  test('the tip is where the measured pose is, and at rest', () => {
    const system = make();
    const tool = system.tool!;
    tool.motion = FOLLOW;
    const start = Float64Array.from(system.arm!.tip);
    const error = new Float64Array(6);
    run(system, 2000, (i) => {
      const phase = (i / 2000) * 2 * Math.PI;
      tool.measuredMotion[0] = start[0] - 0.2 * Math.sin(phase);
      tool.measuredMotion[1] = start[1] + 0.2 * (1 - Math.cos(phase));
      if (i % 100 !== 99) return;
      computePoseError(error, tool.setpoint, 0, system.arm!.tip, 0);
      assert.ok(Math.hypot(...error) < 1e-12, 'the set-point is the tip');
      computePoseError(error, tool.measuredMotion, 0, tool.setpoint, 0);
      // the arm goes there in the step that measures it; what iterations leave is of the fourth order in 0.6 mm
      assert.ok(Math.hypot(...error) < 1e-3, `${Math.hypot(...error)}`);
    });
    run(system, 3);
    computePoseError(error, tool.measuredMotion, 0, tool.setpoint, 0);
    assert.ok(Math.hypot(...error) < 1e-8, `${Math.hypot(...error)}`);
    assert.equal(ARM_STATUSES[told(system)[column('status')]], 'nominal');
  });

  test('out of reach it says so', () => {
    const system = make();
    system.tool!.motion = FOLLOW;
    system.tool!.measuredMotion[0] += 100;
    run(system, 50);
    assert.equal(ARM_STATUSES[told(system)[column('status')]], 'not_reached');
  });
});

test('the twist of the tip can be set, for the energy that the mobility says', () => {
  const system = make();
  const arm = system.arm!;
  run(system, 500, () => (system.tool!.command[2] = 0.05));
  const energy = new Float64Array(3);
  arm.tree.computeEnergy(energy);
  const before = energy[0];
  const old = Array.from(arm.tip.slice(7));
  const wanted = Float64Array.from(old, (value, a) => value * (a === 2 ? 0.4 : 1.1) + 0.001);
  arm.computeMobility();
  const impulse = solve(
    Array.from(arm.mobility),
    Array.from(wanted, (v, a) => v - old[a]),
  );
  system.setArmTwist(wanted, 0);
  const error = arm.tip.slice(7).map((value, a) => value - wanted[a]);
  assert.ok(Math.hypot(...error) < 1e-8, String(error));
  assert.deepEqual(system.tool!.setpoint.slice(7), arm.tip.slice(7));
  arm.tree.computeEnergy(energy);
  // an impulse p at a point does the work p·(v + v')/2
  const work = impulse.reduce((sum, p, a) => sum + 0.5 * p * (old[a] + wanted[a]), 0);
  assert.ok(Math.abs(energy[0] - before - work) < 1e-9, `${energy[0] - before} J, ${work} J`);
});

/** Gauss with pivots. */
function solve(matrix: number[], right: number[]): number[] {
  const n = right.length;
  const a = right.map((value, i) => [...matrix.slice(n * i, n * i + n), value]);
  for (let k = 0; k < n; k++) {
    const p = a
      .slice(k)
      .reduce((best, row, i) => (Math.abs(row[k]) > Math.abs(a[best][k]) ? i + k : best), k);
    [a[k], a[p]] = [a[p], a[k]];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const f = a[i][k] / a[k][k];
      for (let j = k; j <= n; j++) a[i][j] -= f * a[k][j];
    }
  }
  return a.map((row, i) => row[n] / row[i]);
}

describe('friction of the motors', () => {
  /** Torque of each servo and turn of its rotor after a push of 0.1 mm: means over two periods, since the tip still swings. */
  const pulled = (friction?: JointFrictionModel): { torque: number[]; turned: number[] } => {
    const system = make(friction);
    const arm = system.arm!;
    const row = new Float64Array(JOINT_READOUT.length);
    const value = (name: (typeof JOINT_READOUT)[number]): number =>
      row[JOINT_READOUT.indexOf(name)];
    const torque = Array.from({ length: arm.jointCount }, () => 0);
    const turned = torque.map((_, j) => {
      arm.readJoint(j, row, 0);
      return -value('position');
    });
    run(system, 10_000, (i) => {
      system.tool!.command[1] = i < 2000 ? 5e-5 : 0;
      if (i < 2000) return;
      torque.forEach((_, j) => {
        arm.readJoint(j, row, 0);
        torque[j] += value('torque') / 8000;
        turned[j] += (value('position') + value('deflection')) / 8000;
      });
    });
    return { torque, turned };
  };

  test('a servo that pulls less than stiction bends bristles, and goes all the way without', () => {
    const stuck = pulled(ARM_FRICTION);
    const free = pulled();
    const most = Math.max(...stuck.torque.map(Math.abs));
    assert.ok(most > 0.2 && most < ARM_FRICTION.coulomb, `${most} N m`);
    stuck.torque.forEach((torque, j) => {
      const bristle = torque / ARM_FRICTION.bristleStiffness;
      // a fiftieth: in the push, at up to 5 µrad/s, bristles also stretch by themselves, (u/v_s)² T_C/σ1 for 2 s = 0.05 µrad of 5
      const off = Math.abs(stuck.turned[j] - bristle);
      assert.ok(off < 0.02 * (most / ARM_FRICTION.bristleStiffness), `joint ${j}: ${off} rad`);
    });
    assert.ok(Math.max(...free.torque.map(Math.abs)) < 0.05 * most, 'nothing holds it');
  });
});

describe('state', () => {
  const fly = (system: System, from: number, to: number): void => {
    const tool = system.tool!;
    for (let i = from; i < to; i++) {
      tool.motion = i % 700 > 600 ? BRAKE : i % 900 > 850 ? FOLLOW : ACCOMMODATE;
      tool.command[i % 3] = 0.03 * Math.sin(i / 200);
      for (let a = 0; a < 6; a++) tool.measuredWrench[a] = 20 * Math.sin(i / 50 + a);
      tool.measuredMotion.set(tool.setpoint);
      assert.equal(system.step(STEP_s), 0, `step ${i}`);
    }
  };

  test('two runs end in the same bits, and one that takes over goes on bit for bit', () => {
    const [one, other, third] = [1, 2, 3].map(() => make(ARM_FRICTION));
    fly(one, 0, 2000);
    fly(other, 0, 1000);
    third.restore(other.state);
    third.tool!.setpoint.set(other.tool!.setpoint);
    third.tool!.command.set(other.tool!.command);
    fly(other, 1000, 2000);
    fly(third, 1000, 2000);
    assert.equal(other.hash(), one.hash());
    assert.equal(third.hash(), one.hash());
  });

  test('a wrench that is no number changes nothing', () => {
    const system = make();
    run(system, 20);
    const hash = system.hash();
    system.tool!.measuredWrench[1] = NaN;
    assert.equal(system.step(STEP_s), 1);
    assert.equal(system.hash(), hash);
    system.tool!.measuredWrench[1] = 0;
    run(system, 20);
  });
});

test('in simulation, where nobody measures the tip, an arm that is cut off in motion rests, and begins again from there', () => {
  const system = make(ARM_FRICTION);
  const tool = system.tool!;
  tool.mode = SIMULATION;
  tool.motion = ACCOMMODATE;
  run(system, 2000, () => (tool.command[0] = 0.05));
  assert.ok(tool.setpoint[7] > 0.04, `${tool.setpoint[7]} m/s`);
  tool.command.fill(0);
  tool.motion = FOLLOW;
  run(system, 1);
  const rest = Float64Array.from(tool.setpoint);
  run(system, 500);
  assert.deepEqual(tool.setpoint, rest);
  tool.motion = ACCOMMODATE;
  run(system, 500);
  const moved = Math.hypot(...[0, 1, 2].map((a) => tool.setpoint[a] - rest[a]));
  // REACHED of the follower
  assert.ok(moved < 1e-8, `${moved} m`);
});
