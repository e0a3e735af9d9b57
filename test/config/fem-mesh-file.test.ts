/** Meshes of Gmsh and Abaqus files: read back as written, and refused by line and field. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseFemMesh, readFemMesh } from '../../config/fem-mesh-file.ts';
import { BerthError } from '../../src/base/errors.ts';
import { assembleFem } from '../../src/fem/assembly.ts';
import type { FemMesh } from '../../src/fem/fem-mesh.ts';
import { planeGrid, solidGrid } from '../../src/fem/grid-meshes.ts';

/** Gmsh 2.2: one unit tetrahedron of ten nodes in millimetres, with a named face, as Gmsh orders its nodes. */
const TET10 = `$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 7 "base"
3 1 "body"
$EndPhysicalNames
$Comments
nothing
$EndComments
$Nodes
10
1 0 0 0
2 1000 0 0
3 0 1000 0
4 0 0 1000
15 500 0 0
6 500 500 0
7 0 500 0
8 0 0 500
9 0 500 500
10 500 0 500
$EndNodes
$Elements
2
1 9 2 7 3 1 3 2 7 6 15
2 11 2 1 1 1 2 3 4 15 6 7 8 9 10
$EndElements
`;
/** Gmsh 4.1: a square of two triangles, a named edge. */
const SQUARE = `$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
1
1 5 "left"
$EndPhysicalNames
$Entities
0 1 1 0
3 0 0 0 0 1 0 1 5 0
1 0 0 0 1 1 0 0 0
$EndEntities
$Nodes
2 4 1 4
1 3 0 2
1
2
0 0 0
0 1 0
2 1 0 2
3
4
1 0 0
1 1 0
$EndNodes
$Elements
2 3 1 3
1 3 1 1
1 1 2
2 1 2 2
2 1 3 4
3 1 4 2
$EndElements
`;
/** CalculiX: two tetrahedra of ten nodes, the lines of an element broken. */
const ABAQUS = `** written by hand
*HEADING
 anything, = 1
*NODE, NSET=ALL
1, 0., 0., 0.
2, 1., 0., 0.
3, 0., 1., 0.
4, 0., 0., 1.
5, .5, 0., 0.
6, .5, .5, 0.
7, 0., .5, 0.
8, 0., 0., .5
9, .5, 0., .5
10, 0., .5, .5
*ELEMENT, TYPE=C3D10, ELSET=E
1, 1, 2, 3, 4, 5, 6, 7,
8, 9, 10
** sets
*NSET, NSET=FLANGE
1, 2, 3
*NSET, NSET=MORE, GENERATE
5, 9, 2
*NSET, NSET=BOTH
FLANGE, 8
*MATERIAL, NAME=AL
*ELASTIC
7e10, .33
`;

const volume = (mesh: FemMesh): number => {
  const { scalarMass } = assembleFem({
    mesh,
    material: { young: 1, poisson: 0.3, density: 1 },
    state: mesh.dimension === 3 ? 'solid' : 'plane-stress',
  });
  let sum = 0;
  for (let a = 0; a < scalarMass.size; a++) {
    for (let b = 0; b < scalarMass.size; b++) sum += scalarMass.at(a, b);
  }
  return sum;
};

test('a tetrahedron of ten nodes has its volume and its middles in both formats', () => {
  for (const mesh of [parseFemMesh(TET10, 'a.msh', 1e-3), parseFemMesh(ABAQUS, 'a.inp', 1)]) {
    assert.equal(mesh.dimension, 3);
    assert.ok(Math.abs(volume(mesh) - 1 / 6) < 1e-15);
    const { kind, nodes } = mesh.blocks[0];
    assert.equal(kind, 'tet10');
    const edges = [
      [0, 1],
      [1, 2],
      [2, 0],
      [0, 3],
      [1, 3],
      [2, 3],
    ];
    for (const [e, [i, j]] of edges.entries()) {
      for (let axis = 0; axis < 3; axis++) {
        const x = (corner: number): number => mesh.coordinates[3 * nodes[corner] + axis];
        assert.ok(Math.abs(x(4 + e) - (x(i) + x(j)) / 2) < 1e-15, `${e}`);
      }
    }
  }
  assert.deepEqual(parseFemMesh(TET10, 'a.msh', 1).nodeSets, {
    base: [0, 2, 1, 6, 5, 4],
    body: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  });
  const { nodeSets } = parseFemMesh(ABAQUS, 'a.inp', 1);
  assert.deepEqual(nodeSets['FLANGE'], [0, 1, 2]);
  assert.deepEqual(nodeSets['MORE'], [4, 6, 8]);
  assert.deepEqual(nodeSets['BOTH'], [0, 1, 2, 7]);
  assert.equal(nodeSets['ALL'].length, 10);
});

test('format 4.1 has entities: nodes by block, names by entity', () => {
  const mesh = parseFemMesh(SQUARE, 'square.msh', 2);
  assert.equal(mesh.dimension, 2);
  assert.deepEqual([...mesh.coordinates], [0, 0, 0, 2, 2, 0, 2, 2]);
  assert.deepEqual([...mesh.blocks[0].nodes], [0, 2, 3, 0, 3, 1]);
  assert.deepEqual(mesh.nodeSets, { left: [0, 1] });
  assert.ok(Math.abs(volume(mesh) - 4) < 1e-14);
});

/** The text of a mesh without middles. */
function written(mesh: FemMesh, format: 'gmsh' | 'abaqus'): string {
  const d = mesh.dimension;
  const points = Array.from({ length: mesh.coordinates.length / d }, (_, k) => {
    const x = [...mesh.coordinates.subarray(d * k, d * k + d), 0].slice(0, 3);
    return [k + 1, ...x];
  });
  const { kind, nodes } = mesh.blocks[0];
  const size = { quad4: 4, cst: 3, tet4: 4, hex8: 8 }[kind as 'quad4'];
  const elements = Array.from({ length: nodes.length / size }, (_, e) =>
    [...nodes.subarray(size * e, size * (e + 1))].map((node) => node + 1),
  );
  if (format === 'abaqus') {
    const type = { quad4: 'CPS4R', cst: 'CPE3', tet4: 'C3D4', hex8: 'C3D8I' }[kind as 'quad4'];
    return `*Node\n${points.map((p) => p.join(', ')).join('\n')}\n*Element, type=${type}\n${elements.map((e, k) => [k + 1, ...e].join(', ')).join('\n')}\n`;
  }
  const type = { quad4: 3, cst: 2, tet4: 4, hex8: 5 }[kind as 'quad4'];
  return `$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n${points.length}\n${points.map((p) => p.join(' ')).join('\n')}\n$EndNodes\n$Elements\n${elements.length}\n${elements.map((e, k) => [k + 1, type, 2, 0, 1, ...e].join(' ')).join('\n')}\n$EndElements\n`;
}

test('what is written is read back, bit by bit, from a file too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-mesh-'));
  try {
    for (const mesh of [
      planeGrid('quad4', 3, 2, (u, v) => [u + 0.1 * v, v]),
      planeGrid('cst', 3, 2, (u, v) => [u, v / 3]),
      solidGrid('tet4', 2, 1, 1, (u, v, w) => [u, v, w + 0.1 * u]),
      solidGrid('hex8', 2, 1, 1, (u, v, w) => [u, v, w]),
    ]) {
      for (const format of ['gmsh', 'abaqus'] as const) {
        const path = join(folder, 'mesh');
        writeFileSync(path, written(mesh, format));
        assert.deepEqual(readFemMesh(path, 1), mesh);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('each fault is refused with its line, its field and a code', () => {
  const cases: readonly (readonly [string, string | RegExp, string, string, RegExp])[] = [
    [TET10, '2.2 0 8', '2.2 1 8', 'BERTH_UNSUPPORTED', /^f:2: Expected the file to be text/],
    [
      TET10,
      '2.2 0 8',
      '3 0 8',
      'BERTH_UNSUPPORTED',
      /^f:2: Expected the format to be 2.2 or 4.1, got 3/,
    ],
    [
      TET10,
      '6 500 500 0',
      '6 500 x 0',
      'BERTH_PARAMETER_RANGE',
      /^f:19: Expected a node to be 4 numbers/,
    ],
    [TET10, '6 500 500 0', '15 500 500 0', 'BERTH_DUPLICATE_NAME', /^f:19: .*node numbers.*15/],
    [TET10, '2 11 2', '2 12 2', 'BERTH_UNSUPPORTED', /^f:28: Expected element 2 to be of type/],
    [
      TET10,
      '8 9 10\n',
      '8 9 11\n',
      'BERTH_UNKNOWN_NAME',
      /^f:28: Expected element 2 to name nodes .* got 11/,
    ],
    [
      TET10,
      '8 9 10\n',
      '8 9\n',
      'BERTH_PARAMETER_RANGE',
      /^f:28: Expected element 2 to have 10 nodes/,
    ],
    [
      TET10,
      '1 1 2 3 4 15',
      '1 2 1 3 4 15',
      'BERTH_PARAMETER_RANGE',
      /^f:28: Expected element 2 .*volume > 0/,
    ],
    [TET10, '$EndNodes', '$End', 'BERTH_PARAMETER_RANGE', /^f:24: Expected the end of \$Nodes/],
    [TET10, '2 7 "base"', '2 7 base', 'BERTH_PARAMETER_RANGE', /^f:6: Expected a physical name/],
    [
      TET10,
      '$EndElements\n',
      '',
      'BERTH_PARAMETER_RANGE',
      /\$EndElements before the end of the file/,
    ],
    [TET10, /\$Elements[^]*/, '', 'BERTH_MISSING_FIELD', /Expected the mesh to have elements/],
    [
      SQUARE,
      '3 1 4 2\n',
      '3 1 2 4\n',
      'BERTH_PARAMETER_RANGE',
      /^f:32: Expected element 3 \(cst\) to have a volume/,
    ],
    [
      SQUARE,
      '1 0 0\n1 1 0\n',
      '1 0 0\n1 1 2\n',
      'BERTH_PARAMETER_RANGE',
      /^f:24: Expected z of a mesh in the plane to be 0, got 2/,
    ],
    [ABAQUS, 'C3D10', 'C3D20', 'BERTH_UNSUPPORTED', /^f:15: Expected TYPE .*"C3D20"/],
    [
      ABAQUS,
      '8, 9, 10\n',
      '8, 9\n',
      'BERTH_PARAMETER_RANGE',
      /^f:17: Expected element 1 to have 10 nodes/,
    ],
    [
      ABAQUS,
      '10, 0., .5, .5\n',
      '10, 0., .5, .5\n11, 3., 3., 3.\n',
      'BERTH_MISMATCH',
      /^f:15: Expected every node .* got 11/,
    ],
    [ABAQUS, 'NSET=FLANGE', 'ELSET=FLANGE', 'BERTH_MISSING_FIELD', /^f:19: Expected NSET/],
    [ABAQUS, 'FLANGE, 8', 'FLANG, 8', 'BERTH_PARAMETER_RANGE', /^f:24: Expected set "BOTH"/],
    [ABAQUS, '5, 9, 2', '5, 9, 0', 'BERTH_PARAMETER_RANGE', /^f:22: Expected set "MORE"/],
    [
      ABAQUS,
      '5, 9, 2',
      '5, 90, 2',
      'BERTH_UNKNOWN_NAME',
      /Expected set "MORE" to name nodes of the file, got 11/,
    ],
    [
      ABAQUS,
      '*HEADING',
      '*INCLUDE, INPUT=b.inp',
      'BERTH_UNSUPPORTED',
      /^f:2: Expected the mesh to be of one part/,
    ],
    [
      ABAQUS,
      '4, 0., 0., 1.',
      '4, 0., 0., one',
      'BERTH_PARAMETER_RANGE',
      /^f:8: Expected a node to be numbers/,
    ],
    ['solid', '', '', 'BERTH_UNSUPPORTED', /^f:1: Expected the file to begin with/],
    ['', '', '', 'BERTH_UNSUPPORTED', /^f:1: Expected the file to begin with/],
  ];
  for (const [text, from, to, code, words] of cases) {
    assert.throws(
      () => parseFemMesh(text.replace(from, to), 'f', 1),
      (error) => {
        assert.ok(error instanceof BerthError, `${to}: ${String(error)}`);
        assert.match(error.message, words);
        assert.equal(error.code, code, error.message);
        return true;
      },
    );
  }
  assert.throws(() => parseFemMesh(TET10, 'f', 0), BerthError);
  assert.throws(() => readFemMesh('/nowhere.msh', 1), /there is no such file/);
});
