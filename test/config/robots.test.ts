/**
 * The robots of the package: the planar arm has the mass matrix and frequencies of an independent computation; masses, reach and
 * frequencies of the others are those that their files state; each starts away from singularities and can hold what it must.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadRobot, robotNames, type Robot } from '../../config/robot.ts';
import { factorCholesky, solveLower, solveLowerTransposed } from '../../src/math/cholesky.ts';
import { eigenvalues } from '../../src/math/eigenvalues.ts';
import { Tree } from '../../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../../src/multibody/tree/tree-layout.ts';

function makeTree({ model }: Robot): Tree {
  const { positions, rates } = treeFreedoms(model);
  const tree = new Tree(model, new Float64Array(positions + rates));
  tree.refresh();
  return tree;
}

/** Puts joints, in order, at angles; links unbent and rotors with their joints. */
function pose(tree: Tree, robot: Robot, angles: readonly number[]): void {
  robot.joints.forEach(({ link }, i) => {
    const { position, rotorPosition } = tree.layout.links[link];
    tree.q[position] = angles[i];
    if (rotorPosition >= 0) tree.q[rotorPosition] = angles[i];
  });
  tree.refresh();
}

function massMatrix(tree: Tree): Float64Array {
  const m = new Float64Array(tree.n * tree.n);
  tree.computeMassMatrix(m);
  return m;
}

/** Natural frequencies, rad/s, rising, of the motion of some rates while the others are held. */
function frequencies(tree: Tree, rates: readonly number[]): number[] {
  const n = rates.length;
  const [all, stiffness] = [massMatrix(tree), new Float64Array(tree.n * tree.n)];
  tree.computeElasticMatrix(Float64Array.of(1, 0), stiffness);
  const part = (a: Float64Array): Float64Array =>
    Float64Array.from(
      { length: n * n },
      (_, k) => a[tree.n * rates[Math.floor(k / n)] + rates[k % n]],
    );
  const [l, k] = [part(all), part(stiffness)];
  assert.equal(factorCholesky(l, l, n, Float64Array.of(1e-12)), 1, 'the mass matrix is regular');
  // rows of K are its columns: row by row M⁻¹ K comes out transposed, with the same eigenvalues
  for (let i = 0; i < n; i++) {
    solveLower(l, n, k, n * i);
    solveLowerTransposed(l, n, k, n * i);
  }
  return eigenvalues(k, n).map(({ re }) => Math.sqrt(Math.max(re, 0)));
}

const rotorRates = (tree: Tree): number[] =>
  tree.layout.links.map(({ rotorRate }) => rotorRate).filter((rate) => rate >= 0);
const mass = ({ model }: Robot): number => model.links.reduce((sum, link) => sum + link.mass, 0);

function close(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected}`);
}

test('kim-planar: mass matrix of an independent computation, frequencies with free and with held joints', () => {
  const robot = loadRobot('kim-planar');
  const tree = makeTree(robot);
  const degree = Math.PI / 180;
  pose(tree, robot, [0, 28.9 * degree, 115.7 * degree]);
  // Kim 1999, numerical example: order attitude, shoulder, elbow, mode of link 1, mode of link 2
  const expected = [
    [816187.19, 14657.628, 785.943, 3517.983, 217.23],
    [14657.628, 13456.364, 1341.285, 3304.872, 325.012],
    [785.943, 1341.285, 3743.288, 676.667, 791.2],
    [3517.983, 3304.872, 676.667, 853.243, 153.236],
    [217.23, 325.012, 791.2, 153.236, 172.2],
  ].flat();
  const actual = massMatrix(tree);
  assert.equal(tree.n, 5);
  // 1e-4 relative; the printed digits are good to 1e-6
  expected.forEach((value, k) => close(actual[k], value, 1e-4 * value, `M[${k}]`));
  const free = frequencies(tree, [0, 1, 2, 3, 4]).slice(-2);
  close(free[0], 15.708, 0.005 * 15.708, 'lower frequency, joints free');
  close(free[1], 20.583, 0.005 * 20.583, 'upper frequency, joints free');
  const held = frequencies(tree, [3, 4]);
  close(held[0], 1.512, 0.001, 'lower frequency, joints held');
  close(held[1], 3.814, 0.001, 'upper frequency, joints held');
});

test('kim-planar: tip speed and energy just before the impact of the thesis', () => {
  const robot = loadRobot('kim-planar');
  const tree = makeTree(robot);
  const degree = Math.PI / 180;
  pose(tree, robot, [0, 67.3 * degree, 45.4 * degree]);
  [0, 0.911, -1.82].forEach((rate, i) => (tree.u[i] = rate * degree));
  tree.refresh();
  const energy = new Float64Array(3);
  tree.computeEnergy(energy);
  close(energy[0], 1.325, 0.005 * 1.325, 'kinetic energy');
  const tip = tree.frameState(0);
  close(tip[7], -0.0003, 1e-4, 'tip velocity, x');
  close(tip[8], 0.0997, 1e-4, 'tip velocity, y');
});

test('canadarm2-class: mass, reach, frequency of the straight and of the bent arm', () => {
  const robot = loadRobot('canadarm2-class');
  const tree = makeTree(robot);
  close(mass(robot), 2 * 243.66 + 4 * 105.98 + 314.88 + 279.2, 0.01, 'sum of the published masses');
  assert.deepEqual(
    robot.joints.map(({ name }) => name),
    ['SR', 'SY', 'SP', 'EP', 'WP', 'WY', 'WR'],
  );
  pose(tree, robot, [0, 0, 0, 0, 0, 0, 0]);
  const [x, y, z] = tree.frameState(0);
  close(x, 2 * 1.3589 + 2 * 7.11, 1e-12, 'straight arm, along x');
  close(y, -(0.5692 + 0.475 + 0.5692), 1e-12, 'offsets, y');
  close(z, 0, 1e-12, 'offsets, z');
  // brakes hold the rotors; gears and booms yield: public figures of such arms lie between 0.1 and
  // 1 Hz
  const held = rotorRates(tree);
  const loose = Array.from({ length: tree.n }, (_, i) => i).filter((i) => !held.includes(i));
  const straight = frequencies(tree, loose)[0] / (2 * Math.PI);
  assert.ok(straight > 0.15 && straight < 0.5, `straight arm: ${straight} Hz`);
  pose(
    tree,
    robot,
    robot.joints.map(({ home }) => home),
  );
  const bent = frequencies(tree, loose)[0] / (2 * Math.PI);
  assert.ok(bent > straight && bent < 1, `at home: ${bent} Hz`);
});

test('dextre-class: reach of 3.35 m, stiff beside the large arm, 111 N within its torques', () => {
  const robot = loadRobot('dextre-class');
  const tree = makeTree(robot);
  pose(tree, robot, [0, 0, 0, 0, 0, 0, 0]);
  close(tree.frameState(0)[0] - 0.6, 3.35, 1e-12, 'from the shoulder to the tip');
  close(mass(robot), 1662, 1e-9, 'mass with its body');
  const held = rotorRates(tree);
  const loose = Array.from({ length: tree.n }, (_, i) => i).filter((i) => !held.includes(i));
  const lowest = frequencies(tree, loose)[0] / (2 * Math.PI);
  assert.ok(lowest > 0.5 && lowest < 5, `straight arm: ${lowest} Hz`);
  for (const [index, limit] of [400, 400, 400, 400, 150, 150, 150].entries()) {
    assert.equal(robot.joints[index].effortLimit, limit);
  }
  const jacobian = new Float64Array(6 * tree.n);
  tree.frameJacobian(0, jacobian);
  for (const { link, name, effortLimit } of robot.joints) {
    const column = tree.layout.links[link].rate;
    const arm = Math.hypot(
      jacobian[column],
      jacobian[tree.n + column],
      jacobian[2 * tree.n + column],
    );
    assert.ok(111 * arm <= effortLimit, `${name}: 111 N need ${111 * arm} N m of ${effortLimit}`);
  }
});

test('dextre-on-canadarm2: one tree, the small arm standing on the grapple frame', () => {
  const [both, carrier, mounted] = ['dextre-on-canadarm2', 'canadarm2-class', 'dextre-class'].map(
    (name) => loadRobot(name),
  );
  assert.equal(both.name, 'dextre-on-canadarm2');
  assert.equal(both.joints.length, 14);
  close(mass(both), mass(carrier) + mass(mounted), 1e-9, 'mass');
  assert.equal(both.control.toolFrame, 'dextre-tip');
  const overridden = loadRobot('dextre-class', ['mount={robot: canadarm2-class, frame: grapple}']);
  assert.deepEqual(
    overridden.model.links,
    both.model.links,
    'mounted by an override or by a file is the same',
  );
  // the pose of the tip is that of the grapple frame, then that of the tip on a fixed base
  const trees = [both, carrier, mounted].map(makeTree);
  const [whole, large, small] = trees.map((tree, i) => tree.frameState([2, 0, 0][i]).slice(0, 7));
  const [px, py, pz, qx, qy, qz, qw] = large;
  const [x, y, z] = small;
  const [tx, ty, tz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
  const expected = [
    px + x + qw * tx + qy * tz - qz * ty,
    py + y + qw * ty + qz * tx - qx * tz,
    pz + z + qw * tz + qx * ty - qy * tx,
  ];
  // sums of a dozen lengths below 20 m
  expected.forEach((value, i) => close(whole[i], value, 1e-13 * 200, `tip, ${'xyz'[i]}`));
});

test('smt-class: six joints by name; holds 100 kg stretched out in gravity', () => {
  const robot = loadRobot('smt-class');
  const tree = makeTree(robot);
  assert.deepEqual(
    robot.joints.map(({ name }) => name),
    ['SW', 'SH', 'EL', 'PI', 'YA', 'RO'],
  );
  tree.gravity[2] = -9.81;
  pose(tree, robot, [0, 0, 0, 0, 0, 0]);
  tree.addFrameWrench(0, Float64Array.of(0, 0, -100 * 9.81, 0, 0, 0));
  const torque = new Float64Array(tree.n);
  tree.inverseDynamics(new Float64Array(tree.n), torque);
  // by hand about the shoulder: payload at 2.7 m, links at their middles
  const expected = 9.81 * (100 * 2.7 + 150 * 0.6 + 100 * 1.7 + 30 * 2.2 + 25 * 2.35 + 20 * 2.6);
  close(Math.abs(torque[1]), expected, 1e-9 * expected, 'torque of the shoulder');
  robot.joints.forEach(({ name, effortLimit }, i) =>
    assert.ok(2 * Math.abs(torque[i]) <= effortLimit + 1e-9, `${name}: twice ${torque[i]} N m`),
  );
});

for (const name of robotNames()) {
  test(`${name}: starts inside its limits and away from singularities`, () => {
    const robot = loadRobot(name);
    const tree = makeTree(robot);
    const { toolFrame, characteristicLength, slowCondition } = robot.control;
    for (const { name: joint, home, lower, upper } of robot.joints) {
      assert.ok(home >= lower && home <= upper, `${joint} starts at ${home}`);
    }
    if (toolFrame === null) return; // not steered
    // in the plane the tip is steered, not its attitude
    const rows = name.startsWith('kim-planar') ? [0, 1] : [0, 1, 2, 3, 4, 5];
    const jacobian = new Float64Array(6 * tree.n);
    tree.frameJacobian(
      robot.model.frames.findIndex((frame) => frame.name === toolFrame),
      jacobian,
    );
    // joints of the mounted arm alone must reach everywhere
    const columns = robot.joints.slice(-7).map(({ link }) => tree.layout.links[link].rate);
    const entry = (row: number, column: number): number =>
      jacobian[tree.n * row + column] / (row < 3 ? characteristicLength : 1);
    const gram = Float64Array.from({ length: rows.length ** 2 }, (_, k) => {
      const [i, j] = [rows[Math.floor(k / rows.length)], rows[k % rows.length]];
      return columns.reduce((sum, column) => sum + entry(i, column) * entry(j, column), 0);
    });
    const values = eigenvalues(gram, rows.length).map(({ re }) => re);
    const condition = Math.sqrt(values[values.length - 1] / values[0]);
    assert.ok(condition < 0.6 * slowCondition, `condition number ${condition}`);
  });
}
