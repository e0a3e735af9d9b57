/** The quick cases pass, and a wrong figure is seen. `berth validate` runs all cases. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atMost, passes, toleranceUsed } from '../../../server/validation/case.ts';
import { casePasses, closestCall, runCase } from '../../../server/validation/case-report.ts';
import { VALIDATION_CASES } from '../../../server/validation/cases.ts';
import { REFERENCE_FOLDER, referenceRows } from '../../../server/validation/reference-data.ts';
import { tableLines } from '../../../server/validation/report.ts';

/** Some cases of half a second or less; the checks of a landing run all by the command. */
const QUICK = [
  'damping-factor',
  'direction',
  'friction',
  'incline-1ms',
  'modia3d-law',
  'restitution-slope',
  'restitution-slope-depth',
  'fma-friction',
  'overlap',
  'kim-lqr',
  'lock-rows',
  'sliding-contact',
  'freeform-surfaces',
  'cam-points',
];

for (const one of VALIDATION_CASES.filter(({ name }) => QUICK.includes(name))) {
  test(`case ${one.name} passes`, () => {
    const report = runCase(one);
    assert.ok(casePasses(report), tableLines(report, false).join('\n'));
  });
}

test('every case says what it computes, by which law, from where and how closely; names are unique', () => {
  const names = VALIDATION_CASES.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of QUICK) assert.ok(names.includes(name), name);
  for (const one of VALIDATION_CASES) {
    assert.match(one.name, /^[a-z0-9-]+$/);
    for (const text of [one.title, one.source, one.description, one.equation, one.tolerances]) {
      assert.ok(text.length > 3, `${one.name}: "${text}"`);
      assert.doesNotMatch(text, /publish/i, `${one.name}: say whether it is printed`);
    }
  }
});

test('a figure off by more than its tolerance fails, and so does one that is not a number', () => {
  const figure = {
    quantity: 'q',
    unit: 'm',
    computed: 1,
    reference: 1.2,
    basis: 'printed',
    tolerance: 0.1,
  } as const;
  assert.equal(passes(figure), false);
  assert.equal(passes({ ...figure, computed: Number.NaN }), false);
  assert.equal(passes({ ...figure, computed: 1.15 }), true);
  assert.equal(passes({ ...figure, computed: 1.2, tolerance: 0 }), true);
  assert.equal(passes({ ...figure, tolerance: 0 }), false);
  assert.equal(toleranceUsed({ ...figure, computed: 1.15 }).toFixed(6), '-0.500000');
});

test('a bound holds up to its value and not beyond, and not for what is not a number', () => {
  assert.equal(passes(atMost('q', 'm', 0.2, 0.2)), true);
  assert.equal(passes(atMost('q', 'm', -5, 0.2)), true);
  assert.equal(passes(atMost('q', 'm', 0.21, 0.2)), false);
  assert.equal(passes(atMost('q', 'm', Number.NaN, 0.2)), false);
  assert.equal(passes(atMost('q', 'm', 0, 0)), true);
  assert.equal(passes(atMost('q', 'm', 1e-300, 0)), false);
});

test('the closest call is the figure that uses most of its tolerance, failed ones first', () => {
  const near = {
    quantity: 'near',
    unit: '1',
    computed: 1.09,
    reference: 1,
    basis: 'printed',
    tolerance: 0.1,
  } as const;
  const far = {
    quantity: 'far',
    unit: '1',
    computed: 0.5,
    reference: 1,
    basis: 'printed',
    tolerance: 10,
  } as const;
  const broken = { ...far, quantity: 'broken', computed: Number.NaN };
  assert.equal(closestCall({ figures: [far, near], plots: [] })?.quantity, 'near');
  assert.equal(closestCall({ figures: [far, near, broken], plots: [] })?.quantity, 'broken');
  assert.equal(closestCall({ figures: [], plots: [] }), undefined);
});

test('tables of references are read by their columns, and other columns are refused', () => {
  const rows = referenceRows('gonthier-impact', 'depth', ['e', 'depth']);
  assert.deepEqual(rows[0], { e: 0.1, depth: 0.470773 });
  assert.throws(() => referenceRows('gonthier-impact', 'depth', ['depth', 'e']), /has columns/);
  assert.throws(() => referenceRows('gonthier-impact', 'nothing', ['e']), /no table "nothing"/);
});

/** Tables and columns whose numbers stand in a source. Whoever adds one has seen it there. */
const PRINTED = [
  'gonthier-volumetric battery-box force',
  'gonthier-volumetric battery-box rest',
  'kim-contact sphere-thesis',
  'modia3d-examples at-2.2-s-recorded',
  'modia3d-examples billiards-recorded',
  'modia3d-examples rolling-start-recorded',
];

test('every table says of what class its numbers are, and those that are printed are known', () => {
  const printed: string[] = [];
  const allowed = new Set(['printed', 'independent', 'closed-form', 'bound']);
  for (const file of readdirSync(REFERENCE_FOLDER).sort()) {
    const { tables } = JSON.parse(readFileSync(join(REFERENCE_FOLDER, file), 'utf8')) as {
      tables: Record<string, { basis: string; columns: { name: string; basis?: string }[] }>;
    };
    for (const [name, { basis, columns }] of Object.entries(tables)) {
      const table = `${file.replace('.json', '')} ${name}`;
      assert.ok(allowed.has(basis), table);
      if (basis === 'printed') printed.push(table);
      for (const column of columns) {
        if (column.basis === undefined) continue;
        assert.ok(allowed.has(column.basis), `${table} ${column.name}`);
        if (column.basis === 'printed') printed.push(`${table} ${column.name}`);
      }
    }
  }
  assert.deepEqual(printed.sort(), PRINTED);
});

test('a case calls figures printed only where a table or its own text says so', () => {
  const incline = VALIDATION_CASES.find(({ name }) => name === 'incline-1ms');
  const { figures, notReproduced } = runCase(incline!);
  assert.deepEqual(
    figures.filter(({ basis }) => basis === 'printed'),
    [],
  );
  const [acceleration] = notReproduced!;
  assert.equal(acceleration.basis, 'printed');
  assert.ok(Math.abs(acceleration.computed / acceleration.reference - 5 / 7) < 1e-3);
});
