/** Capture of rest and ends of a device, and what is refused; what was typed for the accommodation. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Capture, REST_MS } from '../../../server/client/devices/capture.ts';
import {
  differs,
  draftOf,
  draftProblem,
  wishOf,
} from '../../../server/client/devices/fma-draft.ts';
import { calibrate, defaultProfile } from '../../../server/client/devices/profile.ts';

describe('capture', () => {
  const profile = defaultProfile('spacemouse');
  const rest = [4, -3, 0, 2, 0, 1];

  /** A capture whose step of rest is over. */
  function rested(): { capture: Capture; now_ms: number } {
    const capture = new Capture('spacemouse', profile);
    let now_ms = 100;
    for (; capture.step === 'rest'; now_ms += 10) assert.equal(capture.add(rest, now_ms), null);
    assert.ok(now_ms - 100 >= REST_MS);
    return { capture, now_ms };
  }

  test('rest and ends become ranges', () => {
    const { capture, now_ms } = rested();
    assert.equal(capture.refusals().length, 6);
    capture.add([400, 380, 360, 340, 320, 300], now_ms);
    capture.add([-350, -340, -330, -320, -310, -300], now_ms + 10);
    assert.deepEqual(capture.refusals(), []);
    const ranges = capture.ranges(profile);
    assert.deepEqual(ranges[0], { minimum: -350, centre: 4, maximum: 400 });
    assert.equal(calibrate(4, ranges[0]), 0);
    assert.equal(calibrate(400, ranges[0]), 1);
    assert.equal(calibrate(-350, ranges[0]), -1);
  });

  test('an axis that was moved to one side only, or hardly, is refused by its name', () => {
    const { capture, now_ms } = rested();
    capture.add([400, 380, 360, 340, 320, 300], now_ms);
    capture.add([-350, -340, -330, -320, -310, -30], now_ms + 10);
    assert.deepEqual(capture.refusals(), [
      '"Twist clockwise" moved 8 % of what is usual: move it to both ends.',
    ]);
    assert.deepEqual(capture.ranges(profile)[5], profile.ranges[5]);
  });

  test('an axis without work need not be moved', () => {
    const idle = {
      ...profile,
      assignments: profile.assignments.map((one) => ({ ...one, source: one.source > 0 ? -1 : 0 })),
    };
    const capture = new Capture('spacemouse', idle);
    for (let ms = 0; capture.step === 'rest'; ms += 10) capture.add(rest, ms);
    capture.add([350, 0, 0, 0, 0, 0], 5000);
    capture.add([-350, 0, 0, 0, 0, 0], 5010);
    assert.deepEqual(capture.refusals(), []);
  });

  test('a throttle, which rests at an end, has one side', () => {
    const stick = defaultProfile('joystick');
    const capture = new Capture('joystick', {
      ...stick,
      assignments: stick.assignments.map((one, i) => ({ ...one, source: i === 0 ? 3 : -1 })),
    });
    for (let ms = 0; capture.step === 'rest'; ms += 10) capture.add([0, 0, 0, -1, 0, 0, 0, 0], ms);
    assert.equal(capture.refusals().length, 1);
    capture.add([0, 0, 0, 0.9, 0, 0, 0, 0], 5000);
    assert.deepEqual(capture.refusals(), []);
    assert.deepEqual(capture.ranges(stick)[3], { minimum: -1, centre: -1, maximum: 0.9 });
  });

  test('moved while it was to be left alone: the step begins again', () => {
    const capture = new Capture('spacemouse', profile);
    capture.add(rest, 0);
    capture.add([90, 0, 0, 0, 0, 0], REST_MS / 2);
    assert.match(capture.add(rest, REST_MS) ?? '', /^"Cap right" moved while/);
    assert.equal(capture.step, 'rest');
    capture.add(rest, REST_MS + 10);
    assert.equal(capture.add(rest, 2 * REST_MS + 10), null);
    assert.equal(capture.step, 'ends');
  });
});

describe('accommodation as typed', () => {
  const set = {
    axes: [true, true, true, false, false, false],
    set_point: [0, 0, 5, 0, 0, 0],
    force_deadband_N: 1,
    moment_deadband_Nm: 0.1,
    force_gain_Ns_per_m: 1000,
    moment_gain_Nms_per_rad: 50,
  };
  const limits = { force_N: 100, moment_Nm: 10 };
  const draft = draftOf(set);
  const typed = (...setPoint: string[]): string | null =>
    draftProblem({ ...draft, setPoint }, limits);

  test('what is set has no problem and differs nowhere', () => {
    assert.equal(draftProblem(draft, limits), null);
    assert.ok([0, 1, 2, 3, 4, 5].every((i) => !differs(draft, set, i)));
    assert.deepEqual(wishOf(draft), { axes: set.axes, set_point: set.set_point });
  });

  test('numbers, with a decimal comma or a real minus too', () => {
    const other = { ...draft, setPoint: ['1,5', '−2', '5.0', '0', '0', '0'] };
    assert.deepEqual(wishOf(other).set_point, [1.5, -2, 5, 0, 0, 0]);
    assert.deepEqual(
      [0, 1, 2].map((i) => differs(other, set, i)),
      [true, true, false],
    );
    assert.match(typed('five', '0', '0', '0', '0', '0') ?? '', /Fx "five" is no number of N/);
    assert.match(typed('', '0', '0', '0', '0', '0') ?? '', /Fx "" is no number/);
  });

  test('the limit holds for the length, and its edge is allowed', () => {
    assert.equal(typed('60', '80', '0', '0', '0', '0'), null);
    assert.match(
      typed('60', '81', '0', '0', '0', '0') ?? '',
      /force of 100.802 N is above .* 100 N/,
    );
  });

  test('a set-point on an axis that does not accommodate is refused', () => {
    assert.match(typed('0', '0', '0', '1', '0', '0') ?? '', /Mx has a set-point of 1 N m/);
  });
});
