/** Which test files share a process: each is run once, what waits is in small groups, and what measures or changes its process is by itself. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { planProcesses } from './file-groups.ts';

const COMPUTES = "test('sum', () => assert.equal(1 + 1, 2));\n";
const WAITS = [
  "import { spawn } from 'node:child_process';",
  "import { Service } from './service.js';",
  "import { createServer } from 'node:net';",
  'await startRuntime(settings);',
  'setTimeout(resolve, 10);',
  'spawnSync(process.execPath, process.execArgv); // from node:child_process',
];
const OWN = [
  'const before = process.memoryUsage().rss;',
  "process.env['BERTH'] = '1'; // for node:child_process",
  "process.on('exit', clear);",
  "readdirSync('/proc/self/fd').length;",
  "mock.timers.enable({ apis: ['setInterval'] });",
];

const root = mkdtempSync(join(tmpdir(), 'berth-groups-'));
after(() => rmSync(root, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(root, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test('every file is run once, in groups by folder: twenty that compute, nine that wait, and one that measures or changes its process', () => {
  const alike = Array.from({ length: 30 }, (_, i) => write(`laws/law-${i}.test.js`, COMPUTES));
  const lone = write('shapes/box.test.js', COMPUTES);
  const waiting = [...WAITS, ...WAITS].map((line, i) =>
    write(`laws/waits-${i}.test.js`, `${line}\n${COMPUTES}`),
  );
  const own = OWN.map((line, i) => write(`laws/own-${i}.test.js`, `${line}\n${COMPUTES}`));
  const all = [...alike, lone, ...waiting, ...own];
  const { processes, close } = planProcesses(root, all);
  const groups = processes.filter(({ files }) => files.length > 1);
  assert.deepEqual(processes.flatMap(({ files }) => files).sort(), all.sort());
  for (const [kind, count, most] of [
    [alike, 2, 20],
    [waiting, 2, 9],
  ] as const) {
    const ofKind = groups.filter(({ files }) => kind.includes(files[0]));
    assert.equal(ofKind.length, count);
    for (const { entry, files } of ofKind) {
      assert.ok(files.length <= most, `${files.length} files`);
      assert.ok(files.every((file) => kind.includes(file)));
      const text = readFileSync(entry, 'utf8');
      for (const file of files) assert.ok(text.includes(`${file}"`), file);
    }
  }
  assert.equal(groups.length, 4);
  for (const file of [lone, ...own]) {
    assert.deepEqual(
      processes.find(({ files }) => files.includes(file)),
      { entry: file, files: [file] },
    );
  }
  close();
  assert.ok(groups.every(({ entry }) => !existsSync(entry)));
});

test('hooks of a file in a group are its own, and what fails is a test that fails', () => {
  const hooks = (name: string): string =>
    `import { after, before, beforeEach, test } from 'node:test';
before(() => console.log('${name} begins'));
beforeEach(() => console.log('${name} each'));
after(() => console.log('${name} ends'));
test('${name} one', () => console.log('${name} one'));\n`;
  const files = [
    write('hooks/a.test.mjs', hooks('a')),
    write('hooks/b.test.mjs', hooks('b')),
    write('hooks/c.test.mjs', "throw new Error('no such module');\n"),
  ];
  const { processes, close } = planProcesses(root, files);
  const { status, stdout } = spawnSync(process.execPath, [processes[0].entry], {
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: '' },
  });
  close();
  const said = stdout.split('\n').filter((line) => /^[ab] /.test(line));
  const wanted = ['a', 'b'].flatMap((name) =>
    ['begins', 'each', 'one', 'ends'].map((what) => `${name} ${what}`),
  );
  assert.deepEqual(said, wanted);
  assert.match(stdout, /not ok \d+ - import\n[^]*no such module/);
  assert.match(stdout, /# pass 2\n# fail 1\n/);
  assert.equal(status, 1);
});
