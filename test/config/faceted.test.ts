/** A scenario with a pair of facets: shapes, mesh files, what is refused and where. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { makeSystem } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-faceted-'));
after(() => {
  rmSync(folder, { recursive: true });
});

const OBJ = `v 0 0 0
v 40 0 0
v 40 40 0
v 0 40 0
v 0 0 40
v 40 0 40
v 40 40 40
v 0 40 40
f 1 3 2
f 1 4 3
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 2 3 7
f 2 7 6
f 3 4 8
f 3 8 7
f 4 1 5
f 4 5 8
`;
writeFileSync(join(folder, 'cube.obj'), OBJ);
writeFileSync(join(folder, 'open.obj'), OBJ.replace('f 4 5 8\n', ''));

const FRUSTUM =
  '{ kind: frustum, radius_m: 45 mm, top_radius_m: 15 mm, length_m: 180 mm, around: 24 }';

function scenario(parts: { shape?: string; standoff?: string; more?: string; z?: string }): string {
  const file = join(folder, 'part.yaml');
  const { shape = '{ kind: mesh, file: cube.obj, scale: 0.001 }', standoff = '1 mm' } = parts;
  writeFileSync(
    file,
    `name: part
title: Part
description: A part above a frustum.
gravity_mps2: [0, 0, -9.81]
bodies:
  - { name: cone, kind: fixed }
  - name: part
    kind: dynamic
    mass_kg: 1
    inertia: { kind: tensor, moments_kg_m2: [1e-3, 1e-3, 1e-3] }
    position_m: [-20 mm, -20 mm, ${parts.z ?? '181 mm'}]
contacts:
  - name: c
    body_i: part
    body_j: cone
    pair:
      kind: faceted
      shape_i: { shape: ${shape} }
      shape_j: { shape: ${FRUSTUM} }
      standoff_m: ${standoff}
      ${parts.more ?? ''}
    normal_law: { kind: restitution-slope-linear, stiffness_N_per_m: 1e5, restitution_slope_s_per_m: 2 }
    friction_law: { kind: none }
integration: { kind: implicit-contact, step_s: 1 ms }
duration_s: 0.1
`,
  );
  return file;
}

test('a mesh file becomes merged facets, in metres, and carries its weight', () => {
  const model = compileScenario(loadScenario(scenario({})));
  const { pair } = model.contacts[0];
  assert.ok(pair.kind === 'faceted' && pair.shapeI.shape.kind === 'polygons');
  assert.equal(pair.shapeI.shape.polygons.length, 6);
  assert.equal(Math.max(...pair.shapeI.shape.vertices), 0.04);
  assert.equal(pair.maximumPairs, 256);
  const run = makeSystem(model);
  const out = new Float64Array(40);
  let most = 0;
  for (let n = 0; n < 100; n++) {
    assert.equal(run.step(1e-3), 0);
    run.readContact(0, out, 0);
    most = Math.max(most, out[3]);
  }
  assert.ok(most > 5, `${most} N`);
});

test('what cannot be used is refused with its field, its value and what is allowed', () => {
  const refuses = (parts: Parameters<typeof scenario>[0], pattern: RegExp): void => {
    assert.throws(() => loadScenario(scenario(parts)), pattern);
  };
  const torus = (text: string): string => `{ kind: torus, ${text} }`;
  refuses({ shape: '{ kind: mesh, file: none.obj, scale: 1 }' }, /there is no file/);
  refuses({ shape: '{ kind: mesh, file: open.obj, scale: 0.001 }' }, /the surface is open/);
  refuses(
    { shape: '{ kind: mesh, file: cube.obj }' },
    /at most 20 m large without a scale, got 40/,
  );
  refuses({ standoff: '0 mm' }, /standoff_m/);
  refuses({ standoff: '50 mm' }, /standoff.*below the size of both bodies, 0.04 m, got 0.05/);
  refuses({ more: 'duplicates: some' }, /duplicates/);
  refuses({ more: 'maximum_pairs: 5000' }, /maximum_pairs/);
  refuses({ more: 'reference_area_m2: 0' }, /reference_area_m2/);
  refuses({ z: '170 mm' }, /start outside of each other/);
  refuses(
    { shape: torus('radius_m: 10 mm, tube_radius_m: 20 mm, around: 8, across: 8') },
    /shape_?i.*radius/i,
  );
  refuses({ shape: torus('radius_m: 10 mm, tube_radius_m: 2 mm, around: 2, across: 8') }, /around/);
  refuses({ shape: '{ kind: box, size_m: [0, 1, 1] }' }, /size/);
});
