/** `berth reduce`: three files of one finger give one patch; files and calls at fault are refused in a sentence. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readPatch } from '../../../config/patch-file.ts';
import { run } from '../../../server/cli/reduce.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { asCalculix, asGmsh, asSuperelement, finger } from '../../fixtures/elastic-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-reduce-'));
after(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);
const aluminium = { young: 7e10, poisson: 0.33, density: 2700 };
const MATERIAL = ['--young', '70GPa', '--poisson', '0.33', '--density', '2700 kg/m^3'];
const SETS = ['--clamp', 'FLANGE', '--contact', 'PAD'];

/** Runs the command; what it says. */
async function reduced(...argv: string[]): Promise<string> {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line: string) => void lines.push(line);
  try {
    assert.equal(await run(argv), 0);
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}

const mesh = finger('hex8', 4, 2, 1);
writeFileSync(at('finger.msh'), asGmsh(mesh, 1e-3));
writeFileSync(at('finger.inp'), asCalculix(mesh, 1));
writeFileSync(at('finger.mtx'), asSuperelement(mesh, aluminium, 1e-3));

test('Gmsh in mm, CalculiX in m and a superelement in N, mm and s: one compliance, one mass', async () => {
  const words = await reduced(at('finger.msh'), '--unit', 'mm', ...SETS, ...MATERIAL);
  assert.match(words, /finger\.msh: 30 nodes, 80 × 20 × 10 mm, 0\.0432 kg/);
  assert.match(words, /pressed by a flat plate: .* N\/m at 1 N, .* N\/m at 10 N, .* N\/m at 100 N/);
  assert.match(words, /against 1 kg: contact of [\d.]+ ms, \d+ sub-steps? in 1 ms/);
  assert.match(words, /first mode \d+ Hz/);
  assert.match(words, /finger\.msh\.patch: 6 points, 6 modes/);
  await reduced(at('finger.inp'), '--unit', 'm', ...SETS, ...MATERIAL, '-o', at('inp.patch'));
  await reduced(at('finger.mtx'), '--unit', 'mm', ...SETS, '--normal', '0,0,2');
  const [gmsh, calculix, element] = ['finger.msh.patch', 'inp.patch', 'finger.mtx.patch'].map(
    (name) => readPatch(at(name), null, 'file'),
  );
  const scale = Math.max(...gmsh.compliance);
  for (const other of [calculix, element]) {
    assert.equal(other.areas.length, 6);
    const order = gmsh.areas.map((_, p) =>
      other.areas.findIndex((__, q) =>
        [0, 1, 2].every((c) => Math.abs(gmsh.points[3 * p + c] - other.points[3 * q + c]) < 1e-9),
      ),
    );
    for (let i = 0; i < 18; i++) {
      for (let j = 0; j < 18; j++) {
        const [a, b] = [i, j].map((c) => 3 * order[Math.floor(c / 3)] + (c % 3));
        const gap = gmsh.compliance[18 * i + j] - other.compliance[18 * a + b];
        assert.ok(Math.abs(gap) < 1e-10 * scale, `${i} ${j}: ${gap / scale}`);
      }
    }
    for (let e = 0; e < 36; e++) {
      assert.ok(
        Math.abs(gmsh.rigidMass[e] - other.rigidMass[e]) < 1e-10 * gmsh.rigidMass[0],
        `${e}`,
      );
    }
    // the normal of a flat face in coordinates of 17 digits
    for (let c = 0; c < 18; c++) {
      assert.ok(Math.abs(other.normals[c] - (c % 3 === 2 ? 1 : 0)) < 1e-14);
    }
  }
  // Guyan cannot make the first frequency lower
  assert.ok(element.modes[0].frequency >= gmsh.modes[0].frequency * (1 - 1e-9));
  assert.ok(element.modes[0].frequency < 1.05 * gmsh.modes[0].frequency);
});

test('a patch that is up to date stays; another mesh, another option, a damaged file do not pass', async () => {
  const argv = [at('finger.inp'), '--unit', 'm', ...SETS, ...MATERIAL, '-o', at('again.patch')];
  await reduced(...argv);
  const first = readFileSync(at('again.patch'), 'utf8');
  assert.match(await reduced(...argv), /again\.patch is up to date$/);
  assert.match(await reduced(...argv, '--points', '3'), /3 points/);
  assert.equal(readPatch(at('again.patch'), at('finger.inp'), 'f').areas.length, 3);
  const damaged: readonly (readonly [string, RegExp])[] = [
    [first.replace('berth-patch-1', 'berth-patch-0'), /is no patch of the format berth-patch-1/],
    [first.slice(0, 100), /is no patch of the format/],
    [first.replace(/"areas":\[/, '"areas":[1,'), /is damaged: points/],
    [
      first.replace(/"compliance":\[[^,]*/, '"compliance":[-1e-9'),
      /damaged: compliance is not pos/,
    ],
    [first.replace(/"compliance":\[([^,]*),[^,]*/, '"compliance":[$1,0'), /compliance is not symm/],
    [first.replace(/"frequency":/, '"frequency":-'), /is damaged: modes/],
    [first.replace(/"polygons":\[\[\d+/, '"polygons":[[99'), /is damaged: surface/],
  ];
  for (const [text, words] of damaged) {
    writeFileSync(at('damaged.patch'), text);
    assert.throws(() => readPatch(at('damaged.patch'), null, 'bodies[0].compliance'), words);
  }
  assert.throws(
    () => readPatch(at('again.patch'), at('finger.msh'), 'bodies[0].compliance'),
    /bodies\[0\]\.compliance: .*again\.patch was made of another .*finger\.msh; make it again by berth reduce/,
  );
});

test('calls and files at fault are refused in a sentence', async () => {
  const refused = (message: RegExp, ...argv: string[]): Promise<void> =>
    assert.rejects(
      async () => run(argv),
      (error) => {
        assert.ok(error instanceof BerthError, String(error));
        assert.match(error.message, message);
        return true;
      },
    );
  const inp = [at('finger.inp'), ...MATERIAL];
  const m = ['--unit', 'm'];
  await refused(/expected one mesh FILE/);
  await refused(/expected --unit: .* allowed: m, dm, cm, mm, um/, ...inp, ...SETS);
  await refused(/--unit is "inch"; allowed: m/, ...inp, ...SETS, '--unit', 'inch');
  await refused(
    /--unit makes the body 0\.08 mm long; allowed: 1 to 20000 mm/,
    ...inp,
    ...SETS,
    '--unit',
    'mm',
  );
  await refused(/expected --clamp/, ...inp, ...m, '--contact', 'PAD');
  await refused(
    /--clamp is "ROOT", which is no set .* allowed: FLANGE, PAD/,
    ...inp,
    ...m,
    '--clamp',
    'ROOT',
    '--contact',
    'PAD',
  );
  await refused(/expected --material, or --young/, at('finger.inp'), ...m, ...SETS);
  await refused(/expected --density/, at('finger.inp'), ...m, ...SETS, ...MATERIAL.slice(0, 4));
  await refused(/--material names "Alu"/, at('finger.inp'), ...m, ...SETS, '--material', 'Alu');
  await refused(
    /--modes is 40, but mode \d+ at .* Hz is above what the mesh shows; allowed: at most \d+ modes/,
    ...inp,
    ...m,
    ...SETS,
    '--modes',
    '40',
  );
  await refused(/which is clamped/, ...inp, ...m, '--clamp', 'PAD', '--contact', 'PAD');
  await refused(/--normal is for superelements/, ...inp, ...m, ...SETS, '--normal', '0,0,1');
  await refused(
    /--points is "0"; allowed: a whole number from 1/,
    ...inp,
    ...m,
    ...SETS,
    '--points',
    '0',
  );
  // one node held: the finger can turn about it
  writeFileSync(
    at('loose.inp'),
    `${asCalculix(mesh, 1)}*NSET, NSET=TIP\n1\n*NSET, NSET=CORNERS\n1, 30\n`,
  );
  const loose = [at('loose.inp'), ...MATERIAL, ...m];
  await refused(
    /--clamp is "TIP": Expected held nodes that leave the body no motion/,
    ...loose,
    '--clamp',
    'TIP',
    '--contact',
    'PAD',
  );
  await refused(
    /"CORNERS" to have points, got 2 nodes without a face/,
    ...loose,
    '--clamp',
    'FLANGE',
    '--contact',
    'CORNERS',
  );
  const element = readFileSync(at('finger.mtx'), 'utf8');
  const mtx = ['--unit', 'mm', ...SETS];
  await refused(/expected --normal/, at('finger.mtx'), ...mtx);
  await refused(
    /--material is for meshes/,
    at('finger.mtx'),
    ...mtx,
    ...MATERIAL,
    '--normal',
    '0,0,1',
  );
  const faults: readonly (readonly [RegExp | string, string, RegExp])[] = [
    ['NAME=KRR', 'NAME=KRX', /to have a matrix of the name KRR, got "KRX, MRR"/],
    [
      /^(\d+, \d), \d+, \d, (.*)$/m,
      '$1, 77, 1, $2',
      /matrix KRR to name nodes of the file, got 77/,
    ],
    [/^(\d+), 1, \d+, 1, (.*)$/m, '$1, 4, $1, 1, $2', /a component of matrix KRR to be 1, 2 or 3/],
    [/^(\d+, \d, \d+, \d, .*)$/m, '$1\n$1', /entries of matrix KRR to be given once/],
    [
      /^(\d+), 1, (\d+), 2, (.*)$/m,
      '$1, 1, $2, 2, $3\n$2, 2, $1, 1, 5e9',
      /stiffness to be symmetric/,
    ],
    ['*MATRIX INPUT, NAME=KRR', '*MATRIX INPUT, NAME=KRR, INPUT=k.mtx', /to stand in this file/],
    ['*NODE', '*ELEMENT, TYPE=C3D8', /a superelement to be nodes, sets and matrices/],
  ];
  for (const [from, to, words] of faults) {
    writeFileSync(at('fault.mtx'), element.replace(from, to));
    await refused(words, at('fault.mtx'), ...mtx, '--normal', '0,0,1');
  }
});
