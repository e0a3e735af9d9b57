/** Bodies reduced to points of a face: compliance of the full mesh, closed forms of a beam, areas, mass, modes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BerthError } from '../../../src/base/errors.ts';
import { assembleFem } from '../../../src/fem/assembly.ts';
import { contactFace } from '../../../src/fem/contact-face.ts';
import { contactPoints } from '../../../src/fem/contact-points.ts';
import { meshStructure } from '../../../src/fem/elastic-structure.ts';
import type { FemMesh } from '../../../src/fem/fem-mesh.ts';
import { solidGrid } from '../../../src/fem/grid-meshes.ts';
import { pressStiffness } from '../../../src/fem/press.ts';
import { reduceBody } from '../../../src/fem/reduce-body.ts';
import { jacobiEigen } from '../../../src/math/jacobi-eigen.ts';
import { factorize, solveFactored } from '../../../src/math/lu.ts';
import { finger } from '../../fixtures/elastic-files.ts';

const aluminium = { young: 7e10, poisson: 0.33, density: 2700 };
const clamped = (mesh: FemMesh) => ({
  mesh,
  material: aluminium,
  state: 'solid' as const,
  held: mesh.nodeSets['FLANGE'].flatMap((node) => [0, 1, 2].map((axis) => ({ node, axis }))),
});

test('C is that of the full matrix by LU, to 1e-10, symmetric and positive definite; loads spread over many nodes', () => {
  for (const kind of ['hex8', 'tet4', 'tet10'] as const) {
    const mesh = finger(kind, 4, 2, 1);
    const model = clamped(mesh);
    const points = contactPoints(contactFace(mesh, 'PAD'), 4);
    assert.equal(points.length, 4);
    const { compliance } = reduceBody(meshStructure(model), points, 0, 0);
    const { stiffness, freedom, size } = assembleFem(model);
    const full = Float64Array.from({ length: size * size }, (_, e) =>
      stiffness.at(Math.floor(e / size), e % size),
    );
    const pivots = new Int32Array(size);
    assert.ok(factorize(full, size, pivots));
    const n = 3 * points.length;
    const scale = Math.max(...compliance);
    for (let j = 0; j < n; j++) {
      const u = new Float64Array(size);
      const point = points[Math.floor(j / 3)];
      for (const [k, node] of point.nodes.entries()) {
        u[freedom[3 * node + (j % 3)]] += point.shares[k];
      }
      solveFactored(full, size, pivots, u, 0);
      for (let i = 0; i < n; i++) {
        const { nodes, shares } = points[Math.floor(i / 3)];
        const mean = nodes.reduce(
          (sum, node, k) => sum + shares[k] * u[freedom[3 * node + (i % 3)]],
          0,
        );
        assert.ok(Math.abs(mean - compliance[n * i + j]) < 1e-10 * scale, `${kind} ${i} ${j}`);
        assert.equal(compliance[n * i + j], compliance[n * j + i]);
      }
    }
    assert.ok(jacobiEigen(Float64Array.from(compliance), n).values[0] > 0);
  }
});

test('a finger of 80 × 20 × 10 mm: stiffness and first mode of a beam, mass, centre, inertia', () => {
  const mesh = finger('tet10', 8, 2, 1);
  const points = contactPoints(contactFace(mesh, 'PAD'), 32);
  const body = reduceBody(meshStructure(clamped(mesh)), points, 3, 0.01);
  // pressed over the last 10 mm without turning: between a load at 75 mm and one at the end; Euler and Bernoulli, thickness 10 mm
  const bending = 7e10 * ((0.02 * 0.01 ** 3) / 12);
  const stiffness = pressStiffness(body, 10);
  assert.ok(stiffness > (3 * bending) / 0.08 ** 3 && stiffness < (12 * bending) / 0.07 ** 3);
  // a unit load at the points, moved by Euler and Bernoulli a² (3 x − a)/(6 E I), and 4 % of shear; a root that is held across too
  // and the mesh make it up to 5 % stiffer
  const n = points.length;
  for (const [i, { place }] of points.entries()) {
    const [a] = place;
    const beam = a ** 3 / (3 * bending);
    const own = body.compliance[3 * n * (3 * i + 2) + 3 * i + 2];
    assert.ok(own > 0.95 * beam && own < 1.15 * beam, `${own / beam}`);
  }
  // (1.8751)² √(E I/(ρ A L⁴)), in both directions; shear and the wide root change it by few percent
  const tone = 1.8751 ** 2 * Math.sqrt(bending / (2700 * 2e-4 * 0.08 ** 4));
  assert.ok(
    Math.abs(body.modes[0].frequency / tone - 1) < 0.03,
    `${body.modes[0].frequency / tone}`,
  );
  assert.ok(Math.abs(body.modes[1].frequency / (2 * tone) - 1) < 0.08);
  // share of the mass in the first bending mode of a cantilever: 0.613
  const mass = 2700 * 0.08 * 0.02 * 0.01;
  assert.ok(Math.abs(body.modes[0].participation[2] ** 2 / mass / 0.613 - 1) < 0.03);
  const rigid = (i: number, j: number): number => body.rigidMass[6 * i + j];
  assert.ok(Math.abs(rigid(0, 0) / mass - 1) < 1e-12);
  // e_z × x moves along y by x: first moment m L/2; about z ∫ x² + y²
  assert.ok(Math.abs(rigid(1, 5) / (mass * 0.04) - 1) < 1e-12);
  assert.ok(Math.abs(rigid(5, 5) / ((mass * (0.08 ** 2 + 0.02 ** 2)) / 3) - 1) < 1e-12);
  assert.ok(Math.abs(rigid(2, 4) / (-mass * 0.04) - 1) < 1e-12);
});

test('static compliance less the modes stays positive: what remains has no mass', () => {
  const mesh = finger('hex8', 6, 2, 1);
  const points = contactPoints(contactFace(mesh, 'PAD'), 6);
  const { compliance, modes } = reduceBody(meshStructure(clamped(mesh)), points, 6, 0);
  const n = 3 * points.length;
  const rest = Float64Array.from(compliance);
  for (const { frequency, shape } of modes) {
    for (let e = 0; e < n * n; e++) {
      rest[e] -= (shape[Math.floor(e / n)] * shape[e % n]) / frequency ** 2;
    }
  }
  assert.ok(jacobiEigen(rest, n).values[0] > 0);
});

test('areas and normals of a face: a flat one of every element, a quarter of a cylinder', () => {
  for (const kind of ['hex8', 'tet4', 'tet10'] as const) {
    const face = contactFace(finger(kind, 4, 2, 1), 'PAD');
    const area = face.weights.reduce((sum, w) => sum + w, 0);
    assert.ok(Math.abs(area / 4e-4 - 1) < 1e-12, kind);
    for (let k = 0; k < face.nodes.length; k++) {
      assert.ok(Math.abs(face.vectors[3 * k + 2] - face.weights[k]) < 1e-18, kind);
    }
  }
  const round = solidGrid('hex8', 1, 16, 1, (u, v, w) => {
    const angle = (v * Math.PI) / 2;
    const r = 0.02 + 0.01 * w;
    return [u * 0.03, r * Math.cos(angle), -r * Math.sin(angle)];
  });
  // the map turns the body inside out unless the angle runs the other way
  const outer = [...Array(round.coordinates.length / 3).keys()].filter(
    (node) =>
      Math.abs(Math.hypot(...round.coordinates.subarray(3 * node + 1, 3 * node + 3)) - 0.03) < 1e-9,
  );
  const face = contactFace({ ...round, nodeSets: { OUTER: outer } }, 'OUTER');
  const area = face.weights.reduce((sum, w) => sum + w, 0);
  // chords in place of the arc: (sin x)/x with x = π/64
  const x = Math.PI / 64;
  assert.ok(Math.abs(area / (0.03 * 0.03 * (Math.PI / 2) * (Math.sin(x) / x)) - 1) < 1e-12);
  for (const { normal, place } of contactPoints(face, 64)) {
    const r = Math.hypot(place[1], place[2]);
    const along = (normal[1] * place[1] + normal[2] * place[2]) / r;
    assert.ok(along > Math.cos(x) - 1e-12, `${along}`);
  }
});

test('a pressed flat plate: the force of the stiffness, and of a ridge first one line of points', () => {
  // independent springs of 1e-6 m/N: heights 0, 0 and −1 mm
  const body = {
    points: [0, 0, 0, 0, 1, 0, 0, 2, -1e-3],
    normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
    areas: [1, 1, 1],
    compliance: Array.from({ length: 81 }, (_, e) => (e % 10 === 0 ? 1e-6 : 0)),
    modes: [],
  };
  assert.ok(Math.abs(pressStiffness(body, 100) / 2e6 - 1) < 1e-12);
  // the third one is reached at 2 × 1000 N
  assert.ok(Math.abs(pressStiffness(body, 2001) / 3e6 - 1) < 1e-12);
});

test('what cannot be reduced is refused by its field', () => {
  const mesh = finger('hex8', 2, 1, 1);
  const model = clamped(mesh);
  const points = contactPoints(contactFace(mesh, 'PAD'), 8);
  const refused = (make: () => unknown, words: RegExp): void => {
    assert.throws(make, (error) => error instanceof BerthError && words.test(error.message));
  };
  refused(() => reduceBody(meshStructure({ ...model, held: [] }), points, 0, 0), /moves node/);
  refused(
    () => contactFace({ ...mesh, nodeSets: { PAD: [0, 7] } }, 'PAD'),
    /to have points, got 2/,
  );
  refused(() => contactFace(mesh, 'PADS'), /set of nodes of the mesh \(FLANGE, PAD\)/);
  const all = [...Array(mesh.coordinates.length / 3).keys()];
  const around = contactFace({ ...mesh, nodeSets: { PAD: all } }, 'PAD');
  refused(() => contactPoints(around, 1), /normals that cancel/);
  const root = contactPoints(contactFace(mesh, 'FLANGE'), 4);
  refused(() => reduceBody(meshStructure(model), root, 0, 0), /which is clamped/);
  refused(() => reduceBody({ ...meshStructure(model), mass: null }, points, 1, 0), /no mass/);
  refused(() => reduceBody(meshStructure(model), points, 1.5, 0), /modes to be a whole number/);
});
