/** Nonsensical files found by the fuzzers: each is refused in a sentence, and quickly. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadSettings } from '../../config/load-settings.ts';
import { loadScenario } from '../../config/scenario.ts';
import { readQuantity } from '../../config/units.ts';
import { BerthError } from '../../src/base/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-hostile-'));
after(() => rmSync(folder, { recursive: true }));
const write = (text: string): string => {
  const path = join(folder, 'file.yaml');
  writeFileSync(path, text);
  return path;
};
const refused = (run: () => unknown, pattern: RegExp): void => {
  assert.throws(run, (error) => error instanceof BerthError && pattern.test(error.message));
};

test('a folder is no file', () => {
  refused(() => loadSettings(folder), /there is no settings file/);
  refused(() => loadScenario(`${folder}/`), /there is no scenario file/);
});

test('aliases of aliases: a hundred thousand values in 4 kB', () => {
  const cells = `[&c {}${', *c'.repeat(350)}]`;
  const text = `bodies:\n  - &b { name: b, cells: ${cells} }\n${'  - *b\n'.repeat(350)}`;
  refused(() => loadScenario(write(text)), /more than 200 aliases/);
});

test('a key twice, and a great many keys', () => {
  refused(() => loadSettings(write('mode: virtual\nmode: hardware\n')), /"mode" appears twice/);
  const many = Array.from({ length: 1000 }, (_, i) => `a${i}: 1`).join('\n');
  refused(() => loadSettings(write(many)), /and 99 more/);
  refused(() => loadSettings(write('#'.repeat(1_000_001))), /allowed: at most 1000000/);
});

test('nesting of tens of thousands of levels, and of some more than anybody writes', () => {
  const deep = /nested too deeply; allowed: at most 100 levels/;
  for (const opening of ['[', '{a: ', '- ', '? ']) {
    for (const levels of [200, 20_000]) {
      refused(() => loadScenario(write(opening.repeat(levels))), deep);
      refused(() => loadSettings(undefined, [`mode=${opening.repeat(levels)}`]), deep);
    }
  }
  refused(() => loadScenario(write('[')), /not valid YAML/);
});

test('a unit of nothing but brackets, and one behind a desert', () => {
  for (const text of [`1 ${'('.repeat(50_000)}`, `1 x${' '.repeat(50_000)}\n x`]) {
    assert.equal(readQuantity(text, 's').ok, false);
  }
});

test('--set with a path of thousands of steps', () => {
  refused(() => loadSettings(undefined, [`${'a.'.repeat(10_000)}b=1`]), /more than 20 steps/);
});
