/** Settings and scenarios that load: defaults, overrides, exported schemas, the model a scenario compiles to. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { parse } from 'yaml';
import { compileScenario } from '../../config/compile.ts';
import { JOINT_UNITS } from '../../config/fields.ts';
import { jsonSchemaFiles } from '../../config/json-schema.ts';
import { defaultSettingsFile, loadSettings } from '../../config/load-settings.ts';
import { listScenarios, loadScenario } from '../../config/scenario.ts';
import { ScenarioSchema } from '../../config/scenario-schema.ts';
import { SettingsSchema } from '../../config/settings.ts';

/** `a.b` of every value that is no group, in order. */
function paths(value: unknown, at: string[] = []): string[] {
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isGroup ? Object.entries(value) : [];
  if (entries.length === 0) return [at.join('.')];
  return entries.flatMap(([key, inner]) => paths(inner, [...at, key])).sort();
}

test('the settings file of the package states exactly the defaults, and all of them', () => {
  const settings = loadSettings();
  assert.deepEqual(settings, Value.Default(SettingsSchema, {}));
  const listed = paths(parse(readFileSync(defaultSettingsFile(), 'utf8')));
  assert.deepEqual(listed, paths(settings));
});

test('the committed JSON Schema files are the generated ones', () => {
  for (const { file, text } of jsonSchemaFiles()) {
    assert.equal(readFileSync(file, 'utf8'), text, `${file} is stale: npm run schema`);
  }
});

test('every scenario of the package loads into a value of its schema', () => {
  const names = listScenarios().map(({ name }) => name);
  assert.deepEqual(names, [
    'ball-in-cylinder-volumetric',
    'ball-on-incline',
    'ball-on-table',
    'battery-box-drop',
    'battery-box-insertion',
    'bowden-leben',
    'cam-follower',
    'canadarm-berthing',
    'dextre-battery-box',
    'dextre-on-canadarm2',
    'docking-petals',
    'double-pendulum',
    'free-flyer-capture',
    'free-mass-on-spring',
    'gripper-finger',
    'half-sphere-on-plate',
    'kim-antennas',
    'kim-capture',
    'kim-planar-controlled-contact',
    'kim-space-impact',
    'kim-space-impact-friction',
    'latch-hook',
    'latch-pawl',
    'part-on-table',
    'ring-on-cone',
    'ring-over-cone',
    'round-peg',
    'taper-jam',
    'tippe-top',
    'tippe-top-modified',
  ]);
  for (const name of names) {
    const scenario = loadScenario(name);
    assert.equal(scenario.name, name);
    assert.ok(Value.Check(ScenarioSchema, scenario));
  }
});

test('a number field carries its unit in its name', () => {
  const suffixes: Record<string, string> = {
    m: '_m',
    'm^2': '_m2',
    s: '_s',
    Hz: '_Hz',
    kg: '_kg',
    'kg/m^3': '_kg_per_m3',
    N: '_N',
    rad: '_rad',
    'N*m': '_Nm',
    'N*s/m': '_N_s_per_m',
    'm/s': '_mps',
    'rad/s': '_radps',
    'm/s^2': '_mps2',
    'm/s^3': '_mps3',
    'rad/s^2': '_radps2',
    'rad/s^3': '_radps3',
    'kg*m^2': '_kg_m2',
    'N*m/rad': '_Nm_per_rad',
    'N*m*s/rad': '_Nm_s_per_rad',
    '1/m': '_per_m',
    's/m': '_s_per_m',
    'N/m': '_N_per_m',
    'N/m^1.5': '_N_per_m1_5',
    'N/m^2': '_N_per_m2',
    'N/m^3': '_N_per_m3',
    J: '_J',
    'N/(m/s)': '_N_per_mps',
    'N*m/(rad/s)': '_Nm_per_radps',
  };
  let seen = 0;
  const walk = (schema: unknown, name: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { unit, properties, items, anyOf } = schema as Record<string, unknown>;
    if (unit === JOINT_UNITS) {
      seen++; // the unit is that of each joint, so that the name can carry none
      assert.equal(name, 'joints');
    } else if (typeof unit === 'string') {
      seen++;
      assert.ok(suffixes[unit] !== undefined, unit);
      assert.ok(name.endsWith(suffixes[unit]), `${name} in ${unit}`);
    }
    for (const [key, child] of Object.entries(properties ?? {})) walk(child, key);
    for (const child of Array.isArray(items) ? items : [items]) walk(child, name);
    for (const child of Array.isArray(anyOf) ? anyOf : []) walk(child, name);
  };
  walk(SettingsSchema, '');
  walk(ScenarioSchema, '');
  assert.ok(seen > 40);
});

test('the half-sphere compiles to the numbers of the source, bristles as read', () => {
  const model = compileScenario(loadScenario('half-sphere-on-plate'));
  const contact = model.contacts[0];
  const law = contact.normalLaw;
  assert.ok(law.kind === 'hysteretic');
  assert.equal(law.stiffness, 2.5413e8);
  assert.equal(law.exponent, 1.5);
  assert.equal(law.restitution, 0.85);
  assert.equal(contact.frictionLaw.kind, 'bristle');
  assert.deepEqual(
    model.command.map(({ time, twist }) => [time, twist[2]]),
    [
      [0, -0.002],
      [3, 0.001],
    ],
  );
  assert.equal(model.tool?.forceGain, 1e4);
  assert.equal(model.tool.lag, 0.02);
  assert.ok(contact.pair.kind === 'sphere-plane');
  // the tool point is the lowest point of the sphere
  assert.equal(contact.pair.center[2], contact.pair.radius);
});

test('overrides reach list items by name and by index, and make groups that were left out', () => {
  const scenario = loadScenario('half-sphere-on-plate', [
    'contacts.tool-plate.normal_law.restitution=0.5',
    'contacts[0].pair.radius_m=3 cm',
    'contacts.0.friction_law={kind: none}',
    'tool.lag_s=80 ms',
  ]);
  const contact = scenario.contacts[0];
  assert.ok(contact.normal_law.kind === 'hysteretic-hertz');
  assert.equal(contact.normal_law.restitution, 0.5);
  assert.ok(contact.pair.kind === 'sphere-plane');
  assert.equal(contact.pair.radius_m, 0.03);
  assert.deepEqual(contact.friction_law, { kind: 'none' });
  assert.equal(scenario.tool?.lag_s, 0.08);
  const settings = loadSettings(undefined, ['server.keys.viewer=viewer-key-01', 'mode=hardware']);
  assert.equal(settings.server.keys.viewer, 'viewer-key-01');
  assert.equal(settings.mode, 'hardware');
});

test('rotations: axis and angle, quaternion of any length', () => {
  const half = Math.SQRT1_2;
  for (const rotation of [
    '{kind: axis-angle, axis: [0, 3, 0], angle_rad: 90 deg}',
    '{kind: quaternion, xyzw: [0, 2, 0, 2]}',
  ]) {
    const model = compileScenario(
      loadScenario('ball-on-incline', [`bodies.incline.orientation=${rotation}`]),
    );
    for (const [i, expected] of [0, half, 0, half].entries()) {
      assert.ok(Math.abs(model.bodies[0].orientation[i] - expected) < 1e-15);
    }
  }
});
