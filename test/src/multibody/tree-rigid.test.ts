/** Rigid trees against closed forms: pendulum, spinning top, free body, slider, moving base, drives, and the two forward methods. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { about, drive, link, makeTree, spaceArm, STILL, tree } from '../../fixtures/tree-models.ts';

function near(got: number, want: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(got - want) <= tolerance, `${what}: ${got}, expected ${want} ± ${tolerance}`);
}

const accelerations = (run: ReturnType<typeof makeTree>, tau?: Float64Array): Float64Array => {
  const out = new Float64Array(run.n);
  run.forwardDynamics(tau ?? new Float64Array(run.n), out);
  return out;
};

test('a pendulum accelerates with m g d sin/(I + m d²), also in an accelerated frame and with a rotor', () => {
  const joint = about([0, 1, 0], 0.3, 0.7, drive(0.25, null));
  const bar = link('bar', -1, {
    joint,
    mass: 2,
    center: [0, 0, -0.5],
    inertia: [0.1, 0.1, 0, 0, 0, 0],
  });
  const run = makeTree(tree([bar]));
  run.gravity[2] = -9.81;
  const want = (-2 * 9.81 * 0.5 * Math.sin(0.3)) / (0.1 + 0.5 + 0.25);
  near(accelerations(run)[0], want, 1e-14, 'in gravity');
  run.gravity[2] = 0;
  run.baseAcceleration[2] = 9.81;
  near(accelerations(run)[0], want, 1e-14, 'on a rising base');
  const [energy, momentum] = [new Float64Array(3), new Float64Array(6)];
  run.computeEnergy(energy);
  run.computeMomentum(momentum);
  near(energy[0], 0.5 * 0.85 * 0.7 * 0.7, 1e-15, 'kinetic energy');
  near(momentum[4], 0.6 * 0.7, 1e-15, 'angular momentum');
});

test('a slider on a turning arm feels centrifugal force, its arm the Coriolis moment', () => {
  const [m, r, w, v, arm] = [1.5, 0.4, 1.3, 0.6, 2];
  const slider = link('slider', 0, {
    joint: about([1, 0, 0], r, v, undefined, 'prismatic'),
    mass: m,
    inertia: [0, 0, 0, 0, 0, 0],
  });
  const run = makeTree(
    tree([
      link('arm', -1, { joint: about([0, 0, 1], 0.8, w), inertia: [0, 0, arm, 0, 0, 0] }),
      slider,
    ]),
  );
  const [turn, slide] = accelerations(run);
  near(slide, r * w * w, 1e-14, 'slider');
  near(turn, (-2 * m * r * v * w) / (arm + m * r * r), 1e-14, 'arm');
});

test('a heavy symmetric top on a spherical joint precesses steadily without nodding', () => {
  // steady precession p at tilt t with spin s: A p² cos t − C p (s + p cos t) + m g d = 0
  const [a, c, m, d, g, tilt, p] = [0.3, 0.1, 1, 0.4, 9.81, 0.5, 2];
  const about3 = (a * p * p * Math.cos(tilt) + m * g * d) / (c * p);
  const axis = [Math.sin(tilt), 0, Math.cos(tilt)];
  // precession about z, and what spin about the axis is left over
  const spin = about3 - p * Math.cos(tilt);
  const angularVelocity = [spin * axis[0], 0, p + spin * axis[2]] as const;
  const top = link('top', -1, {
    joint: {
      kind: 'spherical',
      orientation: [0, Math.sin(tilt / 2), 0, Math.cos(tilt / 2)],
      angularVelocity,
    },
    mass: m,
    center: [0, 0, d],
    inertia: [a - m * d * d, a - m * d * d, c, 0, 0, 0],
  });
  const run = makeTree(tree([top]));
  run.gravity[2] = -g;
  const [x, y, z] = accelerations(run);
  // the spin goes round with the axis, the precession stays
  near(x, 0, 1e-12, 'x');
  near(y, p * spin * axis[0], 1e-12, 'y');
  near(z, 0, 1e-12, 'z');
});

test('a free body obeys Euler; its velocity is in the axes of the base', () => {
  const random = new Random(3);
  const three = (): [number, number, number] => [
    random.uniform(),
    random.uniform(),
    random.uniform(),
  ];
  const [w, v] = [three(), three()];
  const body = link('body', -1, {
    joint: { kind: 'free', position: three(), orientation: STILL, velocity: v, angularVelocity: w },
    mass: 2,
    inertia: [1, 2, 2.5, 0, 0, 0],
  });
  const half = Math.SQRT1_2;
  const run = makeTree({ ...tree([body]), position: [1, 2, 3], orientation: [0, 0, half, half] });
  const got = accelerations(run);
  const want = [0, 0, 0, -0.5 * w[1] * w[2], (1.5 / 2) * w[0] * w[2], (-1 / 2.5) * w[0] * w[1]];
  want.forEach((value, k) => near(got[k], value, 1e-13, `rate ${k}`));
  // a quarter turn about z: x of the base is y of the world
  const state = run.linkState(0);
  [-v[1], v[0], v[2], -w[1], w[0], w[2]].forEach((value, k) =>
    near(state[7 + k], value, 1e-14, `twist ${k}`),
  );
});

test('a rotor behind a gear and its link swing with √(k (1/I + 1/J)), and the torque acts on the rotor', () => {
  const [inertia, rotor, k, d] = [2, 0.5, 300, 1.5];
  const model = tree([
    link('arm', -1, {
      joint: about([0, 0, 1], 0, 0, drive(rotor, k, d)),
      inertia: [0, 0, inertia, 0, 0, 0],
    }),
  ]);
  const run = makeTree(model);
  assert.equal(run.n, 2);
  assert.equal(run.driveRate(0), 1);
  run.q[0] = 0.1;
  run.u[1] = 0.2;
  run.refresh();
  const torque = -k * 0.1 + d * 0.2;
  const [arm, motor] = accelerations(run, Float64Array.of(0, 7));
  near(arm, torque / inertia, 1e-13, 'link');
  near(motor, (7 - torque) / rotor, 1e-13, 'rotor');
  const energy = new Float64Array(3);
  run.computeEnergy(energy);
  near(energy[1], 0.5 * k * 0.01, 1e-15, 'strain energy');
});

test('the articulated-body method and Cholesky agree on an arm with flexible drives and links on a moving base', () => {
  const run = makeTree(spaceArm(2));
  const random = new Random(5);
  const [tau, a, b, back] = Array.from({ length: 4 }, () => new Float64Array(run.n));
  for (let round = 0; round < 50; round++) {
    for (let k = 0; k < run.q.length; k++) run.q[k] = (k < 7 ? 6 : 0.05) * (random.uniform() - 0.5);
    for (let k = 0; k < run.n; k++) {
      run.u[k] = 0.4 * (random.uniform() - 0.5);
      tau[k] = 200 * (random.uniform() - 0.5);
    }
    for (let k = 0; k < 6; k++) {
      run.baseState[7 + k] = random.uniform();
      run.baseAcceleration[k] = random.uniform();
      run.gravity[k % 3] = random.uniform();
      run.linkWrench(k)[k] = 50 * random.uniform();
    }
    run.refresh();
    run.forwardDynamics(tau, a);
    run.articulatedBody(tau, b);
    run.inverseDynamics(a, back);
    const largest = a.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
    for (let k = 0; k < run.n; k++) {
      // the mass matrix spans five decades: rounding grows by its condition, about 1e4
      near(b[k], a[k], 1e-11 * largest, `rate ${k}`);
      near(back[k], tau[k], 1e-9 * largest, `torque ${k}`);
    }
  }
});

test('mobility of a frame is what an impulse there changes in its twist', () => {
  const run = makeTree(spaceArm(1));
  const mobility = new Float64Array(36);
  run.frameMobility(0, mobility);
  for (let c = 0; c < 6; c++) {
    const before = run.frameState(0).slice();
    run.applyFrameImpulse(
      0,
      Float64Array.from({ length: 6 }, (_, r) => (r === c ? 1 : 0)),
    );
    for (let r = 0; r < 6; r++) {
      const change = run.frameState(0)[7 + r] - before[7 + r];
      near(change, mobility[6 * r + c], 1e-14, `${r}, ${c}`); // twists of 1, changes of 1e-3
    }
  }
});
