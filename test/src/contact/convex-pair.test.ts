/** The convex pair as a contact: radii of the table, the point and normal, motion with laws, bad shapes, scenario files. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ballMesh } from '../../../server/validation/ball-mesh.ts';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario, scenarioFile } from '../../../config/scenario.ts';
import { checkModel, makeSystem } from '../../../src/index.ts';
import type {
  ConvexPairModel,
  ConvexShapeModel,
  NormalLawModel,
  PlacedShape,
  Triple,
} from '../../../src/index.ts';
import { GAP, KINEMATICS, NORMAL, POINT } from '../../../src/contact/pair.ts';
import { CONVEX, ConvexPair } from '../../../src/contact/pairs/convex.ts';
import { contactRadius, effectiveRadius } from '../../../src/shapes/contact-radius.ts';
import { massProperties } from '../../../src/shapes/mass-properties.ts';
import { smoothingRadius } from '../../../src/shapes/make-core.ts';
import { placed, Pose, SHAPES } from '../../fixtures/convex-models.ts';
import { body, contact, system } from '../../fixtures/models.ts';

const ball = (radius: number): PlacedShape => placed({ kind: 'sphere', radius });
const box = (...size: [number, number, number]): PlacedShape => placed({ kind: 'box', size });

test('contact radii of the table, and the worked numbers of the Modia3D sheet as far as they are geometry', () => {
  const cube: ConvexShapeModel = {
    kind: 'mesh',
    vertices: Array.from({ length: 8 }, (_, k): Triple => [k & 1, (k >> 1) & 1, (k >> 2) * 2]),
  };
  const radii: [ConvexShapeModel, number][] = [
    [{ kind: 'sphere', radius: 0.1 }, 0.1],
    [{ kind: 'ellipsoid', size: [0.1, 0.02, 0.03] }, 0.01],
    [{ kind: 'box', size: [3, 2, 5] }, 1],
    [{ kind: 'cylinder', radius: 0.1, length: 0.1 }, 0.05],
    [{ kind: 'cylinder', radius: 0.1, length: 0.3 }, 0.1],
    [{ kind: 'frustum', radius: 0.1, topRadius: 0.05, length: 0.3 }, 0.075],
    [{ kind: 'capsule', radius: 0.04, length: 0.3 }, 0.04],
    [{ kind: 'beam', length: 1, width: 0.2, thickness: 0.1 }, 0.05],
    [cube, 0.5],
  ];
  for (const [shape, radius] of radii) {
    assert.ok(Math.abs(contactRadius(placed(shape)) / radius - 1) < 1e-15, shape.kind);
    assert.equal(contactRadius(placed(shape, { contactRadius: 0.7 })), 0.7);
  }
  const ellipsoid = placed({ kind: 'ellipsoid', size: [0.1, 0.02, 0.02] });
  const worked: [string, PlacedShape, PlacedShape, number][] = [
    ['W1', ball(0.1), box(4, 0.1, 0.7), 0.42163702135578],
    ['W3', ball(0.1), ball(0.1), (4 / 3) * Math.sqrt(0.05)],
    ['W6', ball(0.03), box(3, 0.5, 0.02), 0.2309401076758503],
    ['W7', ball(0.03), ball(0.03), 0.1632993161855452],
    ['W8', ellipsoid, box(1, 1, 1), 0.1333333333333333],
    ['W9', box(3, 2, 5), box(0.5, 0.5, 0.5), 0.5962847939999438],
  ];
  for (const [name, i, j, factor] of worked) {
    for (const radius of [effectiveRadius(i, j), effectiveRadius(j, i)]) {
      const c = (4 / 3) * Math.sqrt(radius);
      assert.ok(Math.abs(c / factor - 1) < 1e-14, `${name}: ${c}`);
    }
    assert.equal(
      CONVEX.effectiveRadius({ kind: 'convex', shapeI: i, shapeJ: j }),
      effectiveRadius(i, j),
    );
  }
});

test('the contact radius of a mesh does not fall when the mesh is refined', () => {
  const radiusOf = (vertices: readonly Triple[]): number =>
    contactRadius(placed({ kind: 'mesh', vertices }));
  const ball = (cuts: number): Triple[] => {
    const { vertices } = ballMesh(0.1, cuts);
    return Array.from(
      { length: vertices.length / 3 },
      (_, k): Triple => [vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]],
    );
  };
  // a ball of radius 0.1 m as 20 · 4ⁿ triangles; the least extent of an icosahedron is φ/√(1 + φ²) of its diameter
  const golden = 0.5 + 0.5 * Math.sqrt(5);
  const radii = [0, 2, 4].map((level) => radiusOf(ball(level)));
  assert.ok(Math.abs(radii[0] - (0.1 * golden) / Math.sqrt(1 + golden * golden)) < 1e-16);
  // the middles of six edges lie on the axes
  for (const radius of radii.slice(1)) assert.ok(Math.abs(radius - 0.1) < 1e-16, `${radius}`);
  const flat: Triple[] = [0, 1, 2, 3, 4, 5, 6, 7].map((k): Triple => [k & 1, k >> 2, k & 2]);
  const thin = radiusOf(flat.map(([x, y, z]): Triple => [x + 5, y * 0.02 - 3, z]));
  assert.ok(Math.abs(thin - 0.01) < 1e-15); // rounding of 3
});

test('the smoothing radius is 1 mm, at most a tenth of the smallest dimension', () => {
  assert.equal(smoothingRadius(box(1, 1, 1)), 1e-3);
  assert.equal(smoothingRadius(box(1, 1, 0.004)), 0.1 * 0.004);
  assert.equal(
    smoothingRadius(
      placed({ kind: 'beam', length: 1, width: 1, thickness: 1 }, { smoothing: 0.02 }),
    ),
    0.02,
  );
  assert.equal(smoothingRadius(placed({ kind: 'cylinder', radius: 1e-3, length: 1 })), 2e-4);
  assert.equal(smoothingRadius(ball(1)), 0);
});

test('the normal points from j to i, the point is the mean of both surfaces, poses of shapes count', () => {
  const k = new Float64Array(KINEMATICS);
  const i = new Pose();
  const j = new Pose();
  const quarter = Math.SQRT1_2;
  // the ball 0.03 beside its body, the plate turned by a quarter about x and 0.2 below its body
  const pair = new ConvexPair({
    kind: 'convex',
    shapeI: { ...ball(0.1), position: [0, 0.03, 0] },
    shapeJ: { ...box(2, 0.1, 2), position: [0, 0, -0.2], orientation: [quarter, 0, 0, quarter] },
  });
  i.state.set([0.3, 0.2, 1 - 0.2 + 0.05 + 0.1 - 4e-4]);
  j.state.set([0, 0, 1]);
  pair.compute(i, j, k);
  // 4e-4 m deep; rounding of coordinates of 1 m, 2e-16, in a few operations
  assert.ok(Math.abs(k[GAP] + 4e-4) < 2e-15);
  [0, 0, 1].forEach((want, a) => assert.ok(Math.abs(k[NORMAL + a] - want) < 1e-14));
  [0.3, 0.23, 0.85 - 2e-4].forEach((want, a) => assert.ok(Math.abs(k[POINT + a] - want) < 1e-14));
  const back = new ConvexPair({
    kind: 'convex',
    shapeI: { ...box(2, 0.1, 2), position: [0, 0, -0.2], orientation: [quarter, 0, 0, quarter] },
    shapeJ: { ...ball(0.1), position: [0, 0.03, 0] },
  });
  const m = new Float64Array(KINEMATICS);
  back.compute(j, i, m);
  for (let a = 0; a < 3; a++) {
    assert.ok(Math.abs(m[NORMAL + a] + k[NORMAL + a]) < 1e-15);
    assert.ok(Math.abs(m[POINT + a] - k[POINT + a]) < 1e-15);
  }
});

const LAW: NormalLawModel = {
  kind: 'modia3d',
  contactModulus: 1e9,
  restitution: 0.7,
  smallVelocity: 0.01,
  maximumDamping: 100,
  reductionFactor: 1e-2,
};

test('a ball on a box bounces as on a plane', () => {
  const run = (pair: Parameters<typeof contact>[2]): Float64Array => {
    const drop = makeSystem(
      system({
        gravity: [0, 0, -9.81],
        bodies: [body('ball', 'dynamic', { position: [0.01, 0.02, 0.2] }), body('ground', 'fixed')],
        contacts: [contact('ball', 'ground', { ...pair, normalLaw: LAW })],
      }),
    );
    const out = new Float64Array(13);
    for (let n = 0; n < 1000; n++) assert.equal(drop.step(1e-3), 0);
    drop.readBody(0, out, 0);
    return out;
  };
  const plane = run({
    pair: { kind: 'sphere-plane', radius: 0.1, center: [0, 0, 0], normal: [0, 0, 1], offset: 0 },
  });
  const shapes: ConvexPairModel = {
    kind: 'convex',
    shapeI: ball(0.1),
    shapeJ: { ...box(1, 1, 1), position: [0, 0, -0.5] },
  };
  // the gap rounds to 1e-16 m of depths of 1e-3 m; bounces amplify that by less than 1e3
  run({ pair: shapes }).forEach((value, a) =>
    assert.ok(Math.abs(value - plane[a]) < 1e-10, `${a}`),
  );
});

test('A13: two free bodies of any shapes keep momentum and angular momentum in a collision', () => {
  const shapes = Object.entries(SHAPES);
  for (const [index, [first, a]] of shapes.entries()) {
    for (const [second, b] of shapes.slice(index)) {
      const inertia = (shape: ConvexShapeModel): Parameters<typeof body>[2] => {
        const m = massProperties(shape, 1000);
        return { mass: m.mass, inertia: m.inertia };
      };
      const about = (shape: ConvexShapeModel): Triple =>
        massProperties(shape, 1000).center.map((x) => -x) as unknown as Triple;
      const run = makeSystem(
        system({
          integrator: 'rk4',
          bodies: [
            body('one', 'dynamic', {
              ...inertia(a),
              position: [0.02, 0.03, 0.35],
              velocity: [0, 0, -2],
              angularVelocity: [1, 2, 0],
              orientation: [0.5, 0.5, 0.1, 0.7],
            }),
            body('two', 'dynamic', { ...inertia(b), angularVelocity: [0, -1, 3] }),
          ],
          contacts: [
            contact('one', 'two', {
              pair: {
                kind: 'convex',
                shapeI: { ...placed(a), position: about(a) },
                shapeJ: { ...placed(b), position: about(b) },
              },
              normalLaw: { kind: 'kelvin-voigt', stiffness: 1e5, damping: 20 },
              frictionLaw: {
                kind: 'regularized-coulomb',
                coulomb: 0.5,
                regularization: 'modia3d',
                velocityTolerance: 0.05,
              },
            }),
          ],
        }),
      );
      const force = new Float64Array(40);
      const wrench = [new Float64Array(6), new Float64Array(6)];
      let pushed = 0;
      for (let n = 0; n < 300; n++) {
        assert.equal(run.step(5e-4), 0);
        run.readContact(0, force, 0);
        if (force[3] > 1) pushed++;
        run.contactWrench(0, 0, 0, 0, wrench[0], 0);
        run.contactWrench(1, 0, 0, 0, wrench[1], 0);
        for (let k = 0; k < 6; k++) {
          assert.ok(Math.abs(wrench[0][k] + wrench[1][k]) <= 1e-12 * Math.abs(force[3]));
        }
      }
      assert.ok(pushed > 10, `${first} – ${second}: ${pushed} steps in contact`);
      const state = [new Float64Array(13), new Float64Array(13)];
      state.forEach((x, k) => {
        run.readBody(k, x, 0);
      });
      const masses = [a, b].map((shape) => massProperties(shape, 1000).mass);
      [0, 0, -2].forEach((v, k) => {
        const momentum = masses[0] * state[0][7 + k] + masses[1] * state[1][7 + k];
        // equal and opposite forces: rounding of 300 steps
        assert.ok(
          Math.abs(momentum - masses[0] * v) < 1e-12 * masses[0] * 2,
          `${first} – ${second}`,
        );
      });
    }
  }
});

test('shapes that cannot be are refused with field, value and reason', () => {
  const refuse = (shape: object, field: string, message: RegExp, parts: object = {}): void => {
    const pair = {
      kind: 'convex',
      shapeI: ball(0.1),
      shapeJ: { ...placed(shape as ConvexShapeModel), ...parts },
    };
    assert.throws(
      () =>
        checkModel(
          system({
            bodies: [body('a', 'fixed'), body('b', 'fixed')],
            contacts: [contact('a', 'b', { pair: pair as ConvexPairModel })],
          }),
        ),
      { name: 'BerthError', field: `contact a-b.pair.shapeJ.${field}`, message },
    );
  };
  const { NaN: nan } = Number;
  refuse({ kind: 'sphere', radius: 0 }, 'shape.radius', /> 0, got 0/);
  refuse({ kind: 'sphere', radius: nan }, 'shape.radius', /got NaN/);
  refuse({ kind: 'box', size: [1, 1, 0] }, 'shape.size[2]', /without thickness.* got 0/);
  refuse({ kind: 'ellipsoid', size: [1, -1, 1] }, 'shape.size[1]', /got -1/);
  refuse({ kind: 'ellipsoid', size: [1, 1] }, 'shape.size', /3 numbers, got 2/);
  refuse({ kind: 'cylinder', radius: 1, length: 0 }, 'shape.length', /without thickness/);
  refuse(
    { kind: 'capsule', radius: 1, length: Number.POSITIVE_INFINITY },
    'shape.length',
    /got Infinity/,
  );
  const frustum = { kind: 'frustum', radius: 1, topRadius: 0, length: 1 };
  refuse({ ...frustum, topRadius: -0.1 }, 'shape.topRadius', />= 0 .*got -0.1/);
  refuse({ ...frustum, topRadius: 1 }, 'shape.topRadius', /below the radius of the base, 1, got 1/);
  refuse({ ...frustum, length: nan }, 'shape.length', /got NaN/);
  refuse({ kind: 'beam', length: 1, width: 1, thickness: 0 }, 'shape.thickness', /got 0/);
  const flat = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ];
  refuse({ kind: 'mesh', vertices: flat }, 'shape.vertices.length', />= 4 vertices, got 3/);
  refuse({ kind: 'mesh', vertices: [...flat, [0.3, 0.4, 0]] }, 'shape.vertices', /span a volume/);
  refuse({ kind: 'mesh', vertices: [...flat, [0.3, nan, 1]] }, 'shape.vertices[3]', /got NaN/);
  refuse({ kind: 'torus' }, 'shape.kind', /one of sphere, .*got "torus"/);
  refuse(SHAPES.box, 'smoothing', />= 0, got -1/, { smoothing: -1 });
  refuse(SHAPES.box, 'contactRadius', /> 0, got 0/, { contactRadius: 0 });
  refuse(SHAPES.box, 'orientation', /length 1/, { orientation: [0, 0, 0, 2] });
  refuse(SHAPES.box, 'position', /got NaN/, { position: [0, nan, 0] });
});

test('a scenario file describes any shape', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-convex-'));
  const shapes = [
    'kind: sphere, radius_m: 10 cm',
    'kind: ellipsoid, size_m: [0.3, 0.2, 15 cm]',
    'kind: box, size_m: [0.3, 0.2, 0.1]',
    'kind: cylinder, radius_m: 0.1, length_m: 0.25',
    'kind: frustum, radius_m: 0.1, top_radius_m: 0.05, length_m: 0.2',
    'kind: capsule, radius_m: 0.06, length_m: 0.2',
    'kind: beam, length_m: 0.2, width_m: 0.1, thickness_m: 60 mm',
    'kind: mesh, vertices_m: [[-0.1, -0.1, -0.05], [0.15, -0.1, -0.05], [0, 0.15, -0.05], [0, 0, 0.1], [0.05, 0.05, 0.08]]',
  ];
  try {
    const text = readFileSync(scenarioFile('ball-on-incline'), 'utf8');
    const from = /kind: sphere-plane[\s\S]*?offset_m: 0.4/;
    const write = (shape: string): string => {
      const file = join(folder, 'convex.yaml');
      writeFileSync(
        file,
        text.replace(
          from,
          `kind: convex
      shape_i: { shape: { ${shape} }, contact_radius_m: 3 cm }
      shape_j: { shape: { kind: box, size_m: [4, 4, 1] }, position_m: [0, 0, -0.5], smoothing_m: 2 mm, orientation: { kind: axis-angle, axis: [0, 0, 2], angle_rad: 90 deg } }`,
        ),
      );
      return file;
    };
    shapes.forEach((shape, n) => {
      const { pair } = compileScenario(loadScenario(write(shape))).contacts[0];
      assert.ok(pair.kind === 'convex');
      assert.deepEqual(pair.shapeI.shape, Object.values(SHAPES)[n]);
      assert.equal(pair.shapeI.contactRadius, 0.03);
      assert.equal(pair.shapeI.smoothing, 1e-3);
      assert.equal(pair.shapeJ.smoothing, 2e-3);
      assert.equal(pair.shapeJ.contactRadius, undefined);
      assert.ok(Math.abs(pair.shapeJ.orientation[2] - Math.SQRT1_2) < 1e-15);
    });
    assert.throws(() => loadScenario(write('kind: torus')), /allowed: sphere, ellipsoid, box/);
    assert.throws(() => loadScenario(write('kind: sphere, radius_m: 0')), /above 0/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
