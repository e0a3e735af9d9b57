/** 73: whatever stands where a file should: one clear sentence, exit code 2, in bounded time and memory. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fileErrorWords } from '../../config/input-file.ts';
import { loadScenario } from '../../config/scenario.ts';
import { readUrdf } from '../../config/urdf-robot.ts';
import { McapScan } from '../../hil/recording/scan-mcap.ts';
import { run as audit } from '../../server/cli/audit.ts';
import { run as check } from '../../server/cli/check.ts';
import { run as decompose } from '../../server/cli/decompose.ts';
import { run as recover } from '../../server/cli/recover.ts';
import { run as replay } from '../../server/cli/replay.ts';
import { readOptions } from '../../server/cli/serve.ts';
import { run as simulate } from '../../server/cli/simulate.ts';
import { BerthError } from '../../src/base/errors.ts';
import { decodeMesh } from '../../src/shapes/mesh-decode.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-inputs-'));
after(() => rmSync(folder, { recursive: true }));
chmodSync(folder, 0o755);
const at = (name: string): string => join(folder, name);

symlinkSync('loop.yaml', at('loop.yaml'));
symlinkSync('nowhere', at('dangling.yaml'));
mkdirSync(at('folder.yaml'));
const hasPipe = spawnSync('mkfifo', [at('pipe.yaml')]).status === 0;
writeFileSync(at('empty.yaml'), '');
writeFileSync(at('secret.yaml'), 'mode: virtual\n');
chmodSync(at('secret.yaml'), 0);
const huge = openSync(at('huge.yaml'), 'w');
ftruncateSync(huge, 40e9); // a hole: it takes no room
closeSync(huge);
const INPUTS = [
  at('loop.yaml'),
  at('dangling.yaml'),
  at('folder.yaml'),
  ...(hasPipe ? [at('pipe.yaml')] : []),
  at('huge.yaml'),
  at('missing.yaml'),
  '/dev/zero',
  '/dev/null',
  at(`${'n'.repeat(300)}.yaml`),
  join(at('secret.yaml'), 'below.yaml'),
  '',
];

/** Every command that reads a file which people name. */
const COMMANDS: Readonly<Record<string, (file: string) => unknown>> = {
  check: (file) => check([file]),
  serve: (file) => readOptions([file]),
  simulate: (file) => simulate([file]),
  replay: (file) => replay([file]),
  recover: (file) => recover([file]),
  decompose: (file) => decompose([file]),
  audit: (file) => audit(['verify', file]),
};

/** What the command line would print, one line. */
async function refusal(run: () => unknown, expected = 2): Promise<string> {
  const printed: string[] = [];
  const { error } = console;
  console.error = (line: unknown) => void printed.push(String(line));
  try {
    const code = await run();
    assert.equal(code, expected, printed.join());
    return printed.join('\n');
  } catch (thrown) {
    const words = fileErrorWords(thrown);
    assert.ok(thrown instanceof BerthError || words !== null, String(thrown));
    return words ?? (thrown as Error).message;
  } finally {
    console.error = error;
  }
}

test('73: nothing that is no file holds a command up, or is met by more than a sentence', async (t) => {
  let cases = 0;
  const start_ms = performance.now();
  for (const [name, run] of Object.entries(COMMANDS)) {
    for (const file of INPUTS) {
      // an invalid audit log has a broken chain
      const isLog = name === 'audit' && file === at('huge.yaml');
      const text = await refusal(() => run(file), isLog ? 1 : 2);
      assert.match(text, /^[^\n]{10,500}$/, `${name} ${file}: ${text}`);
      cases++;
    }
  }
  const took_s = (performance.now() - start_ms) / 1000;
  // each is refused before anything is read; the bound is for a machine that stalls
  assert.ok(took_s < 60, `${took_s} s`);
  t.diagnostic(`acceptance 73: ${cases} cases of what is no file, one sentence each`);
});

test('73: the command line says one line and ends with 2, for a file that it may not read as well', () => {
  const main = fileURLToPath(
    new URL(`../../server/main${extname(import.meta.url)}`, import.meta.url),
  );
  const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  for (const [file, words] of [
    ['loop.yaml', /symbolic links go round in a circle/],
    ['secret.yaml', /this user may not read it/],
  ] as const) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [...process.execArgv, main, 'check', at(file)],
      { encoding: 'utf8', ...asNobody },
    );
    assert.equal(status, 2, stderr);
    assert.match(stderr, words);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});

test('73: STL that announces more triangles than it holds', () => {
  const vast = new Uint8Array(84);
  new DataView(vast.buffer).setUint32(80, 0xffff_ffff, true);
  assert.throws(() => decodeMesh(vast, 'lies.stl'), /byte 80: announces 4294967295 triangles/);
});

test('73: OBJ of too many faces, faces without vertices, and numbers beyond all', () => {
  const vertex = 'v 0 0 0\n'.repeat(3);
  const faces = `${vertex}${'f 1 2 3\n'.repeat(500_001)}`;
  assert.throws(() => decodeMesh(Buffer.from(faces), 'many.obj'), /more than 500000 triangles/);
  for (const text of ['f 1 2 3\n', `${vertex}f 1 2 99\n`, `${vertex}f 1 2 -9\n`, 'v 1e999 0 0\n']) {
    assert.throws(() => decodeMesh(Buffer.from(text), 'bad.obj'), BerthError, text);
  }
});

test('73: URDF of entities in entities is refused before any is read', () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">${Array.from(
    { length: 9 },
    (_, i) => `<!ENTITY ${'abcdefghij'[i + 1]} "${`&${'abcdefghij'[i]};`.repeat(10)}">`,
  ).join('')}]><robot name="&j;"/>`;
  writeFileSync(at('bomb.urdf'), bomb);
  assert.throws(() => readUrdf(at('bomb.urdf'), 'bomb.urdf'), /declares a document type or entity/);
  writeFileSync(at('deep.urdf'), '<a>'.repeat(300_000));
  assert.throws(() => readUrdf(at('deep.urdf'), 'deep.urdf'), BerthError);
});

test('73: numbers that no double holds, and names that are all that a file has', async () => {
  const base = 'title: t\nbodies:\n  - { name: a, motion: fixed }\n';
  for (const number of ['1e999', '-1e999', '.inf', '.nan', '9'.repeat(400), '0x', '1e-999 m']) {
    writeFileSync(at('numbers.yaml'), `${base}step_s: ${number}\n`);
    assert.throws(() => loadScenario(at('numbers.yaml')), BerthError, number);
  }
  await refusal(() => check([at('numbers.yaml')]));
});

test('73: a recording whose records lie about their length is read up to there', () => {
  const magic = Buffer.from([0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a]);
  for (const length of [1n, 1n << 20n, 1n << 29n, 1n << 40n, 0xffff_ffff_ffff_ffffn]) {
    const head = Buffer.alloc(9);
    head[0] = 6;
    head.writeBigUInt64LE(length, 1);
    const path = at('lies.mcap');
    writeFileSync(path, Buffer.concat([magic, head]));
    const fd = openSync(path, 'r+');
    ftruncateSync(fd, 2e9); // the file has as many bytes as some of them claim
    closeSync(fd);
    const before = process.memoryUsage().arrayBuffers;
    const scan = new McapScan(path);
    let records = 0;
    while (scan.next() !== null) records++;
    scan.close();
    assert.ok(records <= 1, `${length}: ${records}`);
    assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 28, `${length}`);
  }
});
