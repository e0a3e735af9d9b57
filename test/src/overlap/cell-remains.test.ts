/** A boolean cell of which nothing is left is refused, with the part that removes it; thin remains are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBodyCells } from '../../../src/overlap/check-cells.ts';
import type { BooleanShape, Placed, PrimitiveShape } from '../../../src/shapes/cell-model.ts';

const at = (
  shape: PrimitiveShape,
  position: Placed<PrimitiveShape>['position'] = [0, 0, 0],
  orientation: Placed<PrimitiveShape>['orientation'] = [0, 0, 0, 1],
): Placed<PrimitiveShape> => ({ shape, position, orientation });
const block = at({ kind: 'box', size: [0.06, 0.06, 0.04] });
const hole = (radius: number): Placed<PrimitiveShape> =>
  at({ kind: 'cylinder', radius, length: 0.1 });
const bore = (radius: number): Placed<PrimitiveShape> => at({ kind: 'bore', radius });

const check = (common: BooleanShape['common'], without: BooleanShape['without'] = []): void =>
  checkBodyCells(
    [{ name: 'a', ...at(block.shape), shape: { kind: 'boolean', common, without } }],
    'cells',
  );

test('a hole or a bore of 10.1 m in a block of 60 mm is refused and named; 10.1 mm are not', () => {
  check([block], [hole(0.0101)]);
  check([block, bore(0.0101)]);
  assert.throws(
    () => check([block], [hole(10.1)]),
    /cells\[0\] to have a volume, got a boolean cell of which nothing is left: without\[0\] \(cylinder\) removes all of it, and it is 20.2 m large where the rest is 0.06 m: are millimetres taken for metres\?/,
  );
  assert.throws(
    () => check([block, bore(10.1)]),
    /nothing is left: common\[1\] \(bore\) removes all of it, and it is 20.2 m large where the rest is 0.06 m/,
  );
});

test('nothing is left for other reasons than a slip of units', () => {
  // the corner of the block is 42.4 mm from its axis
  check([block, bore(0.0424)]);
  assert.throws(
    () => check([block, bore(0.0425)]),
    /nothing is left: common\[1\] \(bore\) removes all of it$/,
  );
  assert.throws(
    () => check([block], [block]),
    /nothing is left: without\[0\] \(box\) removes all of it$/,
  );
  // two halves: neither removes all by itself
  const half = { kind: 'box', size: [0.06, 0.06, 0.02] } as const;
  assert.throws(
    () => check([block], [at(half, [0, 0, -0.01]), at(half, [0, 0, 0.01])]),
    /nothing is left$/,
  );
  // what lies above the ground and in it
  const sky = at({ kind: 'half-space' }, [0, 0, 0.001], [1, 0, 0, 0]);
  assert.throws(() => check([at({ kind: 'half-space' }), sky]), /nothing is left$/);
});

test('thin, small and endless remains are cells', () => {
  // a skin of 1 µm, a slab of 1 µm without an end, a plate with a hole, a cube of 1 mm from half-spaces
  check([hole(0.01)], [at({ kind: 'cylinder', radius: 0.009999, length: 0.2 })]);
  check([at({ kind: 'half-space' }), at({ kind: 'half-space' }, [0, 0, -1e-6], [1, 0, 0, 0])]);
  check([at({ kind: 'half-space' }), bore(0.0101)]);
  const r = Math.SQRT1_2;
  const sides = [
    [0, 0, 0, 1],
    [1, 0, 0, 0],
    [0, r, 0, r],
    [0, -r, 0, r],
    [r, 0, 0, r],
    [-r, 0, 0, r],
  ] as const;
  const places = [
    [0, 0, 5e-4],
    [0, 0, -5e-4],
    [5e-4, 0, 0],
    [-5e-4, 0, 0],
    [0, -5e-4, 0],
    [0, 5e-4, 0],
  ] as const;
  check(sides.map((turn, k) => at({ kind: 'half-space' }, places[k], turn)));
});
