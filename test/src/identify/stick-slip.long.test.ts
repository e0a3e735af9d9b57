/** The published stick-slip rig in full: first and second peaks at three speeds, and those of a whole run with the noise of a bench. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyStickSlip, type StickSlipPeak } from '../../../src/identify/stick-slip.ts';
import { bowdenLeben } from '../../fixtures/models.ts';

const rig = bowdenLeben('implicit-contact', 0.1);
const second: StickSlipPeak[] = [
  [0.05, 1.4955],
  [0.1, 1.4455],
  [0.15, 1.368],
].map(([speed, peak]) => ({ speed, cycle: 2, peak }));

test('three second peaks give the dwell time within 5 %, from a start that is wrong by a factor of three', (t) => {
  const [contact] = rig.contacts;
  assert.equal(contact.frictionLaw.kind, 'bristle');
  const frictionLaw = { ...contact.frictionLaw, dwellTime: 0.7 };
  const start = { ...rig, contacts: [{ ...contact, frictionLaw }] };
  const [{ value, low, high }] = identifyStickSlip(start, second, 0.95).identification.estimates;
  t.diagnostic(`${value} s, ${low} to ${high}`);
  assert.ok(Math.abs(value / 2 - 1) < 0.05);
  assert.ok(low < 2 && 2 < high);
});

test('first peaks besides give stiction, and later ones of the reference agree with both', (t) => {
  const first = [0.05, 0.1, 0.15].map((speed) => ({ speed, cycle: 1, peak: 1.5 }));
  const later = [
    { speed: 0.1, cycle: 3, peak: 1.4377 },
    { speed: 0.1, cycle: 4, peak: 1.4364 },
    { speed: 0.15, cycle: 3, peak: 1.3288 },
    { speed: 0.15, cycle: 4, peak: 1.3132 },
  ];
  const { identification } = identifyStickSlip(rig, [...first, ...second, ...later], 0.95);
  const [time, stiction] = identification.estimates;
  t.diagnostic(JSON.stringify(identification.estimates));
  assert.ok(Math.abs(time.value / 2 - 1) < 0.05);
  assert.ok(Math.abs(stiction.value / 0.15 - 1) < 0.002);
});
