/** Operators that mean harm, over their own socket: stale and stolen input, messages that are none, abuse of WebSocket itself. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { encode } from '@msgpack/msgpack';
import type { Peer } from '../fixtures/service.ts';
import { type AttackDomain, Cases } from './attack-case.ts';
import { Victim } from './victim.ts';

const victim = new Victim(false, (s) => (s.operator.input_timeout_s = 0.5));
const cases = new Cases();
const NEUTRAL = [0, 0, 0, 0, 0, 0];

/** Send one message. @returns the code with which the socket was closed; 0 when it was not within half a second */
async function closeCode(send: (peer: Peer) => void, greeted = true): Promise<number> {
  const peer = greeted ? await victim.service.operator() : await victim.service.connect('operator');
  send(peer);
  const code = await Promise.race([peer.closed, wait(1500, 0)]);
  peer.socket.terminate();
  return code;
}

// messages that are none
const BAD: readonly (readonly [string, unknown])[] = [
  ['a text frame', 'hello'],
  ['an empty message', new Uint8Array(0)],
  ['bytes that are no MessagePack', Uint8Array.of(0xc1, 0xc1, 0xc1)],
  ['an array for a map', encode([1, 2, 3])],
  ['nesting 2,000 deep', Uint8Array.from({ length: 2000 }, () => 0x91)],
  [
    'a map that says it has 4 thousand million entries',
    Uint8Array.of(0xdf, 0xff, 0xff, 0xff, 0xff),
  ],
  ['a string that says it has 4 GB', Uint8Array.of(0xdb, 0xff, 0xff, 0xff, 0xff, 0x61)],
  ['a type that is none', encode({ v: 1, type: 'explode', id: 1 })],
  ['the type __proto__', encode({ v: 1, type: '__proto__', id: 1 })],
  ['the type constructor', encode({ v: 1, type: 'constructor', id: 1 })],
  [
    'axes of NaN',
    encode({
      v: 1,
      type: 'input',
      axes: [NaN, 0, 0, 0, 0, 0],
      deadman: true,
      gear: 'vernier',
      frame: 'base',
      seq: 1,
      t: 0,
    }),
  ],
  [
    'axes of infinity',
    encode({
      v: 1,
      type: 'input',
      axes: [Infinity, 0, 0, 0, 0, 0],
      deadman: true,
      gear: 'vernier',
      frame: 'base',
      seq: 1,
      t: 0,
    }),
  ],
  [
    'axes of 2',
    encode({
      v: 1,
      type: 'input',
      axes: [2, 0, 0, 0, 0, 0],
      deadman: true,
      gear: 'vernier',
      frame: 'base',
      seq: 1,
      t: 0,
    }),
  ],
  [
    'seven axes',
    encode({
      v: 1,
      type: 'input',
      axes: [0, 0, 0, 0, 0, 0, 0],
      deadman: true,
      gear: 'vernier',
      frame: 'base',
      seq: 1,
      t: 0,
    }),
  ],
  [
    'a deadman of 1',
    encode({
      v: 1,
      type: 'input',
      axes: NEUTRAL,
      deadman: 1,
      gear: 'vernier',
      frame: 'base',
      seq: 1,
      t: 0,
    }),
  ],
  [
    'a gear that is none',
    encode({
      v: 1,
      type: 'input',
      axes: NEUTRAL,
      deadman: true,
      gear: 'warp',
      frame: 'base',
      seq: 1,
      t: 0,
    }),
  ],
  ['a negative id', encode({ v: 1, type: 'arm', id: -1 })],
  ['an unknown field', encode({ v: 1, type: 'arm', id: 1, force: true })],
  ['a stop of category 9', encode({ v: 1, type: 'stop', id: 1, cat: 9 })],
  ['a dead-band of -5 N', encode({ v: 1, type: 'fma.set', id: 1, force_deadband_N: -5 })],
  ['a gain of 0', encode({ v: 1, type: 'fma.set', id: 1, force_gain_Ns_per_m: 0 })],
  ['a message of 4,097 bytes', encode({ v: 1, type: 'hello', id: 1, client: 'x'.repeat(4090) })],
  [
    'a client name of 65 characters',
    encode({ v: 1, type: 'hello', id: 1, client: 'x'.repeat(65) }),
  ],
  ['version 2', encode({ v: 2, type: 'arm', id: 1 })],
];
for (const [what, message] of BAD) {
  cases.add(0, what, 'the socket is closed with a reason of its own (44xx)', async () => {
    const code = await closeCode((peer) => peer.socket.send(message as Uint8Array));
    assert.ok(code >= 4400 && code < 4500, `closed with ${code}`);
    await victim.assertAlive();
    return String(code);
  });
}
cases.add(0, 'input before hello', 'closed', async () => {
  const code = await closeCode((peer) => peer.input(true), false);
  assert.equal(code, 4400);
  return String(code);
});
cases.add(0, 'control: STOP before hello', 'obeyed', async () => {
  const peer = await victim.service.connect('operator');
  const { ok } = await peer.request('stop', { cat: 2 });
  peer.socket.terminate();
  assert.equal(ok, true);
  return 'ok';
});

// who may what
cases.add(0, 'input without authority', 'refused and told; nothing moves', async () => {
  const peer = await victim.service.operator();
  const refusal = peer.next((m) => m.type === 'input.reject');
  peer.input(true, 1);
  const { reason } = await refusal;
  peer.socket.terminate();
  return String(reason);
});
for (const type of [
  'arm',
  'resume',
  'fma.set',
  'hand_mode.set',
  'energy.set',
  'authority.grant',
] as const) {
  cases.add(0, `${type} without authority`, 'refused', async () => {
    const peer = await victim.service.operator();
    const extra =
      { 'hand_mode.set': { mode: 'rate' }, 'energy.set': { guard: false } }[type as string] ?? {};
    const { ok, code } = await peer.request(type, extra);
    peer.socket.terminate();
    assert.notEqual(ok, true);
    return String(code);
  });
}
cases.add(0, 'authority taken from its holder by an operator', 'asked for only', async () => {
  const holder = await victim.service.operator();
  assert.equal((await holder.request('authority.request'))['ok'], true);
  const thief = await victim.service.operator();
  const { code } = await thief.request('authority.request');
  const taken = await thief.request('authority.request', { take_over: true });
  await holder.request('authority.release');
  holder.socket.terminate();
  thief.socket.terminate();
  assert.equal(code, 'asked');
  assert.notEqual(taken['ok'], true);
  return String(taken['code']);
});

// old input
/** Try to get to ARM as a client that never answers a challenge. */
async function armBy(timely: boolean): Promise<{ authority: unknown; arm: unknown }> {
  const peer = await victim.service.operator('operator', timely);
  if (timely) await wait(600); // the delay is measured
  const authority = (await peer.request('authority.request'))['code'];
  for (let i = 0; i < 10; i++) {
    peer.input(false);
    await wait(20);
  }
  const pressing = setInterval(() => peer.input(true), 20);
  await wait(200);
  const arm = (await peer.request('arm'))['code'];
  clearInterval(pressing);
  peer.input(false);
  await wait(300);
  await peer.request('authority.release');
  peer.socket.terminate();
  await wait(300);
  return { authority, arm };
}
cases.add(6, 'ARM by a client whose delay nobody could measure', 'refused', async () => {
  const { authority, arm } = await armBy(false);
  assert.ok(arm !== 'ok', 'armed');
  return `authority ${String(authority)}, arm ${String(arm)}`;
});
cases.add(6, 'control: ARM by a client that answers challenges', 'accepted', async () => {
  await wait(1500);
  const { authority, arm } = await armBy(true);
  assert.equal(arm, 'ok', `authority ${String(authority)}, arm ${String(arm)}`);
  const peer = await victim.service.operator();
  await peer.request('clear', { reason: 'after an attack' });
  peer.socket.terminate();
  return 'ok';
});
cases.add(
  6,
  'inputs that quote the first challenge for ever',
  'refused when it is old',
  async () => {
    const peer = await victim.service.operator();
    await wait(300);
    await peer.request('authority.request');
    peer.timely = false;
    const challenge = peer.challenge;
    await wait(1000);
    const refusal = peer.next((m) => m.type === 'input.reject', 5000);
    peer.send({
      type: 'input',
      axes: NEUTRAL,
      deadman: true,
      gear: 'vernier',
      frame: 'base',
      challenge,
      seq: 1,
      t: 0,
    });
    const { reason } = await refusal;
    await peer.request('authority.release');
    peer.socket.terminate();
    assert.equal(reason, 'stale');
    return 'stale';
  },
);
cases.add(6, 'inputs that quote a challenge that was never made', 'refused', async () => {
  const peer = await victim.service.operator();
  await wait(300);
  await peer.request('authority.request');
  const refusal = peer.next((m) => m.type === 'input.reject', 5000);
  peer.send({
    type: 'input',
    axes: NEUTRAL,
    deadman: true,
    gear: 'vernier',
    frame: 'base',
    challenge: 0xfffffff0,
    seq: 1,
    t: 0,
  });
  const { reason } = await refusal;
  await peer.request('authority.release');
  peer.socket.terminate();
  assert.equal(reason, 'stale');
  return 'stale';
});
cases.add(6, 'control: the same input with the newest challenge', 'accepted', async () => {
  const peer = await victim.service.operator();
  await wait(300);
  await peer.request('authority.request');
  const refusal = peer
    .next((m) => m.type === 'input.reject', 5000)
    .then(
      ({ reason }) => String(reason),
      () => 'none',
    );
  peer.send({
    type: 'input',
    axes: NEUTRAL,
    deadman: true,
    gear: 'vernier',
    frame: 'base',
    challenge: peer.challenge,
    seq: 1,
    t: 0,
  });
  const answer = await Promise.race([refusal, wait(500, 'accepted')]);
  await peer.request('authority.release');
  peer.socket.terminate();
  assert.equal(answer, 'accepted');
  return answer;
});
cases.add(6, 'a setting of operator.input_timeout_s of 60 s', 'refused at load', async () => {
  const { loadSettings } = await import('../../config/load-settings.ts');
  assert.throws(
    () => loadSettings(undefined, ['operator.input_timeout_s=60 s']),
    /input_timeout_s/,
  );
  return 'refused';
});

// abuse of the socket
cases.add(0, 'a flood of messages', 'closed with 4429; others are answered', async () => {
  const code = await closeCode((peer) => {
    for (let i = 0; i < 3000; i++) peer.send({ type: 'sync', id: i, t: 0 });
  });
  assert.equal(code, 4429);
  await victim.assertAlive();
  return String(code);
});
cases.add(0, 'a flood of 5,000 pings', 'others are answered', async () => {
  const peer = await victim.service.operator();
  for (let i = 0; i < 5000; i++) peer.socket.ping();
  await victim.assertAlive();
  const other = await victim.service.operator();
  other.socket.terminate();
  peer.socket.terminate();
  return 'served';
});
/** A connection upgraded by hand, to send frames that no client sends. */
async function handMade(frames: Uint8Array, within_ms = 3000): Promise<string> {
  const ticket = await victim.service.ticket('operator');
  const socket = await victim.dial();
  socket.write(
    `GET /operator?ticket=${ticket} HTTP/1.1\r\nHost: 127.0.0.1:${victim.port}\r\nOrigin: ${victim.service.origin}\r\nUpgrade: websocket\r\n` +
      'Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: berth.operator.v1\r\n\r\n',
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  assert.match(head.toString('latin1'), /^HTTP\/1[.]1 101/);
  const closed = once(socket, 'close').then(() => 'closed');
  socket.resume();
  socket.write(frames);
  const outcome = await Promise.race([closed, wait(within_ms, 'open')]);
  socket.destroy();
  return outcome;
}
const mask = (head: number[], payload: number[]): Uint8Array =>
  Uint8Array.from([...head, 0, 0, 0, 0, ...payload]);
for (const [what, frames] of [
  ['an unmasked frame', Uint8Array.of(0x82, 2, 0x80, 0x80)],
  ['reserved bits', mask([0xf2, 0x81], [0x80])],
  ['an unknown opcode', mask([0x83, 0x81], [0x80])],
  ['a fragmented ping', mask([0x09, 0x80], [])],
  ['a continuation of nothing', mask([0x80, 0x81], [0x80])],
  ['a ping of 126 bytes', mask([0x89, 0xfe, 0, 126], new Array<number>(126).fill(0))],
  [
    'a frame that says it has 2^62 bytes',
    Uint8Array.of(0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  ],
  ['a close of one byte', mask([0x88, 0x81], [0])],
  ['text that is no UTF-8', mask([0x81, 0x82], [0xc3, 0x28])],
  [
    '6,000 bytes in fragments of one',
    Uint8Array.from(
      Array.from({ length: 6000 }, (_, i) => [
        i === 0 ? 0x02 : 0x00,
        0x81,
        0,
        0,
        0,
        0,
        0x80,
      ]).flat(),
    ),
  ],
] as const) {
  cases.add(0, `WebSocket: ${what}`, 'the connection is closed', async () => {
    assert.equal(await handMade(frames), 'closed');
    await victim.assertAlive();
    return 'closed';
  });
}
for (const protocol of ['berth.operator.v9', 'berth.telemetry.v1', 'chat']) {
  cases.add(0, `the sub-protocol ${protocol} at /operator`, '426', async () => {
    assert.equal(
      await victim.service.tryUpgrade('operator', await victim.service.ticket('operator'), {
        protocol,
      }),
      426,
    );
    return '426';
  });
}
cases.add(0, 'forty operator sockets at once', 'sixteen at most; the rest get 503', async () => {
  const peers: Peer[] = [];
  const statuses: number[] = [];
  for (let i = 0; i < 16; i++) {
    try {
      peers.push(await victim.service.connect('operator'));
    } catch {
      break;
    }
  }
  for (let i = 0; i < 5; i++)
    statuses.push(
      await victim.service.tryUpgrade('operator', await victim.service.ticket('operator')),
    );
  for (const { socket } of peers) socket.terminate();
  assert.ok(
    statuses.every((status) => status === 503),
    statuses.join(),
  );
  await wait(300);
  return `${peers.length} in, then ${statuses.join()}`;
});
cases.add(19, 'ARM and load at the same time, six times', 'never both accepted', async () => {
  await wait(500);
  let both = 0;
  const told: string[] = [];
  for (let i = 0; i < 6; i++) {
    const peer = await victim.service.operator();
    const pressed = { on: false };
    const timer = setInterval(() => peer.input(pressed.on), 20);
    await wait(300);
    await peer.request('authority.request');
    await wait(100);
    pressed.on = true;
    await wait(150);
    const [arm, load] = await Promise.all([
      peer.request('arm'),
      victim.call('POST', '/api/session/load', { body: { scenario: 'half-sphere-on-plate' } }),
    ]);
    const granted = arm['ok'] === true && load.status === 200;
    // a motion whose input grew old on a busy machine, before the load was read, keeps nothing from it
    const ended = peer.received.some((m) => m['name'] === 'transition' && m['from'] === 'ARMING');
    if (granted && !ended) both++;
    told.push(`${String(arm['code'])}/${load.status}${granted && ended ? ' after it' : ''}`);
    clearInterval(timer);
    peer.socket.terminate();
    await wait(500);
    await victim.call('POST', '/api/session/clear', { body: { reason: 'after a race' } });
    await wait(1200);
  }
  assert.equal(both, 0, told.join(' '));
  return told.join(' ');
});

/** The attacks of this file. */
export const OPERATOR_DOMAINS: readonly AttackDomain[] = [
  { name: 'operators', cases: cases.list, start: () => victim.start(), stop: () => victim.stop() },
];
