/** Rays: invariances, sums over cuts, gradient, boolean cells, bad input. Smoothness: rays-properties.long.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { RayKernel } from '../../../src/overlap/rays.ts';
import { SphereBore } from '../../../src/overlap/sphere-bore.ts';
import type { CellShape, PrimitiveShape } from '../../../src/shapes/cell-model.ts';
import { column, near } from '../../fixtures/overlap/columns.ts';
import {
  CUBE_CORNERS,
  cut,
  type Overlap,
  overlap,
  placed,
  placement,
  PLATE,
  PRIMITIVES,
  type Quaternion,
  randomQuaternion,
  randomVector,
  turn,
  type Vector,
} from '../../fixtures/overlap/ray-cases.ts';

const ORIGIN = placement([0, 0, 0]);

/** A random pair of primitives in contact. */
function randomPair(random: Random): [PrimitiveShape, PrimitiveShape, Vector, Quaternion] {
  const pick = (): PrimitiveShape => PRIMITIVES[Math.floor(random.uniform() * PRIMITIVES.length)];
  return [pick(), pick(), randomVector(random, 0.13), randomQuaternion(random)];
}

function close(got: Overlap, want: Overlap, tolerance: number, what: string): void {
  near(got.volume, want.volume, tolerance, `${what}: volume`);
  const surface = want.volume ** (2 / 3);
  const length = want.volume ** (1 / 3);
  for (let k = 0; k < 3; k++) {
    const area = Math.abs(got.vectorArea[k] - want.vectorArea[k]);
    // a derivative of V, which is settled only to the root of its relative error
    assert.ok(area < 10 * Math.sqrt(tolerance) * surface, `${what}: vector area ${area / surface}`);
    const centroid = Math.abs(got.centroid[k] - want.centroid[k]);
    assert.ok(centroid < 10 * tolerance * length, `${what}: centroid ${centroid / length}`);
  }
  const largest = Math.max(...want.second.map(Math.abs));
  got.second.forEach((value, k) => {
    const part = Math.abs(value - want.second[k]) / largest;
    assert.ok(part < 10 * tolerance, `${what}: S ${k}, ${part}`);
  });
}

test('swapped cells, which cast along other axes, give the same but for the sign of the vector area', () => {
  const random = new Random(11);
  let met = 0;
  for (let n = 0; n < 40; n++) {
    const [i, j, at, q] = randomPair(random);
    const placementI = placement(at, q);
    const one = overlap(new RayKernel(i, j), placementI, ORIGIN);
    const other = overlap(new RayKernel(j, i), ORIGIN, placementI);
    if (one.volume < 1e-6) continue;
    met++;
    const back = { ...other, vectorArea: other.vectorArea.map((value) => -value) };
    // both within their estimates
    close(back, one, one.error + other.error + 1e-9, `${i.kind} ${j.kind} ${n}`);
  }
  assert.ok(met > 20);
});

test('turned, moved and scaled together: the column turns, moves and scales', () => {
  const random = new Random(5);
  for (let n = 0; n < 12; n++) {
    const [i, j, at, q] = randomPair(random);
    const kernel = new RayKernel(i, j);
    const one = overlap(kernel, placement(at, q), ORIGIN);
    const move = placement(randomVector(random, 3), randomQuaternion(random));
    const apply = (p: Float64Array): Float64Array => {
      const out = new Float64Array(12);
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) {
          for (let k = 0; k < 3; k++) out[3 * a + b] += move[3 * a + k] * p[3 * k + b];
        }
        out[9 + a] = move[9 + a];
        for (let k = 0; k < 3; k++) out[9 + a] += move[3 * a + k] * p[9 + k];
      }
      return out;
    };
    const got = overlap(kernel, apply(placement(at, q)), apply(ORIGIN));
    if (one.volume < 1e-7) continue;
    // the axes go with the cells: what is left is the rounding of positions 3 m from the origin, 4e-16 over 1e-3 m
    near(got.volume, one.volume, 1e-9, `volume ${n}`);
    for (let a = 0; a < 3; a++) {
      const turned = [0, 1, 2].reduce((sum, k) => sum + move[3 * a + k] * one.vectorArea[k], 0);
      assert.ok(Math.abs(got.vectorArea[a] - turned) < 1e-7 * one.volume ** (2 / 3));
    }
  }
  const scale = 1000;
  const rod: CellShape = { kind: 'cylinder', radius: 0.1, length: 0.3 };
  const long: CellShape = { kind: 'cylinder', radius: 0.1 * scale, length: 0.3 * scale };
  const q = turn([1, 2, 3], 0.8);
  const small = overlap(new RayKernel(rod, PLATE), placement([0.1, 0.15, 0.3], q), ORIGIN);
  const large = overlap(
    new RayKernel(long, {
      ...PLATE,
      common: [placed({ kind: 'box', size: [scale, scale, scale / 2] })],
      without: [placed({ kind: 'cylinder', radius: 0.2 * scale, length: 2 * scale })],
    }),
    placement([0.1 * scale, 0.15 * scale, 0.3 * scale], q),
    ORIGIN,
  );
  near(large.volume / scale ** 3, small.volume, 1e-11, 'scaled');
});

test('a cell cut in two booleans adds up: volume, vector area, moments', () => {
  const random = new Random(23);
  for (let n = 0; n < 8; n++) {
    const [i, j, at, q] = randomPair(random);
    const knife = placed(
      { kind: 'half-space' },
      randomVector(random, 0.03),
      randomQuaternion(random),
    );
    const parts = [cut([placed(j), knife]), cut([placed(j)], [knife])];
    const place = placement(at, q);
    const whole = overlap(new RayKernel(i, j), place, ORIGIN);
    const [one, other] = parts.map((part) => overlap(new RayKernel(i, part), place, ORIGIN));
    if (whole.volume < 1e-6) continue;
    const sum = one.volume + other.volume;
    const allowed =
      whole.error * whole.volume + one.error * one.volume + other.error * other.volume;
    assert.ok(Math.abs(sum - whole.volume) <= allowed, `${sum} ${whole.volume} ${allowed}`);
    for (let k = 0; k < 3; k++) {
      // the faces of the cut cancel
      const area = one.vectorArea[k] + other.vectorArea[k] - whole.vectorArea[k];
      const settled = 10 * Math.sqrt(whole.error + one.error + other.error);
      assert.ok(Math.abs(area) < settled * whole.volume ** (2 / 3), `${i.kind} ${j.kind}: ${area}`);
      const first =
        one.volume * one.centroid[k] + other.volume * other.centroid[k] - sum * whole.centroid[k];
      assert.ok(
        Math.abs(first) <= (1e-7 * sum + allowed) * sum ** (1 / 3),
        `first moment ${first}`,
      );
    }
  }
});

test('the vector area is −∂V/∂(position of i)', () => {
  const random = new Random(7);
  const step = 1e-4;
  let tried = 0;
  for (let n = 0; n < 14; n++) {
    const [i, j, at, q] = randomPair(random);
    const kernel = new RayKernel(i, j, { nodes: 12 });
    const here = overlap(kernel, placement(at, q), ORIGIN);
    // the difference quotient multiplies the error of V by V/step
    if (here.volume < 1e-5 || here.error > 1e-7) continue;
    tried++;
    for (let k = 0; k < 3; k++) {
      const shifted = (by: number): number => {
        const moved = at.map((value, a) => (a === k ? value + by : value));
        return overlap(kernel, placement([moved[0], moved[1], moved[2]], q), ORIGIN).volume;
      };
      const slope = (shifted(step) - shifted(-step)) / (2 * step);
      // step² times the third derivative of V (1 to R^-0.5 at corners), quadrature 1e-9 V/step
      const difference = Math.abs(-slope - here.vectorArea[k]);
      assert.ok(difference < 3e-4 * here.volume ** (2 / 3), `${i.kind} ${j.kind} ${difference}`);
    }
  }
  assert.ok(tried > 8, `${tried} pairs`);
});

test('a ball in the hole of a plate is the ball in a bore; faces of the plate do not matter', () => {
  const ball: CellShape = { kind: 'sphere', radius: 0.1 };
  for (const h of [0.001, 0.01, 0.03]) {
    const at = placement([0, 0.1 + h, 0.02]);
    const form = column(new SphereBore(0.1, 0.2), h);
    for (const j of [PLATE, { kind: 'bore', radius: 0.2 } as const]) {
      const got = overlap(new RayKernel(ball, j), at, ORIGIN);
      near(got.volume, form.volume, 1e-6, `volume at ${h}`);
      near(got.area, form.area, 5e-6, `area at ${h}`);
      // the column of the form has x around the bore, y along it, z to the axis
      near(got.centroid[1], 0.1 + h - form.centroid[2], 1e-7, 'centroid');
      near(got.second[0], form.second[0], 5e-6, 'S around');
      near(got.second[2], form.second[1], 5e-6, 'S along');
      // outward of the plate is towards the axis
      assert.ok(got.vectorArea[1] < 0);
    }
  }
  const free = overlap(new RayKernel(ball, PLATE), placement([0, 0.09, 0.02]), ORIGIN);
  assert.equal(free.volume, 0);
  near(free.gap, 0.01, 1e-9, 'clearance');
});

test('a box as a mesh, turned, is the box; a whole cell inside has no vector area', () => {
  const q = turn([3, -1, 2], 1.1);
  const mesh: CellShape = {
    kind: 'mesh',
    vertices: CUBE_CORNERS.map(([x, y, z]): Vector => [0.2 * x, 0.3 * y, 0.4 * z]),
  };
  const box: CellShape = { kind: 'box', size: [0.2, 0.3, 0.4] };
  const rod: CellShape = { kind: 'cylinder', radius: 0.08, length: 0.3 };
  const at = placement([0.05, 0.1, 0.12], q);
  const one = overlap(new RayKernel(box, rod), at, ORIGIN);
  close(overlap(new RayKernel(mesh, rod), at, ORIGIN), one, 1e-6, 'mesh');
  const inside = overlap(
    new RayKernel({ kind: 'sphere', radius: 0.05 }, box),
    placement([0.01, 0.02, 0.03], q),
    ORIGIN,
  );
  near(inside.volume, (4 / 3) * Math.PI * 0.05 ** 3, 1e-7, 'ball');
  assert.deepEqual([...inside.vectorArea, inside.area], [0, 0, 0, 0]);
});

test('touch: the gap nears zero from both sides, is a lower bound apart, and nothing is ever NaN', () => {
  const random = new Random(2);
  const rod: CellShape = { kind: 'cylinder', radius: 0.1, length: 0.3 };
  const ball: CellShape = { kind: 'sphere', radius: 0.1 };
  const kernel = new RayKernel(ball, rod);
  for (const h of [-0.05, -1e-3, -1e-6, -1e-9, 1e-9, 1e-6, 1e-3]) {
    const got = overlap(kernel, placement([0.2 - h, 0, 0.03]), ORIGIN);
    if (h > 0) {
      assert.ok(got.volume > 0, `depth ${h}`);
      near(got.gap, -h, 1e-3, `gap at ${h}`);
    } else {
      assert.equal(got.volume, 0);
      assert.ok(got.gap > 0 && got.gap <= -h * (1 + 1e-9), `${got.gap} at ${h}`);
      near(got.gap, -h, 1e-3, `gap at ${h}`);
    }
  }
  const all = [...PRIMITIVES, PLATE, { kind: 'bore', radius: 0.11 } as const];
  for (const i of PRIMITIVES) {
    for (const j of all) {
      const pair = new RayKernel(i, j, { nodes: 4 });
      const poses = [
        ORIGIN,
        placement([0.1, 0, 0]),
        placement([0, 0, 0.2]),
        placement([0.2, 0.3, 0.1], turn([0, 0, 1], Math.PI / 2)),
        placement([1e9, 0, 0]),
        placement(randomVector(random, 1e-9), turn([1, 0, 0], 1e-9)),
      ];
      for (const at of poses) {
        const { vectorArea, centroid, second, ...rest } = overlap(pair, at, ORIGIN);
        const numbers = [...vectorArea, ...centroid, ...second, ...Object.values(rest)];
        assert.ok(numbers.every(Number.isFinite), `${i.kind} ${j.kind}: ${numbers.join(' ')}`);
        assert.ok(rest.volume >= 0);
      }
    }
  }
});

test('refused: two cells without end, a number of nodes out of range', () => {
  const space: CellShape = { kind: 'half-space' };
  const ball: CellShape = { kind: 'sphere', radius: 1 };
  for (const make of [
    () => new RayKernel(space, space),
    () => new RayKernel({ kind: 'bore', radius: 1 }, space),
    () => new RayKernel(ball, space, { nodes: 2 }),
    () => new RayKernel(ball, space, { nodes: 4.5 }),
  ]) {
    assert.throws(make, { code: 'BERTH_PARAMETER_RANGE' });
  }
});
