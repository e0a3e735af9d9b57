/** Geometry of the battery box: the same in all its scenarios, with the clearances and the lead-in of docs/theory/battery-box.md. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadScenario } from '../../config/scenario.ts';
import { compileScenario } from '../../config/compile.ts';
import type { CellModel, SystemModel } from '../../src/model/model.ts';
import { convexHull } from '../../src/shapes/convex-hull.ts';

const DEGREE = Math.PI / 180;
const drop = compileScenario(loadScenario('battery-box-drop'));
const insertion = compileScenario(loadScenario('battery-box-insertion'));
const onDextre = compileScenario(loadScenario('dextre-battery-box'));

const cellsOf = (model: SystemModel, body: string): readonly CellModel[] =>
  model.bodies.find(({ name }) => name === body)!.cells ?? [];
const cell = (body: string, name: string): CellModel =>
  cellsOf(insertion, body).find((one) => one.name === name)!;

/** Corners of a box or polytope in the frame of the body, m. */
function corners({ shape, position: [x, y, z], orientation }: CellModel): number[][] {
  assert.deepEqual(orientation, [0, 0, 0, 1]);
  if (shape.kind === 'mesh') return shape.vertices.map((v) => [v[0] + x, v[1] + y, v[2] + z]);
  assert.ok(shape.kind === 'box');
  const signs = [-0.5, 0.5];
  const [a, b, c] = shape.size;
  return signs.flatMap((i) =>
    signs.flatMap((j) => signs.map((k) => [x + i * a, y + j * b, z + k * c])),
  );
}

const span = (cells: readonly CellModel[], axis: number): [number, number] => {
  const values = cells.flatMap(corners).map((corner) => corner[axis]);
  return [Math.min(...values), Math.max(...values)];
};
const near = (a: number, b: number, what: string): void =>
  assert.ok(Math.abs(a - b) < 1e-9, `${what}: ${a}, expected ${b}`);

describe('battery box', () => {
  test('all scenarios have the same cells', () => {
    for (const body of ['battery-box', 'work-site']) {
      assert.ok(cellsOf(drop, body).length > 7, `${body} has cells`);
      assert.deepEqual(cellsOf(drop, body), cellsOf(insertion, body));
      assert.deepEqual(cellsOf(onDextre, body), cellsOf(insertion, body));
    }
  });

  test('both start at the same attitude: 2 degrees about y, then 2 degrees about the turned x', () => {
    const [s, c] = [Math.sin(DEGREE), Math.cos(DEGREE)];
    const turned = [c * s, s * c, -s * s, c * c]; // q_y q_x
    for (const model of [drop, insertion]) {
      const box = model.bodies.find(({ name }) => name === 'battery-box')!;
      box.orientation.forEach((value, k) => near(value, turned[k], `orientation ${k}`));
      near(box.position[2], -0.005, 'offset');
    }
  });

  test('the modules fill the box of 0.5 x 0.3 x 0.4 m about the origin, without gap or overlap', () => {
    const modules = cellsOf(insertion, 'battery-box').filter(({ name }) =>
      name.startsWith('module'),
    );
    assert.equal(modules.length, 9);
    [0.5, 0.3, 0.4].forEach((size, axis) => {
      const [least, most] = span(modules, axis);
      near(least, -size / 2, `axis ${axis}`);
      near(most, size / 2, `axis ${axis}`);
    });
    const volume = modules.reduce((sum, { shape }) => {
      assert.ok(shape.kind === 'box');
      return sum + shape.size[0] * shape.size[1] * shape.size[2];
    }, 0);
    // a sum inside the hull that equals its volume leaves no room for either, unless they cancel: see the next line
    near(volume, 0.06, 'volume');
    const middles = new Set(modules.map(({ position }) => position.join()));
    assert.equal(middles.size, 9);
  });

  test('the walls stand 5 mm from the seated box over 140 mm and open at 20 degrees over 60 mm', () => {
    for (const [name, axis, sign] of [
      ['wall-left', 1, -1],
      ['wall-right', 1, 1],
      ['wall-lower', 2, -1],
      ['wall-upper', 2, 1],
    ] as const) {
      const wall = cell('work-site', name);
      assert.ok(wall.shape.kind === 'mesh');
      assert.equal(convexHull(wall.shape.vertices).points.length, 10, `${name} is convex`);
      const inner = (x: number): number =>
        Math.min(
          ...corners(wall)
            .filter((p) => Math.abs(p[0] - x) < 1e-9)
            .map((p) => sign * p[axis]),
        );
      const half = axis === 1 ? 0.15 : 0.2;
      near(inner(0.25) - half, 0.005, `${name} at the floor`);
      near(inner(0.11) - half, 0.005, `${name} at the end of the guide`);
      const flare = Math.atan((inner(0.05) - inner(0.11)) / 0.06) / DEGREE;
      // written in tenths of a micrometre
      assert.ok(Math.abs(flare - 20) < 1e-3, `${name}: ${flare} degrees`);
    }
  });

  test('the floor lies under the whole box at full depth, cut where the box is not', () => {
    const floor = cellsOf(insertion, 'work-site').filter(({ name }) => name.startsWith('floor'));
    assert.equal(floor.length, 4);
    near(span(floor, 0)[0], 0.25, 'face');
    for (const [axis, half] of [
      [1, 0.15],
      [2, 0.2],
    ] as const) {
      const [least, most] = span(floor, axis);
      assert.ok(least < -half - 0.005 && most > half + 0.005);
      const cuts = new Set(
        cellsOf(insertion, 'battery-box').flatMap((one) => corners(one).map((p) => p[axis])),
      );
      assert.ok(!cuts.has(0), 'the floor is cut at 0');
    }
  });

  test('the mouth takes the box as it starts: its corners are inside the lead-in', () => {
    const start = insertion.bodies.find(({ name }) => name === 'battery-box')!;
    const [x, y, z, w] = start.orientation;
    const modules = cellsOf(insertion, 'battery-box').filter(({ name }) =>
      name.startsWith('module'),
    );
    for (const [a, b, c] of modules.flatMap(corners)) {
      const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
      const side = b + w * t[1] + (z * t[0] - x * t[2]) + start.position[1];
      const up = c + w * t[2] + (x * t[1] - y * t[0]) + start.position[2];
      assert.ok(Math.abs(side) < 0.155 + 0.0218, `${side}`);
      assert.ok(Math.abs(up) < 0.205 + 0.0218, `${up}`);
    }
  });
});
