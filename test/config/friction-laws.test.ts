/** Friction and rolling laws as people write them: what they compile to, and what is refused at which field. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { ConfigError } from '../../config/yaml-source.ts';
import { checkModel } from '../../src/system/check-model.ts';
import type { ContactModelSpec } from '../../src/model/model.ts';

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
