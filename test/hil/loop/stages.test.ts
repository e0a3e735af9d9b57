/** The stages of a tick are one list: it runs in its order, and each entry is timed under a name of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOP_STAGES } from '../../../hil/contract/counters.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const ORDER = ['rx', 'operator', 'safety', 'compensate', 'step', 'guard', 'tx', 'record'];

test('each stage has one name, and every name a stage', () => {
  const { stages } = new VirtualRig().tick;
  const names = stages.map(({ timed }) => LOOP_STAGES[timed]);
  assert.deepEqual(names, ORDER);
  assert.deepEqual([...names].sort(), [...LOOP_STAGES].sort());
});

test('a stage takes from the end of the one before to its own end', () => {
  const rig = new VirtualRig();
  const { stages, timer } = rig.tick;
  const run: string[] = [];
  for (const stage of stages) {
    const inner = stage.run.bind(stage);
    // each takes as many microseconds as its place in the list
    stage.run = (): void => {
      inner();
      run.push(LOOP_STAGES[stage.timed]);
      rig.clock.advance_us(run.length);
    };
  }
  rig.run(1);
  assert.deepEqual(run, ORDER);
  stages.forEach(({ timed }, place) => {
    // times of the clock are about 1e6 µs: rounding is below 1e-9 µs
    assert.ok(Math.abs(timer.durations_s[timed] - (place + 1) * 1e-6) < 1e-14, ORDER[place]);
  });
});
