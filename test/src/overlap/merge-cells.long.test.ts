/** Merging of cells: what becomes one cell, what does not, that the body stays the same, and what changes in a contact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { type CellModel, CONTACT_READOUT, makeSystem } from '../../../src/index.ts';
import { Random } from '../../../src/math/random.ts';
import { bodyMass } from '../../../src/overlap/body-mass.ts';
import { mergeCells } from '../../../src/overlap/merge-cells.ts';
import { makePolytope } from '../../../src/overlap/polytope.ts';
import { convexHull } from '../../../src/shapes/convex-hull.ts';
import { hullVolume } from '../../../src/shapes/mesh-convexity.ts';
import { placementOf, toFrame } from '../../../src/shapes/placement.ts';
import { body } from '../../fixtures/models.ts';
import { boxInertia, cell, cutBox, floor, scene } from '../../fixtures/volumetric-models.ts';

type Point = readonly [number, number, number];

const UPRIGHT = [0, 0, 0, 1] as const;
const IDENTITY = { position: [0, 0, 0], orientation: UPRIGHT } as const;
/** Unit quaternion about a slanted axis: (0.36, 0.48, 0, 0.8). */
const SLANTED = [0.36, 0.48, 0, 0.8] as const;

const brick = (name: string, position: Point, size: Point): CellModel => ({
  name,
  shape: { kind: 'box', size },
  position,
  orientation: UPRIGHT,
});
/** A box from its lowest corner. */
const from = (name: string, low: Point, size: Point): CellModel =>
  brick(name, [low[0] + size[0] / 2, low[1] + size[1] / 2, low[2] + size[2] / 2], size);

/** Cells moved and turned as one body. */
function turned(cells: readonly CellModel[]): CellModel[] {
  const frame = placementOf({ position: [0.3, -0.2, 0.7], orientation: SLANTED });
  return cells.map((one) => {
    assert.deepEqual(one.orientation, UPRIGHT);
    return { ...one, position: toFrame(frame, one.position), orientation: SLANTED };
  });
}

function pointsOf({ shape, ...placed }: CellModel): readonly Point[] {
  const frame = placementOf(placed);
  if (shape.kind === 'mesh') return shape.vertices.map((vertex) => toFrame(frame, vertex));
  assert.ok(shape.kind === 'box');
  const half = shape.size.map((length) => length / 2);
  return [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
    toFrame(
      frame,
      half.map((length, k) => (bits & (1 << k) ? length : -length)),
    ),
  );
}

const volumeOf = (cells: readonly CellModel[]): number =>
  cells.reduce((sum, one) => sum + hullVolume(pointsOf(one)), 0);

/** Largest distance of a point outside the faces of a cell, m; below 0 inside. */
function outside(one: CellModel, point: Point): number {
  const { planes } = makePolytope({ kind: 'mesh', vertices: pointsOf(one) })!;
  let most = -Infinity;
  for (let f = 0; f < planes.length; f += 4) {
    const [x, y, z, d] = planes.slice(f, f + 4);
    most = Math.max(most, x * point[0] + y * point[1] + z * point[2] - d);
  }
  return most;
}

/** The two parts of a hull on either side of a plane: its corners, and where lines between corners meet the plane. */
function halves(points: readonly Point[], normal: Point, offset: number): Point[][] {
  const height = points.map((p) => p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2] - offset);
  const up = points.filter((_, k) => height[k] > 0);
  const down = points.filter((_, k) => height[k] <= 0);
  const cut: Point[] = [];
  points.forEach((p, i) => {
    points.forEach((q, j) => {
      if (!(height[i] > 0 && height[j] <= 0)) return;
      const s = height[i] / (height[i] - height[j]);
      cut.push([p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]), p[2] + s * (q[2] - p[2])]);
    });
  });
  return [up, down].map((side) => [...convexHull([...side, ...cut]).points]);
}

/** A random convex body cut into pieces by random planes, each through the middle of a piece. */
function shards(seed: number, cuts: number): CellModel[] {
  const random = new Random(seed);
  const draw = (): number => 2 * random.uniform() - 1;
  const point = (): Point => [draw(), draw(), draw()];
  let pieces: Point[][] = [[...convexHull(Array.from({ length: 12 }, point)).points]];
  for (let n = 0; n < cuts; n++) {
    const worst = pieces.reduce((a, b) => (hullVolume(b) > hullVolume(a) ? b : a));
    const normal = point();
    const middle = [0, 1, 2].map((k) => worst.reduce((sum, p) => sum + p[k], 0) / worst.length);
    const offset = normal[0] * middle[0] + normal[1] * middle[1] + normal[2] * middle[2];
    pieces = pieces.flatMap((piece) => (piece === worst ? halves(piece, normal, offset) : [piece]));
  }
  return pieces.map((vertices, k) => ({
    name: `shard-${k}`,
    shape: { kind: 'mesh', vertices },
    ...IDENTITY,
  }));
}

function assertSameMass(before: readonly CellModel[], after: readonly CellModel[]): void {
  const a = bodyMass(before, 500, 'before');
  const b = bodyMass(after, 500, 'after');
  // sums of a dozen parts of the size of the whole
  const near = (x: number, y: number, scale: number): void =>
    assert.ok(Math.abs(x - y) <= 1e-12 * scale, `${x} and ${y}`);
  near(a.mass, b.mass, a.mass);
  a.center.forEach((value, k) => near(value, b.center[k], 1));
  a.inertia.forEach((value, k) => near(value, b.inertia[k], a.inertia[0] + a.inertia[1]));
}

test('nine modules become one box, at rounding; the grapple stays, and so do the slanted walls', () => {
  const { bodies } = compileScenario(loadScenario('battery-box-insertion'));
  const [box, site] = bodies.map(({ cells = [] }) => mergeCells(cells, 'cells'));
  assert.deepEqual(
    box.map(({ name }) => name),
    ['module-11+8', 'grapple'],
  );
  const [{ shape, position }] = box;
  assert.ok(shape.kind === 'box');
  [0.5, 0.3, 0.4].forEach((size, k) => {
    assert.ok(Math.abs(shape.size[k] - size) < 1e-15 && Math.abs(position[k]) < 1e-15);
  });
  assertSameMass(bodies[0].cells!, box);
  assert.deepEqual(
    site.map(({ name }) => name),
    ['floor-lower-left+3', 'wall-right', 'wall-left', 'wall-upper', 'wall-lower'],
  );
  assert.deepEqual(site.slice(1), bodies[1].cells!.slice(4));
});

test('any cutting of a convex body becomes one cell with its volume, mass and corners', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const cells = shards(seed, 3 + (seed % 9));
    const merged = mergeCells(cells, 'cells');
    assert.equal(merged.length, 1, `seed ${seed}: ${cells.length} cells become ${merged.length}`);
    assertSameMass(cells, merged);
    const [whole] = merged;
    // convex, and nothing but the cells: every point inside it lies in one of them
    const random = new Random(1000 + seed);
    for (let n = 0; n < 200; n++) {
      const point: Point = [
        2 * random.uniform() - 1,
        2 * random.uniform() - 1,
        2 * random.uniform() - 1,
      ];
      const away = cells.map((one) => outside(one, point));
      const least = Math.min(...away);
      if (Math.abs(least) < 1e-9) continue;
      assert.equal(outside(whole, point) < 1e-9, least < 0, `seed ${seed}, ${point.join()}`);
    }
  }
});

test('what is left has no convex union, and is the body', () => {
  const bar = (name: string, low: Point, size: Point): CellModel => from(name, low, size);
  const shapes: readonly (readonly [what: string, left: number, cells: readonly CellModel[]])[] = [
    ['L', 2, [bar('a', [0, 0, 0], [2, 1, 1]), bar('b', [0, 1, 0], [1, 1, 1])]],
    [
      'L of cubes',
      2,
      [
        bar('a', [0, 0, 0], [1, 1, 1]),
        bar('b', [1, 0, 0], [1, 1, 1]),
        bar('c', [0, 1, 0], [1, 1, 1]),
      ],
    ],
    [
      'plus of cubes',
      3,
      [
        bar('middle', [0, 0, 0], [1, 1, 1]),
        bar('east', [1, 0, 0], [1, 1, 1]),
        bar('west', [-1, 0, 0], [1, 1, 1]),
        bar('north', [0, 1, 0], [1, 1, 1]),
        bar('south', [0, -1, 0], [1, 1, 1]),
      ],
    ],
    [
      'frame around a hole',
      4,
      [
        bar('a', [0, 0, 0], [2, 1, 1]),
        bar('b', [2, 0, 0], [1, 2, 1]),
        bar('c', [1, 2, 0], [2, 1, 1]),
        bar('d', [0, 1, 0], [1, 2, 1]),
      ],
    ],
    // no two of the five are convex together
    [
      'pinwheel',
      1,
      [
        bar('a', [0, 0, 0], [2, 1, 1]),
        bar('b', [2, 0, 0], [1, 2, 1]),
        bar('c', [1, 2, 0], [2, 1, 1]),
        bar('d', [0, 1, 0], [1, 2, 1]),
        bar('e', [1, 1, 0], [1, 1, 1]),
      ],
    ],
    ['edge to edge', 2, [bar('a', [0, 0, 0], [1, 1, 1]), bar('b', [1, 1, 0], [1, 1, 1])]],
    ['apart', 2, [bar('a', [0, 0, 0], [1, 1, 1]), bar('b', [1.5, 0, 0], [1, 1, 1])]],
  ];
  for (const [what, left, cells] of shapes) {
    for (const placed of [cells, turned(cells)]) {
      const merged = mergeCells(placed, 'cells');
      assert.equal(merged.length, left, what);
      assertSameMass(placed, merged);
      assert.deepEqual(mergeCells(merged, 'cells'), merged, `${what}: again`);
    }
  }
});

test('a step, a gap and a notch are merged below 1e-9 of the volume, not above', () => {
  const pair = (gap: number, step: number): number =>
    mergeCells([from('a', [0, 0, 0], [1, 1, 1]), from('b', [1 + gap, step, 0], [1, 1, 1])], 'cells')
      .length;
  // the hull adds the gap times a face: 1/2 of it is the part of the volume
  assert.equal(pair(1e-9, 0), 1);
  assert.equal(pair(3e-9, 0), 2);
  // a step adds two wedges of half its height over a face each: half of it as a part
  assert.equal(pair(0, 1e-9), 1);
  assert.equal(pair(0, 3e-9), 2);
  const merged = mergeCells(
    [from('a', [0, 0, 0], [1, 1, 1]), from('b', [1 + 1e-9, 0, 0], [1, 1, 1])],
    'cells',
  );
  assert.ok(Math.abs(volumeOf(merged) - 2) < 2e-9);
});

test('the result does not depend on the order of the cells', () => {
  const holed = cutBox([1, 1, 1], [4, 3, 2]).filter((_, k) => k % 7 !== 3);
  const shapes = (cells: readonly CellModel[]): string[] =>
    mergeCells(cells, 'cells')
      .map(({ shape, position, orientation }) => JSON.stringify([shape, position, orientation]))
      .sort();
  for (const cells of [holed, turned(holed), shards(77, 9)]) {
    const expected = shapes(cells);
    const random = new Random(5);
    for (let n = 0; n < 10; n++) {
      const shuffled = cells
        .map((one) => ({ one, key: random.uniform() }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one);
      assert.deepEqual(shapes(shuffled), expected);
    }
  }
});

test('embedded, round, infinite and boolean cells stay as they are, at their places', () => {
  const cells: readonly CellModel[] = [
    from('a', [0, 0, 0], [1, 1, 1]),
    {
      name: 'ball',
      shape: { kind: 'sphere', radius: 0.5 },
      position: [5, 0, 0],
      orientation: UPRIGHT,
    },
    { ...from('stem', [0.5, 0, 0], [0.1, 1, 1]), embedded: true },
    from('b', [1, 0, 0], [1, 1, 1]),
    {
      name: 'ring',
      shape: {
        kind: 'boolean',
        common: [{ shape: { kind: 'box', size: [1, 1, 1] }, ...IDENTITY }],
        without: [{ shape: { kind: 'sphere', radius: 0.2 }, ...IDENTITY }],
      },
      position: [2.5, 0.5, 0.5],
      orientation: UPRIGHT,
    },
    { name: 'ground', shape: { kind: 'half-space' }, position: [0, 0, -2], orientation: UPRIGHT },
  ];
  const merged = mergeCells(cells, 'cells');
  assert.deepEqual(
    merged.map(({ name }) => name),
    ['a+1', 'ball', 'stem', 'ring', 'ground'],
  );
  assert.deepEqual(merged.slice(1), [cells[1], cells[2], cells[4], cells[5]]);
});

test('cells that overlap are refused before they are merged', () => {
  const cells = [from('a', [0, 0, 0], [1, 1, 1]), from('b', [0.9, 0, 0], [1, 1, 1])];
  assert.throws(() => mergeCells(cells, 'bodies[0].cells'), {
    code: 'BERTH_PARAMETER_RANGE',
    field: 'bodies[0].cells[1]',
  });
});

const SIZE = [0.4, 0.3, 0.5] as const;
const MASS = 100;
const STIFF = 8e6;

/** A box with the cells on the floor, in motion. */
function slider(
  cells: readonly CellModel[],
  speed: number,
  spin: number,
): ReturnType<typeof makeSystem> {
  const depth = MASS / (STIFF * SIZE[0] * SIZE[1]);
  const box = body('box', 'dynamic', {
    mass: MASS,
    inertia: boxInertia(MASS, SIZE),
    cells,
    position: [0, 0, SIZE[2] / 2 - depth],
    velocity: [0, speed, 0],
    angularVelocity: [0, 0, spin],
  });
  return makeSystem(
    scene(box, floor(), {
      gravity: [0, 0, -1],
      normal: { stiffness: STIFF },
      friction: {
        kind: 'volumetric-bristle',
        stiction: 0.3,
        coulomb: 0.3,
        bristleStiffness: 1e4,
        bristleDamping: 100,
        viscousDamping: 0,
        stribeckVelocity: 0.1,
        dwellTime: 0.01,
        velocityTolerance: 1e-3,
        startsSticking: false,
      },
    }),
  );
}

test('the force of a merged body is that of a box, bit by bit, and without spin that of its cells', () => {
  const cells = cutBox(SIZE, [3, 3, 1]);
  const merged = mergeCells(cells, 'cells');
  assert.equal(merged.length, 1);
  const force = CONTACT_READOUT.indexOf('normalForce');
  const runs = [merged, [cell('whole', { kind: 'box', size: SIZE })], cells].map((each) => {
    const run = slider(each, 0, 0);
    const out = new Float64Array(CONTACT_READOUT.length);
    return Array.from({ length: 200 }, () => {
      assert.equal(run.step(1e-3), 0);
      run.readContact(0, out, 0);
      return out[force];
    });
  });
  runs[0].forEach((value, n) => {
    // corners differ in their last bit: 1e-16 m of a depth of 1e-4 m
    assert.ok(Math.abs(value - runs[1][n]) < 1e-9 * MASS, `step ${n}: ${value}, ${runs[1][n]}`);
    assert.ok(Math.abs(value - runs[2][n]) < 1e-9 * MASS, `step ${n}: ${value}, ${runs[2][n]}`);
  });
});

test('the price: a box that slides and spins turns otherwise, as spin friction is per pair', () => {
  const turn = (cells: readonly CellModel[]): number => {
    const run = slider(cells, 0.05, 0.1);
    for (let n = 0; n < 400; n++) assert.equal(run.step(1e-3), 0);
    const out = new Float64Array(13);
    run.readBody(0, out, 0);
    return 2 * Math.asin(out[5]);
  };
  const nine = cutBox(SIZE, [3, 3, 1]);
  const [one, apart] = [turn(mergeCells(nine, 'cells')), turn(nine)];
  // the figures of docs/theory/convex-decomposition.md, rounded there
  assert.ok(Math.abs(one - 2.6e-3) < 5e-5, `${one}`);
  assert.ok(Math.abs(apart - 6.89e-3) < 5e-5, `${apart}`);
});
