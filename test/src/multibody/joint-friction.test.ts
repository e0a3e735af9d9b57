/** Joint friction: stick–slip in closed form, break-away after a dwell, the printed equations in fine steps, passivity, coupled joints. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { JointFriction } from '../../../src/multibody/tree/joint-friction.ts';
import type { JointFrictionModel } from '../../../src/model/tree-model.ts';
import { number } from '../../fixtures/random-tree.ts';

function near(got: number, want: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(got - want) <= tolerance, `${what}: ${got}, expected ${want} ± ${tolerance}`);
}

const MODEL: JointFrictionModel = {
  stiction: 0.25,
  coulomb: 0.2,
  bristleStiffness: 1e6,
  bristleDamping: 1000,
  viscous: 0,
  stribeckSpeed: 1e-5,
  dwellTime: 0.02,
};

/** One joint: inertia, spring torque and friction, in semi-implicit steps. */
function pulledRotor(
  model: JointFrictionModel,
  inertia: number,
  step: number,
): { friction: JointFriction; advance: (torque: number) => void; angle: number; rate: number } {
  const friction = new JointFriction([model], new Float64Array(2));
  const timing = Float64Array.of(step);
  const mobility = Float64Array.of(1 / inertia);
  const before = new Float64Array(1);
  const rates = new Float64Array(1);
  const run = {
    friction,
    angle: 0,
    rate: 0,
    advance(torque: number): void {
      before[0] = run.rate;
      rates[0] = run.rate + (step * torque) / inertia;
      friction.solve(before, rates, mobility, timing);
      friction.advance(timing);
      run.rate = rates[0];
      run.angle += step * run.rate;
    },
  };
  return run;
}

test('a rotor pulled by a spring slips and sticks as the closed form says', () => {
  // Kim 1999, 4.2.4 turned into rotation: I = 0.1, K = 100, end of the spring at 0.002 rad/s, friction 0.2 and 0.25. Slip with
  // ω = √(K/I) from 0.25 through phase 2(π − atan(7.9057)), then at rest until the spring has gone from 0.15 to 0.25 again.
  // Stiction falls at once there; here when the Stribeck speed is reached, √(2 I v_s/(K 0.002)) = 3 ms, and within σ1/σ0 = 1 ms and three
  // steps; 2 mrad/s, from where on it counts as slip, takes 4 ms more
  const period = 0.6073;
  for (const [h, late] of [
    [1e-3, 9e-3],
    [1e-4, 8e-3],
  ] as const) {
    const run = pulledRotor(MODEL, 0.1, h);
    const slips: number[] = [];
    const sticks: number[] = [];
    const springs: number[] = [];
    let peak = 0;
    let moving = false;
    let time = 0;
    for (let n = 1; n <= 3 / h; n++) {
      // the spring at the middle of the step: its stiffness is far below the resolution of a step
      // (ω h = 0.03)
      run.advance(100 * (0.002 * (time + h / 2) - run.angle));
      time = n * h;
      peak = Math.max(peak, run.rate);
      const fast: boolean = run.rate > (moving ? 5e-4 : 2e-3);
      if (fast && !moving) slips.push(time);
      if (!fast && moving) {
        sticks.push(time);
        springs.push(100 * (0.002 * time - run.angle));
      }
      moving = fast;
    }
    assert.equal(slips.length, 3, 'slips in 3 s');
    near(slips[0], 1.25, late, 'first slip');
    // torque gathered while late swings through to the other side: it counts twice until the next slip
    slips.slice(1).forEach((at, i) => near(at - slips[i], period, 2 * late, `period ${i}`));
    sticks.forEach((at, i) => near(at - slips[i], 0.1073, 2 * h + 5e-3, `duration of slip ${i}`));
    springs.forEach((torque, i) => near(torque, 0.15, 2e-3, `spring at re-stick ${i}`));
    near(peak, 0.017937, 0.02 * 0.017937, 'peak rate');
  }
});

test('break-away torque grows with the time at rest', () => {
  const model = { ...MODEL, dwellTime: 0.5, stribeckSpeed: 1e-3 };
  const h = 1e-3;
  for (const rest of [0.1, 0.5, 1, 3]) {
    const run = pulledRotor(model, 0.01, h);
    for (let n = 0; n < 200; n++) run.advance(0.4); // sliding: dwell is gone after σ1/σ0 = 1 ms
    near(run.friction.states[1], 0, 1e-6, 'dwell while sliding');
    for (let n = 0; n < 2000 && Math.abs(run.rate) > 1e-4; n++) run.advance(-0.1);
    for (let n = 0; n < rest / h; n++) run.advance(0);
    let torque = 0;
    let time = rest;
    while (run.rate < 5e-3 && torque < 0.3) {
      torque += 2e-4;
      time += h;
      run.advance(torque);
    }
    const want = 0.2 + 0.05 * (1 - Math.exp(-time / 0.5));
    // it lets go when the speed of the Stribeck fall is reached: √(2 I v_s/0.2) = 10 ms late at 0.2 N m/s
    near(torque, want, 4e-3, `break-away after ${rest} s`);
  }
});

test('the step of 1 ms follows the printed equations', () => {
  // independent: (3.30)–(3.42) as printed, one joint under a swinging torque, explicit in steps of 4 µs
  const model = { ...MODEL, stribeckSpeed: 0.05, viscous: 0.02, dwellTime: 0.1 };
  const inertia = 0.02;
  const torque = (t: number): number => 0.6 * Math.sin(2 * Math.PI * t) + 0.1 * Math.sin(17 * t);
  const reference: number[] = [];
  {
    const { stiction, coulomb, bristleStiffness: s0, bristleDamping: s1, viscous } = model;
    let [angle, u, z, dwell] = [0, 0, 0, 1];
    const h = 4e-6;
    for (let n = 0; n < 5e5; n++) {
      const s = Math.exp(-((u / model.stribeckSpeed) ** 2));
      let rate = s * u + (1 - s) * ((coulomb / s1) * Math.sign(u) - (s0 / s1) * z);
      const limit = coulomb + (stiction - coulomb) * dwell;
      const held = Math.max(-limit, Math.min(limit, s0 * z + s1 * rate));
      rate = (held - s0 * z) / s1;
      u += (h / inertia) * (torque(n * h) - held - viscous * u);
      angle += h * u;
      z += h * rate;
      const gap = s - dwell;
      dwell += (h * gap) / (gap >= 0 ? model.dwellTime : s1 / s0);
      if (n % 500 === 499) reference.push(angle);
    }
  }
  const worst = [1e-3, 5e-4].map((h) => {
    const run = pulledRotor(model, inertia, h);
    let error = 0;
    const every = Math.round(2e-3 / h);
    for (let n = 0; n < 2 / h; n++) {
      run.advance(torque((n + 0.5) * h));
      if (n % every === every - 1) {
        error = Math.max(error, Math.abs(run.angle - reference[(n + 1) / every - 1]));
      }
    }
    return error;
  });
  const travel = Math.max(...reference) - Math.min(...reference);
  // first order: each of eight stick–slip changes in 2 s is placed within a step, at torques of 0.1 over I for what follows
  assert.ok(worst[0] < 0.02 * travel, `error ${worst[0]} of a travel of ${travel} rad`);
  assert.ok(worst[1] < 0.75 * worst[0], `half the step: ${worst[1]} after ${worst[0]}`);
});

test('random torques on coupled joints: friction never makes energy, and stiff bristles stay at rest', () => {
  const random = new Random(5);
  for (let repeat = 0; repeat < 25; repeat++) {
    const count = 1 + Math.floor(7 * random.uniform());
    const models = Array.from({ length: count }, (): JointFrictionModel => {
      const coulomb = 10 ** (2 * random.uniform() - 1);
      const stribeckSpeed = 10 ** (-3 + 2 * random.uniform());
      // from T_C/(2 v_s) on the law is passive, docs/theory/joint-friction.md
      const damping = (coulomb / (2 * stribeckSpeed)) * 10 ** (2 * random.uniform());
      return {
        coulomb,
        stiction: coulomb * (1 + random.uniform()),
        bristleStiffness: damping * 10 ** (2 + 2 * random.uniform()),
        bristleDamping: damping,
        viscous: 0.1 * coulomb * random.uniform(),
        stribeckSpeed,
        dwellTime: random.uniform() < 0.2 ? 0 : random.uniform(),
      };
    });
    const states = new Float64Array(2 * count);
    const friction = new JointFriction(models, states);
    const mobility = randomMobility(random, count);
    const inertia = inverse(mobility, count);
    const timing = Float64Array.of(1e-3);
    const u = new Float64Array(count);
    const before = new Float64Array(count);
    const energy = (): number => {
      const sum = new Float64Array(1);
      friction.addStoredEnergy(sum);
      for (let i = 0; i < count; i++) {
        for (let k = 0; k < count; k++) sum[0] += 0.5 * u[i] * u[k] * inertia[i * count + k];
      }
      return sum[0];
    };
    const push = models.map((m) => 3 * m.stiction * number(random));
    for (let n = 0; n < 2000; n++) {
      before.set(u);
      // second half: nothing pushes
      if (n < 800) {
        for (let i = 0; i < count; i++) {
          for (let k = 0; k < count; k++) {
            u[i] += 1e-3 * mobility[i * count + k] * push[k] * Math.sin(0.01 * n * (1 + k));
          }
        }
      }
      const start = energy();
      friction.solve(before, u, mobility, timing);
      friction.advance(timing);
      const end = energy();
      // rounding of a difference of energies
      assert.ok(
        end <= start * (1 + 1e-12) + 1e-15,
        `step ${n} of ${repeat}: ${start} J to ${end} J`,
      );
      models.forEach((model, k) => {
        const held = friction.torque[k] + model.viscous * u[k];
        assert.ok(
          Math.abs(held) <= model.stiction * (1 + 1e-12),
          `joint ${k} within its stiction: ${held}`,
        );
      });
    }
    // what keeps moving after 1.2 s without a push: creep of bristles that straighten, far below the speed of the Stribeck fall
    models.forEach((model, k) => {
      assert.ok(
        Math.abs(u[k]) < 0.05 * model.stribeckSpeed,
        `joint ${k} of ${repeat} rests: ${u[k]} rad/s, Stribeck ${model.stribeckSpeed}`,
      );
    });
  }
});

test('coupled joints: the rates of a step solve its equations', () => {
  const random = new Random(9);
  for (let repeat = 0; repeat < 300; repeat++) {
    const count = 2 + Math.floor(8 * random.uniform());
    const models = Array.from({ length: count }, () => ({
      ...MODEL,
      viscous: 0.1,
      stribeckSpeed: 0.1,
    }));
    const states = new Float64Array(2 * count);
    const friction = new JointFriction(models, states);
    for (let k = 0; k < count; k++) {
      states[2 * k] = 2.5e-7 * number(random);
      states[2 * k + 1] = random.uniform();
    }
    const bent = states.slice();
    const mobility = randomMobility(random, count);
    const before = Float64Array.from({ length: count }, () => 0.2 * number(random));
    const free = before.map((u) => u + 0.05 * number(random));
    const rates = free.slice();
    friction.solve(before, rates, mobility, Float64Array.of(1e-3));
    friction.advance(Float64Array.of(1e-3));
    for (let i = 0; i < count; i++) {
      let want = free[i];
      for (let k = 0; k < count; k++) want += 1e-3 * mobility[i * count + k] * friction.torque[k];
      near(rates[i], want, 1e-12, 'impulse of the torques'); // rounding: condition of I + h W D below 1e3
      // the torque of the moved bristle: σ0 z' + σ1 (z' − z)/h, at or below its limit
      const held = -(friction.torque[i] + 0.1 * rates[i]);
      const speed = (states[2 * i] - bent[2 * i]) / 1e-3;
      near(1e6 * states[2 * i] + 1000 * speed, held, 1e-10, 'torque of the bristle');
      const limit = 0.2 + 0.05 * bent[2 * i + 1];
      assert.ok(
        Math.abs(held) <= limit * (1 + 1e-12),
        `at or below the limit: ${held} of ${limit}`,
      );
    }
  }
});

/** An inverse mass matrix of a serial arm: neighbours strongly coupled. */
function randomMobility(random: Random, n: number): Float64Array {
  const rows = Array.from({ length: n }, () => Array.from({ length: n }, () => number(random)));
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      out[i * n + k] = rows[i].reduce((sum, x, a) => sum + x * rows[k][a], i === k ? 0.05 : 0);
    }
  }
  return out;
}

/** Gauss–Jordan of a positive definite matrix. */
function inverse(matrix: Float64Array, n: number): Float64Array {
  const a = matrix.slice();
  for (let p = 0; p < n; p++) {
    const d = 1 / a[p * n + p];
    a[p * n + p] = 1;
    for (let k = 0; k < n; k++) a[p * n + k] *= d;
    for (let i = 0; i < n; i++) {
      if (i === p) continue;
      const f = a[i * n + p];
      a[i * n + p] = 0;
      for (let k = 0; k < n; k++) a[i * n + k] -= f * a[p * n + k];
    }
  }
  return a;
}
