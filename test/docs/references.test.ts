/** Facts that code, tests and pages cite by a short name and a number stand in docs/reference under that number. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';

const root = packageRoot();
const FOLDERS = ['src', 'hil', 'server', 'config', 'bench', 'test', 'docs'];
const CITATION = /\b(hil-anchors|rt-loop)`?(?:,? and)? (\d+(?:\.\d+)?)/g;

function sources(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|md|yaml)$/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** Numbers with which lines of a page begin, after what marks such a line. */
function numbersOf(page: string, mark: RegExp): Set<string> {
  const lines = readFileSync(join(root, 'docs', 'reference', page), 'utf8').split('\n');
  const numbered = lines.filter((line) => mark.test(line)).map((line) => line.replace(mark, ''));
  return new Set(numbered.map((line) => /^[\d.]*\d/.exec(line)?.[0] ?? ''));
}

test('every number that is cited of a reference page is on that page', () => {
  const known = {
    'hil-anchors': numbersOf('hil-anchors.md', /^#+ /),
    'rt-loop': numbersOf('rt-loop.md', /^(?=\d)/),
  };
  const missing: string[] = [];
  let cited = 0;
  for (const file of sources()) {
    for (const [, page, number] of readFileSync(join(root, file), 'utf8').matchAll(CITATION)) {
      cited++;
      if (!known[page as keyof typeof known].has(number))
        missing.push(`${file}: ${page} ${number}`);
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(cited > 50, `${cited} citations`);
});
