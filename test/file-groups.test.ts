/** Which test files share a process: each is run once, and what does more than to compute is by itself. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { planProcesses } from './file-groups.ts';

const COMPUTES = "test('sum', () => assert.equal(1 + 1, 2));\n";
const MORE = [
  "import { spawn } from 'node:child_process';",
  "import { Service } from './service.js';",
  "import { createServer } from 'node:net';",
  'await startRuntime(settings);',
  'if (process.platform) skip();',
  'setTimeout(resolve, 10);',
  'beforeEach(() => clear());',
];

const root = mkdtempSync(join(tmpdir(), 'berth-groups-'));
after(() => rmSync(root, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(root, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test('every file is run once, in groups by folder of twelve at most; what does more has a process of its own', () => {
  const alike = Array.from({ length: 30 }, (_, i) => write(`laws/law-${i}.test.js`, COMPUTES));
  const lone = write('shapes/box.test.js', COMPUTES);
  const others = MORE.map((line, i) => write(`laws/more-${i}.test.js`, `${line}\n${COMPUTES}`));
  const { processes, close } = planProcesses(root, [...alike, lone, ...others]);
  const groups = processes.filter(({ files }) => files.length > 1);
  assert.deepEqual(
    processes.flatMap(({ files }) => files).sort(),
    [...alike, lone, ...others].sort(),
  );
  assert.equal(groups.length, 3);
  for (const { entry, files } of groups) {
    assert.ok(files.length <= 12, `${files.length} files`);
    assert.ok(files.every((file) => alike.includes(file)));
    const text = readFileSync(entry, 'utf8');
    for (const file of files) assert.ok(text.includes(`${file}"`), file);
  }
  for (const file of [lone, ...others]) {
    assert.deepEqual(
      processes.find(({ files }) => files.includes(file)),
      { entry: file, files: [file] },
    );
  }
  close();
  assert.ok(groups.every(({ entry }) => !existsSync(entry)));
});
