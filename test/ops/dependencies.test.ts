/** docs/dependencies.md names every package of package.json with its range, and no other. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { packageRoot } from '../../config/paths.ts';

type Ranges = Record<string, string>;
const manifest = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
  dependencies: Ranges;
  optionalDependencies: Ranges;
  devDependencies: Ranges;
};
const page = readFileSync(join(packageRoot(), 'docs', 'dependencies.md'), 'utf8');

/** Names and ranges of the tables whose second column is a range; a row may hold several of each. */
function documented(): Map<string, string> {
  const found = new Map<string, string>();
  for (const row of page.split('\n').filter((line) => /^\| `/.test(line))) {
    const [, names = '', ranges = ''] = row.split('|').map((cell) => cell.trim());
    if (!/^(npm:[a-z]+@)?[\^~]?\d/.test(ranges)) continue;
    const each = ranges.split(', ');
    [...names.matchAll(/`([^`]+)`/g)].forEach(([, name], i) => found.set(name, each[i] ?? ''));
  }
  return found;
}

test('every dependency is documented with its reason and present range', () => {
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  assert.deepEqual(
    Object.fromEntries([...documented()].sort()),
    Object.fromEntries(
      Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }).sort(),
    ),
  );
});
