/** The table of acceptance tests: complete, every test that it names exists, and the page is the one that the table gives. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AcceptanceLog, figuresOf, renderAcceptance } from '../acceptance/acceptance.ts';
import { ACCEPTANCE } from '../acceptance/acceptance-table.ts';
import { packageRoot } from '../../config/paths.ts';

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

/** Names of the tests of a file, as far as they are written out. */
function titlesOf(file: string): string[] {
  return [...read(file).matchAll(/\b(?:test|it)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g)].map(
    ([, , title]) => title,
  );
}

test('each of 1 to 52 has a row, later ones come in order, and each row has a test that exists or a script', () => {
  const numbers = ACCEPTANCE.map(({ number }) => number);
  assert.deepEqual(
    numbers.slice(0, 52),
    Array.from({ length: 52 }, (_, i) => i + 1),
  );
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((a, b) => a - b),
  );
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const row of ACCEPTANCE) {
    assert.ok(row.tests.length + row.scripts.length > 0, `${row.number} is tested nowhere`);
    for (const [file, begins] of row.tests) {
      const titles = titlesOf(file);
      for (const begin of begins) {
        const found = titles.some((title) => title.startsWith(begin));
        assert.ok(found, `${row.number}: no test "${begin}…" in ${file}`);
      }
    }
    for (const script of row.scripts) {
      assert.ok(scripts[script] !== undefined, `${row.number}: no script ${script}`);
    }
  }
});

test('the page is what the table and its figures give, and every row has a figure', () => {
  const page = read('docs/acceptance.md');
  const figures = figuresOf(page);
  assert.equal(renderAcceptance(figures), page, 'stale: npm run docs:acceptance');
  for (const { number } of ACCEPTANCE) {
    const some = figures.get(number) ?? [];
    assert.ok(some.length > 0, `${number} has no figure`);
    for (const figure of some) assert.doesNotMatch(figure, /^NOT PASSED/, `${number}`);
  }
});

test('figures come from the lines of a run; a failed test shows instead of any figure', () => {
  const row = ACCEPTANCE[0];
  const log = new AcceptanceLog();
  assert.equal(log.measured(row), null);
  log.read('✔ 1: a million ticks (12.5ms)');
  log.read('✔ 11: another test (12.5ms)');
  assert.deepEqual(log.measured(row), ['passed (1 test)']);
  log.read('ℹ acceptance 1: 3 ticks | none late; 2 ms (worst; of 5)');
  log.read('ℹ acceptance 1: 3 ticks | none late; 2 ms (worst; of 5)');
  log.read('ℹ acceptance 11: 28 µs');
  assert.deepEqual(log.measured(row), ['3 ticks | none late', '2 ms (worst; of 5)']);
  log.read('✖ 1: a million ticks (12.5ms)');
  assert.deepEqual(log.measured(row), ['NOT PASSED: 1: a million ticks']);
});

test('figures are read back from the page as they were, those of several lines and several items, too', () => {
  const long = Array.from({ length: 60 }, (_, i) => `${i}`).join(' mm, ');
  const figures = ['3 ticks | none late', long, '2 ms'];
  const page = renderAcceptance(new Map([[7, figures]]));
  assert.deepEqual(figuresOf(page).get(7), figures);
  assert.deepEqual(figuresOf(page).get(8), ['not run yet']);
  assert.equal(renderAcceptance(figuresOf(page)), page);
});
