/**
 * The operator socket over a real loop: permissions, and the end of motion in all required cases
 * (hil-anchors 9.4: 25, 27, 46, 50, 51).
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Column, type ColumnName, ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import { SAFETY_STATES } from '../../../hil/contract/codes.ts';
import type { AuditEntry } from '../../../server/audit/audit-sink.ts';
import type {
  Accommodation,
  Alarm,
  HandMode,
  Overrun,
  Topics,
  Welcome,
} from '../../../server/client/messages.ts';
import { parseClientMessage } from '../../../server/contract/client-messages.ts';
import { type Message, type Peer, Service } from '../../fixtures/service.ts';

let service: Service;
before(async () => {
  service = await Service.start((settings) => {
    settings.allow_fault_injection = true;
  });
});
after(async () => service.close());

const isActive = (status: Message): boolean => String(status['state']).startsWith('ACTIVE');
const row = new Float64Array(ROW_WIDTH);
const newest = (column: ColumnName): number => {
  service.runtime.readNewest(row);
  return row[Column[column]];
};

/** Inputs at 100 Hz until stopped, as a hand controller would send them. */
function fly(peer: Peer): { deadman: boolean; z: number; stop: () => void } {
  const stick = { deadman: false, z: 0, stop: () => clearInterval(timer) };
  const timer = setInterval(() => peer.input(stick.deadman, stick.z), 10);
  return stick;
}

async function arm(peer: Peer): Promise<ReturnType<typeof fly>> {
  assert.equal((await peer.request('authority.request'))['code'], 'ok');
  const stick = fly(peer);
  await peer.status((s) => s['state'] === 'MONITOR_READY');
  await peer.status((s) => !(s['operator'] as { deadman: boolean }).deadman);
  stick.deadman = true;
  await peer.status((s) => (s['operator'] as { deadman: boolean }).deadman);
  const active = peer.status(isActive);
  assert.equal((await peer.request('arm'))['code'], 'ok');
  await active;
  return stick;
}

test('a monitor may not move, but may stop; the holder may move', async () => {
  const holder = await service.operator();
  const monitor = await service.operator();
  const stick = await arm(holder);
  // Only one holds.
  assert.equal((await monitor.request('authority.request'))['code'], 'asked');
  assert.equal((await monitor.request('arm'))['code'], 'no_authority');
  assert.equal((await monitor.request('resume'))['code'], 'no_authority');
  assert.equal((await monitor.request('authority.grant'))['code'], 'nothing_asked');
  // Hand-over needs the deadman released.
  assert.equal((await holder.request('authority.grant'))['code'], 'deadman_pressed');
  const refusal = monitor.next((m) => m.type === 'input.reject');
  monitor.input(true, 1);
  assert.deepEqual([(await refusal)['code'], newest('command_v_z_mps') <= 0], [4409, true]);
  const stopping = holder.next((m) => m.type === 'event' && m['to'] === 'STOPPING');
  assert.equal((await monitor.request('stop', { cat: 1 }))['code'], 'ok');
  assert.equal((await stopping)['cause'], 'OPERATOR_STOP');
  await monitor.status((s) => s['state'] === 'FAULT');
  stick.deadman = false;
  assert.equal((await monitor.request('clear', { reason: 'seen' }))['code'], 'ok');
  assert.equal((await holder.request('authority.deny'))['code'], 'ok');
  stick.stop();
  holder.socket.close();
  monitor.socket.close();
  await Promise.all([holder.closed, monitor.closed]);
});

test('deadman released with the stick deflected: the command is zero from that tick on', async () => {
  const peer = await service.operator();
  const stick = await arm(peer);
  stick.z = -1;
  await peer.status((s) => (s['operator'] as { command: number[] }).command[2] < 0);
  const ring = new TelemetryRing(service.runtime.shared.telemetry, ROW_WIDTH);
  const from = ring.written;
  stick.deadman = false;
  await peer.status((s) => s['state'] === 'HOLD');
  const { deadman, command_v_z_mps: command, safety_state: state } = Column;
  let released = 0;
  for (let i = from; i < ring.written; i++) {
    if (!ring.read(i, row)) continue;
    if (row[deadman] !== 0) continue;
    released++;
    assert.equal(Math.abs(row[command]), 0);
    assert.equal(SAFETY_STATES[row[state]], 'HOLD');
  }
  assert.ok(released > 0);
  stick.stop();
  peer.socket.close();
  await peer.closed;
});

test('every role, every path: exactly the allowed cells succeed', async () => {
  const allowed: Record<string, readonly string[]> = {
    operator: ['operator', 'supervisor'],
    telemetry: ['viewer', 'operator', 'supervisor'],
  };
  for (const [path, roles] of Object.entries(allowed)) {
    for (const role of ['viewer', 'operator', 'supervisor']) {
      const expected = roles.includes(role) ? 101 : 403;
      const status = await service.tryUpgrade(path, await service.ticket(role));
      assert.equal(status, expected, `${role} at ${path}`);
    }
  }
});

test('a supervisor takes over only where nothing moves', async () => {
  const holder = await service.operator();
  const chief = await service.operator('supervisor');
  assert.equal((await holder.request('authority.request'))['code'], 'ok');
  const other = await service.operator();
  const take = { take_over: true };
  assert.equal((await other.request('authority.request', take))['code'], 'not_allowed');
  assert.equal((await chief.request('authority.request', take))['code'], 'ok');
  assert.equal((await holder.request('authority.release'))['code'], 'no_authority');
  for (const peer of [holder, chief, other]) peer.socket.close();
  await Promise.all([holder.closed, chief.closed, other.closed]);
});

/** Overruns of a busy machine come and go as they like. */
const isBurst = ({ code }: Alarm): boolean => code === 'OVERRUN_BURST';

test('alarms stand until they are over and seen', async () => {
  const peer = await service.operator();
  // what the flights above have left
  const listed = (await (await fetch(`${service.origin}/api/alarms`)).json()) as Alarm[];
  const stop = listed.find(({ code }) => code === 'OPERATOR_STOP')!;
  assert.deepEqual([stop.severity, stop.active, stop.acknowledged], ['critical', false, false]);
  const welcome = peer.received.find(({ type }) => type === 'welcome') as unknown as Welcome;
  assert.equal(welcome.audit_log, false, 'no file is named');
  assert.deepEqual(
    welcome.alarms.find(({ id }) => id === stop.id),
    stop,
  );
  const list = (accept: (alarms: readonly Alarm[]) => boolean): Promise<Message> =>
    peer.next((m) => m.type === 'alarms' && accept(m['alarms'] as Alarm[]));
  const without = list((alarms) => alarms.every(({ id }) => id !== stop.id));
  const acknowledge = (id: number): Promise<Response> =>
    fetch(`${service.origin}/api/alarms/${id}/ack`, { method: 'POST' });
  assert.equal((await acknowledge(stop.id)).status, 200);
  await without;
  assert.equal((await acknowledge(stop.id)).status, 404);
  assert.equal((await peer.request('alarm.ack', { alarm: stop.id }))['code'], 'no_alarm');
  const none = list((alarms) => alarms.every(isBurst));
  assert.equal((await peer.request('alarm.ack'))['code'], 'ok');
  // the HOLD is still there, and with it its cause
  const held = (await (await fetch(`${service.origin}/api/alarms`)).json()) as Alarm[];
  const cause = held.find(({ code }) => code === 'DEADMAN_RELEASED')!;
  assert.deepEqual([cause.active, cause.acknowledged], [true, true]);
  assert.equal((await peer.request('clear'))['code'], 'ok');
  await none;
  peer.socket.close();
  await peer.closed;
});

test('accommodation is the holder’s; the tare the holder’s and the supervisor’s; clocks are anybody’s', async () => {
  const holder = await service.operator();
  const monitor = await service.operator();
  const chief = await service.operator('supervisor');
  assert.equal((await holder.request('authority.request'))['code'], 'ok');
  const change = { axes: [true, true, false, true, true, true], force_deadband_N: 2.5 };
  assert.equal((await monitor.request('fma.set', change))['code'], 'no_authority');
  assert.equal((await holder.request('fma.set', change))['code'], 'ok');
  const { accommodation } = (await holder.status(
    (s) => (s['accommodation'] as Accommodation).force_deadband_N === 2.5,
  )) as unknown as { accommodation: Accommodation };
  assert.deepEqual(accommodation.axes, change.axes);
  const codes = await Promise.all(
    [monitor, chief, holder].map(async (peer) => (await peer.request('tare'))['code']),
  );
  assert.equal(codes[0], 'no_authority');
  // there is no robot here: the loop gives both the same answer
  assert.equal(codes[1], codes[2]);
  assert.notEqual(codes[1], 'no_authority');

  const before = performance.now() / 1000;
  const answer = monitor.next((m) => m.type === 'sync');
  monitor.send({ type: 'sync', id: 77, t: 5.5, offset_s: before });
  const sync = await answer;
  assert.deepEqual([sync['id'], sync['t']], [77, 5.5]);
  const server_s = Number(sync['server_time_s']);
  assert.ok(server_s >= before && server_s <= performance.now() / 1000);
  for (const peer of [holder, monitor, chief]) peer.socket.close();
  await Promise.all([holder.closed, monitor.closed, chief.closed]);
});

test('the mode of the hand controllers is the holder’s; refusals are sentences; it ends with the holder', async () => {
  const holder = await service.operator();
  const monitor = await service.operator();
  assert.equal((await holder.request('authority.request'))['code'], 'ok');
  const asked = async (peer: Peer, wish: Record<string, unknown>): Promise<unknown[]> => {
    const { code, message } = await peer.request('hand_mode.set', wish);
    return [code, message];
  };
  const told = async (mode: string): Promise<unknown> =>
    (await holder.status((s) => (s['hand_mode'] as HandMode).mode === mode))['hand_mode'];
  assert.equal((await asked(monitor, { mode: 'position' }))[0], 'no_authority');
  assert.deepEqual(await asked(holder, { mode: 'position' }), ['ok', '']);
  assert.deepEqual(await told('position'), { mode: 'position', joint: null, axis: null });
  // the arm of this scenario has no joints
  const [code, message] = await asked(holder, { mode: 'joint', joint: 0, axis: 2 });
  assert.equal(code, 'no_joint');
  assert.match(String(message), /^No such joint can be turned by itself/);
  assert.equal((await holder.request('authority.release'))['code'], 'ok');
  assert.equal((await monitor.request('authority.request'))['code'], 'ok');
  await told('rate');
  assert.ok(
    service.audit.some(
      ({ action, result, detail }) =>
        action === 'hand_mode.set' && result === 'ok' && detail?.['mode'] === 'position',
    ),
  );
  for (const peer of [holder, monitor]) peer.socket.close();
  await Promise.all([holder.closed, monitor.closed]);
});

test('a mode with a part too many or too few is refused by name', () => {
  const parsed = (wish: object): unknown =>
    parseClientMessage({ v: 1, type: 'hand_mode.set', id: 1, ...wish });
  const words = 'hand_mode.set needs joint and axis with mode joint.';
  assert.equal(parsed({ mode: 'joint' }), words);
  assert.equal(parsed({ mode: 'joint', axis: 1 }), words);
  assert.equal(parsed({ mode: 'rate', axis: 1 }), 'hand_mode.set.axis is for mode joint only.');
  assert.match(String(parsed({ mode: 'joint', joint: 1, axis: 6 })), /^hand_mode\.set\.axis /);
  assert.match(String(parsed({ mode: 'fast' })), /^hand_mode\.set\.mode /);
  assert.equal(typeof parsed({ mode: 'joint', joint: 1, axis: 5 }), 'object');
});

test('58: a client that answers no challenge may watch and stop; it gets no authority and moves nothing', async () => {
  const older = await service.operator('supervisor', false);
  await older.status(() => true);
  for (const wish of [{}, { take_over: true }]) {
    const { code, message } = await older.request('authority.request', wish);
    assert.equal(code, 'delay_unknown');
    assert.match(String(message), /may watch and stop/);
  }
  assert.equal((await older.request('arm'))['code'], 'no_authority');
  assert.equal((await older.request('stop', { cat: 2 }))['code'], 'ok');
  assert.equal((await older.request('hold'))['code'], 'ok');
  assert.equal((await older.request('clear', { reason: 'seen' }))['code'], 'ok');
  older.socket.close();
  await older.closed;

  // every input without a quoted challenge, or with an unknown one, is refused once challenges are
  // answered
  const peer = await service.operator();
  assert.equal((await peer.request('authority.request'))['code'], 'ok');
  peer.timely = false;
  const unmeasured = peer.next((m) => m.type === 'input.reject');
  peer.input(true);
  assert.equal((await unmeasured)['reason'], 'unmeasured');
  await delay(1100); // sent once a second
  peer.timely = true;
  peer.challenge = (peer.challenge ^ 1) >>> 0; // unsigned: a negative number would be no challenge at all
  const made = peer.next((m) => m.type === 'input.reject');
  peer.input(true);
  assert.deepEqual([(await made)['code'], (await made)['reason']], [4408, 'stale']);
  peer.socket.close();
  await peer.closed;
});

test('what was asked is written down with who asked and what came of it', async () => {
  assert.equal(await service.tryUpgrade('operator', 'no-such-ticket'), 401);
  const has = (part: Partial<AuditEntry>): boolean =>
    service.audit.some(({ actor, action, result, detail }) =>
      Object.entries(part).every(([name, value]) =>
        isDeepStrictEqual({ actor, action, result, detail }[name], value),
      ),
    );
  assert.ok(has({ actor: 'http', action: 'ticket', result: 'ok', detail: { role: 'operator' } }));
  // the first refusal of this address; those after it are counted
  assert.ok(has({ actor: 'http', action: 'upgrade', result: 'role' }));
  assert.ok(has({ actor: 'operator#1', action: 'arm', result: 'ok' }));
  assert.ok(has({ actor: 'operator#2', action: 'arm', result: 'no_authority' }));
  assert.ok(has({ actor: 'operator#2', action: 'stop', result: 'ok', detail: { cat: 1 } }));
  assert.ok(has({ action: 'authority.grant', result: 'deadman_pressed' }));
  assert.ok(has({ actor: 'server', action: 'authority', result: 'taken_over' }));
  assert.ok(has({ action: 'alarm.ack', result: 'BERTH_NOT_FOUND' }));
  assert.ok(has({ action: 'fma.set', result: 'ok' }));
  assert.ok(service.audit.every(({ action }) => !['input', 'sync', 'hello'].includes(action)));
  assert.doesNotMatch(JSON.stringify(service.audit), /no-such-ticket/);
});

test('telemetry tells every tick in the histogram of lateness, and the missed periods with their causes', async () => {
  const viewer = await service.connect('telemetry', 'viewer');
  const injected = await fetch(`${service.origin}/api/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'late_wake_s', amount: 0.0155 }),
  });
  assert.equal(injected.status, 200);
  const message = viewer.next((m) => {
    const overruns = m['overruns'] as Overrun[] | undefined;
    return (
      overruns?.some(({ slipped, lateness_s }) => slipped >= 15 && lateness_s > 0.015) === true
    );
  });
  viewer.send({ type: 'subscribe', id: 1, topics: ['lateness', 'overruns', 'timing'], hz: 50 });
  const { lateness, overruns, timing } = (await message) as unknown as Topics;
  const ticks = lateness.counts.reduce((sum, count) => sum + count, 0);
  assert.equal(lateness.counts.length, lateness.edges_s.length + 1);
  // counted while the row is written: the newest tick may be in one and not yet in the other
  const executed = timing.period - timing.slipped_total;
  assert.ok(Math.abs(ticks - executed) <= 50, `${ticks} in the histogram, ${executed} executed`);
  assert.ok(lateness.maximum_s >= 0.015);
  assert.ok(overruns.length <= 50);
  for (let i = 1; i < overruns.length; i++) assert.ok(overruns[i].tick > overruns[i - 1].tick);
  viewer.socket.close();
  await viewer.closed;
});

test('an error in the loop becomes a fault; the process and its page live on', async () => {
  const peer = await service.operator();
  const inject = (kind: string, amount: number): Promise<Response> =>
    fetch(`${service.origin}/api/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind, amount }),
    });
  const fault = peer.status((s) => s['state'] === 'FAULT');
  assert.equal((await inject('loop_error', 1)).status, 200);
  assert.ok(((await fault)['faults'] as string[]).includes('INTERNAL_ERROR'));
  assert.equal((await fetch(`${service.origin}/health`)).status, 200);
  const metrics = await (await fetch(`${service.origin}/metrics`)).text();
  assert.match(metrics, /^berth_injected_faults_total\{kind="loop_error"\} 1$/m);
  assert.match(metrics, /^berth_faults_total\{code="INTERNAL_ERROR"\} [1-9]/m);
  peer.socket.close();
  await peer.closed;
});
