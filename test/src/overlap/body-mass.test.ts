/** Mass properties of bodies of cells: closed forms cut and put together again, holes, and cells that have no mass. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyMass, cellMass, centeredCells } from '../../../src/overlap/body-mass.ts';
import type { BooleanShape, CellModel, CellShape } from '../../../src/shapes/cell-model.ts';
import type { BoxShape } from '../../../src/shapes/shape-model.ts';
import { type MassProperties, massProperties } from '../../../src/shapes/mass-properties.ts';

const DENSITY = 2700;
const NONE = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
/** A quarter turn about y: z of the shape is x of the body. */
const LYING = [0, Math.SQRT1_2, 0, Math.SQRT1_2] as const;

function cell(
  name: string,
  shape: CellShape,
  position: readonly [number, number, number],
): CellModel {
  return { name, shape, position, orientation: [0, 0, 0, 1] };
}

function agree(got: MassProperties, want: MassProperties, tolerance: number): void {
  const size = Math.max(...want.inertia.map(Math.abs));
  assert.ok(Math.abs(got.mass / want.mass - 1) < tolerance, `mass ${got.mass} for ${want.mass}`);
  const length = Math.sqrt(size / want.mass);
  want.center.forEach((value, k) => {
    assert.ok(Math.abs(got.center[k] - value) < tolerance * length, `center ${got.center.join()}`);
  });
  want.inertia.forEach((value, k) => {
    assert.ok(
      Math.abs(got.inertia[k] - value) < tolerance * size,
      `inertia ${got.inertia.join()} for ${want.inertia.join()}`,
    );
  });
}

// rounding of a few dozen sums
const EXACT = 1e-13;

test('a box cut into cells weighs what the whole box weighs', () => {
  const whole = massProperties({ kind: 'box', size: [0.6, 0.4, 0.2] }, DENSITY);
  // 2 × 2 × 1 unequal boxes, one of them as a mesh, one of them turned by a quarter about z
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (k) => [k & 1 ? 0.2 : -0.2, k & 2 ? 0.05 : -0.05, k & 4 ? 0.1 : -0.1] as const,
  );
  const cells: CellModel[] = [
    cell('a', { kind: 'box', size: [0.2, 0.1, 0.2] }, [-0.2, -0.15, 0]),
    cell('b', { kind: 'mesh', vertices: corners }, [0.1, -0.15, 0]),
    {
      name: 'c',
      shape: { kind: 'box', size: [0.3, 0.2, 0.2] },
      position: [-0.2, 0.05, 0],
      orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
    },
    cell('d', { kind: 'box', size: [0.4, 0.3, 0.2] }, [0.1, 0.05, 0]),
  ];
  const got = bodyMass(cells, DENSITY, 'cells');
  agree(got, whole, EXACT);
  assert.equal(got.error, 0);
  const moved = bodyMass(cells, DENSITY, 'cells');
  const centered = bodyMass(centeredCells(cells, [0.1, 0.2, 0.3]), DENSITY, 'cells');
  agree(centered, { ...moved, center: [-0.1, -0.2, -0.3] }, EXACT);
});

test('a dumb-bell has the moments of the parallel-axis theorem', () => {
  const ball = (4 / 3) * Math.PI * 0.1 ** 3 * DENSITY;
  const rod = Math.PI * 0.02 ** 2 * 0.4 * DENSITY;
  const cells: CellModel[] = [
    cell('left', { kind: 'sphere', radius: 0.1 }, [-0.3, 0, 0]),
    cell('right', { kind: 'sphere', radius: 0.1 }, [0.3, 0, 0]),
    {
      name: 'rod',
      shape: { kind: 'cylinder', radius: 0.02, length: 0.4 },
      position: [0, 0, 0],
      orientation: LYING,
    },
  ];
  const axial = 2 * 0.4 * ball * 0.01 + 0.5 * rod * 0.0004;
  const across = 2 * (0.4 * ball * 0.01 + ball * 0.09) + rod * (0.0004 / 4 + 0.16 / 12);
  agree(
    bodyMass(cells, DENSITY, 'cells'),
    { mass: 2 * ball + rod, center: [0, 0, 0], inertia: [axial, across, across, 0, 0, 0] },
    EXACT,
  );
});

test('two balls off every axis have the products of inertia of their places', () => {
  const ball = (4 / 3) * Math.PI * 0.1 ** 3 * DENSITY;
  const [x, y, z] = [0.3, -0.2, 0.5];
  const cells = [
    cell('near', { kind: 'sphere', radius: 0.1 }, [1 + x, 2 + y, 3 + z]),
    cell('far', { kind: 'sphere', radius: 0.1 }, [1 - x, 2 - y, 3 - z]),
  ];
  const own = 0.4 * ball * 0.01;
  const about = (a: number, b: number): number => 2 * (own + ball * (a * a + b * b));
  const products = [x * y, x * z, y * z].map((value) => -2 * ball * value);
  agree(
    bodyMass(cells, DENSITY, 'cells'),
    {
      mass: 2 * ball,
      center: [1, 2, 3],
      inertia: [about(y, z), about(x, z), about(x, y), products[0], products[1], products[2]],
    },
    EXACT,
  );
  // a long box along the diagonal of x and y: its large moment is spread over Ixx, Iyy and Ixy
  const plank: CellModel = {
    name: 'plank',
    shape: { kind: 'box', size: [2, 0.2, 0.1] },
    position: [0, 0, 0],
    orientation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)],
  };
  const { mass, inertia } = massProperties(plank.shape as BoxShape, DENSITY);
  const [along, across, up] = inertia;
  const middle = (along + across) / 2;
  agree(
    bodyMass([plank], DENSITY, 'cells'),
    { mass, center: [0, 0, 0], inertia: [middle, middle, up, (along - across) / 2, 0, 0] },
    EXACT,
  );
});

test('a shell is the ball without the ball inside, in closed form', () => {
  const shell: BooleanShape = {
    kind: 'boolean',
    common: [{ shape: { kind: 'sphere', radius: 0.5 }, ...NONE }],
    without: [{ shape: { kind: 'sphere', radius: 0.4 }, ...NONE }],
  };
  const mass = (4 / 3) * Math.PI * (0.5 ** 3 - 0.4 ** 3) * DENSITY;
  const moment = (8 / 15) * Math.PI * (0.5 ** 5 - 0.4 ** 5) * DENSITY;
  const got = cellMass(shell, DENSITY, 'cell');
  assert.equal(got.error, 0);
  agree(got, { mass, center: [0, 0, 0], inertia: [moment, moment, moment, 0, 0, 0] }, EXACT);
});

test('a hole off the middle moves the centre away from it', () => {
  const shape: BooleanShape = {
    kind: 'boolean',
    common: [{ shape: { kind: 'box', size: [1, 1, 1] }, ...NONE }],
    without: [
      {
        shape: { kind: 'box', size: [0.2, 0.2, 0.2] },
        position: [0.3, 0, 0],
        orientation: [0, 0, 0, 1],
      },
    ],
  };
  const got = cellMass(shape, 1, 'cell');
  assert.ok(Math.abs(got.mass - 0.992) < EXACT);
  assert.ok(Math.abs(got.center[0] + (0.008 * 0.3) / 0.992) < EXACT);
});

test('a tube of bore and cylinder agrees with its closed form, by rays', () => {
  const tube: BooleanShape = {
    kind: 'boolean',
    common: [
      { shape: { kind: 'cylinder', radius: 0.5, length: 0.8 }, ...NONE },
      { shape: { kind: 'bore', radius: 0.3 }, ...NONE },
    ],
    without: [],
  };
  const mass = Math.PI * (0.25 - 0.09) * 0.8 * DENSITY;
  const axial = 0.5 * mass * (0.25 + 0.09);
  const across = 0.5 * axial + (mass * 0.64) / 12;
  const got = cellMass(tube, DENSITY, 'cell');
  // the error bound of the rays, and the required accuracy
  agree(got, { mass, center: [0, 0, 0], inertia: [across, across, axial, 0, 0, 0] }, 1e-6);
  assert.ok(got.error < 1e-6, `error ${got.error}`);
});

test('cells without an end and bodies without cells have no mass to take', () => {
  const bare: BooleanShape = {
    kind: 'boolean',
    common: [{ shape: { kind: 'half-space' }, ...NONE }],
    without: [],
  };
  for (const shape of [{ kind: 'half-space' }, { kind: 'bore', radius: 1 }, bare] as const) {
    assert.throws(
      () => bodyMass([cell('floor', shape, [0, 0, 0])], DENSITY, 'bodies[0].cells'),
      /bodies\[0\]\.cells\[0\] to have an end in every direction.*give the body mass and inertia/,
    );
  }
  assert.throws(() => bodyMass([], DENSITY, 'cells'), /at least one cell/);
  const nothing: BooleanShape = {
    kind: 'boolean',
    common: [{ shape: { kind: 'sphere', radius: 0.1 }, ...NONE }],
    without: [{ shape: { kind: 'box', size: [1, 1, 1] }, ...NONE }],
  };
  assert.throws(() => cellMass(nothing, 1, 'cell'), /cell to have a volume/);
});
