/** A robot that is not the service's emulated one, first at the place or at that of one that hangs, is not flown by the demo (wall clock, real processes). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRuntime } from '../../hil/threads/runtime.ts';
import { buildApp } from '../../server/app.ts';
import { BerthChild } from '../../server/cli/child.ts';
import { startRobot } from '../../server/cli/robot-child.ts';
import { OperatorClient, type Status } from '../../server/client/node.ts';
import { listeningPort } from '../../server/access/upgrade.ts';
import { testSettings } from '../fixtures/service.ts';

const RUN_KEY = 'the random key of this run';
const up = (s: Status): boolean => s.link?.up === true;
const isActive = (s: Status): boolean => s.state.startsWith('ACTIVE');

test('54: the demo does not fly a robot that connects first, nor one at the place of an emulated robot that hangs', async (t) => {
  const settings = testSettings((s) => {
    s.mode = 'virtual';
    s.robot.transport = 'websocket';
    s.robot.port = 0;
    s.loop.period_s = 0.005;
    s.energy.permit = 'advisory';
  });
  const ends: (() => unknown)[] = [];
  try {
    const runtime = await startRuntime(settings, { runKey: RUN_KEY });
    ends.push(() => runtime.close());
    const app = await buildApp({ settings, runtime });
    ends.push(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${listeningPort(app)}`;
    const watcher = await OperatorClient.connect({ url, name: 'watcher' });
    ends.push(() => watcher.close());
    const target = ['--ws', runtime.robotAddress];
    const demo = (): BerthChild => {
      const child = new BerthChild(
        'fly',
        ['--url', url, '--persist', '--emulated', '--hold', '600'],
        {},
      );
      ends.push(() => child.end());
      return child;
    };
    const connect = async (key: string, emulated: boolean): Promise<BerthChild> => {
      const robot = startRobot(settings, target, [], key);
      ends.push(() => robot.end());
      const status = await watcher.waitFor((s) => up(s) && s.link?.robot_emulated === emulated, 60);
      assert.ok(status !== null, 'connected');
      return robot;
    };

    // a stranger that was there first
    const first = await connect('', false);
    let flown = 0;
    const count = setInterval(() => {
      const { status } = watcher;
      if (status !== null && isActive(status) && status.link?.robot_emulated !== true) flown++;
    }, 50);
    ends.push(() => clearInterval(count));
    assert.equal(await demo().ended, 1);
    await first.end();
    await watcher.waitFor((s) => !up(s), 20);

    // the emulated robot is flown; it hangs, and a stranger takes its place
    const own = await connect(RUN_KEY, true);
    const flight = demo();
    assert.ok((await watcher.waitFor(isActive, 90)) !== null, 'the emulated robot is flown');
    own.process.kill('SIGSTOP');
    await connect('', false);
    assert.equal(await flight.ended, 1);
    own.process.kill('SIGCONT');
    const state = watcher.status?.state ?? '';
    assert.ok(!state.startsWith('ACTIVE') && state !== 'ARMING', state);
    assert.equal(flown, 0);
    t.diagnostic(
      'acceptance 54: a stranger first, and one at the place of a hung emulated robot: 0 of 2 flown',
    );
  } finally {
    for (const end of ends.reverse()) await end();
  }
});
