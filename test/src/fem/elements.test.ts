/** Elements: volumes and moments in closed form, the degenerate QUAD4, refusal of what is no mesh. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assembleFem } from '../../../src/fem/assembly.ts';
import { ElementMatrices } from '../../../src/fem/element-matrices.ts';
import { ELEMENT_RULES, type ElementKind } from '../../../src/fem/element-rules.ts';
import { elasticityMatrix } from '../../../src/fem/elasticity.ts';
import { checkFemMesh, type FemMesh, nodeSet } from '../../../src/fem/fem-mesh.ts';
import { planeGrid, solidGrid } from '../../../src/fem/grid-meshes.ts';
import { staticFactors } from '../../../src/fem/statics.ts';
import { BerthError } from '../../../src/base/errors.ts';

const steel = { young: 2e11, poisson: 0.3, density: 7800 };

test('shape functions add up to 1 and their slopes to 0 at every point', () => {
  for (const [kind, rule] of Object.entries(ELEMENT_RULES)) {
    for (const points of [rule.stiffness, rule.mass]) {
      for (let p = 0; p < points.weights.length; p++) {
        let sum = 0;
        const slope = new Array<number>(rule.dimension).fill(0);
        for (let a = 0; a < rule.nodes; a++) {
          sum += points.values[p * rule.nodes + a];
          for (let c = 0; c < rule.dimension; c++) {
            slope[c] += points.slopes[(p * rule.nodes + a) * rule.dimension + c];
          }
        }
        assert.ok(Math.abs(sum - 1) < 1e-15, kind);
        // slopes of the quadratic shape reach 3 and cancel: some units of rounding each
        for (const value of slope) assert.ok(Math.abs(value) < 2e-15, `${kind} ${value}`);
      }
    }
  }
});

/** Total mass and ∫ ρ x x dV of a mesh. */
function moments(mesh: FemMesh, state: 'plane-stress' | 'axisymmetric' | 'solid'): number[] {
  const { scalarMass, place, dimension } = assembleFem({
    mesh,
    material: { ...steel, density: 1 },
    state,
    thickness: 0.5,
  });
  let mass = 0;
  let second = 0;
  const count = mesh.coordinates.length / dimension;
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) {
      const value = scalarMass.at(place[a], place[b]);
      mass += value;
      second += value * mesh.coordinates[dimension * a] * mesh.coordinates[dimension * b];
    }
  }
  return [mass, second];
}

test('mass and second moment are those of the body: box, plate and cylinder', () => {
  const near = (computed: number, exact: number): void =>
    assert.ok(Math.abs(computed / exact - 1) < 1e-13, `${computed} ${exact}`);
  for (const kind of ['quad4', 'cst'] as const) {
    const [mass, second] = moments(
      planeGrid(kind, 3, 2, (u, v) => [2 * u, 3 * v]),
      'plane-stress',
    );
    near(mass, 3);
    near(second, (0.5 * 3 * 8) / 3);
  }
  for (const kind of ['hex8', 'tet4', 'tet10'] as const) {
    const box = solidGrid(kind, 2, 2, 2, (u, v, w) => [2 * u, 3 * v, 4 * w]);
    const [mass, second] = moments(box, 'solid');
    near(mass, 24);
    near(second, (12 * 8) / 3);
  }
  const [mass] = moments(
    planeGrid('axisymmetric-quad4', 3, 2, (u, v) => [2 * u, 3 * v]),
    'axisymmetric',
  );
  near(mass, Math.PI * 4 * 3);
});

test('a QUAD4 that names a node twice is the CST: stiffness and mass', () => {
  const coordinates = Float64Array.from([0, 0, 2, 0.3, 0.4, 1.5]);
  const matrix = elasticityMatrix(steel, 'plane-strain');
  const folded = assembleFem({
    mesh: {
      dimension: 2,
      coordinates,
      blocks: [{ kind: 'quad4', nodes: Int32Array.from([0, 1, 2, 2]) }],
      nodeSets: {},
    },
    material: steel,
    state: 'plane-strain',
  });
  const element = new ElementMatrices(coordinates, 2);
  const nodes = Int32Array.from([0, 1, 2]);
  element.computeStiffness('cst', nodes, 0, matrix, 'plane-strain', 1);
  element.computeMass('cst', nodes, 0, steel.density, 'plane-strain', 1);
  for (let a = 0; a < 6; a++) {
    for (let b = 0; b < 6; b++) {
      const value = folded.stiffness.at(folded.freedom[a], folded.freedom[b]);
      assert.ok(Math.abs(value - element.stiffness[6 * a + b]) < 1e-14 * 5e11, `${a} ${b}`);
    }
  }
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 3; b++) {
      const value = folded.scalarMass.at(folded.place[a], folded.place[b]);
      assert.ok(Math.abs(value / element.mass[3 * a + b] - 1) < 1e-13);
    }
  }
});

test('under uniform tension every element stretches by F/(E A) and contracts by ν times that', () => {
  for (const kind of ['hex8', 'tet4', 'tet10'] as const) {
    const mesh = solidGrid(kind, 2, 1, 1, (u, v, w) => [2 * u, v, w]);
    const held: { node: number; axis: number }[] = [];
    for (let node = 0; node < mesh.coordinates.length / 3; node++) {
      for (let axis = 0; axis < 3; axis++) {
        if (mesh.coordinates[3 * node + axis] === 0) held.push({ node, axis });
      }
    }
    const free = assembleFem({ mesh, material: steel, state: 'solid' });
    const part = assembleFem({ mesh, material: steel, state: 'solid', held });
    // forces of the exact linear field, so that the load is consistent for every kind
    const strain = [1e-3, -3e-4, -3e-4];
    const field = new Float64Array(free.size);
    const load = new Float64Array(free.size);
    for (let c = 0; c < mesh.coordinates.length; c++) {
      field[free.freedom[c]] = strain[c % 3] * mesh.coordinates[c];
    }
    free.stiffness.multiply(field, load);
    const u = new Float64Array(part.size);
    let pull = 0;
    for (let c = 0; c < mesh.coordinates.length; c++) {
      if (part.freedom[c] < 0) continue;
      u[part.freedom[c]] = load[free.freedom[c]];
      if (c % 3 === 0 && mesh.coordinates[c] === 2) pull += load[free.freedom[c]];
    }
    assert.ok(Math.abs(pull / (steel.young * 1e-3) - 1) < 1e-12, kind);
    staticFactors(part).solve(u);
    for (let c = 0; c < mesh.coordinates.length; c++) {
      if (part.freedom[c] < 0) continue;
      const error = u[part.freedom[c]] - strain[c % 3] * mesh.coordinates[c];
      assert.ok(Math.abs(error) < 1e-13, `${kind} ${error}`);
    }
  }
});

const square: FemMesh = planeGrid('quad4', 1, 1, (u, v) => [u, v]);
const refused = (mesh: FemMesh, code: string, words: RegExp): void => {
  assert.throws(
    () => checkFemMesh(mesh),
    (error) => error instanceof BerthError && error.code === code && words.test(error.message),
  );
};

test('what is no mesh is refused by element, node or field', () => {
  const block = (kind: ElementKind, nodes: number[]): FemMesh => ({
    ...square,
    blocks: [{ kind, nodes: Int32Array.from(nodes) }],
  });
  refused(block('quad4', [0, 2, 3, 1]), 'BERTH_PARAMETER_RANGE', /element 0.*order of its nodes/);
  refused(block('cst', [0, 1, 3]), 'BERTH_MISMATCH', /node 2/);
  refused(block('quad4', [0, 1, 3, 7]), 'BERTH_PARAMETER_RANGE', /0 to 3, got 7/);
  refused(block('quad4', [0, 1, 3]), 'BERTH_PARAMETER_RANGE', /4 nodes of each quad4/);
  refused(block('tet4', [0, 1, 2, 3]), 'BERTH_PARAMETER_RANGE', /nodes of each tet4/);
  refused(
    { ...square, coordinates: Float64Array.from([0, 0, 1, 0, 0, NaN, 1, 1]) },
    'BERTH_PARAMETER_RANGE',
    /finite/,
  );
  refused({ ...square, nodeSets: { tip: [4] } }, 'BERTH_PARAMETER_RANGE', /nodeSets.tip/);
  assert.throws(() => nodeSet(square, 'tip'), /it has none/);
});

test('a body that is not held is refused, with a node that it can move', () => {
  const held = [{ node: 0, axis: 0 }];
  const matrices = assembleFem({ mesh: square, material: steel, state: 'plane-stress', held });
  assert.throws(
    () => staticFactors(matrices),
    (error) => error instanceof BerthError && /moves node \d along [xy]/.test(error.message),
  );
});
