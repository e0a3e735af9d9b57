/**
 * What the operating system may grant a thread of ours: the real-time class and a fine timer. Everything here is optional,
 * tried once at start and reported; nothing is needed for correct results, only for punctual ones. Calls of the system's library come
 * first: a program that is started forks this process, and while the kernel copies its tables of pages every thread of it that
 * touches a new page stands still, for 7 to 30 ms (docs/real-time.md).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { systemLibrary } from './os-library.ts';

const FIFO = 1;
const RESET_ON_FORK = 0x40000000;
const CALLING_THREAD = 0;
/** Bytes of a set of cores. */
const CORE_SET = 128;

/** What was obtained. */
export interface ThreadGrant {
  /** Kernel thread id, 0 where it is not known (not Linux). */
  readonly threadId: number;
  /** Whether the thread is now SCHED_FIFO. */
  readonly realtime: boolean;
  /** Why not, in words; '' when it is. */
  readonly reason: string;
}

/** Kernel id of the calling thread, 0 when the system does not tell. */
export function threadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').pop());
  } catch {
    return 0;
  }
}

/** Call a function of the system's library for the calling thread. @returns whether it is there and did it */
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
 * Put the calling thread, and only it, on SCHED_FIFO. Raising the whole process would raise V8's helper threads with it.
 * The class is not inherited by children (`-R`). Priority 0 asks for nothing.
 */
export function raiseThread(priority: number): ThreadGrant {
  const id = threadId();
  if (priority <= 0) return { threadId: id, realtime: false, reason: 'not asked for' };
  if (id === 0) return { threadId: 0, realtime: false, reason: 'no /proc/thread-self here' };
  try {
    writeFileSync(`/proc/${id}/timerslack_ns`, '1');
  } catch {
    // FIFO threads have no slack anyway; without the class the default of 50 µs stays
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

/** Keep the calling thread, and only it, on one core. @returns why it is not, '' when it is */
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

/** Cores that this process may run on, as the system numbers them; none where it does not tell. */
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

/** A number of /proc/TID/stat by its place there, counted from one; −1 unknown. */
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

/** Priority of a thread in the real-time class: 1 to 99, 0 outside of it; −1 unknown. */
export function realtimePriority(id: number): number {
  return threadStat(id, 40);
}
