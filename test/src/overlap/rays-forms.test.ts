/** Rays against closed forms: value, estimate, convergence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CylinderLying, CylinderStanding } from '../../../src/overlap/cylinder.ts';
import { RayKernel } from '../../../src/overlap/rays.ts';
import { SphereBore } from '../../../src/overlap/sphere-bore.ts';
import { SphereCap, SphereLens } from '../../../src/overlap/sphere-cap.ts';
import { SphereSquareEdge } from '../../../src/overlap/sphere-edge.ts';
import { BoxEdge, BoxFlat } from '../../../src/overlap/box.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { type Column, column, type Form } from '../../fixtures/overlap/columns.ts';
import {
  cut,
  LYING,
  overlap,
  placed,
  placement,
  turn,
  UPRIGHT,
  type Vector,
} from '../../fixtures/overlap/ray-cases.ts';

const R = 0.1;
const BALL: CellShape = { kind: 'sphere', radius: R };
const SPACE: CellShape = { kind: 'half-space' };
/** z < 0, y < 0. */
const QUARTER = cut([
  placed({ kind: 'half-space' }),
  placed({ kind: 'half-space' }, [0, 0, 0], LYING),
]);
const PEG: CellShape = { kind: 'cylinder', radius: 0.05, length: 0.2 };
const BOX: CellShape = { kind: 'box', size: [0.2, 0.3, 0.4] };

interface Case {
  readonly name: string;
  readonly i: CellShape;
  readonly j: CellShape;
  readonly at: Float64Array;
  readonly form: Form;
  readonly pose: readonly number[];
  /** Origin of the column of the form in the world; its axes are those of the world. */
  readonly origin: Vector;
}

const tilt = 0.2;
const low = 0.15 * Math.sin(tilt) + 0.2 * Math.cos(tilt);
const cases: Case[] = [
  ...[1e-6, 1e-4, 1e-3, 0.0025, 0.02, 0.06, 0.1, 0.13, 0.19].map((h): Case => {
    const at: Vector = [0.3, -0.2, R - h];
    return {
      name: `cap ${h}`,
      i: BALL,
      j: SPACE,
      at: placement(at),
      form: new SphereCap(R),
      pose: [h],
      origin: at,
    };
  }),
  ...[0.195, 0.148, 0.12, 0.06].map((d): Case => {
    const radius = d === 0.195 ? 0.1 : 0.05;
    return {
      name: `lens ${d}`,
      i: BALL,
      j: { kind: 'sphere', radius },
      at: placement([0, 0, d]),
      form: new SphereLens(R, radius),
      pose: [R + radius - d],
      origin: [0, 0, d],
    };
  }),
  ...[0.001, 0.0025, 0.02].map(
    (h): Case => ({
      name: `bore ${h}`,
      i: BALL,
      j: cut([placed({ kind: 'bore', radius: 1 }, [0, 0, 0], LYING)]),
      at: placement([0, 0.4, -(0.9 + h)]),
      form: new SphereBore(R, 1),
      pose: [h],
      origin: [0, 0.4, -(0.9 + h)],
    }),
  ),
  ...[
    [-0.01, 0.0975],
    [0.005, 0.097],
    [0.05, 0.08],
    [-0.03, 0.09],
    [0.02, -0.03],
  ].map(
    ([y, z]): Case => ({
      name: `edge ${y} ${z}`,
      i: BALL,
      j: QUARTER,
      at: placement([0.2, y, z]),
      form: new SphereSquareEdge(R),
      pose: [y, z],
      origin: [0.2, y, z],
    }),
  ),
  ...[1e-4, 0.002, 0.03].map(
    (h): Case => ({
      name: `lying ${h}`,
      i: PEG,
      j: SPACE,
      at: placement([0, 0, 0.05 - h], turn([0, 1, 0], Math.PI / 2)),
      form: new CylinderLying(0.05, 0.2),
      pose: [h],
      origin: [0, 0, 0.05 - h],
    }),
  ),
  {
    name: 'standing',
    i: PEG,
    j: SPACE,
    at: placement([0, 0, 0.098]),
    form: new CylinderStanding(0.05, 0.2),
    pose: [0.002],
    origin: [0, 0, 0],
  },
  {
    name: 'box flat',
    i: BOX,
    j: SPACE,
    at: placement([0, 0, 0.195], UPRIGHT),
    form: new BoxFlat(0.2, 0.3, 0.4),
    pose: [0.005],
    origin: [0, 0, 0],
  },
  {
    name: 'box on an edge',
    i: BOX,
    j: SPACE,
    at: placement(
      [0, 0.15 * Math.cos(tilt) - 0.2 * Math.sin(tilt), low - 0.003],
      turn([1, 0, 0], tilt),
    ),
    form: new BoxEdge(0.2, 0.3, 0.4),
    pose: [0.003, tilt],
    origin: [0, 0, 0],
  },
];

/** Largest relative differences: V, A_c, S to its largest entry; the centroid to the radius of gyration. */
function off(got: ReturnType<typeof overlap>, want: Column, origin: Vector): number[] {
  const largest = Math.max(...want.second.map(Math.abs));
  const gyration = Math.sqrt(largest / want.volume);
  const centroid = Math.max(
    ...want.centroid.map((value, k) => Math.abs(got.centroid[k] - value - origin[k])),
  );
  const second = Math.max(...want.second.map((value, k) => Math.abs(got.second[k] - value)));
  return [
    Math.abs(got.volume / want.volume - 1),
    Math.abs(got.area / want.area - 1),
    centroid / gyration,
    second / largest,
  ];
}

test('every closed form to 1e-6, and the estimate of the volume bounds its error', () => {
  const origin = placement([0, 0, 0]);
  for (const { name, i, j, at, form, pose, origin: from } of cases) {
    const got = overlap(new RayKernel(i, j), at, origin);
    const errors = off(got, column(form, ...pose), from);
    errors.forEach((error, k) => {
      // deep caps and lenses converge slowest; moments are of higher degree than the volume
      const allowed = k === 0 || k === 2 ? 1e-6 : 5e-6;
      assert.ok(error < allowed, `${name}: ${errors.map((e) => e.toExponential(1)).join(' ')}`);
    });
    assert.ok(errors[0] <= got.error, `${name}: error ${errors[0]}, estimate ${got.error}`);
    // at the depths of a contact the estimate itself is small
    if (pose[0] <= 0.003) assert.ok(got.error < 1e-4, `${name}: estimate ${got.error}`);
  }
});

test('the error falls geometrically with the nodes, by 4 or more a node', () => {
  const origin = placement([0, 0, 0]);
  for (const name of ['cap 0.02', 'lens 0.148', 'bore 0.02', 'edge 0.005 0.097']) {
    const one = cases.find((each) => each.name === name);
    assert.ok(one !== undefined);
    const want = column(one.form, ...one.pose).volume;
    const errors = [3, 5, 7, 9].map((nodes) => {
      const got = overlap(new RayKernel(one.i, one.j, { nodes }), one.at, origin);
      const error = Math.abs(got.volume / want - 1);
      assert.ok(error <= got.error, `${name}: ${nodes} nodes, ${error}, estimate ${got.error}`);
      return error;
    });
    for (let k = 1; k < errors.length; k++) {
      // 1e-10: what the forms and rounding leave
      assert.ok(
        errors[k] < errors[k - 1] / 16 || errors[k] < 1e-10,
        `${name}: ${errors.join(' ')}`,
      );
    }
    assert.ok(errors[0] > 1e-7, `${name}: three nodes are not enough`);
  }
});

test('more nodes reach rounding', () => {
  const origin = placement([0, 0, 0]);
  for (const { name, i, j, at, form, pose, origin: from } of cases) {
    if (name === 'cap 0.000001') continue;
    const got = overlap(new RayKernel(i, j, { nodes: 20 }), at, origin);
    const errors = off(got, column(form, ...pose), from);
    // rounding of positions over the depth: 1e-16 R/h = 1e-13 and more; quadrature 2e-9 in the deepest cap; forms 1e-9
    for (const error of errors) {
      assert.ok(error < 5e-9, `${name}: ${errors.map((e) => e.toExponential(1)).join(' ')}`);
    }
  }
});

test('two crossed cylinders of one radius: 16 R³/3', () => {
  const rod: CellShape = { kind: 'cylinder', radius: R, length: 1 };
  const got = overlap(new RayKernel(rod, rod), placement([0, 0, 0], LYING), placement([0, 0, 0]));
  const error = Math.abs(got.volume / ((16 / 3) * R ** 3) - 1);
  assert.ok(error < 1e-6 && error <= got.error, `${error}, estimate ${got.error}`);
});
