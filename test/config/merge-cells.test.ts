/** The field `merge_cells`: off by default, in bodies and links, mass and motion as before, what `berth check` says, what is refused. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { mergeWords } from '../../server/cli/merge-words.ts';
import type { CellModel, SystemModel } from '../../src/model/model.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-merge-'));
after(() => rmSync(folder, { recursive: true }));

/** Two bricks end to end, and one on top of the first, of a body and of a link. */
const BRICKS = `
      - { name: a, shape: { kind: box, size_m: [0.1, 0.1, 0.1] }, position_m: [0, 0, 0] }
      - { name: b, shape: { kind: box, size_m: [0.2, 0.1, 0.1] }, position_m: [0.15, 0, 0] }
      - { name: c, shape: { kind: box, size_m: [0.1, 0.1, 0.1] }, position_m: [0, 0, 0.1] }`;
const file = join(folder, 'bricks.yaml');
writeFileSync(
  file,
  `name: bricks
title: Bricks
bodies:
  - name: block
    kind: dynamic
    density_kg_per_m3: 500
    cells:${BRICKS}
  - { name: bare, kind: fixed }
chains:
  - name: swing
    links:
      - name: rod
        mass_kg: 1
        inertia: { kind: solid-sphere, radius_m: 0.1 }
        joint: { kind: revolute, axis: [0, 1, 0] }
        cells:${BRICKS.replaceAll('\n', '\n    ')}
duration_s: 1
`,
);

const names = (cells: readonly CellModel[] = []): string[] => cells.map(({ name }) => name);
const model = (...changes: string[]): SystemModel => compileScenario(loadScenario(file, changes));

test('cells stay as they are unless a body or a link asks for it', () => {
  const off = model();
  assert.deepEqual(names(off.bodies[0].cells), ['a', 'b', 'c']);
  assert.deepEqual(names(off.trees![0].links[0].cells), ['a', 'b', 'c']);
  const on = model('bodies.block.merge_cells=true', 'chains.swing.links.rod.merge_cells=true');
  // a with b is larger than a with c
  assert.deepEqual(names(on.bodies[0].cells), ['a+1', 'c']);
  assert.deepEqual(names(on.trees![0].links[0].cells), ['a+1', 'c']);
});

test('mass, centre and inertia are those of the cells in the file, bit by bit', () => {
  const [off, on] = [model(), model('bodies.block.merge_cells=true')].map(
    ({ bodies }) => bodies[0],
  );
  assert.deepEqual({ ...on, cells: [] }, { ...off, cells: [] });
  // the merged brick is 0.3 m long; its middle is 0.1 m from the origin of the file, which is now the centre of mass
  const [{ shape, position }] = on.cells!;
  assert.ok(shape.kind === 'box' && Math.abs(shape.size[0] - 0.3) < 1e-15);
  const center = (0.2 * 0.15) / 0.4;
  assert.ok(Math.abs(position[0] - (0.1 - center)) < 1e-15, `${position[0]}`);
});

test('berth check says how many cells became how many, and what changes', () => {
  assert.deepEqual(mergeWords(loadScenario(file)), []);
  const both = ['bodies.block.merge_cells=true', 'chains.swing.links.rod.merge_cells=true'];
  assert.deepEqual(mergeWords(loadScenario(file, both)), [
    'merged cells: block 3 to 2, rod 3 to 2 (friction against spin is per pair of cells and changes)',
  ]);
});

test('a body without cells, and a value that is no truth value, are refused', () => {
  assert.throws(() => model('bodies.bare.merge_cells=true'), {
    code: 'BERTH_MISMATCH',
    field: 'bodies[1].merge_cells',
    message: /bodies\[1\]\.merge_cells only beside cells, got true and no cell/,
  });
  assert.throws(
    () => loadScenario(file, ['bodies.block.merge_cells=1']),
    /merge_cells is 1; allowed: true or false/,
  );
});
