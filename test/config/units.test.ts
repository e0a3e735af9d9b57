/** Units at the edge: a table of known conversions, wrong dimensions, and the round trip of random quantities. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseUnit, readQuantity, unitNames } from '../../config/units.ts';

const CONVERSIONS: readonly (readonly [string, string, number])[] = [
  ['1 ms', 's', 1e-3],
  ['1ms', 's', 1e-3],
  ['200 us', 's', 2e-4],
  ['200 µs', 's', 2e-4],
  ['2 min', 's', 120],
  ['2 deg', 'rad', (2 * Math.PI) / 180],
  ['90°', 'rad', Math.PI / 2],
  ['10 cm', 'm', 0.1],
  ['-0.2 mm', 'm', -0.0002],
  ['2 mm/s', 'm/s', 2e-3],
  ['3 deg/s', 'rad/s', (3 * Math.PI) / 180],
  ['5 kg', 'kg', 5],
  ['454 g', 'kg', 0.454],
  ['0.4 kN', 'N', 400],
  ['10 N/(mm/s)', 'N/(m/s)', 1e4],
  ['10 N*s/mm', 'N/(m/s)', 1e4],
  ['1 N m', 'N*m', 1],
  ['1 Nm', 'N*m', 1],
  ['8 N/mm^1.5', 'N/m^1.5', 8 * 1000 ** 1.5],
  ['2 g cm2', 'kg*m^2', 2e-7],
  ['2 g*cm^2', 'kg*m^2', 2e-7],
  ['3 mm^-1', '1/m', 3000],
  ['3 1/mm', '1/m', 3000],
  ['9.81 m/s^2', 'm/s^2', 9.81],
  ['1e3 mm', 'm', 1],
  ['.5 s', 's', 0.5],
];

for (const [text, unit, expected] of CONVERSIONS) {
  test(`"${text}" is ${expected} ${unit}`, () => {
    const result = readQuantity(text, unit);
    assert.ok(result.ok, JSON.stringify(result));
    assert.ok(Math.abs(result.value - expected) <= 4e-16 * Math.abs(expected) * 4);
  });
}

const WRONG: readonly (readonly [string, string, RegExp])[] = [
  ['1 mm', 's', /"mm" does not convert to s/],
  ['2 m', 'rad', /does not convert to rad/],
  ['2 rad', '1/s', /does not convert/],
  ['5 parsec', 'm', /"parsec" is not a known unit/],
  ['5 N//m', 'N/m', /not a known unit/],
  ['5 N/(m', 'N/m', /not a known unit/],
  ['5 m^', 'm', /not a known unit/],
  ['five', 'm', /a number in m/],
  ['5', 'm', /not a quoted number/],
  ['1 m', '', /a plain number without a unit/],
  ['', 'm', /a number in m/],
];

for (const [text, unit, reason] of WRONG) {
  test(`"${text}" is refused for ${unit === '' ? 'a plain number' : unit}`, () => {
    const result = readQuantity(text, unit);
    assert.ok(!result.ok);
    assert.match(result.reason, reason);
  });
}

test('a number in any unit comes back as number times factor', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
      fc.constantFrom(...unitNames()),
      fc.constantFrom(...unitNames()),
      (value, a, b) => {
        const unit = parseUnit(`${a}/${b}`);
        const one = readQuantity(`1 ${a}/${b}`, `${a}/${b}`);
        assert.ok(unit !== null && one.ok);
        const result = readQuantity(`${value} ${a}/${b}`, `${a}/${b}`);
        assert.ok(result.ok);
        assert.ok(
          Math.abs(result.value - value * one.value) <=
            1e-15 * Math.abs(value * one.value) + 1e-300,
        );
      },
    ),
  );
});

test('no text makes the reader throw', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      readQuantity(text, 'N/(m/s)');
      readQuantity(`1 ${text}`, 'm');
    }),
  );
});
