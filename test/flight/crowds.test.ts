/**
 * Crowds before a running service with a robot: requests at full speed, and connections until no descriptor is left for them. The
 * flight goes on, and what makes the robot safe works meanwhile.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import {
  BerthProcess,
  FEW_FILES,
  FewFilesProcess,
  Flight,
  RobotProcess,
  SETTINGS,
} from '../fixtures/flight.ts';

const CROWD = fileURLToPath(new URL(`./crowd-process${extname(import.meta.url)}`, import.meta.url));
/** Each flood lasts so long, s: an unmended link stood still within three. */
const FLOOD_S = 8;
/** Flights until one goes through, as the machine itself stands still for longer than four periods now and then. */
const ROUNDS = 4;
/** The arm goes up and down, and changes its direction so often, ms. */
const TURN_MS = 1000;
/** A flight before the crowd comes, ms: an odd number of turns, which leaves the arm a turn above the plate. */
const WARM_MS = 3000;
/** Part of the stick's travel. */
const STICK = 0.3;
/** More connections than descriptors. */
const SITTING = 400;
/** Descriptors that stay free at the least, of a reserve of 64: a recording, an index, a robot and a page may be open. */
const FREE = 40;
/** Number of viewers that request a place; one address has three quarters of them. */
const VIEWERS = 64;
/** Times that a request is sent. */
const TRIES = 5;
/** The crowd sits for so long, s. */
const SIT_S = 6;

/** Crowd in a separate process; its last line is its result. */
class Crowd {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #sits: Promise<unknown>;

  constructor(...args: string[]) {
    this.#child = spawn(process.execPath, [...process.execArgv, CROWD, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: this.#child.stdout! });
    lines.on('line', (line) => this.#lines.push(line));
    this.#sits = once(lines, 'line');
  }

  sits(): Promise<unknown> {
    return this.#sits;
  }

  async end(): Promise<Record<string, number>> {
    this.#child.stdin!.end();
    if (this.#child.exitCode === null) await once(this.#child, 'close');
    return JSON.parse(this.#lines.at(-1) ?? '{}') as Record<string, number>;
  }
}

/** A service whose settings are in a folder of its own. */
async function begin(
  t: TestContext,
  Process: typeof BerthProcess,
): Promise<{ flight: Flight; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-crowds-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'settings.yaml');
  const recording = `{ mode: continuous, folder: ${JSON.stringify(folder)}, rotate_bytes: 1000000, freezes: 0, compression: none }`;
  writeFileSync(file, SETTINGS({ recording }));
  const flight = await Flight.start(file, undefined, Process);
  t.after(() => flight.end());
  return { flight, folder };
}

/**
 * Flies up and down, up first: the plate is a millimetre below, and contact is not the subject.
 * @returns the cause of the end, '' for none
 */
async function flyUntil({ pilot }: Flight, done: Promise<unknown>): Promise<string> {
  await pilot.toMotion();
  const { axes } = pilot.client.hand;
  let up = STICK;
  const turn = (): void => {
    axes[2] = up;
    up = -up;
  };
  turn();
  const timer = setInterval(turn, TURN_MS);
  let over = false;
  void done.then(() => (over = true));
  const last = await pilot.status((s) => over || !s.state.startsWith('ACTIVE'));
  clearInterval(timer);
  axes.fill(0);
  return last.state.startsWith('ACTIVE') ? '' : `${last.state} ${last.faults.join(' ')}`;
}

/** Which flight went through, and what ended those before it. */
function flightOf(ends: readonly string[]): string {
  if (ends.length === 1) return 'in the first flight';
  return `in flight ${ends.length}, before it ${ends.slice(0, -1).join('; ')}`;
}

for (const path of ['/metrics', '/openapi.json']) {
  test(`68: ${path} at full speed: the arm flies through it, and no STATE is missing`, async (t) => {
    const { flight } = await begin(t, BerthProcess);
    const port = new URL(flight.url).port;
    const ends: string[] = [];
    let answers: Record<string, number> = {};
    let slipped = NaN;
    // code of the pilot, the service and the robot is compiled in the first one
    await flyUntil(flight, wait(WARM_MS));
    while (ends.length < ROUNDS && ends.at(-1) !== '') {
      const before = await flight.metric('berth_loop_slipped_ticks_total');
      const crowd = new Crowd('ask', port, path, String(FLOOD_S));
      const flown = crowd.end();
      ends.push(await flyUntil(flight, flown));
      answers = await flown;
      slipped = (await flight.metric('berth_loop_slipped_ticks_total')) - before;
    }
    const served = answers['200'] ?? 0;
    t.diagnostic(
      `acceptance 68: ${path}: ${(served / FLOOD_S).toFixed(0)} answers a second for ${FLOOD_S} s, the arm flies on, ${slipped} periods slipped, ${flightOf(ends)}`,
    );
    assert.ok(served / FLOOD_S > 50, JSON.stringify(answers));
    assert.equal(ends.at(-1), '', ends.join('; '));
  });
}

/** POST with one retry, because the crowd may displace a kept-alive connection. */
async function post(url: string, body?: object): Promise<Response> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? '' : JSON.stringify(body),
  };
  for (let tries = 1; ; tries++) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

/** A viewer of the telemetry, or nothing when there is no place for another. */
async function viewer(url: string): Promise<WebSocket> {
  const answer = await post(`${url}/api/tickets`, { role: 'viewer' });
  const { ticket } = (await answer.json()) as { ticket: string };
  const address = `${url.replace('http', 'ws')}/telemetry?ticket=${ticket}`;
  const socket = new WebSocket(address, 'berth.telemetry.v1', { origin: url });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('open', resolve).once('close', resolve));
  return socket;
}

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

test('68: with 256 descriptors and a crowd that takes all it gets the arm flies on; the recorder rotates, STOP and a robot that comes back get in', async (t) => {
  const { flight, folder } = await begin(t, FewFilesProcess);
  const { service, pilot, url } = flight;
  const port = new URL(url).port;
  const files = (): number => readdirSync(folder).filter((name) => name.endsWith('.mcap')).length;
  const crowd = new Crowd('sit', port, String(SITTING));
  t.after(() => crowd.end());
  await crowd.sits();
  // viewers take all places for sockets, too
  const viewers: WebSocket[] = [];
  for (let i = 0; i < VIEWERS; i++) viewers.push(await viewer(url));
  t.after(() => viewers.forEach((one) => one.terminate()));

  const ends: string[] = [];
  let most = 0;
  let begun = files();
  while (ends.length < ROUNDS && ends.at(-1) !== '') {
    begun = files();
    const sat = wait(1000 * SIT_S);
    const timer = setInterval(() => (most = Math.max(most, openFiles(service.child.pid!))), 50);
    ends.push(await flyUntil(flight, sat));
    await sat;
    clearInterval(timer);
  }
  const rotated = files() - begun;
  assert.equal(ends.at(-1), '', ends.join('; '));
  assert.ok(FEW_FILES - most >= FREE, `${most} of ${FEW_FILES} descriptors in use`);
  assert.ok(rotated > 0, 'the recorder began no file');
  const sitting = viewers.filter(({ readyState }) => readyState === WebSocket.OPEN).length;

  const moving = await pilot.toMotion(flight.robot.lines);
  const asked = performance.now();
  const stop = await post(`${url}/api/session/stop`);
  const took_ms = performance.now() - asked;
  assert.equal(stop.status, 200);
  await flight.robot.stop(moving);

  await flight.robot.end();
  const robot = new RobotProcess(flight.robotAddress);
  t.after(() => robot.end());
  await robot.next('connected', 0);
  await pilot.status((s) => s.link?.up === true);
  t.diagnostic(
    `acceptance 68: at most ${most} of ${FEW_FILES} descriptors in use beside ${SITTING} connections that are made again when they are closed and ${sitting} viewers; the arm flies on for ${SIT_S} s, ${rotated} recordings begun, STOP answered in ${took_ms.toFixed(0)} ms, the robot is back; ${flightOf(ends)}`,
  );
});
