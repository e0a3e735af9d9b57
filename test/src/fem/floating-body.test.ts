/** A body in a floating frame: conservation, solutions against LU, the frame that has to be held, agreement with the world. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assembleFem, type HeldComponent } from '../../../src/fem/assembly.ts';
import { NodalBasis } from '../../../src/fem/elastic-basis.ts';
import { type BodyStart, FloatingBody, rayleighDamping } from '../../../src/fem/floating-body.ts';
import { planeGrid } from '../../../src/fem/grid-meshes.ts';
import { InertialBody } from '../../../src/fem/inertial-body.ts';
import { jacobiEigen } from '../../../src/math/jacobi-eigen.ts';
import { factorize, solveFactored } from '../../../src/math/lu.ts';
import { Random } from '../../../src/math/random.ts';

const mesh = planeGrid('quad4', 4, 2, (u, v) => [u - 0.3, 0.5 * v - 0.1]);
const FRAME: readonly HeldComponent[] = [
  { node: 0, axis: 0 },
  { node: 0, axis: 1 },
  { node: 4, axis: 1 },
];
const START: BodyStart = { position: [1, 2], angle: 0.7, velocity: [3, -1], angularVelocity: 5 };

function basis(held: readonly HeldComponent[], young = 1e3): NodalBasis {
  return new NodalBasis(
    assembleFem({
      mesh,
      material: { young, poisson: 0.3, density: 10 },
      state: 'plane-stress',
      thickness: 0.1,
      held,
    }),
  );
}

/** Random shape, rates and accelerations. */
function disturb(body: FloatingBody, seed: number): void {
  const random = new Random(seed);
  for (let e = 3; e < body.size; e++) body.q[e] = 0.02 * (2 * random.uniform() - 1);
  for (let e = 0; e < body.size; e++) body.rate[e] += 0.3 * (2 * random.uniform() - 1);
  for (let e = 0; e < body.size; e++) body.acceleration[e] = 2 * random.uniform() - 1;
}

/** M column by column: the residual is linear in the accelerations. */
function massMatrix(body: FloatingBody): Float64Array {
  const n = body.size;
  const kept = body.acceleration.slice();
  const none = new Float64Array(n);
  const column = new Float64Array(n);
  const out = new Float64Array(n * n);
  body.acceleration.fill(0);
  body.residual(none);
  for (let j = 0; j < n; j++) {
    body.acceleration.fill(0);
    body.acceleration[j] = 1;
    body.residual(column);
    for (let i = 0; i < n; i++) out[n * i + j] = column[i] - none[i];
  }
  body.acceleration.set(kept);
  return out;
}

test('a body that tumbles and swings keeps its energy and its momenta', () => {
  const body = new FloatingBody(basis(FRAME), START);
  disturb(body, 1);
  const n = body.size;
  const h = 1e-4;
  const energy = new Float64Array(3);
  const momentum = new Float64Array(3);
  body.energies(energy);
  body.momentum(momentum);
  const before = [energy[0] + energy[1], ...momentum];
  const accelerate = (q: Float64Array, v: Float64Array): Float64Array => {
    body.q.set(q);
    body.rate.set(v);
    body.acceleration.fill(0);
    body.prepareMass();
    const a = new Float64Array(n);
    body.residual(a);
    for (let i = 0; i < n; i++) a[i] = -a[i];
    body.solveMass(a, 0);
    return a;
  };
  const add = (a: Float64Array, b: Float64Array, f: number): Float64Array =>
    a.map((x, i) => x + f * b[i]);
  let q: Float64Array = body.q.slice();
  let v: Float64Array = body.rate.slice();
  for (let s = 0; s < 1000; s++) {
    const a1 = accelerate(q, v);
    const v2 = add(v, a1, h / 2);
    const a2 = accelerate(add(q, v, h / 2), v2);
    const v3 = add(v, a2, h / 2);
    const a3 = accelerate(add(q, v2, h / 2), v3);
    const v4 = add(v, a3, h);
    const a4 = accelerate(add(q, v3, h), v4);
    q = q.map((x, i) => x + (h / 6) * (v[i] + 2 * v2[i] + 2 * v3[i] + v4[i]));
    v = v.map((x, i) => x + (h / 6) * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]));
  }
  body.q.set(q);
  body.rate.set(v);
  body.energies(energy);
  body.momentum(momentum);
  // the frame turned by half a radian, the strain energy went up and down several times
  assert.ok(Math.abs(q[2] - START.angle) > 0.4 && energy[1] > 1e-4);
  for (const [k, now] of [energy[0] + energy[1], ...momentum].entries()) {
    // fourth order: (ω h)⁴ of the highest mode, 1000 rad/s, over a thousand steps stays below 1e-9
    assert.ok(Math.abs(now / before[k] - 1) < 1e-8, `${k}: ${now} ${before[k]}`);
  }
});

test('M is symmetric and gives the kinetic energy; solutions are those of LU', () => {
  const damping = { alpha: 3, beta: 1e-4 };
  const body = new FloatingBody(basis(FRAME), START, damping);
  disturb(body, 2);
  const n = body.size;
  const mass = massMatrix(body);
  let kinetic = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      assert.ok(Math.abs(mass[n * i + j] - mass[n * j + i]) < 1e-14);
      kinetic += 0.5 * body.rate[i] * mass[n * i + j] * body.rate[j];
    }
  }
  const energy = new Float64Array(3);
  body.energies(energy);
  assert.ok(Math.abs(energy[0] / kinetic - 1) < 1e-13);
  // K over the elastic coordinates
  const stiffness = new Float64Array(n * n);
  const column = new Float64Array(n - 3);
  const unit = new Float64Array(n - 3);
  for (let j = 3; j < n; j++) {
    unit.fill(0);
    unit[j - 3] = 1;
    body.basis.stiffnessTimes(unit, column);
    for (let i = 3; i < n; i++) stiffness[n * i + j] = column[i - 3];
  }
  const [a0, a1] = [2e4, 1e2];
  const effective = mass.map((m, e) => {
    const elastic = e % n >= 3 && e >= 3 * n;
    return a0 * m + (1 + a1 * damping.beta) * stiffness[e] + (elastic ? a1 * damping.alpha * m : 0);
  });
  body.setStep(a0, a1);
  body.prepare();
  body.prepareMass();
  const random = new Random(9);
  const load = Float64Array.from({ length: n }, () => random.uniform());
  for (const [matrix, solve] of [
    [effective, (x: Float64Array) => body.solve(x, 0)],
    [mass, (x: Float64Array) => body.solveMass(x, 0)],
  ] as const) {
    const pivots = new Int32Array(n);
    const reference = load.slice();
    const factors = matrix.slice();
    assert.ok(factorize(factors, n, pivots));
    solveFactored(factors, n, pivots, reference, 0);
    const x = load.slice();
    solve(x);
    const size = Math.max(...reference.map(Math.abs));
    // conditions up to 1e4
    for (let i = 0; i < n; i++) assert.ok(Math.abs(x[i] - reference[i]) < 1e-11 * size);
  }
});

test('with all components of the mesh M has three zero eigenvalues; with three held it has none', () => {
  for (const [held, zeros] of [
    [[], 3],
    [FRAME, 0],
  ] as const) {
    // of a body at rest in its frame, so that the work goes without the factors
    const { mean, size, totalMass, firstMoment, polarMoment, turnOfShape, matrices } = basis(held);
    const n = size + 3;
    const m = new Float64Array(n * n);
    m[0] = totalMass;
    m[n + 1] = totalMass;
    m[2 * n + 2] = polarMoment[0];
    m[2] = -firstMoment[1];
    m[n + 2] = firstMoment[0];
    for (let e = 0; e < size; e++) {
      m[3 + e] = mean[e];
      m[n + 3 + e] = mean[size + e];
      m[2 * n + 3 + e] = turnOfShape[e];
      for (let o = 0; o < size; o++) m[n * (3 + e) + 3 + o] = matrices.mass.at(e, o);
    }
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) m[n * i + j] = m[n * j + i];
    const { values } = jacobiEigen(m, n);
    const largest = values[n - 1];
    assert.equal(values.filter((value) => Math.abs(value) < 1e-14 * largest).length, zeros);
    assert.ok(values[zeros] > 1e-4 * largest);
  }
});

test('a direction row is the slope of the position', () => {
  const body = new FloatingBody(basis(FRAME), START);
  disturb(body, 4);
  const row = new Float64Array(body.size);
  const direction = Float64Array.of(0.6, -0.8);
  body.addDirection(row, 0, 11, direction);
  const ends = new Float64Array(4);
  for (let e = 0; e < body.size; e++) {
    const kept = body.q[e];
    const h = 1e-5;
    body.q[e] = kept + h;
    body.position(11, ends, 0);
    body.q[e] = kept - h;
    body.position(11, ends, 2);
    body.q[e] = kept;
    const slope = (0.6 * (ends[0] - ends[2]) - 0.8 * (ends[1] - ends[3])) / (2 * h);
    // second order in h, and rounding over h
    assert.ok(Math.abs(slope - row[e]) < 1e-9);
  }
});

test('damping of the elastic coordinates is that of both frequencies, and does not brake free flight', () => {
  const { alpha, beta } = rayleighDamping(0.01, 3, 50);
  for (const omega of [3, 50])
    assert.ok(Math.abs((alpha + beta * omega ** 2) / (2 * omega) - 0.01) < 1e-15);
  const body = new FloatingBody(
    basis(FRAME),
    { ...START, angularVelocity: 0 },
    { alpha: 5, beta: 1 },
  );
  const out = new Float64Array(body.size);
  body.residual(out);
  assert.ok(Math.max(...out.map(Math.abs)) === 0);
});

test('small swings are the same in a floating frame and in the world', () => {
  const stiff = basis(FRAME, 1e5);
  const floating = new FloatingBody(stiff, {
    position: [0, 0],
    angle: 0,
    velocity: [0, 0],
    angularVelocity: 0,
  });
  const world = new InertialBody(basis([], 1e5));
  // the same small velocity of every node: a bend
  const velocity = (x: number): number => 1e-4 * x * x;
  for (let node = 0; node < 15; node++) {
    const x = mesh.coordinates[2 * node];
    world.basis.addNode(world.rate, 0, node, Float64Array.of(0, velocity(x)));
  }
  // frame: node 0 with its velocity, turning as the line from node 0 to node 4
  const [x0, y0, x4] = [mesh.coordinates[0], mesh.coordinates[1], mesh.coordinates[8]];
  const w = (velocity(x4) - velocity(x0)) / (x4 - x0);
  floating.rate.set([w * y0, velocity(x0) - w * x0, w]);
  for (let node = 0; node < 15; node++) {
    const [x, y] = mesh.coordinates.subarray(2 * node, 2 * node + 2);
    const relative = [-(floating.rate[0] - w * y), velocity(x) - (floating.rate[1] + w * x)];
    stiff.addNode(floating.rate, 3, node, Float64Array.from(relative));
  }
  const step = 2e-5;
  const out: Float64Array[] = [floating, world].map((body) => {
    body.setStep(4 / step ** 2, 2 / step);
    const r = new Float64Array(body.size);
    // trapezoidal rule: a0 = 4/Δt², with the accelerations of the start
    for (let s = 0; s < 100; s++) {
      const q = body.q.slice();
      const v = body.rate.slice();
      const a = body.acceleration.slice();
      for (let round = 0; round < 3; round++) {
        for (let e = 0; e < body.size; e++) {
          body.acceleration[e] = (4 / step ** 2) * (body.q[e] - q[e]) - (4 / step) * v[e] - a[e];
          body.rate[e] = v[e] + 0.5 * step * (a[e] + body.acceleration[e]);
        }
        body.residual(r);
        body.prepare();
        body.solve(r, 0);
        for (let e = 0; e < body.size; e++) body.q[e] -= r[e];
      }
      for (let e = 0; e < body.size; e++) {
        body.acceleration[e] = (4 / step ** 2) * (body.q[e] - q[e]) - (4 / step) * v[e] - a[e];
        body.rate[e] = v[e] + 0.5 * step * (a[e] + body.acceleration[e]);
      }
    }
    const places = new Float64Array(30);
    for (let node = 0; node < 15; node++) body.position(node, places, 2 * node);
    return places;
  });
  let moved = 0;
  for (let c = 0; c < 30; c++) {
    moved = Math.max(moved, Math.abs(out[1][c] - mesh.coordinates[c]));
    // angles of 1e-7 rad: what is left out is their square
    assert.ok(Math.abs(out[0][c] - out[1][c]) < 1e-12, `${c} ${out[0][c]} ${out[1][c]}`);
  }
  assert.ok(moved > 1e-8);
});
