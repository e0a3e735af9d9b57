/**
 * What the operating system may grant a thread of ours: the real-time class and a fine timer. Everything here is optional,
 * tried once at start and reported; nothing is needed for correct results, only for punctual ones.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';

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
  try {
    execFileSync('chrt', ['-f', '-R', '-p', String(priority), String(id)], { stdio: 'pipe' });
  } catch (error) {
    const text = error instanceof Error ? error.message.trim().split('\n').pop() : String(error);
    return { threadId: id, realtime: false, reason: text ?? 'chrt failed' };
  }
  return { threadId: id, realtime: schedulingPolicy(id) === 1, reason: '' };
}

/** Scheduling policy of a thread: 0 other, 1 FIFO, 2 round robin; −1 unknown. Field 41 of /proc/TID/stat. */
export function schedulingPolicy(id: number): number {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[38]);
  } catch {
    return -1;
  }
}
