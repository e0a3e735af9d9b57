/** Friction and rolling laws as people write them: what they compile to, and what is refused at which field. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { lawDoubts } from '../../config/law-doubts.ts';
import { loadScenario } from '../../config/scenario.ts';
import { ConfigError } from '../../config/yaml-source.ts';
import { checkModel } from '../../src/system/check-model.ts';
import { makeSystem } from '../../src/index.ts';
import type { BristleModel, ContactModelSpec, FrictionLawModel } from '../../src/model/model.ts';
import { body, contact, system } from '../fixtures/models.ts';

/** The contact of the ball on the incline with one field changed, checked as a run would check it. */
function contactWith(field: string, text: string): ContactModelSpec {
  const scenario = loadScenario('ball-on-incline', [`contacts.0.${field}=${text}`]);
  const model = compileScenario(scenario);
  checkModel(model);
  return model.contacts[0];
}

test('every law compiles: units converted, defaults filled in', () => {
  const friction = (text: string): unknown => contactWith('friction_law', text).frictionLaw;
  assert.deepEqual(friction('{kind: regularized-coulomb, coulomb: 0.5}'), {
    kind: 'regularized-coulomb',
    coulomb: 0.5,
    regularization: 'modia3d',
    velocityTolerance: 0.01,
  });
  assert.deepEqual(
    friction(
      '{kind: regularized-coulomb, coulomb: 0.5, regularization: cubic, velocity_tolerance_mps: 2 mm/s}',
    ),
    {
      kind: 'regularized-coulomb',
      coulomb: 0.5,
      regularization: 'cubic',
      velocityTolerance: 0.002,
    },
  );
  assert.deepEqual(
    friction(
      '{kind: stribeck, stiction: 0.4, coulomb: 0.3, stribeck_velocity_mps: 0.1, velocity_tolerance_mps: 1 mm/s}',
    ),
    {
      kind: 'stribeck',
      stiction: 0.4,
      coulomb: 0.3,
      viscousDamping: 0,
      stribeckVelocity: 0.1,
      regularization: 'modia3d',
      velocityTolerance: 0.001,
    },
  );
  const rolling = (text: string): unknown => contactWith('rolling_law', text).rollingLaw;
  assert.deepEqual(rolling('{kind: none}'), { kind: 'none' });
  assert.deepEqual(rolling('{kind: modia3d, rolling_friction: 0.01}'), {
    kind: 'modia3d',
    rollingFriction: 0.01,
    angularVelocityTolerance: 0.01,
  });
  assert.deepEqual(
    rolling('{kind: modia3d, rolling_friction: 0.01, angular_velocity_tolerance_radps: 180 deg/s}'),
    { kind: 'modia3d', rollingFriction: 0.01, angularVelocityTolerance: Math.PI },
  );
});

test('a bristle needs its coefficient alone: the others are derived, and what is given wins', () => {
  const bristle = (text: string): BristleModel => {
    const { frictionLaw } = contactWith('friction_law', `{kind: bristle, ${text}}`);
    assert.ok(frictionLaw.kind === 'bristle');
    return frictionLaw;
  };
  const derived = bristle('coulomb: 0.3');
  assert.deepEqual(derived, {
    kind: 'bristle',
    stiction: 0.3,
    coulomb: 0.3,
    bristleStiffness: 0.3 / 1e-4,
    bristleDamping: 2 * Math.sqrt(3000 / 9.81),
    viscousDamping: 0,
    stribeckVelocity: 1e-3,
    dwellTime: 0,
    velocityTolerance: 1e-5,
    startsSticking: false,
  });
  const own = bristle(
    'coulomb: 0.3, stiction: 0.4, bristle_damping_s_per_m: 7, stribeck_velocity_mps: 0.1',
  );
  assert.equal(own.bristleStiffness, 4000); // stiction over 0.1 mm
  assert.equal(own.bristleDamping, 7);
  assert.equal(own.velocityTolerance, 1e-3);
  assert.equal(bristle('coulomb: 0').bristleStiffness, 1e4);
});

test('a block on derived bristles rings critically: it stops without turning back', () => {
  // released from a bent bristle: x'' + g σ1 x' + g σ0 x = 0 returns without passing zero, and 30 % less damping passes it
  const { frictionLaw } = contactWith('friction_law', '{kind: bristle, coulomb: 0.5}');
  const least = (law: FrictionLawModel): number => {
    const load = 1e6; // so stiff that it does not sink
    const run = makeSystem(
      system({
        integrator: 'rk4',
        step: 1e-4,
        gravity: [0, 0, -9.81],
        bodies: [
          body('block', 'dynamic', { rotationLocked: true, position: [0, 0, 0.1 - 9.81 / load] }),
          body('floor', 'fixed'),
        ],
        contacts: [
          contact('block', 'floor', {
            normalLaw: { kind: 'kelvin-voigt', stiffness: load, damping: 1e3 },
            frictionLaw: law,
          }),
        ],
      }),
    );
    const out = new Float64Array(13);
    run.setExternalWrench(0, Float64Array.of(2e-3 * 9.81, 0, 0, 0, 0, 0), 0);
    for (let n = 0; n < 5000; n++) run.step(1e-4);
    run.setExternalWrench(0, new Float64Array(6), 0);
    let back = 0;
    for (let n = 0; n < 5000; n++) {
      run.step(1e-4);
      run.readBody(0, out, 0);
      back = Math.min(back, out[0]);
    }
    return back;
  };
  assert.ok(frictionLaw.kind === 'bristle');
  // the bristle is 0.4 µm long, which is slow against the Stribeck velocity; at a quarter of the damping it passes by up to 44 % of that
  assert.ok(least(frictionLaw) > -4e-9, `${least(frictionLaw)} m`);
  const loose = { ...frictionLaw, bristleDamping: 0.25 * frictionLaw.bristleDamping };
  assert.ok(least(loose) < -4e-8, `${least(loose)} m`);
});

test('doubts about laws: short dwell times, and areas without spin or rolling', () => {
  const doubts = (scenario: string, ...changes: string[]): string[] =>
    lawDoubts(loadScenario(scenario, changes));
  const [words, ...none] = doubts('ball-on-incline');
  assert.equal(none.length, 0);
  assert.match(words, /^contacts\[0\][.]friction_law[.]dwell_time_s is 0[.]01 s.*0[.]00316 s/);
  const dwell = 'contacts.0.friction_law.dwell_time_s';
  assert.deepEqual(doubts('ball-on-incline', `${dwell}=40 ms`), []);
  assert.deepEqual(doubts('ball-on-incline', `${dwell}=0`), []);
  assert.deepEqual(doubts('ball-on-incline', 'contacts.0.friction_law.stiction=0.4'), []);
  assert.deepEqual(doubts('ball-on-incline', 'contacts.0.response=none'), []);
  const volume = doubts(
    'ball-on-table',
    'contacts.0.friction_law={kind: regularized-coulomb, coulomb: 0.3}',
    'contacts.0.rolling_law={kind: none}',
  );
  assert.equal(volume.length, 2);
  assert.match(volume[0], /friction_law is regularized-coulomb, which has no moment/);
  assert.match(volume[1], /rolling_law is none/);
  assert.deepEqual(doubts('ball-on-table'), []);
});

test('what is wrong is refused at its field', () => {
  const refuse = (field: string, text: string, words: RegExp): void => {
    assert.throws(
      () => contactWith(field, text),
      (error: Error) => {
        const message = error instanceof ConfigError ? JSON.stringify(error) : '';
        assert.match(`${error.message} ${message}`, words);
        return true;
      },
    );
  };
  refuse('friction_law', '{kind: regularized-coulomb, coulomb: -1}', /coulomb/);
  refuse(
    'friction_law',
    '{kind: regularized-coulomb, coulomb: 1, velocity_tolerance_mps: 0}',
    /velocity_tolerance_mps/,
  );
  refuse(
    'friction_law',
    '{kind: regularized-coulomb, coulomb: 1, velocity_tolerance_mps: 1 m}',
    /velocity_tolerance_mps/,
  );
  refuse(
    'friction_law',
    '{kind: regularized-coulomb, coulomb: 1, regularization: tanh}',
    /regularization/,
  );
  refuse(
    'friction_law',
    '{kind: stribeck, stiction: 0.2, coulomb: 0.3, stribeck_velocity_mps: 0.1, velocity_tolerance_mps: 1 mm/s}',
    /stiction >= coulomb \(0\.3\), got 0\.2/,
  );
  refuse('rolling_law', '{kind: modia3d}', /rolling_friction/);
  refuse('rolling_law', '{kind: modia3d, rolling_friction: -1}', /rolling_friction/);
});
