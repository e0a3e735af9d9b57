/** Guard with the model's compensation, at 10 ms, on the half-sphere that is pressed on its plate. Without it: guard-half-sphere.long.test.ts. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { press } from './press-plateau.ts';

test('10 ms with model prediction: steady without the guard having to act much', () => {
  const model = press(0.01, { guard: true, compensation: 'model' });
  // encoder noise of 2 µm on 1.87e6 N/m gives a force noise of 3.7 N, the cost of the prediction
  assert.ok(model.deviation_N < 3, `deviation ${model.deviation_N} N`);
  assert.ok(Math.abs(model.mean_N - 30) < 0.5, `mean ${model.mean_N} N`);
  assert.ok(model.removed_J <= 0.02 * model.taken_J, `${model.removed_J} J of ${model.taken_J} J`);
});
