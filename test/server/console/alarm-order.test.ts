/** Alarms in the order of ISA-18.2, advice for each, lines of the event log, and words for the robot's state. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROBOT_FAULTS } from '../../../hil/emulator/guard.ts';
import { FAULT_CODES } from '../../../hil/contract/codes.ts';
import type { Alarm } from '../../../server/client/messages.ts';
import { advice } from '../../../server/console/alarms/advice.ts';
import {
  authorityWords,
  type LogLine,
  logText,
  noticeWords,
} from '../../../server/console/alarms/log-lines.ts';
import { alarmState, groupAlarms } from '../../../server/console/alarms/order.ts';
import {
  robotFaultWords,
  robotSafetyWords,
  transportWords,
} from '../../../server/console/link/words.ts';
import { SERVER_ALARMS } from '../../../server/contract/fault-words.ts';

let nextId = 1;
const alarm = (
  active: boolean,
  acknowledged: boolean,
  severity: Alarm['severity'],
  time_s: number,
): Alarm => ({
  id: nextId++,
  code: 'FORCE_LIMIT',
  severity,
  message: '',
  active,
  acknowledged,
  count: 1,
  time_s,
  tick: 0,
});

test('unacknowledged before acknowledged before returned; critical first, then the newest', () => {
  const list = [
    alarm(false, false, 'critical', 9),
    alarm(true, true, 'critical', 8),
    alarm(true, false, 'warning', 7),
    alarm(true, false, 'critical', 1),
    alarm(true, false, 'critical', 2),
    alarm(false, true, 'critical', 10),
    alarm(true, false, 'critical', 2),
  ];
  const groups = groupAlarms(list);
  assert.deepEqual(
    groups.map(({ state, alarms }) => [
      state,
      alarms.map(({ id }) => list.findIndex((a) => a.id === id)),
    ]),
    [
      ['unacknowledged', [6, 4, 3, 2]],
      ['acknowledged', [1]],
      ['returned', [0]],
    ],
  );
  assert.equal(alarmState(list[5]), null);
});

test('there is advice for every alarm that the loop or the server can raise', () => {
  for (const code of [...FAULT_CODES, ...SERVER_ALARMS]) assert.match(advice(code), /[.]$/, code);
  assert.equal(advice('NO_SUCH_CODE'), '');
});

test('notices become sentences', () => {
  const at = { tick: 1, time_s: 2 };
  assert.equal(
    noticeWords({
      name: 'transition',
      ...at,
      from: 'ACTIVE_FREE',
      to: 'HOLD',
      cause: 'OPERATOR_HOLD',
    }),
    'From active free to hold. Somebody asked for a hold.',
  );
  assert.equal(
    noticeWords({ name: 'contact', ...at, found: true, speed_mps: 0.0123 }),
    'Contact at 12.3 mm/s.',
  );
  assert.equal(
    noticeWords({ name: 'contact', ...at, found: false, peak_force_N: 41.26 }),
    'Contact lost. Its force was at most 41.3 N.',
  );
  assert.equal(noticeWords({ name: 'link', ...at, up: false }), 'The robot link went down.');
  assert.equal(
    noticeWords({ name: 'injected', ...at, kind: 'loop_error', began: true, amount: 1 }),
    'Fault injected on purpose: loop error: the next tick throws.',
  );
  assert.deepEqual(
    [0, 4, 7].map((holder) => authorityWords(holder, 7)),
    ['Nobody has authority.', 'Session 4 has authority.', 'This page has authority.'],
  );
});

test('the copied log has one line an event under its heading', () => {
  const line: LogLine = { key: 1, kind: 'link', at_ms: 0, time_s: 1.5, text: 'up' };
  assert.equal(
    logText([line, { ...line, kind: 'authority', time_s: null }]),
    'time\tloop_time_s\tkind\tevent\n1970-01-01T00:00:00.000Z\t1.500\tlink\tup\n1970-01-01T00:00:00.000Z\t\tauthority\tup',
  );
});

test('bits of the robot’s fault word in words, those without a name by number', () => {
  assert.deepEqual(robotFaultWords(0), []);
  assert.equal(robotFaultWords(2 ** ROBOT_FAULTS.length - 1).length, ROBOT_FAULTS.length);
  assert.deepEqual(robotFaultWords(2 ** 31 + 2 ** ROBOT_FAULTS.indexOf('POSE_MISMATCH')), [
    'set-point away from the tool while arming',
    'bit 31',
  ]);
  assert.deepEqual([0, 3, 9].map(robotSafetyWords), ['normal', 'reduced', 'unknown state 9']);
  assert.deepEqual(
    ['', 'ws://127.0.0.1:7411/robot', '/dev/ttyUSB0'].map(
      (address) => transportWords(address).kind,
    ),
    ['none', 'websocket', 'serial'],
  );
});
