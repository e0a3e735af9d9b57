/** Sets of convex pieces and mesh files of a convex pair: the contacts that they become, and what is refused and where. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { pieceDoubts } from '../../config/piece-doubts.ts';
import { loadScenario, scenarioFile } from '../../config/scenario.ts';
import { ConfigError, type ConfigIssue } from '../../config/yaml-source.ts';
import { CONTACT_READOUT, ContactReadout } from '../../src/contact/contact-readout.ts';
import { makeSystem } from '../../src/index.ts';
import type { ConvexPairModel, SystemModel } from '../../src/model/model.ts';
import { CONVEX } from '../../src/contact/pairs/convex.ts';
import { angle, asStl, asStlText, cube, together } from '../fixtures/meshes.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-pieces-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'brick.stl'), asStl(cube([0, 0, 0], [200, 100, 50])));
const two = together(cube([0, 0, 0], [100, 100, 50]), cube([150, 0, 0], [250, 100, 30]));
writeFileSync(join(folder, 'two.stl'), asStl(two));
writeFileSync(join(folder, 'angle.stl'), asStlText(angle(1)));

const BALL = '{ shape: { kind: sphere, radius_m: 0.1 } }';

function loaded(
  shapeI: string,
  shapeJ: string,
  ...changes: string[]
): ReturnType<typeof loadScenario> {
  const text = readFileSync(scenarioFile('ball-on-incline'), 'utf8');
  const pair = `kind: convex\n      shape_i: ${shapeI}\n      shape_j: ${shapeJ}`;
  const file = join(folder, 'pieces.yaml');
  writeFileSync(file, text.replace(/kind: sphere-plane[\s\S]*?offset_m: 0.4/, pair));
  return loadScenario(file, changes);
}

const compiled = (i: string, j: string, ...changes: string[]): SystemModel =>
  compileScenario(loaded(i, j, ...changes));

const pairsOf = (model: SystemModel): ConvexPairModel[] =>
  model.contacts.map(({ pair }) => pair as ConvexPairModel);

function issueOf(i: string, j: string): ConfigIssue {
  try {
    loaded(i, j);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.issues[0];
  }
  assert.fail('accepted');
}

const box = (z: number, size = 0.2): string =>
  `{ shape: { kind: box, size_m: [${size}, ${size}, ${size}] }, position_m: [0, 0, ${z}] }`;

test('each piece of i with each piece of j is a contact with a name, a radius and a place of its own', () => {
  const one = compiled(BALL, box(0));
  assert.deepEqual(
    one.contacts.map(({ name }) => name),
    ['ball-incline'],
  );
  const set = compiled(
    BALL,
    `{ position_m: [1, 0, 0], orientation: { kind: axis-angle, axis: [0, 0, 1], angle_rad: 90 deg },
       pieces: [ ${box(0)}, { shape: { kind: ellipsoid, size_m: [0.3, 0.2, 0.1] }, position_m: [0.5, 0, 0], contact_radius_m: 7 mm } ] }`,
  );
  assert.deepEqual(
    set.contacts.map(({ name }) => name),
    ['ball-incline.1', 'ball-incline.2'],
  );
  const [first, second] = pairsOf(set);
  assert.deepEqual(first.shapeJ.position, [1, 0, 0]);
  second.shapeJ.position.forEach((x, k) => assert.ok(Math.abs(x - [1, 0.5, 0][k]) < 1e-15));
  assert.equal(CONVEX.effectiveRadius(first), 0.1);
  const small = 7e-3;
  assert.ok(Math.abs(CONVEX.effectiveRadius(second) - (0.1 * small) / (0.1 + small)) < 1e-17);
  const both = `{ pieces: [ ${box(0)}, ${box(1)} ] }`;
  assert.deepEqual(
    compiled(both, both).contacts.map(({ name }) => name.slice('ball-incline.'.length)),
    ['1-1', '1-2', '2-1', '2-2'],
  );
});

test('a mesh file is its convex parts, in metres, with radii of their own', () => {
  const mesh = (file: string): string =>
    `{ shape: { kind: mesh, file: ${file}, scale: 0.001 }, position_m: [0, 0, -0.05] }`;
  const [brick, ...none] = pairsOf(compiled(BALL, mesh('brick.stl')));
  assert.equal(none.length, 0);
  assert.ok(brick.shapeJ.shape.kind === 'mesh' && brick.shapeJ.shape.vertices.length === 8);
  // 1/R of a ball of 0.1 m and of half of the 50 mm, as a mesh is not flat
  assert.ok(Math.abs(1 / CONVEX.effectiveRadius(brick) - (1 / 0.1 + 1 / 0.025)) < 1e-12);
  const parts = pairsOf(compiled(BALL, mesh('two.stl')));
  assert.equal(parts.length, 2);
  const radii = parts.map((pair) => 1 / (1 / CONVEX.effectiveRadius(pair) - 10));
  assert.ok(Math.abs(radii[0] - 0.025) < 1e-12 && Math.abs(radii[1] - 0.015) < 1e-12);
});

test('a ball on two pieces: each has its own impact speed, and twice the stiffness carries it', () => {
  const law =
    'contacts.0.normal_law={kind: restitution-slope-hertz, stiffness_N_per_m1_5: 1e6, restitution_slope_s_per_m: 5}';
  const more = [
    law,
    'contacts.0.friction_law={kind: none}',
    'bodies.0.orientation={kind: identity}',
  ];
  const start = 'bodies.1.position_m=[0, 0, 0.15]';
  const still = 'bodies.1.velocity_mps=[0, 0, 0]';
  const cut = (at: number): string =>
    `{ shape: { kind: box, size_m: [1, 1, 0.1] }, position_m: [${at}, 0, -0.05] }`;
  const depth = (j: string): number => {
    const run = makeSystem(compiled(BALL, j, ...more, start, still));
    for (let n = 0; n < 3000; n++) run.step(1e-3);
    const row = new Float64Array(CONTACT_READOUT.length);
    let weight = 0;
    for (let k = 0; k < run.contactCount; k++) {
      run.readContact(k, row, 0);
      weight += row[ContactReadout.normalForce];
    }
    assert.ok(Math.abs(weight / (2 * 9.81) - 1) < 1e-6, `${weight} N`);
    return row[ContactReadout.penetration];
  };
  const whole = depth(cut(0));
  const halves = depth(`{ pieces: [ ${cut(0)}, ${cut(1e-3)} ] }`); // the ball is on both
  assert.ok(Math.abs(whole - (19.62 / 1e6) ** (2 / 3)) < 1e-5 * whole);
  assert.ok(Math.abs(halves / whole - 0.5 ** (2 / 3)) < 1e-5, `${halves} m of ${whole} m`);
});

test('pieces that touch each other are warned of, others are not', () => {
  const set = (...z: number[]): string => `{ pieces: [ ${z.map((at) => box(at)).join(', ')} ] }`;
  assert.deepEqual(pieceDoubts(loaded(BALL, set(0, 0.3))), []);
  assert.deepEqual(pieceDoubts(loaded(BALL, box(0))), []);
  const [words, ...rest] = pieceDoubts(loaded(set(0, 0.2, 5), BALL));
  assert.equal(rest.length, 0);
  assert.match(words, /^contacts\[0\][.]pair[.]shape_i: 2 of 3 pieces touch each other/);
});

test('a side that cannot be is refused at its field', () => {
  const refuse = (side: string, path: RegExp, message: RegExp): void => {
    const issue = issueOf(BALL, side);
    assert.match(issue.path, path);
    assert.match(issue.message, message);
    assert.match(issue.where, /pieces[.]yaml:\d+:\d+/);
  };
  refuse('{ position_m: [0, 0, 0] }', /shape_j$/, /either a shape or pieces, got neither/);
  refuse(`{ shape: { kind: sphere, radius_m: 1 }, pieces: [ ${BALL} ] }`, /shape_j$/, /got both/);
  refuse('{ pieces: [] }', /pieces$/, /at least 1/);
  refuse('{ shape: { kind: mesh } }', /shape$/, /got none of them/);
  refuse('{ shape: { kind: mesh, file: gone.stl } }', /file$/, /no file/);
  refuse(
    '{ shape: { kind: mesh, file: brick.stl } }',
    /scale$/,
    /at most 20 m large without a scale/,
  );
  refuse('{ shape: { kind: mesh, file: angle.stl } }', /shape_j[.]shape/, /berth decompose/);
  const points = 'vertices_m: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]';
  refuse(`{ shape: { kind: mesh, ${points}, file: brick.stl } }`, /shape$/, /vertices_m and file/);
  refuse(
    `{ pieces: [ ${BALL}, { shape: { kind: frustum, radius_m: 1, top_radius_m: 2, length_m: 1 } } ] }`,
    /pieces\[1\][.]shape[.]top_radius_m/,
    /below the radius of the base, 1, got 2/,
  );
  const many = `{ pieces: [ ${Array.from({ length: 17 }, (_, k) => box(k)).join(', ')} ] }`;
  const issue = issueOf(many, many);
  assert.match(issue.message, /at most 256 contacts, got 17 pieces against 17/);
});
