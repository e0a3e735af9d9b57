/** Every page of documentation keeps the layout rules, and every link in it leads to a file and a heading that exist. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';
import { anchorsOf, layoutComplaints, localLinks } from './page-rules.ts';

const root = packageRoot();
const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const markdown = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...markdown('docs'),
  ...markdown('examples'),
];

test('no padded table, no table cell above 120 characters, no line of prose above 160', () => {
  assert.ok(PAGES.length > 80, `${PAGES.length} pages`);
  const found = PAGES.flatMap((page) =>
    layoutComplaints(read(page)).map((what) => `${page}:${what}`),
  );
  assert.deepEqual(found, []);
});

test('every link leads to a file and a heading that exist', () => {
  const broken: string[] = [];
  for (const page of PAGES) {
    for (const [line, target] of localLinks(read(page))) {
      const [path, anchor] = target.split('#');
      const file = path === '' ? page : normalize(join(dirname(page), path));
      const there = existsSync(join(root, file));
      const known =
        anchor === undefined ||
        !file.endsWith('.md') ||
        (there && anchorsOf(read(file)).has(anchor));
      if (!there || !known) broken.push(`${page}:${line}: ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('what breaks a rule is found: padding, long cells, long lines; code is left alone', () => {
  const long = 'x'.repeat(121);
  assert.deepEqual(layoutComplaints(`| a | b |\n|---|---|\n| 1 | ${long.slice(1)} |`), []);
  assert.deepEqual(layoutComplaints(`| a | b |\n|---|---:|\n| 1 | ${long} |`), [
    '3: a cell of 121 characters',
  ]);
  assert.deepEqual(layoutComplaints('| a   | b |\n|-----|---|\n| abc | 2 |'), [
    '1: a padded table',
    '2: a padded table',
  ]);
  assert.deepEqual(layoutComplaints(`${long}${long}\n\`\`\`\n${long}${long}\n\`\`\``), [
    '1: a line of 242 characters',
  ]);
});

test('links and headings are read as a page shows them', () => {
  const page = '# One `two`, three\n[a](b.md#c-d), `[x](y)` [e](https://x.example) [f](#g)';
  assert.deepEqual([...anchorsOf(page)], ['one-two-three']);
  assert.deepEqual(localLinks(page), [
    [2, 'b.md#c-d'],
    [2, '#g'],
  ]);
});
