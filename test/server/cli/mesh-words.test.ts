/** `berth check` on meshes: what they are, which representation fits the period, what is too much and the remedy. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadScenario } from '../../../config/scenario.ts';
import { run } from '../../../server/cli/check.ts';
import { meshWords } from '../../../server/cli/mesh-words.ts';
import { angle, asGltf, asStl, cube, roundMesh } from '../../fixtures/meshes.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-meshes-'));
after(() => {
  rmSync(folder, { recursive: true });
});
writeFileSync(join(folder, 'box.gltf'), asGltf(cube([-0.1, -0.1, -0.2], [0.1, 0.1, 0])));
writeFileSync(join(folder, 'ball.stl'), asStl(roundMesh(0.02, 64, 32)));
writeFileSync(join(folder, 'angle.stl'), asStl(angle(1)));

/** A part of a mesh file above a box. */
function scenario(file: string): string {
  const path = join(folder, 'part.yaml');
  writeFileSync(
    path,
    `name: part
title: Part
description: A part above a box.
bodies:
  - { name: box, kind: fixed, cells: [{ file: box.gltf }] }
  - name: part
    kind: dynamic
    mass_kg: 1
    inertia: { kind: tensor, moments_kg_m2: [1e-3, 1e-3, 1e-3] }
    position_m: [0, 0, 0.5]
contacts:
  - name: c
    body_i: part
    body_j: box
    pair:
      kind: faceted
      shape_i: { shape: { kind: mesh, file: ${file}, scale: 1 } }
      shape_j: { shape: { kind: mesh, file: box.gltf } }
      standoff_m: 1 mm
    normal_law: { kind: restitution-slope-linear, stiffness_N_per_m: 1e5, restitution_slope_s_per_m: 2 }
    friction_law: { kind: none }
integration: { kind: implicit-contact, step_s: 1 ms }
duration_s: 0.01
`,
  );
  return path;
}

/** Runs `berth check`. */
async function checked(...argv: string[]): Promise<{ code: number; err: string }> {
  const { log, error } = console;
  const err: string[] = [];
  console.log = (): void => {};
  console.error = (line: string) => void err.push(line);
  try {
    const code = await run(argv);
    return { code, err: err.join('\n') };
  } finally {
    Object.assign(console, { log, error });
  }
}

test('every mesh is said once, with all that it is taken for and what fits', () => {
  const { facts, doubts } = meshWords(loadScenario(scenario('box.gltf')), 1e-3);
  assert.equal(facts.length, 1);
  assert.match(
    facts[0],
    /box\.gltf: 12 triangles, 6 facets, convex; volumetric, faceted here; fits: volumetric, faceted, sampled after berth field/,
  );
  assert.deepEqual(doubts, []);
});

test('a mesh that bends inward is volumetric after it is cut', () => {
  const other = loadScenario(scenario('box.gltf'));
  const [contact] = other.contacts;
  assert.ok(contact.pair.kind === 'faceted' && contact.pair.shape_i.shape.kind === 'mesh');
  contact.pair.shape_i.shape.file = join(folder, 'angle.stl');
  const words = meshWords(other, 1e-3).facts.join('\n');
  assert.match(
    words,
    /20 triangles, 10 facets, bends inward; faceted here; fits: volumetric after/,
  );
});

test('more facets than the period holds: a doubt, with --time a refusal, with the remedy', async () => {
  const path = scenario('ball.stl');
  const loaded = loadScenario(path);
  const { facts, doubts } = meshWords(loaded, 1e-3);
  assert.match(facts[0], /box\.gltf: 12 triangles/);
  assert.match(facts[1], /ball\.stl: 3968 triangles, \d{4} facets, convex; faceted here/);
  const doubt =
    /ball\.stl is faceted and has \d{4} facets; a period of 1 ms holds bodies of about 2000: berth simplify FILE --triangles 2000, or a sampled pair/;
  assert.match(doubts.join('\n'), doubt);
  const refused = await checked('--time', path);
  assert.equal(refused.code, 2);
  assert.match(refused.err, doubt);
  // twice the period holds it
  assert.deepEqual(meshWords(loaded, 2e-3).doubts, []);
});
