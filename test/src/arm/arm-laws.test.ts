/** The control laws of the articulated arm in the step of a system. docs/theory/arm.md, Control laws. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ARM_READOUT,
  ARM_STATUSES,
  type ArmControlModel,
  JOINT_READOUT,
} from '../../../src/model/arm-spec.ts';
import { computePoseError } from '../../../src/control/pose-error.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';
import { armSystem, planarSystem, rigidArmSystem, SIX_ROWS } from '../../fixtures/arm-models.ts';

const STEP_s = 0.001;
const HARDWARE = 2;
const FOLLOW = 0;
const ACCOMMODATE = 1;
const BRAKE = 2;
const POSITION = JOINT_READOUT.indexOf('position');
const REFERENCE = JOINT_READOUT.indexOf('reference');
const TORQUE = JOINT_READOUT.indexOf('torque');

const IMPEDANCE: ArmControlModel = { law: 'impedance', impedance: SIX_ROWS };
const FREQUENCY = 3;
const DAMPING = 0.7;
const COMPUTED: ArmControlModel = {
  law: 'computed-torque',
  gains: { frequency: FREQUENCY, damping: DAMPING },
};

/** An arm in `hardware` mode without an operator and with stiff accommodation: the wrench acts on the law alone. */
function make(model: SystemModel): System {
  const system = makeSystem(model);
  system.useSchedule = false;
  const tool = system.tool!;
  tool.mode = HARDWARE;
  tool.measuredMotion.set(system.arm!.tip);
  system.accommodation!.change(Float64Array.of(0, 0, 0, 0, 0, 0, 0, NaN, NaN, NaN, NaN), 0);
  run(system, 600);
  return system;
}

function run(system: System, steps: number, each?: (step: number) => void): void {
  for (let i = 0; i < steps; i++) {
    each?.(i);
    assert.equal(system.step(STEP_s), 0, `step ${i} is finite`);
  }
}

function joint(system: System, j: number, column: number): number {
  const row = new Float64Array(JOINT_READOUT.length);
  system.arm!.readJoint(j, row, 0);
  return row[column];
}

function told(system: System, name: (typeof ARM_READOUT)[number]): number {
  const row = new Float64Array(ARM_READOUT.length);
  system.arm!.readArm(row, 0);
  return row[ARM_READOUT.indexOf(name)];
}

const status = (system: System): string => ARM_STATUSES[told(system, 'status')];

/** J K⁻¹ Jᵀ w of gears and modes at the present pose: elastic displacement of the tip, six rows. */
function compliance(system: System, wrench: readonly number[]): number[] {
  const { tree, joints } = system.arm!;
  const { n } = tree;
  const jacobian = new Float64Array(6 * n);
  tree.frameJacobian(
    tree.model.frames.findIndex(({ name }) => name === 'tip'),
    jacobian,
  );
  const out = [0, 0, 0, 0, 0, 0];
  const add = (column: number, stiffness: number): void => {
    const push = wrench.reduce((sum, value, a) => sum + value * jacobian[a * n + column], 0);
    for (let a = 0; a < 6; a++) out[a] += (jacobian[a * n + column] * push) / stiffness;
  };
  for (let j = 0; j < joints.count; j++) add(joints.rate[j], joints.stiffness[j]);
  // modes come behind the joints in a tree
  joints.modeStiffness.forEach((stiffness, k) => {
    add(joints.count + k, stiffness);
  });
  return out;
}

describe('impedance, seven joints with gears and links that give way', () => {
  const wrench = [20, -15, 10, 12, 8, -10];
  const system = make(armSystem(2, undefined, IMPEDANCE));
  const start = Float64Array.from(system.arm!.tip);
  run(system, 9000, () => {
    system.tool!.measuredWrench.set(wrench);
  });
  const turn = told(system, 'deflectionAngle');
  const bent = compliance(system, wrench);
  const way = new Float64Array(6);
  computePoseError(way, system.arm!.tip, 0, start, 0);

  test('the tip rests at w/K_p in each row, and what joints and links give way by beside it', () => {
    const { stiffness } = SIX_ROWS.rows;
    for (let a = 0; a < 6; a++) {
      const wanted = wrench[a] / stiffness[a] + bent[a];
      // the law has the Jacobian of the straight arm: off by the angle it is bent by, times the 14 m of its booms; and turns of 15 mrad
      // add up to first order
      const scale = a < 3 ? 14 : 1;
      const tolerance = (turn + 1e-4) * Math.abs(wanted) + 2e-2 * turn * scale + 5e-4 * scale;
      assert.ok(Math.abs(way[a] - wanted) < tolerance, `row ${a}: ${way[a]} for ${wanted}`);
    }
    assert.ok(Math.abs(bent[1]) > 1e-4, `it bends by ${bent[1]} m`);
    assert.equal(status(system), 'nominal');
  });

  test('it follows without a step of the set-point and holds the wrench when motion begins again', () => {
    const tool = system.tool!;
    const before = Float64Array.from(tool.setpoint);
    tool.measuredMotion.set(before);
    tool.motion = FOLLOW;
    run(system, 50);
    tool.motion = ACCOMMODATE;
    const error = new Float64Array(6);
    run(system, 1000, () => {
      computePoseError(error, tool.setpoint, 0, before, 0);
      // 0.1 mm over the 20 N: what is left of the swing, and of the mean of the wrench
      assert.ok(Math.hypot(...error.slice(0, 3)) < 1e-3, `${Math.hypot(...error.slice(0, 3))} m`);
    });
  });

  test('it stops at the deceleration, the brakes hold, and it goes on from there', () => {
    const tool = system.tool!;
    run(system, 1500, () => (tool.command[1] = 0.04));
    tool.motion = BRAKE;
    run(system, 1000);
    assert.equal(told(system, 'brake'), 1);
    const rest = Float64Array.from(tool.setpoint);
    run(system, 100);
    assert.deepEqual(tool.setpoint, rest);
    tool.command.fill(0);
    tool.motion = ACCOMMODATE;
    run(system, 500);
    const error = new Float64Array(6);
    computePoseError(error, tool.setpoint, 0, rest, 0);
    assert.ok(Math.hypot(...error.slice(0, 3)) < 1e-3, `${Math.hypot(...error)}`);
  });
});

describe('computed torque, seven stiff joints', () => {
  test('an error decays in each joint by the two poles of the gains', () => {
    const system = make(rigidArmSystem(COMPUTED));
    const { tree } = system.arm!;
    const off = (j: number): number => (j % 2 === 0 ? 0.02 : -0.01);
    for (let j = 0; j < 7; j++) tree.q[j] += off(j);
    system.restore(system.state.slice());
    const damped = FREQUENCY * Math.sqrt(1 - DAMPING ** 2);
    run(system, 1500, (i) => {
      const t = i * STEP_s;
      const decay = Math.exp(-DAMPING * FREQUENCY * t);
      const shape = Math.cos(damped * t) + ((DAMPING * FREQUENCY) / damped) * Math.sin(damped * t);
      for (let j = 0; j < 7; j++) {
        const error = joint(system, j, POSITION) - joint(system, j, REFERENCE);
        // a torque that holds for 1 ms lags by half of that: the poles move by ζω h/2 = 0.1 %, and the arm by 1 mrad/s in a step
        const wanted = off(j) * decay * shape;
        assert.ok(Math.abs(error - wanted) < 4e-3 * 0.02, `joint ${j} at ${t} s: ${error}`);
      }
    });
  });

  test('it follows a twist closer than the servos', () => {
    const worst = (model: SystemModel): number => {
      const system = make(model);
      let largest = 0;
      run(system, 3000, (i) => {
        const phase = (2 * Math.PI * i) / 3000;
        for (let a = 0; a < 3; a++) {
          system.tool!.command[a] = 0.05 * Math.sin(phase) * [1, -0.6, 0.4][a];
        }
        for (let j = 0; j < 7; j++) {
          const error = joint(system, j, POSITION) - joint(system, j, REFERENCE);
          largest = Math.max(largest, Math.abs(error));
        }
      });
      return largest;
    };
    const computed = worst(rigidArmSystem(COMPUTED));
    const servos = worst(rigidArmSystem());
    assert.ok(servos > 1e-4, `the servos lag by ${servos} rad`);
    // servos of 8 rad/s take neither the inertia of the other joints nor accelerations into account
    assert.ok(computed < 0.1 * servos, `${computed} and ${servos} rad`);
  });
});

describe('planar arm of three joints, two rows', () => {
  test('resolved rates move its tip along both, and nothing else is asked of it', () => {
    const system = make(planarSystem('resolved-rate'));
    const start = Float64Array.from(system.arm!.tip);
    run(system, 8000, (i) => {
      const phase = (2 * Math.PI * i) / 4000;
      const speed = i < 4000 ? 0.03 * (1 - Math.cos(phase)) : 0;
      system.tool!.command.set([speed, -0.5 * speed, 0.02, 0.01, 0, 0]);
    });
    const { tip } = system.arm!;
    // 0.12 m; servos hold the rotors at 8 rad/s, links swing by a few mm at 1 % of damping
    assert.ok(Math.abs(tip[0] - start[0] - 0.12) < 3e-3, `${tip[0] - start[0]} m`);
    assert.ok(Math.abs(tip[1] - start[1] + 0.06) < 3e-3, `${tip[1] - start[1]} m`);
    assert.equal(tip[2], start[2]);
    assert.equal(status(system), 'nominal');
    assert.ok(told(system, 'condition') < 17, `condition ${told(system, 'condition')}`);
    assert.ok(told(system, 'manipulability') > 1, `${told(system, 'manipulability')}`);
  });

  test('a twist that it cannot take is taken as far as it can, for the energy that the mobility says', () => {
    const system = make(planarSystem('resolved-rate'));
    const arm = system.arm!;
    arm.computeMobility();
    for (const a of [2, 3, 4]) assert.equal(arm.mobility[7 * a], 0, `row ${a} gives way`);
    const wanted = Float64Array.of(0.02, -0.01, 0.03, 0.01, -0.02, 0.005);
    system.setArmTwist(wanted, 0);
    const twist = arm.tip.slice(7);
    for (const a of [0, 1, 5]) {
      assert.ok(Math.abs(twist[a] - wanted[a]) < 1e-8, `row ${a}: ${twist[a]} for ${wanted[a]}`);
    }
    for (const a of [2, 3, 4]) assert.equal(twist[a], 0, `row ${a}`);
  });

  test('composite: the tip goes along its path with a body that moves, and presses back', () => {
    const system = make(planarSystem('composite'));
    const target = system.bodyIndex('target');
    const motion = new Float64Array(13);
    run(system, 12_000, () => (system.tool!.measuredWrench[1] = -2));
    system.readBody(target, motion, 0);
    const error = [0.2, -0.5].map((at, a) => system.arm!.tip[a] - motion[a] - at);
    // w/K_p = −50 mm, and the correction demands the 2 N of the contact: the rest is the bending by
    // 2 N
    assert.ok(Math.abs(error[0]) < 2e-3, `along: ${error[0]} m`);
    assert.ok(Math.abs(error[1] + 0.05) < 3e-3, `across: ${error[1]} m`);
  });
});

test('a reference that pulls beyond the largest torque waits for the arm', () => {
  const limited = armSystem(0, undefined, IMPEDANCE);
  const { robot } = limited.tool!;
  const links = robot!.tree.links.map((link) => {
    const { joint: one } = link;
    if (one.kind !== 'revolute') return link;
    return { ...link, joint: { ...one, drive: { ...one.drive!, effortLimit: 120 } } };
  });
  const tree = { ...robot!.tree, links };
  const system = make({ ...limited, tool: { ...limited.tool!, robot: { ...robot!, tree } } });
  const start = Float64Array.from(system.arm!.tip);
  // a wall of 1e4 N/m, flown into for 8 s: at 400 N/m the reference would be 0.8 m behind it, and pull with 320 N
  let seen = false;
  run(system, 8000, () => {
    system.tool!.command[2] = -0.1;
    const depth = start[2] - system.arm!.tip[2];
    system.tool!.measuredWrench[2] = depth > 0 ? 1e4 * depth : 0;
    for (let j = 0; j < 7; j++) {
      assert.ok(Math.abs(joint(system, j, TORQUE)) <= 120, 'within the limit');
    }
    seen ||= status(system) === 'effort_limited';
  });
  assert.ok(seen, 'it says so');
  run(system, 1000, () => {
    system.tool!.command[2] = 0.1;
    system.tool!.measuredWrench[2] = Math.max(0, 1e4 * (start[2] - system.arm!.tip[2]));
  });
  const force = system.tool!.measuredWrench[2];
  assert.ok(force < 100, `let go at once, it presses with ${force} N`);
});

test('pushed to the end of a joint, the arm is held there by its servo, and the tip comes back', () => {
  const free = rigidArmSystem(IMPEDANCE);
  const { robot } = free.tool!;
  const links = robot!.tree.links.map((link, i) => {
    const { joint: one } = link;
    if (one.kind !== 'revolute' || i !== 1) return link;
    return { ...link, joint: { ...one, lower: one.position - 0.05, upper: one.position + 0.05 } };
  });
  const tree = { ...robot!.tree, links };
  const system = make({ ...free, tool: { ...free.tool!, robot: { ...robot!, tree } } });
  const start = joint(system, 1, POSITION);
  const tip = Float64Array.from(system.arm!.tip);
  let largest = 0;
  // 1.5 m by K_p = 400 N/m, of which the joint has 30 mrad on some 15 m before its margin
  run(system, 6000, () => {
    system.tool!.measuredWrench[2] = -600;
    largest = Math.max(largest, Math.abs(joint(system, 1, POSITION) - start));
  });
  assert.ok(largest > 0.03, `it comes to the margin: ${largest} rad`);
  // the servo at 8 rad/s yields by tau/(I w²), I of the whole arm: mrad
  assert.ok(largest < 0.05, `${largest} rad of 0.05`);
  run(system, 9000, () => {
    system.tool!.measuredWrench.fill(0);
  });
  // the joint runs into its other end on the way and the others make up for it; 1.4 m by e^-8 from there on
  const left = Math.abs(system.arm!.tip[2] - tip[2]);
  assert.ok(left < 1e-3, `it stays ${left} m away`);
});

describe('state', () => {
  const fly = (system: System, from: number, to: number): void => {
    const tool = system.tool!;
    for (let i = from; i < to; i++) {
      tool.motion = i % 350 > 300 ? BRAKE : i % 450 > 420 ? FOLLOW : ACCOMMODATE;
      tool.command[i % 3] = 0.03 * Math.sin(i / 200);
      for (let a = 0; a < 6; a++) tool.measuredWrench[a] = 5 * Math.sin(i / 50 + a);
      tool.measuredMotion.set(tool.setpoint);
      assert.equal(system.step(STEP_s), 0, `step ${i}`);
    }
  };
  const models: Record<string, () => SystemModel> = {
    'computed torque': () => armSystem(2, undefined, COMPUTED),
    impedance: () => armSystem(2, undefined, IMPEDANCE),
    composite: () => planarSystem('composite'),
  };
  for (const [name, model] of Object.entries(models)) {
    test(`${name}: two runs end in the same bits, and one that takes over goes on bit for bit`, () => {
      const [one, other, third] = [1, 2, 3].map(() => make(model()));
      fly(one, 0, 1000);
      fly(other, 0, 500);
      third.restore(other.state);
      third.tool!.setpoint.set(other.tool!.setpoint);
      third.tool!.command.set(other.tool!.command);
      fly(other, 500, 1000);
      fly(third, 500, 1000);
      assert.equal(other.hash(), one.hash());
      assert.equal(third.hash(), one.hash());
    });
  }
});
