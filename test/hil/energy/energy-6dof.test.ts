/**
 * Guard and audit in six degrees of freedom, on a free body with an anisotropic inertia that touches with points off its centre:
 * one point, several at once, a corner of two planes, friction, spin. The body and its contact are the test's own; a minute of its
 * free flight: energy-6dof.long.test.ts.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { GuardSlot } from '../../../hil/energy/passivity-guard.ts';
import { EnergyRemoval, RemovalCell } from '../../../hil/energy/energy-removal.ts';
import { dot6, multiply6 } from '../../../hil/energy/sextuple.ts';
import { type FreeBody, flyBody } from './free-body.ts';
import { uniform } from './mass-on-wall.ts';
import { BODY, FLOOR, planes } from './body-on-planes.ts';

const WALL = {
  n: [-1, 0, 0],
  offset: -0.205,
  k: 8e4,
  b: 0,
  mu: 0,
} satisfies FreeBody['planes'][number];
const FEET: FreeBody['points'] = [
  [0.2, 0.1, -0.15],
  [-0.2, 0.1, -0.15],
  [0.2, -0.1, -0.15],
  [-0.2, -0.1, -0.15],
];
const CASES: [string, Partial<FreeBody>, number][] = [
  ['off the centre', {}, 1],
  ['spinning', { spin: [0.3, -0.2, 1.5], delay: 10, ticks: 2000 }, 1],
  ['two points', { points: [FEET[0], FEET[1]], spin: [0, 0.02, 0] }, 2],
  ['four points', { points: FEET }, 4],
  [
    'corner of two planes',
    { points: [FEET[0], FEET[2]], planes: planes(FLOOR, WALL), velocity: [0.1, 0, -0.1] },
    4,
  ],
  ['friction', { points: FEET, planes: planes({ ...FLOOR, mu: 0.1 }), delay: 10 }, 4],
  [
    'friction and damper',
    { points: FEET, planes: planes({ ...FLOOR, mu: 0.05, b: 40 }), delay: 10 },
    4,
  ],
];

for (const [name, change, together] of CASES) {
  test(`${name}: the delay gives energy, the guard keeps it`, () => {
    const free = flyBody({ ...BODY, ...change });
    const gain = free.energyAfter / free.energyBefore;
    assert.ok(gain > 1.005, `without guard: ${gain}`);
    assert.ok(free.together >= together, `${free.together} contacts at once`);
    const off = free.energyAfter - free.energyBefore + free.absorbed;
    const error = Math.abs(free.created - off) / free.energyBefore;
    // test 35: 2 % of what came in; here the contacts repeat, and each begins and ends between two ticks
    assert.ok(error < 0.02 * gain, `audit ${free.created} J, real ${off} J`);
    const kept = flyBody({ ...BODY, ...change, guard: true });
    // e <= 1.0005 in energy; it must never be exceeded on the way either
    assert.ok(kept.largest <= 1.0005 ** 2, `with guard: ${kept.largest}`);
    assert.ok(kept.guard[GuardSlot.REMOVED] > 0, 'it acted');
    assert.equal(kept.guard[GuardSlot.CLAMPED_TICKS], 0, 'what is missing is always there');
    assert.ok(kept.share <= 1 + 1e-9, `its impulse is at most that of the wrench: ${kept.share}`);
    // momentum that no impulse along the wrench can change stays: rounding of the change itself
    assert.ok(kept.offLine < 1e-9, `off the line by ${kept.offLine}`);
  });
}

test('a contact that takes more than the delay gives is left alone', () => {
  const friction = { planes: planes({ ...FLOOR, mu: 0.4 }), velocity: [0.2, 0.1, -0.1] } as const;
  const body = { ...BODY, ...friction, velocity: [0.2, 0.1, -0.1] as [number, number, number] };
  const free = flyBody(body);
  const kept = flyBody({ ...body, guard: true });
  assert.equal(kept.guard[GuardSlot.ACTIVE_TICKS], 0);
  assert.equal(kept.energyAfter, free.energyAfter);
});

test('removal takes exactly what is asked, along any wrench of any body', () => {
  const random = uniform(6);
  const any = (): number => 2 * random() - 1;
  const removal = new EnergyRemoval();
  for (let n = 0; n < 300; n++) {
    // a positive definite M, and its inverse by Gauss–Jordan
    const a = Array.from({ length: 6 }, () => Array.from({ length: 6 }, any));
    const mass = a.map((_, i) =>
      a.map((_, j) => a.reduce((s, r) => s + r[i] * r[j], i === j ? 0.3 : 0)),
    );
    const inverse = Float64Array.from(invert(mass).flat());
    const kinetic = (v: Float64Array): number =>
      0.5 * mass.reduce((s, r, i) => s + v[i] * r.reduce((t, x, j) => t + x * v[j], 0), 0);
    const twist = Float64Array.from({ length: 6 }, any);
    const wrench = Float64Array.from({ length: 6 }, () => 100 * any());
    const response = new Float64Array(6);
    multiply6(response, inverse, wrench);
    const products = new Float64Array(2);
    dot6(products, 0, wrench, twist);
    dot6(products, 1, wrench, response);
    const there = products[0] ** 2 / (2 * products[1]);
    const asked = there * (n % 3 === 0 ? 2 : random());
    const before = kinetic(twist);
    removal.cells[RemovalCell.ASKED] = asked;
    removal.cells[RemovalCell.SHARE] = 1;
    removal.remove(twist, wrench, inverse);
    const taken = Math.min(asked, there);
    assert.ok(Math.abs(removal.cells[RemovalCell.REMOVED] - taken) <= 1e-12 * before, 'told');
    assert.ok(Math.abs(before - kinetic(twist) - taken) < 1e-9 * before, 'taken');
  }
  const stiff = Float64Array.of(1, 2, 3, 0, 0, 0);
  removal.cells[RemovalCell.ASKED] = 1;
  removal.remove(stiff, Float64Array.of(0, 0, 1, 0, 0, 0), new Float64Array(36));
  assert.deepEqual([...stiff], [1, 2, 3, 0, 0, 0]);
});

function invert(matrix: number[][]): number[][] {
  const n = matrix.length;
  const m = matrix.map((r, i) => [...r, ...matrix.map((_, j) => (i === j ? 1 : 0))]);
  for (let i = 0; i < n; i++) {
    let best = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(m[r][i]) > Math.abs(m[best][i])) best = r;
    [m[i], m[best]] = [m[best], m[i]];
    const d = m[i][i];
    for (let j = 0; j < 2 * n; j++) m[i][j] /= d;
    for (let r = 0; r < n; r++) {
      const f = m[r][i];
      if (r !== i) for (let j = 0; j < 2 * n; j++) m[r][j] -= f * m[i][j];
    }
  }
  return m.map((r) => r.slice(n));
}
