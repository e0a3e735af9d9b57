/**
 * What the operating system grants a thread: the real-time class and a fine timer. Both are
 * optional, tried once at start and reported; results are correct without them, only less punctual.
 * Library calls come first, because a started program forks this process. While the kernel copies
 * its page tables, every thread that touches a new page stops for 7 to 30 ms (docs/real-time.md).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { systemLibrary } from './os-library.ts';

const FIFO = 1;
const RESET_ON_FORK = 0x40000000;
const CALLING_THREAD = 0;
/** Bytes of a core mask. */
const CORE_SET = 128;

/** Result of a request for the real-time class. */
export interface ThreadGrant {
  /** Kernel thread id, 0 where it is unknown (not Linux). */
  readonly threadId: number;
  /** Whether the thread is now SCHED_FIFO. */
  readonly realtime: boolean;
  /** Reason for a refusal; '' without one. */
  readonly reason: string;
}

/** Kernel id of the calling thread; 0 when it is unknown. */
export function threadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').pop());
  } catch {
    return 0;
  }
}

/** Calls a function of the system library for the calling thread. @returns whether it exists and succeeded */
function callForThread(declaration: string, ...args: unknown[]): boolean {
  const library = process.platform === 'linux' ? systemLibrary() : null;
  return library !== null && library.func(declaration)(CALLING_THREAD, ...args) === 0;
}

function becomeRealtime(priority: number): boolean {
  const set = 'int sched_setscheduler(int thread, int policy, const void *priority)';
  return callForThread(set, FIFO | RESET_ON_FORK, Int32Array.of(priority));
}

function stayOnCore(core: number): boolean {
  if (core >= 8 * CORE_SET) return false;
  const set = new Uint8Array(CORE_SET);
  set[core >> 3] = 1 << (core & 7);
  return callForThread(
    'int sched_setaffinity(int thread, size_t length, const void *set)',
    CORE_SET,
    set,
  );
}

/**
 * Puts only the calling thread on SCHED_FIFO; for the whole process it would raise V8's helper
 * threads too. Children do not inherit the class (`-R`). Priority 0 requests nothing.
 */
export function raiseThread(priority: number): ThreadGrant {
  const id = threadId();
  if (priority <= 0) return { threadId: id, realtime: false, reason: 'not asked for' };
  if (id === 0) return { threadId: 0, realtime: false, reason: 'no /proc/thread-self here' };
  try {
    writeFileSync(`/proc/${id}/timerslack_ns`, '1');
  } catch {
    // FIFO threads have no timer slack; without the class the default of 50 µs stays
  }
  if (becomeRealtime(priority)) return { threadId: id, realtime: true, reason: '' };
  try {
    execFileSync('chrt', ['-f', '-R', '-p', String(priority), String(id)], { stdio: 'pipe' });
  } catch (error) {
    const text = error instanceof Error ? error.message.trim().split('\n').pop() : String(error);
    return { threadId: id, realtime: false, reason: text ?? 'chrt failed' };
  }
  return { threadId: id, realtime: schedulingPolicy(id) === 1, reason: '' };
}

/** Pins only the calling thread to one core. @returns the reason for a refusal, '' on success */
export function pinThread(core: number): string {
  const id = threadId();
  if (id === 0) return 'no /proc/thread-self here';
  if (stayOnCore(core)) return '';
  try {
    execFileSync('taskset', ['-c', '-p', String(core), String(id)], { stdio: 'pipe' });
    return '';
  } catch (error) {
    const text = error instanceof Error ? error.message.trim().split('\n').pop() : String(error);
    return text ?? 'taskset failed';
  }
}

/** Numbers of the cores on which this process may run; empty where they are unknown. */
export function allowedCores(): number[] {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '';
    return list.split(',').flatMap((range) => {
      const [from, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, i) => from + i);
    });
  } catch {
    return [];
  }
}

/** A number of /proc/TID/stat by its field, counted from one; −1 for unknown. */
function threadStat(id: number, field: number): number {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // the second field, the name, may contain spaces
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[field - 3]);
  } catch {
    return -1;
  }
}

/** Scheduling policy of a thread: 0 other, 1 FIFO, 2 round robin; −1 unknown. */
export function schedulingPolicy(id: number): number {
  return threadStat(id, 41);
}

/** Real-time priority of a thread: 1 to 99, 0 outside the real-time class, −1 unknown. */
export function realtimePriority(id: number): number {
  return threadStat(id, 40);
}
