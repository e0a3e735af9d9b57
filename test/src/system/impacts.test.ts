/**
 * Impacts and rest of every normal law, run by the system, against the closed forms of
 * src/contact/normal/impact.ts.
 *
 * Tolerances: the force has a kink of order δⁿ at touch and release, so the restitution of RK4 is
 * off by about (h/T)ⁿ⁺¹. With 500 steps per contact 9e-8 (n = 1), 5e-8 (n = 3/2) and 3e-9 (n = 2)
 * were measured; the limit is 1e-6.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  contactModulus,
  deliveredRestitution,
  dampingForRestitution,
  hertzStiffness,
  impactDepth,
  impactDuration,
  impactPeakForce,
  kelvinVoigtRestitution,
  makeSystem,
  restDepth,
  slopeRestitution,
} from '../../../src/index.ts';
import type {
  IntegratorKind,
  Modia3dModel,
  NormalLawModel,
  SystemModel,
} from '../../../src/index.ts';
import { RADIUS, runImpact } from './impact-run.ts';
import { body, contact, system } from '../../fixtures/models.ts';

const STEPS = 500;
const GRAVITY = 9.81;
const STEEL = contactModulus(2e11, 0.3, 2e11, 0.3);
/** Full steel ball of radius 0.1 m. */
const BALL_MASS = (4 / 3) * Math.PI * 1e-3 * 8000;

function modia3d(parts: Partial<Modia3dModel> = {}): Modia3dModel {
  return {
    kind: 'modia3d',
    contactModulus: STEEL,
    restitution: 0.7,
    smallVelocity: 0.01,
    maximumDamping: 2000,
    reductionFactor: 1,
    ...parts,
  };
}

test('Modia3D: an impact returns the delivered restitution, or cor itself when exact, for any mass, stiffness and speed', () => {
  for (const restitution of [0.9, 0.7, 0.5, 0.3]) {
    for (const damping of ['flores', 'exact'] as const) {
      const z = dampingForRestitution(restitution, damping);
      const want = damping === 'exact' ? restitution : deliveredRestitution(z);
      for (const [mass, reductionFactor, speed] of [
        [1e-3, 1, 1],
        [1, 1e-5, 0.1],
        [33.5, 1e-2, 3],
        [1e3, 1e-4, 0.5],
      ] as const) {
        const stiffness = hertzStiffness(reductionFactor * STEEL, RADIUS);
        const impact = { mass, stiffness, exponent: 1.5, speed, damping: z / speed };
        const got = runImpact({
          law: modia3d({ restitution, damping, reductionFactor, allowTension: true }),
          mass,
          speed,
          duration: impactDuration(impact),
          steps: STEPS,
        });
        const what = `${damping} ${restitution}, ${mass} kg, k_red ${reductionFactor}`;
        assert.ok(Math.abs(got.restitution - want) < 1e-6, `${what}: ${got.restitution}`);
        assert.ok(got.least >= 0, `${what}: a free impact never pulls`);
        // the greatest of samples: off by (π/500)²/8 at most
        assert.ok(Math.abs(got.depth / impactDepth(impact) - 1) < 5e-6, what);
      }
    }
  }
});

test('Modia3D: cor = 1 gives the energy back to 1e-8, cor = 0 and slow impacts take the largest damping', () => {
  const base = { mass: 2, stiffness: hertzStiffness(STEEL, RADIUS), exponent: 1.5 };
  const elastic = runImpact({
    law: modia3d({ restitution: 1 }),
    mass: 2,
    speed: 1,
    duration: impactDuration({ ...base, speed: 1, damping: 0 }),
    steps: 2000, // (1/2000)^2.5 = 6e-9
  });
  assert.ok(Math.abs(elastic.gain) < 1e-8, `${elastic.gain}`);
  for (const [restitution, speed] of [
    [0, 0.02],
    [0.7, 0.01],
    [0.7, 0.001],
  ] as const) {
    const want = deliveredRestitution(2000 * speed);
    const got = runImpact({
      law: modia3d({ restitution }),
      mass: 2,
      speed,
      duration: impactDuration({ ...base, speed, damping: 2000 }),
      steps: 4 * STEPS, // z = 40: early, steep loss
    });
    assert.ok(Math.abs(got.restitution - want) < 1e-6, `${speed}: ${got.restitution} for ${want}`);
  }
});

test('restitution slope: e, depth and force for every mass, stiffness and exponent; no jump, no pull', () => {
  for (const [mass, stiffness, exponent] of [
    [1, 1e5, 1],
    [0.1, 1e5, 1],
    [1, 1e7, 1],
    [1, 1e9, 1.5],
    [5, 1e6, 1.5],
    [2, 1e8, 2],
  ] as const) {
    for (const slopeTimesSpeed of [0.001, 0.05, 0.2, 0.5, 1, 5]) {
      const speed = 0.8;
      const damping = (1.5 * slopeTimesSpeed) / speed;
      const impact = { mass, stiffness, exponent, speed, damping };
      const got = runImpact({
        law: {
          kind: 'restitution-slope',
          stiffness,
          exponent,
          slope: slopeTimesSpeed / speed,
          allowTension: true,
        },
        mass,
        speed,
        duration: impactDuration(impact),
        steps: STEPS,
      });
      const what = `n ${exponent}, m ${mass}, α v ${slopeTimesSpeed}: ${JSON.stringify(got)}`;
      assert.ok(Math.abs(got.restitution - slopeRestitution(slopeTimesSpeed)) < 1e-6, what);
      assert.ok(Math.abs(got.depth / impactDepth(impact) - 1) < 2e-5, what);
      // the greatest of samples of a sharper curve: f''/f up to 100/T² here, times h²/8
      assert.ok(Math.abs(got.peak / impactPeakForce(impact) - 1) < 5e-4, what);
      assert.ok(got.least >= 0, what);
      const most = stiffness * (speed * got.firstTime) ** exponent * (1 + damping * speed);
      assert.ok(got.first > 0 && got.first <= most, `${what}, first at most ${most}`);
    }
  }
});

test('hysteretic: Flores damping returns 0.470 for e = 0.5', () => {
  const z = dampingForRestitution(0.5, 'flores');
  const impact = { mass: 2, stiffness: 1e6, exponent: 1.5, speed: 0.5, damping: z / 0.5 };
  const got = runImpact({
    law: {
      kind: 'hysteretic',
      stiffness: 1e6,
      exponent: 1.5,
      restitution: 0.5,
      smallVelocity: 1e-3,
      relaxationTime: 0,
      damping: 'flores',
    },
    mass: 2,
    speed: 0.5,
    duration: impactDuration(impact),
    steps: STEPS,
  });
  assert.ok(Math.abs(got.restitution - 0.4704447793) < 1e-6, `${got.restitution}`);
});

test('Kelvin–Voigt: restitution of ζ whatever the speed; the jump makes it first-order in the step', () => {
  const mass = 2;
  const stiffness = 1e6;
  const omega = Math.sqrt(stiffness / mass);
  for (const zeta of [0.05, 0.3, 0.7, 1, 1.5]) {
    const damping = 2 * zeta * Math.sqrt(stiffness * mass);
    const duration = (Math.PI / omega) * (1 + zeta);
    const off = [STEPS, 2 * STEPS].map((steps) => {
      const law = { kind: 'kelvin-voigt', stiffness, damping } as const;
      const got = runImpact({ law, mass, speed: 0.5, duration, steps });
      // first force is c v, not small with the step: at least nine tenths of it at 500 steps
      assert.ok(got.first > 0.9 * damping * 0.5, `jump ${got.first} N`);
      return got.restitution - kelvinVoigtRestitution(zeta);
    });
    // a step that holds the touch sees up to h c v/m too little or too much: 2 ζ ω h of the speed
    assert.ok(Math.abs(off[0]) < 2 * zeta * omega * (duration / STEPS), `${zeta}: ${off[0]}`);
    const order = off[0] / off[1];
    assert.ok(order > 1.9 && order < 2.1, `${zeta}: error over error at half the step is ${order}`);
    assert.ok(Math.abs(off[0]) > 1e-5, 'a smooth law is a hundred times closer');
  }
});

/** A ball that hits a slab off the centre of both, all free. */
function offCentre(normalLaw: NormalLawModel, integrator: IntegratorKind): SystemModel {
  return system({
    integrator,
    maximumSubsteps: 1,
    bodies: [
      body('ball', 'dynamic', {
        mass: 2,
        inertia: [0.01, 0.012, 0.015, 0, 0, 0],
        position: [0.2, 0.1, 0.1005],
        velocity: [0.3, -0.2, -0.8],
        angularVelocity: [1, 2, -3],
      }),
      body('slab', 'dynamic', { mass: 5, inertia: [0.4, 0.5, 0.8, 0, 0, 0] }),
    ],
    contacts: [
      contact('ball', 'slab', {
        pair: {
          kind: 'sphere-plane',
          radius: 0.1,
          center: [0.02, -0.01, 0],
          normal: [0, 0, 1],
          offset: 0,
        },
        normalLaw,
      }),
    ],
  });
}

/** One model of every law, of comparable stiffness. */
const LAWS: readonly NormalLawModel[] = [
  {
    kind: 'hysteretic',
    stiffness: 1e6,
    exponent: 1.5,
    restitution: 0.5,
    smallVelocity: 1e-3,
    relaxationTime: 0,
  },
  {
    kind: 'hertz',
    contactModulus: 2.4e6,
    restitution: 0.5,
    smallVelocity: 1e-3,
    relaxationTime: 0.1,
    damping: 'flores',
  },
  modia3d({ reductionFactor: 2e-5 }),
  { kind: 'restitution-slope', stiffness: 1e6, exponent: 1.5, slope: 0.3 },
  { kind: 'kelvin-voigt', stiffness: 3e4, damping: 60 },
];

test('momentum and angular momentum of an off-centre impact of two free bodies survive, for every law', () => {
  for (const law of LAWS) {
    for (const integrator of ['implicit-contact', 'symplectic-euler'] as const) {
      const model = offCentre(law, integrator);
      const run = makeSystem(model);
      const before = momentum(run, model);
      const x = new Float64Array(40);
      let touched = false;
      for (let n = 0; n < 300; n++) {
        run.step(1e-4);
        run.readContact(0, x, 0);
        touched ||= x[3] > 1;
      }
      assert.ok(touched && x[0] === 0, `${law.kind}: hit and parted`);
      const scale = Math.sqrt(before.reduce((sum, value) => sum + value * value, 0));
      momentum(run, model).forEach((value, a) => {
        assert.ok(Math.abs(value - before[a]) < 1e-12 * scale, `${law.kind} ${a}`);
      });
    }
  }
});

/** Linear and angular momentum about the world origin; inertias are diagonal in the body frame. */
function momentum(run: ReturnType<typeof makeSystem>, model: SystemModel): number[] {
  const sum = [0, 0, 0, 0, 0, 0];
  const x = new Float64Array(13);
  model.bodies.forEach((b, i) => {
    run.readBody(i, x, 0);
    const [px, py, pz, qx, qy, qz, qw, vx, vy, vz] = x;
    const r = [
      [1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - qz * qw), 2 * (qx * qz + qy * qw)],
      [2 * (qx * qy + qz * qw), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - qx * qw)],
      [2 * (qx * qz - qy * qw), 2 * (qy * qz + qx * qw), 1 - 2 * (qx * qx + qy * qy)],
    ];
    const l = [0, 1, 2].map(
      (a) => b.inertia[a] * (r[0][a] * x[10] + r[1][a] * x[11] + r[2][a] * x[12]),
    );
    const orbital = [py * vz - pz * vy, pz * vx - px * vz, px * vy - py * vx];
    for (let a = 0; a < 3; a++) {
      sum[a] += b.mass * x[7 + a];
      sum[3 + a] += b.mass * orbital[a] + r[a][0] * l[0] + r[a][1] * l[1] + r[a][2] * l[2];
    }
  });
  return sum;
}

/** A ball on the ground under gravity, `start` above touch (below: negative). */
function drop(
  normalLaw: NormalLawModel,
  mass: number,
  start: number,
  integrator: IntegratorKind,
  maximumSubsteps = 64,
): ReturnType<typeof makeSystem> {
  return makeSystem(
    system({
      integrator,
      maximumSubsteps,
      gravity: [0, 0, -GRAVITY],
      bodies: [
        body('ball', 'dynamic', { mass, position: [0, 0, RADIUS + start] }),
        body('ground', 'fixed'),
      ],
      contacts: [contact('ball', 'ground', { normalLaw })],
    }),
  );
}

test('restitution slope at rest: oscillations decay as exp(−0.75 α g t), whatever stiffness and exponent are', () => {
  for (const [stiffness, exponent, slope] of [
    [1e4, 1, 4],
    [1e5, 1.5, 4],
    [1e6, 2, 2],
    [1e4, 1, 0.2],
  ] as const) {
    const still = restDepth(GRAVITY, stiffness, exponent);
    const law = { kind: 'restitution-slope', stiffness, exponent, slope } as const;
    const run = drop(law, 1, -1.001 * still, 'rk4');
    const h = 1e-4 * Math.sqrt(still / 1e-3); // ω h about 0.01
    const out = new Float64Array(13);
    const lowest: (readonly [number, number])[] = [];
    for (let k = 0, before = 1; lowest.length < 2; k++) {
      run.step(h);
      run.readBody(0, out, 0);
      if (before < 0 && out[9] >= 0) lowest.push([run.time, RADIUS - still - out[2]]);
      before = out[9];
    }
    const [[t1, a1], [t2, a2]] = lowest;
    const rate = Math.log(a1 / a2) / (t2 - t1);
    assert.ok(Math.abs(rate / (0.75 * slope * GRAVITY) - 1) < 0.01, `${exponent}: ${rate} 1/s`);
  }
});

test('Modia3D comes to rest at (m g/K)^(2/3): reference path and implicit step of 1 ms at d_max 2000', () => {
  const depthOf = (reductionFactor: number): number =>
    restDepth(BALL_MASS * GRAVITY, hertzStiffness(reductionFactor * STEEL, RADIUS), 1.5);
  const out = new Float64Array(40);
  const check = (run: ReturnType<typeof makeSystem>, want: number, what: string): void => {
    run.readContact(0, out, 0);
    assert.ok(Math.abs(out[1] / want - 1) < 1e-3, `${what}: depth ${out[1]}, expected ${want}`);
    assert.ok(Math.abs(out[3] / (BALL_MASS * GRAVITY) - 1) < 1e-3, `${what}: force ${out[3]}`);
  };
  // 20 µs: d g h = 0.4 is inside the explicit bound of 2.8
  const reference = drop(modia3d(), BALL_MASS, -0.5 * depthOf(1), 'rk4');
  for (let k = 0; k < 5000; k++) reference.step(2e-5);
  check(reference, depthOf(1), 'rk4');
  // slowest rate is ω²/(d g): 200, 9.4, 2.0 and 0.43 1/s; ten times its inverse
  for (const [reductionFactor, time] of [
    [1, 0.1],
    [1e-2, 1],
    [1e-3, 5],
    [1e-4, 24],
  ] as const) {
    const law = modia3d({ reductionFactor });
    const still = depthOf(reductionFactor);
    const one = drop(law, BALL_MASS, -0.5 * still, 'implicit-contact', 1);
    for (let k = 0; k < time / 1e-3; k++) assert.equal(one.step(1e-3), 0);
    check(one, still, `one step of 1 ms, k_red ${reductionFactor}`);
  }
  // falls 0.5 m, bounces, rests; sub-steps are those of the stiffness
  for (const reductionFactor of [1, 1e-2, 1e-3]) {
    const run = drop(modia3d({ reductionFactor }), BALL_MASS, 0.5, 'implicit-contact');
    for (let k = 0; k < 8000; k++) assert.equal(run.step(1e-3), 0);
    check(run, depthOf(reductionFactor), `dropped, k_red ${reductionFactor}`);
  }
  // the explicit step cannot: d_max g h = 19.6 is beyond 2
  const explicit = drop(
    modia3d({ reductionFactor: 1e-3 }),
    BALL_MASS,
    -0.5 * depthOf(1e-3),
    'symplectic-euler',
    1,
  );
  for (let k = 0; k < 5000; k++) explicit.step(1e-3);
  explicit.readContact(0, out, 0);
  assert.ok(Math.abs(out[1] / depthOf(1e-3) - 1) > 0.1, `explicit: ${out[1]}`);
});

test('the implicit step is v′ = (v + h a)/(1 + h K δ^1.5 d/m), to rounding', () => {
  const law = modia3d({ reductionFactor: 1e-4 });
  const stiffness = hertzStiffness(1e-4 * STEEL, RADIUS);
  const h = 1e-3;
  const start = 1e-3;
  const run = drop(law, BALL_MASS, -start, 'implicit-contact', 1);
  const out = new Float64Array(13);
  let z = RADIUS - start;
  let v = 0;
  for (let k = 0; k < 200; k++) {
    const depth = RADIUS - z;
    const elastic = stiffness * depth * Math.sqrt(depth);
    v = (v + h * (elastic / BALL_MASS - GRAVITY)) / (1 + (h * elastic * 2000) / BALL_MASS);
    z += h * v;
    assert.equal(run.step(h), 0);
    run.readBody(0, out, 0);
    assert.ok(Math.abs(out[2] - z) < 1e-14, `step ${k}: ${out[2]} and ${z}`);
  }
});

test('two contacts, one separating: the other feels nothing of it, for every law, in either order', () => {
  for (const law of LAWS) {
    for (const integrator of ['rk4', 'symplectic-euler', 'implicit-contact'] as const) {
      // two bodies over one plane: one leaves fast, one comes down
      const ball = (name: string) =>
        body(name, 'dynamic', {
          mass: 2,
          position: [name === 'leaves' ? 1 : 0, 0, 0.0995],
          velocity: [0, 0, name === 'leaves' ? 2 : -0.5],
        });
      const make = (names: readonly string[]): ReturnType<typeof makeSystem> =>
        makeSystem(
          system({
            integrator,
            maximumSubsteps: 1,
            gravity: [0, 0, -GRAVITY],
            bodies: [...names.map(ball), body('ground', 'fixed')],
            contacts: names.map((name) => contact(name, 'ground', { normalLaw: law })),
          }),
        );
      // two feet of one body that tips: the left one leaves, the right one digs in
      const tipping = (feet: readonly number[]): ReturnType<typeof makeSystem> =>
        makeSystem(
          system({
            integrator,
            maximumSubsteps: 1,
            bodies: [
              body('rod', 'dynamic', {
                mass: 2,
                inertia: [0.01, 0.01, 0.01, 0, 0, 0],
                position: [0, 0, 0.1],
                orientation: [0, Math.sin(5e-4), 0, Math.cos(5e-4)],
                angularVelocity: [0, 2, 0],
              }),
              body('ground', 'fixed'),
            ],
            contacts: feet.map((x) =>
              contact('rod', 'ground', {
                name: x > 0 ? 'stays-ground' : 'leaves-ground',
                pair: {
                  kind: 'sphere-plane',
                  radius: 0.1,
                  center: [x, 0, 0],
                  normal: [0, 0, 1],
                  offset: 0,
                },
                normalLaw: law,
              }),
            ),
          }),
        );
      const cases = [
        [make(['leaves', 'stays']), make(['stays'])],
        [make(['stays', 'leaves']), make(['stays'])],
        [tipping([-0.1, 0.1]), tipping([0.1])],
        [tipping([0.1, -0.1]), tipping([0.1])],
      ] as const;
      cases.forEach(([both, alone], index) => {
        const a = new Float64Array(40);
        const b = new Float64Array(40);
        let left = 0;
        for (let n = 0; n < 60; n++) {
          assert.equal(both.step(5e-5), 0);
          assert.equal(alone.step(5e-5), 0);
          both.readContact(both.contactIndex('leaves-ground'), a, 0);
          if (a[0] === 0) left++;
          both.readContact(both.contactIndex('stays-ground'), a, 0);
          alone.readContact(0, b, 0);
          assert.equal(a[0], 1);
          assert.deepEqual(a, b, `${law.kind}, ${integrator}, case ${index}, step ${n}`);
        }
        assert.ok(left > 30 && a[3] > 1, `${law.kind}: one has left, the other pushes ${a[3]} N`);
      });
    }
  }
});
