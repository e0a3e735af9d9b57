/** Bad cells: what cannot be a cell, cells that overlap, lengths of different scale. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBodyCells } from '../../../src/overlap/check-cells.ts';
import type { CellModel, CellShape } from '../../../src/shapes/cell-model.ts';
import type { SphereShape } from '../../../src/shapes/shape-model.ts';
import { checkCells, checkPartnerSizes } from '../../../src/shapes/check-cell.ts';

const NONE = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;

function cell(name: string, shape: CellShape, x = 0, y = 0, z = 0): CellModel {
  return { name, shape, position: [x, y, z], orientation: [0, 0, 0, 1] };
}
const box = (x: number, y: number, z: number): CellShape => ({ kind: 'box', size: [x, y, z] });
const ball = (radius: number): SphereShape => ({ kind: 'sphere', radius });

test('cells that cannot be are refused at their field', () => {
  const bad: readonly (readonly [CellShape, RegExp])[] = [
    [{ kind: 'bore', radius: 0 }, /cells\[0\]\.shape\.radius > 0, got 0/],
    [box(1, 0, 1), /cells\[0\]\.shape\.size\[1\]/],
    [box(1, Number.NaN, 1), /size.*finite|finite/],
    [{ kind: 'boolean', common: [], without: [] }, /common\.length >= 1/],
    [
      {
        kind: 'boolean',
        common: [{ shape: ball(1), ...NONE }],
        without: [{ shape: ball(-1), ...NONE }],
      },
      /cells\[0\]\.shape\.without\[0\]\.shape\.radius > 0/,
    ],
    [
      {
        kind: 'boolean',
        common: [
          { shape: ball(1), ...NONE },
          { shape: ball(1), position: [3, 0, 0], orientation: [0, 0, 0, 1] },
        ],
        without: [],
      },
      /share a volume, got parts that lie apart/,
    ],
    // a hull whose points lie in one plane, and one whose points nearly do
    [
      {
        kind: 'mesh',
        vertices: [
          [0, 0, 1],
          [1, 0, 1],
          [1, 1, 1],
          [0, 1, 1],
        ],
      },
      /4 vertices in one plane/,
    ],
    [
      {
        kind: 'mesh',
        vertices: [
          [0, 0, 0],
          [1, 0, 0],
          [1, 1, 1e-13],
          [0, 1, 0],
        ],
      },
      /4 vertices in one plane/,
    ],
  ];
  for (const [shape, message] of bad) {
    assert.throws(() => {
      checkCells([cell('a', shape)], 'cells');
    }, message);
  }
  assert.throws(() => {
    checkCells([{ ...cell('a', ball(1)), orientation: [0, 0, 0, 2] }], 'cells');
  }, /cells\[0\]\.orientation to have length 1/);
  assert.throws(() => {
    checkCells([cell('a', ball(1)), cell('a', ball(1), 5)], 'cells');
  }, /"a" twice/);
});

test('faces may touch, volume may not be shared', () => {
  // 0.1 + 0.2 is not 0.3 in binary: these faces miss each other by rounding
  checkBodyCells(
    [cell('a', box(0.2, 1, 1), 0.1), cell('b', box(0.4, 1, 1), 0.1 + 0.2 + 0.1)],
    'cells',
  );
  checkBodyCells(
    [
      cell('can', { kind: 'cylinder', radius: 0.1, length: 0.4 }),
      cell('lid', ball(0.1), 0, 0, 0.3),
    ],
    'cells',
  );
  assert.throws(() => {
    checkBodyCells(
      [cell('a', box(0.2, 1, 1), 0.1), cell('b', box(0.4, 1, 1), 0.4 - 1e-6)],
      'cells',
    );
  }, /"a" and "b" share 0?[.]?(000001|1e-6) m³, 0[.]0005 % of the smaller one/);
  // two unit balls one radius apart share a lens of 5π/12
  assert.throws(() => {
    checkBodyCells([cell('left', ball(1)), cell('right', ball(1), 1)], 'body box.cells');
  }, /body box\.cells.*"left" and "right" share 1[.]31 m³, 31[.]2 %/);
  // one inside the other
  assert.throws(() => {
    checkBodyCells([cell('out', box(1, 1, 1)), cell('in', ball(0.1))], 'cells');
  }, /"out" and "in" share 0[.]00419 m³, 100 %/);
});

test('cells without an end: floor and ceiling fit, floor and wall overlap', () => {
  const ceiling: CellModel = {
    name: 'ceiling',
    shape: { kind: 'half-space' },
    position: [0, 0, 2],
    orientation: [1, 0, 0, 0],
  };
  const wall: CellModel = {
    ...ceiling,
    name: 'wall',
    orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
  };
  const floor = cell('floor', { kind: 'half-space' });
  checkBodyCells([floor, ceiling], 'cells');
  assert.throws(() => {
    checkBodyCells([floor, wall], 'cells');
  }, /"floor" and "wall" share/);
  assert.throws(() => {
    checkBodyCells([floor, cell('box', box(1, 1, 1))], 'cells');
  }, /"floor" and "box" share 0[.]5 m³, 50 %/);
});

test('millimetres taken for metres: within a body and between partners', () => {
  const shell = [cell('left', box(0.3, 0.2, 0.1), -0.2), cell('right', box(0.1, 0.2, 0.1), 0.2)];
  checkCells([...shell, cell('pin', ball(0.002), 0, 0, 1)], 'cells');
  assert.throws(() => {
    checkCells([...shell, cell('lid', box(400, 200, 5), 0, 0, 1000)], 'cells');
  }, /cell "lid" is 400 m large while the other cells of the body are 0.2 m to 0.3 m large.*millimetres/);
  assert.throws(() => {
    checkCells([...shell, cell('dust', ball(2e-5), 0, 0, 1)], 'cells');
  }, /cell "dust" is 0.00004 m large/);
  const floor = [cell('floor', { kind: 'half-space' })];
  checkPartnerSizes(shell, floor, ['box', 'ground'], 'contact a');
  checkPartnerSizes(shell, [cell('table', box(20, 10, 1))], ['box', 'table'], 'contact a');
  assert.throws(() => {
    checkPartnerSizes(shell, [cell('bay', box(500, 300, 200))], ['box', 'bay'], 'contact a');
  }, /contact a: body "box" is 0.6 m large while body "bay" is 500 m large/);
});
