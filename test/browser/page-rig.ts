/** What the tests of the console need around the browser: the service as a user starts it, and a second pair of eyes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { decode, encode } from '@msgpack/msgpack';
import { WebSocket } from 'ws';

const MAIN = fileURLToPath(
  new URL(`../../server/main${extname(import.meta.url)}`, import.meta.url),
);

/** What the test reads of `GET /api/session`. */
export interface Session {
  readonly scenario: string;
  readonly mode: string;
  readonly state: string;
  readonly faults: readonly string[];
  readonly holds: readonly string[];
  readonly tool_force_N: readonly number[];
}

/** What the test reads of a telemetry message. */
export interface Telemetry {
  readonly type: string;
  readonly wrench: { readonly model: readonly number[] };
  readonly peak: { readonly lateness_s: number };
}

/** For whatever depends on the loop, on the quality of the link or on the machine, s: longer than any stall, free when it is quick. */
export const PATIENCE_S = 60;
/** A flight: what stalls interrupt is recovered from and goes on, s. */
export const FLIGHT_S = 150;
/** Room for a file in which some of that is used up, ms. */
export const FILE_MS = 540_000;

/** Try until `attempt` does not throw. @throws its last error when the time is over. */
export async function eventually<T>(timeout_s: number, attempt: () => Promise<T>): Promise<T> {
  const end_ms = performance.now() + timeout_s * 1000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end_ms) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Gives threads and processes of `start` the highest priority, where the user has the right. */
export async function goingFirst<T>(start: () => Promise<T>): Promise<T> {
  try {
    setPriority(-15);
  } catch {
    return start();
  }
  try {
    return await start();
  } finally {
    setPriority(0);
  }
}

class Process {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #errors = '';
  origin = '';

  constructor(...args: string[]) {
    this.#child = spawn(process.execPath, [...process.execArgv, MAIN, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stderr!.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
    this.#ended = once(this.#child, 'exit');
  }

  /** Wait for the address in the output. */
  async listening(): Promise<this> {
    const lines = createInterface({ input: this.#child.stdout! });
    this.origin = await new Promise((resolve, reject) => {
      lines.on('line', (line) => {
        const [, scheme, port] = /console +(https?):\S+:(\d+)\//.exec(line) ?? [];
        if (port !== undefined) resolve(`${scheme}://127.0.0.1:${port}`);
      });
      lines.on('close', () => reject(new Error(`The service ended: ${this.#errors}`)));
    });
    return this;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async end(name: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill(name);
    await this.#ended;
  }
}

export const berth = {
  serve: (...args: string[]): Promise<Process> =>
    goingFirst(() => new Process('serve', ...args).listening()),
  fly: (origin: string): Promise<Process> =>
    goingFirst(() =>
      Promise.resolve(new Process('fly', '--url', origin, '--hold', '60', '--persist')),
    ),
};

/** A telemetry client that keeps the worst reported lateness. */
export class PeakWatch {
  readonly #socket: WebSocket;
  worst_s = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      const message = decode(data as Buffer) as Telemetry;
      if (message.type !== 'telemetry') return;
      this.worst_s = Math.max(this.worst_s, message.peak.lateness_s);
    });
  }

  static async open(origin: string): Promise<PeakWatch> {
    const response = await fetch(`${origin}/api/tickets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'viewer' }),
    });
    const { ticket } = (await response.json()) as { ticket: string };
    const address = `${origin.replace('http', 'ws')}/telemetry?ticket=${ticket}`;
    const watch = new PeakWatch(new WebSocket(address, 'berth.telemetry.v1', { origin }));
    await once(watch.#socket, 'open');
    watch.#socket.send(encode({ v: 1, type: 'subscribe', id: 0, topics: ['wrench'], hz: 100 }));
    return watch;
  }

  close(): void {
    this.#socket.close();
  }
}
