/** Processes that `berth serve` starts beside itself: the emulated robot and the demo flight. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { extname } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL(`../main${extname(import.meta.url)}`, import.meta.url));
const END_MS = 700;

/**
 * A `berth` command in a process of its own, its output line by line. It leads a process group of its own: Ctrl-C in a terminal
 * reaches the parent alone, which ends its children in order.
 */
export class BerthChild {
  readonly name: string;
  readonly process: ChildProcess;
  readonly lines: Interface;
  /** Its standard error, where this process does not have it as its own. */
  readonly errors: Interface | null;
  readonly ended: Promise<number>;
  #running = true;

  constructor(
    name: string,
    args: readonly string[],
    environment: Record<string, string>,
    errors: 'inherit' | 'pipe' = 'inherit',
  ) {
    const child = spawn(process.execPath, [...process.execArgv, MAIN, name, ...args], {
      // An open standard input is the sign of life that `--child` watches.
      stdio: ['pipe', 'pipe', errors],
      env: { ...process.env, ...environment },
      detached: true,
    }) as ChildProcessByStdio<Writable, Readable, Readable | null>;
    this.name = `berth ${name}`;
    this.process = child;
    this.lines = createInterface({ input: child.stdout });
    this.errors = child.stderr === null ? null : createInterface({ input: child.stderr });
    child.stdin.on('error', () => undefined); // for a child that has ended
    this.ended = new Promise((resolve) => {
      const finish = (code: number): void => {
        this.#running = false;
        resolve(code);
      };
      child.once('exit', (code) => finish(code ?? 1));
      child.once('error', () => finish(1));
    });
  }

  /** Writes a line to its standard input; a child that has ended gets none. */
  write(line: string): void {
    if (this.#running) this.process.stdin?.write(`${line}\n`);
  }

  /** Ask it to end, and insist after a while. */
  async end(): Promise<void> {
    if (!this.#running) return;
    this.process.kill('SIGTERM');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), END_MS);
    await this.ended;
    clearTimeout(timer);
  }
}
