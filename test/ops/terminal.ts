/** A terminal in which a person types commands: each is printed with its time, and long ones end by Ctrl-C. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Longer than any stall of the machine, ms. */
const PATIENCE_MS = 600_000;

/** Commands in one folder. */
export class Terminal {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Runs a command to its end. @returns what it printed @throws Error when it fails */
  run(program: string, ...args: string[]): string {
    const begin_ms = performance.now();
    const done = spawnSync(program, args, {
      cwd: this.folder,
      encoding: 'utf8',
      timeout: PATIENCE_MS,
    });
    const line = `${program} ${args.join(' ')}`;
    if (done.status !== 0) {
      throw new Error(`${line}: exit ${done.status}\n${done.stdout}\n${done.stderr}`);
    }
    const seconds = ((performance.now() - begin_ms) / 1000).toFixed(1);
    console.log(`${seconds.padStart(7)} s  $ ${line}`);
    return done.stdout;
  }

  /** Starts a command that runs until Ctrl-C. */
  start(program: string, ...args: string[]): Running {
    console.log(`           $ ${program} ${args.join(' ')}`);
    return new Running(this.folder, program, args);
  }
}

/** A command that runs. */
export class Running {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  /** Exit code. */
  readonly ended: Promise<number | null>;
  #errors = '';
  #isOver = false;
  #look: () => void = () => undefined;

  constructor(cwd: string, program: string, args: readonly string[]) {
    // a process group of its own, as a shell makes for a command: Ctrl-C reaches all of it
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(program, args, { cwd, detached: true, stdio });
    this.#child = child;
    child.stderr.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#lines.push(line);
      this.#look();
    });
    this.ended = once(child, 'close').then(([code]) => {
      this.#isOver = true;
      this.#look();
      return code as number | null;
    });
  }

  /** First line that fits. @throws Error when the command ends, or none comes in time */
  line(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const end = (finish: () => void): void => {
        clearTimeout(timer);
        this.#look = () => undefined;
        finish();
      };
      const fail = (why: string): void =>
        end(() =>
          reject(new Error(`${why} ${pattern}:\n${this.#lines.join('\n')}\n${this.#errors}`)),
        );
      const timer = setTimeout(() => fail('No line in time like'), PATIENCE_MS);
      this.#look = () => {
        for (const line of this.#lines) {
          const found = pattern.exec(line);
          if (found === null) continue;
          end(() => resolve(found));
          return;
        }
        if (this.#isOver) fail('It ended without a line like');
      };
      this.#look();
    });
  }

  /** Ctrl-C. @returns the exit code */
  async interrupt(): Promise<number | null> {
    if (!this.#isOver) process.kill(-this.#child.pid!, 'SIGINT');
    return this.ended;
  }

  /** Ends it whatever it does. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    const timer = setTimeout(() => process.kill(-this.#child.pid!, 'SIGKILL'), 30_000);
    await this.interrupt();
    clearTimeout(timer);
  }
}
