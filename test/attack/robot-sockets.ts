/** Strangers at the robot port: over plain HTTP and WebSocket, without the key, with garbage, in the robot's place. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { encode } from '@msgpack/msgpack';
import { BerthChild } from '../../server/cli/child.ts';
import { type AttackDomain, Cases } from './attack-case.ts';
import { Victim } from './victim.ts';

const KEY = 'robot-key-5f8813c0d7aa92';
const victim = new Victim(false, (s) => {
  s.mode = 'virtual';
  s.robot.transport = 'websocket';
  s.robot.port = 0;
  s.robot.key = KEY;
});
const open = new Victim(false, (s) => {
  s.mode = 'virtual';
  s.robot.transport = 'websocket';
  s.robot.port = 0;
});

interface Door {
  readonly socket: WebSocket;
  readonly status: number;
}

/** Knock at a robot port. */
async function knock(
  at: Victim,
  options: { key?: string; origin?: string; protocol?: string; path?: string } = {},
): Promise<Door> {
  const { key, origin, protocol = 'berth.robot.v1', path } = options;
  const url = at.service.runtime.robotAddress.replace(/[/]robot$/, path ?? '/robot');
  const socket = new WebSocket(url, protocol, {
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(origin === undefined ? {} : { origin }),
    },
  });
  socket.on('error', () => undefined);
  const status = await new Promise<number>((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.on('close', () => resolve(0));
  });
  return { socket, status };
}

const keyed = new Cases();
for (const [what, options, wanted] of [
  ['a wrong path', { path: '/', key: KEY }, [404]],
  ['a page of another site', { key: KEY, origin: 'https://evil.example' }, [403]],
  ['a page of this machine', { key: KEY, origin: 'http://127.0.0.1' }, [403]],
  ['a sub-protocol that is none', { key: KEY, protocol: 'chat' }, [426]],
] as const) {
  keyed.add(0, `the robot port: ${what}`, 'refused', async () => {
    const { socket, status } = await knock(victim, options);
    socket.terminate();
    assert.ok((wanted as readonly number[]).includes(status), `answered ${status}`);
    return String(status);
  });
}
for (const [what, key] of [
  ['without a key', undefined],
  ['with a wrong key', 'robot-key-0000000000000'],
  ['with the key cut by one character', KEY.slice(0, -1)],
] as const) {
  keyed.add(
    9,
    `the robot port ${what}, then 50 frames of garbage`,
    'refused, or no session and no place',
    async () => {
      const { socket, status } = await knock(victim, key === undefined ? {} : { key });
      if (status === 101) {
        for (let i = 0; i < 50; i++) socket.send(new Uint8Array(136).fill(i));
        await wait(500);
      }
      const { text } = await victim.call('GET', '/api/session');
      socket.terminate();
      const state = (JSON.parse(text) as { state: string }).state;
      assert.ok(
        status !== 101 || state === 'OFFLINE' || state === 'CONNECTING',
        `${status}, ${state}`,
      );
      return `${status}, ${state}`;
    },
  );
}
keyed.add(
  9,
  'a robot end listens to its own line: the key of the emulator',
  'it is not in any byte that the robot sends',
  async () => {
    let bytes = '';
    const listener = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => (bytes += chunk.toString('latin1')));
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const robot = new BerthChild('emulate', ['--ws', `ws://127.0.0.1:${port}/robot`], {
      BERTH_ROBOT_KEY: KEY,
    });
    const end = performance.now() + 20_000;
    while (!bytes.includes('\r\n\r\n') && performance.now() < end) await wait(50);
    await robot.end();
    listener.close();
    assert.ok(bytes.length > 0, 'control: the robot did connect');
    assert.ok(!bytes.includes(KEY), 'the key stands in the request');
    return `${bytes.length} bytes, no key`;
  },
);

const cases = new Cases();
cases.add(0, 'plain HTTP at the robot port', '426', async () => {
  const { status } = await fetch(open.service.runtime.robotAddress.replace('ws', 'http'));
  assert.equal(status, 426);
  return '426';
});
cases.add(0, 'a second robot beside one that says nothing', 'it has its turn', async () => {
  const first = await knock(open);
  const gone = new Promise((resolve) => first.socket.once('close', resolve));
  const second = await knock(open);
  const code = await Promise.race([gone, wait(5000, 0)]);
  second.socket.terminate();
  await wait(300);
  assert.deepEqual([first.status, second.status, code], [101, 101, 1013]);
  return '1013';
});
for (const [what, bytes, every_ms] of [
  ['one byte of garbage every 0.5 s', Uint8Array.of(0), 500],
  ['an empty message every 0.1 s', new Uint8Array(0), 100],
  ['a frame with a wrong CRC every 10 ms', new Uint8Array(136).fill(0x11), 10],
] as const) {
  cases.add(20, `the only place held by ${what}`, 'another has its turn within 3 s', async () => {
    const holder = await knock(open);
    assert.equal(holder.status, 101);
    const gone = new Promise((resolve) => holder.socket.once('close', resolve));
    const timer = setInterval(() => {
      if (holder.socket.readyState === WebSocket.OPEN) holder.socket.send(bytes);
    }, every_ms);
    await wait(1000);
    const other = await knock(open);
    const code = await Promise.race([gone, wait(3000, 0)]);
    clearInterval(timer);
    holder.socket.terminate();
    other.socket.terminate();
    await wait(300);
    assert.deepEqual([other.status, code], [101, 1013]);
    return '1013';
  });
}
for (const [what, protocol, message] of [
  ['2,049 bytes', 'berth.robot.v1', new Uint8Array(2049)],
  ['a text frame', 'berth.robot.v1', 'HELLO'],
  ['MessagePack that is none', 'berth.robot.v1.msgpack', Uint8Array.of(0xc1, 0xc1)],
  ['MessagePack of unknown names', 'berth.robot.v1.msgpack', encode({ type: 'STATE', evil: 1 })],
  [
    'MessagePack of type __proto__',
    'berth.robot.v1.msgpack',
    encode({ type: '__proto__', seq: 1 }),
  ],
  [
    'MessagePack with 10,000 positions',
    'berth.robot.v1.msgpack',
    encode({ type: 'STATE', position: new Array<number>(200).fill(1) }),
  ],
] as const) {
  cases.add(
    0,
    `a robot that sends ${what}, 200 times`,
    'the service answers; nothing is OFFLINE for good',
    async () => {
      const robot = await knock(open, { protocol });
      for (let i = 0; i < 200 && robot.socket.readyState === WebSocket.OPEN; i++)
        robot.socket.send(message);
      await wait(200);
      await open.assertAlive();
      robot.socket.terminate();
      await wait(200);
      return robot.status === 101 ? 'served' : String(robot.status);
    },
  );
}
cases.add(0, '20,000 frames of garbage at once', 'the loop ticks on', async () => {
  const before = await open.metric('berth_loop_ticks_total');
  const robot = await knock(open);
  const garbage = new Uint8Array(136).fill(0x3c);
  for (let i = 0; i < 20_000 && robot.socket.readyState === WebSocket.OPEN; i++)
    robot.socket.send(garbage);
  await wait(1500);
  const after = await open.metric('berth_loop_ticks_total');
  robot.socket.terminate();
  assert.ok(after - before > 100, `${after - before} ticks`);
  return `${after - before} ticks beside it`;
});
cases.add(0, '200 connections that open and go', 'an honest robot gets in', async () => {
  await wait(2500);
  for (let i = 0; i < 10; i++) {
    const doors = await Promise.all(Array.from({ length: 20 }, () => knock(open)));
    for (const { socket } of doors) socket.terminate();
  }
  await wait(2500);
  const { socket, status } = await knock(open);
  socket.terminate();
  assert.equal(status, 101);
  return '101';
});

/** The attacks of this file. */
export const ROBOT_SOCKET_DOMAINS: readonly AttackDomain[] = [
  { name: 'robot-key', cases: keyed.list, start: () => victim.start(), stop: () => victim.stop() },
  { name: 'robot-port', cases: cases.list, start: () => open.start(), stop: () => open.stop() },
];
