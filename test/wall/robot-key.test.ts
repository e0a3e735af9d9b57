/** The robot's key at a running service, with robots in processes of their own: it changes without a restart, and guessing it is slow (wall clock). */
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import type { Settings } from '../../config/settings.ts';
import type { Link } from '../../hil/contract/link.ts';
import { TaggingLink } from '../../hil/links/tagging-link.ts';
import { SessionCount } from '../../hil/protocol/endpoint.ts';
import type { BerthChild } from '../../server/cli/child.ts';
import { startRobot } from '../../server/cli/robot-child.ts';
import { OperatorClient, type Status } from '../../server/client/node.ts';
import { Pair } from '../fixtures/session-pair.ts';
import { Service, testSettings } from '../fixtures/service.ts';

const OLD = 'J7wT2pHq9sVbXz4k';
const NEW = 'qM3xZ8vLr5tYn1Ke';
const PATIENCE_S = 60;
const TRYING_MS = 10_000;

const keyed =
  (key: string) =>
  (s: Settings): void => {
    s.mode = 'virtual';
    s.robot.transport = 'websocket';
    s.robot.port = 0;
    s.robot.key = key;
    s.loop.period_s = 0.005;
    s.energy.permit = 'advisory';
  };
const up = (s: Status): boolean => s.link?.up === true;
const isActive = (s: Status): boolean => s.state.startsWith('ACTIVE');

async function metric(service: Service, name: string): Promise<number> {
  const page = await (await fetch(`${service.origin}/metrics`)).text();
  const line = page.split('\n').find((one) => one.startsWith(name + ' '));
  return Number(line?.split(' ').at(-1));
}

/** A robot end in this process. */
class Socket implements Link {
  readonly transport = 'websocket';
  receivedAt_us = 0.5;
  bytesReceived = 0;
  bytesSent = 0;
  resyncs = 0;
  oversized = 0;
  readonly #socket: WebSocket;
  readonly #queue: Buffer[] = [];

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (message: Buffer) => this.#queue.push(message));
  }

  get connected(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  receive(frame: Uint8Array): number {
    const next = this.#queue.shift();
    frame.set(next ?? []);
    return next?.length ?? 0;
  }

  send(frame: Uint8Array, length: number): boolean {
    this.#socket.send(frame.slice(0, length));
    return true;
  }
}

/** Try one key at the robot port. @returns the status of a port that is shut, 101 when the key was judged or no answer came in time */
async function tryKey(address: string, key: string): Promise<{ status: number; judged: boolean }> {
  const socket = new WebSocket(address, 'berth.robot.v1');
  socket.on('error', () => undefined);
  const status = await new Promise<number>((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
  });
  if (status !== 101) return { status, judged: false };
  let shutOut = false;
  socket.on('close', (code) => (shutOut = code === 1008));
  const link = new Socket(socket);
  const line = new TaggingLink(link, 1, [key]);
  const robot = Pair.makeRobot({ period_s: 0.005, keyed: true });
  const rejected = (): boolean => robot.counts[SessionCount.REJECTS_RECEIVED] > 0;
  const end = performance.now() + 2000;
  while (link.connected && !rejected() && performance.now() < end) {
    line.session = robot.tags;
    robot.now_us[0] = 1000 * performance.now();
    robot.poll(line);
    await wait(2);
  }
  socket.terminate();
  return { status, judged: rejected() || shutOut };
}

async function arm(pilot: OperatorClient): Promise<void> {
  pilot.startInputs();
  assert.equal((await pilot.request('authority.request')).code, 'ok');
  assert.ok(await pilot.waitFor((s) => s.state === 'MONITOR_READY', PATIENCE_S));
  await pilot.waitFor((s) => s.operator?.deadman === false, PATIENCE_S);
  pilot.hand.deadman = true;
  await pilot.waitFor((s) => s.operator?.deadman === true, PATIENCE_S);
  assert.equal((await pilot.request('arm')).code, 'ok');
  assert.ok(await pilot.waitFor(isActive, PATIENCE_S), pilot.status?.state);
}

test('60: the robot key changes without a restart: not in flight, then the old one is put out and the new one is let in', async (t) => {
  const ends: (() => unknown)[] = [];
  try {
    const service = await Service.start(keyed(OLD), { timed: true });
    ends.push(() => service.close());
    const { runtime, app } = service;
    const connect = (key: string): BerthChild => {
      const robot = startRobot(testSettings(keyed(key)), ['--ws', runtime.robotAddress]);
      ends.push(() => robot.end());
      return robot;
    };
    const fresh = testSettings(keyed(NEW));
    const changes = (): unknown[] =>
      service.audit
        .filter(({ action }) => action === 'keys.change')
        .map(({ result, detail }) => [result, detail]);
    const detail = { setting: 'robot.key' };
    const pilot = await OperatorClient.connect({ url: service.origin, name: 'pilot' });
    ends.push(() => pilot.close());
    const old = connect(OLD);
    assert.ok(await pilot.waitFor(up, PATIENCE_S), 'the old key is right');
    await arm(pilot);

    // in flight: the old key stays, the session is the same, and the log advises what to do
    let wentDown = false;
    const watchUp = setInterval(() => (wentDown ||= !up(pilot.status!)), 10);
    ends.push(() => clearInterval(watchUp));
    const told = await app.reload(fresh);
    assert.match(
      told.join('\n'),
      /^robot\.key: cannot be changed in state ACTIVE_\w+; stop or hold/,
    );
    assert.match(told.join('\n'), /the old key stays$/);
    // another session would take its clocks anew first, for 16 exchanges, and end the motion
    await wait(500);
    clearInterval(watchUp);
    assert.ok(isActive(pilot.status!) && !wentDown, pilot.status?.state);
    assert.deepEqual(changes(), [['BERTH_WRONG_STATE', detail]]);

    // after the stop: a session begins anew, with the new key only, and without authority
    assert.equal((await pilot.stop()).code, 'ok');
    assert.ok(await pilot.waitFor((s) => s.state === 'FAULT', PATIENCE_S));
    const exchanged = performance.now();
    assert.deepEqual(await app.reload(fresh), [
      'robot.key: a new key; the robot has to connect with it',
    ]);
    assert.deepEqual(changes()[1], ['ok', detail]);
    assert.ok(await pilot.waitFor((s) => !up(s), PATIENCE_S));
    assert.equal((await pilot.request('arm')).code, 'no_authority');
    // the old robot tries on and on, and is refused
    const wrong = 'berth_robot_frame_errors_total{reason="tag"}';
    let seenUp = false;
    const watch = setInterval(() => (seenUp ||= up(pilot.status!)), 10);
    ends.push(() => clearInterval(watch));
    const end = performance.now() + 1000 * PATIENCE_S;
    while ((await metric(service, wrong)) < 3 && performance.now() < end) await wait(100);
    assert.ok((await metric(service, wrong)) >= 3, 'it has tried');
    assert.ok(!seenUp, 'the old key let nobody in');
    clearInterval(watch);
    await old.end();

    connect(NEW);
    const began = performance.now();
    assert.ok(await pilot.waitFor(up, PATIENCE_S), 'the new key is right');
    const let_in_s = (performance.now() - began) / 1000;
    assert.equal((await pilot.request('clear', { reason: 'key changed' })).code, 'ok');
    pilot.hand.deadman = false;
    await arm(pilot);
    t.diagnostic(
      `acceptance 60: robot key changed in a running service; the old one tried for ${((began - exchanged) / 1000).toFixed(1)} s and refused, the new one was in after ${let_in_s.toFixed(1)} s and flew`,
    );
  } finally {
    for (const end of ends.reverse()) await end();
  }
});

test('60: keys are tried at the robot port at a few in ten seconds, and the robot gets in after', async (t) => {
  const ends: (() => unknown)[] = [];
  try {
    const service = await Service.start(keyed(OLD), { timed: true });
    ends.push(() => service.close());
    const { robotAddress } = service.runtime;
    const begin = performance.now();
    let [asked, judged, shut] = [0, 0, 0];
    while (performance.now() - begin < TRYING_MS) {
      const tried = await tryKey(robotAddress, `guess ${asked++} of this test`);
      if (tried.judged) judged++;
      if (tried.status === 429) shut++;
    }
    // five that are free; then a quarter of a second that doubles: 0.25 + 0.5 + 1 + 2 + 4 s; and one for the rounding
    const seconds = (performance.now() - begin) / 1000;
    const most = 5 + 6 + Math.ceil(seconds / 5) + 1;
    assert.ok(judged >= 6 && judged <= most, `${judged} judged, at most ${most}`);
    assert.ok(shut > 10, `${shut} of ${asked} found it shut`);
    const refused = await metric(service, 'berth_robot_rejects_total{reason="key"}');
    assert.equal(refused, shut);
    // each is counted; the log has the first at once, and the others in one record a minute
    const failures = await metric(service, 'berth_robot_key_failures_total');
    assert.ok(failures >= judged && failures <= most, `${failures} counted, ${judged} seen`);
    const written = service.audit.filter(({ action }) => action === 'robot.handshake');
    assert.deepEqual(
      written.map(({ actor, result, detail }) => [actor, result, detail]),
      [['robot', 'BERTH_AUTH', { from: '127.0.0.1' }]],
    );

    const pilot = await OperatorClient.connect({ url: service.origin, name: 'pilot' });
    ends.push(() => pilot.close());
    const robot = startRobot(testSettings(keyed(OLD)), ['--ws', robotAddress]);
    ends.push(() => robot.end());
    assert.ok(await pilot.waitFor(up, PATIENCE_S), 'the robot, from the same address');
    t.diagnostic(
      `acceptance 60: ${asked} connections with guessed keys at the robot port in ${seconds.toFixed(0)} s, ${judged} judged`,
    );
  } finally {
    for (const end of ends.reverse()) await end();
  }
});
