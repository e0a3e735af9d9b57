/** Error of ray quadrature against the closed forms and against itself with 30 nodes: prints the table of docs/theory/ray-quadrature.md. */
import { rotationOf } from '../../src/math/quaternion.ts';
import { COLUMN, COLUMN_SIZE } from '../../src/overlap/kernel.ts';
import { RayKernel } from '../../src/overlap/rays.ts';
import type { CellShape } from '../../src/shapes/cell-model.ts';

const RULES = [4, 6, 8, 10, 14] as const;
const TILT = [0.1042, 0.2084, 0.3126, 0.9211] as const;

const ball: CellShape = { kind: 'sphere', radius: 0.1 };
const space: CellShape = { kind: 'half-space' };
const rod: CellShape = { kind: 'cylinder', radius: 0.1, length: 0.3 };
const box: CellShape = { kind: 'box', size: [0.2, 0.3, 0.25] };
const egg: CellShape = { kind: 'ellipsoid', size: [0.2, 0.3, 0.4] };
const capsule: CellShape = { kind: 'capsule', radius: 0.05, length: 0.2 };

const cap = (h: number): number => (Math.PI * h * h * (0.3 - h)) / 3;
const cases: [string, CellShape, CellShape, [number, number, number], boolean, number?][] = [
  ['ball on plane, h = 0.01 R', ball, space, [0, 0, 0.099], false, cap(0.001)],
  ['ball on plane, h = 0.2 R', ball, space, [0, 0, 0.08], false, cap(0.02)],
  ['ball on plane, h = 0.8 R', ball, space, [0, 0, 0.02], false, cap(0.08)],
  ['ball in bore, 10 R, h = 0.025 R', ball, { kind: 'bore', radius: 1 }, [0, 0.9025, 0.3], false],
  ['cylinder on plane, tilted', rod, space, [0.15, 0.1, 0.12], true],
  ['box, box', box, box, [0.12, 0.15, 0.1], true],
  ['ball, box', ball, box, [0.15, 0.19, 0.15], false],
  ['cylinder, box', rod, box, [0.15, 0.1, 0.2], true],
  ['cylinder, cylinder', rod, rod, [0.15, 0.05, 0.06], true],
  ['capsule, cylinder', capsule, rod, [0.12, 0.05, 0.06], true],
  ['ellipsoid, box', egg, box, [0.15, 0.1, 0.2], true],
  ['ellipsoid, ellipsoid', egg, egg, [0.12, 0.15, 0.05], true],
];

function measure(
  name: string,
  i: CellShape,
  j: CellShape,
  at: number[],
  tilted: boolean,
  exact?: number,
): string {
  const placement = new Float64Array(12);
  const length = Math.sqrt(TILT.reduce((sum, value) => sum + value * value, 0));
  const q = tilted ? TILT.map((value) => value / length) : [0, 0, 0, 1];
  rotationOf(placement, Float64Array.from(q), 0);
  placement.set(at, 9);
  const origin = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
  const column = new Float64Array(COLUMN_SIZE);
  const run = (nodes: number): number => {
    new RayKernel(i, j, { nodes }).compute(placement, origin, column);
    return column[COLUMN.volume];
  };
  const want = exact ?? run(30);
  const errors = RULES.map((nodes) => {
    const error = Math.abs(run(nodes) / want - 1);
    return `${error.toExponential(0)} (${column[COLUMN.error].toExponential(0)})`;
  });
  return `| ${name} | ${errors.join(' | ')} |`;
}

console.log(`| pair | ${RULES.map((nodes) => `${nodes} nodes`).join(' | ')} |`);
console.log(`|---|${RULES.map(() => '---|').join('')}`);
for (const [name, i, j, at, tilted, exact] of cases) {
  console.log(measure(name, i, j, at, tilted, exact));
}
