/** Cells of a body as people write them, and mesh files: what they compile to and what is refused. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Static, Type } from 'typebox';
import { Cells } from '../../config/cell-schema.ts';
import { compileCells } from '../../config/compile-cells.ts';
import { decompositionFile } from '../../config/decomposition-file.ts';
import { readBySchema } from '../../config/read.ts';
import { YamlSource } from '../../config/yaml-source.ts';
import { run } from '../../server/cli/decompose.ts';
import { checkBodyCells } from '../../src/overlap/check-cells.ts';
import type { CellModel } from '../../src/shapes/cell-model.ts';
import { scaledMesh } from '../../src/shapes/triangle-mesh.ts';
import { angle, asObj, asStl, asStlText, cube, together, turned } from '../fixtures/meshes.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-cells-'));
after(() => {
  rmSync(folder, { recursive: true });
});

const schema = Type.Object({ cells: Cells }, { additionalProperties: false });

/** The cells of a piece of YAML, read and compiled as those of body 0. */
function cellsOf(text: string): CellModel[] {
  const source = new YamlSource('test.yaml', `cells:\n${text.replace(/^/gm, '  ')}`);
  const { cells } = readBySchema(source, schema) as Static<typeof schema>;
  return compileCells(cells, 'bodies[0].cells', folder);
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Runs `berth decompose` without its words. */
async function decomposed(...argv: string[]): Promise<string> {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line: string) => void lines.push(line);
  try {
    assert.equal(await run(argv), 0);
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}

test('shapes, placements, defaults and units', () => {
  const cells = cellsOf(`
- {shape: {kind: box, size_m: [300 mm, 0.2, 0.1]}}
- name: floor
  shape: {kind: half-space}
  position_m: [0, 0, -1]
- name: bay
  orientation: {kind: axis-angle, axis: [0, 0, 2], angle_rad: 180 deg}
  shape:
    kind: boolean
    common:
      - {shape: {kind: cylinder, radius_m: 0.5, length_m: 1}}
      - {shape: {kind: bore, radius_m: 0.3}, position_m: [0.1, 0, 0]}
    without:
      - {shape: {kind: frustum, radius_m: 0.4, length_m: 0.1}}`);
  assert.deepEqual(cells[0], {
    name: 'cell-1',
    shape: { kind: 'box', size: [0.3, 0.2, 0.1] },
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
  });
  assert.deepEqual([cells[1].name, cells[1].shape], ['floor', { kind: 'half-space' }]);
  const { shape, orientation } = cells[2];
  assert.deepEqual(
    orientation.map((value) => Math.round(1e15 * value) / 1e15),
    [0, 0, 1, 0],
  );
  assert.ok(shape.kind === 'boolean');
  assert.deepEqual(shape.common[1], {
    shape: { kind: 'bore', radius: 0.3 },
    position: [0.1, 0, 0],
    orientation: [0, 0, 0, 1],
  });
  assert.deepEqual(shape.without[0].shape, {
    kind: 'frustum',
    radius: 0.4,
    topRadius: 0,
    length: 0.1,
  });
});

test('entries that say nothing, or two things, are refused', () => {
  assert.throws(
    () => cellsOf('- {name: a}'),
    /bodies\[0\]\.cells\[0\] to have either a shape or a file, got neither/,
  );
  assert.throws(
    () => cellsOf('- {file: a.stl, shape: {kind: sphere, radius_m: 1}}'),
    /cells\[0\] to have either a shape or a file, got both/,
  );
  assert.throws(
    () => cellsOf('- {scale: 0.001, shape: {kind: sphere, radius_m: 1}}'),
    /cells\[0\]\.scale only beside a file, got 0\.001/,
  );
  assert.throws(
    () => cellsOf('- {shape: {kind: torus}}'),
    /shape\.kind is "?torus.*half-space, bore, boolean/,
  );
  assert.throws(() => cellsOf('- {shape: {kind: bore, radius_m: 0}}'), /radius_m.*above 0/);
  assert.throws(
    () => cellsOf('- {shape: {kind: boolean, common: [{shape: {kind: boolean, common: []}}]}}'),
    /kind is "?boolean/,
  );
});

test('a convex file is one cell, scaled; several convex pieces are several', () => {
  file('brick.stl', asStl(cube([0, 0, 0], [200, 100, 50])));
  file('pair.obj', asObj(together(cube([0, 0, 0], [1, 1, 1]), cube([2, 0, 0], [3, 1, 1]))));
  const cells = cellsOf(`
- {file: brick.stl, scale: 0.001, position_m: [0, 0, 1]}
- {file: pair.obj, name: twins, position_m: [5, 0, 0]}`);
  assert.deepEqual(
    cells.map(({ name }) => name),
    ['brick.stl', 'twins-1', 'twins-2'],
  );
  const [{ shape, position }] = cells;
  assert.ok(shape.kind === 'mesh');
  assert.equal(shape.vertices.length, 8);
  const size = [0, 1, 2].map((k) => Math.max(...shape.vertices.map((vertex) => vertex[k])));
  assert.deepEqual(size, [0.2, 0.1, 0.05]);
  assert.deepEqual(position, [0, 0, 1]);
  checkBodyCells(cells, 'cells');
});

test('a concave file takes the cells that the command wrote, and no stale ones', async () => {
  const path = file('angle.stl', asStlText(scaledMesh(angle(1), 100)));
  const entry = '- {file: angle.stl, scale: 1 }';
  assert.throws(
    () => cellsOf(entry),
    /cells\[0\]: angle\.stl is concave and there is no angle\.stl\.cells\.json.*run: berth decompose .*angle\.stl/,
  );
  assert.throws(
    () => cellsOf('- {file: angle.stl, scale: 1, decompose: false}'),
    /cells\[0\]\.decompose is false, but its surface bends inward/,
  );
  assert.match(
    await decomposed(path),
    /angle\.stl\.cells\.json: 2 convex cells, 0 % of volume added/,
  );
  const cells = cellsOf('- {file: angle.stl, scale: 0.01}');
  assert.deepEqual(
    cells.map(({ name }) => name),
    ['angle.stl-1', 'angle.stl-2'],
  );
  checkBodyCells(cells, 'cells');
  const extents = cells.map(({ shape }) =>
    shape.kind === 'mesh' ? Math.max(...shape.vertices.flat()) : 0,
  );
  assert.deepEqual(extents, [2, 2]);
  // up to date: not written again; other limits: written again
  assert.match(await decomposed(path), /is up to date/);
  assert.match(await decomposed(path, '--cells', '8'), /2 convex cells/);
  // another mesh under the same name
  file('angle.stl', asStlText(scaledMesh(angle(2), 100)));
  assert.throws(
    () => cellsOf(entry),
    /angle\.stl\.cells\.json was made of another angle\.stl; run again: berth decompose/,
  );
  assert.match(await decomposed(path), /2 convex cells/);
  const kept = readFileSync(decompositionFile(path), 'utf8');
  for (const [damaged, message] of [
    [kept.slice(0, 200), /is not JSON/],
    ['null', /has not the format berth-cells-1/],
    [kept.replace('berth-cells-1', 'berth-cells-9'), /has not the format/],
    [kept.replace(/\[\[[^\]]*\]/, '[["a",0,0]'), /has damaged cells/],
    [kept.replace(/"cells":\[[^]*$/, '"cells":[]}'), /has damaged cells/],
  ] as const) {
    file('angle.stl.cells.json', damaged);
    assert.throws(() => cellsOf(entry), message);
    assert.doesNotMatch(await decomposed(path), /up to date/);
  }
});

test('bad files: missing, malformed, open, flat, a scale off by 1000', async () => {
  assert.throws(
    () => cellsOf('- {file: none.stl}'),
    /bodies\[0\]\.cells\[0\]\.file: there is no file "none\.stl"/,
  );
  file('bad.stl', 'solid x\nfacet\nhole\n');
  assert.throws(
    () => cellsOf('- {file: bad.stl}'),
    /bad\.stl, line 3: expected "outer", got "hole"/,
  );
  const box = cube([0, 0, 0], [420, 300, 200]);
  file('open.stl', asStl({ vertices: box.vertices, triangles: box.triangles.slice(3) }));
  assert.throws(
    () => cellsOf('- {file: open.stl, scale: 0.001}'),
    /open\.stl.*the surface is open: 3 edges/,
  );
  file('flat.obj', asObj(scaledMesh(cube([0, 0, 0], [1, 1, 0]), 1)));
  assert.throws(() => cellsOf('- {file: flat.obj}'), /flat\.obj.*encloses no volume/);
  file('box.stl', asStl(box));
  assert.throws(
    () => cellsOf('- {file: box.stl}'),
    /box\.stl to be at most 20 m large without a scale, got 420;.*scale: 0\.001.*scale: 1/,
  );
  // inverted: repaired
  file('inverted.stl', asStl(turned(box, () => true)));
  assert.equal(cellsOf('- {file: inverted.stl, scale: 0.001}').length, 1);
  assert.match(
    await decomposed(join(folder, 'inverted.stl')),
    /inside out and was turned[^]*is convex/,
  );
  // scaled although it is in metres already, beside a cell that is not
  file('metres.stl', asStl(cube([0, 0, 0], [0.4, 0.3, 0.2])));
  const cells = cellsOf(
    '- {file: metres.stl, scale: 0.001}\n- {shape: {kind: box, size_m: [0.4, 0.3, 0.2]}, position_m: [1, 0, 0]}',
  );
  assert.throws(() => {
    checkBodyCells(cells, 'bodies[0].cells');
  }, /"metres\.stl" is 0\.0004 m large while the other cells of the body are 0\.4 m to 0\.4 m large.*millimetres/);
});
