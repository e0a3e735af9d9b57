/**
 * One program of the acceptance run, with all its child processes. A mark in their environment
 * identifies leftover processes in /proc, whatever their process group, and these are ended.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const MARK = 'BERTH_ACCEPTANCE_PART';
/** Time to end by itself: a service stops its robot first. */
const GRACE_MS = 10_000;
const POLL_MS = 200;

/** What a program did. */
export interface PartOutcome {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly timedOut: boolean;
  readonly seconds: number;
  readonly lines: readonly string[];
  /** Processes that were still there when it had ended. */
  readonly left: number;
}

/** Processes that carry this mark, but for zombies, which have no environment. */
function marked(mark: string): number[] {
  const wanted = `${MARK}=${mark}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(wanted);
      } catch {
        return false; // it has ended, or the id belongs to another process
      }
    });
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // it has ended
    }
  }
}

/** End all of them, and wait until they are gone. */
async function end(mark: string): Promise<number> {
  await delay(POLL_MS); // processes asked to end with the program are still ending
  const left = marked(mark).length;
  if (left === 0) return 0;
  signal(marked(mark), 'SIGTERM');
  const until = performance.now() + GRACE_MS;
  while (marked(mark).length > 0 && performance.now() < until) await delay(POLL_MS);
  while (marked(mark).length > 0) {
    signal(marked(mark), 'SIGKILL');
    await delay(POLL_MS);
  }
  return left;
}

/**
 * Run it to its end or to the limit.
 * @param stop ends it before its time
 */
export async function runPart(
  program: string,
  args: readonly string[],
  limit_s: number,
  onLine: (line: string) => void,
  stop: AbortSignal,
): Promise<PartOutcome> {
  const mark = randomUUID();
  const begin = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, NO_COLOR: '1', [MARK]: mark },
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      onLine(line);
    });
  }
  let timedOut = false;
  const exit = new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('exit', (code) => resolve(code));
  });
  const closed = new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('close', () => resolve());
  });
  const limit = new AbortController();
  const over = Promise.race([
    delay(1000 * limit_s, true, { signal: limit.signal }).catch(() => false),
    new Promise<boolean>((resolve) => stop.addEventListener('abort', () => resolve(false))),
  ]);
  const first = await Promise.race([exit.then(() => 'exit' as const), over]);
  limit.abort();
  if (first !== 'exit') {
    timedOut = first;
    await end(mark);
  }
  const code = await exit;
  const left = await end(mark);
  await closed; // no process holds its output open now
  return { code, timedOut, seconds: (performance.now() - begin) / 1000, lines, left };
}
