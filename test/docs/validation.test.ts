/** The map of acceptance statements in docs/validation.md leads to cases and tests that exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';
import { VALIDATION_CASES } from '../../server/validation/cases.ts';

test('every acceptance statement of the page names cases and test files that exist; B1 to B24, T1 to T25 and the remainders have a case and a class', () => {
  const page = readFileSync(join(packageRoot(), 'docs/validation.md'), 'utf8');
  const names = new Set(VALIDATION_CASES.map(({ name }) => name));
  const numbers: string[] = [];
  for (const section of page.split('## Acceptance statements')[1].split('\n### ').slice(1)) {
    const withClass = /^(LaFarge|Modia3D, contacts|Tasora)/.test(section);
    const rows = section.split('\n').filter((line) => /^\| (?!statement|---)/.test(line));
    assert.ok(rows.length > 0, section);
    for (const row of rows) {
      const [statement, shown, , kinds] = row.slice(2, -2).split(' | ');
      const places = [...shown.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
      const cases = places.filter((name) => names.has(name));
      const files = places.filter((name) => name.endsWith('.test.ts'));
      assert.ok(cases.length + files.length > 0, row);
      for (const file of files) {
        const place = join(packageRoot(), 'test', file.replace('/*.test.ts', ''));
        assert.ok(existsSync(place), `${statement}: no test ${file}`);
      }
      if (!withClass) continue;
      // a case cannot measure what the heap of its own process keeps
      assert.ok(cases.length > 0 || /^T25/.test(statement), `${statement}: no case`);
      for (const kind of kinds.split(', ')) {
        assert.match(kind, /^(printed|independent|closed form|bound)$/, statement);
      }
      numbers.push(...(/^[BT]\d+/.exec(statement) ?? []));
    }
  }
  const wanted = [
    ...Array.from({ length: 24 }, (_, k) => `B${k + 1}`),
    ...Array.from({ length: 25 }, (_, k) => `T${k + 1}`),
  ];
  assert.deepEqual(numbers.sort(), wanted.sort());
});
