/** Every error code is a row of one table, every row is used, and the page of the codes shows the table. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';
import { BERTH_ERROR_CODES, BERTH_ERRORS } from '../../src/base/errors.ts';
import { codeFaults, TABLE } from './error-codes.ts';
import { readSources } from './rooms.ts';

const sources = readSources();
const page = (name: string): string => readFileSync(join(packageRoot(), name), 'utf8');

test('every code in the source is a row of the table, and every row is used', () => {
  assert.deepEqual(codeFaults(sources, BERTH_ERROR_CODES), []);
});

test('a stray code, an idle row and a code that is built from a string are found', () => {
  const faults = (text: string, table: readonly string[] = BERTH_ERROR_CODES): string[] =>
    codeFaults(new Map([...sources, ['hil/loop/stray.ts', text]]), table);
  assert.deepEqual(faults("throw new BerthError('BERTH_STRAY', text);\n"), [
    'hil/loop/stray.ts: BERTH_STRAY is not in the table',
  ]);
  assert.deepEqual(faults('', [...BERTH_ERROR_CODES, 'BERTH_IDLE']), [
    `${TABLE}: nobody uses BERTH_IDLE`,
  ]);
  const built = ['hil/loop/stray.ts: a code is built from a string'];
  assert.deepEqual(faults('const code = `BERTH_${name.toUpperCase()}`;\n'), built);
  assert.deepEqual(faults("const code = 'BERTH_' + name;\n"), built);
  assert.deepEqual(faults('fail(name as BerthErrorCode);\n'), [
    'hil/loop/stray.ts: a string is taken for a code',
  ]);
});

test('docs/errors.md shows the table, row by row', () => {
  const rows = page('docs/errors.md')
    .split('\n')
    .filter((line) => line.startsWith('| `BERTH_'));
  const table = BERTH_ERROR_CODES.map((code) => {
    const { meaning, status, exit } = BERTH_ERRORS[code];
    return `| \`${code}\` | ${meaning} | ${status} | ${exit} |`;
  });
  assert.deepEqual(rows, table);
});

test('every code that a page names is a row of the table', () => {
  const variables = ['BERTH_ROBOT_KEY', 'BERTH_KEY'];
  const pages = readdirSync(join(packageRoot(), 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  const strays = ['README.md', ...pages].flatMap((name) =>
    [...page(name).matchAll(/\bBERTH_[A-Z_]+\b/g)]
      .map(([code]) => code)
      .filter((code) => !Object.hasOwn(BERTH_ERRORS, code) && !variables.includes(code))
      .map((code) => `${name}: ${code}`),
  );
  assert.deepEqual(strays, []);
});

test('an HTTP status is one of a refusal or a failure, an exit code 1 or 2, a sentence whole', () => {
  for (const code of BERTH_ERROR_CODES) {
    const { meaning, status, exit } = BERTH_ERRORS[code];
    assert.ok(status >= 400 && status < 600, `${code}: ${status}`);
    assert.ok([1, 2].includes(exit), `${code}: ${exit}`);
    assert.match(meaning, /^[A-Z][^.]*\.$/, code);
  }
});
