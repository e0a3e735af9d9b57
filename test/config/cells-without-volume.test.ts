/** A cell without volume is named as such where its mass is needed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CellShape } from '../../src/index.ts';
import { bodyMass } from '../../src/overlap/body-mass.ts';

const AT = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
const mass = (shape: CellShape) => () => bodyMass([{ name: 'a', shape, ...AT }], 1000, 'cells');

test('a box of zero thickness and points in one plane are refused by their field, not by a mass of NaN', () => {
  assert.throws(mass({ kind: 'box', size: [0, 0.1, 0.1] }), /cells\[0\]\.shape\.size\[0\] > 0/);
  assert.throws(
    mass({
      kind: 'mesh',
      vertices: [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [1, 1, 0],
      ],
    }),
    /cells\[0\]\.shape\.vertices to span a volume, got 4 vertices in one plane/,
  );
});
