/** Chains: mass matrix, bias, impulses and inverse contact masses against independent mechanics. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import {
  chain,
  forcesOf,
  massMatrixOf,
  placeLinks,
  randomChain,
  rod,
  StandaloneChain,
} from '../../fixtures/chains.ts';

function near(got: number, want: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(got - want) <= tolerance, `${what}: ${got}, expected ${want} ± ${tolerance}`);
}

const DEGREE = Math.PI / 180;

test('a planar double pendulum accelerates as its Lagrangian in closed form says', () => {
  // absolute angles a, b: (m1/3 + m2) l1² a'' + m2 l1 l2 c/2 b'' = −m2 l1 l2 s/2 b'² − (m1/2 + m2) g l1 sin a, and likewise for b
  const [l1, l2, m1, m2, g] = [0.5, 0.25, 5, 2, 9.81];
  const random = new Random(7);
  for (let n = 0; n < 20; n++) {
    const [p, r, u, w] = [0, 0, 0, 0].map(() => 6 * random.uniform() - 3);
    const run = new StandaloneChain(
      chain([rod('a', l1, m1, p, u), rod('b', l2, m2, r, w, -l1 / 2)]),
    );
    run.parts.forEach((link, i) => (link.wrench[2] = -[m1, m2][i] * g));
    run.computeDerivative();
    const [a, b, ua, ub] = [p, p + r, u, u + w];
    const c = Math.cos(a - b);
    const s = Math.sin(a - b);
    const A = (m1 / 3 + m2) * l1 * l1;
    const B = 0.5 * m2 * l1 * l2;
    const C = (m2 * l2 * l2) / 3;
    const fa = -B * s * ub * ub - (m1 / 2 + m2) * g * l1 * Math.sin(a);
    const fb = B * s * ua * ua - 0.5 * m2 * g * l2 * Math.sin(b);
    const determinant = A * C - B * B * c * c;
    const aa = (C * fa - B * c * fb) / determinant;
    const ab = (A * fb - B * c * fa) / determinant;
    // accelerations up to 1e3 with rounding of a few ulp times the condition number of M (below 100)
    near(run.acceleration[0], aa, 1e-10, 'first joint');
    near(run.acceleration[1], ab - aa, 1e-10, 'second joint');
  }
});

test('random spatial chains with a universal joint: M by Jacobians, Jᵀ f − c by the Lagrangian', () => {
  const random = new Random(11);
  for (let n = 0; n < 20; n++) {
    const model = randomChain(random);
    const run = new StandaloneChain(model);
    const q = [...run.q];
    const u = [...run.u];
    const wrenches = model.links.map(() => [0, 0, 0, 0, 0, 0].map(() => 10 * random.uniform() - 5));
    run.parts.forEach((link, i) => link.wrench.set(wrenches[i]));
    const m = massMatrixOf(model, q);
    let scale = 0;
    m.flat().forEach((value) => (scale = Math.max(scale, Math.abs(value))));
    m.flat().forEach((value, i) => {
      near(run.massMatrix[i], value, 1e-13 * scale, `M ${i}`); // rounding of a few dozen products
    });
    // differences with a step of 1e-5 are wrong by about 1e-10 of M times the squared rates (up to 9) and 64 terms
    const want = forcesOf(model, q, u, wrenches);
    run.computeDerivative();
    want.forEach((value, a) => {
      const got = run.acceleration.reduce((sum, x, b) => sum + m[a][b] * x, 0);
      near(got, value, 1e-7 * scale, `force ${a}`);
    });
  }
});

test('poses and twists follow from angles and rates; kinetic energy is u·M u/2', () => {
  const random = new Random(13);
  for (let n = 0; n < 10; n++) {
    const model = randomChain(random);
    const run = new StandaloneChain(model);
    const { centers, linear, angular } = placeLinks(model, [...run.q]);
    run.parts.forEach((link, i) => {
      for (let a = 0; a < 3; a++) {
        const v = run.u.reduce((sum, rate, k) => sum + rate * linear[i][k][a], 0);
        const w = run.u.reduce((sum, rate, k) => sum + rate * angular[i][k][a], 0);
        near(link.state[a], centers[i][a], 1e-14 * 10, 'centre');
        near(link.state[7 + a], v, 1e-13 * 10, 'velocity');
        near(link.state[10 + a], w, 1e-13 * 10, 'angular velocity');
      }
    });
    let half = 0;
    run.u.forEach((x, a) =>
      run.u.forEach((y, b) => (half += 0.5 * x * y * run.massMatrix[a * run.u.length + b])),
    );
    near(run.kineticEnergy, half, 1e-12 * half, 'kinetic energy');
  }
});

test('inverse contact masses at the tip of the benchmark pendulum', () => {
  // [Gonthier 2007, 5.1.3]: normal, coupling, tangential, kinetic energy at −1 rad/s in both joints; six digits of an independent computation
  for (const [first, second, normal, coupling, tangential, kinetic] of [
    [18, 12, 0.52139, 0.75971, 1.20794, 4.62296],
    [0, 20.7, 0.36909, 0.61048, 1.38474, 4.53755],
  ] as const) {
    const run = new StandaloneChain(
      chain([rod('a', 1, 2, first * DEGREE, -1), rod('b', 1, 2, second * DEGREE, -1, -0.5)]),
    );
    const tip = run.parts[1];
    const angle = (first + second) * DEGREE;
    const arm = Float64Array.of(0.5 * Math.sin(angle), 0, -0.5 * Math.cos(angle));
    const basis = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    const mobility = new Float64Array(6);
    tip.addMobility(arm, 0, basis, mobility);
    near(mobility[3], normal, 1e-5, 'normal');
    near(mobility[0], tangential, 1e-5, 'tangential');
    near(mobility[2], 0, 1e-15, 'across the plane');
    const along = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 1, 0);
    const turned = new Float64Array(6);
    tip.addMobility(arm, 0, along, turned);
    near(Math.abs(turned[1]), coupling, 1e-5, 'coupling');
    near(run.kineticEnergy, kinetic, 1e-5, 'kinetic energy');
  }
});

test('impulses: work p·(v + v′)/2, velocity change K p, moments and angular momentum', () => {
  const random = new Random(17);
  const number = (): number => 2 * random.uniform() - 1;
  for (let n = 0; n < 20; n++) {
    const run = new StandaloneChain(randomChain(random));
    const link = run.parts[n % 3];
    const arm = Float64Array.of(number(), number(), number());
    const p = Float64Array.of(number(), number(), number());
    const x = link.state;
    const velocity = (): number[] => [
      x[7] + x[11] * arm[2] - x[12] * arm[1],
      x[8] + x[12] * arm[0] - x[10] * arm[2],
      x[9] + x[10] * arm[1] - x[11] * arm[0],
    ];
    const energy = (): number => run.kineticEnergy;
    const mobility = new Float64Array(6);
    const size = Math.sqrt(p[0] ** 2 + p[1] ** 2 + p[2] ** 2);
    link.addMobility(
      arm,
      0,
      Float64Array.of(0, 0, 0, 0, 0, 0, ...p.map((c) => c / size)),
      mobility,
    );
    const v = velocity();
    const before = energy();
    link.push(arm, 0, p);
    const w = velocity();
    const work = v.reduce((sum, c, a) => sum + 0.5 * p[a] * (c + w[a]), 0);
    near(energy() - before, work, 1e-12 * before + 1e-12, 'work of the impulse');
    const gained = v.reduce((sum, c, a) => sum + (p[a] / size) * (w[a] - c), 0);
    near(gained, mobility[3] * size, 1e-12 * gained + 1e-12, 'velocity along the impulse');

    const spin = new Float64Array(9);
    link.addSpinMobility(spin);
    const turning = [x[10], x[11], x[12]];
    const start = energy();
    link.turn(p);
    const work2 = turning.reduce((sum, c, a) => sum + 0.5 * p[a] * (c + x[10 + a]), 0);
    near(energy() - start, work2, 1e-12 * start + 1e-12, 'work of the moment');
    turning.forEach((c, a) => {
      const want = spin[3 * a] * p[0] + spin[3 * a + 1] * p[1] + spin[3 * a + 2] * p[2];
      near(x[10 + a] - c, want, 1e-12 * (1 + Math.abs(want)), `angular velocity ${a}`);
    });
  }
});

test('two links of one chain: an opposite pair of impulses changes their relative velocity by the coupled mobility', () => {
  const random = new Random(19);
  const number = (): number => 2 * random.uniform() - 1;
  for (let n = 0; n < 20; n++) {
    const run = new StandaloneChain(randomChain(random));
    const [i, j] = n % 2 === 0 ? [run.parts[2], run.parts[0]] : [run.parts[0], run.parts[1]];
    const point = [number(), number(), number()];
    const arms = new Float64Array(6);
    point.forEach((c, a) => {
      arms[a] = c - i.state[a];
      arms[3 + a] = c - j.state[a];
    });
    const basis = Float64Array.of(0.6, 0, -0.8, 0, 1, 0, 0.8, 0, 0.6);
    const mobility = new Float64Array(6);
    const spin = new Float64Array(9);
    i.addMobility(arms, 0, basis, mobility);
    j.addMobility(arms, 3, basis, mobility);
    run.impulses.addCoupling(i.place, j.place, arms, 0, basis, mobility);
    i.addSpinMobility(spin);
    j.addSpinMobility(spin);
    run.impulses.addSpinCoupling(i.place, j.place, spin);
    const relative = (d: number): number => {
      let sum = 0;
      for (const [body, o, sign] of [
        [i, 0, 1],
        [j, 3, -1],
      ] as const) {
        const x = body.state;
        const v = [
          x[7] + x[11] * arms[o + 2] - x[12] * arms[o + 1],
          x[8] + x[12] * arms[o] - x[10] * arms[o + 2],
          x[9] + x[10] * arms[o + 1] - x[11] * arms[o],
        ];
        sum += sign * (v[0] * basis[d] + v[1] * basis[d + 1] + v[2] * basis[d + 2]);
      }
      return sum;
    };
    for (const [along, seen, slot] of [
      [0, 0, 0],
      [0, 3, 1],
      [3, 3, 2],
      [6, 6, 3],
    ] as const) {
      const before = relative(seen);
      const p = basis.slice(along, along + 3);
      i.push(arms, 0, p);
      j.push(
        arms,
        3,
        p.map((c) => -c),
      );
      near(relative(seen) - before, mobility[slot], 1e-12 * (1 + Math.abs(before)), `slot ${slot}`);
    }
    for (let a = 0; a < 3; a++) {
      const before = [0, 1, 2].map((b) => i.state[10 + b] - j.state[10 + b]);
      const m = Float64Array.from([0, 1, 2], (b) => (a === b ? 1 : 0));
      i.turn(m);
      j.turn(m.map((c) => -c));
      before.forEach((w, b) => {
        near(
          i.state[10 + b] - j.state[10 + b] - w,
          spin[3 * b + a],
          1e-11 * (1 + Math.abs(w)),
          `spin ${a}${b}`,
        );
      });
    }
  }
});
