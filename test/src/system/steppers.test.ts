/** Integrators of systems: orders, located contacts, adaptive runs, restarts from a snapshot, refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureOrder } from '../../../server/validation/integrator-orders.ts';
import { makeSystem } from '../../../src/index.ts';
import type { IntegratorKind, NormalLawModel, System, SystemModel } from '../../../src/index.ts';
import { body, contact, halfSphere, incline, system } from '../../fixtures/models.ts';

const ADAPTIVE = ['dormand-prince', 'rosenbrock'] as const;

test('orders on a smooth problem: 1, 1, 3, 4, 5; adaptive methods 5 and 4', () => {
  for (const [integrator, order, counts] of [
    ['symplectic-euler', 1, [128, 256, 512]],
    ['implicit-contact', 1, [128, 256, 512]],
    ['ode3', 3, [64, 128, 256]],
    ['rk4', 4, [64, 128, 256]],
    ['ode5', 5, [64, 128, 256]],
  ] as const) {
    const found = measureOrder({ problem: 'smooth', integrator, counts });
    // the next term of the error is smaller by the step, 0.03 of the time scale
    assert.ok(Math.abs(found.order - order) < 0.1, `${integrator}: ${found.order}`);
  }
  for (const [integrator, order] of [
    ['dormand-prince', 5],
    ['rosenbrock', 4],
  ] as const) {
    const found = measureOrder({ problem: 'smooth', integrator, tolerances: [1e-7, 1e-8, 1e-9] });
    // the step is a mean over a run in which it changes, and its ends are cut off
    assert.ok(Math.abs(found.order - order) < 0.3, `${integrator}: ${found.order}`);
  }
});

test('orders on an impact: about 1 when steps go across the jump, the full order when events are located', () => {
  for (const [integrator, order, counts] of [
    ['ode3', 3, [64, 128, 256]],
    ['rk4', 4, [64, 128, 256]],
    ['ode5', 5, [32, 64, 128]],
  ] as const) {
    const options = { problem: 'impact', integrator, counts } as const;
    const across = measureOrder({ ...options, counts: [64, 256, 1024] });
    // the error depends on where in the step the touch falls, which eight phases sample only roughly
    assert.ok(Math.abs(across.order - 1) < 0.35, `${integrator}: ${across.order}`);
    const located = measureOrder({ ...options, locateEvents: true });
    assert.ok(Math.abs(located.order - order) < 0.2, `${integrator}: ${located.order}`);
    assert.ok((located.errors[0] ?? 1) < 0.1 * (across.errors[0] ?? 0));
  }
});

test('orders on a Hertz impact: at most 2.5, the smoothness of the force at touch', () => {
  for (const integrator of ['rk4', 'ode5'] as const) {
    const found = measureOrder({ problem: 'hertz-impact', integrator, locateEvents: true });
    assert.ok(Math.abs(found.order - 2.5) < 0.3, `${integrator}: ${found.order}`);
  }
});

test('adaptive methods meet an impact with an error of about the tolerance', () => {
  for (const integrator of ADAPTIVE) {
    for (const problem of ['impact', 'hertz-impact'] as const) {
      const { errors } = measureOrder({ problem, integrator, tolerances: [1e-6, 1e-8] });
      // a hundred steps add up; the position is scaled by the depth of 4 to 7 mm
      assert.ok((errors[0] ?? 1) < 1e-5, `${integrator}, ${problem}: ${errors[0]}`);
      assert.ok((errors[1] ?? 1) < 1e-6, `${integrator}, ${problem}: ${errors[1]}`);
      assert.ok((errors[1] ?? 1) < 0.2 * (errors[0] ?? 0), `${integrator}, ${problem}`);
    }
  }
});

const STEEL: NormalLawModel = {
  kind: 'modia3d',
  contactModulus: 200e9 / (2 * (1 - 0.3 * 0.3)),
  restitution: 0.7,
  smallVelocity: 0.01,
  maximumDamping: 2000,
  reductionFactor: 1,
};

/** 1 g sphere of radius 0.1 m, 1 m above a plane. */
function bouncingSphere(integrator: IntegratorKind, parts: Partial<SystemModel> = {}): SystemModel {
  return system({
    integrator,
    gravity: [0, 0, -9.81],
    bodies: [
      body('ball', 'dynamic', {
        mass: 1e-3,
        inertia: [4e-6, 4e-6, 4e-6, 0, 0, 0],
        position: [0, 0, 1.1],
      }),
      body('ground', 'fixed'),
    ],
    contacts: [contact('ball', 'ground', { normalLaw: STEEL })],
    ...parts,
  });
}

test('bouncing sphere: free flight to 1e-12, times and speeds of six impacts of an independent run, rest', () => {
  // `Modia3D sheet, 9.1`: time and approach speed
  const reference = [
    [0.451523641, 4.429447],
    [1.068476036, 3.026109],
    [1.489967428, 2.06737],
    [1.777922894, 1.412372],
    [1.974648662, 0.964887],
    [2.109047673, 0.65917],
  ];
  const run = makeSystem(
    bouncingSphere('dormand-prince', { relativeTolerance: 1e-10, absoluteTolerance: 1e-12 }),
  );
  const x = new Float64Array(13);
  const dt = 0.01;
  let next = 0;
  for (let n = 1; n <= 250; n++) {
    assert.equal(run.step(dt), 0);
    run.readBody(0, x, 0);
    const t = n * dt;
    if (t < 0.45) {
      assert.ok(Math.abs(x[2] - (1.1 - 4.905 * t * t)) < 1e-12, `${t} s`);
      assert.ok(Math.abs(x[9] + 9.81 * t) < 1e-12, `${t} s`);
    }
    if (next >= reference.length || t + dt < reference[next][0] || t > reference[next][0]) continue;
    // in flight: the parabola leads to the touch
    const root = Math.sqrt(x[9] * x[9] + 2 * 9.81 * (x[2] - 0.1));
    const touch = t + (x[9] + root) / 9.81;
    // printed with 9 digits; errors of the earlier impacts move the later ones
    assert.ok(Math.abs(touch - reference[next][0]) < 4e-9, `impact ${next} at ${touch} s`);
    assert.ok(Math.abs(root - reference[next][1]) < 1e-6, `impact ${next} with ${root} m/s`);
    next++;
  }
  assert.equal(next, reference.length);
  // 16 bounces, one with the largest damping and a hop later it rests: Modia3D sheet 9.1
  assert.ok(Math.abs(0.1 - x[2] - 3.5522393126e-9) < 1e-12, `rests at ${0.1 - x[2]} m`);
  assert.ok(Math.abs(x[9]) < 1e-9, `${x[9]} m/s`);
});

test('the first touch is located to 1e-12 s of its closed form, with the speed at touch latched', () => {
  const fall = Math.sqrt(2 / 9.81);
  for (const [integrator, locateEvents] of [
    ['dormand-prince', false],
    ['rosenbrock', false],
    ['ode3', true],
    ['rk4', true],
    ['ode5', true],
  ] as const) {
    const run = makeSystem(bouncingSphere(integrator, { locateEvents }));
    const out = new Float64Array(40);
    // a step that ends 1 µs after touch, in contact
    assert.equal(run.step(fall + 1e-6), 0);
    run.readContact(0, out, 0);
    assert.equal(out[0], 1, `${integrator} is in contact`);
    // an error of dt in the time of touch changes the speed there by g dt
    const speed = out[15];
    assert.ok(Math.abs(speed - 9.81 * fall) < 1e-11, `${integrator}: ${speed - 9.81 * fall}`);
    assert.ok(run.substeps > 1);
  }
});

test('a contact that opens again within the step is found', () => {
  // a mass on a spring dips 0.1 mm into the plane at the bottom of its swing, for 40 ms; the steps are several times as long
  const swing = (integrator: IntegratorKind, tolerance: number): System =>
    makeSystem(
      system({
        integrator,
        relativeTolerance: tolerance,
        absoluteTolerance: tolerance,
        bodies: [
          body('ball', 'dynamic', { position: [0, 0, 1.1], rotationLocked: true }),
          body('ground', 'fixed'),
        ],
        springs: [{ body: 'ball', anchor: [0, 0, 0.1 + 0.5 - 5e-5], stiffness: 1 }],
        contacts: [contact('ball', 'ground')],
      }),
    );
  const energy = new Float64Array(8);
  const reference = swing('dormand-prince', 1e-11);
  for (let n = 0; n < 4000; n++) assert.equal(reference.step(1e-3), 0); // no step is longer than the dip
  reference.readEnergy(energy, 0);
  const lost = energy[4];
  assert.ok(lost > 1e-5, `${lost} J`);
  for (const integrator of ADAPTIVE) {
    const run = swing(integrator, 1e-6);
    assert.equal(run.step(2), 0);
    assert.ok(run.substeps < 25, `${integrator}: ${run.substeps} steps of about 0.1 s`);
    assert.equal(run.step(2), 0);
    run.readEnergy(energy, 0);
    // an error of 1e-6 of the swing is 1 % of the dip and some percent of its energy
    assert.ok(Math.abs(energy[4] / lost - 1) < 0.1, `${integrator}: ${energy[4]} of ${lost} J`);
  }
});

test('a free asymmetric body keeps energy and momentum to the tolerance, its quaternion unit length', () => {
  for (const [integrator, tolerance] of [
    ['dormand-prince', 1e-8],
    ['dormand-prince', 1e-11],
    ['rosenbrock', 1e-8],
  ] as const) {
    const run = makeSystem(
      system({
        integrator,
        relativeTolerance: tolerance,
        absoluteTolerance: tolerance,
        bodies: [
          body('b', 'dynamic', {
            inertia: [0.1, 0.2, 0.28, 0, 0, 0],
            angularVelocity: [0.1, 6, 0.1],
          }),
        ],
      }),
    );
    const energy = new Float64Array(8);
    run.readEnergy(energy, 0);
    const start = energy[0];
    const x = new Float64Array(13);
    for (let n = 0; n < 100; n++) assert.equal(run.step(0.1), 0);
    run.readEnergy(energy, 0);
    run.readBody(0, x, 0);
    const drift = Math.abs(energy[0] / start - 1);
    // 10 s at 6 rad/s take a few hundred steps, each with an error of at most the tolerance
    assert.ok(drift < 200 * tolerance, `${integrator} at ${tolerance}: ${drift}`);
    const length = x[3] ** 2 + x[4] ** 2 + x[5] ** 2 + x[6] ** 2;
    assert.ok(Math.abs(length - 1) < 1e-15 * 4, `${length - 1}`);
  }
});

test('impacts with bristle friction on the incline: both adaptive methods agree', () => {
  const at: number[][] = [];
  for (const integrator of ADAPTIVE) {
    const model = { ...incline(integrator), relativeTolerance: 1e-7, absoluteTolerance: 1e-9 };
    const run = makeSystem(model);
    const x = new Float64Array(13);
    for (let n = 0; n < 60; n++) assert.equal(run.step(0.01), 0, integrator);
    run.readBody(0, x, 0);
    const energy = new Float64Array(8);
    run.readEnergy(energy, 0);
    assert.ok(Math.abs(energy[6]) < 1e-4, `${integrator}: balance ${energy[6]} J of 39`);
    at.push([...x]);
  }
  // three impacts with rolling: each multiplies earlier errors
  for (const a of [0, 1, 2, 7, 8, 9]) {
    assert.ok(Math.abs(at[0][a] - at[1][a]) < 1e-5, `${a}: ${at[0][a]} and ${at[1][a]}`);
  }
});

function stepped(run: System, count: number): System {
  for (let n = 0; n < count; n++) assert.equal(run.step(2e-3), 0);
  return run;
}

test('a restored run goes on bit by bit, step length included', () => {
  for (const integrator of [...ADAPTIVE, 'ode3', 'rk4', 'ode5'] as const) {
    const model = {
      ...incline(integrator),
      relativeTolerance: 1e-6,
      locateEvents: true,
      bodies: [
        body('ball', 'dynamic', {
          mass: 2,
          inertia: [0.008, 0.008, 0.008, 0, 0, 0],
          position: [0, 0, 0.64],
          velocity: [-1, 0.5, 0],
        }),
        body('ground', 'fixed'),
      ],
    };
    const run = stepped(makeSystem(model), 60);
    const out = new Float64Array(40);
    const kept = new Float64Array(run.state.length);
    let inContact = 0;
    for (let snapshot = 0; snapshot < 4; snapshot++) {
      run.snapshot(kept);
      run.readContact(0, out, 0);
      inContact += out[0];
      const wanted = stepped(run, 20).hash();
      run.restore(kept);
      assert.equal(stepped(run, 20).hash(), wanted, integrator);
      const other = makeSystem(model);
      other.restore(kept);
      assert.equal(stepped(other, 20).hash(), wanted, `${integrator}, another system`);
    }
    assert.ok(inContact > 0, 'at least one snapshot was taken in contact');
  }
});

test('the loop with accommodation by an adaptive method agrees with the reference path', () => {
  const force = (integrator: IntegratorKind, dt: number): number => {
    const run = makeSystem({
      ...halfSphere(0.02),
      integrator,
      relativeTolerance: 1e-7,
      absoluteTolerance: 1e-9,
    });
    const out = new Float64Array(40);
    for (let n = 0; n < Math.round(0.2 / dt); n++) assert.equal(run.step(dt), 0);
    run.readContact(0, out, 0);
    return out[3];
  };
  const reference = force('rk4', 1e-5);
  assert.ok(reference > 20);
  for (const integrator of ADAPTIVE) {
    // rk4 finds the touch once a step of 10 µs; the force rises by 1 N in 1 ms then
    assert.ok(Math.abs(force(integrator, 1e-3) - reference) < 0.01, integrator);
  }
});

test('located events of a fixed step are bounded by the sub-steps of the model, and only then reported', () => {
  for (const [maximumSubsteps, hits] of [
    [1, true],
    [2, true],
    [64, false],
  ] as const) {
    const run = makeSystem(
      system({
        integrator: 'rk4',
        locateEvents: true,
        maximumSubsteps,
        gravity: [0, 0, -9.81],
        bodies: [
          body('ball', 'dynamic', { mass: 2, position: [0, 0, 0.2] }),
          body('ground', 'fixed'),
        ],
        contacts: [contact('ball', 'ground')],
      }),
    );
    let hit = 0;
    let most = 0;
    for (let n = 0; n < 1000; n++) {
      assert.equal(run.step(2e-4), 0);
      most = Math.max(most, run.substeps);
      if (run.substepBoundHit) hit++;
    }
    assert.ok(most <= maximumSubsteps, `${most} of ${maximumSubsteps}`);
    // one contact in 0.2 s, of 5 ms: one step with its start, one with its end
    assert.equal(hit > 0, hits, `${maximumSubsteps}`);
    assert.ok(hit <= 3, `steps without an event do not count: ${hit}`);
  }
});

test('tolerances and combinations that cannot be run are refused', () => {
  for (const [parts, code, word] of [
    [{ relativeTolerance: 0 }, 'BERTH_PARAMETER_RANGE', 'relativeTolerance'],
    [{ relativeTolerance: 0.5 }, 'BERTH_PARAMETER_RANGE', 'relativeTolerance'],
    [{ absoluteTolerance: -1 }, 'BERTH_PARAMETER_RANGE', 'absoluteTolerance'],
    [{ absoluteTolerance: Number.NaN }, 'BERTH_PARAMETER_RANGE', 'absoluteTolerance'],
    [
      { integrator: 'symplectic-euler', locateEvents: true },
      'BERTH_UNSUPPORTED',
      'symplectic-euler',
    ],
    [{ integrator: 'ode45' as IntegratorKind }, 'BERTH_UNSUPPORTED', 'ode45'],
  ] as const) {
    assert.throws(
      () => makeSystem(bouncingSphere('dormand-prince', parts)),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, code);
        assert.ok(error.message.includes(word), error.message);
        return true;
      },
    );
  }
});

test('a state that is not finite leaves the last good one', () => {
  for (const integrator of ADAPTIVE) {
    const run = makeSystem(bouncingSphere(integrator));
    assert.equal(run.step(1e-3), 0);
    const before = run.hash();
    run.setExternalWrench(0, Float64Array.of(Number.NaN, 0, 0, 0, 0, 0), 0);
    assert.equal(run.step(1e-3), 1, integrator);
    run.setExternalWrench(0, new Float64Array(6), 0);
    assert.equal(run.hash(), before);
    assert.equal(run.step(1e-3), 0);
  }
});
