/** Strangers without the key hold connections at the robot port and come again at once; the robot gets in beside them (wall clock, real processes). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Settings } from '../../config/settings.ts';
import { TURN_MS } from '../../hil/access/robot-turns.ts';
import { startRobot } from '../../server/cli/robot-child.ts';
import { OperatorClient, type Status } from '../../server/client/node.ts';
import { Service, testSettings } from '../fixtures/service.ts';

const HOLDERS = 3;
/** Start of a robot's process, its handshake, and its own wait for a second try. */
const ROBOT_MS = 6000;
const up = (s: Status): boolean => s.link?.up === true;
const keyed = (s: Settings): void => {
  s.mode = 'virtual';
  s.robot.transport = 'websocket';
  s.robot.port = 0;
  s.robot.key = 'J7wT2pHq9sVbXz4k';
  s.loop.period_s = 0.005;
};

/** Hold a place, and take one again as soon as it is lost; until `signal`. */
async function hold(url: string, localAddress: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = new WebSocket(url, 'berth.robot.v1', { localAddress });
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (request) => request.destroy());
    const end = (): void => socket.terminate();
    signal.addEventListener('abort', end, { once: true });
    await new Promise((resolve) => socket.once('close', resolve));
    signal.removeEventListener('abort', end);
    await wait(20);
  }
}

for (const address of ['127.0.0.1', '127.0.0.2']) {
  test(`72: ${HOLDERS} strangers at ${address} that come again at once do not keep the robot out`, {
    timeout: 60_000,
  }, async (t) => {
    const ends: (() => unknown)[] = [];
    try {
      const service = await Service.start(keyed, { timed: true });
      ends.push(() => service.close());
      const { robotAddress } = service.runtime;
      const strangers = new AbortController();
      const holders = Array.from({ length: HOLDERS }, () =>
        hold(robotAddress, address, strangers.signal),
      );
      ends.push(async () => {
        strangers.abort();
        await Promise.all(holders);
      });
      const pilot = await OperatorClient.connect({ url: service.origin, name: 'pilot' });
      ends.push(() => pilot.close());
      await wait(1000);
      const from = performance.now();
      const robot = startRobot(testSettings(keyed), ['--ws', robotAddress]);
      ends.push(() => robot.end());
      const most_ms = TURN_MS + ROBOT_MS;
      assert.ok(await pilot.waitFor(up, most_ms / 1000), `not within ${most_ms} ms`);
      const in_s = (performance.now() - from) / 1000;
      await wait(2000);
      assert.ok(up(pilot.status!), 'and it stays');
      t.diagnostic(
        `acceptance 72: ${HOLDERS} strangers at ${address} that come again at once: robot in after ${in_s.toFixed(1)} s from the start of its process`,
      );
    } finally {
      for (const end of ends.reverse()) await end();
    }
  });
}
