/**
 * Guard on the half-sphere that is pressed on its plate: with the delay of a good link it takes nothing; at 10 ms it stabilises an
 * unstable contact.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { press } from './press-plateau.ts';

test('1 ms and 1 N of noise: the guard takes next to nothing and the plateau is 30 N', () => {
  const on = press(0.001, { guard: true });
  const off = press(0.001, { guard: false });
  // dead-band 10 N + 1e4 N/(m/s) · 2 mm/s; the mean of 1500 samples of 1 N is good to 0.03 N, encoder noise adds as much
  assert.ok(Math.abs(on.mean_N - 30) < 0.2, `mean ${on.mean_N} N`);
  assert.ok(on.removed_J <= 0.01 * on.taken_J, `${on.removed_J} J of ${on.taken_J} J`);
  // nothing taken, nothing changed: the arm comes back to where it comes without guard
  assert.ok(Math.abs(on.height_m - off.height_m) < 1e-5, `${on.height_m} m, ${off.height_m} m`);
});

test('10 ms: unstable without the guard, steady with it, and the withdrawal is not held up', () => {
  const off = press(0.01, { guard: false });
  const on = press(0.01, { guard: true });
  assert.ok(off.deviation_N > 10, `without guard ${off.deviation_N} N`);
  assert.ok(on.deviation_N < 2, `with guard ${on.deviation_N} N of which 1 N is noise`);
  assert.ok(Math.abs(on.mean_N - 30) < 0.5, `mean ${on.mean_N} N`);
  assert.ok(on.activeTicks > 0, 'it acted');
  const undelayed = press(0.001, { guard: false });
  // 2 s at 1 mm/s: a guard that holds the arm would cost millimetres; two hundredths are the difference of the depths and of 9 ms
  const late = undelayed.height_m - on.height_m;
  assert.ok(Math.abs(late) < 5e-5, `behind by ${late} m`);
});
