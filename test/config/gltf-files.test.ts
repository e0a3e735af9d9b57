/** Mesh files of glTF wherever a scenario takes one: cells, facets, convex shapes; and a robot of URDF. What is refused, by field. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Document, WebIO } from '@gltf-transform/core';
import { loadRobot } from '../../config/robot.ts';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { BerthError } from '../../src/base/errors.ts';
import { makeSystem } from '../../src/index.ts';
import type { TriangleMesh } from '../../src/shapes/triangle-mesh.ts';
import { angle, cube, turned } from '../fixtures/meshes.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-gltf-'));
after(() => {
  rmSync(folder, { recursive: true });
});

async function write(name: string, mesh: TriangleMesh, animated = false): Promise<void> {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (array: Float32Array | Uint32Array, type: 'VEC3' | 'SCALAR') =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor(Float32Array.from(mesh.vertices), 'VEC3'))
    .setIndices(accessor(Uint32Array.from(mesh.triangles), 'SCALAR'));
  const node = document.createNode().setMesh(document.createMesh().addPrimitive(primitive));
  document.createScene().addChild(node);
  if (animated) {
    const sampler = document
      .createAnimationSampler()
      .setInput(accessor(Float32Array.of(0, 1), 'SCALAR'))
      .setOutput(accessor(Float32Array.of(0, 0, 0, 1, 0, 0), 'VEC3'));
    const channel = document.createAnimationChannel().setSampler(sampler).setTargetNode(node);
    channel.setTargetPath('translation');
    document.createAnimation('lid').addSampler(sampler).addChannel(channel);
  }
  writeFileSync(join(folder, name), await new WebIO().writeBinary(document));
}

before(async () => {
  const box = cube([-0.02, -0.02, -0.02], [0.02, 0.02, 0.02]);
  await write('box.glb', box);
  await write('lid.glb', box, true);
  await write('angle.glb', angle(1));
  await write('large.glb', cube([0, 0, 0], [40, 40, 40]));
  await write('open.glb', { ...box, triangles: box.triangles.slice(3) });
  await write(
    'inside-out.glb',
    turned(box, () => true),
  );
  await write('sheet.glb', { vertices: box.vertices, triangles: box.triangles.slice(0, 6) });
});

/** A part of some shape above a plate. */
function scenario(parts: { cells?: string; pair?: string }): string {
  const path = join(folder, 'part.yaml');
  const volumetric = parts.pair === undefined;
  writeFileSync(
    path,
    `name: part
title: Part
description: A part on a plate.
gravity_mps2: [0, 0, -9.81]
bodies:
  - name: plate
    kind: fixed
    ${volumetric ? 'cells: [{ shape: { kind: half-space } }]' : ''}
  - name: part
    kind: dynamic
    mass_kg: 1
    inertia: { kind: tensor, moments_kg_m2: [1e-3, 1e-3, 1e-3] }
    position_m: [0, 0, 25 mm]
    ${volumetric ? `cells: [${parts.cells ?? '{ file: box.glb }'}]` : ''}
contacts:
  - name: c
    body_i: part
    body_j: plate
    pair: ${parts.pair ?? '{ kind: volumetric }'}
    normal_law: ${
      volumetric
        ? '{ kind: volumetric, stiffness_N_per_m3: 1e9, restitution: 0.5 }'
        : '{ kind: kelvin-voigt, stiffness_N_per_m: 1e5, damping_N_s_per_m: 10 }'
    }
    friction_law: { kind: none }
integration: { kind: implicit-contact, step_s: 1 ms }
duration_s: 0.1
`,
  );
  return path;
}

function refused(path: string, message: RegExp): void {
  assert.throws(
    () => loadScenario(path),
    (error) => {
      assert.ok(error instanceof BerthError, String(error));
      assert.match(error.message, message);
      return true;
    },
  );
}

test('a cell out of a .glb file, one that is inside out as well', () => {
  for (const name of ['box.glb', 'inside-out.glb']) {
    const model = compileScenario(loadScenario(scenario({ cells: `{ file: ${name} }` })));
    const [cell] = model.bodies[1].cells ?? [];
    assert.ok(cell.shape.kind === 'mesh');
    assert.equal(cell.shape.vertices.length, 8);
    assert.deepEqual([...new Set(cell.shape.vertices.flat().map(Math.abs))], [Math.fround(0.02)]);
  }
});

test('facets and convex shapes of a .glb file carry the part', () => {
  const box = '{ shape: { kind: mesh, file: box.glb } }';
  const plate = '{ shape: { kind: box, size_m: [0.2, 0.2, 0.1] }, position_m: [0, 0, -50 mm] }';
  const pair = `{ kind: faceted, shape_i: ${box}, shape_j: ${plate}, standoff_m: 2 mm }`;
  const facets = compileScenario(loadScenario(scenario({ pair }))).contacts[0].pair;
  assert.ok(facets.kind === 'faceted' && facets.shapeI.shape.kind === 'polygons');
  assert.equal(facets.shapeI.shape.polygons.length, 6);

  const shape = '{ shape: { kind: mesh, file: box.glb } }';
  const model = compileScenario(
    loadScenario(scenario({ pair: `{ kind: convex, shape_i: ${shape}, shape_j: ${plate} }` })),
  );
  const { pair: convex } = model.contacts[0];
  assert.ok(convex.kind === 'convex' && convex.shapeI.shape.kind === 'mesh');
  assert.equal(convex.shapeI.shape.vertices.length, 8);
  makeSystem(model);
});

test('files at fault are refused with the field, the fault and the remedy', () => {
  const cell = (text: string, message: RegExp): void =>
    refused(scenario({ cells: `{ ${text} }` }), message);
  cell('file: lid.glb', /lid\.glb, animations\[0\]: .*"lid".*export it without animations/);
  cell('file: none.glb', /there is no file ".*none\.glb"/);
  cell('file: large.glb', /at most 20 m large without a scale, got 40; .*write scale: 0\.001/);
  cell('file: open.glb', /the surface is open: 3 edges/);
  cell('file: angle.glb', /berth decompose/);
  const plate = '{ shape: { kind: box, size_m: [0.2, 0.2, 0.1] } }';
  const convex = (file: string, message: RegExp): void => {
    const shape = `{ shape: { kind: mesh, file: ${file} } }`;
    const pair = `{ kind: convex, shape_i: ${shape}, shape_j: ${plate} }`;
    refused(scenario({ pair }), message);
  };
  convex('lid.glb', /animations\[0\]/);
  convex('sheet.glb', /the surface is open/);
  convex('part.yaml', /ends in \.stl, \.obj, \.glb or \.gltf/);
});

test('a robot is drawn by its .glb', () => {
  const path = join(folder, 'robot.urdf');
  writeFileSync(
    path,
    `<robot name="one"><link name="base"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="box.glb" scale="2 2 2"/></geometry></visual></link></robot>`,
  );
  const { drawing } = loadRobot(path);
  const corners = drawing
    .flat()
    .flatMap(({ shape }) => (shape.kind === 'mesh' ? shape.vertices.flat() : []));
  assert.equal(corners.length, 24);
  assert.ok(corners.every((value) => Math.abs(Math.abs(value) - 0.04) < 1e-8));
});
