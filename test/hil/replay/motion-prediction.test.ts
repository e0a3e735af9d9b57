/** From when on a recording of mode hardware is of another motion than the one that a changed model would have made. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { LogRing, type LogView } from '../../../hil/memory/log-ring.ts';
import type { LogRecord } from '../../../hil/memory/records.ts';
import { ControlWord } from '../../../hil/memory/shared.ts';
import { ContactReplay } from '../../../hil/replay/contact-replay.ts';
import { MotionPrediction } from '../../../hil/replay/motion-prediction.ts';
import type { HystereticModel, SystemModel } from '../../../src/model/model.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const records: LogRecord[] = [];
let model: SystemModel;
const STICK = 0.3;
const PERIOD_s = 0.001;

before(() => {
  // the robot is where its set-points are, and measures the contact of the same scenario
  const emulator = { tracking: 'ideal', delay_s: 0 } as const;
  const rig = new VirtualRig({ mode: 'hardware', log: 1 << 22, emulator });
  const ring = new LogRing(rig.shared.log);
  const view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };
  Atomics.store(new Int32Array(rig.shared.control), ControlWord.STATE_WANTED, 1);
  rig.activate();
  for (let part = 0; part < 5; part++) {
    rig.run(200, () => rig.inputAxes([0, 0, -STICK, 0, 0, 0], 1));
    while (ring.read(view)) records.push({ ...view, bytes: view.bytes.slice() });
  }
  ({ model } = rig.system);
});

function withStiffness(factor: number): SystemModel {
  const [contact] = model.contacts;
  const law = contact.normalLaw as HystereticModel;
  const normalLaw = { ...law, stiffness: factor * law.stiffness };
  return { ...model, contacts: [{ ...contact, normalLaw }] };
}

function predict(changed: SystemModel, bound_m: number, from = 0): MotionPrediction {
  const replay = new ContactReplay({
    recorded: model,
    model: changed,
    mode: 'hardware',
    period_s: PERIOD_s,
  });
  const prediction = new MotionPrediction(changed, PERIOD_s, bound_m, from);
  for (const record of records)
    if (replay.take(record)) prediction.take(replay.row, replay.system.state);
  return prediction;
}

test('with the laws of the plate the prediction stays with the recording', (t) => {
  const { ticks, largest_m, first } = predict(model, 10e-6);
  t.diagnostic(`${ticks} ticks, ${largest_m} m`);
  assert.ok(ticks > 900);
  assert.equal(first, -1);
  // the same steps at poses that differ by the rounding of the wire
  assert.ok(largest_m < 1e-9);
});

test('a softer plate leads the arm deeper by the difference of both depths, and the evidence ends on the way', (t) => {
  const soft = withStiffness(1 / 8);
  const { largest_m, first, first_s } = predict(soft, 10e-6);
  t.diagnostic(`${largest_m} m, tick ${first}, ${first_s} s`);
  // f = 10 N + 1e4 N/(m/s) · speed; depth (f/k)^(2/3), four times as deep with an eighth of k; the loop settles on it
  const f = 10 + 1e4 * 0.02 * ((STICK - 0.05) / 0.95);
  const apart = 3 * (f / 2.5413e8) ** (2 / 3);
  assert.ok(largest_m > 0.95 * apart && largest_m < 2.5 * apart, `${largest_m} ${apart}`);
  assert.ok(first > 0);
  // after the first touch, at 1 mm above the plate, and not before
  assert.ok(first_s > 0.1);
  const later = predict(soft, 3 * largest_m);
  assert.equal(later.first, -1);
  assert.ok(later.largest_m === largest_m);
});

test('a change at a tick has no part before it', () => {
  const soft = withStiffness(1 / 8);
  const { first } = predict(soft, 10e-6);
  const changed = predict(soft, 10e-6, first + 200);
  assert.ok(changed.first > first + 200);
  assert.ok(changed.ticks < predict(soft, 10e-6).ticks);
});
