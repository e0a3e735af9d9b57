/** The arm of a tool on a base that others move. docs/theory/arm.md. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BaseSway } from '../../../src/arm/base-sway.ts';
import { rigidTree } from '../../../src/arm/rigid-tree.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { ENERGY_READOUT, makeSystem, type System } from '../../../src/system/system.ts';
import {
  ARM_FRICTION,
  SWAY,
  floatingSystem,
  swayingSystem,
} from '../../fixtures/arm-base-models.ts';

const HARDWARE = 2;
const FOLLOW = 0;
const ACCOMMODATE = 1;
const BRAKE = 2;
const BALANCE = ENERGY_READOUT.indexOf('balance');
const EXTERNAL = ENERGY_READOUT.indexOf('externalWork');

/** Without flexibility: what is left is the servos. */
function stiff(model: SystemModel): SystemModel {
  const tool = model.tool!;
  const robot = tool.robot!;
  return { ...model, tool: { ...tool, robot: { ...robot, tree: rigidTree(robot.tree) } } };
}

function make(model: SystemModel): System {
  const system = makeSystem(model);
  system.useSchedule = false;
  system.tool!.mode = HARDWARE;
  system.tool!.measuredMotion.set(system.arm!.tip);
  return system;
}

function run(system: System, step: number, steps: number, each?: (time: number) => void): void {
  for (let i = 0; i < steps; i++) {
    each?.(i * step);
    assert.equal(system.step(step), 0, `step ${i} is finite`);
  }
}

const place = (motion: Float64Array): number[] => Array.from(motion.slice(0, 3));
const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((value, i) => value - b[i]));

test('twist and acceleration are the derivatives of the pose', () => {
  const half = Math.SQRT1_2;
  const sway = new BaseSway(SWAY, [1, 2, 3, half, 0, 0, half]);
  const at = (time: number): { state: Float64Array; acceleration: Float64Array } => {
    sway.compute(Float64Array.of(time));
    return { state: sway.state.slice(), acceleration: sway.acceleration.slice() };
  };
  assert.ok(distance(place(at(0).state), [1, 2, 3]) < 1e-15, 'it begins where it stands');
  const h = 1e-4;
  for (const time of [0.3, 2, 7]) {
    const [before, now, after] = [at(time - h), at(time), at(time + h)];
    for (let a = 0; a < 3; a++) {
      const speed = (after.state[a] - before.state[a]) / (2 * h);
      // central differences err by h²/6 of the third derivative, 2e-10, and by rounding of metres over h, 1e-11
      assert.ok(Math.abs(now.state[7 + a] - speed) < 1e-9, `speed ${a}`);
    }
    for (let a = 0; a < 6; a++) {
      const change = (after.state[7 + a] - before.state[7 + a]) / (2 * h);
      assert.ok(Math.abs(now.acceleration[a] - change) < 1e-9, `acceleration ${a}`);
    }
    // w from q' = ½ (w, 0) q: the vector part of 2 q' q*
    const [x, y, z, w] = now.state.slice(3, 7);
    const [dx, dy, dz, dw] = [3, 4, 5, 6].map((k) => (after.state[k] - before.state[k]) / (2 * h));
    const turn = [
      2 * (-dw * x + dx * w - dy * z + dz * y),
      2 * (-dw * y + dy * w - dz * x + dx * z),
      2 * (-dw * z + dz * w - dx * y + dy * x),
    ];
    assert.ok(
      distance(Array.from(now.state.slice(10)), turn) < 1e-9,
      `angular velocity ${String(turn)}`,
    );
  }
});

describe('the tip', () => {
  test('rests in the world while the base sways', () => {
    const system = make(stiff(swayingSystem()));
    const { tip, tree } = system.arm!;
    const start = place(tip);
    const base = place(tree.baseState);
    let off = 0;
    let gone = 0;
    run(system, 1e-3, 4000, () => {
      off = Math.max(off, distance(place(tip), start));
      gone = Math.max(gone, distance(place(tree.baseState), base));
    });
    assert.ok(gone > 0.05, `the base goes ${gone} m`);
    // a servo of 8 rad/s with its rate fed forward lags by q''/w²: at 1.5 rad/s, the quickest of the sway, (1.5/8)² of the way
    assert.ok(off < (1.5 / 8) ** 2 * gone, `${off} m of ${gone} m`);
    assert.ok(off > 1e-6, 'it is the servos that hold it');
  });

  test('in a stop it comes to rest and the joints go on to hold it; motion begins from there without a step', () => {
    const system = make(swayingSystem(2, ARM_FRICTION));
    const { tip, tree } = system.arm!;
    const tool = system.tool!;
    tool.deceleration = 0.5;
    run(system, 1e-3, 1500, () => (tool.command[1] = 0.04));
    tool.motion = BRAKE;
    run(system, 1e-3, 200);
    assert.equal(Math.hypot(...tool.setpoint.slice(7)), 0);
    const rest = place(tool.setpoint);
    const base = place(tree.baseState);
    run(system, 1e-3, 500, () => {
      // what inverse kinematics leaves of 50 µm a step in three iterations, and less than what counts as reached
      assert.ok(distance(place(tip), rest) < 1e-8, `${distance(place(tip), rest)} m`);
    });
    assert.deepEqual(place(tool.setpoint), rest);
    assert.ok(distance(place(tree.baseState), base) > 5e-3, 'the base goes on');
    tool.motion = ACCOMMODATE;
    tool.command.fill(0);
    run(system, 1e-3, 1);
    // joints that began at rest would leave the tip to the base, at 50 mm/s: 50 µm in the first step
    assert.ok(distance(place(tip), rest) < 2e-6, `${distance(place(tip), rest)} m`);
  });

  test('following, it is at the measured pose and at rest', () => {
    const system = make(swayingSystem());
    const { tip } = system.arm!;
    const tool = system.tool!;
    tool.motion = FOLLOW;
    run(system, 1e-3, 300, () => (tool.measuredMotion[2] += 1e-4));
    assert.ok(distance(place(tip), place(tool.measuredMotion)) < 1e-8, String(place(tip)));
    // the least of damping is left of 50 mm/s
    assert.ok(Math.hypot(...tip.slice(7, 10)) < 1e-8, String(tip.slice(7)));
  });
});

test('what moves the base works on the arm: the balance closes, of second order in the step', () => {
  const worst = (step: number): number[] => {
    const system = make(swayingSystem());
    const tool = system.tool!;
    const energy = new Float64Array(ENERGY_READOUT.length);
    const largest = [0, 0];
    run(system, step, Math.round(1.5 / step), (time) => {
      for (let a = 0; a < 6; a++) tool.measuredWrench[a] = 20 * Math.sin(3 * time + a);
      tool.command[2] = 0.05 * Math.sin(time);
      tool.motion = time > 0.7 && time < 0.8 ? FOLLOW : ACCOMMODATE;
      tool.measuredMotion.set(tool.setpoint);
      system.readEnergy(energy, 0);
      largest[0] = Math.max(largest[0], Math.abs(energy[BALANCE]));
      largest[1] = Math.max(largest[1], Math.abs(energy[EXTERNAL]));
    });
    return largest;
  };
  const [[coarse], [fine, external]] = [worst(2e-3), worst(1e-3)];
  assert.ok(external > 0.1, `${external} J come from outside`);
  // (w h)²/12 of what goes to and fro, w = 8 rad/s of the servos: 5e-6 at 1 ms
  assert.ok(fine < 5.3e-6 * external, `${fine} J of ${external} J`);
  assert.ok(coarse / fine > 3 && coarse / fine < 5, `${coarse} J, ${fine} J`);
});

test('a run that takes over goes on bit for bit', () => {
  const fly = (system: System, from: number, to: number): void => {
    const tool = system.tool!;
    for (let i = from; i < to; i++) {
      tool.motion = i % 300 > 200 ? BRAKE : i % 450 > 420 ? FOLLOW : ACCOMMODATE;
      tool.command[i % 3] = 0.03 * Math.sin(i / 200);
      for (let a = 0; a < 6; a++) tool.measuredWrench[a] = 20 * Math.sin(i / 50 + a);
      tool.measuredMotion.set(tool.setpoint);
      assert.equal(system.step(1e-3), 0, `step ${i}`);
    }
  };
  const [one, other] = [1, 2].map(() => make(swayingSystem(2, ARM_FRICTION)));
  fly(one, 0, 500);
  other.restore(one.state);
  other.tool!.setpoint.set(one.tool!.setpoint);
  other.tool!.command.set(one.tool!.command);
  fly(one, 500, 1000);
  fly(other, 500, 1000);
  assert.equal(other.hash(), one.hash());
});

describe('refused by name', () => {
  test('a base that floats or is on an orbit as well, and gravity', () => {
    const floating = structuredClone(floatingSystem());
    Reflect.set(floating.tool!.robot!, 'sway', SWAY);
    assert.throws(() => makeSystem(floating), /base\.sway without .*base\.free/);
    const model = swayingSystem();
    const tool = model.tool!;
    const orbit = { rate: 1e-3, radial: [1, 0, 0], normal: [0, 0, 1] } as const;
    const orbiting = { ...model, tool: { ...tool, robot: { ...tool.robot!, orbit } } };
    assert.throws(() => makeSystem(orbiting), /base\.sway without .*base\.orbit/);
    assert.throws(() => makeSystem({ ...model, gravity: [0, 0, -1] }), /gravity to be zero with/);
  });
});
