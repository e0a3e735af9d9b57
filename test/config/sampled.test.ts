/** A scenario with a pair of samples and a field, `berth field`, and what is refused and where. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { run as field } from '../../server/cli/field.ts';
import { makeSystem } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-sampled-'));
after(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);

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
writeFileSync(at('cube.obj'), OBJ);
writeFileSync(at('open.obj'), OBJ.replace('f 4 5 8\n', ''));

/** Lines that the command writes. */
async function made(...argv: string[]): Promise<string> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => lines.push(line);
  try {
    assert.equal(await field(argv), 0);
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}

function scenario(
  parts: { shape?: string; file?: string; more?: string; law?: string; z?: string } = {},
): string {
  const file = at('part.yaml');
  writeFileSync(
    file,
    `name: part
title: Part
description: A cube on a cube.
gravity_mps2: [0, 0, -9.81]
bodies:
  - { name: site, kind: fixed }
  - name: part
    kind: dynamic
    mass_kg: 1
    inertia: { kind: tensor, moments_kg_m2: [1e-3, 1e-3, 1e-3] }
    position_m: [20 mm, 20 mm, ${parts.z ?? '50 mm'}]
contacts:
  - name: c
    body_i: part
    body_j: site
    pair:
      kind: sampled
      shape_i: { shape: ${parts.shape ?? '{ kind: box, size_m: [20 mm, 20 mm, 20 mm] }'} }
      field_j: { file: ${parts.file ?? 'cube.obj, scale: 0.001'} }
      ${parts.more ?? ''}
    normal_law: ${parts.law ?? '{ kind: volumetric, stiffness_N_per_m3: 1e9, restitution: 0.5 }'}
    friction_law: { kind: none }
integration: { kind: implicit-contact, step_s: 1 ms }
duration_s: 0.1
`,
  );
  return file;
}

test('a field is made once, and carries a part at the depth of its foundation', async () => {
  assert.throws(
    () => loadScenario(scenario()),
    /there is no .*cube.obj.field with the distance field of the mesh; run: berth field .*cube.obj/,
  );
  const words = await made(at('cube.obj'), '--scale', '0.001', '--cell', '2 mm');
  assert.match(
    words,
    /cells of 2 mm, \d+ blocks, .* MB, known up to 8 mm, largest error found 0\.\d+ mm/,
  );
  assert.match(await made(at('cube.obj'), '--scale', '0.001', '--cell', '2mm'), /is up to date/);
  const model = compileScenario(loadScenario(scenario()));
  const { pair } = model.contacts[0];
  assert.ok(pair.kind === 'sampled');
  assert.equal(pair.field.field.scale, 1e-3);
  assert.equal(pair.field.field.cell, 2);
  assert.ok(pair.samples.areas.length >= 2000);
  const run = makeSystem(model);
  for (let n = 0; n < 300; n++) assert.equal(run.step(1e-3), 0);
  const out = new Float64Array(40);
  run.readBody(1, out, 0);
  // k A = 1e9 · 4e-4
  assert.ok(Math.abs(out[2] - (0.05 - 9.81 / 4e5)) < 1e-8, `${out[2]}`);
});

test('a mesh on body i gives the same samples at another place, and a field may lie elsewhere', async () => {
  await made(at('cube.obj'), '--scale', '0.001', '--cell', '2 mm', '-o', at('kept.field'));
  const shape =
    '{ kind: mesh, file: cube.obj, scale: 0.0005 }, position_m: [-10 mm, -10 mm, -10 mm]';
  const model = compileScenario(
    loadScenario(scenario({ shape, file: 'cube.obj, scale: 0.001, field: kept.field' })),
  );
  const { pair } = model.contacts[0];
  assert.ok(pair.kind === 'sampled');
  assert.ok(Math.abs(Math.max(...pair.samples.points) - 0.01) < 1e-12);
});

test('what cannot be used is refused with its field, its value and what is allowed', async () => {
  const refuses = (parts: Parameters<typeof scenario>[0], pattern: RegExp): void => {
    assert.throws(() => loadScenario(scenario(parts)), pattern);
  };
  await made(at('cube.obj'), '--scale', '0.001', '--cell', '2 mm');
  refuses({ file: 'none.obj' }, /field_j.*there is no file/);
  refuses({ file: 'cube.obj' }, /at most 20 m large without a scale, got 40/);
  refuses({ shape: '{ kind: mesh, file: open.obj, scale: 0.001 }' }, /the surface is open/);
  refuses({ more: 'samples: 3' }, /samples/);
  refuses({ more: 'patches: 0' }, /patches/);
  refuses(
    { law: '{ kind: kelvin-voigt, stiffness_N_per_m: 1e5, damping_N_s_per_m: 1 }' },
    /needs depth, which a pair of kind "sampled"/,
  );
  refuses({ z: '20 mm' }, /start outside of each other/);
  // another mesh than that of the field
  copyFileSync(at('cube.obj.field'), at('other.obj.field'));
  writeFileSync(at('other.obj'), OBJ.replaceAll('40', '41'));
  refuses(
    { file: 'other.obj, scale: 0.001' },
    /other.obj.field was made of another .*other.obj; run again: berth field .*other.obj/,
  );
  const bytes = readFileSync(at('cube.obj.field'));
  for (const [name, change, words] of [
    ['short', (b: Buffer) => b.subarray(0, b.length - 4), /is damaged/],
    ['flipped', (b: Buffer) => b.fill(7, b.length - 4), /is damaged/],
    ['head', (b: Buffer) => b.fill(' ', 12, 20), /has a damaged head/],
    ['foreign', () => Buffer.from(OBJ), /is no distance field/],
    ['empty', () => Buffer.alloc(0), /is no distance field/],
  ] as const) {
    writeFileSync(at(`${name}.field`), change(Buffer.from(bytes)));
    refuses({ file: `cube.obj, scale: 0.001, field: ${name}.field` }, words);
  }
});

test('options of the command are refused with what is allowed', () => {
  const cube = at('cube.obj');
  assert.throws(() => field([]), /one mesh FILE/);
  assert.throws(() => field([at('none.obj')]), /there is no file/);
  assert.throws(() => field([at('open.obj'), '--scale', '0.001']), /the surface is open/);
  assert.throws(() => field([cube]), /at most 20 m large without a scale, got 40/);
  assert.throws(() => field([cube, '--scale', '0']), /--scale is "0"; allowed: metres in one unit/);
  assert.throws(
    () => field([cube, '--scale', '0.001', '--cell', '5']),
    /--cell is "5"; allowed: a length with its unit/,
  );
  assert.throws(
    () => field([cube, '--scale', '0.001', '--cell', '1 um']),
    /--cell is 0.001 mm; allowed: from 0.00977 mm to 10 mm/,
  );
  assert.throws(
    () => field([cube, '--scale', '0.001', '--cell', '2 mm', '--band', '3 mm']),
    /--band is 3 mm; allowed: from 4 mm/,
  );
});
