/** The palettes hold the published numbers; pairs are found in either order, by the mean rule, or refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileNormalLaw, type ScenarioNormalLaw } from '../../config/normal-laws.ts';
import { Materials, materials } from '../../config/materials.ts';
import { loadScenario } from '../../config/scenario.ts';

// Modia3D: density, E, nu, E/(1 − nu²), melting point, heat capacity, conductivity, expansion
const SOLIDS = {
  Steel: [8000, 2.0e11, 0.3, 2.1978021978e11, 1640, 500, 50, 1.2e-5],
  Aluminium: [2700, 6.9e10, 0.32, 7.6871657754e10, 933, 897, 237, 2.31e-5],
  DryWood: [700, 1.1e10, 0.4, 1.3095238095e10, 570, 1700, 0.1, 5.0e-6],
  BilliardCushion: [700, 1.1e10, 0.4, 1.3095238095e10],
  BilliardTable: [700, 1.1e10, 0.4, 1.3095238095e10],
  BilliardBall: [1768, 5.4e9, 0.34, 6.105834464e9],
  BilliardCue: [700, 1.1e10, 0.4, 1.3095238095e10],
} as const;

// restitution, sliding friction, rolling resistance
const PAIRS = [
  ['Steel', 'Steel', 0.7, 0.5, 0.001],
  ['DryWood', 'DryWood', 0.6, 0.3, 0.001],
  ['BilliardBall', 'BilliardBall', 1, 0, 0],
  ['BilliardBall', 'BilliardTable', 0, 0.8, 0.01],
  ['BilliardBall', 'BilliardCushion', 0.98, 0, 0],
  ['BilliardBall', 'BilliardCue', 0.98, 0, 0],
  ['BilliardTable', 'BilliardCue', 0, 0.8, 0.01],
  ['BilliardCue', 'BilliardCue', 0.98, 0, 0],
] as const;

test('solids are those of the source, all of them', () => {
  const palette = materials();
  assert.deepEqual(
    palette.solids.map(({ name }) => name),
    [...Object.keys(SOLIDS), 'Observer'],
  );
  for (const [name, [density, young, poisson, plane, ...thermal]] of Object.entries(SOLIDS)) {
    const solid = palette.solid(name, 'x');
    assert.equal(solid.density_kg_per_m3, density);
    assert.equal(solid.youngs_modulus_N_per_m2, young);
    assert.equal(solid.poisson_ratio, poisson);
    assert.ok(Math.abs(young / (1 - poisson * poisson) / plane - 1) < 5e-11); // 11 digits
    assert.deepEqual(
      [
        solid.melting_temperature_K,
        solid.specific_heat_J_per_kg_K,
        solid.thermal_conductivity_W_per_m_K,
        solid.thermal_expansion_per_K,
      ].filter((value) => value !== undefined),
      thermal,
    );
  }
});

test('contact pairs are those of the source, all of them, in either order', () => {
  const palette = materials();
  assert.equal(palette.pairs.length, PAIRS.length + 2);
  for (const [a, b, restitution, sliding, rolling] of PAIRS) {
    for (const names of [
      [a, b],
      [b, a],
    ] as const) {
      const pair = palette.pair(names, 'x');
      assert.equal(pair.restitution, restitution);
      assert.equal(pair.sliding_friction, sliding);
      assert.equal(pair.rolling_resistance, rolling);
      assert.equal(pair.small_velocity_mps, 0.01);
      assert.equal(pair.small_angular_velocity_radps, 0.01);
    }
  }
  assert.deepEqual(
    palette.pairs.filter(({ kind }) => kind === 'observer'),
    [
      { kind: 'observer', materials: ['Observer', 'Steel'], alarm: true },
      { kind: 'observer', materials: ['Observer', 'Observer'], alarm: false },
    ],
  );
});

test('contact moduli are those of the source', () => {
  const table = [
    ['Steel', 'Steel', 1.0989010989e11],
    ['DryWood', 'DryWood', 6.5476190476e9],
    ['BilliardBall', 'BilliardBall', 3.052917232e9],
    ['BilliardBall', 'BilliardTable', 4.1642130058e9],
    ['BilliardCushion', 'BilliardBall', 4.1642130058e9],
    ['BilliardBall', 'BilliardCue', 4.1642130058e9],
    ['Aluminium', 'Aluminium', 3.8435828877e10],
    ['Steel', 'DryWood', 1.2358856244e10],
  ] as const;
  for (const [a, b, modulus] of table) {
    const got = materials().contactModulus([a, b], 'x');
    assert.ok(Math.abs(got / modulus - 1) < 5e-11, `${a}, ${b}: ${got}`); // printed with 11 digits
  }
});

test('a pair that is not listed is the mean of both solids with themselves', () => {
  const pair = materials().pair(['DryWood', 'Steel'], 'x');
  assert.equal(pair.restitution, 0.5 * (0.7 + 0.6));
  assert.equal(pair.sliding_friction, 0.4);
  assert.equal(pair.rolling_resistance, 0.001);
  assert.equal(pair.small_velocity_mps, 0.01);
});

test('a pair without mean, an unknown name and a solid without elastic response are refused with what exists', () => {
  const palette = materials();
  assert.throws(() => palette.pair(['Aluminium', 'Steel'], 'contacts[0].normal_law.materials'), {
    code: 'BERTH_UNKNOWN_NAME',
    message:
      /contacts\[0\]\.normal_law\.materials is \[Aluminium, Steel\].*Aluminium has no pair with itself; pairs: Steel with Steel; DryWood with DryWood; .*BilliardCue with BilliardCue/,
  });
  assert.throws(() => palette.solid('steel', 'm'), {
    message: /m names "steel", which is no material; did you mean Steel\? allowed: Steel, Alum/,
  });
  assert.throws(() => palette.solid('Aluminum', 'm'), { message: /did you mean Aluminium\?/ });
  assert.throws(() => palette.solid('Unobtainium', 'm'), {
    message: /no material; allowed: Steel/,
  });
  assert.throws(() => palette.pair(['Observer', 'Steel'], 'm'), {
    code: 'BERTH_MISMATCH',
    message: /m names Observer, which has no elastic response; allowed: Steel, /,
  });
});

test('a palette with a name twice, a pair twice or a pair of nobody is refused', () => {
  const { solids, pairs } = materials();
  const parts = { source: 'test' };
  const make = (more: object): Materials =>
    new Materials({ ...parts, solids, ...more }, { ...parts, pairs, ...more });
  assert.throws(() => make({ solids: [...solids, solids[0]] }), /Two solids are named "Steel"/);
  const again = { ...pairs[3], materials: ['BilliardTable', 'BilliardBall'] };
  assert.throws(() => make({ pairs: [...pairs, again] }), /Two contact pairs/);
  const nobody = { ...pairs[0], materials: ['Steel', 'Moon'] };
  assert.throws(() => make({ pairs: [nobody] }), /"Moon", which is no material/);
});

/** The law of the ball on the incline, from YAML. */
function law(yaml: string): ReturnType<typeof compileNormalLaw> {
  const scenario = loadScenario('ball-on-incline', [`contacts.ball-incline.normal_law={${yaml}}`]);
  return compileNormalLaw(scenario.contacts[0].normal_law, 'contacts[0].normal_law');
}

test('normal laws from YAML: what is left out comes from the materials', () => {
  assert.deepEqual(law('kind: modia3d, materials: [Steel, DryWood]'), {
    kind: 'modia3d',
    contactModulus: materials().contactModulus(['DryWood', 'Steel'], 'x'),
    restitution: 0.5 * (0.7 + 0.6),
    smallVelocity: 0.01,
    maximumDamping: 2000,
    reductionFactor: 1,
    damping: 'flores',
    allowTension: false,
  });
  assert.deepEqual(
    law(
      'kind: modia3d, contact_modulus_N_per_m2: 38 GPa, restitution: 0.4, small_velocity_mps: 5 cm/s, maximum_damping_s_per_m: 100, reduction_factor: 1e-4, damping: exact, allow_tension: true',
    ),
    {
      kind: 'modia3d',
      contactModulus: 3.8e10,
      restitution: 0.4,
      smallVelocity: 0.05,
      maximumDamping: 100,
      reductionFactor: 1e-4,
      damping: 'exact',
      allowTension: true,
    },
  );
  // no pair is listed for aluminium, and none is needed where the restitution is given
  const aluminium = law('kind: modia3d, materials: [Aluminium, Aluminium], restitution: 0.5');
  assert.ok(aluminium.kind === 'modia3d' && aluminium.restitution === 0.5);
  assert.deepEqual(law('kind: hysteretic-hertz, materials: [Steel, Aluminium], restitution: 0.5'), {
    kind: 'hertz',
    contactModulus: materials().contactModulus(['Steel', 'Aluminium'], 'x'),
    restitution: 0.5,
    smallVelocity: 0.001,
    relaxationTime: 0,
    damping: 'exact',
  });
  assert.deepEqual(
    law('kind: restitution-slope-hertz, stiffness_N_per_m1_5: 1e6, restitution_slope_s_per_m: 0.2'),
    { kind: 'restitution-slope', stiffness: 1e6, exponent: 1.5, slope: 0.2, allowTension: false },
  );
  assert.deepEqual(
    law('kind: kelvin-voigt, stiffness_N_per_m: 1e5, damping_N_s_per_m: 0.4 N*s/mm'),
    { kind: 'kelvin-voigt', stiffness: 1e5, damping: 400, allowTension: false },
  );
  for (const [kind, unit, exponent] of [
    ['hysteretic-linear', 'N_per_m', 1],
    ['hysteretic-quadratic', 'N_per_m2', 2],
  ] as const) {
    const got = law(`kind: ${kind}, stiffness_${unit}: 1e5, restitution: 0.5, damping: flores`);
    assert.ok(got.kind === 'hysteretic' && got.exponent === exponent && got.damping === 'flores');
  }
  for (const [kind, unit, exponent] of [
    ['linear', 'N_per_m', 1],
    ['quadratic', 'N_per_m2', 2],
  ] as const) {
    const got = law(
      `kind: restitution-slope-${kind}, stiffness_${unit}: 1e5, restitution_slope_s_per_m: 1`,
    );
    assert.ok(got.kind === 'restitution-slope' && got.exponent === exponent);
  }
});

test('normal laws from YAML: missing, contradicting and unknown parts are refused', () => {
  const hertz = 'kind: hysteretic-hertz, restitution: 0.5';
  assert.throws(() => law(hertz), {
    code: 'BERTH_MISSING_FIELD',
    message:
      /normal_law gives no stiffness; allowed: exactly one of stiffness_N_per_m1_5, contact_mod/,
  });
  assert.throws(() => law(`${hertz}, stiffness_N_per_m1_5: 1e6, materials: [Steel, Steel]`), {
    code: 'BERTH_MISMATCH',
    message: /gives stiffness_N_per_m1_5 and materials; allowed: exactly one/,
  });
  assert.throws(() => law(`${hertz}, materials: [Steel, Stel]`), {
    message: /--set contacts\.ball-incline\.normal_law: .*"Stel".*did you mean Steel\?/,
  });
  assert.throws(() => law('kind: modia3d, contact_modulus_N_per_m2: 1e10'), {
    code: 'BERTH_MISSING_FIELD',
    message: /normal_law\.restitution is missing/,
  });
  assert.throws(() => law('kind: modia3d, materials: [Aluminium, Steel]'), {
    message: /no contact pair/,
  });
  assert.throws(() => law('kind: modia3d, materials: [Steel, Steel], reduction_factor: 2'), {
    message: /reduction_factor is 2; allowed: a number, above 0, at most 1/,
  });
  assert.throws(() => law('kind: kelvin-voigt, stiffness_N_per_m: 1e5'), {
    message: /damping_N_s_per_m is missing/,
  });
});

test('types of the palette: every law kind of the schema compiles', () => {
  const kinds: readonly ScenarioNormalLaw['kind'][] = [
    'hysteretic-hertz',
    'hysteretic-linear',
    'hysteretic-quadratic',
    'hysteretic-power',
    'modia3d',
    'restitution-slope-linear',
    'restitution-slope-hertz',
    'restitution-slope-quadratic',
    'restitution-slope-power',
    'kelvin-voigt',
  ];
  assert.throws(() => law('kind: unknown'), { message: new RegExp(kinds.join(', ')) });
});
