/** Attackers over HTTP that are slow or numerous: slow bodies, slow heads, silent connections, floods. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type AttackDomain, Cases } from './attack-case.ts';
import { KEYS, Victim } from './victim.ts';

const victim = new Victim(true);
const cases = new Cases();
const floods = new Cases();
const HOST = 'Host: 127.0.0.1\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

/** Open connections that dribble, and whether they are cut in time. */
async function dribble(
  count: number,
  head: string,
  piece: string,
  within_s: number,
): Promise<number> {
  const sockets: Socket[] = await Promise.all(Array.from({ length: count }, () => victim.dial()));
  let open = 0;
  for (const socket of sockets) {
    if (!socket.destroyed) open++;
    socket.on('close', () => open--);
    socket.resume();
    socket.write(head);
  }
  const end = performance.now() + 1000 * within_s;
  while (open > 0 && performance.now() < end) {
    for (const socket of sockets) if (!socket.destroyed) socket.write(piece);
    await wait(500);
  }
  for (const socket of sockets) socket.destroy();
  return open;
}
cases.add(
  10,
  'POST without a key whose body never comes',
  'answered before the body: 401',
  async () => {
    const status = await victim.raw(
      `POST /api/session/load HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 50\r\n\r\n{`,
      5000,
    );
    assert.ok(status === 401 || status === 0, `answered ${status}`);
    return String(status);
  },
);
cases.add(10, 'control: a POST in two parts, half a second apart', 'answered', async () => {
  const socket = await victim.dial();
  const body = '{"role":"viewer"}';
  socket.write(
    `POST /api/tickets HTTP/1.1\r\n${HOST}${JSON_TYPE}Authorization: Bearer ${KEYS.viewer}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await wait(500);
  const answer = new Promise<string>((resolve) =>
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  );
  socket.write(body.slice(5));
  const text = await Promise.race([answer, wait(10_000, '')]);
  socket.destroy();
  assert.match(text, /^HTTP\/1[.]1 (200|429)/);
  return text.slice(9, 12);
});
cases.addSlow(
  10,
  '50 POST with a key whose bodies dribble',
  'cut within 45 s; others are answered',
  async () => {
    const left = await dribble(
      50,
      `POST /api/tickets HTTP/1.1\r\n${HOST}${JSON_TYPE}Authorization: Bearer ${KEYS.viewer}\r\nContent-Length: 5000\r\n\r\n{`,
      ' ',
      45,
    );
    await victim.assertAlive();
    assert.equal(left, 0, `${left} still open`);
    return 'all cut';
  },
);
cases.addSlow(
  10,
  'slow loris: 50 heads that dribble',
  'cut within 75 s; others are answered',
  async () => {
    const left = await dribble(50, `GET /health HTTP/1.1\r\n${HOST}`, 'X: y\r\n', 75);
    await victim.assertAlive();
    assert.equal(left, 0, `${left} still open`);
    return 'all cut';
  },
);
cases.add(
  10,
  '600 connections that say nothing',
  'an honest client is answered beside them',
  async () => {
    const sockets = await Promise.all(Array.from({ length: 600 }, () => victim.dial()));
    const begin = performance.now();
    let status = 0;
    try {
      status = (await victim.call('GET', '/health')).status;
    } catch {
      status = -1;
    }
    for (const socket of sockets) socket.destroy();
    assert.equal(status, 200);
    return `${(performance.now() - begin).toFixed(0)} ms`;
  },
);
// separate services: the limits after these must not affect a correct client
floods.add(
  7,
  '3,600 requests for nothing from this address',
  'health, HOLD, CLEAR, tickets and STOP are still served',
  async () => {
    for (let i = 0; i < 3600; i += 100) {
      await Promise.all(Array.from({ length: 100 }, () => victim.call('GET', '/api/none')));
    }
    const honest = {
      health: (await victim.call('GET', '/health')).status,
      hold: (await victim.call('POST', '/api/session/hold', { key: KEYS.viewer })).status,
      clear: (await victim.call('POST', '/api/session/clear', { key: KEYS.operator })).status,
      ticket: (
        await victim.call('POST', '/api/tickets', {
          key: KEYS.operator,
          body: { role: 'operator' },
        })
      ).status,
      stop: (await victim.call('POST', '/api/session/stop', { key: KEYS.viewer })).status,
    };
    const limited = Object.entries(honest).filter(([, status]) => status === 429);
    assert.deepEqual(limited, [], JSON.stringify(honest));
    return JSON.stringify(honest);
  },
);
floods.add(
  7,
  'X-Forwarded-For of a thousand addresses',
  'it does not lift the limit of the true one: no 500',
  async () => {
    let most = 0;
    for (let i = 0; i < 200; i++) {
      const { status } = await victim.call('GET', '/api/none', {
        headers: { 'x-forwarded-for': `10.0.${i}.1` },
      });
      most = Math.max(most, status);
    }
    assert.ok(most < 500);
    return String(most);
  },
);

/**
 * The attacks of this file. Each list has a separate service, because the limits after a flood must
 * not affect a correct client.
 */
export const SLOW_DOMAINS: readonly AttackDomain[] = [
  { name: 'http-slow', cases: cases.list, start: () => victim.start(), stop: () => victim.stop() },
  {
    name: 'http-floods',
    cases: floods.list,
    start: () => victim.start(),
    stop: () => victim.stop(),
  },
];
