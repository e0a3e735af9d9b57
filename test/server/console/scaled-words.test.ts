/** Figures keep three digits and take the unit that suits them; parts of a delay below zero are explained. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { delayNotes } from '../../../server/console/energy/stack.ts';
import { degrees, joules, metres } from '../../../server/console/shell/words.ts';

test('lengths, angles and energies in the unit that suits them', () => {
  const lengths = [2438.3e-6, 61.24e-6, 9.449e-6, 0.05, 0.2, 1.234, 0, -5e-3, 3e-9];
  const shown = [
    '2.44 mm',
    '61.2 µm',
    '9.45 µm',
    '50.0 mm',
    '200 mm',
    '1.23 m',
    '0 mm',
    '−5.00 mm',
    '0.00 µm',
  ];
  assert.deepEqual(lengths.map(metres), shown);
  assert.deepEqual([0.0123, 1.5, 0].map(degrees), ['12.3 m°', '1.50 °', '0 °']);
  assert.deepEqual([4.2e-5, 0.0123, 12].map(joules), ['42.0 µJ', '12.3 mJ', '12.0 J']);
  for (const unknown of [null, undefined, NaN, Infinity]) assert.equal(metres(unknown), '—');
});

test('no length below a kilometre has more than three digits before its unit', () => {
  // what rounds up to the next unit is told in it: 999.96 µm is 1.00 mm
  assert.equal(metres(999.96e-6), '1.00 mm');
  const length = fc.double({ min: 1e-6, max: 999, noNaN: true });
  fc.assert(
    fc.property(length, (m) => {
      const [, figure = '', unit = ''] = /^([\d.]+) (µm|mm|m)$/.exec(metres(m)) ?? [];
      assert.match(figure, /^(\d\.\d\d|\d\d\.\d|\d{3})$/, `${m}`);
      const factor = { µm: 1e-6, mm: 1e-3, m: 1 }[unit] ?? NaN;
      // half of the last of three digits
      assert.ok(Math.abs(Number(figure) * factor - m) <= 0.0051 * m, `${m} as ${figure} ${unit}`);
    }),
  );
});

test('a part of the delay below zero says why', () => {
  assert.deepEqual(delayNotes({ wire_s: 1e-4, robot_s: 1e-3 }), []);
  assert.deepEqual(delayNotes({ wire_s: null, robot_s: null }), []);
  const [wire = '', ...rest] = delayNotes({ wire_s: -195e-6, robot_s: 1.2e-3 });
  assert.match(wire, /below zero while frames are there and back sooner than the period/);
  assert.deepEqual(rest, []);
  assert.match(delayNotes({ wire_s: 0, robot_s: -1e-3 })[0] ?? '', /position lead/);
});
