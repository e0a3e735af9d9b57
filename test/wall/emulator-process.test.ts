/**
 * The emulated robot as a real process over a real socket and a real pseudo terminal: it synchronises with the loop's session, and
 * it is at rest soon after the loop has gone. Wall clock: only what a stall of the machine cannot break is asserted.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { packageRoot } from '../../config/paths.ts';
import { RealClock, monotonic_us } from '../../hil/os/clock.ts';
import type { Link } from '../../hil/contract/link.ts';
import { SerialLink } from '../../hil/links/serial-link.ts';
import { SetpointFrame } from '../../hil/protocol/frames.ts';
import { ServerSession } from '../../hil/protocol/server-session.ts';
import { LIMITS, mode } from '../fixtures/emulator-bench.ts';
import { SocketLink } from '../fixtures/socket-link.ts';

const compiled = import.meta.url.endsWith('.js');
const main = join(packageRoot(), compiled ? 'dist/server/main.js' : 'server/main.ts');

interface Robot {
  child: ChildProcess;
  ready: { transport: string; address: string };
}

async function start(...options: string[]): Promise<Robot> {
  const child = spawn(process.execPath, [...process.execArgv, main, 'emulate', ...options], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const lines = createInterface({ input: child.stdout });
  const ready = await new Promise<Robot['ready']>((resolve, reject) => {
    lines.on('line', (line) => {
      const message = JSON.parse(line) as { event: string } & Robot['ready'];
      if (message.event === 'ready') resolve(message);
    });
    child.once('exit', () => reject(new Error(errors)));
  });
  return { child, ready };
}

async function end(child: ChildProcess, how: () => void): Promise<void> {
  const exited = once(child, 'exit');
  how();
  const [code, signal] = (await exited) as [number | null, string | null];
  assert.deepEqual([code, signal], [0, null]);
}

/** Serve until synchronised, then a few more cycles. @returns the session */
async function serve(link: Link): Promise<ServerSession> {
  const session = new ServerSession({ period_s: 0.001, keyed: false, limits: LIMITS });
  const frame = new SetpointFrame();
  frame.mode = mode('idle');
  const until = performance.now() + 60_000;
  let states = 0;
  while (states < 100 && performance.now() < until) {
    session.now_us[0] = monotonic_us();
    session.poll(link);
    if (session.phase === 3 && session.fresh) states++;
    session.sendSetpoint(link, frame);
    await delay(1);
  }
  assert.equal(session.phase, 3, 'synchronised');
  assert.equal(states, 100, 'STATE flows');
  // the start pose of the default scenario, 25 cm before the seat and 5 mm low, within the noise
  const [x, , z] = session.state.position;
  assert.ok(Math.abs(x + 0.25) < 2e-5 && Math.abs(z + 0.005) < 2e-5, `${x}, ${z}`);
  return session;
}

for (const protocol of ['binary', 'msgpack']) {
  test(`over a WebSocket, ${protocol}: synchronises, reconnects, ends on SIGTERM`, async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const url = `ws://127.0.0.1:${port}/robot`;
    const first = once(server, 'connection') as Promise<[WebSocket]>;
    const { child, ready } = await start('--ws', url, '--protocol', protocol, '--priority', '0');
    assert.equal(ready.transport, 'websocket');
    const [socket] = await first;
    await serve(new SocketLink(socket));
    const second = once(server, 'connection') as Promise<[WebSocket]>;
    socket.terminate();
    const [again] = await second;
    const session = await serve(new SocketLink(again));
    assert.equal(session.state.safety, 0, 'a broken connection at rest needs no clearance');
    await end(child, () => child.kill('SIGTERM'));
    server.close();
  });
}

test('over a pseudo terminal: synchronises, ends when its parent closes the input', async (t) => {
  let robot: Robot;
  try {
    robot = await start('--pty', '--child', '--priority', '0');
  } catch (error) {
    if (!String(error).includes('koffi')) throw error;
    t.skip('the optional package koffi is not installed');
    return;
  }
  const flags = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;
  const fd = openSync(robot.ready.address, flags);
  const link = new SerialLink(
    Int32Array.of(fd),
    new RealClock(new Int32Array(new SharedArrayBuffer(4)), 0),
  );
  await serve(link);
  closeSync(fd);
  await end(robot.child, () => robot.child.stdin?.end());
});
