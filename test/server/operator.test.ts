/** The operator socket over a real loop: who may do what, and that motion ends when it must (hil-anchors 9.4: 25, 27, 46, 50, 51). */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { columnIndex, ROW_WIDTH } from '../../hil/columns.ts';
import { TelemetryRing } from '../../hil/ring.ts';
import { SAFETY_STATES } from '../../hil/safety/codes.ts';
import { type Message, type Peer, Service } from './service.ts';

let service: Service;
before(async () => {
  service = await Service.start((settings) => {
    settings.allow_fault_injection = true;
  });
});
after(async () => service.close());

const isActive = (status: Message): boolean => String(status['state']).startsWith('ACTIVE');
const row = new Float64Array(ROW_WIDTH);
const newest = (column: string): number => {
  service.runtime.readNewest(row);
  return row[columnIndex(column)];
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
  assert.equal((await monitor.request('clear'))['code'], 'ok');
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
  const [deadman, command, state] = ['deadman', 'command_v_z_mps', 'safety_state'].map(columnIndex);
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
  assert.match(metrics, /^berth_injected_faults_total [1-9]/m);
  assert.match(metrics, /^berth_faults_total\{code="INTERNAL_ERROR"\} [1-9]/m);
  peer.socket.close();
  await peer.closed;
});
