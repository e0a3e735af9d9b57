/** Elastic faces against a half-space: conditions of contact and friction, energy, Hertz, free bodies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ElasticPatch } from '../../../src/contact/elastic/elastic-patch.ts';
import { makePatch } from '../../../src/contact/elastic/patch-constants.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { normalForces } from '../../../src/fem/normal-contact.ts';
import { Random } from '../../../src/math/random.ts';
import { draws } from '../../fixtures/draws.ts';
import { gridPatch, patchOf, twoModes } from '../../fixtures/patch-models.ts';

const NO_FRICTION = { static: 0, sliding: 0 };
const FRICTION = { static: 0.5, sliding: 0.35 };
/** Draws: a part of them in the checks. */
const LOOPS = draws(1_000, 100);
const STEPS = draws(10_000, 1_500);
const POSES = draws(200, 60);
const D = 2e-3;
const MODULUS = 7e7;
const flat = gridPatch(3, D, MODULUS, () => 0);
/** C_nn of the flat patch, and its stiffness 1ᵀ C_nn⁻¹ 1 when all points move alike, N/m; any part of the points has less. */
const NORMAL = Float64Array.from({ length: 81 }, (_, e) => {
  const [i, j] = [Math.floor(e / 9), e % 9];
  return flat.compliance[27 * (3 * i + 2) + 3 * j + 2];
});
const STIFFNESS = [...(normalForces(NORMAL, new Float64Array(9).fill(-1)) ?? [])].reduce(
  (sum, f) => sum + f,
  0,
);

const total = (patch: ElasticPatch, axis: number): number => patch.wrench[axis];

/** Turns the pose by small angles. */
function turn(patch: ElasticPatch, [x, y, z]: readonly number[]): void {
  const [a, b, c] = [x, y, z];
  // Rz Ry Rx
  const [ca, sa, cb, sb, cc, sc] = [a, b, c].flatMap((t) => [Math.cos(t), Math.sin(t)]);
  patch.pose.set(
    [
      cc * cb,
      cc * sb * sa - sc * ca,
      cc * sb * ca + sc * sa,
      sc * cb,
      sc * sb * sa + cc * ca,
      sc * sb * ca - cc * sa,
      -sb,
      cb * sa,
      cb * ca,
    ],
    3,
  );
}

test('without friction the forces are those of the active set of all points, in any pose', () => {
  const random = new Random(5);
  const model = gridPatch(4, D, MODULUS, (x, y) => 3 * x * x - y * x);
  const patch = patchOf(model, 1e-3, NO_FRICTION);
  const n = 16;
  let touched = 0;
  for (let draw = 0; draw < POSES; draw++) {
    const [a, b, c, z] = Array.from({ length: 4 }, () => 2 * random.uniform() - 1);
    turn(patch, [0.01 * a, 0.01 * b, c]);
    patch.pose[2] = 3e-5 * z;
    patch.step();
    const normal = patch.pose.slice(9, 12);
    const nn = new Float64Array(n * n);
    const gaps = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      gaps[i] = patch.pose[2];
      for (let e = 0; e < 3; e++) gaps[i] += normal[e] * model.points[3 * i + e];
      for (let j = 0; j < n; j++) {
        for (let e = 0; e < 9; e++) {
          const [p, q] = [Math.floor(e / 3), e % 3];
          nn[n * i + j] += normal[p] * model.compliance[48 * (3 * i + p) + 3 * j + q] * normal[q];
        }
      }
    }
    const expected = normalForces(nn, gaps);
    assert.ok(expected !== null);
    const most = Math.max(...expected, 1e-9);
    for (let i = 0; i < n; i++) {
      for (let e = 0; e < 3; e++) {
        const error = patch.problem.force[3 * i + e] - expected[i] * normal[e];
        assert.ok(Math.abs(error) < 1e-9 * most, `${draw}: ${error}`);
      }
      if (expected[i] > 0) touched++;
    }
  }
  assert.ok(touched > 2 * POSES);
});

test('with friction: no overlap, no tension, forces in the cone, sticking points hold, sliding ones lose energy', () => {
  const random = new Random(8);
  const patch = patchOf(flat, 1e-3, FRICTION);
  patch.pose[2] = 1e-5;
  patch.step();
  const counts = [0, 0, 0];
  let unsettled = 0;
  for (let draw = 0; draw < STEPS; draw++) {
    for (let a = 0; a < 2; a++) patch.pose[a] += 1e-6 * (2 * random.uniform() - 1);
    patch.pose[2] = -2e-5 * random.uniform() + 6e-6;
    turn(patch, [0.002 * random.uniform(), 0.002 * random.uniform(), 1e-3 * random.uniform()]);
    const anchors = patch.anchors.slice();
    patch.step();
    const { force, states, readout } = patch.problem;
    unsettled += readout[2];
    const n = patch.pose.slice(9, 12);
    const scale = Math.max(1e-12, ...force.map(Math.abs));
    assert.ok(patch.lost[0] >= 0, `friction gave ${-patch.lost[0]} J`);
    for (let p = 0; p < 9; p++) {
      counts[states[p]]++;
      const f = force.subarray(3 * p, 3 * p + 3);
      const load = n[0] * f[0] + n[1] * f[1] + n[2] * f[2];
      const drag = Math.hypot(f[0] - load * n[0], f[1] - load * n[1], f[2] - load * n[2]);
      assert.ok(load >= 0);
      assert.ok(drag <= FRICTION.static * load * (1 + 1e-9) + 1e-12 * scale);
      if (readout[2] === 1) continue;
      // sweeps end at changes of 1e-9 of the force, of which a hundred more of the same sign may be missing
      const rounding = 1e-7 * scale * flat.compliance[0];
      assert.ok(patch.places[3 * p + 2] > -rounding, `${draw} ${p}: ${patch.places[3 * p + 2]}`);
      if (load > 0)
        assert.ok(
          patch.places[3 * p + 2] < rounding,
          `${draw} ${p}: ${patch.places[3 * p + 2]}, ${load} of ${scale}, ${readout[1]}`,
        );
      if (states[p] === 2) {
        // slip in the axes of the body, along its plane; both are across n
        const moved = [0, 1, 2].map((a) =>
          [0, 1].reduce(
            (sum, c) =>
              sum + patch.pose[3 + 3 * c + a] * (patch.places[3 * p + c] - anchors[2 * p + c]),
            0,
          ),
        );
        const [x, y] = moved;
        const [fx, fy] = [f[0] - load * n[0], f[1] - load * n[1]];
        assert.ok(Math.abs(x * fy - y * fx) <= drag * rounding, `${draw} ${p}: slip ${x} ${y}`);
      }
      if (states[p] !== 1) continue;
      for (let a = 0; a < 2; a++) {
        const slip = Math.abs(patch.places[3 * p + a] - anchors[2 * p + a]);
        assert.ok(
          slip < rounding,
          `${draw} ${p}: ${slip} m, ${drag / load}, ${readout[1]} sweeps, ${load} of ${scale}`,
        );
      }
    }
  }
  assert.ok(Math.min(...counts) > STEPS / 2, String(counts));
  assert.ok(unsettled < STEPS / 100, `${unsettled} steps`);
});

/** Work that a mover does along a closed polygon of poses, its bound of error, what friction took, and the energy left in the modes. */
function loop(
  patch: ElasticPatch,
  corners: readonly (readonly number[])[],
  pieces: number,
): { work: number; bound: number; lost: number; left: number } {
  let [work, bound, lost] = [0, 0, 0];
  for (const [c, from] of corners.entries()) {
    const to = corners[(c + 1) % corners.length];
    for (let k = 0; k < pieces; k++) {
      const middle = (k + 0.5) / pieces;
      for (let a = 0; a < 3; a++) patch.pose[a] = from[a] + middle * (to[a] - from[a]);
      patch.step();
      let square = 0;
      for (let a = 0; a < 3; a++) {
        const moved = (to[a] - from[a]) / pieces;
        work -= patch.wrench[a] * moved;
        square += moved * moved;
      }
      lost += patch.lost[0];
      // the force is Lipschitz in the pose: |∫ f dx − f(middle) Δ| ≤ L Δ²/4
      if (patch.problem.readout[0] > 0) bound += (STIFFNESS * square) / 4;
    }
  }
  const energies = new Float64Array(2);
  patch.energies(energies);
  return { work, bound, lost, left: energies[0] + energies[1] };
}

const randomPath = (random: Random): number[][] => [
  [0, 0, 1e-5],
  ...Array.from({ length: 4 }, () => [
    2e-5 * random.uniform(),
    2e-5 * random.uniform(),
    -2e-5 * random.uniform() + 4e-6,
  ]),
  [0, 0, 1e-5],
];

test('closed loops of poses create no energy, and give back what they take but for the order Δ²', () => {
  const random = new Random(11);
  const sums = { work: 0, taken: 0 };
  const curved = gridPatch(3, D, MODULUS, (x) => 2 * x * x);
  const patch = patchOf(curved, 1e-3, NO_FRICTION);
  for (let draw = 0; draw < LOOPS; draw++) {
    const { work, bound, left } = loop(patch, randomPath(random), 12);
    assert.equal(left, 0);
    assert.ok(Math.abs(work) <= bound, `${work} ${bound}`);
    sums.work += work;
    sums.taken += bound;
  }
  // far below the bound, since a step without a change of the set is exact
  assert.ok(Math.abs(sums.work) < 0.02 * sums.taken, `${sums.work} of ${sums.taken}`);
  const path = randomPath(new Random(2));
  const errors = [10, 40, 160].map((pieces) => Math.abs(loop(patch, path, pieces).work));
  assert.ok(errors[2] < errors[0] / 50, String(errors));
});

test('closed loops with friction take what friction loses, and more where a point begins to slide with μ_d < μ_s', () => {
  const random = new Random(12);
  const patch = patchOf(flat, 1e-3, FRICTION);
  let slid = 0;
  for (let draw = 0; draw < POSES; draw++) {
    const { work, bound, lost, left } = loop(patch, randomPath(random), 24);
    assert.equal(left, 0);
    assert.ok(work >= lost - bound, `${work} ${lost} ${bound}`);
    slid += lost;
  }
  assert.ok(slid > 0);
});

test('with modes, work into closed loops is the energy left in the modes', () => {
  const random = new Random(13);
  const patch = patchOf(
    gridPatch(3, D, MODULUS, () => 0, twoModes(3, 900, 1400)),
    1e-3,
    NO_FRICTION,
  );
  let most = 0;
  let scale = 0;
  for (let draw = 0; draw < LOOPS; draw++) {
    patch.eta.fill(0);
    patch.etaRate.fill(0);
    const { work, left, bound } = loop(patch, randomPath(random), 24);
    if (bound === 0) continue;
    most = Math.max(most, Math.abs(left - work) / bound);
    scale = Math.max(scale, left / bound);
  }
  assert.ok(most < 1, `${most}`);
  assert.ok(scale > 0.1, 'modes move');
});

/** A free mass on the patch, along z: speed after the impact, its energy error and duration. */
function impact(model: Parameters<typeof patchOf>[0], mass: number, h: number) {
  const patch = patchOf(model, h, NO_FRICTION);
  patch.problem.moves[0] = 1;
  for (let a = 0; a < 3; a++) patch.problem.mobility[7 * a] = (h * h) / 4 / mass;
  let [z, v] = [1.3e-5, -0.05];
  let [steps, contact] = [0, 0];
  while (steps++ < 1e5 && (z < 2e-5 || v < 0)) {
    patch.pose[2] = z + (h / 2) * v;
    patch.step();
    const mean = v + ((h / 2) * total(patch, 2)) / mass;
    z += h * mean;
    v = 2 * mean - v;
    if (patch.problem.readout[0] > 0) contact += h;
  }
  const energies = new Float64Array(2);
  patch.energies(energies);
  const energy = 0.5 * mass * v * v + energies[1];
  return { v, contact, error: energy / (0.5 * mass * 0.05 * 0.05) - 1 };
}

test('a mass that meets the face: time of contact π √(m/k), speed and energy come back', () => {
  const time = Math.PI * Math.sqrt(2 / STIFFNESS);
  for (const parts of [8, 40, 200]) {
    const { v, contact, error } = impact(flat, 2, time / parts);
    // one step touches and one leaves in part: 1/4 k (v h)² of ½ m v² each, of either sign
    const allowed = 1.1 * (Math.PI / parts) ** 2;
    assert.ok(Math.abs(error) < allowed, `${parts}: ${error}`);
    assert.ok(Math.abs(v / 0.05 - 1) < allowed);
    assert.ok(Math.abs(contact / time - 1) < 1.5 / parts, `${parts}: ${contact / time}`);
  }
});

test('modes take a part of an impact and the sum stays', () => {
  const model = gridPatch(3, D, MODULUS, () => 0, twoModes(3, 900, 1400));
  const { v, error } = impact(model, 2, 2e-5);
  assert.ok(Math.abs(error) < 1e-3, `${error}`);
  assert.ok(v > 0.01 && v < 0.0497, `${v}`);
});

test('Hertz: a sphere of 50 mm on the half-space of Love, 2 % for a/d ≥ 2', () => {
  for (const [n, ratio, most] of [
    [7, 2.2, 0.02],
    [13, 5.4, 0.005],
  ]) {
    const [radius, modulus] = [0.05, 1e7];
    const d = 2e-4;
    const a = ratio * d;
    const depth = (a * a) / radius;
    const model = gridPatch(n, d, modulus, (x, y) => (x * x + y * y) / (2 * radius));
    const patch = patchOf(model, 1e-3, NO_FRICTION, 169);
    patch.pose[2] = -depth;
    patch.step();
    const hertz = (4 / 3) * modulus * Math.sqrt(radius) * depth ** 1.5;
    assert.equal(patch.problem.readout[3], 0);
    assert.ok(Math.abs(total(patch, 2) / hertz - 1) < most, `${total(patch, 2) / hertz}`);
  }
});

test('Cattaneo and Mindlin: on a half-space a tangential force below μ F slides outside of the radius c alone, a (1 − Q/μF)^⅓', () => {
  const [radius, modulus, d] = [0.05, 1e7, 2e-4];
  const a = 4.2 * d;
  const model = gridPatch(11, d, modulus, (x, y) => (x * x + y * y) / (2 * radius));
  const patch = patchOf(model, 1e-3, { static: 0.4, sliding: 0.4 }, 121);
  patch.pose[2] = (-a * a) / radius;
  patch.step();
  const normal = total(patch, 2);
  // 1.2 times the normal compliance: full sliding at a shift of 1.2 μ a²/R
  for (let k = 1; k <= 20; k++) {
    patch.pose[0] = (((0.6 * k) / 20) * 1.2 * 0.4 * a * a) / radius;
    patch.step();
  }
  const share = -total(patch, 0) / (0.4 * normal);
  // shift/full = 1 − (1 − share)^⅔
  assert.ok(Math.abs(share / (1 - 0.4 ** 1.5) - 1) < 0.03, `${share}`);
  const inner = a * (1 - share) ** (1 / 3);
  for (let p = 0; p < 121; p++) {
    const r = Math.hypot(model.points[3 * p], model.points[3 * p + 1]);
    if (r < inner - d) assert.equal(patch.problem.states[p], 1, `${r / a}`);
    if (r > inner + d && r < a - d) assert.equal(patch.problem.states[p], 2, `${r / a}`);
  }
});

test('more than the most points at once are counted, and the deepest push', () => {
  const patch = patchOf(
    gridPatch(3, D, MODULUS, (x) => x * 1e-3),
    1e-3,
    FRICTION,
    4,
  );
  patch.pose[2] = -1e-5;
  patch.step();
  assert.equal(patch.problem.readout[0], 4);
  assert.equal(patch.problem.readout[3], 1);
  for (const p of [0, 3, 6]) assert.ok(patch.problem.force[3 * p + 2] > 0);
});

test('a damaged model and μ_d > μ_s are refused', () => {
  const refused = (make: () => unknown, words: RegExp): void => {
    assert.throws(make, (error) => error instanceof BerthError && words.test(error.message));
  };
  refused(
    () => patchOf(flat, 1e-3, { static: 0.2, sliding: 0.3 }),
    /friction\.sliding to lie from 0 to friction\.static, 0\.2, got 0\.3/,
  );
  refused(() => makePatch(flat, 0), /Expected step > 0/);
  const [mode] = twoModes(3, 900, 1400);
  refused(
    () => makePatch({ ...flat, modes: [{ ...mode, frequency: 9 }] }, 1e-3),
    /positive definite without the modes/,
  );
  refused(() => makePatch({ ...flat, points: [0] }, 1e-3), /points to have 27 numbers/);
});
