/** Pairs of materials that feed every law, and a palette of the user's own: what compiles, what is refused and where. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario, scenarioFile } from '../../config/scenario.ts';
import { ConfigError, type ConfigIssue } from '../../config/yaml-source.ts';
import type { ContactModelSpec } from '../../src/model/model.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-materials-'));
after(() => rmSync(folder, { recursive: true }));

const DELRIN = `
  - { kind: elastic, name: Delrin, density_kg_per_m3: 1420, youngs_modulus_N_per_m2: 3.1 GPa, poisson_ratio: 0.35 }`;
const PAIR = `
  - { kind: elastic, materials: [Delrin, Steel], restitution: 0.6, sliding_friction: 0.2, rolling_resistance: 0.002,
      small_velocity_mps: 2 mm/s, small_angular_velocity_radps: 0.03 }`;
const OWN = `solids:${DELRIN}\npairs:${PAIR}\n`;

/** The contact of the ball on the incline beside a palette, with changed laws. */
function contactWith(palette: string | null, ...changes: string[]): ContactModelSpec {
  const file = join(folder, 'ball.yaml');
  const text = readFileSync(scenarioFile('ball-on-incline'), 'utf8');
  writeFileSync(file, palette === null ? text : `materials_file: own.yaml\n${text}`);
  if (palette !== null) writeFileSync(join(folder, 'own.yaml'), palette);
  const overrides = changes.map((change) => `contacts.0.${change}`);
  return compileScenario(loadScenario(file, overrides)).contacts[0];
}

function issueOf(work: () => unknown): ConfigIssue {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.issues[0];
  }
  assert.fail('accepted');
}

const steel = (law: string, more = ''): string =>
  `{kind: ${law}, materials: [Steel, Steel]${more}}`;

test('friction and rolling take the numbers of the pair; a number of the law wins', () => {
  const laws = (friction: string, rolling: string): ContactModelSpec =>
    contactWith(null, `friction_law=${friction}`, `rolling_law=${rolling}`);
  const whole = laws(steel('regularized-coulomb'), steel('modia3d'));
  assert.deepEqual(whole.frictionLaw, {
    kind: 'regularized-coulomb',
    coulomb: 0.5,
    regularization: 'modia3d',
    velocityTolerance: 0.01,
  });
  assert.deepEqual(whole.rollingLaw, {
    kind: 'modia3d',
    rollingFriction: 0.001,
    angularVelocityTolerance: 0.01,
  });
  const own = laws(
    steel('regularized-coulomb', ', coulomb: 0, velocity_tolerance_mps: 3 mm/s'),
    steel('modia3d', ', rolling_friction: 0, angular_velocity_tolerance_radps: 0.2'),
  );
  assert.ok(own.frictionLaw.kind === 'regularized-coulomb' && own.rollingLaw?.kind === 'modia3d');
  assert.equal(own.frictionLaw.coulomb, 0);
  assert.equal(own.frictionLaw.velocityTolerance, 0.003);
  assert.equal(own.rollingLaw.rollingFriction, 0);
  assert.equal(own.rollingLaw.angularVelocityTolerance, 0.2);
  // a pair that is not listed needs the number in the law
  const bare = '{kind: regularized-coulomb, materials: [Aluminium, Steel]}';
  const missing = issueOf(() => laws(bare, '{kind: none}'));
  assert.equal(missing.path, 'contacts[0].friction_law.materials');
  assert.match(missing.message, /Aluminium has no pair with itself/);
  const given = laws(bare.replace('}', ', coulomb: 0.3}'), '{kind: none}').frictionLaw;
  assert.ok(given.kind === 'regularized-coulomb' && given.velocityTolerance === 0.01);
  const none = issueOf(() => laws('{kind: regularized-coulomb}', '{kind: none}'));
  assert.equal(none.code, 'BERTH_MISSING_FIELD');
  assert.equal(none.path, 'contacts[0].friction_law.coulomb');
  const unknown = issueOf(() => laws(bare.replace('Steel', 'Stel'), '{kind: none}'));
  assert.match(unknown.message, /did you mean Steel/);
});

test('a palette of the user: its solids and pairs serve every law, also beside solids of the package', () => {
  const names = (law: string): string => `{kind: ${law}, materials: [Steel, Delrin]}`;
  const contact = contactWith(
    OWN,
    `normal_law=${names('modia3d')}`,
    `friction_law=${names('regularized-coulomb')}`,
    `rolling_law=${names('modia3d')}`,
  );
  const { normalLaw, frictionLaw, rollingLaw } = contact;
  assert.ok(normalLaw.kind === 'modia3d' && frictionLaw.kind === 'regularized-coulomb');
  const modulus = 1 / ((1 - 0.35 ** 2) / 3.1e9 + (1 - 0.3 ** 2) / 2e11);
  assert.ok(Math.abs(normalLaw.contactModulus / modulus - 1) < 1e-15);
  assert.equal(normalLaw.restitution, 0.6);
  assert.equal(normalLaw.smallVelocity, 0.002);
  assert.equal(frictionLaw.coulomb, 0.2);
  assert.equal(frictionLaw.velocityTolerance, 0.002);
  assert.ok(rollingLaw?.kind === 'modia3d' && rollingLaw.rollingFriction === 0.002);
  assert.equal(rollingLaw.angularVelocityTolerance, 0.03);
  // the small velocity of the pair serves also beside a restitution of the law
  const own = contactWith(
    OWN,
    'normal_law={kind: modia3d, materials: [Delrin, Steel], restitution: 0.1}',
  ).normalLaw;
  assert.ok(own.kind === 'modia3d' && own.restitution === 0.1 && own.smallVelocity === 0.002);
  // the palette of one scenario is not that of the next
  assert.throws(
    () => contactWith(null, `normal_law=${names('modia3d')}`),
    /"Delrin", which is no material/,
  );
});

test('the yield strength of a contact is that of the weaker material of its normal law, or its own', () => {
  const strong = DELRIN.replace(' }', ', yield_strength_N_per_m2: 70 MPa }');
  const palette = `solids:${strong}\n  - { kind: elastic, name: Spring, density_kg_per_m3: 7800, youngs_modulus_N_per_m2: 2e11, poisson_ratio: 0.3, yield_strength_N_per_m2: 1.2e9 }\n`;
  const law = (a: string, b: string): string =>
    `normal_law={kind: hysteretic-hertz, materials: [${a}, ${b}], restitution: 0.5}`;
  const strength = (...changes: string[]): number | undefined =>
    contactWith(palette, ...changes).yieldStrength;
  assert.equal(strength(law('Spring', 'Delrin')), 7e7);
  assert.equal(strength(law('Steel', 'Spring')), 1.2e9);
  assert.equal(strength(law('Steel', 'Steel')), undefined);
  assert.equal(strength(law('Spring', 'Delrin'), 'yield_strength_N_per_m2=5e7'), 5e7);
  assert.equal(contactWith(null).yieldStrength, undefined);
  const refused = issueOf(() => contactWith(palette, 'yield_strength_N_per_m2=0'));
  assert.equal(refused.path, 'contacts[0].yield_strength_N_per_m2');
});

test('a palette that cannot be used is refused at its file, line and field', () => {
  const refuse = (palette: string, path: string, where: RegExp, message: RegExp): void => {
    const issue = issueOf(() => contactWith(palette));
    assert.equal(issue.path, path);
    assert.match(issue.where, where);
    assert.match(issue.message, message);
  };
  const steelAgain = DELRIN.replace('Delrin', 'Steel');
  refuse(
    `solids:${steelAgain}\n`,
    'solids[0].name',
    /own[.]yaml:2:28/,
    /"Steel" is the name of a solid/,
  );
  refuse(`solids:${DELRIN}${DELRIN}\n`, 'solids[1].name', /own[.]yaml:3/, /"Delrin"/);
  refuse(
    `solids:${DELRIN}\npairs:${PAIR}${PAIR.replace('Delrin, Steel', 'Steel, Delrin')}\n`,
    'pairs[1].materials',
    /own[.]yaml:6/,
    /"Delrin with Steel" is the name of a contact pair/,
  );
  refuse(
    `pairs:${PAIR.replace('Delrin, Steel', 'Steel, Steel')}\n`,
    'pairs[0].materials',
    /own[.]yaml:2/,
    /"Steel with Steel" is/,
  );
  refuse(
    `pairs:${PAIR}\n`,
    'pairs[0].materials[0]',
    /own[.]yaml:2/,
    /"Delrin" is no material; allowed: Steel/,
  );
  refuse(OWN.replace('0.35', '0.7'), 'solids[0].poisson_ratio', /own[.]yaml:2/, /at most 0[.]5/);
  refuse(OWN.replace('0.6', '1.6'), 'pairs[0].restitution', /own[.]yaml:4/, /1[.]6/);
  refuse(
    OWN.replace('density_', 'densty_'),
    'solids[0].densty_kg_per_m3',
    /own/,
    /did you mean density/,
  );
  refuse('solids: 3\n', 'solids', /own[.]yaml:1/, /a list/);
  const absent = issueOf(() => {
    contactWith(OWN);
    loadScenario(join(folder, 'ball.yaml'), ['materials_file=gone.yaml']);
  });
  assert.equal(absent.code, 'BERTH_MISSING_FILE');
  assert.equal(absent.path, 'materials_file');
  assert.match(absent.message, /gone[.]yaml.*no such file/);
});

test('responses of a contact: elastic, observer and none, by word and by materials', () => {
  const seen = contactWith(null, 'response=observer');
  assert.deepEqual(seen.normalLaw, { kind: 'observer' });
  assert.deepEqual(seen.frictionLaw, { kind: 'none' });
  const law = (text: string): ContactModelSpec['normalLaw'] =>
    contactWith(null, `normal_law=${text}`).normalLaw;
  for (const [text, alarm] of [
    ['{kind: observer}', false],
    ['{kind: observer, alarm: true}', true],
    ['{kind: observer, materials: [Steel, Observer]}', true],
    ['{kind: observer, materials: [Steel, Observer], alarm: false}', false],
    ['{kind: observer, materials: [Observer, Observer]}', false],
    ['{kind: modia3d, materials: [Observer, Steel]}', true],
    ['{kind: modia3d, materials: [Observer, Observer]}', false],
  ] as const)
    assert.deepEqual(law(text), { kind: 'observer', alarm }, text);
  assert.equal(contactWith(null, 'response=none'), undefined);
  const issue = issueOf(() => contactWith(null, 'response=none', 'body_j=moon'));
  assert.equal(issue.path, 'contacts[0].body_j');
  assert.match(issue.message, /"moon", which is no body; allowed: incline, ball/);
  assert.match(issueOf(() => law('{kind: observer, materials: [Steel, Moon]}')).message, /"Moon"/);
  assert.match(issueOf(() => contactWith(null, 'response=off')).message, /elastic, observer, none/);
});
