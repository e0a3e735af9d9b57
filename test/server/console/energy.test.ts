/** The energy page's own reckoning: reasons of the permit, bands of the margin, bars, and the book of contacts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type {
  Accommodation,
  EnergyLimits,
  LoopEnergyStatus,
} from '../../../server/client/messages.ts';
import {
  ContactBook,
  type ContactSample,
  CONTACTS_KEPT,
} from '../../../server/console/energy/contact-book.ts';
import {
  marginBand,
  permitChecks,
  permitReasons,
  permitWords,
} from '../../../server/console/energy/permit.ts';
import { firstTouchWords } from '../../../server/console/energy/first-touch.ts';
import { joules } from '../../../server/console/shell/words.ts';
import { validityWords } from '../../../server/console/energy/validity.ts';
import { VALIDITY_FLAGS } from '../../../src/index.ts';
import { marginPlace, restitutionRange, stackOf } from '../../../server/console/energy/stack.ts';

const LIMITS: EnergyLimits = {
  permit_required: true,
  restitution: 1.02,
  stability_margin: 2,
  accommodation_number: Math.exp(-1),
  hold_ratio: 0.05,
  hold_floor_J: 0.02,
  hold_J: 0.5,
};
const FMA: Accommodation = {
  axes: [true, true, true, true, true, true],
  set_point: [0, 0, 0, 0, 0, 0],
  force_deadband_N: 0,
  moment_deadband_Nm: 0,
  force_gain_Ns_per_m: 15000,
  moment_gain_Nms_per_rad: 500,
};
const AUDIT = {
  in_J: 0,
  out_J: 0,
  created_J: 0,
  created_total_J: 0,
  restitution_sim: null as number | null,
  restitution_hw: null as number | null,
};
const PREDICTION = {
  contact_stiffness_N_per_m: 1e5 as number | null,
  effective_mass_kg: 100,
  critical_delay_s: 0.02,
  stability_margin: 3,
  stability_margin_active: 4 as number | null,
  restitution: 1.28,
  restitution_active: 1.01 as number | null,
  stiffness_limit_N_per_m: 2e5,
};
const energy = (
  prediction: Partial<typeof PREDICTION> = {},
  total_s: number | null = 0.005,
): LoopEnergyStatus => ({
  delay: {
    known: total_s !== null,
    total_s,
    wire_s: 0.001,
    robot_s: 0.003,
    measurement_s: 0.001,
  },
  prediction: { ...PREDICTION, ...prediction },
  permit: 'needed',
  compensation: 'none',
  guard: true,
  removal: false,
  position_lead: false,
  audit: AUDIT,
  passivity: { observer_J: 0, removed_J: 0, active: false, tank_J: 0 },
  guard_wrench: [0, 0, 0, 0, 0, 0],
  compensation_wrench: [0, 0, 0, 0, 0, 0],
});
const reasons = (now: LoopEnergyStatus, fma: Accommodation | undefined = FMA): string[] =>
  permitReasons(now.permit, permitChecks(now, LIMITS, fma));
const OTHER = ['Another contact of the tool, or several together, are beyond a limit.'];

test('reasons of the permit: each limit that is exceeded, with its figure', () => {
  assert.deepEqual(reasons({ ...energy(), permit: 'valid' }), []); // k T/g = 1e5 × 5 ms / 15000 = 0.033
  assert.deepEqual(reasons(energy()), OTHER);
  assert.deepEqual(reasons(energy({ restitution_active: 1.2797 })), [
    'A contact gives back more than it took: restitution 1.280, at most 1.020.',
  ]);
  assert.deepEqual(reasons(energy({ stability_margin_active: 0.5 })), [
    'The delay is too near to the critical one: margin 0.500, at least 2.000.',
  ]);
  assert.deepEqual(reasons(energy(), { ...FMA, force_gain_Ns_per_m: 1000 }), [
    'The accommodation overshoots its force: k T/g 0.500, at most 0.368.',
  ]);
  assert.equal(permitChecks(energy(), LIMITS, undefined).length, 2);
});

test('what is not known keeps no limit; a margin without a bound keeps its own', () => {
  assert.equal(reasons(energy({}, null)).length, 3);
  assert.equal(reasons(energy({ contact_stiffness_N_per_m: null })).length, 3);
  assert.deepEqual(reasons(energy({ stability_margin_active: null }, 0)), OTHER);
  assert.deepEqual(reasons(energy({ restitution_active: null })), [
    'Not known yet: restitution as the loop is set.',
  ]);
});

test('what is not known is said to be unknown, never exceeded', () => {
  const verdicts = (now: LoopEnergyStatus): string[] =>
    permitChecks(now, LIMITS, FMA).map(({ verdict }) => verdict);
  assert.deepEqual(verdicts(energy({ contact_stiffness_N_per_m: null })), [
    'unknown',
    'unknown',
    'unknown',
  ]);
  assert.deepEqual(verdicts(energy({ restitution_active: null })), ['unknown', 'kept', 'kept']);
  assert.deepEqual(verdicts(energy({ restitution_active: 1.3 })), ['exceeded', 'kept', 'kept']);
  const sentence = (now: LoopEnergyStatus, state: string): string =>
    permitWords(state, true, permitChecks(now, LIMITS, FMA)).sentence;
  const unknown = energy({ contact_stiffness_N_per_m: null });
  assert.match(sentence(unknown, 'needed'), /^What the contact will do is not known, and nobody/);
  assert.match(sentence(unknown, 'acknowledged'), /not known, and somebody/);
  assert.match(sentence(energy({ restitution_active: 1.3 }), 'needed'), /exceeds a limit/);
  // one that is exceeded is worse than one that is not known
  const both = energy({ restitution_active: null, stability_margin_active: 0.5 });
  assert.match(sentence(both, 'needed'), /exceeds a limit/);
  assert.match(sentence(unknown, 'valid'), /keeps every limit/);
});

test('a permit that is only advisory is not shown as a fault', () => {
  assert.equal(permitWords('needed').level, 'fault');
  assert.equal(permitWords('needed', false).level, 'hold');
  assert.equal(permitWords(undefined).word, '—');
});

test('bands and places of a margin', () => {
  assert.deepEqual(
    [0.2, 0.999, 1, 1.9, 2, 50].map((margin) => marginBand(margin, 2)),
    ['unstable', 'unstable', 'narrow', 'narrow', 'wide', 'wide'],
  );
  const places = [0, 0.1, 1, 10, 100, 1e6].map((margin) => marginPlace(margin));
  const expected = [0, 0, 1 / 3, 2 / 3, 1, 1];
  places.forEach((place, i) => assert.ok(Math.abs(place - expected[i]) < 1e-12, `${place}`));
});

test('parts of a delay lie side by side on one scale with the critical one', () => {
  const { boxes, mark } = stackOf([1, -2, 3], 9, 99);
  assert.deepEqual(boxes, [
    { from: 0, width: 10 },
    { from: 10, width: 0 },
    { from: 10, width: 30 },
  ]);
  assert.ok(Math.abs(mark! - 90) < 1e-12, `${mark}`);
  // a critical delay that is far away would press the parts together
  assert.equal(stackOf([1, 0, 0], 21, 110).mark, null);
  assert.deepEqual(stackOf([null, null, null], 5, 100), {
    boxes: [0, 0, 0].map(() => ({ from: 0, width: 0 })),
    mark: null,
  });
});

test('the plot holds 1 and every point', () => {
  assert.deepEqual(restitutionRange([]), [0.8, 1.2]);
  assert.deepEqual(restitutionRange([0.42, 1.63]), [0.4, 1.7]);
});

/** A contact as the loop goes through it: energies grow while it touches, the audit closes 50 ticks after it. */
interface Bounce {
  readonly ticks: number;
  readonly in_J: number;
  readonly out_J: number;
  readonly created_J: number;
  readonly free: number;
}
const FREE_TICKS = 50;

/** Every tick of some bounces, as rows of the audit. */
function rowsOf(bounces: readonly Bounce[]): ContactSample[] {
  const rows: ContactSample[] = [];
  let [audit, total_J] = [AUDIT, 0];
  const row = (touching: boolean): void => {
    const tick = rows.length + 1;
    rows.push({
      tick,
      at_ms: tick,
      touching,
      force_N: touching ? 20 : 0,
      validity: touching ? ['depth'] : [],
      energy: { audit, prediction: energy().prediction },
    });
  };
  row(false);
  for (const [index, { ticks, free, ...end }] of bounces.entries()) {
    for (let i = 1; i <= ticks; i++) {
      const share = i / ticks;
      const created_J = end.created_J * share;
      audit = {
        ...audit,
        in_J: end.in_J * Math.min(1, 2 * share),
        out_J: end.out_J * Math.max(0, 2 * share - 1),
        created_J,
        created_total_J: total_J + created_J,
      };
      row(true);
    }
    total_J += end.created_J;
    for (let i = 1; i <= FREE_TICKS + free; i++) {
      if (i === FREE_TICKS) {
        audit = { ...audit, restitution_sim: 1 + index / 1000, restitution_hw: 0.9 };
      }
      row(false);
    }
  }
  return rows;
}

test('every contact is kept once with its figures at the end, however few of the ticks are told', () => {
  const joules = fc.double({ min: 1e-3, max: 5, noNaN: true });
  const bounce = fc.record({
    ticks: fc.integer({ min: 12, max: 200 }),
    in_J: joules,
    out_J: joules,
    created_J: fc.double({ min: -1, max: 1, noNaN: true }),
    free: fc.integer({ min: 20, max: 900 }), // two of the coarsest steps
  });
  fc.assert(
    fc.property(
      fc.array(bounce, { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 1, max: 10 }),
      (bounces, every) => {
        const rows = rowsOf(bounces);
        const book = new ContactBook();
        for (const one of rows) if (one.tick % every === 0) book.take(one);
        // long after the last one
        const end = rows.at(-1)!;
        book.take({ ...end, tick: end.tick + 1000, at_ms: end.at_ms + 1000 });
        assert.equal(book.present, null);
        const expected = bounces.slice(-CONTACTS_KEPT).toReversed();
        assert.equal(book.finished.length, expected.length);
        for (const [i, record] of book.finished.entries()) {
          const { in_J, out_J, created_J } = expected[i];
          assert.equal(record.in_J, in_J);
          assert.equal(record.out_J, out_J);
          assert.equal(record.created_J, created_J);
          const number = bounces.length - i;
          assert.equal(record.number, number);
          assert.equal(record.sim, 1 + (number - 1) / 1000);
          assert.equal(record.peak_force_N, 20);
          assert.deepEqual(record.validity, ['depth']);
          assert.equal(record.predicted, 1.28);
        }
      },
    ),
    { numRuns: 60, seed: 7 },
  );
});

test('the limits that a contact exceeded are kept together, in the order of their bits', () => {
  const rows = rowsOf([{ ticks: 3, in_J: 1, out_J: 1, created_J: 0.1, free: 20 }]);
  const [, first, second, third] = rows;
  const book = new ContactBook();
  book.take({ ...first, validity: ['turn'] });
  book.take({ ...second, validity: [] });
  book.take({ ...third, validity: ['depth'] });
  assert.deepEqual(book.present?.validity, ['depth', 'turn']);
  assert.match(validityWords(['depth', 'turn']), /^depth above 1 % .*; normal turned by more/);
  assert.equal(validityWords([]), '');
  // the words of a later version stay as they are
  assert.equal(validityWords(['other']), 'other');
  for (const flag of VALIDITY_FLAGS) assert.notEqual(validityWords([flag]), flag);
});

test('a message that comes late changes nothing; another loop begins anew', () => {
  const rows = rowsOf([{ ticks: 40, in_J: 1, out_J: 1, created_J: 0.1, free: 0 }]);
  const book = new ContactBook();
  for (const one of rows.slice(0, 30)) book.take(one);
  assert.equal(book.take(rows[10]), false);
  const { in_J } = book.present!;
  assert.ok(in_J > 0.7, `${in_J} J`);
  book.take({ ...rows[29], tick: 5000, energy: rows[29].energy });
  book.take({ ...rows[0], tick: 3 });
  assert.equal(book.present, null);
  assert.deepEqual(book.finished, []);
});

test('energies in the unit that suits them', () => {
  assert.deepEqual([0, 4.56e-5, -0.0123, 0.5, 1.234, 63.72, 980].map(joules), [
    '0 J',
    '45.6 µJ',
    '−12.3 mJ',
    '500 mJ',
    '1.23 J',
    '63.7 J',
    '980 J',
  ]);
  assert.equal(joules(null), '—');
});

test('the first touch in words: time and place, now, none, and a dash where it is not told', () => {
  const touch = { contact: 'box-site', after_ms: 812.4, point_m: [0.1, -0.02, 0.00504] };
  assert.equal(firstTouchWords(touch), 'box-site in 812 ms at (100.0, −20.0, 5.0) mm');
  assert.match(firstTouchWords({ ...touch, after_ms: 0 }), /^box-site now at /);
  assert.equal(firstTouchWords(null), 'none within 10 s');
  assert.equal(firstTouchWords(undefined), '—');
});
