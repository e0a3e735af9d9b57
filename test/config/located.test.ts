/** Complaints of the model about a scenario: the names are those of the file, and the place is that of the field. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadScenario } from '../../config/scenario.ts';
import { ConfigError, type ConfigIssue } from '../../config/yaml-source.ts';

/** The complaint about a scenario with one changed field. */
function complaint(scenario: string, change: string): ConfigIssue {
  try {
    loadScenario(scenario, [change]);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    assert.equal(error.issues.length, 1);
    return error.issues[0];
  }
  assert.fail(`${change} was accepted`);
}

const CASES: readonly (readonly [change: string, path: string, message: string])[] = [
  [
    'contacts.0.body_i=nobody',
    'contacts[0].body_i',
    'Expected contacts[0].body_i to be one of plate, half-sphere, arm, got "nobody"',
  ],
  [
    'tool.arm=plate',
    'tool.arm',
    'Expected tool.arm to be a body of kind "accommodated", got "plate" with kind "fixed"',
  ],
  [
    'integration.locate_events=true',
    'integration.locate_events',
    'Expected integration.kind ode3, rk4, ode5, dormand-prince or rosenbrock with integration.locate_events, got "implicit-contact"',
  ],
];

for (const [change, path, message] of CASES) {
  test(`--set ${change}`, () => {
    const found = complaint('half-sphere-on-plate', change);
    assert.equal(found.message, message);
    assert.equal(found.path, path);
    assert.equal(found.where, `--set ${change.split('=')[0]}`);
  });
}

test('a name of the user in quotes stays as it was written', () => {
  const { message } = complaint('half-sphere-on-plate', 'contacts.0.body_i=noSuchBody');
  assert.match(message, /got "noSuchBody"$/);
});
