/**
 * The robot unplugged and plugged in repeatedly (`npm run test:replug -- --count N`; hil-anchors
 * 9.4, test 13): service and robot over a TCP line that is cut, while a client with authority
 * presses the deadman and deflects the stick, but never arms. Each time the loop must come back to
 * MONITOR, nothing may move, and descriptors and memory must stay flat. Exit 1 on failure.
 */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadSettings } from '../../config/load-settings.ts';
import { Column, ROW_WIDTH } from '../../hil/contract/columns.ts';
import { CommandKind } from '../../hil/contract/commands.ts';
import { DEFAULT_NOISE } from '../../hil/emulator/options.ts';
import { TelemetryRing } from '../../hil/memory/ring.ts';
import { startRuntime } from '../../hil/threads/runtime.ts';
import { SAFETY_STATES } from '../../hil/contract/codes.ts';
import { startRobot } from '../../server/cli/robot-child.ts';

const USAGE = `Usage: node dist/test/acceptance/replug.js [--count N]

  --count N   times (default 100)`;

/** Longer than any stall and than the longest wait of the robot before it tries again. */
const PATIENCE_MS = 180_000;
const UNPLUGGED_MS = 50;
const INPUT_MS = 20;
/** Descriptors that a connection and one on its way take. */
const SPARE_FDS = 3;
/** Six standard deviations of the robot's encoders, and a step of them: what a robot at rest shows in a million rows. */
const REST_M = 6 * DEFAULT_NOISE.position_m + DEFAULT_NOISE.position_step_m;

const STATE = Column.safety_state;
const MEASURED = Column.measured_p_x_m;
const LINK = Column.link_up;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What was seen. */
export interface Replugged {
  readonly recoveries: number;
  /** Rows in a state in which the arm may move. */
  readonly activeRows: number;
  /** Farthest that the robot was measured from where it stood, m, and how far a robot at rest may be, m. */
  readonly moved_m: number;
  readonly rest_m: number;
  /** Open descriptors at the end less those after the first tenth. */
  readonly descriptors: number;
  /** Resident memory at the end less that at the middle, MB. */
  readonly grown_MB: number;
  readonly longest_ms: number;
}

/** A line that can be cut: a proxy in front of the robot port. */
class Line {
  readonly #target: { host: string; port: number };
  readonly #ends = new Set<Socket>();
  readonly #server = createServer((near) => this.#join(near));
  #plugged = true;

  constructor(address: string) {
    const { hostname, port } = new URL(address);
    this.#target = { host: hostname, port: Number(port) };
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/robot`;
  }

  #join(near: Socket): void {
    if (!this.#plugged) {
      near.destroy();
      return;
    }
    const far = connect(this.#target);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      this.#ends.add(one);
      one.setNoDelay(true);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#ends.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }

  unplug(): void {
    this.#plugged = false;
    for (const end of this.#ends) end.destroy();
  }

  plug(): void {
    this.#plugged = true;
  }

  async close(): Promise<void> {
    this.unplug();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}

/** Unplugs and plugs in the robot `count` times. @throws Error when the loop does not come back */
export async function replug(count: number): Promise<Replugged> {
  const settings = structuredClone(loadSettings());
  settings.scenario = 'half-sphere-on-plate';
  settings.robot.port = 0;
  settings.recording.mode = 'off';
  const runtime = await startRuntime(settings);
  const line = new Line(runtime.robotAddress);
  const robot = startRobot(settings, ['--ws', await line.listen()]);
  const ring = new TelemetryRing(runtime.shared.telemetry, ROW_WIDTH);
  const row = new Float64Array(ROW_WIDTH);
  const from = new Float64Array(3);
  let next = 0;
  let activeRows = 0;
  let moved_m = 0;
  let seen = false;
  const read = (): void => {
    for (; next !== ring.written; next = (next + 1) >>> 0) {
      if (!ring.read(next, row)) {
        next = ring.oldest;
        if (!ring.read(next, row)) continue;
      }
      if (SAFETY_STATES[row[STATE]].startsWith('ACTIVE')) activeRows++;
      if (row[LINK] !== 1) continue;
      const at = row.subarray(MEASURED, MEASURED + 3);
      if (!seen) from.set(at);
      seen = true;
      for (let i = 0; i < 3; i++) moved_m = Math.max(moved_m, Math.abs(at[i] - from[i]));
    }
  };
  const until = async (what: string, ready: (state: string) => boolean): Promise<void> => {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      read();
      if (runtime.readNewest(row) && ready(SAFETY_STATES[row[STATE]])) return;
      if (performance.now() > end) throw new Error(`no ${what}: ${SAFETY_STATES[row[STATE]]}`);
      await wait(5);
    }
  };
  // the stick is deflected all the time
  runtime.post(CommandKind.AUTHORITY, 1);
  let sequence = 0;
  const hand = setInterval(
    () => runtime.post(CommandKind.INPUT, 0.5, 0, 0.5, 0, 0, 0, 1, 1, 0, ++sequence, 0),
    INPUT_MS,
  );
  const descriptors = (): number => readdirSync('/proc/self/fd').length;
  const monitor = (state: string): boolean => state.startsWith('MONITOR');
  let recoveries = 0;
  let longest_ms = 0;
  let fds = 0;
  let middle_MB = 0;
  try {
    await until('first MONITOR', monitor);
    for (let n = 0; n < count; n++) {
      if (n === Math.floor(count / 10)) fds = descriptors();
      if (n === Math.floor(count / 2)) middle_MB = process.memoryUsage.rss() / 1e6;
      line.unplug();
      await until('OFFLINE', (state) => !monitor(state));
      await wait(UNPLUGGED_MS);
      const begin = performance.now();
      line.plug();
      await until(`recovery ${n + 1}`, monitor);
      longest_ms = Math.max(longest_ms, performance.now() - begin);
      recoveries++;
    }
    const grown_MB = process.memoryUsage.rss() / 1e6 - middle_MB;
    // the ends of the last cut may still be on their way out; what is lost for good stays
    const end = performance.now() + PATIENCE_MS;
    while (descriptors() - fds > SPARE_FDS && performance.now() < end) await wait(INPUT_MS);
    const result = { recoveries, activeRows, moved_m, rest_m: 2 * REST_M, longest_ms, grown_MB };
    return { ...result, descriptors: descriptors() - fds };
  } finally {
    clearInterval(hand);
    await runtime.close();
    await robot.end();
    await line.close();
  }
}

/** What was not kept, in words. Memory has a saw-tooth of its own of some MB. */
export function replugFaults(seen: Replugged, count: number): string[] {
  const found: string[] = [];
  if (seen.recoveries !== count) found.push(`${seen.recoveries} of ${count} recoveries`);
  if (seen.activeRows > 0) found.push(`${seen.activeRows} rows in which the arm could move`);
  if (!(seen.moved_m <= seen.rest_m)) found.push(`the robot moved by ${seen.moved_m} m`);
  if (seen.descriptors > SPARE_FDS) found.push(`${seen.descriptors} descriptors more`);
  if (seen.grown_MB > 20) found.push(`memory grew by ${seen.grown_MB} MB`);
  return found;
}

/** The line of the acceptance table. */
export function replugFigure(seen: Replugged): string {
  return (
    `acceptance 13: ${seen.recoveries} recoveries, ${seen.activeRows} motions, ${(1e6 * seen.moved_m).toFixed(1)} µm (noise), ` +
    `descriptors ${seen.descriptors >= 0 ? '+' : ''}${seen.descriptors}, memory ${seen.grown_MB >= 0 ? '+' : ''}${seen.grown_MB.toFixed(1)} MB, ` +
    `longest way back ${(seen.longest_ms / 1e3).toFixed(1)} s`
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { count: { type: 'string', default: '100' } } });
  const count = Number(values.count);
  if (!(Number.isInteger(count) && count > 0)) {
    console.error(USAGE);
    process.exit(2);
  }
  const seen = await replug(count);
  console.log(replugFigure(seen));
  const faults = replugFaults(seen, count);
  for (const text of faults) console.error(text);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
