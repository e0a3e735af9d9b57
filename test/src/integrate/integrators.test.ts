/** The methods of integration on plain equations: coefficients, orders, dense output, step control, stiff problems, events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OdeSolver, type OdeMethod } from '../../../src/integrate/ode.ts';
import {
  RODAS_A,
  RODAS_C,
  RODAS_GAMMA,
  RODAS_NODES,
  RODAS_STAGES,
  RODAS_TIME,
} from '../../../src/integrate/rodas.ts';
import {
  BOGACKI_SHAMPINE,
  DORMAND_PRINCE_54,
  RK4,
  type RungeKuttaTableau,
} from '../../../src/integrate/tableaus.ts';
import { factorize, solveFactored } from '../../../src/math/lu.ts';
import { RootFinder } from '../../../src/math/roots.ts';

type Matrix = readonly (readonly number[])[];
type Weights = readonly number[];

/**
 * Defects of the order conditions up to `order` (trees of at most five nodes, order 5 by its simple ones) of b, with row sums of
 * `alpha` as nodes inside f and `beta` = alpha + gamma inside J. `Hairer & Wanner, Solving ODEs II, IV.7 (7.15)`.
 */
function conditionDefects(b: Weights, alpha: Matrix, beta: Matrix, order: number): number[] {
  const sum = (w: Weights): number => w.reduce((s, v) => s + v, 0);
  const dot = (w: Weights): number => sum(b.map((v, i) => v * w[i]));
  const times = (m: Matrix, w: Weights): number[] =>
    m.map((row) => sum(row.map((v, j) => v * w[j])));
  const ones = b.map(() => 1);
  const a = times(alpha, ones);
  const s = times(beta, ones);
  const power = (w: Weights, n: number): number[] => w.map((v) => v ** n);
  const product = (u: Weights, w: Weights): number[] => u.map((v, i) => v * w[i]);
  const conditions: readonly (readonly [number, number, number])[] = [
    [1, dot(ones), 1],
    [2, dot(s), 1 / 2],
    [3, dot(power(a, 2)), 1 / 3],
    [3, dot(times(beta, s)), 1 / 6],
    [4, dot(power(a, 3)), 1 / 4],
    [4, dot(product(a, times(alpha, s))), 1 / 8],
    [4, dot(times(beta, power(a, 2))), 1 / 12],
    [4, dot(times(beta, times(beta, s))), 1 / 24],
    [5, dot(power(a, 4)), 1 / 5],
    [5, dot(product(power(a, 2), times(alpha, s))), 1 / 10],
    [5, dot(product(a, times(alpha, power(a, 2)))), 1 / 15],
    [5, dot(power(times(alpha, s), 2)), 1 / 20],
    [5, dot(times(beta, power(a, 3))), 1 / 20],
    [5, dot(times(beta, times(beta, times(beta, s)))), 1 / 120],
  ];
  return conditions
    .filter(([p]) => p <= order)
    .map(([, value, wanted]) => Math.abs(value - wanted));
}

function tableauMatrix(tableau: RungeKuttaTableau): number[][] {
  const n = tableau.weights.numerators.length;
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (__, j) =>
      i === 0 ? 0 : (tableau.stages[i - 1].numerators[j] ?? 0) / tableau.stages[i - 1].denominator,
    ),
  );
}

test('explicit tableaus satisfy the order conditions of their order, and no more', () => {
  for (const tableau of [BOGACKI_SHAMPINE, RK4, DORMAND_PRINCE_54]) {
    const a = tableauMatrix(tableau);
    const b = tableau.weights.numerators.map((v) => v / tableau.weights.denominator);
    // sums of a few rationals of size up to 12: rounding
    for (const d of conditionDefects(b, a, a, tableau.order)) assert.ok(d < 1e-14, `${d}`);
    if (tableau.order < 5) {
      assert.ok(conditionDefects(b, a, a, tableau.order + 1).some((d) => d > 1e-4));
    }
  }
});

test('the companion of Dormand–Prince has order 4 and not 5', () => {
  const { error, weights } = DORMAND_PRINCE_54;
  assert.ok(error !== null);
  const a = tableauMatrix(DORMAND_PRINCE_54).map((row) => [...row, 0]);
  const last = weights.numerators.map((v) => v / weights.denominator);
  a.push([...last, 0]);
  const b = [...last, 0].map((v, i) => v - error.numerators[i] / error.denominator);
  for (const d of conditionDefects(b, a, a, 4)) assert.ok(d < 1e-14, `${d}`);
  assert.ok(conditionDefects(b, a, a, 5).some((d) => d > 1e-5));
});

test('RODAS satisfies the order conditions: 4, companion 3, L-stable, stiffly accurate', () => {
  const n = RODAS_STAGES;
  // Γ = (1/γ − C)⁻¹, α = A Γ, b = m Γ
  const factors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    factors[i * n + i] = 1 / RODAS_GAMMA;
    RODAS_C[i].forEach((c, j) => (factors[i * n + j] = -c));
  }
  const pivots = new Int32Array(n);
  assert.ok(factorize(factors, n, pivots));
  const gamma = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (let j = 0; j < n; j++) {
    const column = new Float64Array(n);
    column[j] = 1;
    solveFactored(factors, n, pivots, column, 0);
    for (let i = 0; i < n; i++) gamma[i][j] = column[i];
  }
  const through = (row: Weights): number[] =>
    gamma[0].map((_, j) => row.reduce((s, v, i) => s + v * gamma[i][j], 0));
  const alpha = RODAS_A.map(through);
  const beta = alpha.map((row, i) => row.map((v, j) => v + gamma[i][j]));
  const b = through([...RODAS_A[n - 1], 1]);
  const companion = through(RODAS_A[n - 1]);
  // coefficients are printed with 16 digits and reach 34
  for (const d of conditionDefects(b, alpha, beta, 4)) assert.ok(d < 1e-13, `${d}`);
  for (const d of conditionDefects(companion, alpha, beta, 3)) assert.ok(d < 1e-13, `${d}`);
  assert.ok(conditionDefects(companion, alpha, beta, 4).some((d) => d > 1e-4));
  alpha.forEach((row, i) => {
    assert.ok(Math.abs(row.reduce((s, v) => s + v, 0) - RODAS_NODES[i]) < 1e-13);
    assert.ok(Math.abs(gamma[i].reduce((s, v) => s + v, 0) - RODAS_TIME[i]) < 1e-13);
  });
  // stiffly accurate: b is the last row of β, so R(∞) = 0
  b.forEach((v, j) => assert.ok(Math.abs(v - beta[n - 1][j]) < 1e-13));
});

/** y'' = −y + sin 2t from (1, 0): y = cos t + 2/3 sin t − 1/3 sin 2t. */
function forced(method: OdeMethod, step: number): OdeSolver {
  return new OdeSolver(
    2,
    (t, y, rates) => {
      rates[0] = y[1];
      rates[1] = -y[0] + Math.sin(2 * t);
    },
    { method, step, relativeTolerance: 1e-8, absoluteTolerance: 1e-8 },
  );
}
const exactForced = (t: number): number =>
  Math.cos(t) + (2 / 3) * Math.sin(t) - Math.sin(2 * t) / 3;

test('global order of the fixed-step methods on a forced oscillator', () => {
  for (const [method, order] of [
    ['ode3', 3],
    ['rk4', 4],
    ['ode5', 5],
  ] as const) {
    const error = (count: number): number => {
      const solver = forced(method, 3 / count);
      solver.reset(0, [1, 0]);
      assert.ok(solver.advance(3));
      assert.equal(solver.steps, count);
      return Math.abs(solver.values[0] - exactForced(3));
    };
    const slope = Math.log2(error(80) / error(160));
    // the next term of the error is of relative size h = 0.02 to 0.04
    assert.ok(Math.abs(slope - order) < 0.1, `${method}: ${slope}`);
  }
});

/** Largest error of the dense output inside one step of length h at e^t. */
function denseError(method: OdeMethod, h: number): number {
  let worst = 0;
  const out = new Float64Array(1);
  const solver: OdeSolver = new OdeSolver(1, (_, y, rates) => (rates[0] = y[0]), {
    method,
    step: h,
    firstStep: h,
    relativeTolerance: 1,
    absoluteTolerance: 1,
    onStep: (from, to) => {
      for (let k = 1; k < 10; k++) {
        const t = from + (k / 10) * (to - from);
        solver.interpolate(t, out);
        worst = Math.max(worst, Math.abs(out[0] - Math.exp(t)));
      }
      solver.interpolate(to, out);
      assert.ok(Math.abs(out[0] - solver.values[0]) < 1e-15, 'the end of the step');
    },
  });
  solver.reset(0, [1]);
  assert.ok(solver.advance(h));
  assert.equal(solver.steps, 1);
  return worst;
}

test('dense output: local error h^5 of Dormand–Prince, h^4 of Hermite and of RODAS', () => {
  for (const [method, order] of [
    ['dormand-prince', 5],
    ['ode5', 5],
    ['rk4', 4],
    ['ode3', 4],
    ['rosenbrock', 4],
  ] as const) {
    const slope = Math.log2(denseError(method, 0.1) / denseError(method, 0.05));
    assert.ok(Math.abs(slope - order) < 0.2, `${method}: ${slope}`);
  }
});

test('step control: the error follows the tolerance, the number of steps its root', () => {
  for (const [method, exponent] of [
    ['dormand-prince', 1 / 5],
    ['rosenbrock', 1 / 4],
  ] as const) {
    const results = [1e-5, 1e-7, 1e-9].map((tolerance) => {
      const solver = new OdeSolver(
        2,
        (_, y, rates) => {
          rates[0] = y[1];
          rates[1] = -y[0];
        },
        { method, relativeTolerance: tolerance, absoluteTolerance: tolerance },
      );
      solver.reset(0, [1, 0]);
      assert.ok(solver.advance(10));
      const error = Math.hypot(solver.values[0] - Math.cos(10), solver.values[1] + Math.sin(10));
      // errors per step add up over 10 s; local extrapolation makes them smaller than estimated
      assert.ok(error < 20 * tolerance, `${method}: ${error} at ${tolerance}`);
      assert.ok(error > tolerance / 1000, `${method} works for nothing: ${error} at ${tolerance}`);
      assert.ok(solver.rejected <= 0.1 * solver.steps + 2);
      return solver.steps;
    });
    const growth = Math.log(results[2] / results[0]) / Math.log(1e4);
    assert.ok(Math.abs(growth - exponent) < 0.03, `${method}: steps grow as tolerance^-${growth}`);
  }
});

test('exponential decay: closed form at several times, forwards from a late start', () => {
  for (const method of ['dormand-prince', 'rosenbrock'] as const) {
    const solver = new OdeSolver(1, (_, y, rates) => (rates[0] = -3 * y[0]), { method });
    solver.reset(100, [2]);
    for (const t of [100.5, 101, 103]) {
      assert.ok(solver.advance(t));
      assert.equal(solver.time, t);
      assert.ok(Math.abs(solver.values[0] - 2 * Math.exp(-3 * (t - 100))) < 1e-8);
    }
  }
});

/** Robertson's kinetics. */
function robertson(method: OdeMethod): OdeSolver {
  return new OdeSolver(
    3,
    (_, y, rates) => {
      rates[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
      rates[2] = 3e7 * y[1] * y[1];
      rates[1] = -rates[0] - rates[2];
    },
    { method, relativeTolerance: 1e-7, absoluteTolerance: 1e-14, mostSteps: 100_000 },
  );
}

test('Robertson: the published solution at 1e11 s, which no explicit method reaches', () => {
  const solver = robertson('rosenbrock');
  solver.reset(0, [1, 0, 0]);
  assert.ok(solver.advance(1e11));
  // `Mazzia & Magherini, Test Set for IVP Solvers 2.4, II-10`
  const published = [0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505];
  published.forEach((value, i) => {
    assert.ok(Math.abs(solver.values[i] / value - 1) < 1e-4, `${i}: ${solver.values[i]}`);
  });
  assert.ok(solver.steps < 5000, `${solver.steps} steps`);
  const explicit = robertson('dormand-prince');
  explicit.reset(0, [1, 0, 0]);
  assert.equal(explicit.advance(1e11), false, 'stops at the bound on steps');
  assert.ok(explicit.time < 1e5, `${explicit.time} s`);
});

test('stiff Van der Pol: published values, in a hundredth of the evaluations of the explicit method', () => {
  const make = (method: OdeMethod, stiffness: number): OdeSolver => {
    const solver = new OdeSolver(
      2,
      (_, y, rates) => {
        rates[0] = y[1];
        rates[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) * stiffness;
      },
      { method, relativeTolerance: 1e-6, absoluteTolerance: 1e-6 },
    );
    solver.reset(0, [2, -0.66]);
    return solver;
  };
  const stiff = make('rosenbrock', 1e6);
  assert.ok(stiff.advance(2));
  // `Hairer & Wanner, Solving ODEs II, IV.10: VDPOL`; tolerances 1e-6 give five to six digits there as well
  assert.ok(Math.abs(stiff.values[0] - 1.706167732170483) < 1e-4);
  assert.ok(Math.abs(stiff.values[1] + 0.8928097010247975) < 1e-4);
  assert.ok(stiff.steps < 2000, `${stiff.steps}`);
  const implicit = make('rosenbrock', 1e5);
  const explicit = make('dormand-prince', 1e5);
  assert.ok(implicit.advance(0.5));
  assert.ok(explicit.advance(0.5));
  assert.ok(
    explicit.evaluations > 100 * implicit.evaluations,
    `${explicit.evaluations} and ${implicit.evaluations}`,
  );
});

test('events: impacts of a ball that bounces by Newton’s rule, at their closed-form times', () => {
  const gravity = 9.81;
  const restitution = 0.7;
  const times: number[] = [];
  for (const method of ['dormand-prince', 'rosenbrock', 'rk4', 'ode3'] as const) {
    times.length = 0;
    const solver = new OdeSolver(
      2,
      (_, y, rates) => {
        rates[0] = y[1];
        rates[1] = -gravity;
      },
      {
        method,
        step: 0.05,
        events: {
          count: 1,
          measure: (_, y, margins) => (margins[0] = y[0]),
          happen: (_, t, y) => {
            times.push(t);
            assert.ok(y[0] <= 0 && y[0] > -1e-14, 'just behind the root');
            y[1] *= -restitution;
          },
        },
      },
    );
    solver.reset(0, [1, 0]);
    assert.ok(solver.advance(2));
    let t = Math.sqrt(2 / gravity);
    let speed = Math.sqrt(2 * gravity);
    assert.equal(times.length, 4);
    for (const found of times) {
      // a parabola is exact for every method: what remains is rounding and the bracket of 2^-50 of a step
      assert.ok(Math.abs(found - t) < (method === 'rosenbrock' ? 1e-10 : 1e-13), `${found - t}`);
      speed *= restitution;
      t += (2 * speed) / gravity;
    }
  }
});

test('ITP narrows a bracket to the width asked for, around a change of sign', () => {
  const finder = new RootFinder();
  let evaluations = 0;
  for (const [f, root] of [
    [(x: number): number => 0.7390851332151607 - x, 0.7390851332151607],
    [(x: number): number => Math.cos(x) - x, 0.7390851332151607],
    [(x: number): number => 1e-9 - x ** 9, 0.1],
    [(x: number): number => (x < 0.3 ? 1 : -1e-6), 0.3],
  ] as const) {
    evaluations = 0;
    const bracket = Float64Array.of(0, 1);
    const found = finder.narrow(
      {
        evaluate: (x, value) => {
          evaluations++;
          value[0] = f(x[0]);
        },
      },
      bracket,
      1e-12,
    );
    assert.ok(found);
    assert.ok(bracket[1] - bracket[0] <= 1e-12);
    assert.ok(f(bracket[0]) >= 0 && f(bracket[1]) < 0);
    assert.ok(bracket[0] <= root + 1e-15 && bracket[1] >= root - 1e-15);
    // bisection needs 40; the bound of the method is one more, and both ends
    assert.ok(evaluations <= 44, `${evaluations}`);
  }
  const never = { evaluate: (_: Float64Array, value: Float64Array): void => void (value[0] = 1) };
  assert.equal(finder.narrow(never, Float64Array.of(0, 1), 1e-9), false);
});

test('LU with pivoting solves what elimination in order cannot, and names singular matrices', () => {
  const a = Float64Array.of(0, 2, 1, 1, 1e-20, 3, 4, 5, 6);
  const full = a.slice();
  const pivots = new Int32Array(3);
  const x = Float64Array.of(9, 7, 5, 3);
  assert.ok(factorize(a, 3, pivots));
  solveFactored(a, 3, pivots, x, 1);
  [7, 5, 3].forEach((b, r) => {
    const sum = full[3 * r] * x[1] + full[3 * r + 1] * x[2] + full[3 * r + 2] * x[3];
    assert.ok(Math.abs(sum - b) < 1e-14);
  });
  assert.equal(x[0], 9);
  assert.equal(factorize(Float64Array.of(1, 2, 2, 4), 2, pivots), false);
  assert.equal(factorize(Float64Array.of(1, Number.NaN, 2, 4), 2, pivots), false);
});

test('bad options are refused with the field', () => {
  const f = (): void => undefined;
  const refuses = (make: () => OdeSolver, code: string, word: string): void => {
    assert.throws(make, (error: Error & { code?: string }) => {
      assert.equal(error.code, code);
      assert.ok(error.message.includes(word), error.message);
      return true;
    });
  };
  refuses(() => new OdeSolver(1, f, { method: 'ode3' }), 'BERTH_MISSING_FIELD', 'step');
  refuses(() => new OdeSolver(1, f, { method: 'rk4', step: -1 }), 'BERTH_PARAMETER_RANGE', 'step');
  refuses(
    () => new OdeSolver(1, f, { method: 'rosenbrock', relativeTolerance: 0 }),
    'BERTH_PARAMETER_RANGE',
    'relativeTolerance',
  );
  refuses(
    () => new OdeSolver(1, f, { method: 'euler' as OdeMethod }),
    'BERTH_UNSUPPORTED',
    'euler',
  );
  // infinite rates: no step is short enough
  const blowup = new OdeSolver(1, (_, y, rates) => (rates[0] = 1 + y[0] * y[0]), {
    method: 'dormand-prince',
  });
  blowup.reset(0, [0]);
  assert.equal(blowup.advance(2), false, 'tan t has a pole at π/2');
  assert.ok(Math.abs(blowup.time - Math.PI / 2) < 1e-6, `${blowup.time}`);
});

test('rosenbrock goes along a jump of the rates without short steps, with a jump on one side and on both', () => {
  // y = z: what happens on the other side of the jump never happens
  const sides = [
    (y: number, z: number) => (y > z ? 1 : 0),
    (y: number, z: number) => (y < z ? 1 : 0),
    (y: number, z: number) => (y !== z ? 1 : 0),
  ];
  for (const side of sides) {
    const solver = new OdeSolver(
      3,
      (_, [y, z], rates) => {
        rates[0] = 1;
        rates[1] = 1;
        rates[2] = side(y, z);
      },
      { method: 'rosenbrock' },
    );
    solver.reset(0, [0.3, 0.3, 0]);
    assert.ok(solver.advance(1));
    assert.ok(solver.steps < 50, `${solver.steps} steps`);
    assert.ok(Math.abs(solver.values[2]) < 1e-8, `${solver.values[2]}`);
  }
});
