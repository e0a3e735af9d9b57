/** Study files: the points that follow from them, and one clear error for each that cannot be used. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { changesOf, loadStudy, type Study } from '../../config/study.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-study-'));
after(() => rmSync(folder, { recursive: true }));

const DESIGN = 'design: { kind: sobol, runs: 8 }';
const VARY = `vary:
  - name: height
    fields: [bodies.ball.position_m.2]
    uniform: { low: 0.1, high: 0.3 }
  - name: law
    fields: [contacts.0.friction_law.stiction, contacts.0.friction_law.coulomb]
    choice: [0.1, 0.2]`;
const ASKED = 'quantities: [{ name: peak, of: most, column: ball-table.normal_force_N }]';

const CASES = `vary:
  - name: surface
    cases:
      - { name: smooth, set: [contacts.0.friction_law.coulomb=0.01] }
      - { name: rough, set: [contacts.0.friction_law.coulomb=0.3, contacts.0.normal_law.restitution=0.4] }`;

const STOP = 'stop: { when: [{ quantity: peak, of: mean, half_width: 5 }] }';

function study(...parts: string[]): Study {
  const path = join(folder, 'study.yaml');
  writeFileSync(path, ['name: test', 'scenario: ball-on-table', ...parts].join('\n'));
  return loadStudy(path);
}

test('values come from the design; linked fields have the same one', () => {
  const { values } = study(DESIGN, VARY, ASKED);
  assert.equal(values.length, 8);
  for (const [height, law] of values) {
    assert.ok(Number(height) > 0.1 && Number(height) < 0.3);
    assert.ok(law === 0.1 || law === 0.2);
  }
  assert.deepEqual(
    values.map(([, law]) => law).filter((law) => law === 0.1).length,
    4,
    'half of a balanced sequence',
  );
  const loaded = study(DESIGN, VARY, ASKED);
  assert.deepEqual(changesOf(loaded.file, loaded.values[3]), [
    `bodies.ball.position_m.2=${values[3][0]}`,
    `contacts.0.friction_law.stiction=${values[3][1]}`,
    `contacts.0.friction_law.coulomb=${values[3][1]}`,
  ]);
});

test('a grid has every combination, ends included', () => {
  const grid = VARY.replace('high: 0.3 }', 'high: 0.3 }\n    levels: 3');
  const { values } = study('design: { kind: grid }', grid, ASKED);
  assert.deepEqual(values, [
    [0.1, 0.1],
    [0.1, 0.2],
    [0.2, 0.1],
    [0.2, 0.2],
    [0.3, 0.1],
    [0.3, 0.2],
  ]);
});

test('a case is in the table by its name, and stands for its changes', () => {
  const { file, values } = study('design: { kind: grid }', CASES, ASKED);
  assert.deepEqual(values, [['smooth'], ['rough']]);
  assert.deepEqual(changesOf(file, values[1]), [
    'contacts.0.friction_law.coulomb=0.3',
    'contacts.0.normal_law.restitution=0.4',
  ]);
});

test('pairs of Saltelli take runs for the two samples and for each dispersion', () => {
  const { values } = study('design: { kind: saltelli, pairs: 8 }', VARY, ASKED);
  assert.equal(values.length, 8 * 4);
  // run 16 is the first of sample A with the height of sample B
  assert.deepEqual(values[16], [values[8][0], values[0][1]]);
});

test('every study that cannot be used is refused by its field', () => {
  const cases: [parts: string[], message: RegExp][] = [
    [[DESIGN, VARY.replace('high: 0.3', 'high: 0.1'), ASKED], /vary\[0\][.]uniform[.]high.*above/],
    [
      [
        DESIGN,
        VARY.replace('choice: [0.1, 0.2]', 'choice: [0.1]\n    uniform: { low: 0, high: 1 }'),
        ASKED,
      ],
      /vary\[1\] has 2 distributions/,
    ],
    [[DESIGN, VARY.replace('name: law', 'name: height'), ASKED], /vary\[1\][.]name is "height"/],
    [['design: { kind: grid }', VARY, ASKED], /vary\[0\][.]levels is missing/],
    [
      [DESIGN, VARY.replace('high: 0.3 }', 'high: 0.3 }\n    levels: 3'), ASKED],
      /vary\[0\][.]levels is 3; allowed: with design grid/,
    ],
    [['design: { kind: morris, trajectories: 4, levels: 5 }', VARY, ASKED], /levels.*even/],
    [
      [
        'design: { kind: morris, trajectories: 4 }',
        VARY.replace('uniform: { low: 0.1, high: 0.3 }', 'normal: { mean: 1, deviation: 1 }'),
        ASKED,
      ],
      /vary\[0\][.]normal has no low and high/,
    ],
    [
      [DESIGN, VARY, ASKED, 'correlations: [{ between: [height, lawn], value: 0.5 }]'],
      /between\[1\] is "lawn"; allowed: height, law/,
    ],
    [
      [DESIGN, VARY, ASKED, 'correlations: [{ between: [height, law], value: 1 }]'],
      /correlations.*positive definite/s,
    ],
    [
      [DESIGN, VARY, ASKED.replace('of: most', 'of: time_to')],
      /quantities\[0\]: 0 of above and below/,
    ],
    [
      [DESIGN, VARY, ASKED.replace('of: most', 'of: most, above: 3')],
      /quantities\[0\]: 1 of above and below.*time_to only/,
    ],
    [[DESIGN, VARY, ASKED.replace('of: most', 'of: mots')], /quantities\[0\][.]of/],
    [[DESIGN, VARY.replace('uniform: { low: 0.1', 'uniform: { lwo: 0.1'), ASKED], /lwo/],
    [[DESIGN, VARY, ASKED.replace('of: most', 'of: at')], /quantities\[0\][.]when is missing/],
    [
      [DESIGN, VARY, ASKED.replace('of: most', 'of: end, when: { column: time_s, above: 1 }')],
      /quantities\[0\][.]when is given with end/,
    ],
    [
      [DESIGN, VARY, ASKED.replace('of: most', 'of: at, when: { column: time_s }')],
      /quantities\[0\][.]when: 0 of above and below/,
    ],
    [[DESIGN, VARY, ASKED, 'end_when: [{ column: time_s }]'], /end_when\[0\]: 0 of above/],
    [
      [DESIGN, VARY.replace('    choice: [0.1, 0.2]', '    cases: [{ name: a, set: [] }]'), ASKED],
      /vary\[1\][.]fields has 2 fields; allowed: .*none with cases/,
    ],
    [
      [DESIGN, CASES.replace('name: rough', 'name: smooth'), ASKED],
      /vary\[0\][.]cases\[1\][.]name is "smooth"/,
    ],
    [
      [DESIGN, 'vary: [{ name: x, uniform: { low: 0, high: 1 } }]', ASKED],
      /vary\[0\][.]fields has 0 fields/,
    ],
    [['design: { kind: sobol, runs: 0 }', VARY, ASKED], /runs/],
    [['design: { kind: saltelli, pairs: 300000 }', VARY, ASKED], /pairs/],
    [
      [
        'design: { kind: saltelli, pairs: 4 }',
        VARY,
        ASKED,
        'correlations: [{ between: [height, law], value: 0.5 }]',
      ],
      /correlations.*saltelli/,
    ],
    [
      ['design: { kind: latin-hypercube, runs: 8 }', VARY, ASKED, STOP],
      /stop.*allowed: with random and sobol/,
    ],
    [[DESIGN, VARY, ASKED, STOP.replace('peak', 'peek')], /stop[.]when\[0\][.]quantity is "peek"/],
    [[DESIGN, VARY, ASKED, STOP.replace('mean', 'within')], /stop[.]when\[0\][.]of.*no limit/],
    [[DESIGN, VARY, ASKED, STOP.replace('width: 5', 'width: 0')], /half_width/],
  ];
  for (const [parts, message] of cases) {
    assert.throws(() => study(...parts), message, parts.join('\n'));
  }
  assert.throws(() => loadStudy(join(folder, 'none.yaml')), /there is no study file/);
  assert.throws(
    () => study(DESIGN.replace('name', ''), VARY, ASKED, 'scenario: nothing'),
    /scenario/,
  );
});
