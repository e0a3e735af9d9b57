/** An elastic face that takes sub-steps by itself: against sub-steps of the whole system, energy, momenta, external work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EnergyReadout } from '../../../src/system/energy-ledger.ts';
import { FaceReadout } from '../../../src/contact/elastic/face-readout.ts';
import type { System } from '../../../src/system/system.ts';
import { type ElasticScene, elasticSystem } from '../../fixtures/elastic-scenes.ts';

const H = 1e-3;
const BLOCK = 1;
const FRICTION = { kind: 'coulomb', stiction: 0.3, coulomb: 0.2 };
const body = new Float64Array(13);
const energy = new Float64Array(7);

const stateOf = (run: System, b: number): Float64Array => (run.readBody(b, body, 0), body.slice());
const account = (run: System, column: keyof typeof EnergyReadout): number => {
  run.readEnergy(energy, 0);
  return energy[EnergyReadout[column]];
};
/** A run of some ms in steps of H/parts; the most sub-steps of a step, and the largest balance over the energy at the start. */
function fly(scene: ElasticScene, parts: number, duration: number) {
  const run = elasticSystem({ ...scene, step: H / parts, substeps: 200 });
  const start = account(run, 'kinetic');
  let [taken, off] = [0, 0];
  for (let k = 0; k < parts * duration; k++) {
    assert.equal(run.step(H / parts), 0);
    taken = Math.max(taken, run.substeps);
    off = Math.max(off, Math.abs(account(run, 'balance')) / start);
  }
  return { run, taken, off };
}
const STIFF = {
  kind: 'half-space',
  youngs_modulus_N_per_m2: 4e9,
  poisson_ratio: 0.3,
  size_m: [0.02, 0.02],
  points: [4, 4],
};

test('a block that does not turn comes off with the speeds of small steps of the whole system', () => {
  for (const friction of [{ kind: 'none' }, FRICTION]) {
    const scene: ElasticScene = {
      height: 1.3e-5,
      velocity: [0.01, 0, -0.05],
      compliance: STIFF,
      friction,
    };
    const { run, taken, off } = fly(scene, 1, 4);
    assert.ok(taken > 10, `${taken}`);
    // locked, nothing of the step is frozen: the same sub-steps, up to where they begin
    const whole = fly(scene, taken, 4).run;
    const [a, b] = [stateOf(run, BLOCK), stateOf(whole, BLOCK)];
    for (const e of [7, 9]) assert.ok(Math.abs(a[e] - b[e]) < 1e-3 * 0.05, `${a[e]} ${b[e]}`);
    assert.ok(Math.abs(a[2] - b[2]) < 1e-3 * 0.05 * 4e-3 + 1e-7, `${a[2]} ${b[2]}`);
    assert.ok(off < 1e-12, `${off}`);
  }
});

test('beside its middle it turns as in small steps, with friction and without', () => {
  for (const friction of [{ kind: 'none' }, FRICTION]) {
    const scene: ElasticScene = {
      height: 1.3e-5,
      velocity: [0.02, 0, -0.05],
      compliance: STIFF,
      friction,
      turns: true,
      aside: [0.01, 0.004],
    };
    const { run, off } = fly(scene, 1, 3);
    const fine = fly(scene, 60, 3).run;
    const [a, b] = [stateOf(run, BLOCK), stateOf(fine, BLOCK)];
    for (const e of [7, 8, 9])
      assert.ok(Math.abs(a[e] - b[e]) < 0.02 * 0.05, `${e}: ${a[e]} ${b[e]}`);
    for (const e of [10, 11, 12]) {
      assert.ok(Math.abs(a[e] - b[e]) < (0.02 * 0.05) / 0.02, `${e}: ${a[e]} ${b[e]}`);
    }
    assert.ok(off < 1e-9, `${off}`);
    assert.ok(account(run, 'dissipated') > -2e-2 * 0.5 * 2 * 0.05 ** 2);
  }
});

test('two free bodies keep momentum and angular momentum', () => {
  const scene: ElasticScene = {
    height: 1.3e-5,
    velocity: [0.03, 0, -0.05],
    compliance: STIFF,
    friction: FRICTION,
    turns: true,
    table: 3,
    aside: [0.01, 0.004],
  };
  const run = elasticSystem(scene);
  const moments = [
    [3, 0.004, 0.005, 0.007],
    [2, 0.002, 0.002, 0.002],
  ] as const;
  const sums = (): number[] => {
    const out = [0, 0, 0, 0, 0, 0];
    for (const [b, [mass, ...inertia]] of moments.entries()) {
      const x = stateOf(run, b);
      for (let a = 0; a < 3; a++) {
        const [c, d] = [(a + 1) % 3, (a + 2) % 3];
        out[a] += mass * x[7 + a];
        out[3 + a] += mass * (x[c] * x[7 + d] - x[d] * x[7 + c]);
        // turned by less than 1e-3 rad
        out[3 + a] += inertia[a] * x[10 + a];
      }
    }
    return out;
  };
  const before = sums();
  let taken = 0;
  for (let k = 0; k < 4; k++) {
    run.step(H);
    taken = Math.max(taken, run.substeps);
  }
  assert.ok(taken > 10, `${taken}`);
  const after = sums();
  for (let a = 0; a < 3; a++) assert.ok(Math.abs(after[a] - before[a]) < 1e-14, `${a}`);
  for (let a = 3; a < 6; a++) {
    assert.ok(Math.abs(after[a] - before[a]) < 2e-6, `${a}: ${after[a] - before[a]}`);
  }
  assert.ok(
    Math.abs(account(run, 'balance')) < 1e-6 * 0.5 * 2 * 0.05 ** 2,
    `${account(run, 'balance')}`,
  );
});

test('an external force works on the way of the block: the balance stays', () => {
  const run = elasticSystem({ height: 1.3e-5, velocity: [0, 0, -0.05], compliance: STIFF });
  run.setExternalWrench(BLOCK, Float64Array.of(0, 0, -40, 0, 0, 0), 0);
  for (let k = 0; k < 6; k++) {
    run.step(H);
    assert.ok(Math.abs(account(run, 'balance')) < 1e-15, `${k}: ${account(run, 'balance')}`);
  }
  assert.ok(account(run, 'externalWork') !== 0);
});

test('under gravity, in reach of its face, a block bounces to the height that it came from', () => {
  const from = 8e-5;
  const run = elasticSystem({ height: from, gravity: 9.81, compliance: STIFF });
  const top = 2 * 9.81 * from;
  let [late, least] = [0, 1];
  for (let k = 0; k < 300; k++) {
    run.step(H);
    const height = stateOf(run, BLOCK)[2] - 0.05;
    least = Math.min(least, height);
    if (k > 200) late = Math.max(late, height);
  }
  run.readFaces(energy, 0);
  assert.equal(energy[FaceReadout.unresolved], 0);
  assert.ok(least < -1e-6);
  assert.ok(Math.abs(account(run, 'dissipated')) < 0.02 * top);
  assert.ok(Math.abs(account(run, 'balance')) < 0.05 * top, `${account(run, 'balance') / top}`);
  assert.ok(Math.abs(late / from - 1) < 0.05, `${late}`);
});

test('a block that bounces keeps its height, though steps are long in flight and short at the face', () => {
  const g = 9.81;
  const height = 2e-4;
  const run = elasticSystem({
    height,
    gravity: g,
    step: H,
    substeps: 200,
    compliance: STIFF,
    turns: true,
  });
  const tops: number[] = [];
  let touched = true;
  let most = 0;
  for (let k = 0; k < 300; k++) {
    assert.equal(run.step(H), 0);
    most = Math.max(most, run.substeps);
    const state = stateOf(run, BLOCK);
    const z = state[2] - 0.05;
    if (run.substeps > 1) touched = true;
    else if (touched && z > 0.5 * height) {
      // what steps keep in flight: the velocity stands half a step before the pose
      const u = state[9] - 0.5 * g * H;
      tops.push(z + (0.5 * u * u) / g);
      touched = false;
    }
  }
  assert.ok(tops.length > 8, `${tops.length} tops`);
  assert.ok(most === 30, `${most} parts`);
  // 17 parts would have ω h = 0.4 for the bounce; onset and loss of a touch have (ω h)²/4 of its energy at most
  const part = (0.4 * 17) / most;
  for (const [k, top] of tops.entries()) {
    const before = k === 0 ? height : tops[k - 1];
    assert.ok(Math.abs(top / before - 1) < part ** 2 / 4, `top ${k}: ${top} after ${before}`);
  }
  // of its own level it would lose V h/H = 31 % a touch
  const last = tops[tops.length - 1];
  assert.ok(Math.abs(last / height - 1) < 0.02, `${last} m of ${height} m`);
});
