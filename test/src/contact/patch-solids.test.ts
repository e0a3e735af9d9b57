/** What elastic faces meet: every convex shape by its support function, bodies of cells beside meshes of their surface, and flights over them. */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTarget } from '../../../src/contact/elastic/patch-target.ts';
import type { Solid } from '../../../src/contact/elastic/solid-heights.ts';
import { Random } from '../../../src/math/random.ts';
import type { CellModel, ConvexShapeModel, SystemModel } from '../../../src/model/model.ts';
import { encodeStl } from '../../../src/shapes/mesh-encode-stl.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { type ElasticScene, elasticScene } from '../../fixtures/elastic-scenes.ts';
import { voxelCells, voxelMesh } from '../../fixtures/voxels.ts';

const H = 1e-3;
const PLACE = { position: [0.1, -0.2, 0.3], orientation: [0.5, -0.1, 0.7, 0.5] } as const;
const HERE = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;

/** Largest d·y of the places y of a shape along a unit vector d. */
function support(shape: ConvexShapeModel, [x, y, z]: readonly number[]): number {
  const round = Math.hypot(x, y);
  switch (shape.kind) {
    case 'frustum':
      return Math.max(shape.radius * round, shape.topRadius * round + shape.length * z);
    case 'capsule':
      return shape.radius + (shape.length / 2) * Math.abs(z);
    case 'cylinder':
      return shape.radius * round + (shape.length / 2) * Math.abs(z);
    case 'beam':
      return (
        (shape.length / 2) * Math.abs(x) +
        (shape.width / 2) * round +
        (shape.thickness / 2) * Math.abs(z)
      );
    case 'ellipsoid':
      return Math.hypot(...[x, y, z].map((d, a) => (d * shape.size[a]) / 2));
    default:
      return NaN;
  }
}

const SHAPES: readonly ConvexShapeModel[] = [
  { kind: 'frustum', radius: 0.2, topRadius: 0.1, length: 0.3 },
  { kind: 'frustum', radius: 0.2, topRadius: 0, length: 0.3 },
  // flat: its flank is seen from below its base
  { kind: 'frustum', radius: 0.3, topRadius: 0.15, length: 0.03 },
  { kind: 'capsule', radius: 0.1, length: 0.3 },
  { kind: 'cylinder', radius: 0.2, length: 0.3 },
  { kind: 'beam', length: 0.3, width: 0.2, thickness: 0.1 },
  { kind: 'ellipsoid', size: [0.2, 0.3, 0.5] },
  { kind: 'ellipsoid', size: [0.4, 0.1, 0.4] },
];

for (const [k, shape] of SHAPES.entries()) {
  test(`heights over shape ${k}, ${shape.kind}: the largest over all planes that touch it`, () => {
    const target = makeTarget({ ...shape, ...HERE });
    const random = new Random(7);
    const draw = (): number => random.uniform() - 0.5;
    let inside = 0;
    for (let n = 0; n < 600; n++) {
      // some in planes of symmetry and on the axis
      const x = [draw(), draw(), draw() + 0.1].map((v, a) =>
        n % 7 === a || n % 11 === a ? 0 : 0.6 * v,
      );
      target.measure(Float64Array.from(x), 0);
      const [gap, normal] = [target.gap[0], [...target.normal]];
      if (gap < 0) inside++;
      assert.ok(Math.abs(Math.hypot(...normal) - 1) < 1e-14);
      const over = (d: readonly number[]): number =>
        d.reduce((sum, v, a) => sum + v * x[a], 0) - support(shape, d);
      assert.ok(Math.abs(over(normal) - gap) < 1e-14, `${gap} of ${over(normal)} m at ${x.join()}`);
      for (let m = 0; m < 50; m++) {
        const d = [draw(), draw(), draw()];
        const unit = d.map((v) => v / Math.hypot(...d));
        assert.ok(over(unit) < gap + 1e-14, `${over(unit)} above ${gap} m at ${x.join()}`);
      }
    }
    assert.ok(inside > 5 && inside < 590, `${inside} inside`);
  });
}

test('a frustum: side, ends and rims by hand', () => {
  // its side rises 4 where it goes in 3
  const target = makeTarget({ kind: 'frustum', radius: 5, topRadius: 2, length: 4, ...HERE });
  for (const [place, gap, normal] of [
    [[3.5, 0, 2], 0, [0.8, 0, 0.6]],
    [[3.5 + 0.8, 0, 2 + 0.6], 1, [0.8, 0, 0.6]],
    [[0, 3.5 - 0.08, 2 - 0.06], -0.1, [0, 0.8, 0.6]],
    [[1, 1, 4.5], 0.5, [0, 0, 1]],
    [[0, 5 + 3, -4], 5, [0, 0.6, -0.8]],
    [[2 + 0.21, 0, 4.28], 0.35, [0.6, 0, 0.8]],
    [[1, 0, 0.25], -0.25, [0, 0, -1]],
  ] as const) {
    target.measure(Float64Array.from(place), 0);
    assert.ok(Math.abs(target.gap[0] - gap) < 1e-14, `${target.gap[0]} of ${gap}`);
    for (let a = 0; a < 3; a++) assert.ok(Math.abs(target.normal[a] - normal[a]) < 1e-14);
  }
});

test('the side of a capsule is that of a cylinder, its caps are balls', () => {
  const capsule = makeTarget({ kind: 'capsule', radius: 0.2, length: 0.4, ...HERE });
  const cylinder = makeTarget({ kind: 'cylinder', radius: 0.2, length: 9, ...HERE });
  const ball = makeTarget({ kind: 'sphere', radius: 0.2, position: [0, 0, 0] });
  const random = new Random(3);
  for (let k = 0; k < 100; k++) {
    const [x, y, z] = [0, 1, 2].map(() => 0.6 * (random.uniform() - 0.5));
    const same = (at: number, other: Solid, shift: number): void => {
      capsule.measure(Float64Array.of(x, y, at), 0);
      other.measure(Float64Array.of(x, y, at - shift), 0);
      assert.equal(capsule.gap[0], other.gap[0]);
      assert.deepEqual([...capsule.normal].map(Math.abs), [...other.normal].map(Math.abs));
    };
    same(0.5 * z, cylinder, 0);
    same(0.2 + Math.abs(z), ball, 0.2);
  }
});

/** Bodies of unit cubes: two, an L, a pocket with a corner inside, a ring, stairs with a hole below. */
const BODIES: readonly (readonly (readonly [number, number, number])[])[] = [
  [
    [0, 0, 0],
    [1, 0, 0],
  ],
  [
    [0, 0, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
  [0, 1, 2, 3, 4, 5, 6].map((k) => [k & 1, (k >> 1) & 1, k >> 2] as const),
  [0, 1, 2, 3, 5, 6, 7, 8].map((k) => [k % 3, Math.floor(k / 3), 0] as const),
  [
    [0, 0, 0],
    [1, 0, 0],
    [2, 0, 0],
    [2, 0, 1],
    [2, 1, 1],
    [2, 1, 2],
  ],
];

for (const [k, cubes] of BODIES.entries()) {
  test(`body ${k} of cells beside the mesh of its surface: heights and normals`, () => {
    const cells = makeTarget({ kind: 'cells', cells: voxelCells(cubes, PLACE) });
    const surface = makeTarget({ kind: 'surface', mesh: voxelMesh(cubes), ...PLACE });
    const random = new Random(11 + k);
    let [inside, turned] = [0, 0];
    for (let n = 0; n < 3000; n++) {
      const cube = cubes[n % cubes.length];
      // in and about a cube, close to its sides, and on the cuts
      const near = n % 3 === 0 ? 1.2 : n % 3 === 1 ? 1.01 : 0.5;
      const own = cube.map((c) => {
        const x = near * (random.uniform() - 0.5);
        return c + (n % 3 === 1 ? Math.sign(x) * 0.5 + 0.02 * (random.uniform() - 0.5) : x);
      });
      if (n % 13 === 0) own[0] = cube[0] + 0.5;
      const place = toBody(own);
      cells.measure(place, 0);
      surface.measure(place, 0);
      if (surface.gap[0] < 0) inside++;
      const off = Math.abs(cells.gap[0] - surface.gap[0]);
      assert.ok(off < 2e-7, `${cells.gap[0]} and ${surface.gap[0]} m at ${own.join()}`);
      const along = cells.normal.reduce((sum, x, a) => sum + x * surface.normal[a], 0);
      // where two sides are as near, either is right
      if (along < 1 - 1e-6) turned++;
    }
    assert.ok(inside > 500, `${inside} inside`);
    assert.ok(turned < 0.02 * 3000, `${turned} normals differ`);
  });
}

for (const [k, cubes] of BODIES.entries()) {
  test(`the mesh of body ${k}: places within rounding of its corners, whatever was asked before`, () => {
    const mesh = voxelMesh(cubes);
    // corners that are no whole numbers
    const vertices = mesh.vertices.map((x, c) => 0.3 * x + 0.1 * (1 + (c % 3)));
    const [near, strayed] = [0, 1].map(() =>
      makeTarget({ kind: 'surface', mesh: { ...mesh, vertices }, ...HERE }),
    );
    const random = new Random(3);
    for (let n = 0; n < 1000; n++) {
      const v = 3 * Math.floor((random.uniform() * vertices.length) / 3);
      const corner = vertices.slice(v, v + 3);
      const far = corner.map((x) => x + 0.1 * (random.uniform() - 0.5));
      const place = corner.map((x) => x * (1 + Math.round(4 * random.uniform() - 2) * 2 ** -52));
      near.measure(place, 0);
      strayed.measure(far, 0);
      strayed.measure(place, 0);
      assert.ok(Math.abs(near.gap[0]) < 1e-14, `${near.gap[0]} m`);
      assert.ok(Math.abs(Math.hypot(...near.normal) - 1) < 1e-14, near.normal.join());
      assert.equal(strayed.gap[0], near.gap[0]);
      assert.deepEqual(strayed.normal, near.normal);
    }
  });
}

/** A place of the cubes in the frame of the body. */
function toBody(own: readonly number[]): Float64Array {
  const [x, y, z, w] = PLACE.orientation;
  const [u, v, t] = own;
  const cross = [y * t - z * v, z * u - x * t, x * v - y * u];
  const [p, q, r] = cross;
  const twice = [y * r - z * q, z * p - x * r, x * q - y * p];
  return Float64Array.from(own, (c, a) => PLACE.position[a] + c + 2 * (w * cross[a] + twice[a]));
}

test('a box cut in two is the box, to the last digits', () => {
  const size = [0.3, 0.4, 0.5] as const;
  const box = makeTarget({ kind: 'box', size, ...HERE });
  const half = (name: string, side: number): CellModel => ({
    name,
    shape: { kind: 'box', size: [0.15, 0.4, 0.5] },
    position: [side * 0.075, 0, 0],
    orientation: [0, 0, 0, 1],
  });
  const cut = makeTarget({ kind: 'cells', cells: [half('left', -1), half('right', 1)] });
  const random = new Random(5);
  for (let k = 0; k < 1000; k++) {
    const place = Float64Array.from(size, (side) => 1.4 * side * (random.uniform() - 0.5));
    if (k % 5 === 0) place[0] = k % 2 ? 0 : 1e-12;
    box.measure(place, 0);
    cut.measure(place, 0);
    assert.ok(Math.abs(cut.gap[0] - box.gap[0]) < 1e-15, `${cut.gap[0]} of ${box.gap[0]} m`);
    // a place beside the cut is as far from the other half
    const off = 1e-13 + 1e-12 / Math.abs(box.gap[0]);
    for (let a = 0; a < 3; a++) assert.ok(Math.abs(cut.normal[a] - box.normal[a]) < off);
  }
});

test('a plate with a bore, and what is left of a ball less a ball', () => {
  const cells: readonly CellModel[] = [
    {
      name: 'plate',
      shape: {
        kind: 'boolean',
        common: [
          { shape: { kind: 'box', size: [1, 1, 0.2] }, ...HERE },
          { shape: { kind: 'bore', radius: 0.2 }, ...HERE },
        ],
        without: [
          {
            shape: { kind: 'sphere', radius: 0.3 },
            position: [0.5, 0, 0.1],
            orientation: [0, 0, 0, 1],
          },
        ],
      },
      ...HERE,
    },
  ];
  const plate = makeTarget({ kind: 'cells', cells });
  for (const [place, gap, normal] of [
    [[0, 0.15, 0], 0.05, [0, -1, 0]],
    [[0, 0.25, 0], -0.05, [0, -1, 0]],
    [[-0.3, 0.3, 0.09], -0.01, [0, 0, 1]],
    // a hollow of 0.3 about (0.5, 0, 0.1)
    [[0.5, 0, -0.1], 0.1, [0, 0, 1]],
    [[0.5, 0, 0.1], 0.3, null],
    [[0.4, Math.sqrt(0.31 ** 2 - 0.1 ** 2 - 0.01 ** 2), 0.09], -0.01, null],
  ] as const) {
    plate.measure(Float64Array.from(place), 0);
    assert.ok(Math.abs(plate.gap[0] - gap) < 1e-14, `${plate.gap[0]} of ${gap} at ${place.join()}`);
    if (normal === null) continue;
    for (let a = 0; a < 3; a++) assert.ok(Math.abs(plate.normal[a] - normal[a]) < 1e-12);
  }
});

const OBLIQUE: ElasticScene = {
  height: 1.3e-5,
  velocity: [0.02, 0, -0.05],
  aside: [0.01, 0.004],
  turns: true,
  friction: { kind: 'coulomb', stiction: 0.3, coulomb: 0.2 },
};

/** The scene with a target, and cells on its table. */
function over(target: object, cells: readonly object[] = []): SystemModel {
  return elasticScene({ ...OBLIQUE, target, cells });
}

function flown(model: SystemModel): Float64Array {
  const run = makeSystem(model);
  const state = new Float64Array(13);
  for (let k = 0; k < 20; k++) assert.equal(run.step(H), 0);
  run.readBody(1, state, 0);
  return state;
}

/** A slab of 2 × 2 × 1 m under the table, as an STL file in millimetres. */
function slabFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'berth-')), 'slab.stl');
  const { vertices, triangles } = voxelMesh([[0, 0, 0]]);
  const size = [2000, 2000, 1000];
  const scaled = vertices.map((x, k) => x * size[k % 3]);
  writeFileSync(file, encodeStl({ vertices: scaled, triangles }));
  return file;
}

test('flights over cells and over a mesh file are that over the plane', () => {
  const plane = flown(elasticScene(OBLIQUE));
  assert.ok(plane[9] > 0.01, 'it came off');
  const half = (y: number): object => ({
    shape: { kind: 'box', size_m: [2, 1, 1] },
    position_m: [0, y, -0.5],
  });
  // the cut is under the face
  const others = [
    over({ kind: 'cells' }, [half(-0.5), half(0.5)]),
    over({ kind: 'cells' }, [{ shape: { kind: 'half-space' } }]),
    over({ kind: 'file', file: slabFile(), scale: 0.001, position_m: [0, 0, -0.5] }),
    over({ kind: 'frustum', radius_m: 2, top_radius_m: 1, length_m: 1, position_m: [0, 0, -1] }),
    over({ kind: 'beam', length_m: 1, width_m: 1, thickness_m: 1, position_m: [0, 0, -0.5] }),
  ];
  for (const model of others) {
    for (const [e, value] of flown(model).entries()) {
      assert.ok(Math.abs(value - plane[e]) < 1e-9, `${e}: ${value} and ${plane[e]}`);
    }
  }
});

test('refused: cells of a body that has none, files that are missing or open', () => {
  assert.throws(
    () => over({ kind: 'cells' }),
    /body "table" to have cells, as contacts\[0\]\.pair\.target\.kind is cells, got none/,
  );
  assert.throws(() => over({ kind: 'file', file: '/none.stl' }), /there is no file/);
  const open = slabFile();
  const { vertices, triangles } = voxelMesh([[0, 0, 0]]);
  writeFileSync(open, encodeStl({ vertices, triangles: triangles.slice(3) }));
  assert.throws(() => over({ kind: 'file', file: open }), /pair\.target|open/);
  assert.throws(
    () =>
      makeSystem({
        ...over({ kind: 'cells' }, [{ shape: { kind: 'half-space' } }]),
        contacts: bare(),
      }),
    /target\.cells.*to have a cell at least/,
  );
});

test('refused: surfaces of a program that have no inside', () => {
  const scene = elasticScene(OBLIQUE);
  const [contact] = scene.contacts;
  assert.ok(contact.pair.kind === 'patch');
  const { pair } = contact;
  const { vertices, triangles } = voxelMesh([[0, 0, 0]]);
  const numberless = vertices.map((x, k) => (k === 5 ? NaN : x));
  for (const [mesh, problem] of [
    [{ vertices: numberless, triangles }, /mesh\.vertices to be three finite numbers/],
    [{ vertices: vertices.slice(3), triangles }, /mesh\.triangles to be three indices/],
    [{ vertices, triangles: triangles.slice(3) }, /mesh\.triangles to close a volume/],
    [{ vertices, triangles: triangles.slice(0, 0) }, /mesh\.triangles to close a volume/],
    [{ vertices, triangles: triangles.toReversed() }, /mesh\.triangles to close a volume/],
  ] as const) {
    const target = { kind: 'surface', mesh, ...HERE } as const;
    assert.throws(
      () => makeSystem({ ...scene, contacts: [{ ...contact, pair: { ...pair, target } }] }),
      problem,
    );
  }
});

/** Contacts of a program that gave no cells. */
function bare(): SystemModel['contacts'] {
  const [contact] = elasticScene(OBLIQUE).contacts;
  assert.ok(contact.pair.kind === 'patch');
  return [{ ...contact, pair: { ...contact.pair, target: { kind: 'cells', cells: [] } } }];
}
