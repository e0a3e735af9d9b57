/** Sections that are cited of Gonthier 2007 exist: docs/reference/gonthier-2007.md lists those that are known. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';

const root = packageRoot();
const FOLDERS = [
  'src',
  'hil',
  'server',
  'config',
  'bench',
  'test',
  'docs',
  'dashboards',
  'examples',
];
const LIST = join('docs', 'reference', 'gonthier-2007.md');
/** The name, then what it cites: to the end of the sentence, of the code span or of the text. */
const CITATION = /Gonthier(?:`? 2007|, [^.]{0,120}2007|(?= [\dA]\.))`?,? *([^`'"|;*]{0,120})/gi;
const SECTION =
  /(?<![\w.,:–-])(?:[1-9]|A)\.\d{1,2}(?:\.\d{1,2})?(?![\d.]*\d| ?(?:N|m|s|mm|kg|°|%)\b)/g;

/** Sections in the text of a citation: equations, figures, tables and numbers behind the sentence are others. */
function sectionsIn(text: string): string[] {
  const sentence = text.split(/\.(?=\s|$)|:\s/)[0];
  const own = sentence
    .replace(/\([^)]*\)/g, '')
    .replace(/(?:figures?|tables?) [\d.]+(?:(?: to | and |–)[\d.]+)?(?:, \d+\.\d+)*/g, '')
    .replace(/acceptance.*$/, '')
    .replace(/([\d.]+)–([\d.]+)/g, '$1, $2');
  return own.match(SECTION) ?? [];
}

/** Every section that a text cites of the source. */
function cited(text: string): string[] {
  const plain = text.replace(/\n\s*(?:\*|\/\/|#)? ?/g, ' ');
  return [...plain.matchAll(CITATION)].flatMap(([, rest]) => sectionsIn(rest));
}

/** Sections that the tables of this source name as the place of their figures. */
function citedByData(text: string): string[] {
  return [...text.matchAll(/"where": "([^"]*)"/g)].flatMap(([, where]) =>
    sectionsIn(where.split(';')[0]),
  );
}

const known = new Set(
  readFileSync(join(root, LIST), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('- `'))
    .flatMap((line) => [...line.split(':')[0].matchAll(/`([^`]+)`/g)].map(([, number]) => number)),
);

test('sections are found in citations of every form, and nothing else is', () => {
  assert.deepEqual(cited('`Gonthier 2007, 4.3.7, A.3.3`, docs'), ['4.3.7', 'A.3.3']);
  assert.deepEqual(cited("source: 'Gonthier 2007, 7.1 and (3.33), figures 5.14 to 5.19'"), ['7.1']);
  assert.deepEqual(cited(' * law. `Gonthier\n * 2007, 4.10`'), ['4.10']);
  assert.deepEqual(cited('the tables of `Gonthier 2007` 5.3–5.5'), ['5.3', '5.5']);
  assert.deepEqual(cited('Gonthier 2007, 1.2 for the noise'), ['1.2']);
  assert.deepEqual(cited('Y. Gonthier, Contact dynamics, Waterloo, 2007, section 6.5: 2 Hz'), [
    '6.5',
  ]);
  assert.deepEqual(cited('sums of `Gonthier 4.9` are'), ['4.9']);
  assert.deepEqual(cited('Gonthier 2007, (3.22)–(3.25), table 5.2. At 0.5 mm it rests.'), []);
});

test('every section that is cited of Gonthier 2007 is in the list of its sections', () => {
  const unknown: string[] = [];
  let count = 0;
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const file = join(folder, name);
      const data = /gonthier-.*\.json$/.test(name);
      if (!data && !/\.(ts|tsx|md|yaml)$/.test(name)) continue;
      if (file === LIST || name.endsWith('gonthier.test.ts')) continue;
      const text = readFileSync(join(root, file), 'utf8');
      for (const section of data ? citedByData(text) : cited(text)) {
        count++;
        if (!known.has(section)) unknown.push(`${file}: ${section}`);
      }
    }
  }
  assert.deepEqual(unknown, []);
  assert.ok(count > 70, `${count} citations`);
});
