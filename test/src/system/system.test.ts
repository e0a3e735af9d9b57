/** The system as a whole: symmetry, several contacts, frames, orders, ledger, determinism, refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSystem } from '../../../src/index.ts';
import type { IntegratorKind, System, SystemModel } from '../../../src/index.ts';
import {
  body,
  contact,
  halfSphere,
  incline,
  INCLINE_BRISTLE,
  system,
} from '../../fixtures/models.ts';

/** Two free bodies that hit off centre, with friction, both turning. */
function collision(integrator: IntegratorKind): SystemModel {
  return system({
    integrator,
    bodies: [
      body('ball', 'dynamic', {
        mass: 2,
        inertia: [0.01, 0.012, 0.015, 0, 0, 0],
        position: [0.2, 0.1, 0.1005],
        velocity: [0.3, -0.2, -0.8],
        angularVelocity: [1, 2, -3],
      }),
      body('slab', 'dynamic', { mass: 5, inertia: [0.4, 0.5, 0.8, 0.01, 0, 0.02] }),
    ],
    contacts: [contact('ball', 'slab', { frictionLaw: INCLINE_BRISTLE })],
  });
}

/** Linear and angular momentum about the world origin, from the states and the inertias of `collision`. */
function momentum(run: System): number[] {
  const sum = [0, 0, 0, 0, 0, 0];
  const x = new Float64Array(13);
  run.model.bodies.forEach((b, i) => {
    if (b.motion !== 'dynamic') return;
    run.readBody(i, x, 0);
    const [px, py, pz, qx, qy, qz, qw, vx, vy, vz] = x;
    const r = [
      [1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - qz * qw), 2 * (qx * qz + qy * qw)],
      [2 * (qx * qy + qz * qw), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - qx * qw)],
      [2 * (qx * qz - qy * qw), 2 * (qy * qz + qx * qw), 1 - 2 * (qx * qx + qy * qy)],
    ];
    const [xx, yy, zz, xy, xz, yz] = b.inertia;
    const inertia = [
      [xx, xy, xz],
      [xy, yy, yz],
      [xz, yz, zz],
    ];
    const w = [0, 1, 2].map((a) => r[0][a] * x[10] + r[1][a] * x[11] + r[2][a] * x[12]);
    const l = inertia.map((row) => row[0] * w[0] + row[1] * w[1] + row[2] * w[2]);
    const m = b.mass;
    const orbital = [py * vz - pz * vy, pz * vx - px * vz, px * vy - py * vx];
    for (let a = 0; a < 3; a++) {
      sum[a] += m * x[7 + a];
      sum[3 + a] += m * orbital[a] + r[a][0] * l[0] + r[a][1] * l[1] + r[a][2] * l[2];
    }
  });
  return sum;
}

test('action and reaction: momentum and angular momentum survive a frictional impact of two free bodies', () => {
  for (const integrator of ['implicit-contact', 'symplectic-euler'] as const) {
    const run = makeSystem(collision(integrator));
    const before = momentum(run);
    const wrench = new Float64Array(12);
    let touched = false;
    for (let n = 0; n < 200; n++) {
      run.step(1e-4);
      run.contactWrench(0, 0.3, -0.2, 0.1, wrench, 0);
      run.contactWrench(1, 0.3, -0.2, 0.1, wrench, 6);
      for (let a = 0; a < 6; a++) assert.equal(wrench[a] + wrench[6 + a], 0);
      touched ||= wrench[2] > 1;
    }
    assert.ok(touched);
    // p x v uses the pose after the step, whose p moved along v: only rounding remains
    momentum(run).forEach((value, a) => {
      assert.ok(Math.abs(value - before[a]) < 1e-11, `${integrator} ${a}: ${value - before[a]}`);
    });
  }
});

test('a free asymmetric body keeps its angular momentum; its energy stays with it', () => {
  const tumbling = (integrator: IntegratorKind): SystemModel =>
    system({
      integrator,
      bodies: [
        body('b', 'dynamic', {
          inertia: [0.1, 0.2, 0.28, 0, 0, 0],
          angularVelocity: [0.1, 6, 0.1],
        }),
      ],
    });
  const run = makeSystem(tumbling('implicit-contact'));
  const before = momentum(run);
  const energy = new Float64Array(8);
  run.readEnergy(energy, 0);
  const start = energy[0];
  for (let n = 0; n < 10_000; n++) run.step(1e-3);
  run.readEnergy(energy, 0);
  momentum(run).forEach((value, a) => assert.ok(Math.abs(value - before[a]) < 1e-11));
  assert.ok(Math.abs(energy[0] / start - 1) < 1e-3, `${energy[0]} of ${start} J`);
  const exact = makeSystem(tumbling('rk4'));
  for (let n = 0; n < 10_000; n++) exact.step(1e-3);
  momentum(exact).forEach((value, a) => assert.ok(Math.abs(value - before[a]) < 1e-9));
});

test('two contacts, one separating: each one behaves as if it were alone', () => {
  const ball = (name: string, x: number, vz: number) =>
    body(name, 'dynamic', {
      mass: 2,
      inertia: [0.008, 0.008, 0.008, 0, 0, 0],
      position: [x, 0, 0.0999],
      velocity: [0.2, 0, vz],
    });
  const make = (names: readonly string[]): System =>
    makeSystem(
      system({
        gravity: [0, 0, -9.81],
        bodies: [
          ...names.map((name, k) => ball(name, k, name === 'leaves' ? 2 : -0.5)),
          body('ground', 'fixed'),
        ],
        contacts: names.map((name) => contact(name, 'ground', { frictionLaw: INCLINE_BRISTLE })),
      }),
    );
  for (const order of [
    ['leaves', 'stays'],
    ['stays', 'leaves'],
  ]) {
    const both = make(order);
    const alone = make(['stays']);
    const a = new Float64Array(22);
    const b = new Float64Array(22);
    for (let n = 0; n < 40; n++) {
      both.step(2e-4);
      alone.step(2e-4);
    }
    both.readContact(both.contactIndex('leaves-ground'), a, 0);
    assert.equal(a[0], 0);
    assert.equal(a[3], 0);
    both.readContact(both.contactIndex('stays-ground'), a, 0);
    alone.readContact(0, b, 0);
    assert.equal(a[0], 1);
    for (let c = 0; c < 16; c++) assert.ok(Math.abs(a[c] - b[c]) <= 1e-9 * Math.abs(b[c]) + 1e-12);
  }
});

test('a body on three feet rests level and carries its weight', () => {
  const foot = (name: string, x: number, y: number) =>
    contact('table', 'ground', {
      name,
      pair: {
        kind: 'sphere-plane',
        radius: 0.02,
        center: [x, y, -0.1],
        normal: [0, 0, 1],
        offset: 0,
      },
      frictionLaw: INCLINE_BRISTLE,
    });
  const run = makeSystem(
    system({
      gravity: [0, 0, -9.81],
      bodies: [
        body('table', 'dynamic', {
          mass: 3,
          inertia: [0.02, 0.02, 0.03, 0, 0, 0],
          position: [0, 0, 0.121],
          angularVelocity: [0.1, 0, 0],
        }),
        body('ground', 'fixed'),
      ],
      contacts: [foot('a', 0.1, 0), foot('b', -0.05, 0.0866), foot('c', -0.05, -0.0866)],
    }),
  );
  const out = new Float64Array(40);
  for (let n = 0; n < 3000; n++) assert.equal(run.step(1e-3), 0);
  run.contactWrench(0, 0, 0, 0, out, 0);
  assert.ok(Math.abs(out[2] - 3 * 9.81) < 1e-3, `${out[2]} N`);
  run.readBody(0, out, 0);
  const speed = Math.sqrt(out[7] ** 2 + out[8] ** 2 + out[9] ** 2);
  assert.ok(speed < 1e-4, `resting speed ${speed} m/s`);
});

test('the result does not depend on the world frame', () => {
  // the same drop on the same plane, seen in a frame turned by 90 degrees about x: z becomes -y, y becomes z
  const base = incline('implicit-contact');
  const turn = (v: readonly [number, number, number]): [number, number, number] => [
    v[0],
    -v[2],
    v[1],
  ];
  const q = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const;
  const turned: SystemModel = {
    ...base,
    gravity: turn(base.gravity),
    bodies: base.bodies.map((b) => ({
      ...b,
      position: turn(b.position),
      velocity: turn(b.velocity),
      orientation: q,
    })),
  };
  const a = makeSystem(base);
  const b = makeSystem(turned);
  for (let n = 0; n < 2000; n++) {
    a.step(1e-3);
    b.step(1e-3);
  }
  const x = new Float64Array(13);
  const y = new Float64Array(13);
  a.readBody(0, x, 0);
  b.readBody(0, y, 0);
  turn([x[0], x[1], x[2]]).forEach((value, k) => assert.ok(Math.abs(value - y[k]) < 1e-9));
  turn([x[10], x[11], x[12]]).forEach((value, k) => assert.ok(Math.abs(value - y[10 + k]) < 1e-7));
});

test('orders of convergence on a spring: symplectic Euler 1, Runge–Kutta 4', () => {
  for (const [integrator, order] of [
    ['symplectic-euler', 1],
    ['rk4', 4],
  ] as const) {
    const error = (steps: number): number => {
      const run = makeSystem(
        system({
          integrator,
          bodies: [body('b', 'dynamic', { position: [1, 0, 0] })],
          springs: [{ body: 'b', anchor: [0, 0, 0], stiffness: 9 }],
        }),
      );
      for (let n = 0; n < steps; n++) run.step(1 / steps);
      const x = new Float64Array(13);
      run.readBody(0, x, 0);
      return Math.sqrt((x[0] - Math.cos(3)) ** 2 + (x[7] + 3 * Math.sin(3)) ** 2);
    };
    const got = Math.log2(error(100) / error(200));
    assert.ok(Math.abs(got - order) < 0.1, `${integrator}: order ${got}`);
  }
});

test('the ledger balances through an impact and sliding', () => {
  const run = makeSystem(incline('symplectic-euler'));
  const out = new Float64Array(8);
  for (let n = 0; n < 60_000; n++) run.step(1e-5);
  run.readEnergy(out, 0);
  // first order: what gravity's order of update leaves, m g v dt and less at the impacts
  assert.ok(Math.abs(out[6]) < 2e-3, `balance ${out[6]} J`);
  assert.ok(out[4] > 10, 'the first impact takes most of the energy of the fall');
});

test('work of an imposed motion is external work', () => {
  const run = makeSystem(
    system({
      gravity: [0, 0, -9.81],
      bodies: [
        body('block', 'dynamic', {
          rotationLocked: true,
          mass: 2,
          position: [0, 0, 0.1 - 7.27e-4],
        }),
        body('belt', 'prescribed', { velocity: [0.5, 0, 0] }),
      ],
      contacts: [contact('block', 'belt', { frictionLaw: INCLINE_BRISTLE })],
    }),
  );
  const out = new Float64Array(13);
  for (let n = 0; n < 1000; n++) run.step(1e-3);
  run.readBody(0, out, 0);
  assert.ok(Math.abs(out[7] - 0.5) < 1e-6, 'the block moves with the belt');
  run.readEnergy(out, 0);
  // belt work = force × belt distance = impulse m v × v: twice the kinetic energy, half of it lost in slip
  assert.ok(Math.abs(out[5] - 2 * 0.25) < 2e-3, `external ${out[5]} J`);
  assert.ok(Math.abs(out[4] - 0.25) < 5e-3, `dissipated ${out[4]} J`);
});

test('a resting contact stays below 1e-4 m/s at 1 ms', () => {
  const run = makeSystem({ ...incline('implicit-contact') });
  const out = new Float64Array(40);
  let worst = 0;
  for (let n = 0; n < 2900; n++) {
    run.step(1e-3);
    run.readContact(0, out, 0);
    if (n > 2000) worst = Math.max(worst, Math.abs(out[2]));
  }
  assert.ok(worst < 1e-4, `${worst} m/s`);
});

test('snapshot, restore and hash: the same start gives the same bytes', () => {
  const run = makeSystem(incline('implicit-contact'));
  const saved = new Float64Array(run.state.length);
  for (let n = 0; n < 520; n++) run.step(1e-3);
  run.snapshot(saved);
  const at = run.hash();
  for (let n = 0; n < 500; n++) run.step(1e-3);
  const later = run.hash();
  assert.notEqual(later, at);
  run.restore(saved);
  assert.equal(run.hash(), at);
  for (let n = 0; n < 500; n++) run.step(1e-3);
  assert.equal(run.hash(), later);
  const fresh = makeSystem(incline('implicit-contact'));
  fresh.restore(saved);
  for (let n = 0; n < 500; n++) fresh.step(1e-3);
  assert.equal(fresh.hash(), later);
});

test('a step that is not finite leaves the last good state', () => {
  const run = makeSystem(incline('implicit-contact'));
  for (let n = 0; n < 10; n++) run.step(1e-3);
  run.setExternalWrench(0, Float64Array.of(Number.NaN, 0, 0, 0, 0, 0), 0);
  const before = run.hash();
  assert.equal(run.step(1e-3), 1);
  assert.equal(run.hash(), before);
});

test('the sub-step bound is reported', () => {
  const stiff = incline('implicit-contact');
  const run = makeSystem({
    ...stiff,
    maximumSubsteps: 2,
    contacts: stiff.contacts.map((c) => ({ ...c, normalLaw: { ...c.normalLaw, stiffness: 1e9 } })),
  });
  let hits = 0;
  for (let n = 0; n < 600; n++) {
    run.step(1e-3);
    if (run.substepBoundHit) hits++;
    assert.ok(run.substeps <= 2);
  }
  assert.ok(hits > 0);
});

test('tool port: brake ramps to rest, follow copies the measured pose, speed limit holds', () => {
  const run = makeSystem(halfSphere(20e-3));
  const tool = run.tool!;
  run.useSchedule = false;
  tool.command[0] = 3;
  for (let n = 0; n < 500; n++) run.step(1e-3);
  assert.ok(Math.abs(tool.setpoint[7] - 0.5) < 1e-6, 'maximum speed 0.5 m/s');
  tool.motion = 2;
  tool.deceleration = 1;
  for (let n = 0; n < 499; n++) run.step(1e-3);
  assert.ok(tool.setpoint[7] > 0 && tool.setpoint[7] < 2e-3);
  for (let n = 0; n < 2; n++) run.step(1e-3);
  assert.equal(tool.setpoint[7], 0);
  tool.mode = 2;
  tool.motion = 0;
  tool.measuredMotion.set([0.7, 0.1, 0.3, 0, 0, 0, 1, 0.1, 0, 0, 0, 0, 0]);
  run.step(1e-3);
  assert.deepEqual([...tool.setpoint], [0.7, 0.1, 0.3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
});

test('models that cannot be run are refused with the field and the value', () => {
  const good = incline('implicit-contact');
  const [ball, ground] = good.bodies;
  const [c] = good.contacts;
  const refuse = (parts: Partial<SystemModel>, code: string, words: RegExp): void => {
    assert.throws(() => makeSystem({ ...good, ...parts }), {
      name: 'BerthError',
      code,
      message: words,
    });
  };
  const range = 'BERTH_PARAMETER_RANGE';
  refuse({ bodies: [{ ...ball, mass: -2 }, ground] }, range, /ball\.mass > 0, got -2/);
  refuse({ bodies: [{ ...ball, inertia: [1, 1, 3, 0, 0, 0] }, ground] }, range, /triangle/);
  refuse(
    { bodies: [{ ...ball, inertia: [1, 1, 1, 2, 0, 0] }, ground] },
    range,
    /positive definite/,
  );
  refuse({ bodies: [{ ...ball, orientation: [0, 0, 0, 2] }, ground] }, range, /length 1/);
  refuse({ bodies: [ball, ball] }, 'BERTH_DUPLICATE_NAME', /ball/);
  refuse({ contacts: [{ ...c, bodyJ: 'moon' }] }, 'BERTH_UNKNOWN_NAME', /ball, ground, got "moon"/);
  assert.ok(c.pair.kind === 'sphere-plane');
  const tilted = { ...c.pair, normal: [0, 0, 0.9] } as const;
  refuse({ contacts: [{ ...c, pair: tilted }] }, range, /pair\.normal/);
  const law = (parts: object): Partial<SystemModel> => ({
    contacts: [{ ...c, normalLaw: { ...c.normalLaw, ...parts } }],
  });
  refuse(law({ stiffness: 0 }), range, /stiffness > 0, got 0/);
  refuse(law({ restitution: 0 }), range, /restitution in \(0, 1\]/);
  refuse(law({ restitution: 1.2 }), range, /got 1\.2/);
  refuse(law({ kind: 'penalty' }), 'BERTH_UNSUPPORTED', /hysteretic, .*got "penalty"/);
  const bristle = { ...INCLINE_BRISTLE, velocityTolerance: 0.011 };
  refuse({ contacts: [{ ...c, frictionLaw: bristle }] }, range, /velocityTolerance/);
  refuse({ maximumSubsteps: 0 }, range, /maximumSubsteps/);
});
