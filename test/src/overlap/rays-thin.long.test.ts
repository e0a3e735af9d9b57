/** Arcs of micrometres in the wall of a bore, by rays: none is missed, and the estimate is above the error. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { COLUMN, COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import { makeKernel } from '../../../src/overlap/make-kernel.ts';
import { RayKernel } from '../../../src/overlap/rays.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { place } from '../../fixtures/overlap/kernel-frames.ts';

const R = 0.03;
const BORE: CellShape = { kind: 'bore', radius: R };
const HOLE = place([0, 0, 0], [0, 0, 0]);
/** Largest error of the sections (docs/theory/round-bore.md), relative. */
const SECTIONS = 1e-6;
/** Largest error of rays at these depths: 8 nodes and searched break points. */
const THIN = 3e-4;

/** Draws placements at a depth and compares the two methods. */
function compare(shapes: readonly CellShape[], seed: number, count: number): void {
  const random = new Random(seed);
  const draw = (scale: number): number => scale * (2 * random.uniform() - 1);
  const exact = new Float64Array(COLUMN_SIZE);
  const rays = new Float64Array(COLUMN_SIZE);
  let met = 0;
  for (let n = 0; n < count; n++) {
    const shape = shapes[n % shapes.length];
    const sections = makeKernel(shape, BORE, 'closed-form');
    const depth = 10 ** (-5.7 + 1.7 * random.uniform());
    const tilt = n % 5 === 0 ? 0 : 10 ** (-5 + 4 * random.uniform());
    const turn = [draw(tilt), draw(tilt), draw(3)] as const;
    const angle = draw(Math.PI);
    const at = (x: number): Float64Array =>
      place([...turn], [x * Math.cos(angle), x * Math.sin(angle), 0]);
    let [low, high] = [-R, R];
    for (let k = 0; k < 40; k++) {
      const middle = 0.5 * (low + high);
      sections.compute(at(middle), HOLE, exact);
      if (exact[COLUMN.gap] < -depth) high = middle;
      else low = middle;
    }
    sections.compute(at(high), HOLE, exact);
    if (exact[COLUMN.gap] < -2 * depth) continue;
    met++;
    new RayKernel(shape, BORE).compute(at(high), HOLE, rays);
    const error = Math.abs(rays[COLUMN.volume] / exact[COLUMN.volume] - 1);
    const what = `${shape.kind} ${n}, ${depth} m deep, tilt ${tilt}: ${error}, estimate ${rays[COLUMN.error]}`;
    assert.ok(error < THIN, what);
    assert.ok(error <= rays[COLUMN.error] + SECTIONS, what);
  }
  assert.ok(met > 0.6 * count, `${met} of ${count}`);
}

test('a capsule nearly as wide as its bore: the arcs on its half balls count', () => {
  compare(
    [0.002, 0.02, 0.1].map((length) => ({ kind: 'capsule', radius: 0.0295, length })),
    15,
    45,
  );
});

test('cylinders and frusta at one end of which lies all that is in the wall', () => {
  compare(
    [0.0299, 0.028, 0.01].flatMap((radius): CellShape[] => [
      { kind: 'cylinder', radius, length: 0.06 },
      { kind: 'frustum', radius, topRadius: 0.97 * radius, length: 0.1 },
    ]),
    3,
    45,
  );
});
