/** The elementary functions against a reference of 1,400 binary places, and at the special values that ECMAScript defines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cos, sin } from '../../../src/math/elementary/circular.ts';
import { exp, expm1 } from '../../../src/math/elementary/exponential.ts';
import { acosh, cosh, sinh, tanh } from '../../../src/math/elementary/hyperbolic.ts';
import { acos, asin, atan, atan2 } from '../../../src/math/elementary/inverse-circular.ts';
import { log, log1p, log2 } from '../../../src/math/elementary/logarithm.ts';
import { cbrt, pow } from '../../../src/math/elementary/power.ts';
import * as precise from '../../fixtures/precise.ts';

const SAMPLES = 600;

/** Uniform on 0 to 1, the same at every run. */
function* uniform(): Generator<number, never> {
  let state = 2007n;
  for (;;) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffff_ffff_ffff_ffffn;
    yield Number(state >> 11n) / 2 ** 53;
  }
}
const random = uniform();
const next = (): number => random.next().value;
const between = (low: number, high: number): number => low + (high - low) * next();
/** Of any size between two powers of ten. */
const sized = (low: number, high: number): number => 10 ** between(low, high);
const signed = (x: number): number => (next() < 0.5 ? x : -x);

interface Judged {
  readonly name: string;
  readonly of: (x: number) => number;
  readonly exact: (x: bigint) => bigint;
  /** Stated bound, ulp. */
  readonly most: number;
  readonly arguments: readonly (() => number)[];
  readonly native: (x: number) => number;
}

const one = precise.ONE;
const ANGLES = [
  () => between(-7, 7),
  () => signed(sized(-12, 0)),
  () => signed(sized(0, 300)),
  // next to multiples of π/2, where most digits are lost
  () => Math.round(between(-1e6, 1e6)) * (Math.PI / 2),
];
const SMALL_AND_LARGE = [
  () => between(-1, 1),
  () => between(-22, 22),
  () => signed(sized(-12, -1)),
  () => between(-700, 700),
];
const POSITIVE = [() => sized(-300, 300), () => between(0.5, 2), () => 1 + signed(sized(-12, -1))];
const RATIOS = [
  () => between(-1, 1),
  () => signed(1 - sized(-15, -1)),
  () => signed(sized(-12, -1)),
];

const FUNCTIONS: readonly Judged[] = [
  { name: 'sin', of: sin, exact: precise.sin, most: 1, arguments: ANGLES, native: Math.sin },
  { name: 'cos', of: cos, exact: precise.cos, most: 1, arguments: ANGLES, native: Math.cos },
  {
    name: 'exp',
    of: exp,
    exact: precise.exp,
    most: 1,
    arguments: SMALL_AND_LARGE,
    native: Math.exp,
  },
  {
    name: 'expm1',
    of: expm1,
    exact: (x) => precise.exp(x) - one,
    most: 1,
    arguments: SMALL_AND_LARGE,
    native: Math.expm1,
  },
  { name: 'log', of: log, exact: precise.log, most: 1, arguments: POSITIVE, native: Math.log },
  { name: 'log2', of: log2, exact: precise.log2, most: 2, arguments: POSITIVE, native: Math.log2 },
  {
    name: 'log1p',
    of: log1p,
    exact: (x) => precise.log(one + x),
    most: 1,
    arguments: [
      () => sized(-12, 300),
      () => between(-0.999, 1),
      () => between(-0.3, 0.3),
      () => signed(sized(-12, -1)),
    ],
    native: Math.log1p,
  },
  {
    name: 'atan',
    of: atan,
    exact: precise.atan,
    most: 1,
    arguments: [() => between(-2, 2), () => signed(sized(-12, 20))],
    native: Math.atan,
  },
  { name: 'asin', of: asin, exact: precise.asin, most: 1, arguments: RATIOS, native: Math.asin },
  { name: 'acos', of: acos, exact: precise.acos, most: 1, arguments: RATIOS, native: Math.acos },
  {
    name: 'sinh',
    of: sinh,
    exact: precise.sinh,
    most: 3,
    arguments: SMALL_AND_LARGE,
    native: Math.sinh,
  },
  {
    name: 'cosh',
    of: cosh,
    exact: precise.cosh,
    most: 3,
    arguments: SMALL_AND_LARGE,
    native: Math.cosh,
  },
  {
    name: 'tanh',
    of: tanh,
    exact: precise.tanh,
    most: 3,
    arguments: SMALL_AND_LARGE,
    native: Math.tanh,
  },
  {
    name: 'acosh',
    of: acosh,
    exact: precise.acosh,
    most: 3,
    arguments: [() => 1 + sized(-12, 1), () => between(1, 3), () => sized(0, 300)],
    native: Math.acosh,
  },
  {
    name: 'cbrt',
    of: cbrt,
    exact: precise.cbrt,
    most: 1,
    arguments: [() => signed(sized(-300, 300)), () => between(-8, 8)],
    native: Math.cbrt,
  },
];

for (const { name, of, exact, most, arguments: kinds } of FUNCTIONS) {
  test(`${name} is within ${most} ulp of the exact value`, (t) => {
    let worst = 0;
    let where = 0;
    for (let i = 0; i < SAMPLES; i++) {
      const x = kinds[i % kinds.length]();
      const off = precise.ulps(of(x), exact(precise.fixed(x)));
      if (off > worst) [worst, where] = [off, x];
    }
    t.diagnostic(`${name}: ${worst} ulp at ${where}`);
    assert.ok(worst <= most, `${worst} ulp at ${where}`);
  });
}

test('atan2 and pow are within 1 ulp of the exact value', (t) => {
  let angle = 0;
  let power = 0;
  for (let i = 0; i < SAMPLES; i++) {
    const y = signed(sized(-3, 3));
    const x = i % 2 === 0 ? signed(sized(-3, 3)) : signed(sized(-150, 150));
    const exact = precise.atan2(precise.fixed(y), precise.fixed(x));
    angle = Math.max(angle, precise.ulps(atan2(y, x), exact));
    const base = i % 3 === 0 ? between(0.5, 2) : sized(-30, 30);
    const exponent = i % 3 === 0 ? between(-700, 700) : between(-6, 6);
    const raised = precise.pow(precise.fixed(base), precise.fixed(exponent));
    power = Math.max(power, precise.ulps(pow(base, exponent), raised));
  }
  t.diagnostic(`atan2: ${angle} ulp, pow: ${power} ulp`);
  assert.ok(angle <= 1, `${angle}`);
  assert.ok(power <= 1, `${power}`);
});

const SPECIAL = [
  0,
  -0,
  1,
  -1,
  Infinity,
  -Infinity,
  NaN,
  2,
  -2,
  0.5,
  1e308,
  -1e308,
  5e-324,
  -5e-324,
];

test('special values are those of ECMAScript', () => {
  for (const { name, of, native } of FUNCTIONS) {
    for (const x of SPECIAL) {
      const wanted = native(x);
      const same = Object.is(of(x), wanted) || Math.abs(of(x) - wanted) <= 4e-16 * Math.abs(wanted);
      assert.ok(same, `${name}(${x}): ${of(x)}, not ${wanted}`);
    }
  }
  for (const a of SPECIAL) {
    for (const b of SPECIAL) {
      for (const [name, of, wanted] of [
        ['atan2', atan2(a, b), Math.atan2(a, b)],
        ['pow', pow(a, b), Math.pow(a, b)],
      ] as const) {
        const same = Object.is(of, wanted) || Math.abs(of - wanted) <= 4e-16 * Math.abs(wanted);
        assert.ok(same, `${name}(${a}, ${b}): ${of}, not ${wanted}`);
      }
    }
  }
});

test('powers of two, whole squares and roots are exact', () => {
  for (let k = -1074; k <= 1023; k++) assert.equal(log2(2 ** k), k);
  for (let n = 1; n < 100; n++) {
    assert.equal(pow(n, 2), n * n);
    assert.equal(pow(2, n), 2 ** n);
    assert.equal(cbrt(n * n * n), n);
  }
});

test('results that are subnormal, or just above, are rounded like others', () => {
  for (const x of [-708.2, -708.5, -710, -720, -740, -745]) {
    const off = precise.ulps(exp(x), precise.exp(precise.fixed(x)));
    assert.ok(off <= 1, `exp(${x}): ${off} ulp`);
  }
  assert.equal(exp(709.8), Infinity);
  assert.ok(exp(709.7) < Infinity);
  assert.equal(pow(10, 309), Infinity);
  assert.equal(pow(10, -330), 0);
});
