/**
 * docs/dependencies.md lists every licence of every package of package-lock.json, and names the
 * packages whose licence requires more than a notice.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { packageRoot } from '../../config/paths.ts';

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
}
const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
const page = read('docs/dependencies.md');

/** Licences that require only a notice. */
const NOTICE = /^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|MIT OR Apache-2\.0)$/;

/** Rows of the table of licences: licence, packages at run time, packages for development. */
function documented(): Map<string, string[]> {
  const section = page.split('## Licences')[1].split('\n## ')[0];
  const rows = section.split('\n').filter((line) => /^\| [A-Z0]/.test(line));
  return new Map(
    rows.map((line) => {
      const [, licence, ...cells] = line.split('|').map((cell) => cell.trim());
      return [licence, cells];
    }),
  );
}

/** `@img/sharp-libvips-*` stands for a package for each machine. */
const covers = (cell: string, name: string): boolean =>
  [...cell.matchAll(/`([^`]+)`/g)].some(([, word]) =>
    word.endsWith('*') ? name.startsWith(word.slice(0, -1)) : word === name,
  );

test('67: the licence of every package is told, and every one that asks for more than a notice is named', (t) => {
  const told = documented();
  const seen = new Set<string>();
  let count = 0;
  for (const [path, { license = 'none', dev = false }] of Object.entries(packages)) {
    if (path === '') continue;
    const name = path.replace(/^.*node_modules\//, '');
    const row = told.get(license);
    assert.ok(
      row !== undefined,
      `${name} has the licence ${license}, which the page does not tell`,
    );
    seen.add(license);
    count++;
    if (NOTICE.test(license)) continue;
    assert.ok(covers(row[dev ? 1 : 0], name), `${name} (${license}) is not named on the page`);
  }
  assert.deepEqual(
    [...told.keys()].filter((licence) => !seen.has(licence)),
    [],
  );
  t.diagnostic(`acceptance 67: ${count} packages of ${seen.size} licences, all as documented`);
});

test('67: what is installed says the same of itself as the lock does', () => {
  for (const [path, { license }] of Object.entries(packages)) {
    const manifest = join(packageRoot(), path, 'package.json');
    if (path === '' || !existsSync(manifest)) continue; // for another machine
    const own = (JSON.parse(readFileSync(manifest, 'utf8')) as { license?: unknown }).license;
    if (typeof own === 'string') assert.equal(own, license, path);
  }
});

test('67: there is a way to report a weakness, and a bill of materials', () => {
  assert.match(read('SECURITY.md'), /## Report a weakness/);
  assert.match(read('SECURITY.md'), /docs\/threat-model\.md/);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  assert.match(scripts.sbom, /^npm sbom .*cyclonedx$/);
});
