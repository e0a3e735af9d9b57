/** Stage times of the tick: mean of the last whole second, worst of the last ten. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOP_STAGES } from '../../../hil/contract/counters.ts';
import type { TimingStatus } from '../../../server/client/messages.ts';
import { StageWindow } from '../../../server/console/timing/stage-window.ts';

const timing = (step: number, margin: number): TimingStatus => ({
  period: 1,
  lateness_s: 0,
  margin_s: margin,
  stage_rx_s: 0.5,
  stage_operator_s: 0.5,
  stage_safety_s: 0.5,
  stage_compensate_s: 0.5,
  stage_step_s: step,
  stage_guard_s: 0.5,
  stage_tx_s: 0.25,
  stage_record_s: 0.5,
  slipped_total: 0,
  miss_cause: null,
  substeps: 1,
});
/** As hil/loop/tick.ts goes through them. */
const LOOP_ORDER = [
  'rx',
  'operator',
  'safety',
  'compensate',
  'step',
  'guard',
  'tx',
  'record',
  'margin',
];
const figure = (window: StageWindow, name: string): { mean_s: number; worst_s: number } => {
  const { mean_s, worst_s } = window.figures().find((one) => one.name === name)!;
  return { mean_s, worst_s };
};

test('the mean is of the last whole second, the worst of ten; of the spare time the least', () => {
  const window = new StageWindow();
  assert.deepEqual(window.figures(), []);
  window.add(timing(8, -3), 0.5);
  for (let s = 1; s <= 9; s++) window.add(timing(1, 4), s + 0.5);
  window.add(timing(2, 5), 9.6);
  window.add(timing(100, 6), 10.1);
  // second 0 has just left the window; second 9 is the last whole one
  assert.deepEqual(figure(window, 'step'), { mean_s: 1.5, worst_s: 100 });
  assert.deepEqual(figure(window, 'margin'), { mean_s: 4.5, worst_s: 4 });
  assert.deepEqual(
    window.figures().map(({ name }) => name),
    LOOP_ORDER,
  );
});

test('every stage of the tick has words and is shown in the order of the tick', () => {
  const window = new StageWindow();
  window.add(timing(1, 1), 0);
  const figures = window.figures();
  assert.deepEqual(
    figures.map(({ name }) => name),
    LOOP_ORDER,
  );
  assert.deepEqual([...LOOP_ORDER].sort(), [...LOOP_STAGES, 'margin'].sort());
  for (const { name, words } of figures) assert.ok(words.length > 3, name);
});
