/** Robots made with the kits, in processes of their own, fly with the real service (wall clock). */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { after, type TestContext, test } from 'node:test';
import { OperatorClient, type Status } from '../../server/client/node.ts';
import { CProgram, PYTHON_ROBOT } from '../fixtures/kits.ts';
import { Service } from '../fixtures/service.ts';

const KEY = 'J7wT2pHq9sVbXz4k';
const PATIENCE_S = 60;
/** Flights until one was not cut short by the machine. */
const TRIES = 5;
/** Longer than an ARMING takes before it is given up, s. */
const ARMING_S = 10;
/** What a machine that stands still brings about by itself. */
const BY_MACHINE =
  /^MONITOR|STATE_MISSING|LINK_LOST|OVERRUN|QUALITY_LOW|INPUT_STALE|ECHO_LOST|ROBOT_PROTECTIVE_STOP|ROBOT_FAULT/;
/** Start of the tool in the scenario, m. */
const START_M = [0, 0, 0.001];
/** Rise that shows a flight, and what the robot's place may be off the set-point in it, m. */
const RISE_M = 0.002;
const PERIOD_S = 0.005;

const c = new CProgram('clients/c/example.c');
after(() => c.remove());

class KitRobot {
  readonly child: ChildProcess;
  log = '';

  constructor(command: readonly string[], address: string, key: string) {
    const [program, ...args] = command;
    this.child = spawn(program, [...args, address, ...START_M.map(String)], {
      env: { ...process.env, BERTH_ROBOT_KEY: key },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr!.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}

const isUp = (s: Status): boolean => s.link?.up === true;
const height = (s: Status | null): number => s?.measured?.position_m[2] ?? 0;

/** The operator's socket ended, or the loop left the flight: what a machine that stands still does. */
class CutShort extends Error {}

function closing(pilot: OperatorClient): string {
  return `SOCKET_CLOSED ${JSON.stringify(pilot.closeReason)}`;
}

async function ask(pilot: OperatorClient, type: 'arm' | 'authority.request'): Promise<void> {
  const { code } = await pilot.request(type);
  if (pilot.closed || code === 'closed') throw new CutShort(closing(pilot));
  // between MONITOR_READY and this request the machine may have stood still
  if (code === 'not_ready') throw new CutShort(`MONITOR ${code}`);
  assert.equal(code, 'ok', type);
}

/** Wait for a state of the flight. @throws CutShort when another cause ends it first */
async function reach(
  pilot: OperatorClient,
  wanted: (s: Status) => boolean,
  patience_s = PATIENCE_S,
): Promise<void> {
  const over = (s: Status): boolean => /HOLD|FAULT|ESTOP|OFFLINE|CONNECTING/.test(s.state);
  const seen = await pilot.waitFor((s) => wanted(s) || over(s), patience_s);
  if (seen !== null && wanted(seen)) return;
  if (pilot.closed) throw new CutShort(closing(pilot));
  const { state, faults, holds } = seen ?? pilot.status!;
  throw new CutShort([state, ...faults, ...holds].join());
}

/** Rests in MONITOR_READY, cleared. */
async function makeReady(pilot: OperatorClient): Promise<void> {
  const ready = await pilot.waitFor((s) => /MONITOR_READY|HOLD|FAULT/.test(s.state), PATIENCE_S);
  if (ready?.state !== 'MONITOR_READY') await pilot.request('clear', { reason: 'try again' });
  const cleared = await pilot.waitFor((s) => s.state === 'MONITOR_READY', PATIENCE_S);
  if (pilot.closed) throw new CutShort(closing(pilot));
  assert.ok(cleared !== null, JSON.stringify(pilot.status?.arm_blockers));
}

/** Arm, rise, stop, clear. @throws CutShort when the machine ends it first */
async function flight(pilot: OperatorClient): Promise<void> {
  pilot.startInputs();
  await ask(pilot, 'authority.request');
  await makeReady(pilot);
  await pilot.waitFor((s) => s.operator?.deadman === false, PATIENCE_S);
  pilot.hand.deadman = true;
  await pilot.waitFor((s) => s.operator?.deadman === true, PATIENCE_S);
  await ask(pilot, 'arm');
  await reach(pilot, (s) => s.state.startsWith('ACTIVE'), ARMING_S);
  const from = height(pilot.status);
  pilot.hand.axes[2] = 1;
  await reach(pilot, (s) => height(s) > from + RISE_M);
  // a stop of the operator ends the motion: the robot rests and has to be armed anew
  assert.equal((await pilot.stop()).code, 'ok');
  if ((await pilot.waitFor((s) => s.state === 'FAULT', PATIENCE_S)) === null) {
    throw new CutShort(closing(pilot));
  }
  const rest = height(pilot.status);
  await wait(300);
  assert.ok(Math.abs(height(pilot.status) - rest) < 1e-6, 'the robot rests after the stop');
  await makeReady(pilot);
}

async function fly(t: TestContext, command: readonly string[], key: string): Promise<void> {
  const ends: (() => unknown)[] = [];
  try {
    const service = await Service.start(
      (s) => {
        s.mode = 'virtual';
        s.robot.transport = 'websocket';
        s.robot.port = 0;
        s.robot.key = key;
        s.loop.period_s = PERIOD_S;
        s.energy.permit = 'advisory';
      },
      { timed: true },
    );
    ends.push(() => service.close());
    const robot = new KitRobot(command, service.runtime.robotAddress, key);
    ends.push(() => robot.end());
    const why: string[] = [];
    for (;;) {
      const pilot = await OperatorClient.connect({ url: service.origin, name: 'pilot' });
      try {
        assert.ok(await pilot.waitFor(isUp, PATIENCE_S), `no session: ${robot.log}`);
        await flight(pilot);
        break;
      } catch (error) {
        if (!(error instanceof CutShort)) throw error;
        why.push(error.message);
        assert.match(error.message, BY_MACHINE, robot.log);
        assert.ok(why.length < TRIES, `never flown: ${why.join('; ')}\n${robot.log}`);
      } finally {
        pilot.close();
      }
    }
    t.diagnostic(`flown; cut short by the machine before: ${why.length} ${why.join('; ')}`);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

test('19: the example of the Python kit flies, stops, and is cleared', (t) =>
  fly(t, PYTHON_ROBOT, ''));
test('19: the example of the Python kit flies under a robot key', (t) => fly(t, PYTHON_ROBOT, KEY));
test('19: the example of the C kit flies, stops, and is cleared', (t) => fly(t, [c.path], ''));
test('19: the example of the C kit flies under a robot key', (t) => fly(t, [c.path], KEY));

test('3: the Python kit with a wrong key gets no session', async () => {
  const service = await Service.start((s) => {
    s.mode = 'virtual';
    s.robot.transport = 'websocket';
    s.robot.port = 0;
    s.robot.key = KEY;
    s.loop.period_s = PERIOD_S;
  });
  const robot = new KitRobot(
    PYTHON_ROBOT,
    service.runtime.robotAddress,
    'another key of some length',
  );
  try {
    const end = performance.now() + 1000 * PATIENCE_S;
    while (!robot.log.includes('(tag)') && performance.now() < end) await wait(50);
    assert.match(robot.log, /refused by the loop \(tag\): HELLO: the robot key of this end is set/);
  } finally {
    await robot.end();
    await service.close();
  }
});
