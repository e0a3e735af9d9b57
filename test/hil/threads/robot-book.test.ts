/** What the main thread learns of handshakes, whatever the line; and how often a refusal is told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusalPace } from '../../../hil/access/refusal-pace.ts';
import { HandshakePen } from '../../../hil/telemetry/handshakes.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { allocateShared } from '../../../hil/memory/shared.ts';
import { HandshakeReject } from '../../../hil/contract/counters.ts';
import { RobotBook, type RobotRefusal } from '../../../hil/threads/robot-book.ts';
import { LIMITS, Pair } from '../../fixtures/session-pair.ts';

const PATH = '/dev/ttyUSB0';

test('a session: device, firmware, cycle and the smaller limit of each', () => {
  const shared = allocateShared();
  const book = new RobotBook(shared, PATH);
  const witness = new HandshakePen(shared);
  const pair = new Pair({ witness }, { limits: { ...LIMITS, force_N: 100 } });
  pair.run(3000);
  book.drain();
  assert.deepEqual(
    { ...book.facts, limits: book.facts?.limits['force_N'] },
    { device: 'test arm', firmware: '1.2', limits: 100, period_s: 0.001 },
  );
  assert.equal(book.lastReject, null);
});

test('a robot that goes on trying is told of once, and counted each time', () => {
  const shared = allocateShared();
  const book = new RobotBook(shared, PATH);
  const told: [RobotRefusal, number][] = [];
  book.onRefused = (refusal, more) => told.push([refusal, more]);
  const witness = new HandshakePen(shared);
  const pair = new Pair({ witness }, { limits: { ...LIMITS, speed_mps: 0 } });
  pair.run(4000, (tick) => {
    if (tick % 10 === 0) book.drain();
  });
  book.drain();
  const [limits] = new Float64Array(shared.loopCounters).subarray(
    LoopSlot.robot_handshake_rejects_total + HandshakeReject.limits,
  );
  const { at_ms, ...last } = book.lastReject!;
  // after 0, 0.25, 0.75, 1.75 and 3.75 s by the back-off of the handshake
  assert.deepEqual(last, {
    reason: 'limits',
    message: 'HELLO speed_mps 0: above 0 is allowed',
    by: 'server',
    from: PATH,
    device: 'test arm',
    firmware: '1.2',
    count: limits,
  });
  assert.ok(limits >= 4 && limits <= 6, `${limits}`);
  assert.equal(told.length, 1);
  assert.equal(told[0][1], 1);
  assert.ok(performance.now() - at_ms < 60_000);
});

test('a refusal is told at once, its repetitions as one count, and a flood of kinds is bounded', () => {
  const pace = new RefusalPace(1000);
  assert.equal(pace.count('a', 0), 1);
  assert.deepEqual([pace.count('a', 10), pace.count('a', 500)], [0, 0]);
  assert.equal(pace.count('a', 1000), 3);
  let told = 0;
  for (let i = 0; i < 10_000; i++) if (pace.count(`kind ${i}`, 1000 + i) > 0) told++;
  // ten at once at most, and one a second for 10 s
  assert.ok(told > 10 && told <= 20, `${told}`);
});
