/** Scenarios of a program: read like a file, with the same defaults, units and complaints; what the package `berth` exports of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as berth from '../../config/index.ts';

const BLOCK = {
  name: 'block',
  title: 'A block falls',
  bodies: [{ name: 'block', kind: 'dynamic', mass_kg: '500 g', inertia: { kind: 'locked' } }],
  duration_s: '10 ms',
};

test('a plain value gets defaults and SI values, and compiles to a model that runs', () => {
  const scenario = berth.readScenario(BLOCK);
  assert.deepEqual(scenario.gravity_mps2, [0, 0, -9.81]);
  assert.equal(scenario.duration_s, 0.01);
  const model = berth.compileScenario(BLOCK);
  assert.equal(model.bodies[0].mass, 0.5);
  const system = berth.makeSystem(model);
  for (let n = 0; n < 10; n++) assert.equal(system.step(model.step), 0);
  const motion = new Float64Array(13);
  system.readBody(0, motion, 0);
  assert.ok(Math.abs(motion[9] + 0.0981) < 1e-12, `${motion[9]} m/s`);
});

test('a scenario that was read is read again as the same', () => {
  for (const name of [
    'ball-on-incline',
    'ball-in-cylinder-volumetric',
    'kim-planar-controlled-contact',
  ]) {
    const once = berth.loadScenario(name);
    assert.deepEqual(berth.readScenario(once), once, name);
    assert.deepEqual(berth.compileScenario(once), berth.compileScenario(berth.readScenario(once)));
  }
});

test('what is wrong is told by field, value and what is allowed', () => {
  const circle: Record<string, unknown> = { ...BLOCK };
  circle['bodies'] = [circle];
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /Expected scenario to be an object, got undefined/],
    ['ball-on-incline', /Expected scenario to be an object, got "ball-on-incline"/],
    [[], /Expected scenario to be an object, got a list of 0/],
    [{}, /^scenario: .* is missing; allowed: /],
    [{ ...BLOCK, duration_s: NaN }, /^scenario: duration_s is .nan; allowed: a number in s/i],
    [{ ...BLOCK, duration_s: '5 kg' }, /^scenario: duration_s is "5 kg"; allowed: /],
    [{ ...BLOCK, duratoin_s: 1 }, /duratoin_s is not a known field; did you mean duration_s\?/],
    [{ ...BLOCK, bodies: 5 }, /^scenario: bodies is 5; allowed: a list/],
    [{ ...BLOCK, bodies: () => [] }, /Expected scenario to be plain data/],
    [circle, /Expected scenario to be plain data/],
    [
      { ...BLOCK, contacts: [{ ...CONTACT, body_j: 'nobody' }] },
      /^scenario: Expected contacts\[0\]\.body_j to be one of block, got "nobody"/,
    ],
  ];
  for (const [value, message] of wrong) {
    for (const read of [berth.readScenario, berth.compileScenario]) {
      assert.throws(
        () => read(value),
        (error: unknown) => {
          assert.ok(error instanceof berth.BerthError, String(error));
          assert.match(error.message, message);
          return true;
        },
      );
    }
  }
});

test('loadScenario refuses names and overrides that are no text', () => {
  for (const [call, message] of [
    [() => berth.loadScenario(undefined as never), /Expected scenario to be text, got undefined/],
    [
      () => berth.loadScenario('double-pendulum', 'a=1' as never),
      /Expected overrides to be a list/,
    ],
    [
      () => berth.loadScenario('double-pendulum', [5 as never]),
      /Expected overrides\[0\] to be text, got 5/,
    ],
  ] as const) {
    assert.throws(call, { name: 'BerthError', message });
  }
});

const CONTACT = {
  name: 'block-nobody',
  body_i: 'block',
  pair: { kind: 'sphere-plane', radius_m: 0.1, normal: [0, 0, 1] },
  normal_law: { kind: 'kelvin-voigt', stiffness_N_per_m: 1e5, damping_N_s_per_m: 10 },
  friction_law: { kind: 'none' },
};
