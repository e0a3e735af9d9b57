/** The pages of docs/laws: complete, their scenarios run, their plots and table are what the code gives, their links lead somewhere. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { packageRoot } from '../../config/paths.ts';
import { loadScenario } from '../../config/scenario.ts';
import { combinationTable, listedLaws, withTable } from './law-plots/combination-table.ts';
import { drawSvg } from './law-plots/drawing.ts';
import { lawDrawings } from './law-plots/drawings.ts';
import { makeSystem } from '../../src/index.ts';

const folder = join(packageRoot(), 'docs', 'laws');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
const WHOLE_SECONDS = 2;

test('every registered law has a page and every page is of a registered law', () => {
  const expected = [...listedLaws().map(({ page }) => page), 'README.md'];
  assert.deepEqual([...pages].sort(), expected.sort());
});

test('the table of combinations is that of the registry', () => {
  const page = read('README.md');
  assert.equal(page, withTable(page, combinationTable()));
});

for (const name of pages) {
  const blocks = [...read(name).matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text);
  if (name !== 'README.md') {
    test(`${name} has a scenario`, () => assert.ok(blocks.length > 0));
  }
  blocks.forEach((text, index) => {
    test(`${name}: scenario ${index + 1} loads, touches and runs`, () => {
      const place = mkdtempSync(join(tmpdir(), 'berth-docs-'));
      try {
        const file = join(place, 'scenario.yaml');
        writeFileSync(file, text);
        const model = compileScenario(loadScenario(file));
        const run = makeSystem(model);
        const readout = new Float64Array(40);
        let touched = false;
        while (run.time < Math.min(model.duration, WHOLE_SECONDS)) {
          assert.equal(run.step(model.step), 0);
          run.readContact(0, readout, 0);
          touched ||= readout[3] > 0;
        }
        assert.ok(touched, 'a normal force appeared');
        const kind = name.replace(/^[a-z]+-/, '').replace('.md', '');
        const role = name.split('-')[0];
        const contact = model.contacts[0];
        const laws: Record<string, string | undefined> = {
          normal: contact.normalLaw.kind,
          friction: contact.frictionLaw.kind,
          rolling: contact.rollingLaw?.kind,
        };
        assert.equal(laws[role], kind, 'the scenario uses the law of its page');
      } finally {
        rmSync(place, { recursive: true });
      }
    });
  });
}

test('every plot is what the code draws, and every drawing is shown', () => {
  const drawings = lawDrawings();
  const files = readdirSync(join(folder, 'plots')).sort();
  assert.deepEqual(files, drawings.map(({ file }) => `${file}.svg`).sort());
  for (const drawing of drawings) {
    const same = drawSvg(drawing) === read(join('plots', `${drawing.file}.svg`));
    assert.ok(same, `${drawing.file}.svg is old: run npm run docs:laws`);
    const shown = pages.some((name) => read(name).includes(`plots/${drawing.file}.svg`));
    assert.ok(shown, `${drawing.file}.svg is on no page`);
  }
});

test('links of the law and theory pages lead to files', () => {
  for (const place of ['laws', 'theory']) {
    const here = join(packageRoot(), 'docs', place);
    for (const name of readdirSync(here).filter((file) => file.endsWith('.md'))) {
      const text = readFileSync(join(here, name), 'utf8');
      for (const [, link] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        if (/^[a-z]+:/.test(link)) continue;
        assert.ok(existsSync(join(dirname(join(here, name)), link)), `${place}/${name}: ${link}`);
      }
    }
  }
});
