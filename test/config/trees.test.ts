/** Trees of scenarios: a robot of a file beside the scenario, its starts, and what is refused with file, line and column. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { BerthError } from '../../src/base/errors.ts';
import { makeSystem } from '../../src/system/system.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-trees-'));
after(() => rmSync(folder, { recursive: true }));

const ROBOT = `name: slider
title: A slide and a hinge
links:
  - name: slide
    joint: { kind: prismatic, name: rail, axis: [1, 0, 0], source: assumed }
    body: { kind: rigid, mass_kg: 2, inertia: { kind: point } }
    source: assumed
  - name: bob
    parent: slide
    joint: { kind: revolute, name: hinge, axis: [0, 1, 0], home_rad: 0.1, source: assumed }
    body: { kind: rigid, mass_kg: 1, center_m: [0, 0, -0.5], inertia: { kind: point } }
    source: assumed
`;
writeFileSync(join(folder, 'slider.yaml'), ROBOT);

function write(name: string, tree: string): string {
  const file = join(folder, `${name}.yaml`);
  const text = `name: ${name}
title: A tree
bodies:
  - { name: floor, kind: fixed }
trees:
  - name: crane
${tree.replace(/^/gm, '    ')}
duration_s: 1
`;
  writeFileSync(file, text);
  return file;
}

test('a robot beside the scenario, at its place, joints at their starts', () => {
  const file = write(
    'crane',
    `robot: ./slider.yaml
position_m: [0, 0, 2]
joints:
  - { name: rail, position_m: 300 mm, rate_mps: 1 }
  - { name: hinge, rate_radps: 2 deg/s }`,
  );
  const model = compileScenario(loadScenario(file));
  const [{ name, links }] = model.trees!;
  assert.equal(name, 'crane');
  const [rail, hinge] = links.map(({ joint }) => joint);
  assert.ok(rail.kind === 'prismatic' && hinge.kind === 'revolute');
  assert.deepEqual([rail.position, rail.rate, hinge.position], [0.3, 1, 0.1]);
  assert.ok(Math.abs(hinge.rate - Math.PI / 90) < 1e-15);
  const system = makeSystem(model);
  const body = new Float64Array(13);
  system.readBody(system.bodyIndex('bob'), body, 0);
  assert.ok(Math.abs(body[0] - (0.3 - 0.5 * Math.sin(0.1))) < 1e-12, `${body[0]}`);
  assert.ok(Math.abs(body[2] - (2 - 0.5 * Math.cos(0.1))) < 1e-12, `${body[2]}`);
});

for (const [name, tree, wanted] of [
  ['no-robot', 'robot: slidre', /trees-.*no-robot|robot "slidre" does not exist/],
  [
    'no-joint',
    'robot: ./slider.yaml\njoints: [{ name: hinges }]',
    /no-joint.yaml:8:\d+: trees\[0\]\.joints\[0\]\.name is "hinges".*did you mean hinge/,
  ],
  [
    'other-kind',
    'robot: ./slider.yaml\njoints: [{ name: rail, angle_rad: 1 }]',
    /other-kind.yaml:8:\d+: trees\[0\]\.joints\[0\]\.angle_rad .*rail is prismatic; allowed: position_m, rate_mps/,
  ],
  [
    'unit',
    'robot: ./slider.yaml\njoints: [{ name: rail, position_m: 1 deg }]',
    /unit.yaml:8:\d+: trees\[0\]\.joints\[0\]\.position_m is "1 deg"/,
  ],
] as const) {
  test(`refused: ${name}`, () => {
    const file = write(name, tree);
    assert.throws(
      () => loadScenario(file),
      (error: unknown) => {
        assert.ok(error instanceof BerthError, String(error));
        assert.match(error.message, wanted);
        return true;
      },
    );
  });
}

test('two trees of one robot have links of the same names', () => {
  const file = write('twice', 'robot: ./slider.yaml');
  const text = readFileSync(file, 'utf8');
  const second = '  - { name: other, robot: ./slider.yaml }\nduration_s';
  writeFileSync(file, text.replace('duration_s', second));
  assert.throws(() => loadScenario(file), /Two bodies are named "slide"/);
});
