/** The arm of a tool on a spacecraft that floats. docs/theory/arm.md. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { ARM_READOUT } from '../../../src/model/arm-spec.ts';
import { FreeBase } from '../../../src/arm/free-base.ts';
import { rigidTree } from '../../../src/arm/rigid-tree.ts';
import { factorize, solveFactored } from '../../../src/math/lu.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import type { Tree } from '../../../src/multibody/tree/tree.ts';
import { ENERGY_READOUT, makeSystem, type System } from '../../../src/system/system.ts';
import { ARM_FRICTION, floatingSystem } from '../../fixtures/arm-base-models.ts';
import { makeTree } from '../../fixtures/tree-models.ts';

const SIMULATION = 0;
const HARDWARE = 2;
const FOLLOW = 0;
const ACCOMMODATE = 1;
const BRAKE = 2;
const BALANCE = ENERGY_READOUT.indexOf('balance');
const EXTERNAL = ENERGY_READOUT.indexOf('externalWork');
/** Error of a mid-point step of 1 ms, (w h)²/12, in what moves at 8 rad/s: the bandwidth of the servos, the quickest that lasts. */
const MIDPOINT = 5.3e-6;
const DRIFT = { velocity: [0.02, -0.01, 0.01], angularVelocity: [0.001, 0.002, -0.001] } as const;

function make(model: SystemModel, mode = SIMULATION): System {
  const system = makeSystem(model);
  system.useSchedule = false;
  system.tool!.mode = mode;
  return system;
}

function run(system: System, step: number, steps: number, each?: (time: number) => void): void {
  for (let i = 0; i < steps; i++) {
    each?.(i * step);
    assert.equal(system.step(step), 0, `step ${i} is finite`);
  }
}

const cross = (a: ArrayLike<number>, b: ArrayLike<number>): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Momentum, and angular momentum about the mass centre, world. */
function momenta(tree: Tree): number[] {
  const p = new Float64Array(6);
  tree.computeMomentum(p);
  let mass = 0;
  const first = [0, 0, 0];
  tree.links.forEach(({ inertia }) => {
    mass += inertia[0];
    for (let a = 0; a < 3; a++) first[a] += inertia[1 + a];
  });
  // first moments are about the origin of the first link
  const origin = tree.linkState(0);
  const turn = cross(
    first.map((value, a) => origin[a] + value / mass),
    p,
  );
  return Array.from(p, (value, a) => (a < 3 ? value : value - turn[a - 3]));
}

const norm = (values: readonly number[]): number => Math.hypot(...values);
const minus = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((value, i) => value - b[i]);

/** The rigid arm on a floating base. */
function rigid(): { tree: Tree; frame: number } {
  return { tree: makeTree(rigidTree(floatingSystem().tool!.robot!.tree)), frame: 0 };
}

describe('generalised Jacobian', () => {
  /** Rates of the base at which a unit rate of joint j has no momentum, from momenta of unit rates alone; then the twist of the tip. */
  function tipTwist(tree: Tree, frame: number, joint: number): number[] {
    const columns: number[][] = [];
    const p = new Float64Array(6);
    for (const k of [0, 1, 2, 3, 4, 5, 6 + joint]) {
      tree.u.fill(0);
      tree.u[k] = 1;
      tree.refresh();
      tree.computeMomentum(p);
      columns.push(Array.from(p));
    }
    const rates = solve(columns.slice(0, 6), columns[6]);
    tree.u.fill(0);
    tree.u[6 + joint] = 1;
    rates.forEach((rate, k) => (tree.u[k] = -rate));
    tree.refresh();
    return Array.from(tree.frameState(frame).slice(7));
  }

  test('a column is the twist of the tip at which all momenta stay zero', () => {
    const { tree, frame } = rigid();
    const jacobian = new Float64Array(6 * tree.n);
    tree.frameJacobian(frame, jacobian);
    const fixed = jacobian.slice();
    new FreeBase(tree, tree).reduce(jacobian, new Float64Array(6));
    let most = 0;
    for (let j = 0; j < 7; j++) {
      const wanted = tipTwist(tree, frame, j);
      const column = wanted.map((_, a) => jacobian[a * tree.n + 6 + j]);
      // solving for six rates costs the condition of H_b, about 1e4, of 1e-16
      assert.ok(norm(minus(column, wanted)) < 1e-10, `joint ${j}: ${norm(minus(column, wanted))}`);
      const other = wanted.map((_, a) => fixed[a * tree.n + 6 + j]);
      most = Math.max(most, norm(minus(other, wanted)) / norm(wanted));
    }
    assert.ok(most > 0.2, `that of a base that stands is another: by up to ${most}`);
  });

  test('the twist that momentum gives is that of the tip with joints held', () => {
    const { tree, frame } = rigid();
    for (let k = 0; k < 6; k++) tree.u[k] = 0.01 * (k - 2.3);
    tree.refresh();
    const jacobian = new Float64Array(6 * tree.n);
    tree.frameJacobian(frame, jacobian);
    const twist = Float64Array.from(tree.frameState(frame).slice(7));
    const before = norm(Array.from(twist));
    new FreeBase(tree, tree).reduce(jacobian, twist);
    assert.ok(norm(Array.from(twist)) < 1e-12 * before, String(twist));
  });
});

/** x with Σ columns[k] x_k = right. */
function solve(columns: readonly number[][], right: readonly number[]): number[] {
  const n = right.length;
  const matrix = Float64Array.from(right.flatMap((_, i) => columns.map((column) => column[i])));
  const pivots = new Int32Array(n);
  assert.ok(factorize(matrix, n, pivots), 'the columns are independent');
  const x = Float64Array.from(right);
  solveFactored(matrix, n, pivots, x, 0);
  return Array.from(x);
}

describe('momenta', () => {
  /** Largest change of the momenta without contact, the joints moving; and what the links carry to and fro. */
  const drift = (step: number, moving: boolean): { change: number; carried: number } => {
    const system = make(floatingSystem(2, ARM_FRICTION, moving ? DRIFT : undefined));
    const { tree } = system.arm!;
    const start = momenta(tree);
    let change = 0;
    let carried = 0;
    run(system, step, Math.round(1 / step), (time) => {
      system.tool!.command[0] = 0.08 * Math.sin(2 * time);
      system.tool!.command[1] = 0.05;
      system.tool!.command[5] = 0.02;
      change = Math.max(change, norm(minus(momenta(tree), start)));
      carried = Math.max(carried, 4500 * norm(Array.from(tree.u.slice(0, 3))));
    });
    return { change, carried };
  };

  test('no joint moves the mass centre or turns the whole: what the step errs is of second order', () => {
    const [coarse, fine] = [drift(2e-3, false), drift(1e-3, false)];
    assert.ok(fine.carried > 5, `the base reacts: ${fine.carried} N s`);
    assert.ok(fine.change < MIDPOINT * fine.carried, `${fine.change} N s`);
    const ratio = coarse.change / fine.change;
    assert.ok(ratio > 3 && ratio < 5, `${coarse.change} at 2 ms, ${fine.change} at 1 ms`);
  });

  test('nor when it drifts and turns from the start', () => {
    const { change, carried } = drift(1e-3, true);
    assert.ok(change < MIDPOINT * carried, `${change} of ${carried} N s`);
  });

  test('a wrench on the tip changes them by its impulse', () => {
    const worst = (step: number): number => {
      const system = make(floatingSystem(2, undefined, DRIFT), HARDWARE);
      const { tree, tip } = system.arm!;
      const tool = system.tool!;
      const p = new Float64Array(6);
      tree.computeMomentum(p);
      const wanted = Array.from(p);
      const middle = [0, 0, 0];
      let off = 0;
      run(system, step, Math.round(1 / step), (time) => {
        tree.computeMomentum(p);
        off = Math.max(off, norm(minus(Array.from(p), wanted)));
        for (let a = 0; a < 6; a++) tool.measuredWrench[a] = 30 * Math.sin(3 * time + a);
        const f = Array.from(tool.measuredWrench);
        for (let a = 0; a < 3; a++) middle[a] = tip[a] + 0.5 * step * tip[7 + a];
        const turn = cross(middle, f);
        for (let a = 0; a < 6; a++) wanted[a] += step * (f[a] + (a < 3 ? 0 : turn[a - 3]));
      });
      return off;
    };
    const [coarse, fine] = [worst(2e-3), worst(1e-3)];
    // impulses of 30 N s and, some 10 m off, 300 N m s
    assert.ok(fine < MIDPOINT * 30, `${fine} N s at 1 ms`);
    assert.ok(coarse / fine > 3, `${coarse} at 2 ms, ${fine} at 1 ms`);
  });

  test('pressed on a floating station, what one loses the other gets', () => {
    const system = make(compileScenario(loadScenario('free-flyer-capture')));
    system.useSchedule = true;
    const { tree } = system.arm!;
    const station = system.bodyIndex('station');
    const body = new Float64Array(13);
    const p = new Float64Array(6);
    const energy = new Float64Array(ENERGY_READOUT.length);
    let worst = 0;
    let got = 0;
    run(system, 1e-3, 5500, () => {
      tree.computeMomentum(p);
      system.readBody(station, body, 0);
      const sum = [0, 1, 2].map((a) => p[a] + 420_000 * body[7 + a]);
      worst = Math.max(worst, norm(sum));
      got = Math.max(got, 420_000 * body[7]);
    });
    assert.ok(got > 15, `the station got ${got} N s`);
    assert.ok(worst < 1e-7 * got, `${worst} N s`);
    // 5 N and 3000 N s/m at 1 mm/s, less the retreat of the station at 60 µm/s; within a tenth,
    // because of joint friction
    const away = got / 420_000;
    const force = -system.tool!.modelWrench[0];
    const plateau = 5 + 3000 * (1e-3 - away);
    assert.ok(Math.abs(force / plateau - 1) < 0.1, `${force} N of ${plateau} N`);
    system.readEnergy(energy, 0);
    assert.ok(Math.abs(energy[BALANCE]) < 1e-7 * energy[EXTERNAL], `${energy[BALANCE]} J`);
    // the servicer is being pushed away while its tool stays
    assert.ok(tree.linkState(0)[7] < -5e-3, `${tree.linkState(0)[7]} m/s`);
  });
});

describe('resolved rates', () => {
  /** Stiff, without friction: what is left is the servos. */
  const stiff = (model: SystemModel): SystemModel => {
    const tool = model.tool!;
    const robot = tool.robot!;
    return { ...model, tool: { ...tool, robot: { ...robot, tree: rigidTree(robot.tree) } } };
  };

  test('the tip follows its twist in the world, where a base taken for one that stands misses by much', () => {
    const system = make(stiff(floatingSystem()));
    const arm = system.arm!;
    const wanted = [0.03, -0.02, 0.04, 0, 0.01, 0];
    run(system, 1e-3, 3000, () => system.tool!.command.set(wanted));
    const twist = Array.from(arm.tip.slice(7));
    // after 24 of its periods 1/8 s a servo lags by q'''/w²: with q' of 0.01 rad/s that is 1e-6/64 rad/s; a thousandth is generous
    assert.ok(norm(minus(twist, wanted)) < 1e-3 * norm(wanted), String(twist));
    const base = Array.from(arm.tree.linkState(0).slice(7));
    assert.ok(norm(base) > 0.1 * norm(wanted), `and the base gives way: ${String(base)}`);
    // a controller for a base that stands would count on the joints alone
    const joints = minus(twist, carried(arm.tree));
    assert.ok(norm(minus(joints, wanted)) > 0.2 * norm(wanted), String(joints));
  });

  test('with momentum from the start the tip is held while the base goes by', () => {
    const system = make(stiff(floatingSystem(2, undefined, DRIFT)));
    const arm = system.arm!;
    run(system, 1e-3, 1500);
    const held = Array.from(arm.tip.slice(0, 3));
    run(system, 1e-3, 2000);
    const way = norm(minus(Array.from(arm.tip.slice(0, 3)), held));
    // the base passes by at 20 mm/s and more: 40 mm in these two seconds; a thousandth as above
    assert.ok(way < 1e-3 * 0.04, `${way} m`);
    assert.ok(norm(Array.from(arm.tree.linkState(0).slice(7, 10))) > 0.02, 'it drifts');
  });

  /** Twist of the tip by the motion of the base alone. */
  function carried(tree: Tree): number[] {
    const x = tree.linkState(0);
    const tip = tree.frameState(0);
    const w = Array.from(x.slice(10));
    const turn = cross(w, [tip[0] - x[0], tip[1] - x[1], tip[2] - x[2]]);
    return [...turn.map((value, a) => value + x[7 + a]), ...w];
  }
});

test('the balance closes: the error is of second order in the step', () => {
  const worst = (step: number): number[] => {
    const system = make(floatingSystem(2, undefined, DRIFT), HARDWARE);
    const tool = system.tool!;
    const energy = new Float64Array(ENERGY_READOUT.length);
    const largest = [0, 0];
    run(system, step, Math.round(1 / step), (time) => {
      for (let a = 0; a < 6; a++) tool.measuredWrench[a] = 20 * Math.sin(3 * time + a);
      tool.command[2] = 0.05 * Math.sin(time);
      system.readEnergy(energy, 0);
      largest[0] = Math.max(largest[0], Math.abs(energy[BALANCE]));
      largest[1] = Math.max(largest[1], Math.abs(energy[EXTERNAL]));
    });
    return largest;
  };
  const [[coarse], [fine, external]] = [worst(2e-3), worst(1e-3)];
  assert.ok(external > 0.5, `${external} J come from outside`);
  assert.ok(fine < 1e-6 * external, `${fine} J of ${external} J`);
  assert.ok(coarse / fine > 3 && coarse / fine < 5, `${coarse} J, ${fine} J`);
});

test('a blow on the tip gives it the twist asked for, and the whole its impulse', () => {
  const system = make(floatingSystem(2, undefined, DRIFT), HARDWARE);
  const arm = system.arm!;
  run(system, 1e-3, 300, () => (system.tool!.command[1] = 0.05));
  const p = new Float64Array(6);
  arm.tree.computeMomentum(p);
  const before = Array.from(p);
  const mobility = (): number[] => {
    arm.computeMobility();
    return Array.from(arm.mobility);
  };
  const change = [0.01, -0.02, 0.015, 0.002, 0.001, -0.003];
  const g = mobility();
  const columns = change.map((_, k) => change.map((__, i) => g[6 * i + k]));
  const impulse = solve(columns, change);
  const wanted = Float64Array.from(change, (value, a) => value + arm.tip[7 + a]);
  system.setArmTwist(wanted, 0);
  const off = norm(minus(Array.from(arm.tip.slice(7)), Array.from(wanted)));
  assert.ok(off < 1e-8, `${off}`);
  arm.tree.computeMomentum(p);
  const turn = cross(arm.tip, impulse);
  const got = minus(Array.from(p), before);
  const asked = impulse.map((value, a) => value + (a < 3 ? 0 : turn[a - 3]));
  // the impulse leaves out directions that yield by less than 1e-10 of the others
  assert.ok(norm(minus(got, asked)) < 1e-6 * norm(asked), `${String(got)} and ${String(asked)}`);
});

test('on an orbit the mass centre goes as Clohessy and Wiltshire say, whatever the joints do', () => {
  const n = 0.02;
  const scenario = loadScenario('free-flyer-capture');
  const base = scenario.tool!.robot!.base;
  base.orbit = { rate_radps: n, radial: [1, 0, 0], normal: [0, 0, 1] };
  base.free!.velocity_mps = [0.01, 0.02, -0.01];
  const system = make({ ...compileScenario(scenario), contacts: [] });
  const { tree } = system.arm!;
  const center = (): number[] => {
    const mass = tree.links.reduce((sum, { inertia }) => sum + inertia[0], 0);
    const origin = tree.linkState(0);
    return [1, 2, 3].map(
      (e) => origin[e - 1] + tree.links.reduce((sum, { inertia }) => sum + inertia[e], 0) / mass,
    );
  };
  const mass = tree.links.reduce((sum, { inertia }) => sum + inertia[0], 0);
  const p = new Float64Array(6);
  tree.computeMomentum(p);
  const [x, y, z] = center();
  const [vx, vy, vz] = [0, 1, 2].map((a) => p[a] / mass);
  run(system, 1e-3, 3000, () => (system.tool!.command[1] = 0.03));
  const t = 3;
  const [s, c] = [Math.sin(n * t), Math.cos(n * t)];
  const wanted = [
    (4 - 3 * c) * x + (s * vx + 2 * (1 - c) * vy) / n,
    6 * (s - n * t) * x + y + (-2 * (1 - c) * vx + (4 * s - 3 * n * t) * vy) / n,
    c * z + (s * vz) / n,
  ];
  const pull = 3 * n * n * Math.abs(x) + 2 * n * 0.03;
  assert.ok(norm(minus(wanted, [x + vx * t, y + vy * t, z + vz * t])) > 0.01, 'the field matters');
  // the field is that of the beginning of a step: its pull, taken up to half a step late, for three seconds
  const off = norm(minus(center(), wanted));
  assert.ok(off < 0.5e-3 * pull * t, `${off} m`);
  assert.ok(Math.abs(tree.u[6]) + Math.abs(tree.u[8]) > 1e-3, 'joints turn');
});

describe('stop', () => {
  test('the set-point comes to rest and the spacecraft with it; motion begins from there without a step', () => {
    const system = make(floatingSystem(2, ARM_FRICTION, DRIFT), HARDWARE);
    const { tree, tip } = system.arm!;
    const tool = system.tool!;
    tool.deceleration = 0.5;
    run(system, 1e-3, 2000, () => (tool.command[1] = 0.05));
    const speed = norm(Array.from(tool.setpoint.slice(7, 10)));
    assert.ok(speed > 0.03, `${speed} m/s`);
    const last = Array.from(tool.setpoint.slice(0, 3));
    tool.motion = BRAKE;
    run(system, 1e-3, 1);
    const first = norm(minus(Array.from(tool.setpoint.slice(0, 3)), last));
    assert.ok(first < 1.01e-3 * speed, `the stop begins without a step: ${first} m`);
    run(system, 1e-3, Math.ceil(speed / 0.5e-3) + 1);
    assert.equal(norm(Array.from(tool.setpoint.slice(7))), 0);
    const energy = new Float64Array(3);
    system.arm!.computeEnergy(energy);
    assert.equal(energy[0], 0, 'nothing moves, the spacecraft neither');
    const rest = Array.from(tool.setpoint.slice(0, 3));
    run(system, 1e-3, 300);
    assert.deepEqual(Array.from(tool.setpoint.slice(0, 3)), rest);
    tool.motion = ACCOMMODATE;
    tool.command.fill(0);
    run(system, 1e-3, 500);
    // inverse kinematics leaves less than this, and nothing pushes
    assert.ok(norm(minus(Array.from(tip.slice(0, 3)), rest)) < 1e-5, String(tip));
    assert.ok(norm(Array.from(tree.linkState(0).slice(7))) < 1e-4, 'the spacecraft rests');
  });

  test('following, the tip is at the measured pose, and the spacecraft stays', () => {
    const system = make(floatingSystem(), HARDWARE);
    const { tree, tip } = system.arm!;
    const tool = system.tool!;
    tool.motion = FOLLOW;
    const base = Array.from(tree.linkState(0).slice(0, 7));
    run(system, 1e-3, 50, () => (tool.measuredMotion[0] += 5e-4));
    run(system, 1e-3, 3);
    const off = norm(
      minus(Array.from(tip.slice(0, 3)), Array.from(tool.measuredMotion.slice(0, 3))),
    );
    assert.ok(off < 1e-8, `${off} m`);
    assert.deepEqual(Array.from(tree.linkState(0).slice(0, 7)), base);
    const told = new Float64Array(ARM_READOUT.length);
    system.arm!.readArm(told, 0);
    assert.equal(told[ARM_READOUT.indexOf('status')], 0);
  });
});

test('runs are equal in every bit, and so is one that takes over', () => {
  const model = floatingSystem(2, ARM_FRICTION, DRIFT);
  const [one, other, third] = [1, 2, 3].map(() => make(model, HARDWARE));
  const fly = (system: System, from: number, to: number): void => {
    const tool = system.tool!;
    for (let i = from; i < to; i++) {
      tool.motion = i % 700 > 600 ? BRAKE : i % 900 > 850 ? FOLLOW : ACCOMMODATE;
      tool.command[i % 3] = 0.03 * Math.sin(i / 200);
      for (let a = 0; a < 6; a++) tool.measuredWrench[a] = 20 * Math.sin(i / 50 + a);
      tool.measuredMotion.set(tool.setpoint);
      assert.equal(system.step(1e-3), 0, `step ${i}`);
    }
  };
  fly(one, 0, 1500);
  fly(other, 0, 800);
  third.restore(other.state);
  third.tool!.setpoint.set(other.tool!.setpoint);
  third.tool!.command.set(other.tool!.command);
  fly(other, 800, 1500);
  fly(third, 800, 1500);
  assert.equal(other.hash(), one.hash());
  assert.equal(third.hash(), one.hash());
});

describe('refused by name', () => {
  const scenario = (change: (base: NonNullable<SystemModel['tool']>) => void): SystemModel => {
    const model = structuredClone(floatingSystem());
    change(model.tool!);
    return model;
  };

  test('gravity, in which it would fall', () => {
    assert.throws(
      () => makeSystem({ ...floatingSystem(), gravity: [0, 0, -9.81] }),
      /gravity to be zero with tool\.robot\.base\.free.*-9\.81/,
    );
  });

  test('a law that reckons with a base that stands', () => {
    const gains = { frequency: 5, damping: 1 };
    const model = scenario(({ robot }) => {
      Reflect.set(robot!, 'control', { law: 'computed-torque', gains });
    });
    assert.throws(() => makeSystem(model), /resolved-rate with tool\.robot\.base\.free, got "comp/);
  });

  test('a link that stands beside the spacecraft, and a free joint further out', () => {
    const standing = scenario(({ robot }) => Reflect.set(robot!.tree.links[1], 'parent', -1));
    assert.throws(() => makeSystem(standing), /all links of tool\.robot to hang on spacecraft/);
    const further = scenario(({ robot }) => {
      Reflect.set(robot!.tree.links[7], 'joint', robot!.tree.links[0].joint);
    });
    assert.throws(() => makeSystem(further), /first alone to be free, got "free" at link 6/);
  });

  test('a spacecraft that no body can be', () => {
    const source = loadScenario('free-flyer-capture');
    source.tool!.robot!.base.free!.inertia = {
      kind: 'tensor',
      moments_kg_m2: [1, 1, 5],
      products_kg_m2: [0, 0, 0],
    };
    assert.throws(() => compileScenario(source), /tool\.robot\.base\.free\.inertia has/);
  });
});
