/** Flight files: what a good one becomes, and a sentence with file, line and column for each that cannot be. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { flightNames, loadFlight } from '../../config/flight.ts';
import { packageRoot } from '../../config/paths.ts';
import { ConfigError } from '../../config/yaml-source.ts';
import { BerthError } from '../../src/base/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-flights-'));
after(() => rmSync(folder, { recursive: true }));

const GOOD = `name: peg
title: A peg into a hole
scenario: peg-in-hole
speed_mps: 10 mm/s
angular_speed_radps: 2 deg/s
force_limit_N: 80
begin:
  - { flown: wiggle, go: press }
steps:
  - name: above
    position_m: [100 mm, 0, 0.25]
    orientation: { kind: axis-angle, axis: [0, 0, 2], angle_rad: 90 deg }
  - name: down
    velocity_mps: [0, 0, -5 mm/s]
    force_limit_N: 40
    until:
      - { push_N: { above: 15, below: 30 }, held_s: 200 ms, report: touched }
      - { after_s: 20 s, go: fail }
  - name: wiggle
    frame: here
    once: true
    angular_velocity_radps: [0, 0, 1 deg/s]
    until:
      - { after_s: 1 s }
  - name: press
    goal: true
    velocity_mps: [0, 0, -2 mm/s]
    until:
      - { stalled: { less_than_m: 0.1 mm, in_s: 2 s }, go: end }
`;

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('a good file: what the plan gets, in SI units', () => {
  const { name, scenario, begin, steps } = loadFlight(write('good.yaml', GOOD));
  assert.deepEqual([name, scenario], ['peg', 'peg-in-hole']);
  assert.deepEqual(begin, [{ flown: 'wiggle', go: 'press' }]);
  const [above, down, wiggle, press] = steps;
  assert.deepEqual(above.position, [0.1, 0, 0.25]);
  const half = Math.SQRT1_2;
  above.orientation!.forEach((value, i) =>
    assert.ok(Math.abs(value - [0, 0, half, half][i]) < 1e-15),
  );
  assert.deepEqual([above.speed, above.angularSpeed], [0.01, (2 * Math.PI) / 180]);
  assert.deepEqual([above.forceLimit, above.momentLimit], [80, Infinity]);
  assert.ok(above.endsThere && !down.endsThere, 'a waypoint ends its step');
  assert.deepEqual([down.forceLimit, down.along], [40, [0, 0, -1]]);
  assert.deepEqual(down.until, [
    { push_N: { above: 15, below: 30 }, held_s: 0.2, go: 'next', report: 'touched' },
    { after_s: 20, go: 'fail' },
  ]);
  assert.ok(wiggle.once && wiggle.along === null);
  assert.ok(press.goal && press.timeout_s === 60);
});

test('axes that accommodate: as named, in the order of the command; none named leaves them', () => {
  assert.equal(loadFlight(write('good.yaml', GOOD)).accommodates, null);
  const text = GOOD.replace('begin:', 'accommodates: [moment_y, force_z]\nbegin:');
  const { accommodates } = loadFlight(write('stiff.yaml', text));
  assert.deepEqual(accommodates, [false, false, true, false, true, false]);
});

test('every flight of the package loads under its own name', () => {
  const files = readdirSync(join(packageRoot(), 'config', 'flights'));
  assert.deepEqual(
    files.sort(),
    flightNames().map((name) => `${name}.yaml`),
  );
  for (const name of flightNames()) assert.equal(loadFlight(name).name, name);
});

/** A change of the good file, the place of the complaint about it, and its words. */
const BAD: readonly (readonly [from: string, to: string, place: string, words: RegExp])[] = [
  ['name: peg\n', '', '1:1', /^name is missing/],
  ['begin:', 'beginn:', '7:1', /^beginn is not a known field; did you mean begin\?/],
  ['speed_mps: 10 mm/s', 'speed_mps: 10 mm', '4:12', /"mm" does not convert to m\/s/],
  ['force_limit_N: 40', 'force_limit_N: -1', '15:20', /force_limit_N is -1; allowed: .*above 0 N/],
  ['- name: down', '- name: above', '13:11', /the step "above" appears twice/],
  ['- name: down', '- name: next', '13:11', /allowed: any name but next, end, fail/],
  ['begin:', 'accommodates: [force_w]\nbegin:', '7:16', /accommodates\[0\] is "force_w"/],
  ['go: press', 'go: pres', '8:26', /begin\[0\]\.go is "pres"; did you mean press\?/],
  ['go: press', 'go: next', '8:26', /begin\[0\]\.go is "next"; allowed: the name of a step/],
  ['flown: wiggle', 'flown: down', '8:14', /flown is "down"; allowed: wiggle/],
  ['    once: true\n', '', '8:14', /flown is "wiggle"; allowed: a step with once: true/],
  ['above: 15, below: 30', 'above: 30, below: 15', '17:19', /above 30 and below 15/],
  ['{ above: 15, below: 30 }', '{}', '17:19', /push_N compares with nothing/],
  ['{ after_s: 1 s }', '{ go: press }', '24:9', /has no condition; allowed: one or more/],
  ['{ after_s: 1 s }', '{ push_N: { above: 1 } }', '24:19', /push_N has no direction/],
  [
    '    velocity_mps: [0, 0, -2 mm/s]\n',
    '    position_m: [0, 0, 0]\n    velocity_mps: [0, 0, 1]\n',
    '28:19',
    /has position_m and velocity_mps/,
  ],
  ['speed_mps: 10 mm/s\nangular', 'angular', '9:5', /steps\[0\]\.speed_mps is missing/],
];

for (const [from, to, place, words] of BAD) {
  test(`refused with its place: ${JSON.stringify(to === '' ? `no ${from}` : to)}`, () => {
    assert.ok(GOOD.includes(from), from);
    const file = write('bad.yaml', GOOD.replace(from, to));
    assert.throws(
      () => loadFlight(file),
      (error) => {
        assert.ok(error instanceof ConfigError, String(error));
        const [issue] = error.issues;
        assert.match(issue.message, words);
        assert.equal(issue.where, `${file}:${place}`);
        return true;
      },
    );
  });
}

test('two goals, and a step without an end, are refused', () => {
  const two = GOOD.replace('    once: true', '    goal: true').replace(/begin:\n.*\n/, '');
  assert.throws(() => loadFlight(write('two.yaml', two)), /so is that of "wiggle"; allowed: one/);
  const endless = GOOD.replace(/ {4}until:\n {6}- \{ stalled.*\n/, '');
  assert.throws(() => loadFlight(write('endless.yaml', endless)), /"press" has no end; allowed/);
});

test('a name that is no flight, and a file that is not there', () => {
  const refusal = (name: string): string => {
    try {
      loadFlight(name);
    } catch (error) {
      assert.ok(error instanceof BerthError);
      return error.message;
    }
    return assert.fail(`${name} was accepted`);
  };
  assert.match(
    refusal('landing'),
    /^flight "landing" does not exist; allowed: docking-petals, identify-breakaway, identify-drag, identify-payload, identify-pre-sliding, identify-press, identify-tap, identify-twist, insertion, latch-hook, latch-pawl, round-peg, or a YAML/,
  );
  assert.match(refusal('./landing.yaml'), /^there is no flight file "[.]\/landing.yaml"$/);
});
