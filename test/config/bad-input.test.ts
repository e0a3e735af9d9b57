/** Every kind of unusable file gives one clear sentence with file, line, column, field, value and what is allowed. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadSettings } from '../../config/load-settings.ts';
import { loadScenario, scenarioFile } from '../../config/scenario.ts';
import { ConfigError, type ConfigIssue } from '../../config/yaml-source.ts';
import { BerthError } from '../../src/base/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-config-'));
after(() => rmSync(folder, { recursive: true }));

/** The complaints about a scenario in which `from` is replaced by `to`. */
function complaints(scenario: string, from: string, to: string): readonly ConfigIssue[] {
  const text = readFileSync(scenarioFile(scenario), 'utf8');
  assert.ok(text.includes(from), `the scenario holds "${from}"`);
  const file = join(folder, 'bad.yaml');
  writeFileSync(file, text.replace(from, to));
  try {
    loadScenario(file);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.issues;
  }
  assert.fail('the file was accepted');
}

/** Line and column (from 1) of a text in the changed scenario. */
function position(changed: string, scenario: string, from: string, to: string): string {
  const text = readFileSync(scenarioFile(scenario), 'utf8').replace(from, to);
  const before = text.slice(0, text.indexOf(changed)).split('\n');
  return `${before.length}:${before[before.length - 1].length + 1}`;
}

const CASES: readonly {
  readonly what: string;
  readonly scenario: string;
  readonly from: string;
  readonly to: string;
  /** Text at which the complaint must point. */
  readonly at: string;
  readonly code: string;
  readonly message: RegExp;
}[] = [
  {
    what: 'an unknown field',
    scenario: 'ball-on-incline',
    from: 'mass_kg: 2',
    to: 'mass_kg: 2\n    colour: red',
    at: 'colour',
    code: 'BERTH_UNKNOWN_FIELD',
    message: /bodies\[1\][.]colour is not a known field; allowed: kind, name, position_m/,
  },
  {
    what: 'an error of rays below rounding',
    scenario: 'ball-in-cylinder-volumetric',
    from: 'normal: principal-axis }',
    to: 'normal: principal-axis, relative_error: 1e-12 }',
    at: '1e-12',
    code: 'BERTH_PARAMETER_RANGE',
    message: /relative_error is 1e-12; allowed: .*1e-11/,
  },
  {
    what: 'infinity, by its own name',
    scenario: 'ball-on-incline',
    from: 'mass_kg: 2',
    to: 'mass_kg: .inf',
    at: '.inf',
    code: 'BERTH_PARAMETER_RANGE',
    message: /bodies\[1\][.]mass_kg.*[.]inf/,
  },
  {
    what: 'a mistyped field',
    scenario: 'ball-on-incline',
    from: 'restitution: 0.5',
    to: 'restitution: 0.5\n      smal_velocity_mps: 1e-3',
    at: 'smal_velocity_mps',
    code: 'BERTH_UNKNOWN_FIELD',
    message: /smal_velocity_mps is not a known field; did you mean small_velocity_mps[?]/,
  },
  {
    what: 'a wrong unit',
    scenario: 'half-sphere-on-plate',
    from: 'lag_s: 20 ms',
    to: 'lag_s: 20 mm',
    at: '20 mm',
    code: 'BERTH_UNIT',
    message: /tool[.]lag_s is "20 mm"; allowed: a number in s .*"mm" does not convert to s/,
  },
  {
    what: 'a wrong type',
    scenario: 'ball-on-incline',
    from: 'mass_kg: 2',
    to: 'mass_kg: [2]',
    at: '[2]',
    code: 'BERTH_PARAMETER_RANGE',
    message: /bodies\[1\][.]mass_kg is a list of 1; allowed: a number in kg/,
  },
  {
    what: 'a negative mass',
    scenario: 'ball-on-incline',
    from: 'mass_kg: 2',
    to: 'mass_kg: -2',
    at: '-2',
    code: 'BERTH_PARAMETER_RANGE',
    message: /bodies\[1\][.]mass_kg is -2; allowed: a number in kg or with a unit, above 0 kg/,
  },
  {
    what: 'a stiffness of zero',
    scenario: 'ball-on-incline',
    from: 'stiffness_N_per_m1_5: 1e6',
    to: 'stiffness_N_per_m1_5: 0',
    at: '0\n      restitution',
    code: 'BERTH_PARAMETER_RANGE',
    message: /contacts\[0\][.]normal_law[.]stiffness_N_per_m1_5 is 0; allowed: .*above 0/,
  },
  {
    what: 'a restitution of zero',
    scenario: 'ball-on-incline',
    from: 'restitution: 0.5',
    to: 'restitution: 0',
    at: '0\n      small',
    code: 'BERTH_PARAMETER_RANGE',
    message: /restitution is 0; allowed: a number, above 0, at most 1/,
  },
  {
    what: 'a restitution above one',
    scenario: 'ball-on-incline',
    from: 'restitution: 0.5',
    to: 'restitution: 1.2',
    at: '1.2',
    code: 'BERTH_PARAMETER_RANGE',
    message: /restitution is 1[.]2; allowed: a number, above 0, at most 1/,
  },
  {
    what: 'a velocity tolerance above a tenth of the Stribeck velocity',
    scenario: 'half-sphere-on-plate',
    from: 'velocity_tolerance_mps: 1 mm/s',
    to: 'velocity_tolerance_mps: 50 mm/s',
    at: '50 mm/s',
    code: 'BERTH_PARAMETER_RANGE',
    message: /0[.]05/,
  },
  {
    what: 'an unknown kind',
    scenario: 'ball-on-incline',
    from: 'kind: bristle',
    to: 'kind: bristles',
    at: 'bristles',
    code: 'BERTH_PARAMETER_RANGE',
    message: /friction_law[.]kind is "bristles"; allowed: none, .*bristle/,
  },
  {
    what: 'a missing field',
    scenario: 'ball-on-incline',
    from: '    mass_kg: 2\n',
    to: '',
    at: 'name: ball\n',
    code: 'BERTH_MISSING_FIELD',
    message: /bodies\[1\][.]mass_kg is missing; allowed: a number in kg/,
  },
  {
    what: 'a field given twice',
    scenario: 'ball-on-incline',
    from: 'mass_kg: 2',
    to: 'mass_kg: 2\n    mass_kg: 3',
    at: 'mass_kg: 3',
    code: 'BERTH_YAML',
    message: /the field "mass_kg" appears twice/,
  },
  {
    what: 'broken YAML',
    scenario: 'ball-on-incline',
    from: 'bodies:',
    to: 'bodies: [',
    at: '  - name: incline',
    code: 'BERTH_YAML',
    message: /not valid YAML/,
  },
  {
    what: 'a body that does not exist',
    scenario: 'ball-on-incline',
    from: 'body_i: ball',
    to: 'body_i: bal',
    at: 'bal\n',
    code: 'BERTH_UNKNOWN_NAME',
    message: /bal/,
  },
  {
    what: 'a normal of length zero',
    scenario: 'ball-on-incline',
    from: 'normal: [0, 0, 1]',
    to: 'normal: [0, 0, 0]',
    at: '[0, 0, 0]',
    code: 'BERTH_PARAMETER_RANGE',
    message: /contacts\[0\][.]pair[.]normal is \[0, 0, 0\]; allowed: a direction/,
  },
  {
    what: 'a list of the wrong length',
    scenario: 'ball-on-incline',
    from: 'position_m: [0, 0, 2]',
    to: 'position_m: [0, 0]',
    at: '[0, 0]\n',
    code: 'BERTH_PARAMETER_RANGE',
    message: /position_m is a list of 2; allowed: a list of 3, each a number in m/,
  },
  {
    what: 'a bore of 10.1 m in place of 10.1 mm, which leaves nothing of its block',
    scenario: 'ball-on-table',
    from: '- { shape: { kind: half-space } }',
    to: '- { shape: { kind: box, size_m: [60 mm, 60 mm, 40 mm] } }\n            - { shape: { kind: bore, radius_m: 10.1 } }',
    at: 'name: top',
    code: 'BERTH_PARAMETER_RANGE',
    message:
      /bodies\[0\][.]cells\[0\] to have a volume.*common\[1\] \(bore\) removes all of it.*millimetres taken for metres/,
  },
];

for (const { what, scenario, from, to, at, code, message } of CASES) {
  test(`${what} is refused with its place`, () => {
    const issues = complaints(scenario, from, to);
    const found = issues.find((one) => message.test(one.message));
    assert.ok(found !== undefined, JSON.stringify(issues));
    assert.equal(found.code, code);
    if (what !== 'broken YAML') {
      assert.equal(found.where, `${join(folder, 'bad.yaml')}:${position(at, scenario, from, to)}`);
    } else assert.match(found.where, /bad[.]yaml:\d+:\d+$/);
  });
}

test('a missing scenario names the ones there are', () => {
  assert.throws(
    () => loadScenario('half-sphere-on-plat'),
    /scenario "half-sphere-on-plat" does not exist; did you mean half-sphere-on-plate[?]/,
  );
  assert.throws(
    () => loadScenario('zzz'),
    /allowed: ball-in-cylinder-volumetric, .*bowden-leben, .*half-sphere/,
  );
  assert.throws(() => loadScenario('./no/such.yaml'), { code: 'BERTH_MISSING_FILE' });
  assert.throws(() => loadSettings('./no/such.yaml'), { code: 'BERTH_MISSING_FILE' });
});

test('overrides say which --set was wrong', () => {
  assert.throws(
    () => loadScenario('ball-on-incline', ['bodies.ball.mass_kg=-1']),
    /--set bodies[.]ball[.]mass_kg: bodies\[1\][.]mass_kg is -1; allowed: .*above 0 kg/,
  );
  assert.throws(
    () => loadScenario('ball-on-incline', ['bodies.bll.mass_kg=1']),
    /"bodies" has no item "bll"; allowed: 0 to 1 or incline, ball/,
  );
  assert.throws(
    () => loadScenario('ball-on-incline', ['duration_s']),
    /not of the form path=value/,
  );
  assert.throws(
    () => loadScenario('ball-on-incline', ['duraton_s=3']),
    /duraton_s is not a known field; did you mean duration_s[?]/,
  );
});

test('keys are never repeated in messages', () => {
  try {
    loadSettings(undefined, ['server.keys.operator=hunter2']);
    assert.fail('accepted');
  } catch (error) {
    assert.ok(error instanceof BerthError);
    assert.doesNotMatch(error.message, /hunter2/);
    assert.match(error.message, /server[.]keys[.]operator .*12 or more characters/);
  }
});

test('a serial robot needs a path', () => {
  assert.throws(
    () => loadSettings(undefined, ['robot.transport=serial']),
    /robot[.]serial_path is empty/,
  );
});

test('30: explicit Euler, which is a period of delay, is refused', (t) => {
  for (const kind of ['explicit-euler', 'euler']) {
    const found = complaints('half-sphere-on-plate', 'kind: implicit-contact', `kind: ${kind}`);
    const text = found.map(({ message }) => message).join(' ');
    assert.match(text, /integration[.]kind is .*allowed: .*symplectic-euler/, kind);
  }
  t.diagnostic('acceptance 30: explicit Euler refused by the scenario');
});
