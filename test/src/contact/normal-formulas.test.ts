/** Formulas of the normal laws against the worked numbers and tables of their sources: no system, no step. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { materials } from '../../../config/materials.ts';
import { normalDefinition } from '../../../src/contact/registry.ts';
import {
  DAMPING,
  DEPTH,
  ELASTIC,
  IMPACT_SPEED,
  LEAST,
  NORMAL_RESULT,
  type NormalLaw,
  TURN_DEPTH,
  TURN_STIFFNESS,
} from '../../../src/contact/normal/normal-law.ts';
import {
  compressionTime,
  dampingForRestitution,
  deliveredRestitution,
  floresFactor,
  hertzStiffness,
  impactDepth,
  impactDuration,
  impactPeakForce,
  kelvinVoigtRestitution,
  restDepth,
  slopeForRestitution,
  slopeRestitution,
} from '../../../src/index.ts';
import type { Modia3dModel, NormalLawModel } from '../../../src/index.ts';

function near(got: number, want: number, relative: number, what: string): void {
  assert.ok(Math.abs(got / want - 1) <= relative, `${what}: ${got}, expected ${want}`);
}

/** A law on memory of its own. */
function build(model: NormalLawModel, effectiveRadius = 0.1): NormalLaw {
  const definition = normalDefinition(model);
  definition.check(model, 'law');
  const size = definition.size(model);
  const memory = {
    states: new Float64Array(size.states),
    rates: new Float64Array(size.states),
    internals: new Float64Array(size.internals),
  };
  return definition.make(model, memory, { effectiveRadius });
}

/** Normal force at a depth, m, and a depth rate, m/s, > 0 while approaching. */
function force(law: NormalLaw, depth: number, depthRate: number): number {
  const result = new Float64Array(NORMAL_RESULT);
  result[DEPTH] = depth;
  law.evaluate(result);
  return Math.max(result[LEAST], result[ELASTIC] + result[DAMPING] * depthRate);
}

/** The Modia3D law of two materials of the palette. */
function modia3d(a: string, b: string, parts: Partial<Modia3dModel> = {}): Modia3dModel {
  const pair = materials().pair([a, b], 'materials');
  return {
    kind: 'modia3d',
    contactModulus: materials().contactModulus([a, b], 'materials'),
    restitution: pair.restitution,
    smallVelocity: pair.small_velocity_mps,
    maximumDamping: 2000,
    reductionFactor: 1,
    ...parts,
  };
}

const WOOD_ON_WOOD = modia3d('DryWood', 'DryWood');

test('Modia3D: worked forces W1 to W9 of the Modia3D sheet, from the palette, to 1e-12', () => {
  // effective radii by the table of docs/theory/convex-pair.md: sphere on flat R; two spheres, two boxes r1 r2/(r1 + r2)
  const steel = modia3d('Steel', 'Steel');
  const cases: readonly (readonly [string, Modia3dModel, number, number, number, number])[] = [
    ['W1', steel, 0.1, 1e-5, 0, 1465.2014652014655],
    ['W2', steel, 0.1, 1e-6, 0, 46.3337386105257],
    ['W3', steel, 0.05, 1e-5, 0, 1036.0538918484212],
    ['W4 approaching', steel, 0.1, 1e-5, 0.5, 1967.5562532705394],
    ['W4 leaving', steel, 0.1, 1e-5, -0.5, 962.8466771323916],
    ['W5', { ...steel, reductionFactor: 1e-4 }, 0.1, 1e-3, 0, 146.5201465201465],
    ['W6', modia3d('BilliardBall', 'BilliardTable'), 0.03, 1e-5, 0, 30.41111196714139],
    ['W7', modia3d('BilliardBall', 'BilliardBall'), 0.015, 1e-5, 0, 15.765196795959639],
    ['W8', WOOD_ON_WOOD, 0.01, 1e-5, 0, 27.607185922104907],
    ['W9', steel, 0.2, 1e-5, 0, 2072.1077836968425],
  ];
  for (const [name, model, radius, depth, rate, want] of cases) {
    const law = build(model, radius);
    law.begin(-1, 0, new Float64Array(NORMAL_RESULT));
    near(force(law, depth, rate), want, 1e-12, name);
  }
});

test('Modia3D: sag and impact of billiard and steel balls, W12 to W14', () => {
  const density = materials().solid('BilliardBall', 'x').density_kg_per_m3;
  const mass = (4 / 3) * Math.PI * 0.03 ** 3 * density;
  near(mass, 0.19995608921568, 1e-12, 'mass');
  // 30-digit arithmetic; the Modia3D sheet, W12 and W13, prints 1.6083512251e-6 and, with one digit wrong, 3.5522393126e-9
  const table = materials().contactModulus(['BilliardTable', 'BilliardBall'], 'x');
  near(
    restDepth(mass * 9.81, hertzStiffness(table, 0.03), 1.5),
    1.608351225137466e-6,
    1e-12,
    'W12',
  );
  const steel = hertzStiffness(materials().contactModulus(['Steel', 'Steel'], 'x'), 0.1);
  near(steel, 4.63337386105257045e10, 1e-14, 'K of W13');
  near(restDepth(0.001 * 9.81, steel, 1.5), 3.552339312621535e-9, 1e-12, 'W13');
  const balls = hertzStiffness(
    materials().contactModulus(['BilliardBall', 'BilliardBall'], 'x'),
    0.015,
  );
  const impact = { mass: mass / 2, stiffness: balls, exponent: 1.5, speed: 2.1034, damping: 0 };
  // printed with 5 digits, from a speed of 5 digits
  near(impactDepth(impact), 2.6181e-4, 5e-5, 'W14 depth');
  near(impactDuration(impact), 3.6635e-4, 5e-5, 'W14 time');
  near(impactPeakForce(impact), 2111.9, 5e-5, 'W14 force');
});

test('Modia3D: damping coefficient over restitution and approach speed, and its jump at v_small', () => {
  const speeds = [0.005, 0.01, 0.0100001, 0.02, 0.1, 1];
  const table: readonly (readonly [number, readonly number[]])[] = [
    [1, [2000, 2000, 0, 0, 0, 0]],
    [0.7, [2000, 2000, 68.57074, 34.285714, 6.857143, 0.685714286]],
    [0.3, [2000, 2000, 373.3296, 186.66667, 37.333333, 3.733333333]],
    [0.1, [2000, 2000, 1439.9856, 720, 144, 14.4]],
    [0.01, [2000, 2000, 2000, 2000, 1584, 158.4]],
    [0, [2000, 2000, 2000, 2000, 2000, 2000]],
  ];
  for (const [restitution, row] of table) {
    const law = build(modia3d('Steel', 'Steel', { restitution }));
    speeds.forEach((speed, column) => {
      law.begin(-speed, 0, new Float64Array(NORMAL_RESULT));
      const result = new Float64Array(NORMAL_RESULT);
      result[DEPTH] = 1e-5;
      law.evaluate(result);
      const d = result[DAMPING] / result[ELASTIC];
      // printed with 7 digits or more
      assert.ok(Math.abs(d - row[column]) <= 1e-7 * row[column], `${restitution}, ${speed}: ${d}`);
      assert.equal(law.internals[IMPACT_SPEED], speed);
      law.end();
      assert.equal(law.internals[IMPACT_SPEED], 0);
    });
  }
});

test('Modia3D: what is frozen at onset stays, bit by bit, until the contact is lost', () => {
  const law = build(modia3d('Steel', 'Steel'));
  law.begin(-1, 0, new Float64Array(NORMAL_RESULT));
  const before = force(law, 1e-5, 0.2);
  force(law, 3e-5, -1);
  law.advance(Float64Array.of(1e-3));
  assert.equal(force(law, 1e-5, 0.2), before);
  law.end();
  law.begin(-0.001, 0, new Float64Array(NORMAL_RESULT));
  assert.ok(force(law, 1e-5, 0.2) > 100 * before);
});

test('delivered restitution: the table of the Modia3D sheet, and its inverse', () => {
  const table = [
    [1, 1],
    [0.98, 0.9786941062],
    [0.9, 0.8939206927],
    [0.8, 0.7885391259],
    [0.7, 0.6831841997],
    [0.6, 0.5772760189],
    [0.5, 0.4704447793],
    [0.4, 0.3628723185],
    [0.3, 0.2562079067],
    [0.2, 0.1555400203],
    [0.1, 0.0694442252],
    [0.05, 0.0328947368],
    [0.01, 0.0063131313],
  ] as const;
  for (const [cor, e] of table) {
    const z = dampingForRestitution(cor, 'flores');
    assert.ok(Math.abs(z - (8 * (1 - cor)) / (5 * cor)) <= 1e-15 * z);
    assert.ok(
      Math.abs(deliveredRestitution(z) - e) < 5.1e-11,
      `${cor}: ${deliveredRestitution(z)}`,
    );
  }
  const exact = [
    [0.9, 0.1664819507],
    [0.8, 0.3731462034],
    [0.7, 0.6348282813],
    [0.6, 0.9748717108],
    [0.5, 1.4327505333],
    [0.3, 3.0870819811],
    [0.1, 9.9981593975],
  ] as const;
  for (const [e, z] of exact) {
    assert.ok(Math.abs(dampingForRestitution(e) - z) < 5.1e-11, `${e}`);
    near(deliveredRestitution(dampingForRestitution(e)), e, 1e-13, 'there and back');
  }
  // slow impacts on d_max = 2000 s/m
  near(deliveredRestitution(2000 * 1e-3), 0.41072, 1.3e-5, '1 mm/s');
  near(deliveredRestitution(2000 * 1e-4), 0.88219, 6e-6, '0.1 mm/s');
  assert.equal(floresFactor(1), 0);
  assert.throws(() => deliveredRestitution(-1), { code: 'BERTH_PARAMETER_RANGE' });
});

const SLOPE_TABLE = [
  [0.001, 0.999001],
  [0.005, 0.99502486],
  [0.01, 0.99009891],
  [0.02, 0.9803914],
  [0.05, 0.95237015],
  [0.1, 0.90901574],
  [0.15, 0.86934311],
  [0.2, 0.83286979],
  [0.25, 0.79919878],
  [0.3, 0.76799979],
  [0.4, 0.71195018],
  [0.5, 0.6629622],
  [0.6, 0.61973647],
  [0.8, 0.54685405],
  [1, 0.48774126],
  [1.5, 0.37964638],
  [2, 0.3068968],
  [5, 0.13310234],
] as const;

test('restitution slope: e(α v), α for a wanted e, and the straight line as a bound', () => {
  // printed with 8 digits
  for (const [a, e] of SLOPE_TABLE) assert.ok(Math.abs(slopeRestitution(a) - e) <= 5.1e-9, `${a}`);
  const wanted = [
    [0.95, 0.0526177],
    [0.9, 0.110988],
    [0.85, 0.1760063],
    [0.8, 0.2487641],
    [0.7, 0.4232189],
    [0.6, 0.6499145],
    [0.5, 0.955167],
    [0.4, 1.3883321], // printed 1.3883123; 1.388332109 by 30-digit bisection
    [0.3, 2.0580547],
    [0.2, 3.2794445],
    [0.1, 6.6654396],
  ] as const;
  for (const [e, a] of wanted) {
    assert.ok(Math.abs(2 * slopeForRestitution(e, 2) - a) <= 5.1e-8, `${e}`);
  }
  // 0 <= e − (1 − a) <= a² for a <= 0.3, rounding of 1 − a left aside
  for (let a = 1e-4; a <= 0.3; a += 1e-4) {
    const above = slopeRestitution(a) - (1 - a);
    assert.ok(above >= -2.3e-16 && above <= a * a + 2.3e-16, `${a}: ${above}`);
  }
});

test('depth, force and times of an impact: both sheets', () => {
  const sandia = [
    [1, 1e5, 1, 2.892e-3, 9.966e-3],
    [0.1, 1e5, 1, 9.1452e-4, 3.151e-3],
    [1, 1e7, 1, 2.892e-4, 9.966e-4],
    [1, 1e9, 1.5, 2.5569e-4, 8.258e-4],
    [5, 1e6, 1.5, 7.7145e-3, 2.491e-2],
    [2, 1e8, 2, 2.9275e-3, 9.011e-3],
  ] as const;
  for (const [mass, stiffness, exponent, depth, duration] of sandia) {
    const impact = { mass, stiffness, exponent, speed: 1, damping: 0.3 };
    near(impactDepth(impact), depth, 1e-4, 'depth'); // B3
    near(impactDuration(impact), duration, 2e-4, 'time'); // printed with 4 digits
  }
  const worked = { mass: 1, stiffness: 1e5, exponent: 1, speed: 1, damping: 0.3 };
  near(impactDepth(worked), 2.891971e-3, 2e-7, 'depth');
  near(impactPeakForce(worked), 299.662, 2e-6, 'force');
  near(impactDuration(worked), 9.9658e-3, 6e-6, 'time');
  // exponent, e, depth and force over the elastic ones, contact time and time to greatest depth over δ_el/v
  const gonthier = [
    [1.5, 0.1, 0.470773, 1.431191, 5.90613, 0.93883],
    [1.5, 0.3, 0.6589, 1.040902, 3.78516, 1.14838],
    [1.5, 0.5, 0.775583, 0.929682, 3.29585, 1.26503],
    [1.5, 0.7, 0.872517, 0.903836, 3.08588, 1.35664],
    [1.5, 0.85, 0.938296, 0.930882, 2.99875, 1.41664],
    [1.5, 0.9, 0.959263, 0.949202, 2.97748, 1.43546],
    [1.5, 1, 1, 1, 2.94328, 1.47164],
    [1, 0.5, 0.727839, 1.027208, 3.28533, 0],
    [1, 1, 1, 1, Math.PI, Math.PI / 2],
    [2, 0.5, 0.80914, 0.873208, 3.28891, 0],
    [2, 1, 1, 1, 2.80436, 1.40218],
  ] as const;
  for (const [exponent, e, depth, peak, time, compression] of gonthier) {
    const z = dampingForRestitution(e);
    const impact = { mass: 2, stiffness: 1e6, exponent, speed: 0.5, damping: z / 0.5 };
    const elastic = impactDepth({ ...impact, damping: 0 });
    near(impactDepth(impact) / elastic, depth, 1e-6, `depth ${exponent} ${e}`);
    near(impactPeakForce(impact) / (1e6 * elastic ** exponent), peak, 1e-6, `force ${e}`);
    near((impactDuration(impact) * 0.5) / elastic, time, 3e-6, `time ${exponent} ${e}`);
    if (compression > 0)
      near((compressionTime(impact) * 0.5) / elastic, compression, 6e-6, `half ${e}`);
  }
});

test('Kelvin–Voigt: the force jumps to c v at touch and would pull before release', () => {
  const model = { kind: 'kelvin-voigt', stiffness: 1e5, damping: 40 } as const;
  const law = build(model);
  law.begin(-0.5, 0, new Float64Array(NORMAL_RESULT));
  assert.equal(force(law, 0, 0.5), 0);
  assert.ok(Math.abs(force(law, 1e-12, 0.5) - 20) < 1e-6, 'c v = 20 N at the first depth');
  assert.equal(force(law, 1e-4, -0.5), 0);
  const pulling = build({ ...model, allowTension: true });
  assert.equal(force(pulling, 1e-4, -0.5), 10 - 20);
  // every other law starts from 0: at the same depth the force is below k δ (1 + d v)
  const smooth = build({ kind: 'restitution-slope', stiffness: 1e5, exponent: 1, slope: 1 });
  smooth.begin(-0.5, 0, new Float64Array(NORMAL_RESULT));
  assert.ok(force(smooth, 1e-12, 0.5) < 2e-7);
  // spring alone stops a mass of 1/w at √(δ² + v²/(k w)); energy k δ²/2
  const turn = Float64Array.of(3e-3, 0.5, 0.25, 0);
  law.measureTurn(turn);
  near(turn[TURN_DEPTH], Math.sqrt(9e-6 + 0.25 / 2.5e4), 1e-15, 'turning depth');
  assert.equal(turn[TURN_STIFFNESS], 1e5);
  assert.equal(kelvinVoigtRestitution(0), 1);
  // ζ = 1: e⁻²; near it the exponent is −2 + 4/3 (1 − ζ)
  for (const zeta of [1 - 1e-6, 1, 1 + 1e-6])
    near(kelvinVoigtRestitution(zeta), Math.exp(-2), 1.4e-6, 'ζ = 1');
});

test('tension is let through only where it is asked for', () => {
  const slope = { kind: 'restitution-slope', stiffness: 1e5, exponent: 1, slope: 1 } as const;
  const elastic = modia3d('Steel', 'Steel');
  for (const model of [slope, elastic]) {
    const clamped = build(model);
    const free = build({ ...model, allowTension: true });
    clamped.begin(0, 0, new Float64Array(NORMAL_RESULT));
    free.begin(0, 0, new Float64Array(NORMAL_RESULT));
    assert.equal(force(clamped, 1e-4, -1), 0); // d = 1.5 and 2000 s/m: 1 m/s is above 1/d
    assert.ok(force(free, 1e-4, -1) < 0);
    assert.equal(force(free, 1e-4, 0), force(clamped, 1e-4, 0));
  }
});

test('Hertz stiffness of the hysteretic law follows modulus and curvature', () => {
  const common = { restitution: 0.5, smallVelocity: 1e-3, relaxationTime: 0 } as const;
  const law = build({ kind: 'hertz', contactModulus: 1e10, ...common }, 0.04);
  const same = build({
    kind: 'hysteretic',
    stiffness: (4 / 3) * 1e10 * 0.2,
    exponent: 1.5,
    ...common,
  });
  for (const one of [law, same]) one.begin(-0.3, 0, new Float64Array(NORMAL_RESULT));
  near(force(law, 1e-4, 0.1), force(same, 1e-4, 0.1), 1e-15, 'force');
});

test('relaxed penetration: the depth found at onset carries no force and fades; the depth itself is left as measured', () => {
  const law = build({
    kind: 'hysteretic',
    stiffness: 1e6,
    exponent: 1.5,
    restitution: 0.5,
    smallVelocity: 1e-3,
    relaxationTime: 0.1,
  });
  law.begin(-0.5, 1e-4, new Float64Array(NORMAL_RESULT));
  assert.equal(force(law, 5e-5, 0), 0);
  near(force(law, 3e-4, 0), 1e6 * 2e-4 ** 1.5, 1e-14, 'relaxed');
  const result = new Float64Array(NORMAL_RESULT);
  result[DEPTH] = 3e-4;
  law.evaluate(result);
  assert.equal(result[DEPTH], 3e-4);
  near(law.rates[0], -1e-4 / 0.1, 1e-14, 'rate of the state');
  law.advance(Float64Array.of(0.1));
  near(force(law, 3e-4, 0), 1e6 * (3e-4 - 1e-4 / Math.E) ** 1.5, 1e-14, 'after one time constant');
  law.end();
  assert.equal(law.states[0], 0);
});

test('every parameter out of range is refused with its name and what is allowed', () => {
  const hertz = {
    kind: 'hertz',
    contactModulus: 1e10,
    restitution: 0.5,
    smallVelocity: 1e-3,
    relaxationTime: 0,
  } as const;
  const slope = { kind: 'restitution-slope', stiffness: 1e5, exponent: 1, slope: 1 } as const;
  const voigt = { kind: 'kelvin-voigt', stiffness: 1e5, damping: 40 } as const;
  const bad: readonly (readonly [object, object, RegExp])[] = [
    [hertz, { contactModulus: 0 }, /law\.contactModulus > 0, got 0/],
    [hertz, { restitution: 0 }, /law\.restitution in \(0, 1\]/],
    [hertz, { smallVelocity: -1 }, /law\.smallVelocity > 0/],
    [hertz, { relaxationTime: -1 }, /law\.relaxationTime >= 0/],
    [
      hertz,
      { damping: 'none' },
      /law\.damping to be one of exact, hunt-crossley, lankarani-nikravesh, flores/,
    ],
    [WOOD_ON_WOOD, { contactModulus: Number.NaN }, /law\.contactModulus > 0, got NaN/],
    [WOOD_ON_WOOD, { restitution: 1.1 }, /law\.restitution in \[0, 1\], got 1\.1/],
    [WOOD_ON_WOOD, { restitution: -0.1 }, /law\.restitution/],
    [WOOD_ON_WOOD, { smallVelocity: 0 }, /law\.smallVelocity > 0/],
    [WOOD_ON_WOOD, { maximumDamping: 0 }, /law\.maximumDamping > 0/],
    [
      WOOD_ON_WOOD,
      { maximumDamping: Number.POSITIVE_INFINITY },
      /law\.maximumDamping > 0, got Infinity/,
    ],
    [WOOD_ON_WOOD, { reductionFactor: 1.1 }, /law\.reductionFactor in \(0, 1\], got 1\.1/],
    [WOOD_ON_WOOD, { reductionFactor: 0 }, /law\.reductionFactor in \(0, 1\]/],
    [WOOD_ON_WOOD, { damping: 'hunt-crossley' }, /law\.damping to be one of flores, exact/],
    [slope, { stiffness: -1 }, /law\.stiffness > 0/],
    [slope, { exponent: 0.9 }, /law\.exponent in \[1, 3\], got 0\.9/],
    [slope, { exponent: 3.1 }, /law\.exponent in \[1, 3\], got 3\.1/],
    [slope, { slope: -0.1 }, /law\.slope >= 0/],
    [voigt, { stiffness: 0 }, /law\.stiffness > 0/],
    [voigt, { damping: -1 }, /law\.damping >= 0, got -1/],
  ];
  for (const [model, parts, message] of bad) {
    assert.throws(() => build({ ...model, ...parts } as NormalLawModel), { message });
  }
});
