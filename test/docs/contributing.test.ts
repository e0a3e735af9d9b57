/** The lists of CONTRIBUTING.md are the files that name an example of what is added: no file is missing, none is too many. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';

const root = packageRoot();

/** How files name the example of each list. */
const EXAMPLES: Readonly<Record<string, RegExp>> = {
  'A normal law': /kelvin-voigt|KELVIN_VOIGT/,
  'A friction law': /'stribeck'|STRIBECK_FRICTION/,
  'A pair': /sphere-cone|SPHERE_CONE/,
  'A metric of the loop': /LoopSlot\.loop_overruns_total\b|'loop_overruns_total'/,
  'A metric of the server': /operator_input_rejects_total/,
  'An operator command': /hand_mode\.set|CommandKind\.HAND_MODE\b|^ {2}HAND_MODE: \{/m,
  'A scenario field': /locate_?[eE]vents/,
  'A kind of body': /'accommodated'|\.accommodated\b/,
};

const product = ['src', 'config', 'hil', 'server']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  )
  .filter((path) => !/^server\/(console|validation)\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const lists = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const [, title, count] = /^(.+): (\d+) product files$/m.exec(section) ?? [];
    const items = [...section.matchAll(/^\d+\. \[([^\]]+)\]\(([^)]+)\)/gm)];
    return { title, count: Number(count), items };
  });

test('every list has an example and every example a list', () => {
  assert.deepEqual(
    lists.map(({ title }) => title),
    Object.keys(EXAMPLES),
  );
});

for (const { title, count, items } of lists) {
  test(`${title}: the list is the product files that name its example`, () => {
    const named = product.filter(({ text }) => EXAMPLES[title].test(text)).map(({ path }) => path);
    assert.deepEqual(items.map(([, , path]) => path).sort(), named.sort());
    assert.equal(items.length, count);
    for (const [, shown, path] of items) assert.equal(shown, path);
  });
}
